"""The verb ``report``: exit codes, what it prints, and that it is lean until it is called."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
from fake_records import trial

from workbench.core.config import Config
from workbench.core.latency import summarize
from workbench.core.trial import Samples
from workbench.study.store import Store


def study(folder):
    runs = [np.full(30, 2_000_000, np.int64)]
    store = Store(str(folder / "s.sqlite"))
    fields = {"status": "ok", "reason": "", "config": Config().to_dict(), "latency": summarize(runs, [], [])}
    store.add(trial(**fields), Samples(warmup=b"", bursts=[runs[0].tobytes()], after_gap=b""))
    store.close()
    return store.place


def test_it_writes_the_file_and_says_which_trial_it_took(run, tmp_path):
    said = run("report", "--study", study(tmp_path), "--out", tmp_path / "r.html", "--json")
    assert said.code == 0, said.err
    assert json.loads(said.out) == {"out": str(tmp_path / "r.html"), "trial": 1}
    assert (tmp_path / "r.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    said = run("report", "--study", study(tmp_path), "--out", tmp_path / "r.html", "--language", "zh_CN")
    assert said.code == 0 and "Report on trial 1" in said.out
    assert '<html lang="zh-CN">' in (tmp_path / "r.html").read_text("utf-8")


def test_what_the_user_must_change_ends_with_2(run, tmp_path, data_dir):
    place = study(tmp_path)
    for arguments, part in (
        (("--study", place, "--out", tmp_path / "r.html", "--trial", 7), "no trial 7"),
        (("--study", place, "--out", tmp_path / "no" / "r.html"), "could not be written"),
        (("--study", place, "--out", tmp_path / "r.html", "--language", "de"), "'de'"),
        (("--study", "nothing-here", "--out", tmp_path / "r.html"), "no study 'nothing-here'"),
    ):
        said = run("report", *arguments)
        assert said.code == 2 and part in said.err and not said.out
    assert not (tmp_path / "r.html").exists()


def test_the_command_line_loads_no_matplotlib_before_a_report_is_drawn():
    code = "import sys, workbench.cli, workbench.export.report; print({'matplotlib', 'PySide6'} & {*sys.modules})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"

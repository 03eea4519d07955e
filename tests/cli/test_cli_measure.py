"""A measurement from the command line: exit codes, tables, and what is in the study afterwards."""

from __future__ import annotations

import sys

import pytest
from command_line import studies

from workbench.study.store import Store

pytestmark = pytest.mark.usefixtures("nothing_left", "data_dir")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def test_a_measurement_ends_with_0_a_table_and_a_stored_trial(run, faked, script, data_dir):
    faked()
    said = run("measure", script, "--input", "1x4", "--runs", "20", "--deadline", "1000")
    assert said.code == 0
    assert said.err == ""
    for part in ("ok", "p50 ms", "missed by 0 of 20", "n/a: no data", "net.sqlite"):
        assert part in said.out
    assert studies(data_dir) == ["net.sqlite"]
    assert len(Store(str(data_dir / "studies" / "net.sqlite")).trials()) == 1


def test_a_broken_picture_among_good_ones_is_named_and_left_out(run, faked, script, pictures):
    faked()
    (pictures / "torn.png").write_bytes((pictures / "0.png").read_bytes()[:60])
    options = ("--input", "1x3x8x8", "--data", pictures, "--set", "preprocess.size=8", "--runs", "10")
    said = run("measure", script, *options, "--json")
    assert said.code == 0
    trial = said.json
    assert any("torn.png" in warning for warning in trial["warnings"])
    assert list(trial["data"]["rejected"]) == ["torn.png"]
    assert "torn.png" not in trial["data"]["calibration"] + trial["data"]["evaluation"]
    assert trial["accuracy"]["samples"] == len(trial["data"]["evaluation"]) > 0
    assert "torn.png" in run("measure", script, *options).out


@pytest.mark.parametrize(
    ("behaviour", "settings", "status", "reason"),
    [
        ("no-int8", ["precision=int8"], "invalid", "no INT8 kernel ran"),
        ("short-int8", ["precision=int8"], "invalid", "missing: fc"),
        ("threads=9", ["runtime.threads=1"], "invalid", "9 are used"),
        pytest.param("abort@run", [], "failed", "SIGABRT", marks=posix_only),
        ("invalid@build", [], "invalid", "the fake did something else"),
    ],
)
def test_a_trial_that_is_not_ok_ends_with_1_and_is_stored(
    run, faked, script, data_dir, behaviour, settings, status, reason
):
    faked(behaviour)
    arguments = [word for setting in settings for word in ("--set", setting)]
    said = run("measure", script, "--input", "1x4", "--runs", "10", "--json", *arguments)
    assert said.code == 1
    assert said.json["status"] == status
    assert reason in said.json["reason"]
    (stored,) = Store(str(data_dir / "studies" / "net.sqlite")).trials()
    assert (stored.status, stored.reason) == (status, said.json["reason"])


def test_a_chatty_library_does_not_reach_stdout(run, faked, script):
    faked("chatter=1@run1+warn=be careful@load")
    said = run("measure", script, "--input", "1x4", "--runs", "10", "--json")
    assert said.json["status"] == "ok"
    assert said.json["library_warnings"] == ["UserWarning: be careful"]


def test_a_study_can_be_given_and_is_listed(run, faked, script, tmp_path, data_dir):
    place = tmp_path / "mine" / "s.sqlite"
    faked()
    run("measure", script, "--input", "1x4", "--runs", "10", "--study", place)
    faked("no-int8")
    run("measure", script, "--input", "1x4", "--runs", "10", "--study", place, "--set", "precision=int8")
    assert studies(data_dir) == []
    listed = run("study", place)
    assert listed.code == 0
    for part in ("ok", "invalid", "fp32", "int8", "no INT8 kernel ran"):
        assert part in " ".join(listed.out.split())
    trials = run("study", place, "--json").json["trials"]
    assert [(trial["id"], trial["status"]) for trial in trials] == [(1, "ok"), (2, "invalid")]


def test_a_study_is_found_by_its_model(run, faked, script):
    faked()
    run("measure", script, "--input", "1x4", "--runs", "10")
    assert len(run("study", script, "--json").json["trials"]) == 1


def test_the_same_on_both_sides_is_no_difference(run, faked, script):
    faked("sleep=0.002@run")
    model = (script, "--input", "1x4", "--quick", "--runs", 10)
    said = run("compare", *model, "--aa")
    assert (said.code == 0) == ("no difference, as it should be" in said.out)
    assert "A/A: " in said.out
    refused = run("compare", *model, "--aa", "--b", "runtime.threads=1")
    assert refused.code == 2 and "compares one config with itself" in refused.err

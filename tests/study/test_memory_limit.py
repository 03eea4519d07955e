"""Inside 4 GB: every engine measures the largest sample; where it is too much, the message helps."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from control_groups import ControlGroup, control_group

GIGABYTE = 2**30

pytestmark = pytest.mark.engine


@pytest.fixture
def limited() -> Iterator[Callable[[int], ControlGroup]]:
    """Return a function that makes a group with a limit in bytes."""
    made: list[ControlGroup] = []

    def make(limit: int) -> ControlGroup:
        group = control_group("memory")
        if group is None:
            pytest.skip("no memory control group can be made here")
        made.append(group)
        group.limit_memory(limit)
        return group

    yield make
    for group in made:
        group.remove()


def run(group: ControlGroup, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = "import os,sys; open(sys.argv[1],'w').write(str(os.getpid())); os.execv(sys.argv[2], sys.argv[2:])"
    command = [
        sys.executable,
        "-c",
        script,
        str(group.folder / "cgroup.procs"),
        sys.executable,
        "-m",
        "workbench",
        "measure",
        *arguments,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)


@pytest.mark.parametrize("engine", ["torch", "ipex", "onnxruntime"])
def test_four_gigabytes_are_enough(limited, engine: str, tmp_path: Path, needs_engine) -> None:
    needs_engine(engine)
    group = limited(4 * GIGABYTE)
    study = str(tmp_path / "s.sqlite")
    done = run(
        group, "sample:efficientnet-lite0", "--set", f"engine={engine}", "--set", "precision=int8",
        "--set", "runtime.threads=1", "--set", "calibration.samples=4", "--set", "calibration.observer=minmax",
        "--runs", "5", "--study", study, "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    trial = json.loads(done.stdout)
    assert trial["status"] == "ok"
    assert trial["host"]["memory_limit_mb"] == 4096
    assert 0 < trial["memory"]["peak_rss_mb"] <= trial["memory"]["build_peak_rss_mb"] + 1 < 4096


def test_too_little_memory_says_what_to_lower(limited, tmp_path: Path) -> None:
    group = limited(GIGABYTE)
    study = str(tmp_path / "s.sqlite")
    done = run(group, "sample:efficientnet-lite0", "--set", "run.batch=256", "--study", study, "--json")
    assert done.returncode == 1, done.stderr
    trial = json.loads(done.stdout)
    assert trial["status"] == "failed"
    assert "run.batch" in trial["reason"]

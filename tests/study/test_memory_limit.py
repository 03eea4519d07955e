"""Inside 4 GB: every engine measures the largest sample; where it is too much, the message helps."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

GIGABYTE = 2**30
FOLDERS = (
    # hierarchy, file for the limit, file for members
    (Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes", "cgroup.procs"),
    (Path("/sys/fs/cgroup"), "memory.max", "cgroup.procs"),
)

pytestmark = pytest.mark.engine


@pytest.fixture
def limited() -> Iterator[object]:
    """Return a function that makes a group with a limit in bytes and returns its members' file."""
    made: list[Path] = []

    def make(limit: int) -> Path:
        for root, limit_file, members in FOLDERS:
            if not (root / members).exists():  # a plain folder, where anything can be written to no effect
                continue
            group = root / f"workbench-test-{uuid.uuid4().hex}"
            try:
                group.mkdir()
                made.append(group)
                (group / limit_file).write_text(str(limit))
            except OSError:
                continue
            return group / members
        pytest.skip("no memory control group can be made here")

    yield make
    for group in made:
        remove(group)


def remove(group: Path, seconds: float = 10.0) -> None:
    """Remove a group; the last of its processes may still be ending."""
    end = time.monotonic() + seconds
    while True:
        try:
            return group.rmdir()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def run(members: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = "import os,sys; open(sys.argv[1],'w').write(str(os.getpid())); os.execv(sys.argv[2], sys.argv[2:])"
    command = [sys.executable, "-c", script, str(members), sys.executable, "-m", "workbench", "measure", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)


@pytest.mark.parametrize("engine", ["torch", "ipex", "onnxruntime"])
def test_four_gigabytes_are_enough(limited, engine: str, tmp_path: Path, needs_engine) -> None:
    needs_engine(engine)
    members = limited(4 * GIGABYTE)
    study = str(tmp_path / "s.sqlite")
    done = run(
        members, "sample:efficientnet-lite0", "--set", f"engine={engine}", "--set", "precision=int8",
        "--set", "runtime.threads=1", "--set", "calibration.samples=4", "--set", "calibration.observer=minmax",
        "--runs", "5", "--study", study, "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    trial = json.loads(done.stdout)
    assert trial["status"] == "ok"
    assert trial["host"]["memory_limit_mb"] == 4096
    assert 0 < trial["memory"]["peak_rss_mb"] <= trial["memory"]["build_peak_rss_mb"] + 1 < 4096


def test_too_little_memory_says_what_to_lower(limited, tmp_path: Path) -> None:
    members = limited(GIGABYTE)
    study = str(tmp_path / "s.sqlite")
    done = run(members, "sample:efficientnet-lite0", "--set", "run.batch=256", "--study", study, "--json")
    assert done.returncode == 1, done.stderr
    trial = json.loads(done.stdout)
    assert trial["status"] == "failed"
    assert "run.batch" in trial["reason"]

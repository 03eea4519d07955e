"""What a command line said, and what every refusal has in common."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

import psutil


class Said(NamedTuple):
    """What a command line said and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        assert self.out.lstrip().startswith("{")
        return json.loads(self.out)


def studies(data_dir: Path) -> list[str]:
    return sorted(path.name for path in data_dir.rglob("*.sqlite"))


def check_refusal(said: Said, data_dir: Path, *parts: str) -> None:
    """Exit 2, one message of what and what next on stderr, nothing on stdout, nothing stored."""
    assert said.code == 2
    assert said.out == ""
    for part in parts:
        assert part in said.err
    lines = [line for line in said.err.splitlines() if line.strip()]
    assert 2 <= len(lines) <= 4, said.err
    assert len(set(lines)) == len(lines)
    assert studies(data_dir) == []


def workers_once(process: subprocess.Popen, mark: Path, seconds: float = 60) -> list[psutil.Process]:
    """Wait until a worker of *process* has made the file *mark*, and return the children that there are then."""
    end = time.monotonic() + seconds
    while not mark.exists():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.02)
    workers = psutil.Process(process.pid).children(recursive=True)
    assert workers
    return workers

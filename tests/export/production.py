"""Runs a bundle's production loop for a while and watches it: order, memory, drift."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import psutil


@dataclass
class Watched:
    """What was seen of one run.

    Attributes:
        frames: answered.
        disorder: the first answer whose number or frame was not the next one, None where there was none.
        rss_mb: (seconds, resident MB) over the time.
        verdicts: of the drift monitor, in order.
    """

    frames: int = 0
    disorder: str | None = None
    rss_mb: list[tuple[float, float]] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)
    counters: dict[str, object] = field(default_factory=dict)

    def growth_mb(self) -> float:
        """Return median memory of the last third less that of the second: the first settles."""
        memory = [mb for _, mb in self.rss_mb]
        third = len(memory) // 3
        return float(np.median(memory[-third:]) - np.median(memory[third : 2 * third]))


def watch(bundle: Path, place: Path, names: list[str], seconds: float, *options: str) -> Watched:
    """Run the loop over *place* for so long; *names* are its frames in order."""
    drift = bundle.parent / "drift.jsonl"
    drift.unlink(missing_ok=True)
    command = [sys.executable, "-B", str(bundle / "run.py"), str(place), "--seconds", str(seconds)]
    found, start, last = Watched(), time.monotonic(), 0.0
    with (bundle.parent / "errors.txt").open("w+", encoding="utf-8") as errors:
        child = subprocess.Popen(
            [*command, "--drift", str(drift), *options], stdout=subprocess.PIPE, stderr=errors, text=True
        )
        assert child.stdout is not None
        process = psutil.Process(child.pid)
        for line in child.stdout:
            record = json.loads(line)
            expected = names[found.frames % len(names)]
            if found.disorder is None and (record["n"], record["frame"]) != (found.frames, expected):
                found.disorder = f"{record['n']} {record['frame']} instead of {found.frames} {expected}"
            found.frames += 1
            now = time.monotonic() - start
            if now - last >= max(seconds / 200, 0.2):
                found.rss_mb.append((now, process.memory_info().rss / 2**20))
                last = now
        code = child.wait()
        errors.seek(0)
        said = errors.read()
    assert code == 0, said
    found.counters = json.loads(said.splitlines()[-1])["counters"]
    if drift.exists():
        records = [json.loads(line) for line in drift.read_text("utf-8").splitlines()]
        found.verdicts = [record["verdict"] for record in records if "verdict" in record]
    return found


def darkened(source: Path, target: Path, names: list[str], factor: float = 0.25) -> Path:
    """Write every picture once more, as a lamp that fails would show it."""
    target.mkdir()
    for name in names:
        pixels = cv2.imread(str(source / name), cv2.IMREAD_COLOR)
        cv2.imwrite(str((target / name).with_suffix(".png")), (pixels * factor).astype(np.uint8))
    return target

"""What does a trial cost besides import, calibration, build and the samples themselves?

Run: python tests/benchmarks/trial_overhead.py [REPEATS]
Prints one row per engine: wall-clock time of a whole trial, the share that is the engine's and the
model's own, and what remains, as medians over the repeats.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from workbench.core.config import Config
from workbench.study.runner import Runner
from workbench.study.store import Store
from workbench.study.subject import find_subject

OWN = ("importing the engine", "calibrating", "preparing", "building", "warming up", "timing")
CASES = {
    "torch fp32": {"engine": "torch"},
    "torch int8": {"engine": "torch", "precision": "int8"},
    "ipex int8": {"engine": "ipex", "precision": "int8"},
}


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    subject = find_subject("sample:digits-cnn")
    print(f"{'case':<12} {'trial s':>8} {'own s':>8} {'overhead s':>11}   of which")
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Store(str(Path(folder) / "study.sqlite")))
        for name, knobs in CASES.items():
            rows = []
            for _ in range(repeats):
                start = time.perf_counter()
                trial = runner.measure(subject, Config(knobs), runs=200)
                wall = time.perf_counter() - start
                if trial.status != "ok":
                    sys.exit(f"{name}: {trial.status}: {trial.reason}")
                phases = {k: v for k, v in trial.phases_s.items() if k not in ("starting", "ordered to first run")}
                own = sum(phases.get(phase, 0.0) for phase in OWN)
                rest = {k: v for k, v in phases.items() if k not in OWN}
                rest["starting, storing"] = wall - own - sum(rest.values())
                rows.append((wall, own, rest))
            wall, own = (statistics.median(row[i] for row in rows) for i in (0, 1))
            parts = {k: statistics.median(row[2][k] for row in rows) for k in rows[0][2]}
            detail = ", ".join(f"{k} {v:.2f}" for k, v in parts.items())
            print(f"{name:<12} {wall:8.2f} {own:8.2f} {wall - own:11.2f}   {detail}", flush=True)


if __name__ == "__main__":
    main()

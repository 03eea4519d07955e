"""From "trial ordered" to "first warm-up run": forked from a warm parent against plain spawn.

Run: python tests/benchmarks/warm_start.py [REPEATS]
Both ways alternate within one run; prints medians per engine in seconds, and the ratio of the medians.
The same median latency of both is printed beside it: a forked worker must not measure anything else.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.study.runner import Runner
from workbench.study.store import Store
from workbench.study.subject import find_subject
from workbench.worker.warm import WarmPool


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    subject = find_subject("sample:digits-cnn")
    print(f"{'engine':<12} {'spawn s':>8} {'warm s':>8} {'ratio':>6}   p50 ms spawn / warm")
    with tempfile.TemporaryDirectory() as folder, WarmPool() as pool:
        store = Store(str(Path(folder) / "study.sqlite"))
        runners = {"spawn": Runner(store), "warm": Runner(store, pool=pool)}
        for engine in ("torch", "ipex", "onnxruntime"):
            trials: dict[str, list[Trial]] = {"spawn": [], "warm": []}
            for number in range(repeats + 1):
                for way, runner in runners.items():
                    trial = runner.measure(subject, Config({"engine": engine}), runs=200, accuracy=False)
                    if trial.status != "ok":
                        sys.exit(f"{engine}: {trial.reason}")
                    if number:  # the first of each also starts the parent and fills the file cache
                        trials[way].append(trial)
            start = {k: statistics.median(t.phases_s["ordered to first run"] for t in v) for k, v in trials.items()}
            p50 = {k: statistics.median(t.latency.p50_ms for t in v if t.latency) for k, v in trials.items()}
            print(
                f"{engine:<12} {start['spawn']:8.2f} {start['warm']:8.2f} {start['warm'] / start['spawn']:6.2f}"
                f"   {p50['spawn']:.3f} / {p50['warm']:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()

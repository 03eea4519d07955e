"""How often does a comparison of a config with itself say "different"?

Run: python tests/benchmarks/aa_rate.py [COMPARISONS] [SAMPLE] [KEY=VALUE ...]
Runs that many `compare --quick` of the same config on both sides (100 by default, digits-mlp on ONNX Runtime,
the quickest) and prints the rate. At most one in twenty may be different.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from workbench.core.config import Config
from workbench.study import compare
from workbench.study.runner import Runner
from workbench.study.store import Store
from workbench.study.subject import find_subject
from workbench.worker.warm import WarmPool


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    subject = find_subject(sys.argv[2] if len(sys.argv) > 2 else "sample:digits-mlp")
    config = Config.load(None, sys.argv[3:] or ["engine=onnxruntime"])
    different, ratios = 0, []
    with tempfile.TemporaryDirectory() as folder, WarmPool() as pool:
        store = Store(str(Path(folder) / "study.sqlite"))
        runner = Runner(store, pool=pool)
        for number in range(1, count + 1):
            found = compare.compare(
                runner, store, subject, config, config, processes=compare.QUICK_PROCESSES, accuracy=False
            )
            if not isinstance(found, compare.Comparison):
                sys.exit(f"trial {found.id}: {found.status}: {found.reason}")
            different += found.verdict != "same"
            ratios.append(found.ratio)
            print(f"{number:4d} {found.ratio:.3f} {found.verdict:<4} different so far: {different}", flush=True)
    ratios.sort()
    print(f"{different} of {count} different; ratios from {ratios[0]:.3f} to {ratios[-1]:.3f}")


if __name__ == "__main__":
    main()

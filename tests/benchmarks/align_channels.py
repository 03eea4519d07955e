"""What does ``layout.align_channels`` buy on a net with 13, 30 and 50 channels?

Run: python tests/benchmarks/align_channels.py [BLOCK]
Prints one row per engine and precision: median without and with filling up to BLOCK (16), their ratio and its interval
over fresh processes side by side. The outputs are the same, which the trials check in float64.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from workbench.core.config import Config
from workbench.core.model import resolve_model
from workbench.study.compare import Comparison, compare
from workbench.study.runner import Runner, Subject
from workbench.study.store import Store
from workbench.worker.warm import WarmPool

NETS = Path(__file__).resolve().parents[1] / "fakes" / "tiny_nets.py"
CASES = (
    {"engine": "torch", "graph.mode": "frozen", "layout.channels_last": True},
    {"engine": "torch", "precision": "int8"},
    {"engine": "ipex"},
    {"engine": "ipex", "precision": "int8"},
    {"engine": "onnxruntime"},
    {"engine": "onnxruntime", "precision": "int8"},
)


def main() -> None:
    block = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    subject = Subject(resolve_model(f"{NETS}:OddChannelsOfPictures", inputs=["1x3x112x112"]))
    print(f"{'engine':<12} {'precision':<10} {'odd ms':>8} {'filled up':>9} {'ratio':>6}  interval      verdict")
    with tempfile.TemporaryDirectory() as folder, WarmPool() as pool:
        store = Store(str(Path(folder) / "study.sqlite"))
        runner = Runner(store, pool=pool)
        for knobs in CASES:
            odd = Config(knobs)
            found = compare(
                runner, store, subject, odd, odd.changed({"layout.align_channels": block}), processes=3, runs=100
            )
            if not isinstance(found, Comparison):
                print(f"{knobs}: {found.status}: {found.reason}")
                continue
            low, high = found.ci95
            verdict = {"a": "slower", "b": "faster"}.get(found.verdict, "same")
            print(
                f"{odd.engine:<12} {odd.precision:<10} {found.p50_a_ms:8.3f} {found.p50_b_ms:9.3f} {found.ratio:6.3f}  "
                f"{low:.3f}–{high:.3f}   {verdict}",
                flush=True,
            )


if __name__ == "__main__":
    main()

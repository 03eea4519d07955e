"""Does looking at a measurement change it? The window against the command line, alternating in one run.

Run: python tests/benchmarks/observer_effect.py [--within] [PROCESSES] [RUNS] [SAMPLE [KEY=VALUE ...]]
Measures each case in so many fresh workers per side (five by default, of 1,000 runs each), once as the command line
does and once under the real window (offscreen, or on DISPLAY where there is one), in the order A B, B A, …. Prints
the medians of p50 and of p99, the ratio of p50 with a bootstrap interval over processes and bursts, and the ratio of
p99 with one over processes. The aim: 1.02 and 1.05 at most.

Two processes of one config differ by more than that, so ``--within`` looks closer: in each worker every other burst is
answered at once, as the command line does, and the rest after the frame that shows them, in the order A B, B A, ….
It prints the same ratios with an interval over pairs of neighbouring bursts. What the window costs beside painting
(its process is there in both halves) is not in these.

Without a case it takes ResNet-18 on IPEX INT8 with two
threads, and EfficientNet-Lite0.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

if "DISPLAY" not in os.environ:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication

from workbench.core import significance
from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.gui import tasks, theme
from workbench.gui.job import Measuring
from workbench.gui.main_window import MainWindow
from workbench.gui.session import Session
from workbench.study.runner import Runner
from workbench.study.store import Store, bursts_of
from workbench.study.subject import find_subject

CASES: dict[str, dict[str, object]] = {
    "sample:resnet18": {"engine": "ipex", "precision": "int8", "runtime.threads": 2},
    "sample:efficientnet-lite0": {"engine": "ipex", "precision": "int8", "graph.fold_padding": True},
}
RESAMPLES = 2000


def wait_for(signal) -> None:  # type: ignore[no-untyped-def]
    loop = QEventLoop()
    signal.connect(loop.quit)
    loop.exec()


def rest(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class Alternating(Measuring):
    """Shows every other burst in the window; the rest it answers at once and nobody sees.

    Attributes:
        shown: for each burst that was kept, whether it came after a frame.
    """

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.shown: list[bool] = []
        self._framed = False

    def _hand_over(self, samples: np.ndarray) -> bool:
        before, self._framed = self._framed, len(self.shown) % 4 in (0, 3)
        # What comes next decides: a frame after this burst is the gap before the next one.
        counts = super()._hand_over(samples) if self._framed else True
        if counts:
            self.shown.append(before)
        return counts


class Both:
    """Measures the same config on either side; both without accuracy, which comes after the samples anyway."""

    def __init__(self, sample: str, config: Config, runs: int, folder: Path) -> None:
        self.config, self.runs = config, runs
        self.subject = find_subject(sample)
        self.store = Store(str(folder / "study.sqlite"))
        self.runner = Runner(self.store)
        self.settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)

    def line(self) -> Trial:
        return self.runner.measure(self.subject, self.config, runs=self.runs, accuracy=False)

    def window(self) -> Trial:
        """Open the window, measure in it, close it: nothing of it may be there while the other side measures."""
        return self._windowed(Measuring)[0]

    def halves(self) -> dict[str, list[np.ndarray]]:
        """Measure in the window once, and return the bursts without and with a frame before them."""
        trial, job = self._windowed(Alternating)
        kept = bursts_of(self.store.samples(trial.id or 0))
        assert isinstance(job, Alternating) and len(kept) == len(job.shown), (len(kept), len(job.shown))
        return {
            side: [burst for burst, shown in zip(kept, job.shown, strict=True) if shown is (side == "window")]
            for side in ("line", "window")
        }

    def _windowed(self, kind: type[Measuring]) -> tuple[Trial, Measuring]:
        session = Session()
        window = MainWindow(session, self.settings)
        window.resize(1280, 720)
        window.show()
        assert window.panels  # all are made
        session.open_study(self.store.place)
        session.subject = self.subject
        session.apply_config(self.config)
        session.subject_changed.emit()
        rest(500)
        job = kind(Runner(self.store), self.subject, self.config, runs=self.runs, accuracy=False, parent=session)
        found: list[Trial] = []
        job.measured.connect(found.append)
        session.job = job
        session.job_started.emit(job)
        job.start()
        wait_for(job.finished)
        session.job = None
        session.job_ended.emit(found[0])
        window.close()
        window.deleteLater()
        rest(50)
        return found[0], job

    def processes(self, trials: list[Trial]) -> list[list[np.ndarray]]:
        return [bursts_of(self.store.samples(trial.id)) for trial in trials if trial.id is not None]


def ratio_of_p99(window: list[float], line: list[float]) -> tuple[float, float, float]:
    """Ratio of the medians over processes, with a 95 % bootstrap interval over processes."""
    rng = np.random.default_rng(1)
    draws = [
        np.median(rng.choice(window, len(window))) / np.median(rng.choice(line, len(line))) for _ in range(RESAMPLES)
    ]
    low, high = np.percentile(draws, (2.5, 97.5))
    return float(np.median(window) / np.median(line)), float(low), float(high)


def ratio_within(processes: list[dict[str, list[np.ndarray]]], percent: float) -> tuple[float, float, float]:
    """Ratio of a percentile with and without frames, the geometric mean over processes.

    The 95 % bootstrap interval is over pairs of neighbouring bursts, so that drift is in both sides of a pair.
    """
    rng = np.random.default_rng(1)
    logs = np.zeros(RESAMPLES + 1)
    for halves in processes:
        n = min(len(bursts) for bursts in halves.values())
        for draw in range(logs.size):
            pairs = np.arange(n) if draw == 0 else rng.integers(n, size=n)
            line, window = (
                np.percentile(np.concatenate([halves[side][pair] for pair in pairs]), percent)
                for side in ("line", "window")
            )
            logs[draw] += np.log(window / line) / len(processes)
    low, high = np.exp(np.percentile(logs[1:], (2.5, 97.5)))
    return float(np.exp(logs[0])), float(low), float(high)


def run_within(sample: str, knobs: dict[str, object], processes: int, runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        both = Both(sample, Config(knobs), runs, Path(folder))
        halves = [both.halves() for _ in range(processes)]
        row = f"{sample.removeprefix('sample:'):<18}"
        for percent in (50, 99):
            line, window = (
                np.median([np.percentile(np.concatenate(one[side]), percent) for one in halves]) * 1e-6
                for side in ("line", "window")
            )
            middle, low, high = ratio_within(halves, percent)
            row += f" {line:7.2f} {window:7.2f} {middle:6.3f} [{low:.3f}, {high:.3f}]"
        print(row, flush=True)


def run(sample: str, knobs: dict[str, object], processes: int, runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        both = Both(sample, Config(knobs), runs, Path(folder))
        trials: dict[str, list[Trial]] = {"line": [], "window": []}
        for number in range(processes):
            for side in ("line", "window") if number % 2 == 0 else ("window", "line"):
                trial = both.line() if side == "line" else both.window()
                if trial.status != "ok" or trial.latency is None:
                    sys.exit(f"{sample}: {trial.status}: {trial.reason}")
                trials[side].append(trial)
        p50, p99 = (
            {side: [getattr(t.latency, key) for t in found] for side, found in trials.items()}
            for key in ("p50_ms", "p99_ms")
        )
        middle = significance.ratio(both.processes(trials["window"]), both.processes(trials["line"]))
        tail, low, high = ratio_of_p99(p99["window"], p99["line"])
        line50, window50, line99, window99 = (np.median(one[side]) for one in (p50, p99) for side in ("line", "window"))
        print(
            f"{sample.removeprefix('sample:'):<18} {line50:7.2f} {window50:7.2f} {middle.ratio:6.3f} "
            f"[{middle.lo:.3f}, {middle.hi:.3f}] {line99:8.2f} {window99:7.2f} {tail:6.3f} [{low:.3f}, {high:.3f}]",
            flush=True,
        )


def main() -> None:
    within = "--within" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--within"]
    processes = int(words[0]) if words else 5
    runs = int(words[1]) if len(words) > 1 else 1000
    cases = CASES
    if len(words) > 2:
        cases = {words[2]: dict(Config.load(None, words[3:]).given)}
    app = QApplication(sys.argv[:1])
    theme.apply("light")
    how = "every other burst shown" if within else "per side"
    print(f"{app.platformName()}, {processes} processes of {runs:,} runs, {how}; ms, ratios window / command line")
    print(f"{'':<18} {'p50':>7} {'window':>7} {'ratio':>6} {'95 %':>14} {'p99':>8} {'window':>7} {'ratio':>6}")
    for sample, knobs in cases.items():
        (run_within if within else run)(sample, knobs, processes, runs)
    tasks.wait()


if __name__ == "__main__":
    main()

"""From the release of a range handle to a latency measured anew: where does the time go?

Run: python tests/benchmarks/apply_fix.py [REPEATS] [SAMPLE] [KEY=VALUE ...]
Per engine: calibrates once, then changes the range of one tensor so many times (5 by default, resnet18) and measures
100 runs, as the window does in Live: in processes forked from a warm parent. Prints medians in seconds: from the
order to the first burst, to 100 runs and to the stored trial, and the phases in between. "window" is the same in a
real session without widgets, from the call that a released handle makes to the first burst shown, while Live runs.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer

from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.gui.job import Job
from workbench.gui.session import Session
from workbench.study.runner import Listener, Runner, Subject
from workbench.study.store import Store
from workbench.study.subject import find_subject
from workbench.worker.warm import WarmPool

ENGINES = ("torch", "ipex", "onnxruntime")
RUNS = 100
PATIENCE_S = 60


@dataclass
class Measured:
    """Times since the order, in seconds."""

    trial: Trial
    burst_s: float
    runs_s: float
    stored_s: float


@dataclass
class Marks:
    """Notes when bursts come."""

    start: float = field(default_factory=time.perf_counter)
    bursts: list[tuple[float, int]] = field(default_factory=list)

    def burst(self, samples: np.ndarray) -> None:
        taken = self.bursts[-1][1] if self.bursts else 0
        self.bursts.append((time.perf_counter() - self.start, taken + len(samples)))


def measured(runner: Runner, subject: Subject, config: Config) -> Measured:
    """Measure once."""
    marks = Marks()
    trial = runner.measure(subject, config, runs=RUNS, listener=Listener(burst=marks.burst))
    stored = time.perf_counter() - marks.start
    if trial.status != "ok":
        sys.exit(f"{config.engine}: {trial.status}: {trial.reason}")
    return Measured(trial, marks.bursts[0][0], marks.bursts[-1][0], stored)


def fixed(config: Config, trial: Trial, number: int) -> Config:
    """Fix the tensor in the middle of the network, a little tighter each time."""
    middle = trial.tensors[len(trial.tensors) // 2]
    return config.with_fix(middle.tensor, (middle.min, middle.max * (0.9 - 0.01 * number)))


class Window:
    """A session in Live, as the window has it."""

    def __init__(self, subject: str, config: Config) -> None:
        self.session = Session()
        self.session.refused.connect(lambda error: sys.exit(str(error)))
        self.session.broke.connect(sys.exit)
        self.session.job_started.connect(self._follow)
        self._asked: float | None = None
        self._seen = 0.0
        self.session.open_model(subject)
        self.session.apply_config(config)

    def _follow(self, job: Job) -> None:
        job.burst.connect(lambda _: self._burst(job))

    def _burst(self, job: Job) -> None:
        job.painted()
        if job is self.session.job and self._asked is not None and job.config == self.session.config:
            self._seen, self._asked = time.perf_counter() - self._asked, None

    def first_burst(self, act: Callable[[], object]) -> float:
        """Return the seconds from *act* to the first burst that shows its effect."""
        self._asked = time.perf_counter()
        act()
        while self._asked is not None:
            if time.perf_counter() - self._asked > PATIENCE_S:
                sys.exit("no burst came")
            self.rest(0.002)
        return self._seen

    def rest(self, seconds: float) -> None:
        loop = QEventLoop()
        QTimer.singleShot(round(seconds * 1000), loop.quit)
        loop.exec()


def in_the_window(subject: str, config: Config, fixes: list[Config]) -> float:
    """Return the median seconds from a released handle to the first burst."""
    window = Window(subject, config)
    window.first_burst(window.session.run_live)
    taken = []
    for fix in fixes:
        window.rest(0.5)
        (tensor, (low, high)), *_ = fix.fixes.items()
        taken.append(window.first_burst(lambda t=tensor, a=low, b=high: window.session.quantizer.fix(t, a, b)))
    window.session.shutdown()
    return statistics.median(taken)


def main() -> None:
    """Print one block per engine."""
    arguments = sys.argv[1:]
    repeats = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else 5
    sample = arguments.pop(0) if arguments and "=" not in arguments[0] else "resnet18"
    settings = [text for text in arguments if not text.startswith("engine=")]
    engines = [text.removeprefix("engine=") for text in arguments if text.startswith("engine=")] or ENGINES
    app = QCoreApplication([])
    subject = find_subject(f"sample:{sample}")
    with tempfile.TemporaryDirectory() as folder, WarmPool(subjects=True) as pool:
        runner = Runner(Store(str(Path(folder) / "study.sqlite")), pool=pool)
        for engine in engines:
            config = Config.load(None, [f"engine={engine}", "precision=int8", *settings])
            first = measured(runner, subject, config)  # starts the parent, calibrates, fills the file cache
            fixes = [fixed(config, first.trial, number) for number in range(repeats + 1)]
            found = [measured(runner, subject, fix) for fix in fixes][1:]
            window = in_the_window(f"sample:{sample}", config, fixes[1:])
            _show(engine, found, window)
    del app


def _show(engine: str, found: list[Measured], window: float) -> None:
    def median(of: Callable[[Measured], float]) -> float:
        return statistics.median(map(of, found))

    print(
        f"{engine}: first burst {median(lambda m: m.burst_s):.2f} s, {RUNS} runs {median(lambda m: m.runs_s):.2f}, "
        f"stored {median(lambda m: m.stored_s):.2f}, window {window:.2f}; "
        f"p50 {median(lambda m: m.trial.latency.p50_ms if m.trial.latency else 0.0):.2f} ms; "
        f"others kept {median(lambda m: m.trial.noise.get('others_cores') or 0.0):.1f} cores busy"
    )
    names = list(dict.fromkeys(name for one in found for name in one.trial.phases_s))
    parts = {name: median(lambda m, n=name: m.trial.phases_s.get(n, 0.0)) for name in names}
    print("   " + ", ".join(f"{name} {seconds:.3f}" for name, seconds in parts.items()), flush=True)


if __name__ == "__main__":
    main()

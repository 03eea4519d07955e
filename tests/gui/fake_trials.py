"""A runner without processes and records of every kind, for tests of the panels that show trials."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from workbench.core.accuracy import Accuracy, AccuracyMeter
from workbench.core.config import Config
from workbench.core.latency import summarize
from workbench.core.model import ModelReference
from workbench.core.trial import DataFacts, Effective, Kernel, ModelFacts, Proof, Samples, Trial
from workbench.errors import UserError
from workbench.gui.session import Session
from workbench.gui.turns import Turns
from workbench.study.runner import Listener, Subject
from workbench.study.store import Store

MS = 1_000_000


def bursts_of(count: int, each: int = 20, median_ms: float = 4.0, seed: int = 0) -> list[np.ndarray]:
    """Bursts of plausible latencies, ns."""
    rng = np.random.default_rng(seed)
    return [(rng.lognormal(np.log(median_ms), 0.05, each) * MS).astype(np.int64) for _ in range(count)]


def samples_of(bursts: list[np.ndarray], warmup: int = 6) -> Samples:
    return Samples(
        warmup=(np.linspace(90, 4, warmup) * MS).astype(np.int64).tobytes(),
        bursts=[burst.tobytes() for burst in bursts],
        after_gap=np.full(len(bursts), 4_200_000, np.int64).tobytes(),
    )


def accuracy_of(names: list[str], *, good: int = 1) -> Accuracy:
    """Class scores of three classes; the candidate errs on all but the first *good* items."""
    meter = AccuracyMeter()
    for index, name in enumerate(names):
        scores = np.array([[1.0, 3.0, 0.5]])
        moved = scores if index < good else np.array([[3.5, 1.0, 0.5 + index]])
        boxes = np.arange(4.0)
        meter.add(name, [("scores", scores), ("boxes", boxes)], [("scores", moved), ("boxes", boxes + 0.01)], label=1)
    return meter.result()


def proof(int8: int = 0, expected: int = 0, **changes: Any) -> Proof:
    kernel = Kernel(layer="conv", op="conv", kernel="brg:avx2", dtype="int8" if int8 else "fp32", ms=0.1)
    fields = {"int8_kernels": int8, "bf16_kernels": 0, "fp32_kernels": 3, "reference_kernels": 0,
              "expected_int8": expected, "kernels": [kernel]}  # fmt: skip
    return Proof(**{**fields, **changes})


def effective(threads: int = 2) -> Effective:
    return Effective(
        threads=threads, interop_threads=1, affinity=[0, 1], openmp=["gomp"], allocator=["system"],
        engine_version="2.8", torch_version="2.8", python="3.11", isa="AVX2",
    )  # fmt: skip


def trial(config: Config | None = None, bursts: list[np.ndarray] | None = None, **changes: Any) -> Trial:
    """A good trial; *changes* make it a bad one."""
    bursts = bursts_of(6) if bursts is None else bursts
    latency = summarize(bursts, np.arange(6), [6 * MS])
    fields: dict[str, Any] = {
        "status": "ok", "created": "2026-03-04T05:06:07+00:00",
        "model": ModelFacts(path="/m.pt", format="torchscript", sha256="ab" * 32, name="m"),
        "config": (config or Config()).to_dict(), "latency": latency,
        "throughput_per_s": 1000 / latency.mean_ms if latency.mean_ms else None,
        "effective": effective(), "proof": proof(), "accuracy": None,
    }  # fmt: skip
    return Trial(**{**fields, **changes})


def failed(**changes: Any) -> Trial:
    """A trial that ended before anything was timed."""
    return trial(**{
        "status": "failed", "reason": "the worker crashed (signal 11)", "latency": None, "throughput_per_s": None,
        "effective": None, "proof": None, **changes,
    })  # fmt: skip


def weird() -> list[Trial]:
    """Records from other days: empty configs, numbers that are none, broken dates."""
    nan = float("nan")
    odd = msgspec.structs.replace(trial().latency, p50_ms=nan, p99_ms=float("inf"), max_ms=nan, mean_ms=nan)
    return [
        trial(config=None, latency=odd, throughput_per_s=nan, created="yesterday"),
        msgspec.structs.replace(failed(), config={}, created=""),
        trial(bursts=[], status="invalid", reason="no samples at all"),
        msgspec.structs.replace(
            trial(),
            config={"engine": "torch", "precision": "int8", "runtime": 3},
            proof=proof(0, 5, missing=list("abcde")),
        ),
        trial(accuracy=AccuracyMeter().result()),
        trial(data=DataFacts(path="/nowhere", calibration=[], evaluation=["x.png"]), accuracy=accuracy_of(["x.png"])),
    ]


class FakeWorker:
    def __init__(self) -> None:
        self.cancelled = threading.Event()

    def cancel(self, *, at_once: bool = False) -> None:
        self.cancelled.set()


class FakeRunner:
    """Says what a runner says, from a script."""

    def __init__(self, store: Store, script: FakeRunnerScript) -> None:
        self.store = store
        self.pool = None
        self.script = script

    def measure(
        self,
        subject: Subject,
        config: Config,
        *,
        runs: int = 100,
        seconds: float = 60.0,
        deadline_ms: float | None = None,
        accuracy: bool = True,
        layer_errors: bool = False,
        sensitivity_s: float | None = None,
        listener: Listener | None = None,
    ) -> Trial:
        listener = listener or Listener()
        script, worker = self.script, FakeWorker()
        listener.begin(config)
        listener.started(worker)  # type: ignore[arg-type]
        listener.progress("loading", 0, 0)
        if script.error is not None:
            raise script.error
        bursts = script.prepare(config) or script.bursts
        listener.notice("only a fake")
        listener.progress("warming up", 0, 0)
        listener.warm_up((np.linspace(90, 4, 6) * MS).astype(np.int64))
        listener.progress("timing", 0, runs)
        taken: list[np.ndarray] = []
        while not worker.cancelled.is_set() and (len(taken) < len(bursts) or script.endless):
            burst = bursts[len(taken) % len(bursts)]
            listener.gap(4_200_000)
            script.before_burst(len(taken) + 1)
            if listener.burst(burst) is not False:
                taken.append(burst)
            script.after_burst(len(taken))
            if script.endless:
                time.sleep(0.002)
        record = script.result(config, taken, deadline_ms)
        if worker.cancelled.is_set():
            record = msgspec.structs.replace(record, status="failed", reason="cancelled")
        if listener.wanted():
            record = self.store.add(record, samples_of(taken))
        listener.measured(record)
        return record


class FakeRunnerScript:
    """What the next runs do."""

    def __init__(self) -> None:
        self.bursts = bursts_of(6)
        self.endless = False
        self.error: UserError | Exception | None = None
        self.prepare: Callable[[Config], list[np.ndarray] | None] = lambda _: None
        self.before_burst: Callable[[int], None] = lambda _: None
        self.after_burst: Callable[[int], None] = lambda _: None
        self.changes: dict[str, Any] = {}

    def result(self, config: Config, taken: list[np.ndarray], deadline_ms: float | None) -> Trial:
        latency = summarize(taken, np.arange(6), [6 * MS], deadline_ms)
        return trial(config, taken, **{"latency": latency, **self.changes})


def turn() -> None:
    """Let panels follow what the session has told: they do so in turns of the event loop to come."""
    QCoreApplication.processEvents()
    owners = [QApplication.instance(), *QApplication.topLevelWidgets()]
    while any(turns.busy() for owner in owners for turns in owner.findChildren(Turns)):
        QCoreApplication.processEvents()


def session_with(folder: Any, script: FakeRunnerScript | None = None, trials: list[Trial] = ()) -> Session:  # type: ignore[assignment]
    """A session with an open study of *trials* and a subject that the fake runner can "measure"."""
    script = script or FakeRunnerScript()
    session = Session(runner_factory=lambda store: FakeRunner(store, script))  # type: ignore[arg-type,return-value]
    place = str(folder / "m.sqlite")
    store = Store(place)
    for record in trials:
        store.add(record, None if record.latency is None else samples_of(bursts_of(6)))
    store.close()
    session.open_study(place)
    session.subject = Subject(ModelReference(path="/m.pt", format="torchscript", sha256="ab" * 32, name="m"))
    session.subject_changed.emit()
    return session

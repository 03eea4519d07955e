"""Config in, stored trial out: the way from a wish to a record that every caller takes.

Used by the command line and the window; both get the same records and the same errors.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.core.latency import summarize
from workbench.core.model import ModelReference
from workbench.core.preprocess import Preprocess
from workbench.core.trial import Exported, ModelFacts, Samples, Trial
from workbench.engines import MODULES
from workbench.errors import UserError
from workbench.host import advice
from workbench.host.engines import list_engines
from workbench.host.environments import DEFAULT, Environment
from workbench.host.isa import has_vnni, read_isa, resolve_target, within
from workbench.host.machine import HostInfo, describe_host
from workbench.study.disturbance import Disturbance
from workbench.study.effects import without_effect
from workbench.study.judge import judge
from workbench.worker.environment import Surroundings, surroundings
from workbench.worker.launcher import Outcome, Worker, log_tail
from workbench.worker.protocol import (
    Burst,
    Inspected,
    Job,
    Measured,
    Notice,
    Progress,
    Refused,
    Report,
    WarmedUp,
)
from workbench.worker.warm import WarmPool

if TYPE_CHECKING:  # SQLAlchemy takes half a second to import, which the window cannot spare at its start
    from workbench.study.store import Store


@dataclass(frozen=True)
class Subject:
    """What is measured: a model, its data and how pictures become tensors."""

    model: ModelReference
    data: DataSource | None = None
    preprocess: Preprocess | None = None


@dataclass
class Listener:
    """What a caller wants to hear while a job runs; every function may be left out.

    Attributes:
        begin: gets the config of a trial before anything is done for it; what it raises ends a series of trials.
        progress: gets phase, done, total.
        notice: gets warnings.
        gap: gets the first run (ns) after a gap, right before the burst that it belongs to.
        burst: gets the kept samples (ns) of a burst; the next burst starts when it returns. False throws it away:
            it was disturbed, and the worker takes as many runs anew.
        warm_up: gets the warm-up samples (ns).
        started: gets the worker, to cancel it from another thread.
        wanted: asked when the job has ended; False leaves the trial out of the study.
        measured: gets the trial once it is stored; what it raises ends a series, too.
    """

    begin: Callable[[Config], None] = lambda _: None
    progress: Callable[[str, int, int], None] = lambda *_: None
    notice: Callable[[str], None] = lambda _: None
    gap: Callable[[int], None] = lambda _: None
    burst: Callable[[np.ndarray], bool | None] = lambda _: None
    warm_up: Callable[[np.ndarray], None] = lambda _: None
    started: Callable[[Worker], None] = lambda _: None
    wanted: Callable[[], bool] = lambda: True
    measured: Callable[[Trial], None] = lambda _: None


def resolve(config: Config) -> Config:
    """Settle what depends on the machine, as ``runtime.isa_limit`` leaves it: ``target_isa=host`` and
    ``quantization.range=auto``.

    The range follows from the target, never from an engine's default (B10): without VNNI two products
    of full 8-bit values overflow the int16 sum.
    """
    if "int8" not in config.precision:
        return config
    target = resolve_target(config.text("target_isa"), within(config.isa_limit, read_isa().names))
    changes: dict[str, Any] = {"target_isa": target}
    if config["quantization.range"] == "auto":
        # PyTorch's dynamic kernels reduce always, whatever they run on.
        fixed = config.engine == "torch" and config.precision == "int8-dynamic"
        changes["quantization.range"] = "full" if has_vnni(target) and not fixed else "reduced"
    return config.changed(changes)


class Runner:
    """Runs jobs in fresh workers.

    Args:
        store: where trials go; None keeps none.
        modules: engine name → module with the class ``Engine`` (tests put a fake here).
        host: the machine's description, if it was read already.
        silence_s: how long a worker may say nothing.
        pool: warm parents to fork workers from, for callers that run many trials; may be exchanged between two.
        environment: the engine environment that workers run in; this interpreter by default.
    """

    def __init__(
        self,
        store: Store | None = None,
        modules: dict[str, str] | None = None,
        host: HostInfo | None = None,
        silence_s: float = 300.0,
        pool: WarmPool | None = None,
        environment: Environment | None = None,
    ) -> None:
        self.store = store
        self.pool = pool
        self._modules = modules
        self._host = host
        self._silence_s = silence_s
        self._environment = environment or Environment(DEFAULT, sys.executable)
        self._exports: dict[Any, Exported] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def python(self) -> str:
        """The interpreter that workers run in."""
        return self._environment.python

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
        save_to: Path | None = None,
        listener: Listener | None = None,
    ) -> Trial:
        """Measure one config and store the trial, whatever came of it, unless the listener does not want it.

        Args:
            layer_errors: also find what INT8 costs each layer in accuracy.
            sensitivity_s: scan with all layers but one in INT8, too, for at most so many seconds.
            save_to: an existing folder, into which the worker saves what a bundle needs
                (:mod:`workbench.worker.saving`).

        Raises:
            UserError: the user must change something; nothing is stored then.
        """
        if self.store:
            self.store.check_writable()
        listener = listener or Listener()
        listener.begin(config)
        config = resolve(config)
        exported = self._exported(subject, config, listener)
        job, around = self._job("measure", subject, config, exported)
        job = msgspec.structs.replace(
            job, runs=runs, seconds=seconds, accuracy=accuracy, layer_errors=layer_errors, sensitivity_s=sensitivity_s,
            folder=str(save_to.absolute()) if save_to else "",
        )  # fmt: skip
        worker = Worker(around, self._environment.python, self._silence_s, self.pool)
        collected = _Collected(listener, worker, around)
        collected.notices += exported.notes if exported else []
        listener.started(worker)
        try:
            outcome = worker.run(job, collected)
        except KeyboardInterrupt:
            # What was measured is kept; the caller decides what an interrupt means.
            outcome = Outcome("cancelled", "cancelled")
            self._keep(subject, config, around, outcome, collected, deadline_ms)
            raise
        _raise_refusal(outcome)
        trial = self._keep(subject, config, around, outcome, collected, deadline_ms)
        listener.measured(trial)
        return trial

    def inspect(self, subject: Subject, config: Config, listener: Listener | None = None) -> Inspected:
        """Describe the model without timing it.

        Raises:
            UserError: the model cannot be described, with what to change.
        """
        job, around = self._job("inspect", subject, config)
        listener = listener or Listener()
        worker = Worker(around, self._environment.python, self._silence_s)
        listener.started(worker)
        outcome = worker.run(job, _Collected(listener, worker, around))
        _raise_refusal(outcome)
        if not isinstance(outcome.result, Inspected):
            raise UserError("The model could not be inspected.", f"{outcome.reason}.", log_tail(outcome.log))
        return outcome.result

    def _exported(self, subject: Subject, config: Config, listener: Listener) -> Exported | None:
        """Return the ONNX form of a PyTorch model where the engine wants one, made once per runner.

        It is made in a worker of its own: no torch may live in the process that is measured.
        """
        if config.engine != "onnxruntime" or subject.model.format == "onnx" or self._modules is not None:
            return None
        rewriting = {key: config[key] for key in ("graph.fold_padding", "layout.align_channels")}
        key = (subject.model.sha256, subject.model.attribute, subject.model.inputs, *rewriting.values())
        if key not in self._exports:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="workbench-export-")
            place = Path(self._folder.name) / str(len(self._exports))
            place.mkdir(exist_ok=True)  # a cancelled export has left it
            source = Config({"engine": "torch", **rewriting})
            job, around = self._job("export", subject, source)
            worker = Worker(around, self._environment.python, self._silence_s, self.pool)
            listener.started(worker)
            outcome = worker.run(msgspec.structs.replace(job, folder=str(place)), _Collected(listener, worker, around))
            _raise_refusal(outcome)
            if not isinstance(outcome.result, Exported):
                raise UserError("The model could not be exported to ONNX.", f"{outcome.reason}.", log_tail(outcome.log))
            self._exports[key] = outcome.result
        return self._exports[key]

    def _job(
        self, kind: str, subject: Subject, config: Config, exported: Exported | None = None
    ) -> tuple[Job, Surroundings]:
        module = (self._modules or MODULES)[config.engine]
        if self._modules is None:
            _check_available(config.engine, self._environment)
        around = surroundings(config)
        tables = config.to_dict()
        tables.setdefault("runtime", {})["threads"] = around.threads
        model = subject.model
        if exported is not None:
            model = msgspec.structs.replace(model, path=exported.path, format="onnx", weights=None, attribute=None)
        return (
            Job(
                kind=kind, engine_module=module, model=model, config=tables, data=subject.data,
                preprocess=config.preprocessing(subject.preprocess), exported=exported,
            ),
            around,
        )  # fmt: skip

    def _keep(
        self,
        subject: Subject,
        config: Config,
        around: Surroundings,
        outcome: Outcome,
        collected: _Collected,
        deadline_ms: float | None,
    ) -> Trial:
        result = outcome.result if isinstance(outcome.result, Measured) else None
        latency = summarize(collected.bursts, collected.warmup, collected.gaps, deadline_ms, settled=collected.settled)
        status, reason = judge(outcome, result, config, around)
        warnings = [*around.notes, *collected.notices, *collected.noise_warnings()]
        target = config.text("target_isa") if "int8" in config.precision else ""
        warnings += advice.preview_notes(read_isa().names, target=target, limit=config.isa_limit)
        if result:
            warnings += without_effect(config, result.effective, result.layers, read_isa().names)
        if result and result.accuracy:
            warnings += [*result.accuracy.failures, *result.accuracy.notes]
        if result and result.proof.kept and "int8" in config.precision:
            warnings.append(_kept_in_words(result.proof.kept))
        for fix in result.fixes if result else ():
            if fix.state == "not quantized by this engine":
                warnings.append(f"The range fixed on {fix.tensor} changes nothing: {config.engine} has no scale there.")
        if outcome.end == "crashed" and outcome.log:
            warnings.append("Last words of the worker: " + log_tail(outcome.log))
        measured = bool(collected.bursts)
        trial = Trial(
            status=status,
            reason=reason,
            warnings=list(dict.fromkeys(warnings)),
            library_warnings=collected.library,
            created=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            model=ModelFacts(
                path=subject.model.path,
                format=subject.model.format,
                sha256=subject.model.sha256,
                name=subject.model.name,
                companions=list(subject.model.companions),
            ),
            config=config.to_dict(),
            latency=latency if measured else None,
            throughput_per_s=1000.0 * config.number("run.batch") / latency.mean_ms
            if measured and latency.mean_ms
            else None,
            memory=result.memory if result else None,
            accuracy=result.accuracy if result else None,
            effective=result.effective if result else None,
            proof=result.proof if result else None,
            fixes=result.fixes if result else [],
            tensors=result.tensors if result else [],
            calibration=result.calibration if result else None,
            errors=result.errors if result else None,
            weights=result.weights if result else [],
            layers=result.layers if result else [],
            rewritten=result.rewritten if result else {},
            data=result.data if result else None,
            phases_s={
                "starting": collected.started_s,
                **(result.phases_s if result else {}),
                "ordered to first run": collected.first_run_s,
            },
            environment=self._environment.name,
            host=msgspec.to_builtins(self._describe()),
            noise=collected.noise_difference(),
            reference=subject.model,
            source=subject.data,
        )
        return self.store.add(trial, collected.samples()) if self.store and collected.wanted() else trial

    def _describe(self) -> HostInfo:
        if self._host is None:
            self._host = describe_host(timeout_s=0)  # to try engines would hold a trial up
        return self._host


class _Collected:
    """Takes a worker's reports in and passes them on."""

    def __init__(self, listener: Listener, worker: Worker, around: Surroundings) -> None:
        self._listener = listener
        self._disturbance = Disturbance(around.cpus or None, lambda: [pid for pid in (os.getpid(), worker.pid) if pid])
        self._start = time.perf_counter()
        self.started_s = 0.0
        self.first_run_s = 0.0
        self.wanted = listener.wanted
        self.bursts: list[np.ndarray] = []
        self._thrown_away = 0
        self.gaps: list[int] = []
        self.warmup = np.empty(0, np.int64)
        self.settled = True
        self.notices: list[str] = []
        self.library: list[str] = []

    def __call__(self, report: Report) -> bool:
        """Take a report in; False for a burst that does not count."""
        passed = round(time.perf_counter() - self._start, 3)
        self.started_s = self.started_s or passed
        if isinstance(report, Progress):
            if report.phase == "warming up":
                self.first_run_s = passed
            self._disturbance.phase(report.phase)
            self._listener.progress(report.phase, report.done, report.total)
        elif isinstance(report, Notice):
            (self.library if report.library else self.notices).append(report.text)
            if not report.library:
                self._listener.notice(report.text)
        elif isinstance(report, WarmedUp):
            self.warmup = np.frombuffer(report.samples, np.int64)
            self.settled = report.settled
            self._listener.warm_up(self.warmup)
        elif isinstance(report, Burst):
            self.bursts.append(np.frombuffer(report.samples, np.int64))
            self.gaps.append(report.after_gap_ns)
            self._listener.gap(report.after_gap_ns)
            if self._listener.burst(self.bursts[-1]) is False:
                del self.bursts[-1], self.gaps[-1]
                self._thrown_away += 1
                return False
        return True

    def noise_warnings(self) -> list[str]:
        """Return what disturbed the samples, in words."""
        found = self._disturbance.warnings()
        if self._thrown_away:
            found.append(f"{self._thrown_away} bursts were thrown away and taken anew: the window was used meanwhile.")
        return found

    def noise_difference(self) -> dict[str, Any]:
        """Return how the machine's counters moved while samples were taken."""
        return self._disturbance.difference()

    def samples(self) -> Samples | None:
        """Return everything that was timed, None where nothing was."""
        if not self.bursts and not self.warmup.size:
            return None
        return Samples(
            warmup=self.warmup.tobytes(),
            bursts=[burst.tobytes() for burst in self.bursts],
            after_gap=np.array(self.gaps, np.int64).tobytes(),
        )


def _raise_refusal(outcome: Outcome) -> None:
    """Turn a worker's refusal into the error that the user is shown."""
    if isinstance(outcome.result, Refused):
        raise UserError(outcome.result.what, outcome.result.why, outcome.result.next_step)


def _kept_in_words(kept: dict[str, str]) -> str:
    by_reason: dict[str, list[str]] = {}
    for name, reason in kept.items():
        by_reason.setdefault(reason, []).append(name)
    parts = [
        f"{', '.join(names[:3])}{f' and {len(names) - 3} more' if len(names) > 3 else ''} ({reason})"
        for reason, names in by_reason.items()
    ]
    return "Not in INT8: " + "; ".join(parts) + "."


def _check_available(engine: str, environment: Environment) -> None:
    """Refuse an engine that cannot be used there, with the reason that its probe found."""
    for status in list_engines(environment.python):
        if status.name == engine and not status.available:
            where = "here" if environment.name == DEFAULT else f"in environment '{environment.name}'"
            raise UserError(
                f"Engine '{engine}' is not available {where}.",
                f"{status.reason}",
                f"`workbench envs check {environment.name}` lists what is.",
            )

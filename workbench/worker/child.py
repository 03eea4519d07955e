"""The child's life: one job in, reports out, then the end.

Order matters for truth: load, calibrate, build, warm up, time; only then accuracy (which runs the FP32
model), proof (which logs) and memory, so that none of them disturbs the samples. The proof runs on the
very object that was timed: oneDNN's verbose mode can be switched on in a running process, which spares a
second process and cannot prove a different build than the one that was measured.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import logging
import os
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np

from workbench import paths
from workbench.core import calibration
from workbench.core.accuracy import Accuracy, AccuracyMeter
from workbench.core.config import Config
from workbench.core.data import Data, open_data, random_inputs
from workbench.core.dataflow import Dataflow
from workbench.core.distribution import Distribution
from workbench.core.model import InputSpec
from workbench.core.outputs import flatten_outputs
from workbench.core.preprocess import Preprocess
from workbench.core.trial import DataFacts, Kernel, Layer, LayerErrors, Memory, Proof, TensorRange
from workbench.engines.base import Engine, Feed, InvalidResult, Plan
from workbench.errors import UserError
from workbench.worker import inspection, protocol, readback, saving
from workbench.worker.layer_errors import Scan, weight_facts
from workbench.worker.measure import Timer
from workbench.worker.protocol import Broke, Go, Invalid, Job, Measured, Notice, Progress, Refused

_MEMORY_RUNS = 5
_MOST_NOTICES = 50
_LAYER_SAMPLES = 4
_ORPHAN_GRACE_S = 5.0


class Cancelled(Exception):
    """The parent asked to stop before anything worth keeping was measured."""


class Channel:
    """The child's end: a thread reads commands, so that asking for a cancel costs the loop nothing."""

    def __init__(self, commands: BinaryIO, reports: BinaryIO) -> None:
        self._commands = commands
        self._reports = reports
        self._lock = threading.Lock()
        self._go = threading.Semaphore(0)
        self._keep = True
        self._cancel = threading.Event()
        self._notices: set[str] = set()

    def listen(self) -> None:
        """Start to read commands in the background."""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                command = protocol.read_command(self._commands)
            except (protocol.BadFrame, OSError):
                command = None
            if isinstance(command, Go):
                self._keep = command.keep
                self._go.release()
                continue
            # A cancel, or the parent is gone: either way the wait for its go must end.
            self._cancel.set()
            self._go.release()
            if command is None:
                # Nobody is left to kill a child that hangs.
                time.sleep(_ORPHAN_GRACE_S)
                os._exit(1)

    def cancelled(self) -> bool:
        """Whether the parent wants the job to end."""
        return self._cancel.is_set()

    def send(self, report: protocol.Report) -> None:
        """Send one report."""
        with self._lock:
            protocol.write(self._reports, report)

    def notice(self, text: str, *, library: bool = False) -> None:
        """Send a warning once."""
        text = text.strip()
        if text and text not in self._notices and len(self._notices) < _MOST_NOTICES:
            self._notices.add(text)
            self.send(Notice(text=text, library=library))

    def progress(self, phase: str, done: int = 0, total: int = 0) -> None:
        """Tell how far a phase is.

        Raises:
            Cancelled: the parent asked to stop.
        """
        if self.cancelled():
            raise Cancelled
        self.send(Progress(phase=phase, done=done, total=total))

    def hand_over(self, burst: protocol.Burst) -> bool:
        """Send a burst and wait until the reader is ready for the next.

        Returns:
            Whether the burst counts.
        """
        self.send(burst)
        self._go.acquire()
        return self._keep


class _Collect(logging.Handler):
    def __init__(self, channel: Channel) -> None:
        super().__init__(logging.WARNING)
        self._channel = channel

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(Exception):
            self._channel.notice(f"{record.name}: {record.getMessage()}", library=True)


def _watch_warnings(channel: Channel) -> None:
    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if not issubclass(category, (DeprecationWarning, PendingDeprecationWarning, FutureWarning)):
            channel.notice(f"{category.__name__}: {' '.join(str(message).split())}"[:500], library=True)

    warnings.showwarning = show
    logging.getLogger().addHandler(_Collect(channel))


def serve(commands: BinaryIO, reports: BinaryIO) -> None:
    """Do the one job that the parent sends."""
    try:
        job = protocol.read_command(commands)
    except (protocol.BadFrame, OSError):
        return
    if not isinstance(job, Job):
        return
    channel = Channel(commands, reports)
    channel.listen()
    _watch_warnings(channel)
    try:
        channel.progress("importing the engine")
        start = time.perf_counter()
        engine: Engine = importlib.import_module(job.engine_module).Engine(Config.from_dict(job.config))
        import_s = round(time.perf_counter() - start, 4)
        report: protocol.Report
        if job.kind == "inspect":
            report = inspection.inspect(job, engine, channel)
        elif job.kind == "export":
            report = inspection.export(job, engine, channel)
        else:
            report = _Measurement(job, engine, channel, import_s)()
    except Cancelled:
        report = Invalid(reason="cancelled before anything was measured")
    except UserError as error:
        report = Refused(what=error.what, why=error.why, next_step=error.next_step)
    except InvalidResult as error:
        report = Invalid(reason=str(error))
    except MemoryError:
        report = Refused(
            what="There is not enough memory for this job.",
            why="",
            next_step="Lower run.batch or calibration.samples.",
        )
    except Exception as error:
        report = Broke(error=f"{type(error).__name__}: {error}", traceback=traceback.format_exc())
    with contextlib.suppress(OSError):
        try:
            channel.send(report)
        except TypeError as error:  # an engine put a type into its report that has no wire form
            channel.send(Broke(error=f"{type(error).__name__}: {error}", traceback=traceback.format_exc()))


class _Measurement:
    """One ``measure`` job from loading to the last read-back."""

    def __init__(self, job: Job, engine: Engine, channel: Channel, import_s: float) -> None:
        self._job = job
        self._engine = engine
        self._channel = channel
        self._config = engine.config
        self._phases: dict[str, float] = {"importing": import_s}
        self._known_broken = 0
        self._kept: Path | None = None
        self._layers: list[Layer] = []

    @contextlib.contextmanager
    def _phase(self, name: str) -> Iterator[None]:
        self._channel.progress(name)
        start = time.perf_counter()
        yield
        self._phases[name] = round(time.perf_counter() - start, 4)

    def __call__(self) -> Measured:
        engine, channel = self._engine, self._channel
        with self._phase("loading"):
            if self._job.exported:
                engine.adopt(self._job.exported)
            engine.load(self._job.model)
            specs = list(engine.input_specs())
        with self._phase("reading data"):
            data = self._open_data(specs)
            feed = self._feed(specs, data)
        with self._phase("tracing"):
            layers = self._layers = engine.trace_layers(feed)
        if self._config.precision == "int8":
            with self._phase("calibrating"):
                distributions = self._distributions(specs, data)
            with self._phase("preparing"):
                engine.calibrate(distributions, feed)
        with self._phase("building"):
            plan = engine.build(feed)
            run = engine.bind(feed)
            tensors = engine.quantized()
        timer = Timer(run, channel.cancelled)
        with engine.running():
            with self._phase("warming up"):
                channel.send(timer.warm_up())
            with self._phase("timing"):
                timer.bursts(self._job.runs, self._job.seconds, channel.hand_over)
        effective = readback.effective(engine)
        accuracy = None
        proof = Proof(int8_kernels=0, bf16_kernels=0, fp32_kernels=0, reference_kernels=0, expected_int8=0, kernels=[])
        # From here on a cancel ends a phase, not the job: the samples are there and shall keep their context.
        with contextlib.suppress(Cancelled):
            if data is not None and self._job.accuracy:
                with self._phase("comparing with FP32"):
                    accuracy = self._accuracy(data)
                run = engine.bind(feed)
            with self._phase("proving"):
                kernels = engine.prove(run, [layer for layer in layers if layer.kind])
                proof = count(kernels, plan)
            if self._job.folder:
                with self._phase("saving the model"):
                    saving.save(engine, Path(self._job.folder), *self._to_save(specs, data, feed))
                run = engine.bind(feed)
        build_peak = readback.peak_rss_mb()
        errors, facts = None, []
        if self._job.layer_errors and plan.int8:
            with contextlib.suppress(Cancelled), self._phase("looking into the layers"):
                facts = weight_facts(engine.weights(plan), layers, tensors, engine.scheme.qmax)
                errors = self._errors(plan, layers, tensors, specs, data)
        memory = self._memory(run, build_peak)
        return Measured(
            effective=effective,
            proof=proof,
            memory=memory,
            accuracy=accuracy,
            fixes=engine.fixes(tensors),
            tensors=tensors,
            calibration=str(self._kept) if self._kept else None,
            errors=errors,
            weights=facts,
            layers=layers,
            rewritten=engine.rewritten,
            data=_data_facts(self._job, data),
            phases_s=self._phases,
            cancelled=channel.cancelled(),
        )

    def _to_save(
        self, specs: list[InputSpec], data: Data | None, feed: Feed
    ) -> tuple[list[tuple[str, Feed]], Iterator[Feed]]:
        """Return the golden samples, and the feeds whose statistics are kept."""
        if data is None:
            return [("noise", feed)], iter(())
        chosen = itertools.islice(data.loaded([*data.evaluation, *data.calibration]), saving.GOLDEN)
        golden = [(item.name, _fitted(arrays, specs)) for item, arrays in chosen]
        return golden, (_fitted(arrays, specs) for _, arrays in data.loaded(data.calibration))

    def _open_data(self, specs: list[InputSpec]) -> Data | None:
        if self._job.data is None:
            return None
        preprocess = self._job.preprocess or Preprocess()
        samples = int(self._config["calibration.samples"])
        data = open_data(self._job.data, preprocess, _triples(specs), samples)
        for text in data.warnings:
            # How much there is to calibrate with matters only to who calibrates.
            if self._config.precision == "int8" or "calibration" not in text:
                self._channel.notice(text)
        self._known_broken = len(data.rejected)
        return data

    def _report_late(self, data: Data) -> None:
        """Name the pictures that turned out broken only when they were used."""
        for entry in data.rejected[self._known_broken :]:
            self._channel.notice(f"{entry.name} was left out: {entry.reason}")

    def _feed(self, specs: list[InputSpec], data: Data | None) -> Feed:
        """Return what is timed: the first evaluation samples, or noise where there is no data."""
        batch = self._config.number("run.batch")
        if data is None:
            # concrete() refuses a batch that a fixed leading axis cannot take.
            shapes = {spec.name: spec.concrete(batch) for spec in specs}
            return random_inputs([(s.name, shapes[s.name], s.dtype) for s in specs], 1)
        parts: list[Feed] = []
        items = [*data.evaluation, *data.calibration]
        for _, arrays in data.loaded(items):
            parts.append(arrays)
            if len(parts) == batch:
                break
        if not parts:
            raise UserError("No sample of the data can be read.", "All of them are broken.", "See the warnings.")
        count = max((spec.concrete(batch)[0] for spec in specs if spec.shape), default=1)
        rows = [parts[i % len(parts)] for i in range(count)]
        return {spec.name: np.concatenate([row[spec.name] for row in rows]) for spec in specs}

    def _distributions(self, specs: list[InputSpec], data: Data | None) -> dict[str, Distribution]:
        """Return what every tensor held, from the file of an earlier run where nothing has changed since."""
        if data is None:
            return self._engine.observe(self._calibration(specs, data))
        self._kept = paths.user_cache() / "calibration" / f"{self._fingerprint(specs, data)}.msgpack"
        known = calibration.load(self._kept)
        if known is None:
            known = self._engine.observe(self._calibration(specs, data))
            if not calibration.save(self._kept, known):
                self._kept = None
        return known

    def _fingerprint(self, specs: list[InputSpec], data: Data) -> str:
        job = self._job
        assert job.data is not None
        root = Path(job.data.calibration_path or job.data.path)
        names = [item.name for item in data.calibration]
        facts = {
            "model": [job.model.sha256, job.model.attribute, job.model.format],
            "inputs": [str(spec) for spec in specs],
            "rewritten": self._engine.rewritten,
            "layers": [layer.name for layer in self._layers],
            "preprocess": msgspec.to_builtins(job.preprocess or Preprocess()),
            "samples": names,
        }
        return calibration.fingerprint(facts, [root / name for name in names] if root.is_dir() else [root])

    def _calibration(self, specs: list[InputSpec], data: Data | None) -> Iterator[Feed]:
        if data is None:
            self._channel.notice(
                "There is no data: ranges were calibrated on random numbers. Fine for speed, meaningless for accuracy."
            )
            for seed in range(4):
                yield random_inputs(_triples(specs), 1, seed)
            return
        used = 0
        total = len(data.calibration)
        for _, arrays in data.loaded(data.calibration):
            self._channel.progress("calibrating", used, total)
            used += 1
            yield _fitted(arrays, specs)
        if not used:
            raise UserError("No calibration sample can be read.", "All of them are broken.", "See the warnings.")

    def _accuracy(self, data: Data) -> Accuracy:
        engine, meter, specs = self._engine, AccuracyMeter(), list(self._engine.input_specs())
        for done, (item, arrays) in enumerate(data.loaded(data.evaluation)):
            self._channel.progress("comparing with FP32", done, len(data.evaluation))
            sample = _fitted(arrays, specs)
            reference = flatten_outputs(engine.outputs(engine.reference(sample)))
            run = engine.bind(sample)
            with engine.running():
                candidate = flatten_outputs(engine.outputs(run()))
            meter.add(item.name, reference, candidate, item.label)
        self._report_late(data)
        return meter.result()

    def _errors(
        self, plan: Plan, layers: list[Layer], tensors: list[TensorRange], specs: list[InputSpec], data: Data | None
    ) -> LayerErrors | None:
        emulator = self._engine.emulator(plan)
        if emulator is None:
            return None
        if data is None:
            feeds: list[Feed] = [random_inputs(_triples(specs), 1)]
        else:
            items = [*data.evaluation, *data.calibration]
            feeds = [_fitted(arrays, specs) for _, arrays in data.loaded(items[:_LAYER_SAMPLES])]
        scan = Scan(
            emulator,
            Dataflow(layers),
            plan.int8,
            [entry.tensor for entry in tensors],
            rest=self._job.sensitivity_s is not None,
            seconds=self._job.sensitivity_s,
            progress=lambda done, total: self._channel.progress("looking into the layers", done, total),
        )
        place = self._errors_file(tensors)
        known = calibration.load_errors(place) if place else []
        return scan(feeds, known, (lambda errors: calibration.save_errors(place, errors)) if place else _forget)

    def _errors_file(self, tensors: list[TensorRange]) -> Path | None:
        """Return where the scan of this very model, data and set of scales keeps what it has."""
        if self._kept is None:
            return None
        facts = {"of": self._kept.stem, "config": self._config.to_dict(), "tensors": msgspec.to_builtins(tensors)}
        return paths.user_cache() / "layers" / f"{calibration.fingerprint(facts, [])}.msgpack"

    def _memory(self, run: Any, build_peak: float) -> Memory:
        start = time.perf_counter()
        with contextlib.suppress(Cancelled):
            self._channel.progress("measuring memory")
        self._engine.release_original()
        size = self._engine.model_bytes()
        if not readback.reset_peak_rss():
            self._channel.notice("This kernel does not reset the memory high-water mark: the peak includes the build.")
        with self._engine.running():
            for _ in range(_MEMORY_RUNS):
                if self._channel.cancelled():
                    break
                run()
        self._phases["measuring memory"] = round(time.perf_counter() - start, 4)
        return Memory(
            peak_rss_mb=round(readback.peak_rss_mb(), 1),
            build_peak_rss_mb=round(build_peak, 1),
            model_mb=None if size is None else round(size / 2**20, 3),
        )


def _forget(_: object) -> None:
    """Keep nothing: there is no place for it."""


def _fitted(arrays: Feed, specs: list[InputSpec]) -> Feed:
    """Repeat a sample where the model's batch axis is fixed to more than one."""
    fitted = {}
    for spec in specs:
        array = arrays[spec.name]
        wanted = spec.shape[0] if spec.shape else None
        fitted[spec.name] = np.repeat(array, wanted, axis=0) if wanted and array.shape[0] == 1 < wanted else array
    return fitted


def _triples(specs: list[InputSpec]) -> list[tuple[str, tuple[int | None, ...], str]]:
    return [(spec.name, spec.shape, spec.dtype) for spec in specs]


def _data_facts(job: Job, data: Data | None) -> DataFacts | None:
    if data is None or job.data is None:
        return None
    return DataFacts(
        path=job.data.path,
        calibration=[item.name for item in data.calibration],
        evaluation=[item.name for item in data.evaluation],
        rejected={entry.name: entry.reason for entry in data.rejected},
        modes=data.modes,
        preprocess=msgspec.to_builtins(job.preprocess or Preprocess()),
    )


def count(kernels: list[Kernel], plan: Plan) -> Proof:
    """Count compute kernels by dtype, one per layer, and hold them against the plan."""
    compute = [kernel for kernel in kernels if kernel.compute]
    int8 = {kernel.layer for kernel in compute if kernel.dtype == "int8" and kernel.layer != "unmapped"}
    loose = sum(kernel.dtype == "int8" and kernel.layer == "unmapped" for kernel in compute)
    missing = [name for name in plan.int8 if name not in int8]
    # An unmapped INT8 kernel may be one of the missing layers: matching is by shape and can fail.
    missing = missing[min(loose, len(missing)) :]
    return Proof(
        int8_kernels=sum(kernel.dtype == "int8" for kernel in compute),
        bf16_kernels=sum(kernel.dtype == "bf16" for kernel in compute),
        fp32_kernels=sum(kernel.dtype == "fp32" for kernel in compute),
        reference_kernels=sum(kernel.kernel.startswith("ref") for kernel in compute),
        expected_int8=len(plan.int8),
        kernels=kernels,
        missing=missing,
        kept=plan.kept,
        notes=[] if compute else ["no compute kernel could be named"],
    )

"""One ``measure`` job from the ranges to the last read-back. Child side.

Order matters for truth: calibrate, build, warm up, time; only then accuracy (which runs the FP32 model), proof
(which logs) and memory, so that none of them disturbs the samples. The proof runs on the very object that was
timed: oneDNN's verbose mode can be switched on in a running process, which spares a second process and cannot
prove a different build than the one that was measured.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from workbench import paths
from workbench.core import calibration
from workbench.core.accuracy import Accuracy, AccuracyMeter
from workbench.core.data import Data, random_inputs
from workbench.core.dataflow import Dataflow
from workbench.core.distribution import Distribution
from workbench.core.outputs import flatten_outputs
from workbench.core.preprocess import Preprocess
from workbench.core.trial import DataFacts, Kernel, LayerErrors, Memory, Proof, TensorRange
from workbench.engines.base import Feed, Plan
from workbench.errors import UserError
from workbench.worker import readback, saving
from workbench.worker.channel import Cancelled, Channel, Phases
from workbench.worker.layer_errors import Scan, weight_facts
from workbench.worker.measure import Timer
from workbench.worker.preparation import Prepared, fitted, triples
from workbench.worker.protocol import Job, Measured

_MEMORY_RUNS = 5
_LAYER_SAMPLES = 4


class Measurement:
    """Does the job when it is called.

    Args:
        phases: with what the preparation took, where this process has made it.
    """

    def __init__(self, job: Job, prepared: Prepared, channel: Channel, phases: Phases) -> None:
        self._job = job
        self._prepared = prepared
        self._engine = prepared.engine
        self._config = prepared.engine.config
        self._specs, self._data, self._layers = prepared.specs, prepared.data, prepared.layers
        self._channel = channel
        self._phase = phases
        self._kept: Path | None = None

    def __call__(self) -> Measured:
        """Measure.

        Raises:
            UserError: the user must change something.
            InvalidResult: the engine did not do what was asked.
        """
        engine, channel, feed, layers = self._engine, self._channel, self._prepared.feed, self._layers
        if self._config.precision == "int8":
            with self._phase("calibrating"):
                engine.calibrate(self._distributions())
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
            if self._data is not None and self._job.accuracy:
                with self._phase("comparing with FP32"):
                    accuracy = self._accuracy(self._data)
                run = engine.bind(feed)
            with self._phase("proving"):
                kernels = engine.prove(run, [layer for layer in layers if layer.kind])
                proof = count(kernels, plan)
            if self._job.folder:
                with self._phase("saving the model"):
                    saving.save(engine, Path(self._job.folder), *self._to_save())
                run = engine.bind(feed)
        build_peak = readback.peak_rss_mb()
        errors, facts = None, []
        if self._job.layer_errors and plan.int8:
            with contextlib.suppress(Cancelled), self._phase("looking into the layers"):
                facts = weight_facts(engine.weights(plan), layers, tensors, engine.scheme.qmax)
                errors = self._errors(plan, tensors)
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
            data=_data_facts(self._job, self._data),
            phases_s=self._phase.seconds,
            cancelled=channel.cancelled(),
        )

    def _to_save(self) -> tuple[list[tuple[str, Feed]], Iterator[Feed], Iterator[Feed]]:
        """Return the golden samples, those of calibration and those of evaluation."""
        specs, data = self._specs, self._data
        if data is None:
            return [("noise", self._prepared.feed)], iter(()), iter(())
        chosen = itertools.islice(data.loaded([*data.evaluation, *data.calibration]), saving.GOLDEN)
        golden = [(item.name, fitted(arrays, specs)) for item, arrays in chosen]
        calibration = (fitted(arrays, specs) for _, arrays in data.loaded(data.calibration))
        return golden, calibration, (fitted(arrays, specs) for _, arrays in data.loaded(data.evaluation))

    def _report_late(self, data: Data) -> None:
        """Name the pictures that turned out broken only when they were used."""
        for entry in data.rejected[self._prepared.known_broken :]:
            self._channel.notice(f"{entry.name} was left out: {entry.reason}")

    def _distributions(self) -> dict[str, Distribution]:
        """Return what every tensor held, from the file of an earlier run where nothing has changed since."""
        if self._data is None:
            return self._engine.observe(self._noise())
        self._kept = paths.user_cache() / "calibration" / f"{self._fingerprint(self._data)}.msgpack"
        known = calibration.load(self._kept)
        if known is None:
            known = self._engine.observe(self._calibration(self._data))
            if not calibration.save(self._kept, known):
                self._kept = None
        return known

    def _fingerprint(self, data: Data) -> str:
        job = self._job
        assert job.data is not None
        root = Path(job.data.calibration_path or job.data.path)
        names = [item.name for item in data.calibration]
        facts = {
            "model": [job.model.sha256, job.model.attribute, job.model.format],
            "inputs": [str(spec) for spec in self._specs],
            "rewritten": self._engine.rewritten,
            "layers": [layer.name for layer in self._layers],
            "preprocess": msgspec.to_builtins(job.preprocess or Preprocess()),
            "samples": names,
        }
        return calibration.fingerprint(facts, [root / name for name in names] if root.is_dir() else [root])

    def _noise(self) -> Iterator[Feed]:
        self._channel.notice(
            "There is no data: ranges were calibrated on random numbers. Fine for speed, meaningless for accuracy."
        )
        for seed in range(4):
            yield random_inputs(triples(self._specs), 1, seed)

    def _calibration(self, data: Data) -> Iterator[Feed]:
        used = 0
        total = len(data.calibration)
        for _, arrays in data.loaded(data.calibration):
            self._channel.progress("calibrating", used, total)
            used += 1
            yield fitted(arrays, self._specs)
        if not used:
            raise UserError("No calibration sample can be read.", "All of them are broken.", "See the warnings.")

    def _accuracy(self, data: Data) -> Accuracy:
        engine, meter = self._engine, AccuracyMeter()
        for done, (item, arrays) in enumerate(data.loaded(data.evaluation)):
            self._channel.progress("comparing with FP32", done, len(data.evaluation))
            sample = fitted(arrays, self._specs)
            reference = flatten_outputs(engine.outputs(engine.reference(sample)))
            run = engine.bind(sample)
            with engine.running():
                candidate = flatten_outputs(engine.outputs(run()))
            meter.add(item.name, reference, candidate, item.label)
        self._report_late(data)
        return meter.result()

    def _errors(self, plan: Plan, tensors: list[TensorRange]) -> LayerErrors | None:
        emulator = self._engine.emulator(plan)
        if emulator is None:
            return None
        if self._data is None:
            feeds: list[Feed] = [random_inputs(triples(self._specs), 1)]
        else:
            items = [*self._data.evaluation, *self._data.calibration]
            feeds = [fitted(arrays, self._specs) for _, arrays in self._data.loaded(items[:_LAYER_SAMPLES])]
        scan = Scan(
            emulator,
            Dataflow(self._layers),
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
        start = time.perf_counter()  # not a phase: a cancel must not keep it from being measured
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
        self._phase.seconds["measuring memory"] = round(time.perf_counter() - start, 4)
        return Memory(
            peak_rss_mb=round(readback.peak_rss_mb(), 1),
            build_peak_rss_mb=round(build_peak, 1),
            model_mb=None if size is None else round(size / 2**20, 3),
        )


def _forget(_: object) -> None:
    """Keep nothing: there is no place for it."""


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

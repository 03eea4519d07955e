"""A trial read layer by layer: what ran, what it took, which ranges it has, what is wrong with them.

The one source of the ``layers`` verb and of the window's table. Works on the record of a trial and, where
they are still there, the distributions of its calibration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from workbench.core.dataflow import Dataflow
from workbench.core.distribution import Distribution
from workbench.core.findings import Finding, Repair, find, range_troubles
from workbench.core.trial import Kernel, Layer, LayerError, TensorRange, Trial, WeightFacts


class TensorRow(msgspec.Struct, frozen=True, kw_only=True):
    """A tensor beside a layer.

    Attributes:
        min, max: what calibration saw; None where it is not known.
        scale, zero_point: of the built model; None where the engine does not quantize the tensor.
        low, high: what the scale can hold.
        fixed: a range was fixed by hand here.
        saturation_risk: a layer that reads it can leave int16 in a sum of two products.
        clamp: what the next operation lets through.
    """

    name: str
    min: float | None = None
    max: float | None = None
    scale: float | None = None
    zero_point: int | None = None
    low: float | None = None
    high: float | None = None
    fixed: bool = False
    quantized: bool = False
    saturation_risk: bool = False
    clamp: tuple[float | None, float | None] | None = None


class LayerRow(msgspec.Struct, frozen=True, kw_only=True):
    """One call site.

    Attributes:
        dtype, kernel: what ran; None where no kernel could be given to it.
        ms: of the proof pass, which runs once: good for shares, not for latencies.
        share: of the time of all kernels.
        group: layers that ran as one kernel with this one, itself first; empty where it ran alone.
        fused_into: the layer whose kernel did this one's work.
        sqnr_db: error of this layer alone in INT8, at its output.
        accumulated_sqnr_db: with all layers in INT8, at its output.
        only_this_int8_sqnr_db, all_but_this_int8_sqnr_db: at the model's outputs.
        flags: what is wrong or remarkable, in words.
        precision_fixed: the precision that the config pins, None where it pins none.
    """

    name: str
    op: str
    dtype: str | None = None
    kernel: str | None = None
    ms: float | None = None
    share: float | None = None
    macs: int = 0
    group: list[str] = []
    fused_into: str | None = None
    sqnr_db: float | None = None
    accumulated_sqnr_db: float | None = None
    only_this_int8_sqnr_db: float | None = None
    all_but_this_int8_sqnr_db: float | None = None
    tensors: list[TensorRow] = []
    flags: list[str] = []
    precision_fixed: str | None = None


class LayerTable(msgspec.Struct, frozen=True, kw_only=True):
    """All layers of a trial, what is wrong with them, and the kernels that fit none of them.

    Attributes:
        repairs: the most promising repair of each finding that has one with settings.
    """

    layers: list[LayerRow]
    unmapped: list[Kernel]
    findings: list[Finding] = []
    repairs: list[Repair] = []
    samples: int = 0
    all_int8_sqnr_db: float | None = None
    complete: bool = True


def layer_table(trial: Trial, distributions: Mapping[str, Distribution] | None = None) -> LayerTable:
    """Return the layers of *trial* in the order of execution."""
    reader = _Reader(trial, distributions or {})
    kernels = trial.proof.kernels if trial.proof else []
    findings = find(trial, distributions or {}, reader.owners())
    return LayerTable(
        layers=[reader.row(layer, findings) for layer in trial.layers],
        findings=findings,
        repairs=[repair for finding in findings for repair in finding.repairs[:1] if repair.settings],
        unmapped=[kernel for kernel in kernels if kernel.layer not in reader.flow.layers],
        samples=trial.errors.samples if trial.errors else 0,
        all_int8_sqnr_db=trial.errors.all_db if trial.errors else None,
        complete=trial.errors.complete if trial.errors else True,
    )


def ranked(table: LayerTable) -> list[LayerRow]:
    """Return the layers that cost the output most in INT8, worst first; those that were not scanned are left out."""
    scanned = [row for row in table.layers if row.only_this_int8_sqnr_db is not None]
    return sorted(scanned, key=lambda row: row.only_this_int8_sqnr_db or 0.0)


class _Reader:
    def __init__(self, trial: Trial, distributions: Mapping[str, Distribution]) -> None:
        self.flow = Dataflow(trial.layers)
        self._seen = distributions
        self._scales: dict[str, TensorRange] = {entry.tensor: entry for entry in trial.tensors}
        self._errors: dict[str, LayerError] = {e.layer: e for e in trial.errors.layers} if trial.errors else {}
        self._weights: dict[str, WeightFacts] = {entry.layer: entry for entry in trial.weights}
        proof = trial.proof
        self._kernels: dict[str, Kernel] = {k.layer: k for k in proof.kernels if k.compute} if proof else {}
        self._total = sum(kernel.ms for kernel in proof.kernels) if proof else 0.0
        self._kept = proof.kept if proof else {}
        self._fixed = {fix.acts_on for fix in trial.fixes if fix.acts_on}
        pinned: Any = trial.config.get("layers", {})
        self._pinned = {name: str(entry["precision"]) for name, entry in pinned.items()}
        self._groups: dict[str, list[str]] = {}
        self._into: dict[str, str] = {}
        for layer in trial.layers:
            kernel = self._kernels.get(layer.name)
            if kernel and kernel.dtype == "int8":
                members = list(self._members(layer))
                if len(members) > 1:
                    self._groups[layer.name] = members
                    self._into.update(dict.fromkeys(members[1:], layer.name))

    def _members(self, layer: Layer) -> Iterable[str]:
        """Walk from a layer to the tensor that leaves its kernel."""
        _, end = self.flow.around(layer.name, self._scales)
        tensor = f"{layer.name}:out"
        yield layer.name
        while tensor != end:
            taker = self.flow.only_consumer(tensor)
            if taker is None or taker.kind:
                return
            yield taker.name
            tensor = f"{taker.name}:out"

    def owners(self) -> dict[str, str]:
        """Return which call site each tensor is shown with: the one whose kernel it leaves, or that reads the input."""
        owners: dict[str, str] = {}
        for layer in self.flow.layers.values():
            for tensor in layer.inputs:
                if tensor.startswith("input:"):
                    owners.setdefault(tensor, layer.name)
            if layer.name not in self._into:
                owners.setdefault(self._output(layer), layer.name)
            owners.setdefault(f"{layer.name}:out", self._into.get(layer.name, layer.name))
        return owners

    def row(self, layer: Layer, findings: Sequence[Finding]) -> LayerRow:
        kernel = self._kernels.get(layer.name)
        into = self._into.get(layer.name)
        error = self._errors.get(layer.name)
        return LayerRow(
            name=layer.name,
            op=layer.op,
            dtype=kernel.dtype if kernel else None,
            kernel=kernel.kernel if kernel else None,
            ms=kernel.ms if kernel else None,
            share=kernel.ms / self._total if kernel and self._total else None,
            macs=layer.macs,
            group=self._groups.get(layer.name, []),
            fused_into=into,
            sqnr_db=error.own_db if error else None,
            accumulated_sqnr_db=error.accumulated_db if error else None,
            only_this_int8_sqnr_db=error.only_db if error else None,
            all_but_this_int8_sqnr_db=error.rest_db if error else None,
            tensors=self._tensors(layer),
            flags=self._flags(layer, findings) if into is None else [],
            precision_fixed=self._pinned.get(layer.name.partition("#")[0], self._pinned.get(layer.name)),
        )

    def _tensors(self, layer: Layer) -> list[TensorRow]:
        rows = [self._tensor(name) for name in dict.fromkeys([*layer.inputs, self._output(layer)])]
        if weight := self._weights.get(layer.name):
            rows.append(
                TensorRow(
                    name=f"{layer.name}:weight", min=min(weight.low), max=max(weight.high), quantized=True,
                    saturation_risk=weight.overflow > 0,
                )
            )  # fmt: skip
        return rows

    def _output(self, layer: Layer) -> str:
        """Return what leaves the layer, or the kernel that its work is done in."""
        if layer.name in self._groups:
            return f"{self._groups[layer.name][-1]}:out"
        return self.flow.folded(f"{layer.name}:out")

    def _tensor(self, name: str) -> TensorRow:
        scale, seen = self._scales.get(name), self._seen.get(name)
        known = seen if seen and seen.finite else None
        readers = self.flow.consumers.get(name, [])
        return TensorRow(
            name=name,
            min=known.minimum if known else None,
            max=known.maximum if known else None,
            scale=scale.scale if scale else None,
            zero_point=scale.zero_point if scale else None,
            low=scale.min if scale else None,
            high=scale.max if scale else None,
            fixed=name in self._fixed,
            quantized=scale is not None,
            saturation_risk=any(self._weights[r.name].overflow > 0 for r in readers if r.name in self._weights),
            clamp=self.flow.clamp(name),
        )

    def _flags(self, layer: Layer, findings: Sequence[Finding]) -> list[str]:
        flags = [self._kept[layer.name]] if layer.name in self._kept else []
        flags += [finding.what for finding in findings if finding.layer == layer.name and finding.where]
        output = self._output(layer)
        if self._scales and output not in self._scales:
            flags += [what for _, what in range_troubles(self._seen.get(output), None)]
        return flags

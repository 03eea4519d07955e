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
from workbench.core.observers import best_range
from workbench.core.ranges import scheme_of
from workbench.core.scales import Scheme
from workbench.core.trial import Kernel, Layer, LayerError, TensorRange, Trial, WeightFacts

CLIPPED_SHARE = 0.01
"""Share of a tensor's values outside its range from which on the table says so."""
OUTLIER_RATIO = 8.0
"""How far the range may exceed the values between the 0.1st and the 99.9th percentile."""
UNLIKE_RATIO = 16.0
"""How much the ranges of tensors that are concatenated may differ."""


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


class Repair(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be done about a flag; measure it before believing it.

    Attributes:
        where: the layer or tensor.
        text: what it does, in one sentence.
        settings: ``KEY=VALUE`` for ``--set``, all together.
    """

    where: str
    text: str
    settings: list[str]


class LayerTable(msgspec.Struct, frozen=True, kw_only=True):
    """All layers of a trial, and the kernels that fit none of them."""

    layers: list[LayerRow]
    unmapped: list[Kernel]
    repairs: list[Repair] = []
    samples: int = 0
    all_int8_sqnr_db: float | None = None
    complete: bool = True


def layer_table(trial: Trial, distributions: Mapping[str, Distribution] | None = None) -> LayerTable:
    """Return the layers of *trial* in the order of execution."""
    reader = _Reader(trial, distributions or {})
    kernels = trial.proof.kernels if trial.proof else []
    return LayerTable(
        layers=[reader.row(layer) for layer in trial.layers],
        repairs=reader.repairs(),
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

    def row(self, layer: Layer) -> LayerRow:
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
            flags=self._flags(layer) if into is None else [],
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

    def _flags(self, layer: Layer) -> list[str]:
        flags = []
        if reason := self._kept.get(layer.name):
            flags.append(reason)
        weight = self._weights.get(layer.name)
        if weight and weight.overflow:
            flags.append(f"int16 sums can overflow in {weight.overflow} of {len(weight.low)} channels without VNNI")
        if weight and weight.bias_overflow:
            flags.append(f"the bias of {weight.bias_overflow} channels does not fit into int32")
        if weight and weight.dead:
            flags.append(f"{len(weight.dead)} of {len(weight.low)} channels never change")
        # Any other tensor that comes in is the business of the layer that it leaves.
        for tensor in (*(name for name in layer.inputs if name.startswith("input:")), self._output(layer)):
            flags += range_flags(self._seen.get(tensor), self._scales.get(tensor))
        if layer in self.flow.joins():
            flags += self._unlike(layer)
        return flags

    def repairs(self) -> list[Repair]:
        """Return what can be done about unlike joins, blind spots and ranges that serve few values."""
        found = []
        for join in self.flow.joins():
            if self._unlike(join):
                text = "Keep the concatenation, and what reads it, in FP32."
                found.append(Repair(where=join.name, text=text, settings=_in_fp32(self.flow.apart(join))))
        scheme = scheme_of(list(self._scales.values()))
        for tensor, scale in self._scales.items():
            seen = self._seen.get(tensor)
            if seen is None or not range_flags(seen, scale):
                continue
            if (fix := _better_range(tensor, seen, scale, scheme)) is not None:
                found.append(fix)
            else:
                names = self.flow.without_scale(tensor)
                text = "Nothing is known of its range: keep what gives and reads it in FP32, or fix a range by hand."
                found.append(Repair(where=tensor, text=text, settings=_in_fp32(names)))
        return found

    def _unlike(self, join: Layer) -> list[str]:
        if not self._scales or self._pinned.get(join.name) == "fp32":
            return []
        seen = {name: entry for name in join.inputs if (entry := self._seen.get(name)) and entry.count}
        sizes = {name: max(abs(entry.minimum), abs(entry.maximum)) for name, entry in seen.items()}
        sizes = {name: size for name, size in sizes.items() if 0 < size < float("inf")}
        if len(sizes) > 1 and max(sizes.values()) > UNLIKE_RATIO * min(sizes.values()):
            small, large = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
            return [
                f"joins unlike ranges under one scale: {small} reaches {sizes[small]:.3g}, "
                f"{large} {sizes[large]:.3g}; keep what feeds it in FP32"
            ]
        return []


def _in_fp32(names: Sequence[str]) -> list[str]:
    return [f'layers."{name}".precision=fp32' for name in names]


def _better_range(tensor: str, seen: Distribution, scale: TensorRange, scheme: Scheme) -> Repair | None:
    """Return the first of two ranges about which there is nothing to say; None where values tell of none.

    Squares of rare large values outweigh everything else, and what a square outweighs is lost; shares do not mind.
    """
    if seen.nans or seen.infs or seen.zeros == seen.finite:
        return None
    for by, text in (
        ("mse", "Fix the range that has the least squared error on what calibration saw."),
        ("percentile", "Fix the range that holds 99.9 % of what calibration saw; values beyond are cut."),
    ):
        low, high = best_range(seen, scheme, by)  # type: ignore[arg-type]
        if not range_flags(seen, msgspec.structs.replace(scale, min=low, max=high)):
            settings = [f'fixes."{tensor}".min={low:.6g}', f'fixes."{tensor}".max={high:.6g}']
            return Repair(where=tensor, text=text, settings=settings)
    return None


def range_flags(seen: Distribution | None, scale: TensorRange | None) -> list[str]:
    """Return what is wrong with a tensor's range, in words."""
    if seen is None:
        return []
    if not seen.count:
        return ["calibration never reached it"]
    flags = []
    if seen.nans or seen.infs:
        flags.append(f"{(seen.nans + seen.infs) / seen.count:.2%} of its values are not finite")
    if not seen.finite:
        return flags
    if seen.zeros == seen.finite:
        flags.append("only zeros were seen: any other value is lost")
        return flags
    low, high = seen.percentile(0.1), seen.percentile(99.9)
    bulk = max(high, 0.0) - min(low, 0.0)
    full = max(seen.maximum, 0.0) - min(seen.minimum, 0.0)
    if scale is not None:
        # Half a step beyond the last level is rounding, not clipping.
        share = outside(seen, scale.min - (scale.scale or 0) / 2, scale.max + (scale.scale or 0) / 2)
        if share > CLIPPED_SHARE:
            flags.append(f"{share:.0%} of its values lie outside the range")
        if bulk > 0 and scale.max - scale.min > OUTLIER_RATIO * bulk:
            flags.append(f"outliers: the range is {(scale.max - scale.min) / bulk:.0f}× what 99.8 % of the values need")
    elif bulk > 0 and full > OUTLIER_RATIO * bulk:
        flags.append(f"outliers: its extremes reach {full / bulk:.0f}× as far as 99.8 % of the values")
    return flags


def outside(seen: Distribution, low: float, high: float) -> float:
    """Return the share of finite values outside *low*..*high*, by the histogram."""
    edges, counts = seen.edges(), seen.histogram()
    total = int(counts.sum())
    if not total:
        return 0.0
    return float(counts[(edges[1:] < low) | (edges[:-1] > high)].sum()) / total

"""What is wrong with a trial's layers: each trouble one record of what was seen, why it matters, what may mend it.

The one source of the flags and repairs of the layer table, of the ``layers`` verb and of the window's findings.
Works on the record of a trial and, where they are still there, the distributions of its calibration.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from workbench.core.dataflow import Dataflow
from workbench.core.distribution import Distribution
from workbench.core.observers import best_range
from workbench.core.ranges import scheme_of
from workbench.core.scales import EPS, OPEN, Bounds, range_of, scale_of
from workbench.core.trial import LayerError, TensorRange, Trial

CLIPPED_SHARE = 0.01
"""Share of a tensor's values outside its range from which on that is a finding."""
OUTLIER_RATIO = 8.0
"""How far the range may exceed the values between the 0.1st and the 99.9th percentile."""
UNLIKE_RATIO = 16.0
"""How much the ranges of tensors that are concatenated may differ."""
COSTLY_DB = 3.0
"""Gain at the outputs from which on a layer should rather stay in FP32."""
GOOD_DB = 30.0
"""Outputs that are this good need no layer in FP32."""
FEW_INT8 = 0.25
"""Share of the compute layers that may stay out of INT8 by design."""

_MOST_COSTLY = 5
_NARROWER = 0.9  # a range that is no narrower than this share of the present one is no other range
_NO_VNNI = ("avx2", "avx512")

Severity = Literal["error", "warning", "info"]
RepairKind = Literal["range", "fp32", "clamp", "recalibrate", "reduce", "release"]


class Repair(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be done about a finding; measure it before believing it.

    Attributes:
        where: the layer or tensor.
        text: what it does, in one sentence.
        settings: ``KEY=VALUE`` for ``--set``, all together; empty for ``release``.
        kind: ``range`` fixes one, ``fp32`` keeps layers out of INT8, ``clamp`` cuts ranges to what the next operation
            lets through, ``recalibrate`` derives all ranges another way, ``reduce`` takes 7 bits, ``release`` takes
            the fix on *where* back.
    """

    where: str
    text: str
    settings: list[str]
    kind: RepairKind


class Kind(msgspec.Struct, frozen=True):
    """What all findings of one kind have in common, for people."""

    title: str
    severity: Severity
    why: str


KINDS: Mapping[str, Kind] = {
    "broken-output": Kind(
        "Outputs are broken", "error",
        "Whatever the averages say, nobody can use such an output.",
    ),
    "missing-int8": Kind(
        "Planned in INT8, ran in something else", "error",
        "The time that was measured is not that of the config that was asked for.",
    ),
    "fix-refused": Kind(
        "Fixes were refused", "error",
        "The engine runs with another range than the one that was fixed.",
    ),
    "bad-scale": Kind(
        "Scales are 0 or not finite", "error",
        "Every value comes back as the same number, or as none.",
    ),
    "non-finite": Kind(
        "Values are not finite", "error",
        "One infinity stretches a range over everything, and no scale can be made of NaN.",
    ),
    "unreached": Kind(
        "Calibration never came here", "error",
        "Nothing is known of the range, so the scale is a guess.",
    ),
    "only-zeros": Kind(
        "Only zeros were seen", "error",
        "The range holds nothing but 0: whatever other pictures bring here is lost.",
    ),
    "bias-overflow": Kind(
        "Biases do not fit into int32", "error",
        "The engine cuts the bias off, and the channel is wrong for every input.",
    ),
    "clipped": Kind(
        "Values outside the range", "warning",
        "They all come back as the end of the range.",
    ),
    "costly": Kind(
        "Layers that spoil the outputs", "warning",
        "Most of the error comes from these few: in FP32 they cost some time and give much accuracy back.",
    ),
    "unlike-join": Kind(
        "Unlike ranges under one scale", "warning",
        "The scale fits the large ones, and the small ones fall into one or two levels.",
    ),
    "outliers": Kind(
        "Outliers stretch the range", "warning",
        "A few large values take the levels that all others need.",
    ),
    "unclamped": Kind(
        "Ranges wider than what is let through", "warning",
        "Levels are spent on values that the next operation throws away: to cut the range costs nothing.",
    ),
    "saturation": Kind(
        "Sums that can leave int16", "warning",
        "Without VNNI two products are added in 16 bits, and what does not fit is cut off in silence.",
    ),
    "few-int8": Kind(
        "Many layers are not in INT8", "warning",
        "They keep the time of FP32, and values are converted back and forth around them.",
    ),
    "fix-idle": Kind(
        "Fixes without effect", "warning",
        "This engine has no scale there: the fix changes nothing.",
    ),
    "dead-channels": Kind(
        "Channels that never change", "info",
        "They cost time and tell nothing; pruning them is a matter of the model.",
    ),
}  # fmt: skip
"""All kinds, worst first."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One trouble.

    Attributes:
        kind: of :data:`KINDS`.
        layer: call site that it is shown with; empty where it belongs to the whole model.
        where: the tensor or layer, by its canonical name; empty for the whole model.
        what: what was seen there, in words.
        why: why it matters, in one sentence.
        repairs: what may help, the most promising first.
    """

    kind: str
    severity: Severity
    layer: str
    where: str
    what: str
    why: str
    repairs: list[Repair] = []


def find(trial: Trial, distributions: Mapping[str, Distribution], owners: Mapping[str, str]) -> list[Finding]:
    """Return all that is wrong, the worst kind first, in the order of execution within a kind.

    Args:
        distributions: what calibration saw, by canonical tensor name.
        owners: tensor → call site whose kernel it leaves.
    """
    found = _Finder(trial, distributions, owners)
    order = list(KINDS)
    return sorted(found.all(), key=lambda finding: order.index(finding.kind))


def combined(repairs: Iterable[Repair]) -> list[str]:
    """Return the settings of several repairs, each once."""
    return list(dict.fromkeys(setting for repair in repairs for setting in repair.settings))


class _Finder:
    def __init__(self, trial: Trial, distributions: Mapping[str, Distribution], owners: Mapping[str, str]) -> None:
        self._trial = trial
        self._flow = Dataflow(trial.layers)
        self._seen = distributions
        self._owners = owners
        self._scales: dict[str, TensorRange] = {entry.tensor: entry for entry in trial.tensors}
        self._int8 = trial.config.get("precision") == "int8"
        self._scheme = scheme_of([entry for entry in trial.tensors if _usable(entry)])
        pinned: Any = trial.config.get("layers", {})
        self._kept_in_fp32 = {name for name, entry in pinned.items() if entry.get("precision") == "fp32"}

    def all(self) -> Iterator[Finding]:
        yield from self._outputs()
        yield from self._proof()
        yield from self._fixes()
        for tensor in self._flow.tensors:
            yield from self._tensor(tensor)
        yield from self._joins()
        yield from self._weights()
        yield from self._costly()

    def _make(
        self, kind: str, layer: str, where: str, what: str, repairs: Iterable[Repair | None] = (),
        severity: Severity | None = None,
    ) -> Finding:  # fmt: skip
        known = KINDS[kind]
        return Finding(
            kind=kind, severity=severity or known.severity, layer=layer, where=where, what=what, why=known.why,
            repairs=[repair for repair in repairs if repair is not None],
        )  # fmt: skip

    # -- the whole ----------------------------------------------------------------------------------

    def _outputs(self) -> Iterator[Finding]:
        accuracy, errors = self._trial.accuracy, self._trial.errors
        worst = min(errors.layers, key=lambda entry: entry.only_db, default=None) if errors else None
        for failure in accuracy.failures if accuracy else ():
            repairs = (
                [_in_fp32(worst.layer, [worst.layer], "Keep the layer that costs the most in FP32.")] if worst else []
            )
            yield self._make("broken-output", worst.layer if worst else "", "", failure, repairs)

    def _proof(self) -> Iterator[Finding]:
        proof = self._trial.proof
        if proof is None or not self._int8:
            return
        for name in proof.missing:
            yield self._make("missing-int8", name, name, "no INT8 kernel ran here", [_in_fp32(name, [name])])
        compute = [layer for layer in self._trial.layers if layer.kind]
        kept = {name: why for name, why in proof.kept.items() if why != "kept in FP32 by the config"}
        if compute and len(kept) > FEW_INT8 * len(compute):
            names = ", ".join(list(kept)[:3]) + (" …" if len(kept) > 3 else "")
            reasons = "; ".join(dict.fromkeys(kept.values()))
            what = f"{len(kept)} of {len(compute)} layers stay in FP32 by design ({names}): {reasons}"
            yield self._make("few-int8", "", "", what)

    def _fixes(self) -> Iterator[Finding]:
        for fix in self._trial.fixes:
            if fix.state == "applied":
                continue
            refused = fix.state == "refused"
            what = fix.note or ("the engine has another scale" if refused else "no scale here")
            repair = Repair(where=fix.tensor, text="Take the fix back.", settings=[], kind="release")
            owner = self._owners.get(fix.acts_on or fix.tensor, "")
            yield self._make("fix-refused" if refused else "fix-idle", owner, fix.tensor, what, [repair])

    # -- tensors ------------------------------------------------------------------------------------

    def _tensor(self, tensor: str) -> Iterator[Finding]:
        seen, scale = self._seen.get(tensor), self._scales.get(tensor)
        # A trial that failed for want of a range has no scales at all; else only what is quantized matters.
        if scale is None and (self._scales or not self._int8):
            return
        owner = self._owners.get(tensor, "")
        clamp = self._flow.clamp(tensor)
        for kind, what in range_troubles(seen, scale, clamp or OPEN):
            yield self._make(kind, owner, tensor, what, self._range_repairs(kind, tensor, seen, scale))
        if scale is not None and clamp is not None and self._clamps_off() and (what := _unclamped(scale, clamp)):
            low, high = _cut(scale, clamp)
            repairs = [
                Repair(
                    where=tensor, text="Cut every range to what the next operation lets through.",
                    settings=["quantization.clamp_ranges=true"], kind="clamp",
                ),
                _fixed(tensor, low, high, "Cut this range alone."),
            ]  # fmt: skip
            yield self._make("unclamped", owner, tensor, what, repairs)

    def _clamps_off(self) -> bool:
        knobs: Any = self._trial.config.get("quantization", {})
        return isinstance(knobs, Mapping) and knobs.get("clamp_ranges") is False

    def _range_repairs(
        self, kind: str, tensor: str, seen: Distribution | None, scale: TensorRange | None
    ) -> list[Repair | None]:
        better = self._better_range(tensor, seen)
        text = "Keep what gives and reads it in FP32."
        if better is None:
            text = "Nothing is known of its range: keep what gives and reads it in FP32, or fix a range by hand."
        apart = _in_fp32(tensor, self._flow.without_scale(tensor), text)
        if kind in ("unreached", "only-zeros"):
            return [apart, self._more_samples(tensor)]
        return [better, self._robust(tensor) if kind == "outliers" else None, apart]

    def _better_range(self, tensor: str, seen: Distribution | None) -> Repair | None:
        """Return the first of two ranges about which there is nothing to say; None where values tell of none.

        Squares of rare large values outweigh everything else, and what a square outweighs is lost; shares do not mind.
        """
        if seen is None or not seen.seen or seen.nans or seen.infs or seen.zeros == seen.finite:
            return None
        criteria: tuple[tuple[Literal["mse", "percentile"], str], ...] = (
            ("mse", "Fix the range that has the least squared error on what calibration saw."),
            ("percentile", "Fix the range that holds 99.9 % of what calibration saw; values beyond are cut."),
        )
        bounds = self._flow.clamp(tensor) or OPEN
        for by, text in criteria:
            low, high = best_range(seen, self._scheme, by, bounds=bounds)
            scale, zero_point = scale_of(low, high, self._scheme)
            least, most = range_of(scale, zero_point, self._scheme)
            made = TensorRange(tensor=tensor, min=least, max=most, scale=scale, zero_point=zero_point)
            if not range_troubles(seen, made, bounds):
                return _fixed(tensor, low, high, text)
        return None

    def _robust(self, tensor: str) -> Repair | None:
        knobs: Any = self._trial.config.get("calibration", {})
        observer = knobs.get("observer") if isinstance(knobs, Mapping) else None
        choice = "entropy" if observer == "percentile" else "percentile"
        how = "lose the least information" if choice == "entropy" else "hold 99.9 % of the values"
        return Repair(
            where=tensor, text=f"Derive all ranges anew, so that they {how}.",
            settings=[f"calibration.observer={choice}"], kind="recalibrate",
        )  # fmt: skip

    def _more_samples(self, tensor: str) -> Repair | None:
        knobs: Any = self._trial.config.get("calibration", {})
        wanted = knobs.get("samples") if isinstance(knobs, Mapping) else None
        data = self._trial.data
        if data is None or not isinstance(wanted, int) or len(data.calibration) < wanted:
            return None
        return Repair(
            where=tensor, text=f"Calibrate on up to {10 * wanted} samples instead of {wanted}.",
            settings=[f"calibration.samples={10 * wanted}"], kind="recalibrate",
        )  # fmt: skip

    # -- joins, weights, errors ---------------------------------------------------------------------

    def _joins(self) -> Iterator[Finding]:
        for join in self._flow.joins() if self._scales else ():
            if join.name not in self._kept_in_fp32 and (what := self._unlike(join.inputs)):
                repair = _in_fp32(
                    join.name, self._flow.apart(join), "Keep the concatenation, and what reads it, in FP32."
                )
                yield self._make("unlike-join", join.name, join.name, what, [repair])

    def _unlike(self, tensors: Sequence[str]) -> str:
        seen = {name: entry for name in tensors if (entry := self._seen.get(name)) and entry.count}
        sizes = {name: max(abs(entry.minimum), abs(entry.maximum)) for name, entry in seen.items()}
        sizes = {name: size for name, size in sizes.items() if 0 < size < float("inf")}
        if len(sizes) < 2 or max(sizes.values()) <= UNLIKE_RATIO * min(sizes.values()):
            return ""
        small, large = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
        return (
            f"joins unlike ranges under one scale: {small} reaches {sizes[small]:.3g}, "
            f"{large} {sizes[large]:.3g}; keep what feeds it in FP32"
        )

    def _weights(self) -> Iterator[Finding]:
        vnni = str(self._trial.config.get("target_isa", "")) not in ("", "host", *_NO_VNNI)
        for entry in self._trial.weights:
            name, channels = entry.layer, len(entry.low)
            if entry.overflow:
                what = f"int16 sums can overflow in {entry.overflow} of {channels} channels without VNNI"
                reduce = Repair(
                    where=name, text="Take 7 bits for activations: then no sum of two products leaves int16.",
                    settings=["quantization.range=reduced"], kind="reduce",
                )  # fmt: skip
                severity: Severity = "info" if vnni else "warning"
                yield self._make("saturation", name, f"{name}:weight", what, [reduce, _in_fp32(name, [name])], severity)
            if entry.bias_overflow:
                what = f"the bias of {entry.bias_overflow} channels does not fit into int32"
                yield self._make("bias-overflow", name, f"{name}:weight", what, [_in_fp32(name, [name])])
            # Filters of zeros that layout.align_channels adds are dead on purpose.
            if entry.dead and name not in self._trial.rewritten.get("layout.align_channels", ()):
                what = f"{len(entry.dead)} of {channels} channels never change"
                yield self._make("dead-channels", name, f"{name}:weight", what)

    def _costly(self) -> Iterator[Finding]:
        errors = self._trial.errors
        if errors is None or errors.all_db >= GOOD_DB or len(errors.layers) < 2:
            return
        gains = {entry.layer: (gain, what) for entry in errors.layers for gain, what in _gain(entry, errors.all_db)}
        for name in sorted(gains, key=lambda layer: -gains[layer][0])[:_MOST_COSTLY]:
            yield self._make("costly", name, name, gains[name][1], [_in_fp32(name, [name])])


def _gain(entry: LayerError, all_db: float) -> Iterator[tuple[float, str]]:
    """Tell how much the outputs gain from *entry* in FP32, where that is worth it."""
    if entry.rest_db is not None:
        if entry.rest_db - all_db >= COSTLY_DB:
            what = f"without it in INT8 the outputs would be at {entry.rest_db:.1f} dB instead of {all_db:.1f} dB"
            yield entry.rest_db - all_db, what
    # Error powers add up: within 3 dB of the whole, this layer alone makes half of it.
    elif entry.only_db - all_db < COSTLY_DB:
        what = f"it alone in INT8 leaves {entry.only_db:.1f} dB at the outputs, all layers together {all_db:.1f} dB"
        yield all_db - entry.only_db, what


def _in_fp32(where: str, names: Sequence[str], text: str = "Keep it in FP32.") -> Repair:
    settings = [f'layers."{name}".precision=fp32' for name in names]
    return Repair(where=where, text=text, settings=settings, kind="fp32")


def _fixed(tensor: str, low: float, high: float, text: str) -> Repair:
    settings = [f'fixes."{tensor}".min={low:.6g}', f'fixes."{tensor}".max={high:.6g}']
    return Repair(where=tensor, text=text, settings=settings, kind="range")


def _usable(scale: TensorRange) -> bool:
    return scale.scale is not None and scale.zero_point is not None and math.isfinite(scale.scale) and scale.scale > EPS


def range_troubles(seen: Distribution | None, scale: TensorRange | None, clamp: Bounds = OPEN) -> list[tuple[str, str]]:
    """Return what is wrong with a tensor's range, as kind and words.

    Args:
        clamp: what the next operation lets through: values beyond are not lost by the range.
    """
    troubles = []
    value = scale.scale if scale else None
    lost = value is not None and not (math.isfinite(value) and value > EPS)
    if seen is None:
        return [("bad-scale", f"its scale is {value:g}")] if lost else []
    if not seen.count:
        return [("unreached", "calibration never reached it")]
    if seen.nans or seen.infs:
        troubles.append(("non-finite", f"{(seen.nans + seen.infs) / seen.count:.2%} of its values are not finite"))
    if not seen.finite:
        return troubles
    if seen.zeros == seen.finite:
        return [*troubles, ("only-zeros", "only zeros were seen: any other value is lost")]
    if lost:
        return [
            *troubles,
            ("bad-scale", f"its scale is {value:g}, its values reach from {seen.minimum:.3g} to {seen.maximum:.3g}"),
        ]
    low, high = seen.percentile(0.1), seen.percentile(99.9)
    bulk = max(high, 0.0) - min(low, 0.0)
    full = max(seen.maximum, 0.0) - min(seen.minimum, 0.0)
    if scale is not None:
        share = outside(seen, *_kept(scale, clamp))
        if share > CLIPPED_SHARE:
            troubles.append(("clipped", f"{share:.0%} of its values lie outside the range"))
        if bulk > 0 and scale.max - scale.min > OUTLIER_RATIO * bulk:
            ratio = (scale.max - scale.min) / bulk
            troubles.append(("outliers", f"outliers: the range is {ratio:.0f}× what 99.8 % of the values need"))
    elif bulk > 0 and full > OUTLIER_RATIO * bulk:
        troubles.append(("outliers", f"outliers: its extremes reach {full / bulk:.0f}× as far as 99.8 % of the values"))
    return troubles


def _kept(scale: TensorRange, clamp: Bounds) -> tuple[float, float]:
    """Return which values keep what they mean: those in the range, and beyond where the next operation clamps."""
    # Half a step beyond the last level is rounding, not clipping.
    step = scale.scale or 0.0
    low, high = scale.min - step / 2, scale.max + step / 2
    lower, upper = clamp
    return (
        -math.inf if lower is not None and lower >= low else low,
        math.inf if upper is not None and upper <= high else high,
    )


def _cut(scale: TensorRange, clamp: Bounds) -> tuple[float, float]:
    lower, upper = clamp
    low = scale.min if lower is None else max(scale.min, lower)
    high = scale.max if upper is None else min(scale.max, upper)
    return low, high


def _unclamped(scale: TensorRange, clamp: Bounds) -> str:
    """Say how much of the range the next operation throws away; nothing where that is a few levels only."""
    low, high = _cut(scale, clamp)
    spent = 1.0 - (high - low) / (scale.max - scale.min) if scale.max > scale.min else 0.0
    if spent < CLIPPED_SHARE or low >= high:
        return ""
    ends = " … ".join("" if end is None else f"{end:g}" for end in clamp)
    return f"{spent:.0%} of its range is never looked at: the next operation lets {ends.strip()} through"


def outside(seen: Distribution, low: float, high: float) -> float:
    """Return the share of finite values outside *low*..*high*, by the histogram."""
    edges, counts = seen.edges(), seen.histogram()
    total = int(counts.sum())
    if not total:
        return 0.0
    return float(counts[(edges[1:] < low) | (edges[:-1] > high)].sum()) / total

"""One set of ranges for every engine: what calibration saw, what the next operation clamps, what the user fixed.

An engine tells which tensors it gives a scale (:meth:`Ranges.place`), asks for the range of each
(:meth:`Ranges.of`) and afterwards hands in the scales that it finds in the converted model
(:meth:`Ranges.states`). A fix on a tensor that exists only inside a fused group moves to what leaves the
group, cut to what the activation lets through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from workbench.core.config import Config
from workbench.core.dataflow import Dataflow
from workbench.core.distribution import Distribution
from workbench.core.observers import observed_range
from workbench.core.scales import Scheme, clamped, scale_of
from workbench.core.trial import FixState, TensorRange
from workbench.errors import UserError

Origin = Literal["calibrated", "clamped", "fixed"]

TOLERANCE = 1e-6
"""Largest relative difference between the scale of a fix and the one that is read back."""


_HALFWAY = 1e-3  # of a level


def scheme_of(read_back: Sequence[TensorRange]) -> Scheme:
    """Return how the activations of a built model are quantized, told from the levels of its scales."""
    found = [(entry, entry.scale) for entry in read_back if entry.scale]
    bottoms = [round(entry.min / scale) + (entry.zero_point or 0) for entry, scale in found]
    signed = any(bottom < 0 for bottom in bottoms)
    return Scheme(
        signed=signed,
        symmetric=signed and all(entry.zero_point == 0 for entry, _ in found),
        bits=7 if found and all(round((entry.max - entry.min) / scale) < 255 for entry, scale in found) else 8,
    )


class Range(NamedTuple):
    """Lowest and highest value that a tensor's scale is made for, and why these."""

    low: float
    high: float
    origin: Origin = "calibrated"


class NoRange(Exception):
    """A tensor that shall be quantized has no usable range; the message names it."""


class _Fix(NamedTuple):
    wish: str
    tensor: str
    low: float | None
    high: float | None


class _Placed(NamedTuple):
    wish: str
    low: float
    high: float


class Ranges:
    """The ranges of one trial.

    Args:
        distributions: what every tensor held, by canonical name.
        flow: the network.
        config: knobs ``calibration.*``, ``quantization.clamp_ranges`` and the fixes.
        scheme: how the engine quantizes activations.

    Raises:
        UserError: a fix names a tensor that does not exist, or two fixes contradict each other.
    """

    def __init__(
        self, distributions: Mapping[str, Distribution], flow: Dataflow, config: Config, scheme: Scheme
    ) -> None:
        self.distributions = distributions
        self.flow = flow
        self.scheme = scheme
        self._observer = config.text("calibration.observer")
        self._percentile = float(config["calibration.percentile"])
        self._decay = float(config["calibration.decay"])
        self._clamps = flow.clamped() if config.flag("quantization.clamp_ranges") else {}
        self._fixes = [
            _Fix(name, flow.trunk(flow.resolve(name)), low, high) for name, (low, high) in config.fixes.items()
        ]
        self._placed: dict[str, _Placed] = {}
        self._at: dict[str, str] = {}
        self._owner: dict[str, str] = {}
        _refuse_contradictions(self._fixes)

    def place(self, groups: Sequence[Sequence[str]]) -> None:
        """Learn which tensors get a scale, and put each fix where it acts.

        Args:
            groups: tensors that share one scale; the first is the one that the engine reads back.

        Raises:
            UserError: two fixes meet on one scale with different ranges.
        """
        self._owner = {tensor: group[0] for group in groups for tensor in group}
        self._placed = {}
        for fix in self._fixes:
            way, low, high = self.flow.way(fix.tensor, self._owner), fix.low, fix.high
            for tensor in way:
                low, high = self._let_through(tensor, low, high)
            target = way[-1]
            if target in self._owner:
                self._put(fix.wish, self._owner[target], target, low, high)

    def _let_through(self, tensor: str, low: float | None, high: float | None) -> tuple[float | None, float | None]:
        """Cut a range to what the activation that *tensor* leaves lets through.

        Nothing lies outside; and ONNX Runtime drops an activation whose range it believes to do the same.
        """
        producer = self.flow.producer(tensor)
        lower, upper = (producer.clamp if producer else None) or (None, None)
        low = low if low is None or lower is None else max(low, lower)
        high = high if high is None or upper is None else min(high, upper)
        return low, high

    def _put(self, wish: str, owner: str, target: str, low: float | None, high: float | None) -> None:
        if low is None or high is None:
            known = self.calibrated(target)
            low, high = known.low if low is None else low, known.high if high is None else high
        if not low < high:
            raise UserError(
                f"The fix on '{wish}' leaves nothing of the range.",
                f"At '{target}', where this engine has a scale, it would be {low:g} to {high:g}.",
                "Give both ends, min below max.",
            )
        other = self._placed.setdefault(owner, _Placed(wish, low, high))
        if (other.low, other.high) != (low, high):
            raise UserError(
                f"The fixes of '{other.wish}' and '{wish}' contradict each other.",
                f"This engine gives both one scale, that of '{owner}'.",
                "Give both the same range, or leave one out.",
            )
        self._at[wish] = owner

    def of(self, tensors: Sequence[str]) -> Range:
        """Return the range for tensors that share a scale: the fix, or the union of what is known of them.

        Raises:
            NoRange: calibration never reached one of them, or met values that are not finite.
        """
        for tensor in tensors:
            if fix := self._placed.get(self._owner.get(tensor, tensor)):
                return Range(fix.low, fix.high, "fixed")
        found = [self.calibrated(tensor) for tensor in tensors]
        low, high = min(one.low for one in found), max(one.high for one in found)
        return Range(low, high, "clamped" if any(one.origin == "clamped" for one in found) else "calibrated")

    def calibrated(self, tensor: str) -> Range:
        """Return the range of one tensor without fixes.

        Raises:
            NoRange: see :meth:`of`.
        """
        seen = self.seen(tensor)
        low, high = observed_range(
            seen, self._observer, scheme=self.scheme, percentile=self._percentile, decay=self._decay
        )
        if (bounds := self._clamps.get(tensor)) is not None:
            cut = clamped(low, high, *bounds)
            if cut != (low, high):
                return Range(*cut, "clamped")
        return Range(low, high)

    def seen(self, tensor: str) -> Distribution:
        """Return what calibration saw of one tensor.

        Raises:
            NoRange: see :meth:`of`.
        """
        seen = self.distributions.get(tensor)
        if seen is None or not seen.count:
            raise NoRange(f"Calibration never reached {tensor}: no range is known there.")
        if seen.nans or seen.infs:
            raise NoRange(f"Calibration saw values that are not finite in {tensor}.")
        return seen

    def states(self, read_back: Sequence[TensorRange]) -> list[FixState]:
        """Return what became of each fix, by the scales found in the converted model.

        Args:
            read_back: scale and zero point by the tensor's canonical name.
        """
        scales = {entry.tensor: entry for entry in read_back}
        states = []
        for fix in self._fixes:
            owner = self._at.get(fix.wish)
            entry = scales.get(owner) if owner else None
            if owner is None or entry is None or entry.scale is None:
                states.append(FixState(tensor=fix.wish, state="not quantized by this engine"))
                continue
            placed = self._placed[owner]
            right = self._obeyed(entry, placed.low, placed.high)
            note = f"acts at {owner}" if owner != fix.wish else ""
            if not right:
                scale, zero_point = scale_of(placed.low, placed.high, self.scheme)
                note = (
                    f"the engine has the scale {entry.scale:.6g} with zero point {entry.zero_point}, "
                    f"the fix asks for {scale:.6g} with {zero_point}"
                )
            states.append(
                FixState(
                    tensor=fix.wish, state="applied" if right else "refused", scale=entry.scale,
                    zero_point=entry.zero_point, acts_on=owner, note=note,
                )
            )  # fmt: skip
        return states

    def _obeyed(self, entry: TensorRange, low: float, high: float) -> bool:
        """Whether *entry* has the scale of low..high; libraries round a zero point halfway between two either way."""
        scale, zero_point = scale_of(low, high, self.scheme)
        if entry.scale is None or entry.zero_point is None or abs(entry.scale - scale) > TOLERANCE * scale:
            return False
        if entry.zero_point == zero_point or self.scheme.symmetric:
            return entry.zero_point == zero_point
        return abs(self.scheme.qmin - min(low, 0.0) / scale - entry.zero_point) <= 0.5 + _HALFWAY


def _refuse_contradictions(fixes: Sequence[_Fix]) -> None:
    by_tensor: dict[str, _Fix] = {}
    for fix in fixes:
        other = by_tensor.setdefault(fix.tensor, fix)
        if (other.low, other.high) != (fix.low, fix.high):
            raise UserError(
                f"The fixes of '{other.wish}' and '{fix.wish}' contradict each other.",
                f"Both name the tensor '{fix.tensor}'.",
                "Leave one of them out.",
            )

"""The slices of one output, each judged by its own size: what averages over the whole output hide.

A detector may return pixel coordinates and scores in one tensor, of which one scale keeps only the former; the
cosine over all stays 1. Used by :mod:`workbench.core.accuracy`. Streaming: per slice some sums are kept, so memory
is that of one output, whatever the number of samples.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from workbench.core.outputs import SQNR_CAP, Floats, sqnr_db

LEAST_VALUES = 16
"""So many values must lie in a slice before being constant is more than coarse rounding of a few."""
LEAST_VARIATION = 1e-5
"""A slice varies in FP32 if its range is above this share of the output's largest value…"""
LEAST_PROBABILITY = 0.05
"""…or above this where the slice lies within 0..1: there a class that never occurs may round to 0."""

LEAST_MOVE = 0.02
"""FP32 tells samples apart if they differ by this share of its range: several steps of 8 bit."""

COARSE_DB = 10.0
"""A slice is coarse if its own SQNR is below this (a cosine of about 0.95)…"""
COARSE_BEHIND_DB = 10.0
"""…and this far behind that of the whole output: else the average tells it already."""
COARSE_SPREAD = 0.1
"""A slice is coarse too if its error exceeds its variation, where its range is above this share of its peak."""
COARSE_SHARE = 0.05
"""So many of the slices must be coarse: a faint channel or two among hundreds of features is usual in 8 bit."""


class SliceAccuracy(msgspec.Struct, frozen=True, kw_only=True):
    """The slice with the worst SQNR of those that vary in FP32: *index* along *axis* of the output."""

    axis: int
    index: int
    cosine: float
    sqnr_db: float


class _Sums:
    """Extremes and energies of each slice along one axis, FP32 and candidate, and the values per slice so far."""

    def __init__(self, axis: int, length: int) -> None:
        self.axis, self.length = axis, length
        self.low = np.full((2, length), np.inf)
        self.high = np.full((2, length), -np.inf)
        self.total, self.signal, self.candidate, self.product, self.noise = np.zeros((5, length))
        self.values = 0

    def add(self, reference: Floats, candidate: Floats) -> None:
        others = tuple(axis for axis in range(reference.ndim) if axis != self.axis)
        for side, array in enumerate((reference, candidate)):
            self.low[side] = np.minimum(self.low[side], array.min(axis=others))
            self.high[side] = np.maximum(self.high[side], array.max(axis=others))
        self.total += reference.sum(axis=others)
        self.signal += np.square(reference).sum(axis=others)
        self.candidate += np.square(candidate).sum(axis=others)
        self.product += (reference * candidate).sum(axis=others)
        self.noise += np.square(candidate - reference).sum(axis=others)
        self.values += reference.size // self.length

    def varying(self, least: float) -> npt.NDArray[np.bool_]:
        """Return which slices vary in FP32 by more than *least*, or by a probability that counts."""
        low, high = self.low[0], self.high[0]
        shares = (low >= 0) & (high <= 1)
        return np.asarray((high - low) > np.where(shares, max(least, LEAST_PROBABILITY), least))

    def constant(self) -> npt.NDArray[np.bool_]:
        """Return which slices are constant in the candidate."""
        return np.asarray(self.high[1] == self.low[1])

    def sqnr(self) -> Floats:
        """Return the SQNR of each slice in dB."""
        pairs = zip(self.signal, self.noise, strict=True)
        return np.array([sqnr_db(float(signal), float(noise)) for signal, noise in pairs])

    def coarse(self, whole_db: float) -> npt.NDArray[np.bool_]:
        """Return which slices are coarse, measured by themselves and against the whole output's SQNR."""
        sqnr = self.sqnr()
        variation = self.signal - self.total**2 / self.values
        peak = np.abs([self.low[0], self.high[0]]).max(axis=0)
        drowned = (self.noise > variation) & (self.high[0] - self.low[0] > COARSE_SPREAD * peak)
        return np.asarray(((sqnr < COARSE_DB) | drowned) & (sqnr < whole_db - COARSE_BEHIND_DB))

    def accuracy(self, index: int) -> SliceAccuracy:
        """Return the figures of one slice."""
        norm = float(np.sqrt(self.signal[index]) * np.sqrt(self.candidate[index]))
        cosine = float(self.product[index]) / norm if norm > 0 else float(self.noise[index] == 0)
        return SliceAccuracy(
            axis=self.axis,
            index=index,
            cosine=max(-1.0, min(1.0, cosine)),
            sqnr_db=sqnr_db(float(self.signal[index]), float(self.noise[index])),
        )


class Slices:
    """Judges one output leaf slice by slice, over all samples.

    Two axes are looked at, where a leaf has three or more: 1 (channels first, as in (N, 84, 8400)) and
    the last (channels last, as in (N, 8400, 85)). A leaf of any shape is also looked at as a whole. The
    classes of a two-dimensional leaf are not slices: after a softmax most classes rightly round to zero.
    An axis whose length changes between samples is skipped.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._axes: dict[int, _Sums] | None = None
        self._whole = _Sums(0, 1)
        self._first: tuple[Floats, Floats] | None = None
        self._moved = [0.0, 0.0]
        self._samples = 0

    def add(self, reference: Floats, candidate: Floats) -> None:
        """Take one sample's leaf from both sides, of equal shape and finite."""
        if reference.size == 0:
            return
        self._samples += 1
        self._whole.add(reference.reshape(1, -1), candidate.reshape(1, -1))
        if self._first is None:
            self._first = (reference, candidate)
        else:
            for side, array in enumerate((reference, candidate)):
                before = self._first[side]
                moved = float(np.abs(array - before).max()) if array.shape == before.shape else np.inf
                self._moved[side] = max(self._moved[side], moved)
        lengths = {axis: reference.shape[axis] for axis in {1, reference.ndim - 1}} if reference.ndim >= 3 else {}
        if self._axes is None:
            self._axes = {axis: _Sums(axis, length) for axis, length in lengths.items()}
        for axis in list(self._axes):
            if lengths.get(axis) != self._axes[axis].length:
                del self._axes[axis]
            else:
                self._axes[axis].add(reference, candidate)

    def worst(self) -> SliceAccuracy | None:
        """Return the slice with the lowest SQNR of those that vary in FP32; None without such slices."""
        found = []
        for sums in self._judged():
            sqnr = np.where(sums.varying(self._least()), sums.sqnr(), np.inf)
            if np.isfinite(sqnr).any():
                found.append(sums.accuracy(int(sqnr.argmin())))
        return min(found, key=lambda slice_: slice_.sqnr_db, default=None)

    def failures(self) -> list[str]:
        """Return each finding in words; empty where all is well."""
        if self._samples == 0:
            return []
        whole = self._whole
        low, high = float(whole.low[0, 0]), float(whole.high[0, 0])
        if whole.values >= LEAST_VALUES and bool(whole.constant()[0] & whole.varying(self._least())[0]):
            value = whole.low[1, 0]
            return [f"output '{self.name}' is {value:g} everywhere, where FP32 ranges from {low:g} to {high:g}"]
        moves = max(self._least(), LEAST_MOVE * (high - low), LEAST_PROBABILITY if low >= 0 and high <= 1 else 0.0)
        if self._samples >= 3 and self._moved[1] == 0 and self._moved[0] > moves:
            return [f"output '{self.name}' is the same for every sample, where FP32 is not"]
        found = []
        for sums in self._judged():
            varying = sums.varying(self._least())
            dead = varying & sums.constant()
            coarse = varying & ~dead & sums.coarse(float(whole.sqnr()[0]))
            if dead.any():
                found.append(
                    f"output '{self.name}': {_listed(dead)} along axis {sums.axis} "
                    f"{'is' if dead.sum() == 1 else 'are'} constant, where FP32 varies; a scale shared with larger "
                    "values rounds them away"
                )
            if coarse.sum() >= COARSE_SHARE * sums.length:
                found.append(self._coarse_in_words(sums, coarse))
        return found

    def _coarse_in_words(self, sums: _Sums, coarse: npt.NDArray[np.bool_]) -> str:
        worst = sums.accuracy(int(np.where(coarse, sums.sqnr(), SQNR_CAP + 1).argmin()))
        return (
            f"output '{self.name}': {_listed(coarse)} along axis {sums.axis} {'is' if coarse.sum() == 1 else 'are'} "
            f"mostly rounding noise (worst: slice {worst.index}, cosine {worst.cosine:.3f}, {worst.sqnr_db:.1f} dB, "
            f"while the whole output has {self._whole.sqnr()[0]:.1f} dB); a scale shared with larger values is too "
            "coarse for them"
        )

    def _judged(self) -> list[_Sums]:
        return [sums for _, sums in sorted((self._axes or {}).items()) if sums.values >= LEAST_VALUES]

    def _least(self) -> float:
        return LEAST_VARIATION * float(np.abs([self._whole.low[0, 0], self._whole.high[0, 0]]).max())


def _listed(chosen: npt.NDArray[np.bool_]) -> str:
    """Return ``slice 4 of 6`` or ``slices 4–83 of 84`` or ``slices 1, 5, 9 and 20 more of 64``."""
    indexes = [int(index) for index in np.flatnonzero(chosen)]
    of = f" of {len(chosen)}"
    if len(indexes) == 1:
        return f"slice {indexes[0]}{of}"
    if len(indexes) > 2 and indexes[-1] - indexes[0] == len(indexes) - 1:
        return f"slices {indexes[0]}–{indexes[-1]}{of}"
    shown = ", ".join(str(index) for index in indexes[:6])
    return f"slices {shown}" + (f" and {len(indexes) - 6} more" if len(indexes) > 6 else "") + of

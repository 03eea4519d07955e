"""What one tensor's values looked like over all samples: extremes, exact zeros, and a histogram of 2,048 bins.

One pass, constant memory, and the same record whatever the order of the values. The trick is to let bins
lie on whole multiples of a width that is a power of two: bin = ⌊x / width⌋ − first. Scaling by a power of
two is exact, and so is merging two neighbours when a value falls outside and the width must double. The
record therefore equals the histogram one would make afterwards, knowing the range (torch's
``HistogramObserver`` instead spreads old bins over new ones, which blurs and depends on the order).

Each bin also keeps the mean of its values: grey values, a clamp's limit and tensors of few values repeat, or lie in a
bin by themselves, and whoever takes them as spread over the bin misjudges the error of a range by a third.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

BINS = 2048

_BINS_BITS = BINS.bit_length() - 1
_CHUNK = 1 << 15  # float64 and int64 of one chunk stay in the second-level cache
_FLOAT32_BITS = 24  # of the significand: a finer bin would tell no two float32 values apart
_LEAST_EXPONENT = -149  # of the smallest float32 above zero


class Distribution(msgspec.Struct, frozen=True, kw_only=True):
    """The finished record of one tensor, in the tensor's own unit.

    Travels as MessagePack; JSON knows no infinities, which stand for "nothing seen" here.

    Attributes:
        count: all values seen, also those that are not finite.
        samples: how often values were added (pictures).
        zeros: values that are exactly 0; they lie in the histogram too.
        nans: values that are not a number; not in the histogram.
        infs: infinities of both signs; not in the histogram.
        minimum: smallest finite value; ``inf`` when there was none.
        maximum: largest finite value; ``-inf`` when there was none.
        low: left edge of bin 0, a multiple of *width*.
        width: of a bin, a power of two.
        counts: ``BINS`` little-endian int64.
        places: ``BINS`` bytes: where in its bin the mean of the values other than 0 lies, in 255ths of the width.
        sample_min: smallest finite value of each sample, in order; ``inf`` when it had none.
        sample_max: largest finite value of each sample; ``-inf`` when it had none.
    """

    count: int
    samples: int
    zeros: int
    nans: int
    infs: int
    minimum: float
    maximum: float
    low: float
    width: float
    counts: bytes
    places: bytes
    sample_min: list[float]
    sample_max: list[float]

    @property
    def finite(self) -> int:
        """Values in the histogram."""
        return self.count - self.nans - self.infs

    @property
    def seen(self) -> bool:
        """Whether there is anything to tell a range from."""
        return self.finite > 0

    def histogram(self) -> npt.NDArray[np.int64]:
        """Return the counts, shape (BINS,); bin *i* holds low + i·width ≤ x < low + (i + 1)·width."""
        return np.frombuffer(self.counts, dtype="<i8").astype(np.int64)

    def edges(self) -> npt.NDArray[np.float64]:
        """Return the edges of the bins, shape (BINS + 1,)."""
        return self.low + self.width * np.arange(BINS + 1, dtype=np.float64)

    def means(self) -> npt.NDArray[np.float64]:
        """Return the mean of the values other than 0 in each bin, to a 500th of its width, shape (BINS,)."""
        return self.edges()[:-1] + self.width / 255 * np.frombuffer(self.places, dtype=np.uint8)

    def percentile(self, percent: float) -> float:
        """Return the value below which *percent* (0..100) of all finite values lie.

        Interpolated within the bin, where exact zeros count as zeros and not as spread over it.

        Raises:
            ValueError: nothing was seen, or *percent* lies outside 0..100.
        """
        if not self.seen:
            raise ValueError("a percentile of no values")
        if not 0 <= percent <= 100:
            raise ValueError(f"a percentile lies within 0..100, not {percent}")
        counts = self.histogram()
        rank = percent / 100 * self.finite
        cumulated = np.cumsum(counts)
        index = int(np.searchsorted(cumulated, rank))
        inside = rank - float(cumulated[index] - counts[index])
        left = self.low + index * self.width
        atoms = self.zeros if left == 0 else 0
        spread = int(counts[index]) - atoms
        share = max(inside - atoms, 0.0) / spread if spread else 0.0
        return min(max(left + share * self.width, self.minimum), self.maximum)


class Collector:
    """Takes a tensor's values sample by sample and answers with a :class:`Distribution`."""

    def __init__(self) -> None:
        self._count = self._zeros = self._nans = self._infs = 0
        self._low, self._high = math.inf, -math.inf
        self._exponent, self._first = _LEAST_EXPONENT, 0
        self._counts = np.zeros(BINS, np.int64)
        self._sums = np.zeros(BINS)  # of places in the bin, 0 to 1
        self._sample_min: list[float] = []
        self._sample_max: list[float] = []

    def add(self, values: np.ndarray[Any, Any]) -> None:
        """Take all values of one sample, of any shape and any real dtype."""
        flat = np.asarray(values).ravel(order="K")  # memory order: no copy of a channels-last tensor
        low, high = math.inf, -math.inf
        for start in range(0, flat.size, _CHUNK):
            part_low, part_high = self._take(flat[start : start + _CHUNK])
            low, high = min(low, part_low), max(high, part_high)
        self._count += flat.size
        self._sample_min.append(low)
        self._sample_max.append(high)

    def result(self) -> Distribution:
        """Return the record of everything added so far; more may be added afterwards."""
        width = math.ldexp(1.0, self._exponent)
        others = self._counts.copy()
        if self._low <= 0 <= self._high:
            others[-self._first] -= self._zeros
        places = np.divide(self._sums, others, out=np.zeros(BINS), where=others > 0)
        return Distribution(
            count=self._count,
            samples=len(self._sample_min),
            zeros=self._zeros,
            nans=self._nans,
            infs=self._infs,
            minimum=self._low,
            maximum=self._high,
            low=self._first * width,
            width=width,
            counts=self._counts.astype("<i8").tobytes(),
            places=np.rint(places * 255).astype(np.uint8).tobytes(),
            sample_min=list(self._sample_min),
            sample_max=list(self._sample_max),
        )

    def _take(self, part: np.ndarray[Any, Any]) -> tuple[float, float]:
        # float64 throughout: there x / width is exact for every float32, also for the smallest ones.
        values = part.astype(np.float64)
        low, high = float(values.min()), float(values.max())
        if not (math.isfinite(low) and math.isfinite(high)):
            self._nans += int(np.isnan(values).sum())
            self._infs += int(np.isinf(values).sum())
            values = values[np.isfinite(values)]
            if not values.size:
                return math.inf, -math.inf
            low, high = float(values.min()), float(values.max())
        low, high = low + 0.0, high + 0.0  # no minus zero in a record
        if low <= 0 <= high:
            self._zeros += values.size - int(np.count_nonzero(values))
        if low < self._low or high > self._high:
            self._widen(min(low, self._low), max(high, self._high))
        np.multiply(values, math.ldexp(1.0, -self._exponent), out=values)
        floors = np.floor(values)
        np.subtract(values, floors, out=values)
        np.subtract(floors, self._first, out=floors)
        bins = floors.astype(np.int64)
        self._counts += np.bincount(bins, minlength=BINS)
        self._sums += np.bincount(bins, values, minlength=BINS)
        return low, high

    def _widen(self, low: float, high: float) -> None:
        exponent = _exponent(low, high)
        first = math.floor(math.ldexp(low, -exponent))
        filled = np.flatnonzero(self._counts)
        if filled.size:
            shift = exponent - self._exponent
            old = filled + self._first
            new = old >> shift
            begin = np.ldexp(old.astype(np.float64), -shift) - new  # of the old bin in the new one
            counts, sums = np.zeros(BINS, np.int64), np.zeros(BINS)
            np.add.at(counts, new - first, self._counts[filled])
            np.add.at(sums, new - first, self._counts[filled] * begin + np.ldexp(self._sums[filled], -shift))
            self._counts, self._sums = counts, sums
        self._low, self._high, self._exponent, self._first = low, high, exponent, first


def _exponent(low: float, high: float) -> int:
    """Return the exponent of the smallest bin width with which low..high fits into ``BINS`` bins.

    It never shrinks as the range grows, so the order in which the range grew does not matter.
    """
    largest = max(abs(low), abs(high))
    half = high / 2 - low / 2  # half of the span, because the whole may exceed float64
    exponent = _LEAST_EXPONENT
    if largest > 0:
        exponent = max(exponent, math.frexp(largest)[1] - _FLOAT32_BITS)
    if half > 0:
        exponent = max(exponent, math.frexp(half)[1] - _BINS_BITS)
    while math.floor(math.ldexp(high, -exponent)) - math.floor(math.ldexp(low, -exponent)) >= BINS:
        exponent += 1
    return exponent


def weight_distribution(weight: np.ndarray[Any, Any]) -> Distribution:
    """Return the record of one weight tensor, as a single sample."""
    collector = Collector()
    collector.add(weight)
    return collector.result()


def channel_ranges(weight: np.ndarray[Any, Any], axis: int = 0) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return minimum and maximum of each channel, both of shape (channels,) and the weight's dtype.

    Args:
        weight: as PyTorch lays it out: (out, in, …) for convolution and linear.
        axis: the output channels; 1 for transposed convolutions.

    Raises:
        ValueError: channels without any value.
    """
    rows = np.moveaxis(np.asarray(weight), axis, 0)
    rows = rows.reshape(rows.shape[0], -1)
    if rows.shape[1] == 0:
        raise ValueError(f"channels of a weight of shape {np.shape(weight)} hold no values")
    return rows.min(axis=1), rows.max(axis=1)

"""Arithmetic of 8-bit scales: range ↔ scale and zero point, and the error a range causes.

A value x becomes the level q = clip(round(x / s) + z, qmin, qmax) and comes back as (q − z)·s. Everything
here is computed from a :class:`~workbench.core.distribution.Distribution` alone, so that moving a handle
on a histogram answers at once, without the model. :mod:`workbench.core.observers` suggests ranges.

Scale and zero point follow torch.ao's ``UniformQuantizationObserverBase._calculate_qparams`` bit for bit
(float32), because that is what torch and IPEX will do with the range.

The expected error integrates (x − Q(x))² exactly over what the record tells: the values of a bin lie evenly
around their mean, so that grey values or a clamp's limit, which repeat, stay the single values that they are. Within
one level c the integral is M₂ − 2·c·M₁ + c²·M₀, of the moments between the level's edges; moments of everything below
any x are read off cumulated ones. It holds for bins narrower than a step as for bins of many steps. Torch's
``HistogramObserver`` takes values as spread over their bin, and the grid as if no zero point were rounded.

Last, where integer arithmetic leaves its range: int16 pair sums without VNNI, int32 biases.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from workbench.core.distribution import Distribution

Floats = npt.NDArray[np.float64]
Bounds = tuple[float | None, float | None]
OPEN: Bounds = (None, None)

SQNR_CAP = 200.0
EPS = float(np.finfo(np.float32).eps)
"""The smallest scale, as in torch.ao's observers."""

CURVE_END = 1 / 128
"""The narrowest range of an error curve, as a share of the full one."""

_INT16, _INT32 = np.iinfo(np.int16), np.iinfo(np.int32)
_BLOCK = 64  # ranges evaluated at once: their intermediate arrays stay in the second-level cache


class Scheme(msgspec.Struct, frozen=True):
    """How a tensor is quantized.

    Attributes:
        signed: int8 instead of uint8.
        symmetric: the zero point is the middle, and the range is as wide on both sides of 0.
        bits: 8, or 7 where CPUs without VNNI would overflow (torch's ``reduce_range``).
    """

    signed: bool = False
    symmetric: bool = False
    bits: int = 8

    @property
    def qmin(self) -> int:
        """The lowest level: 0, -128 or -64."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def qmax(self) -> int:
        """The highest level: 255, 127 or 63."""
        return self.qmin + (1 << self.bits) - 1

    @property
    def middle(self) -> int:
        """The zero point of a symmetric scheme."""
        return 0 if self.signed else 1 << (self.bits - 1)


def scale_of(low: float, high: float, scheme: Scheme) -> tuple[float, int]:
    """Return scale (exactly a float32) and zero point for the range low..high.

    The range is widened to include 0. Affine: s = (high − low) / (qmax − qmin), z = qmin − round(low / s)
    within qmin..qmax. Symmetric: s = max(|low|, |high|) / ((qmax − qmin) / 2), z in the middle. At least
    ``EPS``. Source: torch.ao, ``UniformQuantizationObserverBase._calculate_qparams``.

    Raises:
        ValueError: a limit that float32 cannot hold, or low > high.
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError(f"a range must be finite, not {low}..{high}")
    if low > high:
        raise ValueError(f"the range {low}..{high} ends before it begins")
    scales, zero_points = scales_of(np.array([low]), np.array([high]), scheme)
    if not np.isfinite(scales[0]):
        raise ValueError(f"the range {low}..{high} is too wide for float32")
    return float(scales[0]), int(zero_points[0])


def scales_of(lows: Floats, highs: Floats, scheme: Scheme) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Return what :func:`scale_of` says for many valid ranges at once, without its checks."""
    with np.errstate(over="ignore", invalid="ignore"):
        low = np.minimum(lows.astype(np.float32), np.float32(0))
        high = np.maximum(highs.astype(np.float32), np.float32(0))
        levels = np.float32(scheme.qmax - scheme.qmin)
        if scheme.symmetric:
            scales = np.maximum(np.maximum(-low, high) / (levels / np.float32(2)), np.float32(EPS))
            return scales, np.full(scales.shape, scheme.middle, np.int64)
        scales = np.maximum((high - low) / levels, np.float32(EPS))
        zero_points = scheme.qmin - np.nan_to_num(np.rint(low / scales)).astype(np.int64)
    return scales, np.clip(zero_points, scheme.qmin, scheme.qmax)


def range_of(scale: float, zero_point: int, scheme: Scheme) -> tuple[float, float]:
    """Return the values of the lowest and the highest level."""
    return (scheme.qmin - zero_point) * scale, (scheme.qmax - zero_point) * scale


def fake_quantize(
    values: npt.ArrayLike, scale: npt.ArrayLike, zero_point: npt.ArrayLike, scheme: Scheme
) -> npt.NDArray[np.float32]:
    """Return *values* as they come back from their levels, float32, same shape; NaN stays NaN.

    *scale* and *zero_point* may be arrays that broadcast against *values* (per channel). Multiplies by the
    inverse scale and rounds half to even, as ``torch.fake_quantize_per_tensor_affine`` does.
    """
    scales, zeros = np.asarray(scale, np.float32), np.asarray(zero_point, np.float32)
    with np.errstate(over="ignore"):
        levels = np.rint(np.asarray(values, np.float32) * (np.float32(1) / scales)) + zeros
    result: npt.NDArray[np.float32] = (np.clip(levels, scheme.qmin, scheme.qmax) - zeros) * scales
    return result


class ExpectedError(msgspec.Struct, frozen=True):
    """Mean squared error per finite value, in the tensor's unit squared.

    Attributes:
        clipping: from values whose level does not exist: more than half a step outside the range.
        rounding: from all other values; exact zeros have none.
        sqnr_db: mean square of the values over that of the error, within ±200 dB.
    """

    clipping: float
    rounding: float
    sqnr_db: float

    @property
    def mse(self) -> float:
        """Both together."""
        return self.clipping + self.rounding


class ErrorCurve(msgspec.Struct, frozen=True):
    """Error over the width of the range; the first point is the full range, the last the narrowest.

    Attributes:
        clipping, rounding: the parts of *mse*.
        sqnr: of *mse*, in dB.
    """

    lows: list[float]
    highs: list[float]
    clipping: list[float]
    rounding: list[float]
    mse: list[float]
    sqnr: list[float]


def expected_error(d: Distribution, low: float, high: float, scheme: Scheme) -> ExpectedError:
    """Return the error that quantizing to low..high causes, from the histogram alone.

    Raises:
        ValueError: nothing was seen, or the range is impossible.
    """
    scale, zero_point = scale_of(low, high, scheme)
    pieces = Pieces.of(d)
    clipping, rounding = pieces.errors(np.array([scale]), np.array([zero_point]), scheme)
    sqnr = float(pieces.sqnr(clipping + rounding)[0])
    return ExpectedError(clipping=float(clipping[0]), rounding=float(rounding[0]), sqnr_db=sqnr)


def error_curve(d: Distribution, scheme: Scheme, points: int = 64, bounds: Bounds = OPEN) -> ErrorCurve:
    """Return the error of ranges that shrink from the full one inwards, both ends by the same share.

    The shares are spaced evenly in their logarithm, because the best range of a heavy-tailed tensor is a
    small part of the full one.

    Args:
        bounds: what the next operation lets through: what lies outside is no error.

    Raises:
        ValueError: nothing was seen.
    """
    pieces = Pieces.of(d).let_through(*bounds)
    low, high = full_range(d, scheme, bounds)
    shares = np.geomspace(1.0, CURVE_END, points)
    lows, highs = low * shares, high * shares
    clipping, rounding = pieces.errors(*scales_of(lows, highs, scheme), scheme)
    mse = clipping + rounding
    values = (lows, highs, clipping, rounding, mse, pieces.sqnr(mse))
    return ErrorCurve(*(array.tolist() for array in values))


def full_range(d: Distribution, scheme: Scheme, bounds: Bounds = OPEN) -> tuple[float, float]:
    """Return everything seen within *bounds*, widened to include 0; as wide on both sides for a symmetric scheme."""
    low, high = clamped(d.minimum, d.maximum, *bounds)
    low, high = min(low, 0.0), max(high, 0.0)
    if scheme.symmetric:
        high = max(-low, high)
        low = -high
    return low, high


class Pieces(msgspec.Struct, frozen=True):
    """A distribution as intervals of evenly spread values, without its exact zeros.

    Attributes:
        left, right: ends of the intervals, in order, which do not overlap; equal for a single value. Shape (n,).
        shares: of all finite values.
        zeros: share of exact zeros, which have no error.
        moments: shares, means and mean squares of all intervals before each, shape (3, n + 1).
    """

    left: Floats
    right: Floats
    shares: Floats
    zeros: float
    moments: Floats

    @classmethod
    def of(cls, d: Distribution) -> Pieces:
        """Take *d* apart.

        Raises:
            ValueError: nothing was seen.
        """
        if not d.seen:
            raise ValueError("no values were seen, so no range has an error")
        counts = d.histogram().astype(np.float64)
        if d.minimum <= 0 <= d.maximum:
            counts[round(-d.low / d.width)] -= d.zeros
        filled = np.flatnonzero(counts)
        edges = d.edges()
        first = np.maximum(edges[filled], d.minimum)
        last = np.minimum(edges[filled + 1], d.maximum)
        means = np.clip(d.means()[filled], first, last)
        half = np.minimum(means - first, last - means)
        return cls._made(means - half, means + half, counts[filled] / d.finite, d.zeros / d.finite)

    @classmethod
    def _made(cls, left: Floats, right: Floats, shares: Floats, zeros: float) -> Pieces:
        middle = (left + right) / 2
        squares = middle * middle + (right - left) ** 2 / 12
        moments = np.zeros((3, shares.size + 1))
        np.cumsum([shares, shares * middle, shares * squares], axis=1, out=moments[:, 1:])
        return cls(left, right, shares, zeros, moments)

    @property
    def power(self) -> float:
        """Mean square of all values."""
        return float(self.moments[2, -1])

    def let_through(self, lower: float | None, upper: float | None) -> Pieces:
        """Return what the next operation makes of it, which lets only *lower*..*upper* through.

        Whatever lies outside becomes a single value at the bound; None is no bound.
        """
        pieces = self
        for bound in (lower, upper):
            if bound is not None:
                pieces = pieces._cut(bound)
        bottom = -math.inf if lower is None else lower
        top = math.inf if upper is None else upper
        left, right = np.clip(pieces.left, bottom, top), np.clip(pieces.right, bottom, top)
        shares, zeros = pieces.shares, self.zeros
        if not bottom <= 0 <= top:
            place, at = (0, bottom) if bottom > 0 else (left.size, top)
            left, right, shares = (
                np.insert(array, place, one) for array, one in ((left, at), (right, at), (shares, zeros))
            )
            zeros = 0.0
        return self._made(left, right, shares, zeros)

    def _cut(self, at: float) -> Pieces:
        """Return the same with the interval around *at* in two."""
        index = int(np.searchsorted(self.right, at))
        if index == self.right.size or not self.left[index] < at < self.right[index]:
            return self
        part = self.shares[index] * (at - self.left[index]) / (self.right[index] - self.left[index])
        left, right = np.insert(self.left, index + 1, at), np.insert(self.right, index, at)
        shares = np.insert(self.shares, index, part)
        shares[index + 1] -= part
        return self._made(left, right, shares, self.zeros)

    def errors(self, scales: npt.ArrayLike, zero_points: npt.ArrayLike, scheme: Scheme) -> tuple[Floats, Floats]:
        """Return clipping and rounding error for each of k quantizers, both of shape (k,)."""
        steps = np.asarray(scales, np.float64)
        lowest = scheme.qmin - np.asarray(zero_points, np.float64)
        clipping, rounding = np.empty(steps.size), np.empty(steps.size)
        count = scheme.qmax - scheme.qmin + 1
        for start in range(0, steps.size, _BLOCK):
            block = slice(start, start + _BLOCK)
            s = steps[block, None]
            levels = lowest[block, None] + np.arange(count)
            below = self._below(np.concatenate([levels - 0.5, levels[:, -1:] + 0.5], axis=1) * s)
            levels *= s
            rounding[block] = _squares(np.diff(below, axis=2), levels).sum(axis=1)
            ends = np.stack([below[:, :, 0], self.moments[:, -1:] - below[:, :, -1]], axis=2)
            clipping[block] = _squares(ends, levels[:, [0, -1]]).sum(axis=1)
        return clipping, rounding

    def _below(self, x: Floats) -> Floats:
        """Return the moments of all values below *x*, shape (3, …)."""
        if not self.right.size:
            return np.zeros((3, *x.shape))
        index = np.searchsorted(self.right, x)
        inside = np.minimum(index, self.right.size - 1)
        left = self.left[inside]
        width = np.clip(x - left, 0.0, None)
        width[index == self.right.size] = 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(width > 0, self.shares[inside] * width / (self.right[inside] - left), 0.0)
        middle = left + width / 2
        found = self.moments[:, index]
        found[0] += share
        found[1] += share * middle
        found[2] += share * (middle * middle + width * width / 12)
        return found

    def mse(self, lows: Floats, highs: Floats, scheme: Scheme) -> Floats:
        """Return the mean squared error of many ranges, shape (k,)."""
        clipping, rounding = self.errors(*scales_of(lows, highs, scheme), scheme)
        return clipping + rounding

    def sqnr(self, mse: Floats) -> Floats:
        """Return the signal-to-quantization-noise ratio in dB, within ±``SQNR_CAP``."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio: Floats = 10 * np.log10(self.power / mse)
        ratio[mse == 0] = SQNR_CAP
        return ratio.clip(-SQNR_CAP, SQNR_CAP)


def _squares(moments: Floats, levels: Floats) -> Floats:
    """Return the integral of (x − level)², which is never below 0 but for the rounding of large moments."""
    squares: Floats = np.maximum(moments[2] - levels * (2 * moments[1] - levels * moments[0]), 0.0)
    return squares


def clamped(low: float, high: float, lower: float | None, upper: float | None) -> tuple[float, float]:
    """Return the part of low..high that the next operation lets through (0..6 for a ReLU6).

    A bound of ``None`` does not exist. Where nothing gets through, both limits are the bound that all
    values end on: the result is never empty.

    Raises:
        ValueError: the bounds or the range are the wrong way round.
    """
    bottom = -math.inf if lower is None else lower
    top = math.inf if upper is None else upper
    if low > high or bottom > top:
        raise ValueError(f"the range {low}..{high} cannot be clamped to {lower}..{upper}")
    return min(max(low, bottom), top), min(max(high, bottom), top)


class PairSumOverflow(msgspec.Struct, frozen=True):
    """Output channels in which a sum of two products can leave int16, in the worst case of activations.

    Attributes:
        channels: all output channels.
        adjacent: those where neighbours (2i, 2i + 1) in the order given can; what the kernel really adds,
            if that order is the kernel's.
        any_order: those where the two largest weights of one sign would; nothing can overflow in others,
            however a kernel packs them.
    """

    channels: int
    adjacent: int
    any_order: int


def pair_sum_overflow(weights_int8: npt.NDArray[np.int8], activation_max: int) -> PairSumOverflow:
    """Count the channels that can saturate in ``vpmaddubsw``.

    CPUs without VNNI multiply u8 activations by s8 weights with ``vpmaddubsw``, which adds two neighbouring
    products in int16 and saturates silently: 255·127·2 = 64,770 does not fit in 32,767, 127·127·2 does.
    Source: Intel's instruction reference; it is why torch has ``reduce_range``.

    Args:
        weights_int8: shape (out channels, K), in the order in which the kernel walks them.
        activation_max: the largest level of the unsigned activations: 255 or 127.
    """
    weights = np.asarray(weights_int8).astype(np.int32)
    weights = np.pad(weights, ((0, 0), (0, weights.shape[1] % 2)))
    positive, negative = np.maximum(weights, 0), np.minimum(weights, 0)

    def overflows(highest: npt.NDArray[np.int32], lowest: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        return (highest * activation_max > _INT16.max) | (lowest * activation_max < _INT16.min)

    pairs = overflows(positive[:, ::2] + positive[:, 1::2], negative[:, ::2] + negative[:, 1::2])
    positive.partition(-2, axis=1)
    negative.partition(1, axis=1)
    worst = overflows(positive[:, -2:].sum(axis=1), negative[:, :2].sum(axis=1))
    return PairSumOverflow(len(weights), int(pairs.any(axis=1).sum()), int(worst.sum()))


def bias_overflow(bias: npt.ArrayLike, input_scale: float, weight_scale: npt.ArrayLike) -> int:
    """Return in how many channels the bias does not fit into int32 at scale input · weight.

    Args:
        bias: shape (channels,), in the output's unit.
        input_scale: of the layer's input.
        weight_scale: one for all, or shape (channels,).
    """
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        levels = np.rint(np.asarray(bias, np.float64) / (input_scale * np.asarray(weight_scale, np.float64)))
    fits = (levels >= _INT32.min) & (levels <= _INT32.max)
    return int(np.count_nonzero(~fits))


def dead_channels(low: np.ndarray[Any, Any], high: np.ndarray[Any, Any]) -> list[int]:
    """Return the channels whose values never vary, from the smallest and largest value of each."""
    return [int(index) for index in np.flatnonzero(np.asarray(low) == np.asarray(high))]

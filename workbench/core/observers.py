"""Which range to quantize a tensor to: what torch's and ONNX Runtime's observers would say, and the best.

*mse* looks for the smallest expected error over both ends of the range, then over scale and zero point. Torch's
``HistogramObserver`` minimises the same quantity by a greedy walk inwards that stops at the first step
which does not help.

*kl* follows TensorRT's entropy calibration (S. Migacz, "8-bit Inference with TensorRT", GTC 2017, also in
ONNX Runtime and MXNet): of all ranges it takes the one whose quantized histogram Q loses the least
information about the original P, whose outliers are moved into its outermost bins. Theirs is symmetric
around 0; here both ends are free, levels are those of the real quantizer, and exact zeros, which have no
error, take no part. As in theirs, a step is never narrower than a bin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np

from workbench.core.distribution import Distribution
from workbench.core.scales import OPEN, Bounds, Floats, Pieces, Scheme, clamped, full_range, range_of, scales_of

Objective = Callable[[Floats, Floats], Floats]

_NARROWEST = 1 / 1024  # share of the full range: about the width of a bin
_COARSE = 25  # shares tried per end, a third apart
_FINE = 9  # … and in each refinement
_ROUNDS = {"mse": 3, "kl": 7}  # to half a percent, or to a few millionths
_NEAR = 0.02  # share by which the scale may then move, and zero points by so many …
_ZEROS = 2
_SCALES = 17  # … in so many steps, and eight times finer in each of four rounds: down to a few millionths, because
_POLISHED = 4  # a nearly constant tensor wants a level right where it lies
_LEAST_KEPT = 0.5  # in the gap between two humps, P is all outliers, and two bins are alike for free
_EMPTY = 1e-9  # probability that stands for none, so that a divergence stays finite


def best_range(
    d: Distribution,
    scheme: Scheme,
    by: Literal["mse", "percentile", "kl"] = "mse",
    percentile: float = 99.9,
    bounds: Bounds = OPEN,
) -> tuple[float, float]:
    """Return the range to quantize *d* to, by least square error, share of values kept, or information.

    Args:
        percentile: share of values to keep, in percent.
        bounds: what the next operation lets through: what lies outside is no error.

    Raises:
        ValueError: nothing was seen, or an unknown criterion.
    """
    if not d.seen:
        raise ValueError("no values were seen, so no range is best")
    if by == "percentile":
        return clamped(*_percentile_range(d, percentile), *bounds)
    if by == "mse":
        pieces, full = Pieces.of(d).let_through(*bounds), full_range(d, scheme, bounds)
        found = _search(lambda lows, highs: pieces.mse(lows, highs, scheme), *full, _ROUNDS[by], tied=scheme.symmetric)
        return _polished(pieces, found, full[1] - full[0], scheme)
    if by == "kl":
        divergence, full = _Divergence(d, scheme), full_range(d, scheme)
        return clamped(*_search(divergence, *full, _ROUNDS[by], tied=scheme.symmetric), *bounds)
    raise ValueError(f"ranges are suggested by mse, percentile or kl, not {by}")


def observed_range(
    d: Distribution, observer: str, *, scheme: Scheme, percentile: float = 99.9, decay: float = 0.999
) -> tuple[float, float]:
    """Return the range that *observer* (as in knob ``calibration.observer``) takes from *d*.

    Args:
        d: what was seen.
        observer: minmax, moving-average, histogram (least square error), percentile or entropy.
        scheme: what it will be quantized to.
        percentile: share of values to keep, in percent.
        decay: weight of the past in the moving average, sample by sample, starting with the first.

    Raises:
        ValueError: nothing was seen, or an unknown observer.
    """
    if not d.seen:
        raise ValueError("no values were seen, so there is no range")
    if observer == "minmax":
        return d.minimum, d.maximum
    if observer == "moving-average":
        return _moving_average(d, decay)
    if observer == "histogram":
        return best_range(d, scheme)
    if observer == "percentile":
        return _percentile_range(d, percentile)
    if observer == "entropy":
        return best_range(d, scheme, by="kl")
    raise ValueError(f"there is no observer {observer}")


def _moving_average(d: Distribution, decay: float) -> tuple[float, float]:
    """As torch's ``MovingAverageMinMaxObserver``, whose ``averaging_constant`` is 1 − decay."""
    samples = [pair for pair in zip(d.sample_min, d.sample_max, strict=True) if pair[0] <= pair[1]]
    low, high = samples[0]
    for sample_low, sample_high in samples[1:]:
        low = low * decay + sample_low * (1 - decay)
        high = high * decay + sample_high * (1 - decay)
    return low, high


def _percentile_range(d: Distribution, percentile: float) -> tuple[float, float]:
    """Cut half of the rest on each side, all of it on the far side where 0 is an end; never 0 itself."""
    if d.minimum >= 0:
        return d.minimum, d.percentile(percentile)
    if d.maximum <= 0:
        return d.percentile(100 - percentile), d.maximum
    cut = (100 - percentile) / 2
    return min(d.percentile(cut), 0.0), max(d.percentile(100 - cut), 0.0)


def _search(objective: Objective, low: float, high: float, rounds: int, *, tied: bool) -> tuple[float, float]:
    """Return the range with the least *objective*, from low..high inwards; the widest of equals.

    Ranges too wide for float32 have an objective that is not a number, and are passed over.

    Both ends move on their own, except where they are *tied*. Shares of the full range are spaced
    evenly in their logarithm, then again between the neighbours of the best.
    """
    tops = np.geomspace(1.0, _NARROWEST, _COARSE)
    bottoms = tops
    tied = tied or not low < 0 < high
    best, share = math.inf, (1.0, 1.0)
    ratio = tops[1] / tops[0]
    for _ in range(rounds + 1):
        if tied:
            first = second = tops
        else:
            first, second = (grid.ravel() for grid in np.meshgrid(bottoms, tops, indexing="ij"))
        with np.errstate(over="ignore", invalid="ignore"):
            values = np.nan_to_num(objective(low * first, high * second), nan=math.inf)
        index = int(np.argmin(values))
        if values[index] < best:
            best, share = float(values[index]), (float(first[index]), float(second[index]))
        steps = ratio ** np.linspace(-1, 1, _FINE)
        bottoms, tops = (np.minimum(end * steps, 1.0) for end in share)
        ratio = ratio ** (2 / (_FINE - 1))
    return low * share[0], high * share[1]


def _polished(pieces: Pieces, found: tuple[float, float], widest: float, scheme: Scheme) -> tuple[float, float]:
    """Return the range with the least square error near *found*, or *found*; no wider than *widest*.

    Moves what the quantizer really has, a scale and a whole zero point, where moving an end makes the error jump.
    """
    scales, zero_points = scales_of(np.array([found[0]]), np.array([found[1]]), scheme)
    least = float(pieces.mse(np.array([found[0]]), np.array([found[1]]), scheme)[0])
    scale, zero, levels, best = float(scales[0]), int(zero_points[0]), scheme.qmax - scheme.qmin, found
    one_sided = not found[0] < 0 < found[1]
    largest = min(widest, float(np.finfo(np.float32).max)) / levels
    for finer in range(_POLISHED):
        steps = scale * (1 + _NEAR / 8**finer) ** np.linspace(-1, 1, _SCALES)
        moved = np.array([0]) if scheme.symmetric or one_sided else np.arange(-_ZEROS, _ZEROS + 1)
        zeros = np.unique(np.clip(zero + moved, scheme.qmin, scheme.qmax))
        tried, zeros = (grid.ravel() for grid in np.meshgrid(np.minimum(steps, largest), zeros))
        with np.errstate(over="ignore", invalid="ignore"):
            clipping, rounding = pieces.errors(tried, zeros, scheme)
            errors = np.nan_to_num(clipping + rounding, nan=math.inf)
        index = int(np.argmin(errors))
        if errors[index] < least:
            least, scale, zero = float(errors[index]), float(tried[index]), int(zeros[index])
            half = scale * levels / 2
            best = (-half, half) if scheme.symmetric else range_of(scale, zero, scheme)
    return best


class _Divergence:
    """Kullback-Leibler divergence KL(P‖Q) of ranges, in nats."""

    def __init__(self, d: Distribution, scheme: Scheme) -> None:
        counts = d.histogram().astype(np.float64)
        if d.minimum <= 0 <= d.maximum:
            counts[round(-d.low / d.width)] -= d.zeros
        filled = np.flatnonzero(counts)
        self._centres = d.low + (filled + 0.5) * d.width
        self._shares = counts[filled] / max(counts.sum(), 1.0)
        self._width, self._scheme = d.width, scheme

    def __call__(self, lows: Floats, highs: Floats) -> Floats:
        scales, zero_points = scales_of(lows, highs, self._scheme)
        result = [self._of(float(s), int(z)) for s, z in zip(scales, zero_points, strict=True)]
        # Where even the full range has steps narrower than a bin, all are infinite and it stays.
        return np.array(result)

    def _of(self, scale: float, zero_point: int) -> float:
        if not self._width <= scale < math.inf:
            return math.inf
        levels = np.rint(self._centres / scale) + zero_point
        left = int(np.searchsorted(levels, self._scheme.qmin))
        right = int(np.searchsorted(levels, self._scheme.qmax, side="right"))
        kept = self._shares[left:right]
        if kept.sum() < _LEAST_KEPT:
            return math.inf
        original = kept.copy()
        original[0] += self._shares[:left].sum()
        original[-1] += self._shares[right:].sum()
        starts = np.flatnonzero(np.diff(levels[left:right], prepend=np.nan))
        sizes = np.diff(starts, append=kept.size)
        spread = np.repeat(np.add.reduceat(kept, starts) / sizes, sizes) / kept.sum()
        return float((original * np.log(original / np.maximum(spread, _EMPTY))).sum())

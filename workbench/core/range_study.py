"""One tensor under the loupe: what any range would do to it, answered within a frame.

What takes time is done once per tensor (:class:`RangeStudy`) or by whoever can wait (:func:`suggestions`). Used by
the window, where a range is dragged, and free of it.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np

from workbench.core.distribution import Distribution
from workbench.core.observers import best_range
from workbench.core.scales import (
    OPEN,
    Bounds,
    ErrorCurve,
    Pieces,
    Scheme,
    error_curve,
    full_range,
    range_of,
    scale_of,
)


class Expectation(msgspec.Struct, frozen=True):
    """What quantizing a tensor to one range would do.

    Attributes:
        low, high: lowest and highest value that the scale can hold; around the range that was asked for.
        clipped: share of the values that the next operation lets through and this range does not.
        sqnr_db: of what the next operation gets.
        clipping, rounding: parts of the mean squared error.
    """

    low: float
    high: float
    scale: float
    zero_point: int
    clipped: float
    sqnr_db: float
    clipping: float
    rounding: float


class RangeStudy:
    """Everything about one tensor that does not depend on the range.

    Args:
        seen: its values, at least one of them finite.
        scheme: how it is quantized.
        bounds: what the next operation lets through.

    Attributes:
        low, high: everything that is let through, with 0; no wider range makes sense.
        curve: the error over the width of the range.
        clipping_db, rounding_db: SQNR of the curve's points if there were only this error.
    """

    def __init__(self, seen: Distribution, scheme: Scheme, bounds: Bounds = OPEN) -> None:
        self.seen = seen
        self.scheme = scheme
        self.bounds = bounds
        self.low, self.high = full_range(seen, scheme, bounds)
        self.curve: ErrorCurve = error_curve(seen, scheme, bounds=bounds)
        self._pieces = Pieces.of(seen).let_through(*bounds)
        self.clipping_db = self._pieces.sqnr(np.asarray(self.curve.clipping))
        self.rounding_db = self._pieces.sqnr(np.asarray(self.curve.rounding))
        self._edges = seen.edges()
        self._below = np.concatenate([[0.0], np.cumsum(seen.histogram())]) / seen.finite

    def at(self, low: float, high: float) -> Expectation:
        """Return what the range low..high would do.

        Raises:
            ValueError: it is no range.
        """
        scale, zero_point = scale_of(low, high, self.scheme)
        clipping, rounding = self._pieces.errors([scale], [zero_point], self.scheme)
        bottom, top = range_of(scale, zero_point, self.scheme)
        return Expectation(
            low=bottom,
            high=top,
            scale=scale,
            zero_point=zero_point,
            # Half a step beyond the last level is rounding, not clipping.
            clipped=self.clipped(bottom - scale / 2, top + scale / 2),
            sqnr_db=float(self._pieces.sqnr(clipping + rounding)[0]),
            clipping=float(clipping[0]),
            rounding=float(rounding[0]),
        )

    def clipped(self, low: float, high: float) -> float:
        """Return the share of all finite values that are let through, but lie outside low..high."""
        lower, upper = self.bounds
        bottom = 0.0 if lower is not None and lower >= low else self._share_below(low)
        top = 0.0 if upper is not None and upper <= high else 1.0 - self._share_below(high)
        return min(max(bottom + top, 0.0), 1.0)

    def _share_below(self, value: float) -> float:
        if value <= self.seen.minimum:
            return 0.0
        return 1.0 if value >= self.seen.maximum else float(np.interp(value, self._edges, self._below))


def suggestions(
    seen: Distribution, scheme: Scheme, bounds: Bounds = OPEN, percentile: float = 99.9
) -> dict[str, tuple[float, float]]:
    """Return the ranges that serve a tensor best, by criterion: mse, percentile, kl. A tenth of a second.

    Ranges without width, as of a tensor that is zero throughout, are left out.
    """
    found = {
        "mse": best_range(seen, scheme, "mse", bounds=bounds),
        "percentile": best_range(seen, scheme, "percentile", percentile, bounds),
        "kl": best_range(seen, scheme, "kl", bounds=bounds),
    }
    return {name: (low, high) for name, (low, high) in found.items() if math.isfinite(high - low) and low < high}

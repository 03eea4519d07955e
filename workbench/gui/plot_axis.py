"""Axes of latency plots: fixed in size, so that a new tick never moves a plot, and logarithmic without tricks.

On a log axis a plot's items hold log10 values; the axis writes what they stand for.
"""

from __future__ import annotations

import math

import pyqtgraph as pg

_SIZE = 46


class PlainAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis of a fixed size with few, round ticks.

    Attributes:
        log: whether positions are log10 of what they stand for.
        least: positions below it get no text.
    """

    def __init__(self, orientation: str, name: str) -> None:
        super().__init__(orientation, maxTickLength=-4)
        self.log = False
        self.least = -math.inf
        self.enableAutoSIPrefix(False)
        self.setLabel(name)
        self.setStyle(autoExpandTextSpace=False, tickTextOffset=4, hideOverlappingLabels=True)
        if orientation in ("left", "right"):
            self.setWidth(_SIZE + 6)
        else:
            self.setHeight(_SIZE - 8)

    def set_log(self, on: bool) -> None:
        """Say what positions stand for."""
        if on != self.log:
            self.log = on
            self.picture = None
            self.update()

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float | None, list[float]]]:  # noqa: N802, N803 - pyqtgraph's names
        """Return ticks, on a log axis 1-2-5 per decade or, within less than a decade, round values."""
        if not self.log:
            levels: list[tuple[float | None, list[float]]] = super().tickValues(minVal, maxVal, size)
            return levels[:1] if len(levels[0][1]) >= 3 else levels[:2]
        low, high = max(min(minVal, maxVal), -12.0), min(max(minVal, maxVal), 12.0)
        if high - low < 1e-6:
            return []
        if high - low > 0.9:
            steps = (1, 2, 5) if high - low < 3 else (1,)
            decades = range(math.floor(low), math.ceil(high) + 1)
            marks = [math.log10(step) + decade for decade in decades for step in steps]
        else:
            first, last = 10.0**low, 10.0**high
            step = _round_step((last - first) / 5)
            marks = [math.log10(k * step) for k in range(max(1, math.ceil(first / step)), math.floor(last / step) + 1)]
        return [(None, [mark for mark in marks if low <= mark <= high])]

    def tickStrings(self, values: list[float], scale: float, spacing: float | None) -> list[str]:  # noqa: N802
        """Return the texts at ticks."""
        shown = [10.0**value if self.log else value for value in values]
        return [
            "" if position < self.least else f"{_clean(value):,.7g}"
            for position, value in zip(values, shown, strict=True)
        ]


def _round_step(step: float) -> float:
    power = 10.0 ** math.floor(math.log10(step))
    return next((k * power for k in (1, 2, 5) if k * power >= step), 10 * power)


def _clean(value: float) -> float:
    """Take rounding errors of sums and powers away."""
    return float(f"{value:.9g}")

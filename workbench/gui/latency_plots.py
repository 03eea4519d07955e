"""The two plots of the latency panel: a histogram that grows, and a timeline of every run.

They draw what :class:`LiveSamples` holds. Items are few (one for all bars, one per kind of point), pens are opaque
and one pixel wide.
"""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QPalette
from PySide6.QtWidgets import QWidget

from workbench.core.figures import count, milliseconds
from workbench.gui import theme
from workbench.gui.live_samples import LiveSamples, bin_edges, in_ms, logarithms, nice
from workbench.gui.plain_plot import PlainPlot
from workbench.gui.plot_points import Points
from workbench.gui.plot_texts import FittingText, LineLabel

_FAR = 3.0
"""A deadline beyond so many times the slowest usual run does not stretch a plot."""
_HALF = math.log10(0.5)
"""Where a bar starts on a log axis of counts: half a run, so that a single one can be seen."""
_MOST_WARMUP = 0.25
"""The warm-up gets at most this share of the kept runs' width."""
_KINDS = {"live": ("square", 3), "warm-up": ("diamond", 4), "after-gap": ("plus", 7), "error": ("triangle", 7)}
"""Points of the timeline by their colour's meaning; ``error`` are those above the plot."""
_MARK = 5
"""Pixels from the top of the plot to the marks of runs above it."""


class _Plot(PlainPlot):
    """A plot with a deadline to drag."""

    deadline_dragged = Signal(float)  # ms

    def __init__(self, angle: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.log_time = False
        self.deadline_ms: float | None = None
        self.deadline = pg.InfiniteLine(angle=angle, movable=True)
        # One label is enough: the vertical line's.
        self.deadline_label = LineLabel(self.deadline, 0.62) if angle else None
        self.deadline.setCursor(Qt.CursorShape.SizeHorCursor if angle else Qt.CursorShape.SizeVerCursor)
        self.deadline.setZValue(20)
        self.deadline.sigDragged.connect(self._dragged)
        self.deadline.hide()
        self.setToolTip(self.tr("Double-click to set the deadline; drag its dashed line to move it."))
        self.addItem(self.deadline)

    def restyle(self) -> None:
        """Colour everything by the theme."""
        super().restyle()
        line = theme.colour("deadline")
        self.deadline.setPen(pg.mkPen(line, width=1, style=Qt.PenStyle.DashLine))
        self.deadline.setHoverPen(pg.mkPen(line, width=1))
        if self.deadline_label is not None:
            self.deadline_label.setColor(line)
            self.deadline_label.fill = pg.mkBrush(self.palette().color(QPalette.ColorRole.Base))

    def set_deadline(self, ms: float | None) -> None:
        """Show the line at *ms*, or none."""
        self.deadline_ms = ms
        self.deadline.setVisible(ms is not None)
        if ms is not None and not self.deadline.moving:
            self.deadline.setValue(float(logarithms(ms)) if self.log_time else ms)
        if ms is not None and self.deadline_label is not None:
            texts = (self.tr("deadline {0} ms"), self.tr("{0} ms"))
            self.deadline_label.say(*(text.format(milliseconds(ms)) for text in texts))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Put the deadline where somebody points."""
        view = self.getViewBox()
        place = self.mapToScene(event.position().toPoint())
        if view.sceneBoundingRect().contains(place):
            point = view.mapSceneToView(place)
            self._propose(point.x() if self.deadline.angle else point.y())
        event.accept()

    def _dragged(self, line: pg.InfiniteLine) -> None:
        self._propose(float(line.value()))

    def _propose(self, position: float) -> None:
        ms = 10.0 ** min(position, 9.0) if self.log_time else position
        self.deadline_dragged.emit(max(ms, 0.0))

    def _reach(self, top_ms: float) -> float:
        """Return *top_ms*, or more where the deadline lies not far above it."""
        limit = self.deadline_ms
        return max(top_ms, 1.08 * limit) if limit is not None and limit <= _FAR * top_ms else top_ms


class HistogramPlot(_Plot):
    """How many runs took how long; a baseline's behind in grey, scaled to as many runs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(90, parent)
        self.below.setLabel(self.tr("ms"))
        self.beside.setLabel(self.tr("runs"))
        empty = np.empty(0)
        self.behind = pg.BarGraphItem(x0=empty, x1=empty, y0=empty, height=empty)
        self.bars = pg.BarGraphItem(x0=empty, x1=empty, y0=empty, height=empty)
        self.outline = pg.PlotCurveItem()
        self.beyond = FittingText(anchor=(1, 0))
        self.elsewhere = FittingText()
        for item in (self.behind, self.bars, self.outline, self.beyond, self.elsewhere):
            self.addItem(item)
        self.log_count = False
        self.restyle()

    def restyle(self) -> None:
        """Colour everything by the theme."""
        super().restyle()
        ground = self.palette().color(QPalette.ColorRole.Base)
        self.behind.setOpts(brush=theme.colour("baseline"), pen=None)
        self.outline.setPen(pg.mkPen(theme.colour("baseline"), width=1))
        self.bars.setOpts(brush=theme.colour("live"), pen=pg.mkPen(ground, width=1))
        self.beyond.setColor(theme.colour("muted"))
        self.elsewhere.setColor(theme.colour("baseline"))

    def show_samples(self, current: LiveSamples, baseline: LiveSamples | None = None) -> None:
        """Draw all samples of both."""
        where = 0 if baseline is None or self.log_time else _apart(current, baseline)
        named = baseline
        if where:
            baseline = None
        shown = [current, baseline] if baseline is not None else [current]
        edges = bin_edges(shown, log=self.log_time)
        counts = current.counts(edges).astype(np.float64)
        behind = np.zeros_like(counts)
        if baseline is not None and baseline.n:
            behind += baseline.counts(edges) * (max(current.n, 1) / baseline.n)
        places = logarithms(edges) if self.log_time else edges
        top = max(float(counts.max(initial=0)), float(behind.max(initial=0)), 1.0)
        self._set_bars(self.bars, places, counts)
        self._set_bars(self.behind, places, behind)
        self.outline.setVisible(baseline is not None and places.size > 1)
        if self.outline.isVisible():
            base, heights = self._height(behind)
            self.outline.setData(places, base + heights, stepMode="center")
        self._set_range(places, top)
        self._say_beyond(current, edges)
        self._say_elsewhere(named, where)

    def _height(self, counts: np.ndarray) -> tuple[float, np.ndarray]:
        if not self.log_count:
            return 0.0, counts
        return _HALF, np.log10(np.maximum(counts, 0.5)) - _HALF

    def _set_bars(self, item: pg.BarGraphItem, places: np.ndarray, counts: np.ndarray) -> None:
        base, heights = self._height(counts)
        item.setOpts(x0=places[:-1], x1=places[1:], y0=np.full(heights.size, base), height=heights)

    def _set_range(self, places: np.ndarray, top: float) -> None:
        for axis, log in ((self.below, self.log_time), (self.beside, self.log_count)):
            axis.set_log(log)
        bottom, top = (_HALF, math.log10(max(top, 2.0))) if self.log_count else (0.0, top)
        low, high = (float(places[0]), float(places[-1])) if places.size else (0.0, 1.0)
        if self.deadline_ms is not None and places.size:
            if self.log_time:
                limit = float(logarithms(self.deadline_ms))
                low, high = min(low, limit - 0.05), max(high, limit + 0.05)
            else:
                high = self._reach(high)
                low = min(low, 0.96 * self.deadline_ms)
        self.show_range(calm(low, high), (bottom, calm(bottom, 1.05 * top)[1]))

    def _say_beyond(self, current: LiveSamples, edges: np.ndarray) -> None:
        out = current.above(float(edges[-1])) if edges.size else 0
        self.beyond.setVisible(bool(out))
        if out:
            worst = milliseconds(int(current.ordered[-1]) * 1e-6)
            texts = (self.tr("{0} beyond, up to {1} ms →"), self.tr("{0} beyond →"))
            self.beyond.say(*(text.format(count(out), worst) for text in texts))
            (_, right), (_, top) = self.getViewBox().viewRange()
            self.beyond.setPos(right, top)

    def _say_elsewhere(self, baseline: LiveSamples | None, where: int) -> None:
        """Say where a baseline lies that would leave no room for this run."""
        self.elsewhere.setVisible(where != 0)
        if where and baseline is not None:
            p50 = milliseconds(baseline.percentile(50) * 1e-6)
            texts = (self.tr("baseline at {0} ms →"), self.tr("{0} ms →"))
            if where < 0:
                texts = (self.tr("← baseline at {0} ms"), self.tr("← {0} ms"))
            self.elsewhere.say(*(text.format(p50) for text in texts))
            (left, right), (_, top) = self.getViewBox().viewRange()
            # One line below what is said about runs beyond.
            self.elsewhere.setAnchor((1, -0.8) if where > 0 else (0, -0.8))
            self.elsewhere.setPos(right if where > 0 else left, top)


class TimelinePlot(_Plot):
    """Every run in the order taken: warm-up before zero, first runs after a gap marked, far-out ones at the top."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, parent)
        self.below.setLabel(self.tr("run"))
        self.beside.setLabel(self.tr("ms"))
        self.below.least = 0.0
        self.points = Points(_KINDS)
        self.start = pg.InfiniteLine(0, angle=90)
        for item in (self.start, self.points):
            self.addItem(item)
        self.restyle()

    def restyle(self) -> None:
        """Colour everything by the theme."""
        super().restyle()
        for kind in _KINDS:
            self.points.set_colour(kind, theme.colour(kind))
        self.start.setPen(pg.mkPen(theme.colour("grid"), width=1))

    def show_samples(self, current: LiveSamples, expected: int | None = None) -> None:
        """Draw all samples.

        Args:
            expected: how many runs there will be; 0 where nobody knows, None where they are all there.
        """
        x, y = current.timeline()
        warm = in_ms(current.warmup)
        right = float(current.n) if expected is None else float(max(expected, _room(current.n)))
        step = min(1.0, _MOST_WARMUP * right / warm.size) if warm.size and right else 1.0
        before = (np.arange(warm.size) - warm.size) * step
        at, gaps = current.gaps
        low, high = self._vertical(current, warm)
        edge = high - _MARK * (high - low) / max(self.getViewBox().height(), 4 * _MARK)
        for kind, places, values in (("live", x, y), ("warm-up", before, warm), ("after-gap", at - 0.5, in_ms(gaps))):
            heights = logarithms(values) if self.log_time else values
            out = heights > high
            if kind == "live":
                self.points.set_points("error", places[out], np.full(int(out.sum()), edge))
                self.points.set_points(kind, places[~out], heights[~out])
            else:
                self.points.set_points(kind, places, np.where(out, edge, heights))
        self.start.setVisible(bool(warm.size))
        self.beside.set_log(self.log_time)
        left = float(before[0]) if before.size else 0.0
        width = max(right - left, 1.0)
        self.show_range((left - 0.01 * width, right + 0.01 * width), (low, high))

    def _vertical(self, current: LiveSamples, warm: np.ndarray) -> tuple[float, float]:
        """Return the range of latencies that is shown, in the axis' own units."""
        if current.n:
            low, top, worst = int(current.ordered[0]) * 1e-6, current.top_ms(), int(current.ordered[-1]) * 1e-6
        elif warm.size:
            low, top, worst = float(warm.min()), float(np.median(warm)) * 2, float(warm.max())
        else:
            return (-1.0, 1.0) if self.log_time else (0.0, 1.0)
        if self.log_time:
            ends = [float(logarithms(value)) for value in (low, worst)]
            if self.deadline_ms is not None:
                ends.append(float(logarithms(self.deadline_ms)))
            return calm(min(ends) - 0.04, max(ends) + 0.04)
        top = self._reach(max(top, low * 1.01, 1e-4))
        if self.deadline_ms is not None:
            low = min(low, self.deadline_ms)
        margin = 0.05 * (top - low)
        low, top = calm(low - margin, top + margin)
        return max(low, 0.0), top


def _apart(current: LiveSamples, baseline: LiveSamples) -> int:
    """Tell whether the baseline is much slower (1) or faster (-1) than this run, or near enough to be shown (0)."""
    if not current.n or not baseline.n:
        return 0
    if int(baseline.ordered[0]) * 1e-6 > _FAR * current.top_ms():
        return 1
    return -1 if int(current.ordered[0]) * 1e-6 > _FAR * baseline.top_ms() else 0


def calm(low: float, high: float) -> tuple[float, float]:
    """Widen a range to round ends: it then moves seldom, which is easier on the eye and on the processor."""
    step = nice(max((high - low) / 16, abs(high) * 1e-9, 1e-9))
    return math.floor(low / step + 1e-6) * step, math.ceil(high / step - 1e-6) * step


def _room(n: int) -> int:
    """Return a round number of runs somewhat above *n*."""
    step = nice(max(n, 20) / 10)
    return math.ceil((n + 1) / step) * round(step)

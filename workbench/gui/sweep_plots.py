"""The plots of the sweep panel: time over the baseline's for the median and the tail, throughput, memory.

Numbers (threads, batch) lie on a logarithmic axis and their intervals form a band; other values stand side by side
with a bar each. The median is round and drawn through, the tail square and dashed, so that nobody needs the colours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QMouseEvent, QPainterPath, QPalette, QPolygonF
from PySide6.QtWidgets import QGraphicsPathItem, QHBoxLayout, QSizePolicy, QWidget

from workbench.core.figures import finite
from workbench.gui import theme
from workbench.gui.plain_plot import PlainPlot
from workbench.gui.plot_texts import LineLabel
from workbench.gui.sweep_words import point_in_words, value_in_words
from workbench.study.sweep import BATCH, SCALING, Point, Sweep

LOOKS = {"median": ("o", "side-a", Qt.PenStyle.SolidLine), "tail": ("s", "side-b", Qt.PenStyle.DashLine)}
_SHARES = {"time": 5, "throughput": 4, "memory": 3}
"""Of the width."""
_NEAR = 14
"""Pixels from a point within which a click takes it."""
_SEE_THROUGH = 70
_SHIFT, _HALF = 0.13, 0.09
"""How far two points of one value stand apart, and half the width of their bars."""
_FAR = 2.0
"""Intervals are shown so many times as far as the points reach; few processes make them very wide."""


_ROOM = 1.25
"""Above throughputs stands the knee's name."""


@dataclass(frozen=True)
class Dot:
    """One point of a curve: its value with its interval, where there is one."""

    row: int
    place: float
    value: float
    low: float | None = None
    high: float | None = None


class SweepPlot(PlainPlot):
    """Curves over the values of a sweep.

    Args:
        looks: keys of :data:`LOOKS`, one per curve.
        log: equal factors are equally far apart.

    Attributes:
        names: tooltip per row of the table.
    """

    taken = Signal(int)  # row of the point that was clicked
    opened = Signal(int)

    def __init__(self, looks: Sequence[str], caption: str, *, log: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._looks, self._log = tuple(looks), log
        self.curves: dict[str, list[Dot]] = {look: [] for look in looks}
        self.names: list[str] = []
        self._chosen = -1
        self._bands = [QGraphicsPathItem() for _ in looks]
        self._lines = [pg.PlotCurveItem() for _ in looks]
        self._dots = [pg.ScatterPlotItem(symbol=LOOKS[look][0], size=9) for look in looks]
        self._ring = pg.ScatterPlotItem(symbol="o", size=17)
        self.level = pg.InfiniteLine(angle=0, movable=False)
        self.knee = pg.InfiniteLine(angle=90, movable=False)
        self._knee_label = LineLabel(self.knee, 0.93)
        self.knee.hide()  # a label that is seen wants a view around it
        for item in (*self._bands, self.level, self.knee, *self._lines, self._ring, *self._dots):
            self.addItem(item)
        self.beside.set_log(log)
        self.name_axes(caption)
        self.beside.setWidth(44)
        self.setMouseTracking(True)
        self.restyle()

    def restyle(self) -> None:
        """Colour everything by the theme."""
        super().restyle()
        ground, ink = (self.palette().color(role) for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Text))
        for look, band, line, dots in zip(self._looks, self._bands, self._lines, self._dots, strict=True):
            _, meaning, style = LOOKS[look]
            colour = theme.colour(meaning)
            line.setPen(pg.mkPen(colour, width=2, style=style))
            dots.setBrush(pg.mkBrush(colour))
            dots.setPen(pg.mkPen(ground, width=1))
            colour.setAlpha(_SEE_THROUGH)
            band.setPen(pg.mkPen(None))
            band.setBrush(pg.mkBrush(colour))
        self._ring.setPen(pg.mkPen(ink, width=1))
        self._ring.setBrush(pg.mkBrush(None))
        self.level.setPen(pg.mkPen(theme.colour("baseline"), width=1))
        self.knee.setPen(pg.mkPen(theme.colour("muted"), width=1, style=Qt.PenStyle.DotLine))
        self._knee_label.setColor(theme.colour("muted"))

    # -- showing ------------------------------------------------------------------------------------

    def show_curves(
        self,
        curves: Sequence[Sequence[Dot]],
        ticks: Sequence[tuple[float, str]],
        *,
        joined: bool,
        level: float | None = None,
        knee: tuple[float, str] | None = None,
    ) -> None:
        """Draw.

        Args:
            curves: one per look, in the units of the axis' texts.
            ticks: place and text of each value.
            joined: values are numbers, so that a line may lead from one to the next.
            level: a line across.
            knee: a place, and what to say there.
        """
        self.curves = dict(zip(self._looks, (list(curve) for curve in curves), strict=True))
        bottom, top = self._reach([dot for curve in curves for dot in curve], level)
        for curve, band, line, dots in zip(curves, self._bands, self._lines, self._dots, strict=True):
            x = np.array([dot.place for dot in curve])
            y = np.array([self._height(dot.value) for dot in curve])
            dots.setData(x=x, y=y)
            line.setData(x, y) if joined else line.setData([], [])
            band.setPath(self._band(curve, joined, bottom, top))
        self.level.setVisible(level is not None)
        if level is not None:
            self.level.setValue(self._height(level))
        self.knee.setVisible(knee is not None)
        if knee is not None:
            self.knee.setValue(knee[0])
            self._knee_label.say(knee[1])
        self.below.setTicks([list(ticks)])
        places = [place for place, _ in ticks] or [0.0]
        room = 0.06 * (places[-1] - places[0]) + 0.05 if joined else 0.5
        self.show_range((min(places) - room, max(places) + room), (bottom, top))
        self.show_chosen(self._chosen)

    def show_chosen(self, row: int) -> None:
        """Put a ring around the points of a row."""
        self._chosen = row
        chosen = [dot for curve in self.curves.values() for dot in curve if dot.row == row]
        self._ring.setData([dot.place for dot in chosen], [self._height(dot.value) for dot in chosen])

    def _height(self, value: float) -> float:
        return math.log10(max(value, 1e-12)) if self._log else value

    def _reach(self, dots: Sequence[Dot], level: float | None) -> tuple[float, float]:
        """Return the heights that are shown."""
        values = [dot.value for dot in dots] + ([level] if level is not None else [])
        if not values:
            return 0.0, 1.0
        ends = [end for dot in dots for end in (dot.low, dot.high) if end is not None]
        least, most = min(values), max(values)
        low = max(min([least, *ends]), least / _FAR)
        high = min(max([most, *ends]), most * _FAR)
        if not self._log:
            return 0.0, _ROOM * high
        margin = 0.08 * max(math.log10(high / low), 0.1)
        return math.log10(low) - 3 * margin, math.log10(high) + margin  # below is the caption

    def _band(self, curve: Sequence[Dot], joined: bool, bottom: float, top: float) -> QPainterPath:
        path = QPainterPath()
        ends = [
            (dot.place, *(min(max(self._height(end), bottom), top) for end in (dot.low, dot.high)))
            for dot in curve
            if dot.low is not None and dot.high is not None
        ]
        if joined and len(ends) > 1:
            below = [QPointF(place, low) for place, low, _ in ends]
            above = [QPointF(place, high) for place, _, high in reversed(ends)]
            path.addPolygon(QPolygonF([*below, *above, below[0]]))
        else:
            for place, low, high in ends:
                path.addRect(QRectF(place - _HALF, low, 2 * _HALF, high - low))
        return path

    # -- pointing -----------------------------------------------------------------------------------

    def near(self, place: QPointF) -> int:
        """Return the row of the point near a place of the widget, -1 where there is none."""
        view, found = self.getViewBox(), []
        for curve in self.curves.values():
            for dot in curve:
                at = self.mapFromScene(view.mapViewToScene(QPointF(dot.place, self._height(dot.value))))
                distance = math.hypot(at.x() - place.x(), at.y() - place.y())
                if distance <= _NEAR:
                    found.append((distance, dot.row))
        return min(found)[1] if found else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Tell about the point that is pointed at."""
        row = self.near(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if row >= 0 else Qt.CursorShape.ArrowCursor)
        self.setToolTip(self.names[row] if 0 <= row < len(self.names) else "")
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Choose a point."""
        self._tell(event, self.taken)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Open a point."""
        self._tell(event, self.opened)

    def _tell(self, event: QMouseEvent, signal: SignalInstance) -> None:
        row = self.near(event.position()) if event.button() == Qt.MouseButton.LeftButton else -1
        if row >= 0:
            signal.emit(row)
        event.accept()


class SweepPlots(QWidget):
    """The plots side by side; throughput is shown for knobs with a knee, memory for batches.

    Attributes:
        made: ``time``, ``throughput`` and ``memory`` as far as they were needed; making one takes longer than a frame.
    """

    taken = Signal(int)
    opened = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.made: dict[str, SweepPlot] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(theme.SPACE)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(110)

    def _shown(self, key: str, on: bool = True) -> SweepPlot | None:
        """Show or hide a plot, and return it where it is shown."""
        if on and key not in self.made:
            caption = {
                "time": self.tr("time over the baseline's"), "throughput": self.tr("samples/s"),
                "memory": self.tr("peak MB"),
            }[key]  # fmt: skip
            plot = SweepPlot(("median", "tail") if key == "time" else ("median",), caption, log=key == "time")
            plot.taken.connect(self.taken)
            plot.opened.connect(self.opened)
            self._row.addWidget(plot, _SHARES[key])
            self.made[key] = plot
        if key in self.made:
            self.made[key].setVisible(on)
        return self.made[key] if on else None

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for curves; pyqtgraph would ask for 480 pixels each."""
        return QSize(600, 190)

    def show_sweep(self, found: Sweep, points: Sequence[Point]) -> None:
        """Draw a sweep; *points* are the rows of the table."""
        first = len(points) - len(found.points)  # the baseline's own row has no place on the axis
        there = [(row, point) for row, point in enumerate(found.points, first) if _could_be_set(point)]
        joined = all(_is_positive(point.value) for _, point in there)
        listed = [
            (math.log2(float(point.value)) if joined else float(place), row, point)
            for place, (row, point) in enumerate(there)
        ]
        listed.sort(key=lambda each: each[0])
        ticks = [(place, value_in_words(found.knob, point.value)) for place, _, point in listed]
        shift = 0.0 if joined else _SHIFT
        knee = None
        if found.knee is not None and joined:
            text = self.tr("knee: {0}").format(value_in_words(found.knob, found.knee))
            knee = (math.log2(float(found.knee)), text)
        median = [
            Dot(row, place - shift, ratio, *(point.ci95 or (None, None)))
            for place, row, point in listed
            if (ratio := finite(point.ratio_vs_baseline)) is not None
        ]
        tail = [
            Dot(row, place + shift, ratio, *(point.tail_ci95 or (None, None)))
            for place, row, point in listed
            if (ratio := finite(point.tail_ratio)) is not None
        ]
        if time := self._shown("time"):
            time.show_curves((median, tail), ticks, joined=joined, level=1.0)
        if throughput := self._shown("throughput", found.knob in SCALING):
            throughput.show_curves((_speeds(listed),), ticks, joined=joined, knee=knee)
        if memory := self._shown("memory", found.knob == BATCH):
            held = [Dot(row, place, point.peak_rss_mb) for place, row, point in listed if point.peak_rss_mb]
            memory.show_curves((held,), ticks, joined=joined)
        names = [point_in_words(found, point) for point in points]
        for plot in self.made.values():
            plot.names = names

    def show_chosen(self, row: int) -> None:
        """Put a ring around the points of a row."""
        for plot in self.made.values():
            plot.show_chosen(row)


def _could_be_set(point: Point) -> bool:
    return point.trial is not None or not point.reason


def _is_positive(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0


def _speeds(listed: Sequence[tuple[float, int, Point]]) -> list[Dot]:
    """Return throughputs; their interval is that of the time per sample, turned round."""
    dots = []
    for place, row, point in listed:
        speed, ratio, ends = point.throughput_per_s, point.ratio_vs_baseline, point.ci95
        if not speed:
            continue
        if ratio and ends and all(ends):
            dots.append(Dot(row, place, speed, speed * ratio / ends[1], speed * ratio / ends[0]))
        else:
            dots.append(Dot(row, place, speed))
    return dots

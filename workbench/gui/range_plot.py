"""The histogram of one tensor with its range to drag; what the range clips is shaded.

What the next operation cuts anyway is grey. Dragging moves lines and shades and nothing else: the bars keep their
picture. Part of the range editor.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPalette, QWheelEvent
from PySide6.QtWidgets import QGraphicsRectItem, QStyleOptionGraphicsItem, QWidget

from workbench.core.distribution import Distribution
from workbench.core.figures import significant
from workbench.core.scales import OPEN, Bounds
from workbench.gui import theme
from workbench.gui.plain_plot import PlainPlot

_MARGIN = 0.04
_ZOOM = 1.25
_GRIP = 12
"""Pixels of the arrows that say that a line can be dragged."""
_SHADE = 70
"""Opacity of what is clipped, of 255."""
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class Bars(pg.GraphicsObject):  # type: ignore[misc]
    """Counts drawn as one column per pixel, however many bins there are."""

    def __init__(self) -> None:
        super().__init__()
        self._edges = np.empty(0)
        self._below = np.empty(0)  # counts up to each edge
        self._colour = QColor()
        self.log = False
        self.setCacheMode(self.CacheMode.DeviceCoordinateCache)

    def set_counts(self, edges: np.ndarray, counts: np.ndarray) -> None:
        """Exchange everything."""
        self._edges, self._below = edges, np.concatenate([[0.0], np.cumsum(counts, dtype=np.float64)])
        self.update()

    def set_colour(self, colour: QColor) -> None:
        """Exchange the colour."""
        self._colour = colour
        self.update()

    def heights(self, left: float, right: float, columns: int) -> np.ndarray:
        """Return the height of each of *columns* between two values, 0..1 of the highest."""
        if not self._edges.size or columns < 1:
            return np.zeros(max(columns, 0))
        at = np.linspace(left, right, columns + 1)
        counts = np.diff(np.interp(at, self._edges, self._below))
        # A column narrower than a bin holds a part of it; as high as the whole, zooming in changes no heights.
        counts *= max(1.0, float(self._edges[1] - self._edges[0]) * columns / (right - left))
        if self.log:
            counts = np.log1p(counts)
        top = float(counts.max(initial=0.0))
        return counts / top if top > 0 else counts

    def boundingRect(self) -> QRectF:  # noqa: N802 - Qt's name
        """All that can be seen."""
        return QRectF(self.viewRect() or QRectF())

    def viewRangeChanged(self) -> None:  # noqa: N802 - pyqtgraph's name
        """Follow the view."""
        self.prepareGeometryChange()
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw a rectangle per column of pixels."""
        area = self.boundingRect()
        transform = painter.transform()
        columns = round(abs(transform.m11()) * area.width())
        if columns < 1:
            return
        heights = self.heights(area.left(), area.right(), columns) * (1 - _MARGIN)
        step = area.width() / columns
        rects = [
            QRectF(area.left() + place * step, 0.0, step, float(height))
            for place, height in enumerate(heights)
            if height > 0
        ]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colour)
        painter.drawRects(rects)


class RangePlot(PlainPlot):
    """Bars, two handles, and what lies outside.

    ``dragged`` tells both ends while a handle moves, ``released`` when it is let go or a key was pressed.
    """

    dragged = Signal(float, float)
    released = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars = Bars()
        self.shades = (_Shade(), _Shade())
        self.idle = (_Shade(), _Shade())
        self.cuts = (_cut(left=True), _cut(left=False))
        self.handles = (self._handle((None, 0.0)), self._handle((0.0, None)))
        self._bounds: Bounds = OPEN
        self._whole = (0.0, 1.0)
        self._step = 0.01
        self._last = 1  # the handle that keys move
        for item in (self.bars, *self.idle, *self.shades, *self.cuts, *self.handles):
            self.addItem(item)
        self.name_axes("")
        self.beside.hide()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Histogram with the range"))
        self.setToolTip(self.tr("Drag the lines, or move the last one with ← → (Shift: ten levels). The wheel zooms."))
        self.restyle()

    def _handle(self, bounds: Bounds) -> pg.InfiniteLine:
        line = pg.InfiniteLine(angle=90, movable=True, bounds=bounds)  # a range always holds 0
        line.addMarker("<|>", 0.5, _GRIP)
        line.setZValue(20)
        line.setCursor(Qt.CursorShape.SizeHorCursor)
        line.sigDragged.connect(self._moved)
        line.sigPositionChangeFinished.connect(self._let_go)
        return line

    def restyle(self) -> None:
        """Colour everything by the theme."""
        super().restyle()
        self.bars.set_colour(theme.colour("live"))
        for shades, meaning in ((self.shades, "error"), (self.idle, "muted")):
            tint = theme.colour(meaning)
            tint.setAlpha(_SHADE)
            for shade in shades:
                shade.setBrush(tint)
        ink = self.palette().color(QPalette.ColorRole.Text)
        for line in self.handles:
            line.setPen(pg.mkPen(ink, width=2))
            line.setHoverPen(pg.mkPen(theme.colour("live"), width=3))
        for line in self.cuts:
            line.setPen(pg.mkPen(theme.colour("muted"), width=1, style=Qt.PenStyle.DotLine))
            line.label.setColor(theme.colour("muted"))
            line.label.fill = pg.mkBrush(self.palette().color(QPalette.ColorRole.Base))

    # -- what is shown ------------------------------------------------------------------------------

    def show_tensor(self, seen: Distribution, bounds: Bounds) -> None:
        """Draw another tensor.

        Args:
            bounds: what the next operation lets through.
        """
        self._bounds = bounds
        counts = seen.histogram()
        if seen.minimum <= 0 <= seen.maximum:
            counts[round(-seen.low / seen.width)] -= seen.zeros  # they have no error, and would dwarf all else
        self.bars.set_counts(seen.edges(), counts)
        for line, bound in zip(self.cuts, bounds, strict=True):
            line.setVisible(bound is not None and seen.minimum < bound < seen.maximum)
            if bound is not None:
                line.setValue(bound)
                line.label.setFormat(self.tr("cut at {0}").format(significant(bound)))
        self._whole = (0.0, 0.0)
        self.reach(min(seen.minimum, 0.0), max(seen.maximum, 0.0))

    def reach(self, low: float, high: float) -> None:
        """Make sure that all of low..high can be seen."""
        left, right = self._whole
        if left == right or low < left or high > right:
            low, high = min(low, left), max(high, right)
            room = _MARGIN * ((high - low) or 1.0)
            self._whole = low - room, high + room
            self.show_all()

    def show_all(self) -> None:
        """Zoom out."""
        self.show_range(self._whole, (0.0, 1.0))

    def set_log(self, on: bool) -> None:
        """Draw counts by their logarithm: rare values show."""
        self.bars.log = on
        self.bars.update()

    def set_ends(self, low: float, high: float, clipped: tuple[float, float], step: float) -> None:
        """Put the handles and the shades where they belong.

        Args:
            clipped: values below and above these are lost.
            step: between two levels.
        """
        self._step = step
        for line, end in zip(self.handles, (low, high), strict=True):
            if not line.moving:
                line.setValue(end)
        (left, right), (lower, upper) = self._whole, self._bounds
        far_left, far_right = left - 9 * (right - left), right + 9 * (right - left)
        lower, upper = far_left if lower is None else lower, far_right if upper is None else upper
        # What the next operation cuts anyway is no loss.
        self.idle[0].span(far_left, lower)
        self.idle[1].span(upper, far_right)
        self.shades[0].span(lower, clipped[0])
        self.shades[1].span(clipped[1], upper)

    def ends(self) -> tuple[float, float]:
        """Return where the handles are."""
        low, high = (float(line.value()) for line in self.handles)
        return low, high

    # -- input --------------------------------------------------------------------------------------

    def _moved(self, line: pg.InfiniteLine) -> None:
        self._last = self.handles.index(line)
        self.dragged.emit(*self.ends())

    def _let_go(self, line: pg.InfiniteLine) -> None:
        self._last = self.handles.index(line)
        self.released.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Move a handle level by level; up and down choose which."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None:
            many = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            line = self.handles[self._last]
            line.setValue(float(line.value()) + step * many * self._step)
            self.dragged.emit(*self.ends())
            self.released.emit()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._last = int(event.key() == Qt.Key.Key_Up)
        elif event.key() == Qt.Key.Key_Home:
            self.show_all()
        else:
            event.ignore()
            return
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Zoom around the pointer, sideways only."""
        view = self.getViewBox()
        at = view.mapSceneToView(self.mapToScene(event.position().toPoint())).x()
        (left, right), _ = view.viewRange()
        factor = _ZOOM ** (-event.angleDelta().y() / 120)
        least, most = self._whole
        left, right = max(at - (at - left) * factor, least), min(at + (right - at) * factor, most)
        if right - left > (most - least) * 1e-3:
            self.show_range((left, right), (0.0, 1.0))
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Zoom out."""
        self.show_all()
        event.accept()


class _Shade(QGraphicsRectItem):
    """Covers what is clipped on one side."""

    def __init__(self) -> None:
        super().__init__()
        self.setPen(Qt.PenStyle.NoPen)
        self.setZValue(10)

    def span(self, left: float, right: float) -> None:
        """Cover everything between two values."""
        self.setRect(QRectF(left, 0.0, max(right - left, 0.0), 1.0))


def _cut(*, left: bool) -> pg.InfiniteLine:
    """Return a line that marks what the next operation cuts, its words on the side that is cut."""
    anchors = [(1, 0.5), (1, 0.5)] if left else [(0, 0.5), (0, 0.5)]
    options = {"position": 0.9, "movable": False, "anchors": anchors}
    line = pg.InfiniteLine(angle=90, movable=False, label="", labelOpts=options)
    line.setZValue(15)
    line.hide()
    return line

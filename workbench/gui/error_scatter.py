"""What to leave in FP32: each layer a point, its time across and its error upwards; cheap harmful ones lie low left."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPalette
from PySide6.QtWidgets import QWidget

from workbench.core.figures import decibels, milliseconds
from workbench.core.layer_table import LayerRow
from workbench.gui import theme
from workbench.gui.network_colours import error_of
from workbench.gui.plain_plot import PlainPlot

_REACH = 12.0
"""Pixels around a point in which the mouse means it."""
_SHORTEST_MS = 1e-4
_MOST_DB = 100.0


class ErrorScatter(PlainPlot):
    """Layers that ran in INT8 and whose error is known; pinned ones are diamonds."""

    chosen = Signal(str)  # layer
    menu_wanted = Signal(str, QPoint)  # layer, where on the screen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Time and error of each layer"))
        self.below.set_log(True)
        self.names: list[str] = []
        self._x = np.empty(0)
        self._y = np.empty(0)
        self._selected: str | None = None
        self._hovered: str | None = None
        self._pinned: frozenset[str] = frozenset()
        self._points = pg.ScatterPlotItem(size=9, symbol="o")
        self._kept = pg.ScatterPlotItem(size=11, symbol="d")
        self._ring = pg.ScatterPlotItem(size=15)
        self._advice = pg.TextItem(self.tr("↙ little time, large error: leave in FP32 first"), anchor=(0, 1))
        self._name = pg.TextItem(anchor=(0, 1))
        self._name.setZValue(30)
        for item in (self._advice, self._points, self._kept, self._ring, self._name):
            self.addItem(item)
        self.restyle()

    def show_rows(self, rows: Sequence[LayerRow]) -> None:
        """Show another trial's layers; those whose time or error is not known are left out."""
        known = [
            (row.name, row.ms, error)
            for row in rows
            if row.ms is not None and (error := error_of(row)) is not None and math.isfinite(error)
        ]
        self.names = [name for name, _, _ in known]
        self._x = np.log10(np.maximum([ms for _, ms, _ in known], _SHORTEST_MS)) if known else np.empty(0)
        self._y = np.clip(np.asarray([error for _, _, error in known]), -_MOST_DB, _MOST_DB)
        at_outputs = any(row.only_this_int8_sqnr_db is not None for row in rows)
        self.name_axes(self.tr("ms, dB at the outputs") if at_outputs else self.tr("ms, dB at its output"))
        self.setToolTip(
            self.tr("Signal over error with only this layer in INT8 (SQNR), over its time in one run. Lower is worse.")
        )
        self._hovered = None
        self._set_range()
        self._draw()

    def show_pinned(self, names: frozenset[str]) -> None:
        """Draw the layers that the config pins as diamonds."""
        self._pinned = names
        self._draw()

    def show_selected(self, name: str | None) -> None:
        """Mark a layer; tells nobody."""
        self._selected = name
        self._draw_ring()

    def position(self, name: str) -> QPointF:
        """Return where a layer's point lies, in pixels of this widget."""
        index = self.names.index(name)
        place = self.getViewBox().mapViewToScene(QPointF(self._x[index], self._y[index]))
        return QPointF(self.mapFromScene(place))

    def nearest(self, point: QPointF) -> str | None:
        """Return the layer whose point is within reach of *point*, in pixels of this widget."""
        if not self.names:
            return None
        view = self.getViewBox()
        low, high = (view.mapViewToScene(QPointF(*corner)) for corner in ((0.0, 0.0), (1.0, 1.0)))
        x = low.x() + self._x * (high.x() - low.x())
        y = low.y() + self._y * (high.y() - low.y())
        place = self.mapToScene(point.toPoint())
        distance = np.hypot(x - place.x(), y - place.y())
        index = int(distance.argmin())
        return self.names[index] if distance[index] <= _REACH else None

    # -- mouse --------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Name what is under the mouse."""
        self._hover(self.nearest(event.position()))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Nothing is under the mouse any more."""
        super().leaveEvent(event)
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Choose a layer."""
        name = self.nearest(event.position())
        if name is not None:
            self.chosen.emit(name)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Ask for a menu."""
        name = self.nearest(QPointF(event.pos()))
        if name is not None:
            self.menu_wanted.emit(name, event.globalPos())

    def _hover(self, name: str | None) -> None:
        if name != self._hovered:
            self._hovered = name
            self.setCursor(Qt.CursorShape.PointingHandCursor if name else Qt.CursorShape.ArrowCursor)
            self._draw_ring()

    # -- drawing ------------------------------------------------------------------------------------

    def restyle(self) -> None:
        """Colour everything by the theme."""
        super().restyle()
        palette = self.palette()
        self._advice.setColor(theme.colour("muted"))
        self._name.setColor(palette.color(QPalette.ColorRole.Text))
        self._name.fill = pg.mkBrush(palette.color(QPalette.ColorRole.Base))
        self._name.border = pg.mkPen(theme.colour("grid"))
        self._draw()

    def _set_range(self) -> None:
        x = (float(self._x.min()) - 0.15, float(self._x.max()) + 0.25) if self.names else (-2.0, 0.0)
        low, high = (float(self._y.min()), float(self._y.max())) if self.names else (0.0, 50.0)
        margin = max(0.12 * (high - low), 2.0)
        # Below the points there is a line of text.
        self.show_range(x, (low - 1.5 * margin, high + margin))
        self._advice.setPos(x[0], low - 1.5 * margin)

    def _draw(self) -> None:
        palette = self.palette()
        ground = palette.color(QPalette.ColorRole.Base)
        pinned = np.array([name in self._pinned for name in self.names], bool)
        # One brush for all points of an item: one for each would take a hundred times as long.
        for item, chosen, colour in (
            (self._points, ~pinned, theme.colour("live")),
            (self._kept, pinned, palette.color(QPalette.ColorRole.Text)),
        ):
            item.setPen(pg.mkPen(ground, width=1), update=False)
            item.setBrush(pg.mkBrush(colour), update=False)
            item.setData(x=self._x[chosen], y=self._y[chosen])
        self._draw_ring()

    def _draw_ring(self) -> None:
        shown = self._hovered or self._selected
        known = self._selected in self.names
        index = self.names.index(self._selected) if known and self._selected else 0
        ring = [index] if known else []
        pen = pg.mkPen(self.palette().color(QPalette.ColorRole.Text), width=2)
        self._ring.setData(x=self._x[ring], y=self._y[ring], pen=pen, brush=None)
        self._name.setVisible(shown in self.names)
        if shown in self.names and shown is not None:
            index = self.names.index(shown)
            ms = milliseconds(10.0 ** float(self._x[index]))
            self._name.setText(self.tr("{0}\n{1} ms, {2} dB").format(shown, ms, decibels(float(self._y[index]))))
            (left, right), (bottom, top) = self.getViewBox().viewRange()
            # The text stays inside: it hangs to the left of points at the right, below those at the top.
            self._name.setAnchor(
                (
                    1.05 if self._x[index] > (left + right) / 2 else -0.05,
                    -0.1 if self._y[index] > (bottom + top) / 2 else 1.1,
                )
            )
            self._name.setPos(self._x[index], self._y[index])

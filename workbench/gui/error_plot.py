"""The error of one tensor over the width of its range: clipping grows to the left, rounding to the right.

Marks show the ranges that are known and suggested; a click takes one. Part of the range editor.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QIcon, QMouseEvent, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QWidget

from workbench.core.range_study import RangeStudy
from workbench.gui import theme
from workbench.gui.plain_plot import PlainPlot

_NEAR = 14
"""Pixels from a mark within which a click takes it."""
_ICON = 16
_SPAN_DB = 30.0
"""A curve falls much deeper than what anybody would choose; so far below its best it is shown."""
_LOOKS = {
    "now": ("o", "baseline", 9), "calibrated": ("s", "baseline", 9), "mse": ("d", "ok", 11),
    "percentile": ("t1", "after-gap", 10), "kl": ("star", "warm-up", 12),
}  # fmt: skip
"""Symbol, colour and size of the marks."""


class ErrorPlot(PlainPlot):
    """The curve and its marks. ``taken`` tells which mark was clicked."""

    taken = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.total = pg.PlotCurveItem()
        self.clipping = pg.PlotCurveItem()
        self.rounding = pg.PlotCurveItem()
        self.marks = {key: pg.ScatterPlotItem(symbol=symbol, size=size) for key, (symbol, _, size) in _LOOKS.items()}
        self.here = pg.InfiniteLine(angle=90, movable=False)
        self.dot = pg.ScatterPlotItem(symbol="o", size=8)
        self._places: dict[str, tuple[float, float]] = {}
        self._study: RangeStudy | None = None
        for item in (self.clipping, self.rounding, self.total, self.here, *self.marks.values(), self.dot):
            self.addItem(item)
        for item in (self.clipping, self.rounding, self.total):
            item.setCacheMode(item.CacheMode.DeviceCoordinateCache)
        self.below.set_log(True)
        self.name_axes(self.tr("SQNR in dB over the width of the range"))
        self._help = self.tr(
            "Signal over error of this tensor: higher is better. Dashed: clipping alone; dotted: rounding alone. "
            "Click a mark to take its range."
        )
        self.setToolTip(self._help)
        self.setMouseTracking(True)
        self.restyle()

    def restyle(self) -> None:
        """Colour everything by the theme."""
        super().restyle()
        self.total.setPen(pg.mkPen(theme.colour("live"), width=2))
        self.clipping.setPen(pg.mkPen(theme.colour("error"), width=1, style=Qt.PenStyle.DashLine))
        self.rounding.setPen(pg.mkPen(theme.colour("muted"), width=1, style=Qt.PenStyle.DotLine))
        ink = self.palette().color(QPalette.ColorRole.Text)
        self.here.setPen(pg.mkPen(ink, width=1))
        self.dot.setPen(pg.mkPen(ink, width=2))
        self.dot.setBrush(pg.mkBrush(theme.colour("live")))
        ground = self.palette().color(QPalette.ColorRole.Base)
        for key, (_, meaning, _) in _LOOKS.items():
            self.marks[key].setBrush(pg.mkBrush(theme.colour(meaning)))
            self.marks[key].setPen(pg.mkPen(ground, width=1))

    def show_study(self, study: RangeStudy) -> None:
        """Draw another tensor's curve."""
        self._study, curve = study, study.curve
        widths = _widths(np.subtract(curve.highs, curve.lows))
        total = np.asarray(curve.sqnr)
        for item, decibels in (
            (self.total, total), (self.clipping, study.clipping_db), (self.rounding, study.rounding_db)
        ):  # fmt: skip
            item.setData(widths, decibels)
        best = float(total.max())
        worst = max(float(total.min()), best - _SPAN_DB)
        room = 0.08 * max(best - worst, 1.0)
        shown = widths[total >= worst]
        span = max(float(shown.max() - shown.min()), 1e-3)
        self.show_range(
            (float(shown.min()) - 0.04 * span, float(shown.max()) + 0.08 * span), (worst - room, best + 2 * room)
        )

    def show_ranges(self, ranges: Mapping[str, tuple[float, float]]) -> None:
        """Mark ranges: ``now``, ``calibrated``, ``mse``, ``percentile``, ``kl``."""
        self._places = {key: self._place(*ends) for key, ends in ranges.items() if key in self.marks}
        for key, mark in self.marks.items():
            place = self._places.get(key)
            mark.setData(*([[value] for value in place] if place else ([], [])))

    def show_here(self, low: float, high: float, sqnr_db: float) -> None:
        """Mark the range in the editor."""
        x, y = self._within(high - low, sqnr_db)
        self.here.setValue(x)
        self.dot.setData([x], [y])

    def _place(self, low: float, high: float) -> tuple[float, float]:
        return self._within(high - low, self._study.at(low, high).sqnr_db if self._study else 0.0)

    def _within(self, width: float, sqnr_db: float) -> tuple[float, float]:
        """Return where a mark is, kept in sight."""
        (left, right), (bottom, top) = self.getViewBox().viewRange()
        x = float(_widths(np.array(width)))
        return min(max(x, float(left)), float(right)), min(max(sqnr_db, float(bottom)), float(top))

    def near(self, place: QPointF) -> str | None:
        """Return the mark near a point of the widget."""
        view = self.getViewBox()
        found: list[tuple[float, str]] = []
        for key, spot in self._places.items():
            at = self.mapFromScene(view.mapViewToScene(QPointF(*spot)))
            distance = math.hypot(at.x() - place.x(), at.y() - place.y())
            if distance <= _NEAR:
                found.append((distance, key))
        return min(found)[1] if found else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Name the mark that is pointed at."""
        key = self.near(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if key else Qt.CursorShape.ArrowCursor)
        self.setToolTip(self.names().get(key or "", self._help))
        super().mouseMoveEvent(event)

    def names(self) -> dict[str, str]:
        """Return what the marks stand for."""
        return {
            "now": self.tr("As it is now"), "calibrated": self.tr("As calibrated"),
            "mse": self.tr("Least squared error"), "percentile": self.tr("99.9 % of the values"),
            "kl": self.tr("Most information kept (KL)"),
        }  # fmt: skip

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Take a mark."""
        key = self.near(event.position()) if event.button() == Qt.MouseButton.LeftButton else None
        if key is not None:
            self.taken.emit(key)
        event.accept()


def mark_icon(key: str) -> QIcon:
    """Return the mark of a range for a menu, in the colours of the theme."""
    symbol, meaning, _ = _LOOKS[key]
    picture = QPixmap(_ICON * 2, _ICON * 2)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(_ICON, _ICON)
    painter.scale(_ICON * 1.3, _ICON * 1.3)
    painter.fillPath(Symbols[symbol], theme.colour(meaning))
    painter.end()
    return QIcon(picture)


def _widths(values: np.ndarray) -> np.ndarray:
    """Return positions on the logarithmic axis."""
    return np.asarray(np.log10(np.maximum(values, 1e-12)))

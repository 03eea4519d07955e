"""A plot that only shows: no menu, no zoom, no range of its own making; it takes the theme's colours."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from workbench.gui import theme
from workbench.gui.plot_axis import PlainAxis


class PlainPlot(pg.PlotWidget):  # type: ignore[misc]
    """Nothing in it is animated or scales itself; whoever fills it calls :meth:`show_range` and :meth:`restyle`."""

    def __init__(self, horizontal: str, vertical: str, parent: QWidget | None = None) -> None:
        self.below = PlainAxis("bottom", horizontal)
        self.beside = PlainAxis("left", vertical)
        super().__init__(parent, axisItems={"bottom": self.below, "left": self.beside})
        self.setMenuEnabled(False)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.disableAutoRange()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Take the colours of another theme."""
        super().changeEvent(event)
        closed = getattr(self, "plotItem", None) is None
        if event.type() == QEvent.Type.PaletteChange and not closed:
            self.restyle()

    def restyle(self) -> None:
        """Colour everything by the theme."""
        palette = self.palette()
        self.setBackground(palette.color(QPalette.ColorRole.Base))
        for axis in (self.below, self.beside):
            axis.setPen(theme.colour("muted"))
            axis.setTextPen(palette.color(QPalette.ColorRole.Text))
            axis.label.setDefaultTextColor(theme.colour("muted"))

    def show_range(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Show this part, at once."""
        self.setRange(xRange=x, yRange=y, padding=0)
        # Else the view would move its items while it is painted, and ask for a second frame.
        self.getViewBox().prepareForPaint()

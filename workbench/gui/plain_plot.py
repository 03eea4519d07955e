"""The base of every plot: it shows what it is told to, in the colours of the theme, and does nothing by itself.

Nothing is animated and nothing scales itself, so that one frame shows all of a change.
"""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from workbench.gui import theme
from workbench.gui.plot_axis import PlainAxis

_SLIM = (34, 22)
"""Width and height of axes without labels."""


class PlainPlot(pg.PlotWidget):  # type: ignore[misc]
    """A plot without menu, zoom, or a range of its own making. Who adds items calls :meth:`restyle` at the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.below = PlainAxis("bottom", "")
        self.beside = PlainAxis("left", "")
        # Making a menu that nobody sees would take longer than all the rest.
        view = pg.ViewBox(enableMenu=False)
        super().__init__(parent, axisItems={"bottom": self.below, "left": self.beside}, viewBox=view)
        self.setMenuEnabled(False)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.disableAutoRange()
        self.setMinimumSize(180, 90)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._caption = pg.TextItem(anchor=(1, 1))
        self._caption.setZValue(5)
        self.addItem(self._caption, ignoreBounds=True)
        self._dressed = False

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Take the colours of another theme."""
        super().changeEvent(event)
        closed = self.plotItem is None
        if event.type() == QEvent.Type.PaletteChange and getattr(self, "_dressed", False) and not closed:
            self.restyle()

    def restyle(self) -> None:
        """Colour everything by the theme."""
        self._dressed = True
        palette = self.palette()
        self.setBackground(palette.color(QPalette.ColorRole.Base))
        for axis in (self.below, self.beside):
            axis.setPen(theme.colour("muted"))
            axis.setTextPen(palette.color(QPalette.ColorRole.Text))
            axis.label.setDefaultTextColor(theme.colour("muted"))
        self._caption.setColor(theme.colour("muted"))

    def name_axes(self, caption: str) -> None:
        """Say in a corner what the axes are, which takes less room than a label along each."""
        self._caption.setText(caption)
        for axis in (self.below, self.beside):
            axis.showLabel(False)
        self.below.setHeight(_SLIM[1])
        self.beside.setWidth(_SLIM[0])

    def show_range(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Show this part of the world."""
        self.setRange(xRange=x, yRange=y, padding=0)
        self._caption.setPos(x[1], y[0])
        # Else the view would move its items while it is painted, and ask for a second frame.
        self.getViewBox().prepareForPaint()

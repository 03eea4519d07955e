"""The base of every plot: it shows what it is told to, in the colours of the theme, and does nothing by itself.

Nothing is animated and nothing scales itself, so that one frame shows all of a change. pyqtgraph's own plot widget
would bring two axes more, a title, buttons and menus that nobody sees; making them takes longer than all the rest.
"""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsItem, QSizePolicy, QWidget

from workbench.gui import theme
from workbench.gui.plot_axis import PlainAxis
from workbench.gui.when_seen import RestylesWhenSeen

_SLIM = (34, 22)
"""Width and height of axes without labels."""


class PlainPlot(RestylesWhenSeen, pg.GraphicsView):  # type: ignore[misc]
    """A plot without menu, zoom, or a range of its own making. Who adds items calls :meth:`restyle` at the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._dressed = False
        super().__init__(parent)
        self.below = PlainAxis("bottom", "")
        self.beside = PlainAxis("left", "")
        self._view = pg.ViewBox(enableMenu=False, enableMouse=False)
        self._view.disableAutoRange()
        self.setCentralItem(self._framed())
        self.setMinimumSize(180, 90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._caption = pg.TextItem(anchor=(1, 1))
        self._caption.setZValue(5)
        self.addItem(self._caption)

    def _framed(self) -> pg.GraphicsWidget:
        """Return the view with its axes beside and below it."""
        frame = pg.GraphicsWidget()
        grid = QGraphicsGridLayout()
        grid.setContentsMargins(1, 1, 1, 1)
        grid.setSpacing(0)
        frame.setLayout(grid)
        grid.addItem(self.beside, 0, 0)
        grid.addItem(self._view, 0, 1)
        grid.addItem(self.below, 1, 1)
        for axis in (self.below, self.beside):
            axis.linkToView(self._view)
            axis.setZValue(0.5)
            axis.setFlag(QGraphicsItem.GraphicsItemFlag.ItemNegativeZStacksBehindParent)
        return frame

    def addItem(self, item: QGraphicsItem) -> None:  # noqa: N802 - pyqtgraph's name
        """Show *item* in the view."""
        self._view.addItem(item, ignoreBounds=True)

    def getViewBox(self) -> pg.ViewBox:  # noqa: N802 - pyqtgraph's name
        """Return what holds the items."""
        return self._view

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Take the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and getattr(self, "_dressed", False) and not self.closed:
            self.restyle_when_seen()

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
        self._view.setRange(xRange=x, yRange=y, padding=0)
        self._caption.setPos(x[1], y[0])
        # Else the view would move its items while it is painted, and ask for a second frame.
        self._view.prepareForPaint()

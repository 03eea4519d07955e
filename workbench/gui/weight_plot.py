"""The weights of one layer: smallest and largest value of each output channel. Part of the range editor."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QWidget

from workbench.core.trial import WeightFacts
from workbench.gui import theme
from workbench.gui.plain_plot import PlainPlot

_MARGIN = 0.06
_WIDE = 46  # weights are small numbers: -0.0025


class WeightPlot(PlainPlot):
    """One bar per channel; channels that never vary are marked on the axis."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        empty = np.empty(0)
        self.bars = pg.BarGraphItem(x0=empty, x1=empty, y0=empty, y1=empty)
        self.dead = pg.ScatterPlotItem(symbol="x", size=8)
        self.zero = pg.InfiniteLine(0, angle=0, movable=False)
        for item in (self.bars, self.zero, self.dead):
            self.addItem(item)
        self.name_axes(self.tr("smallest and largest weight of each output channel"))
        self.beside.setWidth(_WIDE)
        self.restyle()

    def restyle(self) -> None:
        """Colour everything by the theme."""
        super().restyle()
        self.bars.setOpts(brush=theme.colour("live"), pen=None)
        self.dead.setPen(pg.mkPen(theme.colour("error"), width=2))
        self.zero.setPen(pg.mkPen(theme.colour("muted"), width=1))

    def show_weights(self, facts: WeightFacts) -> None:
        """Draw another layer's channels."""
        low, high = np.asarray(facts.low), np.asarray(facts.high)
        at = np.arange(low.size, dtype=np.float64)
        self.bars.setOpts(x0=at - 0.4, x1=at + 0.4, y0=low, y1=high)
        self.dead.setData(facts.dead, [0.0] * len(facts.dead))
        bottom, top = min(float(low.min()), 0.0), max(float(high.max()), 0.0)
        room = _MARGIN * ((top - bottom) or 1.0)
        self.show_range((-0.6, max(low.size, 1) - 0.4), (bottom - room, top + room))

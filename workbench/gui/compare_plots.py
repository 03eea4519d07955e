"""Three plots of the compare panel above one axis: histograms, shares of runs below, medians of processes.

A is filled, drawn through and round, B outlined, dashed and square, so that nobody needs the colours.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from workbench.gui import theme
from workbench.gui.compare_data import SideRead
from workbench.gui.live_samples import LiveSamples, bin_edges, in_ms, logarithms
from workbench.gui.plain_plot import PlainPlot

_FAR = 3.0
"""Sides whose medians are further apart than this share a logarithmic axis."""
_MOST_POINTS = 1000
_SEE_THROUGH = 110
_ROWS = {"a": 1.0, "b": 0.0}


class _Histograms(PlainPlot):
    def __init__(self) -> None:
        super().__init__()
        self.beside.setLabel(self.tr("% of runs"))
        self.below.hide()
        self.setMinimumSize(180, 80)
        self.setToolTip(self.tr("How many of its runs took how long, on either side"))
        empty = np.empty(0)
        self.a = pg.BarGraphItem(x0=empty, x1=empty, y0=empty, height=empty)
        self.b = pg.PlotCurveItem()
        for item in (self.a, self.b):
            self.addItem(item)
        self.restyle()

    def restyle(self) -> None:
        super().restyle()
        self.a.setOpts(brush=theme.colour("side-a"), pen=None)
        fill = theme.colour("side-b")
        self.b.setPen(pg.mkPen(fill, width=1))
        fill.setAlpha(_SEE_THROUGH)
        self.b.setBrush(fill)
        self.b.setFillLevel(0.0)

    def show_sides(self, edges: np.ndarray, places: np.ndarray, a: LiveSamples, b: LiveSamples) -> None:
        shares = [100.0 * side.counts(edges) / max(side.n, 1) for side in (a, b)]
        self.a.setOpts(x0=places[:-1], x1=places[1:], y0=np.zeros(places.size - 1), height=shares[0])
        self.b.setData(places, shares[1], stepMode="center")
        top = max(float(share.max(initial=0.0)) for share in shares)
        self.show_range((places[0], places[-1]), (0.0, 1.08 * max(top, 1.0)))


class _Below(PlainPlot):
    def __init__(self) -> None:
        super().__init__()
        self.beside.setLabel(self.tr("% below"))
        self.below.hide()
        self.setMinimumSize(180, 64)
        self.setToolTip(self.tr("Which share of the runs took at most so long: the curve further left is faster"))
        self.a, self.b = pg.PlotCurveItem(), pg.PlotCurveItem()
        for item in (self.a, self.b):
            self.addItem(item)
        self.restyle()

    def restyle(self) -> None:
        super().restyle()
        self.a.setPen(pg.mkPen(theme.colour("side-a"), width=2))
        self.b.setPen(pg.mkPen(theme.colour("side-b"), width=2, style=Qt.PenStyle.DashLine))

    def show_sides(self, ends: tuple[float, float], log: bool, a: LiveSamples, b: LiveSamples) -> None:
        for item, side in ((self.a, a), (self.b, b)):
            x, y = shares_below(side)
            x = logarithms(x) if log else x
            # From the left edge to the fastest run nothing is below, right of the slowest one everything is.
            item.setData(
                np.concatenate([[ends[0]], x[:1], x, [ends[1]]]), np.concatenate([np.zeros(1 + x[:1].size), y, y[-1:]])
            ) if x.size else item.setData([], [])
        self.show_range(ends, (0.0, 104.0))


class _Medians(PlainPlot):
    def __init__(self) -> None:
        super().__init__()
        self.below.setLabel(self.tr("ms"))
        self.beside.setTicks([[(_ROWS["a"], "A"), (_ROWS["b"], "B")]])
        self.setFixedHeight(84)
        self.setToolTip(
            self.tr("The median of each process: where memory lands makes processes of one config differ by 10–30 %")
        )
        self.a = pg.ScatterPlotItem(symbol="o", size=9)
        self.b = pg.ScatterPlotItem(symbol="s", size=9)
        for item in (self.a, self.b):
            self.addItem(item)
        self.restyle()

    def restyle(self) -> None:
        super().restyle()
        for name, item in (("side-a", self.a), ("side-b", self.b)):
            item.setPen(pg.mkPen(self.palette().base().color(), width=1))
            item.setBrush(theme.colour(name))

    def show_sides(self, ends: tuple[float, float], log: bool, a: SideRead, b: SideRead) -> None:
        self.below.set_log(log)
        for side, item, row in ((a, self.a, "a"), (b, self.b, "b")):
            medians = np.asarray(side.medians_ms, np.float64)
            item.setData(x=logarithms(medians) if log else medians, y=np.full(medians.size, _ROWS[row]))
        self.show_range(ends, (-0.6, 1.6))


class ComparePlots(QWidget):
    """All three, one above the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.histograms, self.below, self.medians = _Histograms(), _Below(), _Medians()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.histograms, 3)
        column.addWidget(self.below, 2)
        column.addWidget(self.medians)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As tall as the table of figures beside it; pyqtgraph would ask for three times 480."""
        return QSize(340, 268)

    def show_sides(self, a: SideRead, b: SideRead) -> None:
        """Draw both sides; one of them may be empty."""
        full = sorted((side.samples for side in (a, b) if side.samples.n), key=lambda side: side.percentile(50))
        if not full:
            return
        log = full[-1].percentile(50) > _FAR * max(full[0].percentile(50), 1)
        edges = bin_edges(full, log=log)
        places = logarithms(edges) if log else edges
        ends = (float(places[0]), float(places[-1]))
        self.histograms.show_sides(edges, places, a.samples, b.samples)
        self.below.show_sides(ends, log, a.samples, b.samples)
        self.medians.show_sides(ends, log, a, b)


def shares_below(samples: LiveSamples) -> tuple[np.ndarray, np.ndarray]:
    """Return latencies in ms, rising, and which share of the runs (in %) took at most so long."""
    if not samples.n:
        return np.empty(0), np.empty(0)
    ranks = np.unique(np.linspace(0, samples.n - 1, min(samples.n, _MOST_POINTS)).astype(np.int64))
    return in_ms(samples.ordered[ranks]), 100.0 * (ranks + 1) / samples.n

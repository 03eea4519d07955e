"""The text at a vertical line of a plot: it stays inside at every width, and says less where there is little room.

Used by the latency plots for the deadline.
"""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF


class LineLabel(pg.InfLineLabel):  # type: ignore[misc]
    """Stands on the roomier side of its line; where neither side is wide enough it lies across.

    Args:
        line: vertical.
        position: share of the plot's height that is below the text.
    """

    def __init__(self, line: pg.InfiniteLine, position: float) -> None:
        self._texts: tuple[str, ...] = ("",)
        super().__init__(line, position=position)

    def say(self, *texts: str) -> None:
        """Show the first of *texts* that there is room for beside the line, else the last one."""
        self._texts = texts
        self.updatePosition()

    def valueChanged(self) -> None:  # noqa: N802 - pyqtgraph's name
        """Follow the line."""
        if self.isVisible():
            self.updatePosition()

    def updatePosition(self) -> None:  # noqa: N802 - pyqtgraph's name
        """Choose text and side by the room there is."""
        super().updatePosition()
        view = self.getViewBox()
        if view is None or not self.isVisible():
            return
        room, place = view.width(), view.mapFromView(QPointF(self.line.value(), 0.0)).x()
        beside = max(place, room - place)
        text = next((text for text in self._texts if self._width(text) <= beside), self._texts[-1])
        self.setText(text)
        width = self._width(text)
        left = place if place < room - place else place - width
        left = max(min(left, room - width), 0.0)
        self.setAnchor(((place - left) / width, 0.5))

    def _width(self, text: str) -> float:
        margin = self.textItem.document().documentMargin()
        return float(QFontMetricsF(self.textItem.font()).horizontalAdvance(text) + 2 * margin)

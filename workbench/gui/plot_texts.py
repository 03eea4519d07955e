"""Texts inside plots that stay whole at every width: they say less where there is little room.

Used by the latency plots.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF


class FittingText(pg.TextItem):  # type: ignore[misc]
    """A text at a place; of several wordings it shows the first that is not wider than the plot."""

    def __init__(self, anchor: tuple[float, float] = (0, 0)) -> None:
        self._texts: tuple[str, ...] = ("",)
        super().__init__(anchor=anchor)

    def say(self, *texts: str) -> None:
        """Show one of *texts*, the longest first."""
        self._texts = texts
        self._choose()

    def viewTransformChanged(self) -> None:  # noqa: N802 - pyqtgraph's name
        """Choose again when the plot has another size."""
        self._choose()
        super().viewTransformChanged()

    def _choose(self) -> None:
        view = self.getViewBox()
        if view is not None:
            self.setText(_first_within(self, self._texts, view.width()))


class LineLabel(pg.InfLineLabel):  # type: ignore[misc]
    """The text at a vertical line: on its roomier side, or across it where neither side is wide enough.

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
        text = _first_within(self, self._texts, max(place, room - place))
        self.setText(text)
        width = _width(self, text)
        left = place if place < room - place else place - width
        left = max(min(left, room - width), 0.0)
        self.setAnchor(((place - left) / width, 0.5))


def _first_within(item: pg.TextItem, texts: Sequence[str], room: float) -> str:
    return next((text for text in texts if _width(item, text) <= room), texts[-1])


def _width(item: pg.TextItem, text: str) -> float:
    margin: float = item.textItem.document().documentMargin()
    return QFontMetricsF(item.textItem.font()).horizontalAdvance(text) + 2 * margin

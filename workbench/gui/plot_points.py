"""Very many points in a plot, drawn in a millisecond: pixels are set in one image instead of one item per point.

pyqtgraph's own scatter plot spends Python time on each of 20,000 spots with every burst.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

_EDGE = 8

Floats = npt.NDArray[np.float64]


@dataclass
class _Group:
    shape: str
    size: float
    colour: int = 0
    x: Floats = field(default_factory=lambda: np.empty(0))
    y: Floats = field(default_factory=lambda: np.empty(0))


class Points(pg.GraphicsObject):  # type: ignore[misc]
    """Groups of points, each of one colour, shape and size; later groups lie on top.

    Args:
        groups: name → shape (``square``, ``diamond``, ``plus`` or ``triangle``) and size in pixels.
    """

    def __init__(self, groups: Mapping[str, tuple[str, float]]) -> None:
        super().__init__()
        self._groups = {name: _Group(shape, size) for name, (shape, size) in groups.items()}

    def set_points(self, name: str, x: npt.ArrayLike, y: npt.ArrayLike) -> None:
        """Exchange a group's points; those that are not finite are left out."""
        group = self._groups[name]
        group.x, group.y = np.asarray(x, np.float64), np.asarray(y, np.float64)
        finite = np.isfinite(group.x) & np.isfinite(group.y)
        if not finite.all():
            group.x, group.y = group.x[finite], group.y[finite]
        self.update()

    def points(self, name: str) -> tuple[Floats, Floats]:
        """Return a group's points."""
        return self._groups[name].x, self._groups[name].y

    def set_colour(self, name: str, colour: QColor) -> None:
        """Exchange a group's colour."""
        self._groups[name].colour = colour.rgba()
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802 - Qt's name
        """All that can be seen, so that no number of points makes it dear to ask."""
        return QRectF(self.viewRect() or QRectF())

    def viewRangeChanged(self) -> None:  # noqa: N802 - pyqtgraph's name
        """Follow the view."""
        self.prepareGeometryChange()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Set pixels and draw them as one image."""
        transform = painter.transform()
        area = transform.mapRect(self.boundingRect())
        ratio = painter.device().devicePixelRatioF()
        width, height = round(area.width() * ratio), round(area.height() * ratio)
        if width < 1 or height < 1 or transform.m12() or transform.m21():
            return
        # A margin lets points at the edge be cut off by the view instead of by a rule of ours.
        edge = round(_EDGE * ratio)
        pixels = np.zeros((height + 2 * edge, width + 2 * edge), np.uint32)
        for group in self._groups.values():
            if group.x.size:
                column = (group.x * transform.m11() + transform.dx() - area.left()) * ratio + edge
                row = (group.y * transform.m22() + transform.dy() - area.top()) * ratio + edge
                _stamp(pixels, column, row, _mask(group.shape, group.size * ratio), group.colour)
        height, width = pixels.shape
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        painter.save()
        painter.resetTransform()
        painter.drawImage(QPointF(area.left() - edge / ratio, area.top() - edge / ratio), image)
        painter.restore()


def _stamp(pixels: npt.NDArray[np.uint32], x: Floats, y: Floats, mask: npt.NDArray[np.int64], colour: int) -> None:
    height, width = pixels.shape
    # One flat index per point keeps this to one pass per pixel of the mask.
    reach = int(np.abs(mask).max(initial=0))
    column, row = np.floor(x), np.floor(y)
    inside = (column >= reach) & (column < width - reach) & (row >= reach) & (row < height - reach)
    places = row[inside].astype(np.int64) * width + column[inside].astype(np.int64)
    flat = pixels.reshape(-1)
    for down, right in mask:
        flat[places + (down * width + right)] = colour


@functools.lru_cache(maxsize=64)
def _mask(shape: str, size: float) -> npt.NDArray[np.int64]:
    """Return offsets (down, right) of the pixels that a point of *shape* sets."""
    reach = max(1, round(size / 2))
    down, right = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    if shape == "square":
        # An even number of pixels can be centred on nothing, so the right and lower row are left out.
        span = max(1, round(size))
        low = -(span // 2)
        inside = (down >= low) & (down < low + span) & (right >= low) & (right < low + span)
    elif shape == "diamond":
        inside = np.abs(down) + np.abs(right) <= reach
    elif shape == "plus":
        half = round(size / 7) // 2
        inside = (np.abs(down) <= half) | (np.abs(right) <= half)
    else:
        inside = 2 * np.abs(right) <= down + reach
    return np.stack([down[inside], right[inside]], axis=1).astype(np.int64)

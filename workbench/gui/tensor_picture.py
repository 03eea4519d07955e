"""The drawing in the tensor preview: pictures as tiles, maps in colours, lines; crisp at every scale."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui import theme
from workbench.gui.tensor_view import TensorView

# Five points of a scale that grows in lightness throughout, so that it reads without colours as well.
_STOPS = (0x440154, 0x3B528B, 0x21918C, 0x5EC962, 0xFDE725)
_ENLARGED = 4
"""Pixels of a tensor are shown as squares once each covers so many of the screen."""


class TensorPicture(QWidget):
    """Draws one :class:`TensorView`; several channels side by side unless they make a picture together."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: TensorView | None = None
        self._tiles: list[tuple[str, QImage]] = []
        self.setMinimumHeight(96)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """A square that fits a side panel."""
        return QSize(200, 200)

    def show_view(self, view: TensorView | None, *, apart: bool = False) -> None:
        """Draw *view*; *apart* shows the channels of a picture one by one."""
        self._view = view
        self._tiles = _tiles(view, apart) if view is not None else []
        self.update()

    def tile_count(self) -> int:
        """Return how many pictures are shown."""
        return len(self._tiles)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw tiles or a line."""
        painter = QPainter(self)
        if self._view is None:
            return
        if self._tiles:
            self._draw_tiles(painter)
        elif self._view.line is not None:
            self._draw_line(painter, self._view.line)

    def _draw_tiles(self, painter: QPainter) -> None:
        names = len(self._tiles) > 1
        caption = self.fontMetrics().height() if names else 0
        image = self._tiles[0][1]
        columns, width = _grid(
            len(self._tiles), self.width(), self.height(), image.width() / image.height(), caption, theme.SPACE
        )
        height = width * image.height() / image.width()
        rows = -(-len(self._tiles) // columns)
        left = (self.width() - columns * width - (columns - 1) * theme.SPACE) / 2
        top = max(0.0, (self.height() - rows * (height + caption) - (rows - 1) * theme.SPACE) / 2)
        enlarged = width / image.width() >= _ENLARGED
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not enlarged)
        for place, (name, tile) in enumerate(self._tiles):
            x = left + (place % columns) * (width + theme.SPACE)
            y = top + (place // columns) * (height + caption + theme.SPACE)
            area = QRectF(x, y, width, height)
            painter.drawImage(area, tile)
            painter.setPen(QPen(theme.colour("grid"), 1))
            painter.drawRect(area)
            if names:
                painter.setPen(theme.colour("muted"))
                below = QRectF(x, y + height, width, caption)
                painter.drawText(below, Qt.AlignmentFlag.AlignCenter, name)

    def _draw_line(self, painter: QPainter, values: np.ndarray[Any, Any]) -> None:
        area = QRectF(self.rect()).adjusted(1, 4, -1, -4)
        painter.fillRect(area, self.palette().color(QPalette.ColorRole.Base))
        painter.setPen(QPen(theme.colour("grid"), 1))
        painter.drawRect(area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("live"), 1))
        for part in _polylines(values, area.adjusted(4, 6, -4, -6)):
            if len(part) == 1:
                painter.drawEllipse(part[0], 1.5, 1.5)
            else:
                painter.drawPolyline(QPolygonF(part))


def _tiles(view: TensorView, apart: bool) -> list[tuple[str, QImage]]:
    if view.together is not None and not apart:
        return [("", _rgb(view.together))]
    paint = _rgb if view.kind == "map" else _gray
    planes = [_scale()[plane] for plane in view.planes] if view.kind == "map" else list(view.planes)
    return [(channel.name, paint(plane)) for channel, plane in zip(view.channels, planes, strict=False)]


def _rgb(pixels: np.ndarray[Any, Any]) -> QImage:
    height, width = pixels.shape[:2]
    data = np.ascontiguousarray(pixels).tobytes()
    # copy(): a QImage made from bytes only borrows them.
    return QImage(data, width, height, width * 3, QImage.Format.Format_RGB888).copy()


def _gray(pixels: np.ndarray[Any, Any]) -> QImage:
    height, width = pixels.shape
    return QImage(pixels.tobytes(), width, height, width, QImage.Format.Format_Grayscale8).copy()


@functools.cache
def _scale() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return 256 colours from dark blue to light yellow."""
    place = np.linspace(0, len(_STOPS) - 1, 256)
    parts = [np.interp(place, range(len(_STOPS)), [stop >> shift & 255 for stop in _STOPS]) for shift in (16, 8, 0)]
    colours: np.ndarray[Any, np.dtype[np.uint8]] = np.stack(parts, axis=1).round().astype(np.uint8)
    return colours


def _grid(count: int, width: float, height: float, aspect: float, caption: float, gap: float) -> tuple[int, float]:
    """Return the number of columns that makes *count* tiles of *aspect* (w / h) widest, and that width."""
    best = (1, 1.0)
    for columns in range(1, count + 1):
        rows = -(-count // columns)
        by_width = (width - 2 - (columns - 1) * gap) / columns
        by_height = ((height - 2 - (rows - 1) * gap) / rows - caption) * aspect
        side = min(by_width, by_height)
        if side > best[1]:
            best = (columns, side)
    return best


def _polylines(values: np.ndarray[Any, Any], area: QRectF) -> list[list[QPointF]]:
    """Return the finite stretches of *values* as points in *area*; long ones as lowest and highest per pixel."""
    finite = np.isfinite(values)
    if not finite.any():
        return []
    low, high = values[finite].min(), values[finite].max()
    span = (high - low) or 1.0
    middle = 0.5 if high == low else 0.0
    count = len(values)
    places = np.arange(count)
    columns = max(2, int(area.width()))
    if count > columns * 4:
        edges = np.linspace(0, count, columns + 1).astype(int)
        shown, places_list = [], []
        for start, stop in itertools.pairwise(edges):
            part = values[start:stop][finite[start:stop]]
            if part.size:
                shown += [part.min(), part.max()]
                places_list += [start, start]
        values, places = np.array(shown), np.array(places_list)
        finite = np.ones(len(values), bool)
    x = area.left() + area.width() * places / max(count - 1, 1)
    y = area.bottom() - area.height() * ((values - low) / span + middle)
    result: list[list[QPointF]] = [[]]
    for good, across, down in zip(finite, x, y, strict=True):
        if good:
            result[-1].append(QPointF(float(across), float(down)))
        elif result[-1]:
            result.append([])
    return [part for part in result if part]

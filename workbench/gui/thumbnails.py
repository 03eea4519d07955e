"""Small pictures of data items, decoded in the background when somebody looks at them.

Nothing is decoded while a job runs: that would take time from what is measured. Used by the accuracy panel.
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QImage, QPixmap

from workbench.core.picture import EXTENSIONS, BrokenImageError, decode, opencv
from workbench.gui import tasks
from workbench.gui.session import Session

_KEPT = 300
_AT_ONCE = 2


def picture_of(folder: str, name: str) -> Path | None:
    """Return the picture file of an item, None where the item is a row of an array."""
    if Path(name).suffix.lower() not in EXTENSIONS or "\0" in name or "\0" in folder:
        return None
    return Path(folder) / name


def shrunk(data: bytes, size: int) -> QImage:
    """Decode a picture and fit it into *size* × *size* pixels.

    Raises:
        BrokenImageError: the bytes are no usable picture.
    """
    pixels = decode(data).pixels
    height, width = pixels.shape[:2]
    scale = min(size / height, size / width, 1.0)
    target = max(1, round(width * scale)), max(1, round(height * scale))
    small = np.ascontiguousarray(opencv().resize(pixels, target, interpolation=opencv().INTER_AREA))
    return QImage(small.data, target[0], target[1], 3 * target[0], QImage.Format.Format_RGB888).copy()


class Thumbnails(QObject):
    """Hands out small pictures by path; ``arrived`` tells when one that was asked for is there.

    Args:
        size: of a square that pictures fit into, in pixels of the screen.
    """

    arrived = Signal(object)  # Path

    def __init__(self, session: Session, size: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._size = size
        self._made: OrderedDict[Path, QPixmap] = OrderedDict()
        self._wanted: OrderedDict[Path, None] = OrderedDict()
        self._running = 0
        session.job_ended.connect(self._go_on)

    def find(self, path: Path) -> QPixmap | None:
        """Return the picture, a null one where it cannot be read, or None and load it soon."""
        if path in self._made:
            self._made.move_to_end(path)
            return self._made[path]
        self._wanted[path] = None
        # What was asked for last is what somebody looks at now.
        self._wanted.move_to_end(path)
        self._go_on()
        return None

    def _go_on(self) -> None:
        while self._wanted and self._running < _AT_ONCE and self._session.job is None:
            path, _ = self._wanted.popitem()
            self._running += 1
            tasks.run(
                lambda path=path: _load(path, self._size),  # type: ignore[misc]
                lambda image, path=path: self._loaded(path, image),  # type: ignore[misc]
                lambda _, path=path: self._loaded(path, QImage()),  # type: ignore[misc]
                self,
            )

    def _loaded(self, path: Path, image: QImage) -> None:
        self._running -= 1
        self._made[path] = QPixmap.fromImage(image) if not image.isNull() else QPixmap()
        while len(self._made) > _KEPT:
            self._made.popitem(last=False)
        self._wanted.pop(path, None)
        self.arrived.emit(path)
        self._go_on()

    def size(self) -> QSize:
        """Return the square that pictures fit into."""
        return QSize(self._size, self._size)


def _load(path: Path, size: int) -> QImage:
    try:
        return shrunk(path.read_bytes(), size)
    except (OSError, BrokenImageError):
        return QImage()

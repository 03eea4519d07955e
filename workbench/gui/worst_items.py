"""The evaluation items of a trial, the worst first, with what FP32, this config and the label say of each.

An item model for the list in the accuracy panel; pictures come from :class:`Thumbnails` when they are seen.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QIcon, QPixmap

from workbench.core.accuracy import ItemAccuracy
from workbench.core.figures import decimals, finite
from workbench.core.trial import Trial
from workbench.gui import theme
from workbench.gui.thumbnails import Thumbnails, picture_of

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

MOST = 200
_NOWHERE = QModelIndex()


class WorstItems(QAbstractListModel):
    """At most :data:`MOST` items of one trial."""

    def __init__(self, thumbnails: Thumbnails, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self._items: list[ItemAccuracy] = []
        self._paths: list[Path | None] = []
        self._blank = QPixmap(thumbnails.size())
        self._blank.fill(Qt.GlobalColor.transparent)
        thumbnails.arrived.connect(self._arrived)

    def show_trial(self, trial: Trial | None) -> None:
        """Exchange the items."""
        self.beginResetModel()
        items = list(trial.accuracy.items) if trial is not None and trial.accuracy is not None else []
        self._items = sorted(items, key=_badness)[:MOST]
        folder = trial.data.path if trial is not None and trial.data is not None else ""
        self._paths = [picture_of(folder, item.name) if folder else None for item in self._items]
        self.endResetModel()

    def has_pictures(self) -> bool:
        """Whether any item is a picture."""
        return any(path is not None for path in self._paths)

    def rowCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802 - Qt's name
        """Return how many items there are."""
        return 0 if parent.isValid() else len(self._items)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return what an item shows."""
        if not index.isValid() or not 0 <= index.row() < len(self._items):
            return None
        item, path = self._items[index.row()], self._paths[index.row()]
        if role == Role.DisplayRole:
            return f"{item.name}\n{self._in_words(item)}"
        if role == Role.ToolTipRole:
            return f"{path or item.name}\n{self._in_full(item)}"
        if role == Role.DecorationRole and self.has_pictures():
            found = self._thumbnails.find(path) if path is not None else None
            return self._framed(found) if found is not None and not found.isNull() else self._blank
        if role == Role.ForegroundRole and differs(item):
            return theme.colour("error")
        return None

    def _in_words(self, item: ItemAccuracy) -> str:
        words = [decimals(item.cosine)]
        if item.top1_fp32 is not None:
            sign = "≠" if differs(item) else "="
            words.append(f"{item.top1_fp32} {sign} {'?' if item.top1 is None else item.top1}")
        if item.label is not None:
            words.append(self.tr("label {0}").format(item.label) + (" ✓" if item.top1 == item.label else " ✗"))
        return "   ".join(words)

    def caption(self) -> str:
        """Return what the second line of each item says, in words."""
        words = [self.tr("cosine")]
        if any(item.top1_fp32 is not None for item in self._items):
            words.append(self.tr("class by FP32 and by this"))
        if any(item.label is not None for item in self._items):
            words.append(self.tr("true class"))
        return self.tr(", ").join(words)

    def _in_full(self, item: ItemAccuracy) -> str:
        lines = [self.tr("cosine to FP32's output: {0}").format(decimals(item.cosine, 6))]
        for text, value in (
            (self.tr("class by FP32: {0}"), item.top1_fp32),
            (self.tr("class by this config: {0}"), item.top1),
            (self.tr("true class: {0}"), item.label),
        ):
            if value is not None:
                lines.append(text.format(value))
        return "\n".join(lines)

    def _framed(self, picture: QPixmap) -> QIcon | QPixmap:
        """Put a picture into a square, so that all texts begin at the same place."""
        if picture.size() == self._thumbnails.size():
            return picture
        from PySide6.QtGui import QPainter

        framed = QPixmap(self._blank)
        painter = QPainter(framed)
        painter.drawPixmap((framed.width() - picture.width()) // 2, (framed.height() - picture.height()) // 2, picture)
        painter.end()
        return framed

    def _arrived(self, path: object) -> None:
        for row, one in enumerate(self._paths):
            if one == path:
                self.dataChanged.emit(self.index(row), self.index(row), [int(Role.DecorationRole)])


def differs(item: ItemAccuracy) -> bool:
    """Tell whether this config says another class than FP32."""
    return item.top1_fp32 is not None and item.top1 != item.top1_fp32


def _badness(item: ItemAccuracy) -> float:
    value = finite(item.cosine)
    return -2.0 if value is None else value

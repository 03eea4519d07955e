"""A row of figures, each with a caption above it: what was, what will be. Part of the range editor."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.gui import theme
from workbench.gui.labels import MutedLabel, Ticker


class FigureStrip(QWidget):
    """Figures side by side; their texts change while a handle is dragged, and nothing is laid out anew for that.

    Args:
        captions: by key.
        widest: a text per key that there is always room for.
    """

    def __init__(self, captions: Mapping[str, str], widest: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures: dict[str, Ticker] = {}
        self._meanings: dict[str, str] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * theme.SPACE)
        for key, caption in captions.items():
            label = MutedLabel(caption)
            label.setWordWrap(False)
            figure = self._figures[key] = Ticker()
            figure.reserve(widest[key])
            column = QVBoxLayout()
            column.setSpacing(0)
            column.addWidget(label)
            column.addWidget(figure)
            row.addLayout(column)
        row.addStretch(1)

    def say(self, key: str, text: str, meaning: str = "") -> None:
        """Exchange a figure; *meaning* is a colour of the theme, or nothing for the colour of text."""
        figure = self._figures[key]
        figure.setText(text)
        if self._meanings.get(key, "") != meaning:
            self._meanings[key] = meaning
            self._colour(key)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Take the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for key in getattr(self, "_meanings", {}):
                self._colour(key)

    def _colour(self, key: str) -> None:
        palette = QPalette(self.palette())
        if meaning := self._meanings[key]:
            palette.setColor(QPalette.ColorRole.WindowText, theme.colour(meaning))
        self._figures[key].setPalette(palette)

    def text(self, key: str) -> str:
        """Return what a figure says."""
        return self._figures[key].text()

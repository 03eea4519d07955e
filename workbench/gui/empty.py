"""What a panel shows while it has nothing to show: an icon, one sentence, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel, QLayout, QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from workbench.gui import theme
from workbench.gui.labels import MutedLabel

_SIZE = 40


class EmptyState(QWidget):
    """A sentence in the middle of an empty panel."""

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = icon
        self._icon = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._what = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._what.setWordWrap(True)
        self._what.setTextFormat(Qt.TextFormat.PlainText)
        self._next = MutedLabel()
        self._next.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for label in (self._what, self._next):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * theme.SPACE, theme.SPACE, 3 * theme.SPACE, theme.SPACE)
        column.setSpacing(theme.SPACE)
        column.addStretch(1)
        for widget in (self._icon, self._what, self._next):
            column.addWidget(widget)
        self._button = QPushButton()
        self._button.hide()
        self._button.clicked.connect(self._do)
        self._offered: Callable[[], object] = lambda: None
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignCenter)
        column.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setMinimumSize(120, 80)
        self._draw()

    def say(self, what: str, next_step: str = "") -> None:
        """Show what is the case, and below what can be done."""
        self._what.setText(what)
        self._next.setText(next_step)
        self._next.setVisible(bool(next_step))

    def offer(self, text: str = "", what: Callable[[], object] = lambda: None) -> None:
        """Show a button that does *what*; without a text none."""
        self._button.setText(text)
        self._button.setVisible(bool(text))
        self._offered = what

    def _do(self) -> None:
        self._offered()

    def text(self) -> str:
        """Return all that it says."""
        return "\n".join(part for part in (self._what.text(), self._next.text()) if part)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the icon in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_icon"):
            self._draw()

    def _draw(self) -> None:
        pixmap = theme.icon(self._name, "muted").pixmap(QSize(_SIZE, _SIZE), self.devicePixelRatio())
        self._icon.setPixmap(pixmap)


def empty_or(panel: QWidget, empty: EmptyState, page: QWidget, head: QLayout | None = None) -> QStackedWidget:
    """Fill *panel*: *head* above, and below it either *empty* (page 0) or *page* (1)."""
    pages = QStackedWidget()
    pages.addWidget(empty)
    pages.addWidget(page)
    column = QVBoxLayout(panel)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    if head is not None:
        column.addLayout(head)
    column.addWidget(pages, 1)
    return pages

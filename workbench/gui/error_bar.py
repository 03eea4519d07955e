"""The bar over the centre that tells what was refused, why, and what to do; the window's answer to a user error."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from workbench.errors import UserError
from workbench.gui import theme
from workbench.gui.labels import IconLabel, PlainLabel
from workbench.gui.language import said

_MOST_LINES = 6


class ErrorBar(QFrame):
    """Hidden until :meth:`tell` is called; closed by its button, by Escape, or by the next success."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.error: UserError | None = None
        self._what = _text(bold=True)
        self._rest = _text()
        texts = QWidget()
        column = QVBoxLayout(texts)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE // 4)
        column.addWidget(self._what)
        column.addWidget(self._rest)
        column.addStretch(1)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(texts)
        self._area.viewport().setAutoFillBackground(False)
        texts.setAutoFillBackground(False)
        self._close = QToolButton()
        self._close.setIcon(theme.icon("close"))
        self._close.setAutoRaise(True)
        self._close.setToolTip(self.tr("Close (Esc)"))
        self._close.setAccessibleName(self.tr("Close the message"))
        self._close.setShortcut(Qt.Key.Key_Escape)
        self._close.clicked.connect(self.clear)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE + 4, theme.SPACE, theme.SPACE, theme.SPACE)
        row.setSpacing(theme.SPACE)
        row.addWidget(IconLabel("error"), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._area, 1)
        row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def tell(self, error: UserError) -> None:
        """Show *error*."""
        self.error = error
        self._what.setText(said(error.what))
        rest = "\n".join(said(part) for part in (error.why, error.next_step) if part)
        self._rest.setText(rest)
        self._rest.setVisible(bool(rest))
        self.show()
        self._fit()

    def clear(self) -> None:
        """Hide the bar."""
        self.error = None
        self.hide()

    def text(self) -> str:
        """Return what is shown."""
        return "\n".join(label.text() for label in (self._what, self._rest) if label.text())

    def event(self, event: QEvent) -> bool:
        """Keep the height that the text needs at this width."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            self._fit()
        return handled

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw a quiet ground with a strong edge."""
        painter = QPainter(self)
        ink = theme.colour("error")
        painter.fillRect(self.rect(), self.palette().color(QPalette.ColorRole.Base))
        painter.fillRect(0, 0, 4, self.height(), ink)
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("grid"))

    def _fit(self) -> None:
        width = self._area.viewport().width()
        shown = [label for label in (self._what, self._rest) if label.text()]
        needed = sum(label.heightForWidth(width) + theme.SPACE // 4 for label in shown)
        self._area.setFixedHeight(min(needed, self.fontMetrics().lineSpacing() * _MOST_LINES))


def _text(*, bold: bool = False) -> QLabel:
    label = PlainLabel()
    font = label.font()
    font.setBold(bold)
    label.setFont(font)
    return label

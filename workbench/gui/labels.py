"""Small labels that the panels of the left side share: text that shortens itself, an icon, a remark."""

from __future__ import annotations

import functools

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPalette, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from workbench.gui import theme


class ElidedLabel(QLabel):
    """One line that ends in … where the room is too small; the whole text is its tooltip then."""

    def __init__(
        self, text: str = "", mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight, parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self._bold = False
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_bold(self, on: bool) -> None:
        """Make the text stand out. Not by setFont(): another style sheet for the application undoes that."""
        if on != self._bold:
            self._bold = on
            self.updateGeometry()
            self.update()

    def is_bold(self) -> bool:
        """Whether the text stands out."""
        return self._bold

    def _shown_font(self) -> QFont:
        font = QFont(self.font())
        font.setBold(self._bold or font.bold())
        return font

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for the whole text."""
        hint = super().sizeHint()
        return QSize(
            max(hint.width(), QFontMetrics(self._shown_font()).horizontalAdvance(self.text()) + 2), hint.height()
        )

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Room for a few letters."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), self.fontMetrics().averageCharWidth() * 6), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw the shortened text."""
        area = self.contentsRect()
        painter = QPainter(self)
        painter.setFont(self._shown_font())
        text = painter.fontMetrics().elidedText(self.text(), self._mode, area.width())
        self.style().drawItemText(
            painter, area, int(self.alignment()), self.palette(), self.isEnabled(), text, self.foregroundRole()
        )

    def event(self, event: QEvent) -> bool:
        """Offer the whole text as a tooltip where nothing better is set."""
        if event.type() == QEvent.Type.ToolTip and not self.toolTip():
            shortened = QFontMetrics(self._shown_font()).horizontalAdvance(self.text()) > self.contentsRect().width()
            if shortened:
                self.setToolTip(self.text())
                handled = super().event(event)
                self.setToolTip("")
                return handled
        return super().event(event)


class Ticker(ElidedLabel):
    """A line whose text changes with every burst: as long as there is room, nothing is laid out anew for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._said = ""
        self._room = 0

    def text(self) -> str:
        """Return what it says."""
        return self._said

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Say something else; the room for it only grows."""
        if text != self._said:
            self._said = text
            self.setAccessibleName(text)
            self.reserve(text)
            self.update()

    def reserve(self, text: str) -> None:
        """Keep room for *text* at least."""
        needed = QFontMetrics(self._shown_font()).horizontalAdvance(text) + 2
        if needed > self._room:
            self._room = needed
            self.updateGeometry()

    def shrink(self) -> None:
        """Keep room for the present text only."""
        self._room = 0
        self.reserve(self._said)

    def sizeHint(self) -> QSize:  # noqa: N802
        """The room that is kept."""
        return QSize(self._room, super().sizeHint().height())


class IconLabel(QLabel):
    """An icon of ``resources/icons`` as tall as a line of text, which follows the theme."""

    def __init__(self, name: str, meaning: str | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._meaning = meaning
        self._draw()

    def show_icon(self, name: str, meaning: str | None = None) -> None:
        """Exchange the icon."""
        self._name, self._meaning = name, meaning
        self._draw()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Draw anew in the colours of another theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._draw()

    def _draw(self) -> None:
        size = self.fontMetrics().height()
        self.setPixmap(_pixmap(self._name, self._meaning, size, self.devicePixelRatio(), theme.is_dark()))


@functools.lru_cache(maxsize=128)
def _pixmap(name: str, meaning: str | None, size: int, ratio: float, dark: bool) -> QPixmap:
    """Return an icon drawn once for all labels that show it; *dark* only tells one drawing from the other."""
    return theme.icon(name, meaning).pixmap(QSize(size, size), ratio)


class PlainLabel(QLabel):
    """Text as it is, to mark and copy; wraps."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)


class MutedLabel(QLabel):
    """Text that explains and does not ask for attention; wraps."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        # A role, not a colour: it follows the theme by itself.
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)


class Remark(QFrame):
    """A sentence with an icon in front: a warning, a fault, something to know. Hidden while it is empty."""

    def __init__(self, meaning: str = "warning", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = IconLabel("warning", meaning)
        self._text = PlainLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE // 2)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        self.hide()

    def say(self, text: str, icon: str = "warning", meaning: str = "warning") -> None:
        """Show *text*, or nothing where it is empty."""
        if text:
            self._icon.show_icon(icon, meaning)
        self._text.setText(text)
        self.setVisible(bool(text))

    def text(self) -> str:
        """Return what it says."""
        return self._text.text()

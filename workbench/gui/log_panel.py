"""The log panel: time-stamped lines of what happened, to filter by level, copy and clear."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QGuiApplication, QPalette, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from workbench.gui import theme
from workbench.gui.empty import EmptyState
from workbench.gui.log import LEVELS, Entry, Level
from workbench.gui.session import Session

_INK = {"phase": "", "notice": "warning", "library": "muted", "error": "error"}
_MARKS = {"phase": "·", "notice": "!", "library": "»", "error": "✗"}
"""Levels are told apart without colours, too."""
_SHOWN = 500
"""Lines in sight; more would take longer to write anew than a frame lasts. All are copied."""


class LogPanel(QWidget):
    """Shows the log of the session."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.log = session.log
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setMaximumBlockCount(_SHOWN)
        self.text.setUndoRedoEnabled(False)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._set_tabs()
        self.levels: dict[Level, QToolButton] = {}
        self._empty = EmptyState("log")
        self._empty.say(
            self.tr("Nothing has happened yet."), self.tr("Phases, warnings and errors of runs appear here.")
        )
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addWidget(self._pages, 1)
        self.log.added.connect(self._added)
        self.log.cleared.connect(self.show_all)
        if self.log.entries:
            self.show_all()

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, theme.SPACE // 2)
        head.setSpacing(theme.SPACE // 2)
        names: dict[Level, tuple[str, str]] = {
            "phase": (self.tr("Phases"), self.tr("What a run is doing, and its result")),
            "notice": (self.tr("Notices"), self.tr("Warnings of the workbench about a run")),
            "library": (self.tr("Libraries"), self.tr("What engines and their libraries said")),
            "error": (self.tr("Errors"), self.tr("What failed, why, and what to do about it")),
        }
        for level in LEVELS:
            name, tip = names[level]
            button = QToolButton()
            button.setText(f"{_MARKS[level]} {name}")
            button.setToolTip(tip)
            button.setCheckable(True)
            button.setChecked(True)
            button.toggled.connect(self.show_all)
            self.levels[level] = button
            head.addWidget(button)
        head.addStretch(1)
        for icon, text, tip, what in (
            ("copy", self.tr("Copy"), self.tr("Copy the lines that are shown"), self.copy),
            ("trash", self.tr("Clear"), self.tr("Forget all lines"), self.log.clear),
        ):
            button = QToolButton()
            button.setText(text)
            button.setToolTip(f"{text}\n{tip}")
            button.setAutoRaise(True)
            button.setIcon(theme.icon(icon))
            button.clicked.connect(what)
            head.addWidget(button)
        return head

    def shows(self, entry: Entry) -> bool:
        """Whether an entry passes the filter."""
        return self.levels[entry.level].isChecked()

    def copy(self) -> None:
        """Put the lines that are shown on the clipboard, with their dates."""
        indent = "\n" + " " * 28
        lines = [
            f"{entry.when:%Y-%m-%d %H:%M:%S} {entry.level:<7} {indent.join(entry.text.splitlines())}"
            for entry in self.log.entries
            if self.shows(entry)
        ]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def show_all(self) -> None:
        """Write everything anew: the filter or the theme is another."""
        self.text.clear()
        self._write([entry for entry in self.log.entries if self.shows(entry)][-_SHOWN:])
        self._pages.setCurrentIndex(1 if self.log.entries else 0)
        self.text.verticalScrollBar().setValue(self.text.verticalScrollBar().maximum())

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Take the colours of another theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "_pages"):
            self._set_tabs()
            self.show_all()

    def _added(self, entry: Entry) -> None:
        self._pages.setCurrentIndex(1)
        if not self.shows(entry):
            return
        bar = self.text.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 4
        self._write([entry])
        if at_end:
            bar.setValue(bar.maximum())

    def _write(self, entries: Sequence[Entry]) -> None:
        plain, muted = self.palette().color(QPalette.ColorRole.Text), _format(theme.colour("muted"))
        inks = {level: _format(theme.colour(meaning) if meaning else plain) for level, meaning in _INK.items()}
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        empty = self.text.document().isEmpty()
        cursor.beginEditBlock()
        for entry in entries:
            cursor.insertText(f"{'' if empty else chr(10)}{entry.when:%H:%M:%S}\t", muted)
            text = "\n\t\t".join(entry.text.splitlines())
            cursor.insertText(f"{_MARKS[entry.level]}\t{text}", inks[entry.level])
            empty = False
        cursor.endEditBlock()

    def _set_tabs(self) -> None:
        """Let marks and texts begin at the same places in all lines."""
        metrics = self.text.fontMetrics()
        first = metrics.horizontalAdvance("00:00:00") + theme.SPACE
        option = QTextOption(self.text.document().defaultTextOption())
        option.setTabArray([float(first), float(first + 2 * metrics.averageCharWidth())])
        self.text.document().setDefaultTextOption(option)


def _format(ink: QColor) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(ink)
    return made

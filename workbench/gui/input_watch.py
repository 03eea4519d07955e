"""Tells the running job of clicks, drags, turns of the wheel and keys: the burst that they come into is thrown away.

Whatever the window does with them takes processor time from the runs that are being timed. Made by the main window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent, QWindow

if TYPE_CHECKING:
    from workbench.gui.session import Session

_KINDS = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.Wheel,
    QEvent.Type.KeyPress,
    QEvent.Type.TouchUpdate,
    QEvent.Type.Resize,
)


class InputWatch(QObject):
    """Watches the application's native windows while a job runs.

    They get each event of the platform once, before it is passed on to widgets; a filter on the application would be
    asked for thousands of events per frame.
    """

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._watched: list[QWindow] = []
        session.job_started.connect(self._begin)
        session.job_ended.connect(self._end)

    def _begin(self) -> None:
        for window in QGuiApplication.topLevelWindows():
            self._watch(window)
        QGuiApplication.instance().focusWindowChanged.connect(self._watch)  # type: ignore[union-attr]

    def _watch(self, window: QWindow | None) -> None:
        if window is not None and window not in self._watched:
            self._watched.append(window)
            window.installEventFilter(self)

    def _end(self) -> None:
        QGuiApplication.instance().focusWindowChanged.disconnect(self._watch)  # type: ignore[union-attr]
        for window in self._watched:
            if shiboken6.isValid(window):  # a menu's, say, is gone
                window.removeEventFilter(self)
        self._watched.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Look, and keep nothing back."""
        dragged = (
            event.type() == QEvent.Type.MouseMove
            and isinstance(event, QMouseEvent)
            and event.buttons() != Qt.MouseButton.NoButton
        )
        if (dragged or event.type() in _KINDS) and self._session.job is not None:
            self._session.job.disturb()
        return False

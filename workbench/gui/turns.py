"""Long work of the event loop in steps, one per turn of it, so that no event has to wait for all of them.

Used by the main window for whatever paints all panels anew, and by panels that follow several signals at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget


class Turns(QObject):
    """Does steps in the order in which they were added, each in a turn of its own."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[Callable[[], object]] = deque()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._next)

    def add(self, *steps: Callable[[], object]) -> None:
        """Do *steps* after those that wait already."""
        self._waiting.extend(steps)
        self._timer.start()

    def busy(self) -> bool:
        """Whether steps are still to be done."""
        return bool(self._waiting)

    def finish(self) -> None:
        """Do at once what is still to be done."""
        while self._waiting:
            self._next()

    def paint(self, widgets: Iterable[QWidget]) -> None:
        """Paint *widgets* one after the other, once what was added before is done; until then they stay as they are."""
        for widget in widgets:
            if widget.isVisible() and not widget.testAttribute(Qt.WidgetAttribute.WA_ForceUpdatesDisabled):
                widget.setUpdatesEnabled(False)
                self.add(partial(_release, widget))

    def _next(self) -> None:
        if self._waiting:
            self._waiting.popleft()()
        if not self._waiting:
            self._timer.stop()


def _release(widget: QWidget) -> None:
    if shiboken6.isValid(widget):
        widget.setUpdatesEnabled(True)


class Soon(QTimer):
    """Calls *what* in the next turn of the event loop, once, however often it was asked to until then."""

    def __init__(self, owner: QObject, what: Callable[[], object]) -> None:
        super().__init__(owner, singleShot=True, interval=0)
        self.timeout.connect(what)

    def ask(self) -> None:
        """Call it soon."""
        if not self.isActive():  # starting anew would put it off
            self.start()

"""Long work of the event loop in steps, one per turn of it, so that no event has to wait for all of them.

Used by the main window for whatever paints all panels anew, and by panels that follow several signals at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer
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


class Soon(QObject):
    """Calls *what* soon, once, however often it was asked to until then.

    What several panels do about the same signal would otherwise be done, and then painted, in one go. So each of them
    gets a turn of its own, and what it changed is on the screen before the next one begins.
    """

    def __init__(self, owner: QObject, what: Callable[[], object]) -> None:
        super().__init__(owner)
        self._what = what
        self._asked = False

    def ask(self) -> None:
        """Call it in a turn of the event loop to come."""
        if not self._asked:
            self._asked = True
            _shared_turns().add(self._call)

    def _call(self) -> None:
        if shiboken6.isValid(self):
            self._asked = False
            self._what()


def _shared_turns() -> Turns:
    """Return the turns that all panels take one after the other; the application owns them."""
    application = QCoreApplication.instance()
    if application is None:
        raise RuntimeError("no application yet")
    return application.findChild(Turns, options=Qt.FindChildOption.FindDirectChildrenOnly) or Turns(application)

"""Ctrl+C in the terminal and a request to terminate close the windows, as a click on the cross does.

Qt's event loop runs no Python, so Python's own handlers would wait for the next event; the byte that Python
writes for each signal wakes the loop.
"""

from __future__ import annotations

import signal
import socket

from PySide6.QtCore import QObject, QSocketNotifier, Signal
from PySide6.QtWidgets import QApplication


class Interrupts(QObject):
    """Lives as long as the application. ``came`` tells which signal it was, once the windows are closed."""

    came = Signal(int)

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._here, self._there = socket.socketpair()
        for end in (self._here, self._there):
            end.setblocking(False)
        self._old = signal.set_wakeup_fd(self._there.fileno(), warn_on_full_buffer=False)
        self._handlers = {each: signal.signal(each, lambda *_: None) for each in (signal.SIGINT, signal.SIGTERM)}
        self._notifier = QSocketNotifier(self._here.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._close_windows)

    def _close_windows(self) -> None:
        number = self._here.recv(64)[-1]
        QApplication.closeAllWindows()
        self.came.emit(number)

    def undo(self) -> None:
        """Give the signals back."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._old)
        for each, handler in self._handlers.items():
            signal.signal(each, handler)
        self._here.close()
        self._there.close()

"""What happens when something of ours fails: a log file and a plain dialog, and the window goes on.

:class:`Hooks` puts it behind ``sys.excepthook``, which PySide6 calls for every exception that a slot lets through,
and behind the hook of threads; the main window calls :func:`report_bug` for what a job's thread reports.
"""

from __future__ import annotations

import sys
import threading
import traceback
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from workbench.bugs import write_log

_open: list[QMessageBox] = []


class Hooks(QObject):
    """Catches what would otherwise only be printed, until :meth:`remove`."""

    _met = Signal(str)

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        # A thread may be the one that failed; a dialog can only be shown by the main one.
        self._met.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._caught
        threading.excepthook = self._caught_in_thread

    def remove(self) -> None:
        """Put the hooks back that were there before."""
        sys.excepthook, threading.excepthook = self._before

    def _show(self, text: str) -> None:
        report_bug(text)

    def _caught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.closeAllWindows()
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        self._met.emit(text)

    def _caught_in_thread(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            self._caught(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)


def report_bug(text: str, parent: QWidget | None = None) -> QMessageBox:
    """Write a log and show that this is a bug of ours, without blocking; *text* is the traceback.

    While one dialog is open further bugs are only logged: a fault in painting would open hundreds.
    """
    place = write_log(text)
    if _open:
        return _open[0]
    dialog = QMessageBox(parent or QApplication.activeWindow())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setIcon(QMessageBox.Icon.Critical)
    dialog.setWindowTitle(_tr("Inference Workbench"))
    dialog.setTextFormat(Qt.TextFormat.PlainText)
    dialog.setText(_tr("This is a bug of ours, not your fault. What was measured is kept."))
    last = text.strip().splitlines()[-1] if text.strip() else ""
    where = _tr("Details are in {place}").format(place=place) if place != text else ""
    dialog.setInformativeText("\n\n".join(part for part in (last, where) if part))
    dialog.setDetailedText(text)
    dialog.setStandardButtons(QMessageBox.StandardButton.Close)
    _open.append(dialog)
    dialog.finished.connect(_open.clear)
    dialog.open()
    return dialog


def _tr(text: str) -> str:
    return QCoreApplication.translate("BugDialog", text)

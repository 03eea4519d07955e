"""Slow things off the event loop: run a function in the thread pool, get its result in the main thread.

Used by every panel for what takes longer than a frame: opening files and data, describing the machine.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import shiboken6
from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal

from workbench.errors import UserError

T = TypeVar("T")

_running: set[Task[Any]] = set()


def run(
    function: Callable[[], T],
    done: Callable[[T], None],
    failed: Callable[[Exception], None] | None = None,
    owner: QObject | None = None,
) -> Task[T]:
    """Run *function* in a thread of the pool.

    Args:
        function: must not touch widgets.
        done: gets the result, in the main thread.
        failed: gets the exception instead, in the main thread; without it the exception goes to
            ``sys.excepthook`` as if a slot had raised it.
        owner: once it is deleted neither is called any more.

    Returns:
        The task; its ``cancel()`` makes sure that neither is called.
    """
    task = Task(function, done, failed, owner)
    _running.add(task)
    QThreadPool.globalInstance().start(task)
    return task


def idle() -> bool:
    """Whether no task is on its way."""
    return not _running


def wait(milliseconds: int = 5000) -> bool:
    """Wait until no task runs, as before the application ends; whether that came true in time."""
    for task in list(_running):
        task.cancel()
    ended = QThreadPool.globalInstance().waitForDone(milliseconds)
    if ended:
        _running.clear()
    return ended


def in_words(error: Exception) -> str:
    """Return what to show for a failure: the sentences of a user error, a traceback of anything else."""
    if isinstance(error, UserError):
        return str(error)
    return "".join(traceback.format_exception(error))


class _Bridge(QObject):
    """Lives in the main thread and so brings what is emitted in another one there."""

    ended = Signal(object, object)  # result, exception

    def __init__(self, deliver: Callable[[Any, Exception | None], None]) -> None:
        super().__init__()
        self._deliver = deliver
        self.ended.connect(self.pass_on, Qt.ConnectionType.QueuedConnection)

    def pass_on(self, result: Any, error: Exception | None) -> None:
        """Call what waits for the result; in the main thread."""
        self._deliver(result, error)


class Task(QRunnable, Generic[T]):
    """One call on its way; kept alive by ``_running`` until its result has arrived."""

    def __init__(
        self,
        function: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None] | None,
        owner: QObject | None,
    ) -> None:
        super().__init__()
        self.setAutoDelete(False)
        self._function = function
        self._done = done
        self._failed = failed
        self._owner = owner
        self._cancelled = False
        self._bridge = _Bridge(self._arrived)

    def run(self) -> None:
        """Body in the pool's thread; do not call."""
        result: T | None = None
        error: Exception | None = None
        if not self._cancelled:
            try:
                result = self._function()
            except Exception as caught:
                error = caught
        if shiboken6.isValid(self._bridge):
            self._bridge.ended.emit(result, error)

    def cancel(self) -> None:
        """Let nothing be called; a function that runs already runs to its end."""
        self._cancelled = True

    def _arrived(self, result: Any, error: Exception | None) -> None:
        _running.discard(self)
        gone = self._owner is not None and not shiboken6.isValid(self._owner)
        if self._cancelled or gone:
            return
        if error is None:
            self._done(result)
        elif self._failed is not None:
            self._failed(error)
        else:
            raise error

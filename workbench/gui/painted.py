"""Painting in the gaps: a burst is acknowledged only after the frame that shows it is on the screen.

The worker waits after each burst until :meth:`Job.painted` is called. So a burst is drawn, everything that
it changed in the window is painted *now* (not by an event that would fall into the next burst), and only
then the worker goes on. Two rules more:

* Input wins. The event loop goes round before anything is drawn, so that clicks and keys which wait already
  are served first, and while a mouse button is held (a handle is dragged) the worker waits. A burst that input
  came into is thrown away, see :mod:`workbench.gui.input_watch`.
* A window that nobody sees holds nobody back. While a panel is hidden behind another one it draws nothing, but what
  the burst changed elsewhere in the window is painted in the gap all the same.

Used by the latency panel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGraphicsView, QWidget

from workbench.gui.job import Job

_HELD_MS = 15
# A timer's first turn comes before waiting input in the same round of the loop; its second one does not.
_ROUNDS = 2


class PaintGate(QObject):
    """Lets a job's next burst start once the last one is painted.

    Args:
        panel: what must be on screen; the gate's parent.
        draw: brings items up to date with all bursts taken so far.
    """

    def __init__(self, panel: QWidget, draw: Callable[[], None]) -> None:
        super().__init__(panel)
        self._panel = panel
        self._draw = draw
        self._job: Job | None = None
        self._rounds = 0
        self._plots: list[QGraphicsView] = []
        self._turn = QTimer(self, singleShot=True)
        self._turn.timeout.connect(self._next)

    def burst_taken(self, job: Job) -> None:
        """Draw soon, and tell *job* when that is done."""
        if not is_seen(self._panel.window()):
            job.painted()
            return
        self._job = job
        self._rounds = 0
        self._turn.start(0)

    def release(self) -> None:
        """Hold nobody back any more: the job is over or the panel closes."""
        self._turn.stop()
        if self._job is not None:
            self._job.painted()
            self._job = None

    def _next(self) -> None:
        self._rounds += 1
        if self._rounds < _ROUNDS:
            self._turn.start(0)
        elif QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton and is_seen(self._panel.window()):
            self._turn.start(_HELD_MS)
        else:
            job, self._job = self._job, None
            try:
                if is_seen(self._panel):
                    self._draw()
                paint_now(self._views())
            finally:
                if job is not None:
                    job.painted()

    def _views(self) -> list[QGraphicsView]:
        """Return the panel's plots; looking for them takes longer than anything else but painting them."""
        if not self._plots:
            self._plots = self._panel.findChildren(QGraphicsView)
        return self._plots


def is_seen(widget: QWidget) -> bool:
    """Whether painting *widget* would reach a screen."""
    window = widget.window()
    handle = window.windowHandle()
    return widget.isVisible() and not window.isMinimized() and handle is not None and handle.isExposed()


def paint_now(views: Sequence[QGraphicsView]) -> None:
    """Paint whatever has changed in the application's windows, *views* among it, before returning."""
    # Layouts first, since they move things; then scenes, which note changes in an event of their own. Twice,
    # because a plot that is painted for the first time moves its axes while it is.
    for _ in range(2):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        for view in views:
            if view.scene() is not None:
                QCoreApplication.sendPostedEvents(view.scene(), QEvent.Type.MetaCall)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.UpdateRequest)

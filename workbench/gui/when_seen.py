"""A panel that follows the session while it is seen, and catches up when it is shown again."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget


class FollowsWhenSeen(QWidget):
    """The base of panels that take longer to fill than a frame, or read files for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stale = False

    def follow(self) -> None:
        """Show what is the case."""
        raise NotImplementedError

    def follow_when_seen(self) -> None:
        """Call :meth:`follow` now, or once the panel is shown."""
        self._stale = not self.isVisible()
        if not self._stale:
            self.follow()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Catch up with what came in unseen."""
        super().showEvent(event)
        if self._stale:
            self.follow_when_seen()

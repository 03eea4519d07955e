"""Work for what is seen: the rest catches up when it is shown again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    _Widget = QWidget
else:  # Qt allows for one widget class among the bases
    _Widget = object


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


class RestylesWhenSeen(_Widget):
    """Stands before the class of a widget with colours of its own: most are behind others when the theme changes."""

    _faded = False  # in the colours of another theme

    def restyle(self) -> None:
        """Colour everything by the theme."""
        raise NotImplementedError

    def restyle_when_seen(self) -> None:
        """Call :meth:`restyle` now, or once the widget is shown."""
        self._faded = not self.isVisible()
        if not self._faded:
            self.restyle()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Take the colours of a theme that was chosen meanwhile."""
        super().showEvent(event)
        if self._faded:
            self.restyle_when_seen()

"""Makes the panels of the main window, one per turn of the event loop, once the window is on the screen.

Panels need pyqtgraph and studies SQLAlchemy; a thread imports these and the panels' own modules first, so that the
start page answers meanwhile. NumPy imports its masked arrays at the first median, which would else be taken in a run.
Whoever needs a panel sooner calls :meth:`Furnishing.finish`. Used by the main window.
"""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from workbench.gui import tasks
from workbench.gui.panels import Panel
from workbench.gui.session import Session

_HEAVY = ("pyqtgraph", "numpy.ma", "workbench.study.store")
_PAUSE_MS = 15
"""Between two panels, for input that waits."""


class Furnishing(QObject):
    """Makes each panel once.

    Args:
        session: what the panels show.
        wanted: which, in this order.
        place: puts a panel where it belongs.
        parent: owns this.

    Attributes:
        made: the panels so far, by key.
    """

    done = Signal()

    def __init__(
        self, session: Session, wanted: Sequence[Panel], place: Callable[[Panel, QWidget], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self.made: dict[str, QWidget] = {}
        self._session = session
        self._waiting = deque(wanted)
        self._place = place
        self._begun = False
        self._turn = QTimer(self, interval=_PAUSE_MS)
        self._turn.timeout.connect(self._next_turn)

    def begin(self) -> None:
        """Start, if that has not been done yet."""
        if not self._begun and self._waiting:
            self._begun = True
            modules = [*_HEAVY, *(f"workbench.gui.{panel.module}" for panel in self._waiting if panel.module)]
            tasks.run(lambda: _import(modules), lambda _: self._turn.start(), None, self)

    def finish(self) -> None:
        """Make at once what is still missing."""
        while self._waiting:
            self._make_next()

    def then(self, what: Callable[[], object]) -> None:
        """Call *what* once all panels are made; now, if they are."""
        if self._waiting:
            self.done.connect(what)
        else:
            what()

    def _next_turn(self) -> None:
        made = next(reversed(self.made.values()), None)
        turns = getattr(made, "turns", None)
        # A panel that makes its parts in turns of its own is not finished before.
        if turns is None or not turns.busy():
            self._make_next()

    def _make_next(self) -> None:
        if self._waiting:
            panel = self._waiting.popleft()
            self.made[panel.key] = widget = panel.make(self._session)
            self._place(panel, widget)
            if not self._waiting:
                self._turn.stop()
                self.done.emit()


def _import(modules: Sequence[str]) -> None:
    for name in modules:
        importlib.import_module(name)

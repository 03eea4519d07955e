"""What was measured as a series and is kept in the study: those of other days, and the one that grows.

The base of what the session holds for panels that show one of many: ladders, sweeps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from workbench.gui import tasks

if TYPE_CHECKING:
    from workbench.core.trial import Trial
    from workbench.gui.session import Session
    from workbench.study.store import Store


class StoredSeries(QObject):
    """Follows the session's study; who inherits follows its jobs.

    Attributes:
        all: oldest first.
        shown: which of them is looked at, -1 where there is none.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.all: list[Any] = []
        self.shown = -1
        self._session = session
        self._store: Store | None = None
        self._growing = False
        session.trials_changed.connect(self._follow)

    def read(self, store: Store, trials: list[Trial]) -> list[Any]:
        """Return what a study holds, oldest first; called in any thread."""
        raise NotImplementedError

    @property
    def current(self) -> Any:
        """What is looked at; None where there is nothing."""
        return self.all[self.shown] if self.shown >= 0 else None

    def choose(self, place: int) -> None:
        """Look at another one."""
        if place != self.shown and 0 <= place < len(self.all):
            self.shown = place
            self.changed.emit()

    def is_growing(self) -> bool:
        """Whether the one that is looked at is being measured."""
        return self._growing and self.shown == len(self.all) - 1

    def _begin(self, first: Any) -> None:
        self._growing = True
        self.all.append(first)
        self.shown = len(self.all) - 1
        self.changed.emit()

    def _grow(self, store: Store, grown: Any) -> None:
        """Exchange the last one, unless another study was opened meanwhile."""
        if store is self._store:
            self.all[-1] = grown
            self.changed.emit()

    def _end(self, empty: bool) -> None:
        """The last one grows no more; an *empty* one is none."""
        self._growing = False
        if empty:
            del self.all[-1]
            self.shown = min(self.shown, len(self.all) - 1)
        self.changed.emit()

    def _follow(self) -> None:
        store = self._session.store
        if store is self._store:
            return
        self._store, self.all, self.shown, self._growing = store, [], -1, False
        self.changed.emit()
        if store is not None and store.is_there():
            trials = list(self._session.trials)
            tasks.run(
                lambda: self.read(store, trials), lambda found: self._read(store, found), self._session.tell, self
            )  # fmt: skip

    def _read(self, store: Store, found: list[Any]) -> None:
        if store is self._store and found:
            self.all[:0] = found
            self.shown = len(self.all) - 1
            self.changed.emit()

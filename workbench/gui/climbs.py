"""The ladders of the study: those that were climbed before, and the one that is being climbed.

Held by the session; the ladder panel shows one of them.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from workbench.gui import tasks

if TYPE_CHECKING:
    from workbench.core.trial import Trial
    from workbench.gui.job import Job
    from workbench.gui.session import Session
    from workbench.study.ladder import Ladder, Step
    from workbench.study.store import Store


class Climbs(QObject):
    """Follows the session's study and its jobs.

    Attributes:
        ladders: oldest first.
        shown: which of them is looked at, -1 where there is none.
        rung: name of the rung that is being measured, on the last ladder; empty where none is.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.ladders: list[Ladder] = []
        self.shown = -1
        self.rung = ""
        self._session = session
        self._store: Store | None = None
        self._climbing = False
        session.trials_changed.connect(self._follow)
        session.job_started.connect(self._job_started)
        session.job_ended.connect(self._job_ended)

    @property
    def ladder(self) -> Ladder | None:
        """The ladder that is looked at."""
        return self.ladders[self.shown] if self.shown >= 0 else None

    def choose(self, place: int) -> None:
        """Look at another ladder."""
        if place != self.shown and 0 <= place < len(self.ladders):
            self.shown = place
            self.changed.emit()

    def is_growing(self) -> bool:
        """Whether the ladder that is looked at is being climbed."""
        return self._climbing and self.shown == len(self.ladders) - 1

    # -- following ----------------------------------------------------------------------------------

    def _follow(self) -> None:
        store = self._session.store
        if store is self._store:
            return
        self._store, self.ladders, self.shown, self.rung, self._climbing = store, [], -1, "", False
        self.changed.emit()
        if store is not None and store.is_there():
            trials = list(self._session.trials)
            tasks.run(
                lambda: _read(store, trials), lambda found: self._read(store, found), self._session.tell, self
            )  # fmt: skip

    def _read(self, store: Store, found: list[Ladder]) -> None:
        if store is self._store and found:
            self.ladders[:0] = found
            self.shown = len(self.ladders) - 1
            self.changed.emit()

    def _job_started(self, job: Job) -> None:
        from workbench.gui.series_jobs import Climbing

        if not isinstance(job, Climbing):
            return
        from workbench.study.ladder import Ladder

        self._climbing = True
        self.ladders.append(Ladder(created=datetime.now(timezone.utc).isoformat(timespec="seconds"), steps=[]))
        self.shown = len(self.ladders) - 1
        job.reached.connect(lambda rung: self._reach(job.store, rung))
        job.climbed.connect(lambda step: self._add(job.store, step))
        self.changed.emit()

    def _reach(self, store: Store, rung: str) -> None:
        if store is self._store:
            self.rung = rung
            self.changed.emit()

    def _add(self, store: Store, step: Step) -> None:
        if store is self._store:
            last = self.ladders[-1]
            self.ladders[-1] = msgspec.structs.replace(last, steps=[*last.steps, step])
            self.rung = ""
            self.changed.emit()

    def _job_ended(self, _: Trial | None) -> None:
        if not self._climbing:
            return
        self._climbing, self.rung = False, ""
        if not self.ladders[-1].steps:
            del self.ladders[-1]
            self.shown = min(self.shown, len(self.ladders) - 1)
        self.changed.emit()


def _read(store: Store, trials: list[Trial]) -> list[Ladder]:
    from workbench.study.ladder import ladders

    return ladders(store, trials)

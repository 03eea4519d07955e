"""The ladders of the study: those that were climbed before, and the one that is being climbed.

Held by the session; the ladder panel shows one of them.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING

import msgspec

from workbench.gui.stored_series import StoredSeries

if TYPE_CHECKING:
    from workbench.core.trial import Trial
    from workbench.gui.job import Job
    from workbench.gui.session import Session
    from workbench.study.ladder import Drift, Ladder, Step
    from workbench.study.store import Store


class Climbs(StoredSeries):
    """Follows the session's study and its jobs.

    Attributes:
        rung: name of the rung that is being measured, on the last ladder; empty where none is.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.rung = ""
        session.job_started.connect(self._job_started)
        session.job_ended.connect(self._job_ended)

    @property
    def ladders(self) -> list[Ladder]:
        """All ladders, oldest first."""
        return self.all

    @property
    def ladder(self) -> Ladder | None:
        """The ladder that is looked at."""
        found: Ladder | None = self.current
        return found

    def read(self, store: Store, trials: list[Trial]) -> list[Ladder]:
        """Return the ladders of a study."""
        from workbench.study.ladder import ladders

        return ladders(store, trials)

    def _job_started(self, job: Job) -> None:
        from workbench.gui.series_jobs import Climbing

        if not isinstance(job, Climbing):
            return
        from workbench.study.ladder import Ladder

        job.reached.connect(lambda rung: self._reach(job.store, rung))
        job.climbed.connect(lambda step: self._add(job.store, step))
        job.drifted.connect(lambda drift: self._end_where_it_began(job.store, drift))
        self.rung = ""
        self._begin(Ladder(created=datetime.now(timezone.utc).isoformat(timespec="seconds"), steps=[]))

    def _reach(self, store: Store, rung: str) -> None:
        if store is self._store:
            self.rung = rung
            self.changed.emit()

    def _add(self, store: Store, step: Step) -> None:
        if store is self._store:
            self.rung = ""
            last = self.all[-1]
            self._grow(store, msgspec.structs.replace(last, steps=[*last.steps, step]))

    def _end_where_it_began(self, store: Store, drift: Drift) -> None:
        if store is self._store:
            self._grow(store, msgspec.structs.replace(self.all[-1], drift=drift))

    def _job_ended(self, _: Trial | None) -> None:
        if self._growing:
            self.rung = ""
            self._end(empty=not self.all[-1].steps)

"""The two sides of the comparison: what is pinned as A and as B, and which trials were measured side by side.

Held by the session; the compare panel shows it, and the trials table, menus and the ladder pin things.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject, Signal

from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui import tasks
from workbench.study.runner import resolve

if TYPE_CHECKING:
    from workbench.gui.job import Job
    from workbench.gui.session import Session
    from workbench.study.store import Store

Side: TypeAlias = Literal["a", "b"]
Pinned: TypeAlias = Trial | Config
"""A trial, or a config that has not been measured yet."""
Numbers: TypeAlias = tuple[list[int], list[int]]


class Pins(QObject):
    """What is compared with what.

    Attributes:
        a, b: the two sides.
        thorough: take more processes per side in the next measurement than the few that show large effects only.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.a: Pinned | None = None
        self.b: Pinned | None = None
        self.thorough = True
        self._session = session
        self._store: Store | None = None
        self._side_by_side: list[Numbers] = []  # oldest first
        session.trials_changed.connect(self._follow)
        session.job_started.connect(self._job_started)

    # -- asking -------------------------------------------------------------------------------------

    def are_both(self) -> bool:
        """Whether both sides are there."""
        return self.a is not None and self.b is not None

    def trials(self) -> tuple[tuple[Trial, ...], tuple[Trial, ...]]:
        """Return the trials of either side: each process of both, where the two were measured side by side."""
        a, b = self.a, self.b
        if isinstance(a, Trial) and isinstance(b, Trial):
            for one, other in reversed(self._side_by_side):
                if a.id in one and b.id in other:
                    return self._known(one), self._known(other)
                if a.id in other and b.id in one:
                    return self._known(other), self._known(one)
        return (a,) if isinstance(a, Trial) else (), (b,) if isinstance(b, Trial) else ()

    def configs(self) -> tuple[Config, Config] | None:
        """Return what would be measured side by side; None where a side is missing or from another day's knobs."""
        if self.a is None or self.b is None:
            return None
        try:
            return config_of(self.a), config_of(self.b)
        except UserError as error:
            self._session.refused.emit(error)
            return None

    def _known(self, numbers: list[int]) -> tuple[Trial, ...]:
        wanted = set(numbers)
        return tuple(trial for trial in self._session.trials if trial.id in wanted)

    def current(self) -> Pinned:
        """Return the newest good trial of what the knobs say now, or that config where there is none."""
        config = self._session.config
        wanted = resolve(config).to_dict()
        fitting = (trial for trial in reversed(self._session.trials) if trial.status == "ok")
        return next((trial for trial in fitting if trial.config == wanted), config)

    # -- saying -------------------------------------------------------------------------------------

    def pin(self, side: Side, what: Pinned | None) -> None:
        """Exchange a side; with both there the comparison is shown."""
        setattr(self, side, what)
        self.changed.emit()
        if self.are_both():
            self._session.panel_wanted.emit("compare")

    def swap(self) -> None:
        """Make A of B and B of A."""
        self.a, self.b = self.b, self.a
        self.changed.emit()

    def current_against_baseline(self) -> None:
        """Compare what the knobs say now with the baseline."""
        if self._session.baseline is not None:
            self.a = self.current()
            self.pin("b", self._session.baseline)

    def measure_against_itself(self, what: Pinned | None = None) -> None:
        """Measure a config on both sides: how much does this machine differ from itself?

        Args:
            what: the selected trial by default, what the knobs say where there is none.
        """
        try:
            config = config_of(what or self._session.selected or self._session.config)
        except UserError as error:
            self._session.refused.emit(error)
            return
        self.a = self.b = config
        self.changed.emit()
        self._session.compare()

    # -- following ----------------------------------------------------------------------------------

    def _follow(self) -> None:
        store = self._session.store
        if store is not self._store:
            self._store, self._side_by_side = store, []
            self.a = self.b = None
            self.changed.emit()
            if store is not None and store.is_there():
                tasks.run(lambda: _read(store), lambda found: self._read(store, found), self._session.tell, self)
            return
        there = {trial.id for trial in self._session.trials}
        gone = [side for side in ("a", "b") if isinstance(what := getattr(self, side), Trial) and what.id not in there]
        for side in gone:
            setattr(self, side, None)
        if gone:
            self.changed.emit()

    def _read(self, store: Store, found: list[Numbers]) -> None:
        if store is self._store and found:
            self._side_by_side[:0] = found
            self.changed.emit()

    def _job_started(self, job: Job) -> None:
        from workbench.gui.series_jobs import Comparing

        if isinstance(job, Comparing):
            self._side_by_side.append(([], []))
            job.grew.connect(lambda a, b: self._grow(job.store, a, b))

    def _grow(self, store: Store, a: tuple[Trial, ...], b: tuple[Trial, ...]) -> None:
        if store is not self._store:
            return
        self._side_by_side[-1] = tuple([trial.id or 0 for trial in side] for side in (a, b))  # type: ignore[assignment]
        self.a, self.b = (a[0] if a else self.a), (b[0] if b else self.b)
        self.changed.emit()


def config_of(what: Pinned) -> Config:
    """Return the config of a side.

    Raises:
        UserError: the record is of a version that had other knobs.
    """
    return Config.from_dict(what.config) if isinstance(what, Trial) else what


def _read(store: Store) -> list[Numbers]:
    from workbench.study.compare import side_by_side

    return side_by_side(store)

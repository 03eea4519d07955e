"""The sweeps of the study, the one that is being measured, and what the next one shall be.

Held by the session; the sweep panel shows one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.knobs import Value
from workbench.gui.stored_series import StoredSeries

if TYPE_CHECKING:
    from workbench.core.trial import Trial
    from workbench.gui.job import Job
    from workbench.gui.session import Session
    from workbench.study.store import Store
    from workbench.study.sweep import Sweep


class Sweeps(StoredSeries):
    """Follows the session's study and its jobs.

    Attributes:
        key: of the knob to sweep next.
        thorough: take more processes per value in the next sweep.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.key = "runtime.threads"
        self.thorough = False
        self._texts: dict[str, str] = {}
        self._begun = False
        session.job_started.connect(self._job_started)
        session.job_ended.connect(self._job_ended)

    @property
    def sweep(self) -> Sweep | None:
        """The sweep that is looked at."""
        found: Sweep | None = self.current
        return found

    def read(self, store: Store, trials: list[Trial]) -> list[Sweep]:
        """Return the sweeps of a study."""
        from workbench.study.sweep import sweeps

        return sweeps(store, trials)

    # -- the next one -------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The values that were typed for the knob; empty for those worth trying."""
        return self._texts.get(self.key, "")

    def want(self, key: str, text: str | None = None) -> None:
        """Choose what to sweep next.

        Args:
            text: values with commas in between; empty for those worth trying; None leaves what was typed before.
        """
        self.key = key
        if text is not None:
            self._texts[key] = text
        self.changed.emit()

    def values(self) -> list[Value]:
        """Return the values of the next sweep.

        Raises:
            UserError: there is nothing to sweep.
        """
        from workbench.study.sweep_values import values_of

        return values_of(self.key, self.text, self._session.config, self._session.host)

    # -- following ----------------------------------------------------------------------------------

    def _job_started(self, job: Job) -> None:
        from workbench.gui.series_jobs import Sweeping

        if isinstance(job, Sweeping):
            self._begun = False
            job.swept.connect(lambda found: self._show(job.store, found))

    def _show(self, store: Store, found: Sweep) -> None:
        if store is not self._store:
            return
        if self._begun:
            self._grow(store, found)
        else:
            self._begun = True
            self._begin(found)

    def _job_ended(self, _: Trial | None) -> None:
        if self._growing:
            self._end(empty=False)

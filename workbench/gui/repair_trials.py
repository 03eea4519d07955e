"""Repairs that were tried: each is one change of the config, measured once, with what was before beside it.

Held by the session. A finding is gone once its repair has worked, so what was tried is remembered here, beside the
trial that had the finding, until another study is shown.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from workbench.core.config import Config
from workbench.core.findings import Finding, Repair, combined
from workbench.core.improvement import Verdict, accuracy_verdict
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui.job import Job
from workbench.study.runner import resolve

if TYPE_CHECKING:
    from workbench.gui.session import Session

State = Literal["measuring", "measured", "not measured", "taken back"]


@dataclasses.dataclass(eq=False)
class Attempt:
    """One repair, of one finding or of all of a kind.

    Attributes:
        findings: what it shall mend.
        repairs: one of each finding.
        before: the trial that has the findings.
        after: the trial with the repair; None until it was measured.
        config, previous: with it and without it.
        step: of the undo stack, once it was done.
    """

    findings: tuple[Finding, ...]
    repairs: tuple[Repair, ...]
    before: Trial
    config: Config
    previous: Config
    step: int
    state: State = "measuring"
    after: Trial | None = None
    begun: bool = False

    @property
    def verdict(self) -> Verdict:
        """Whether the outputs are better; ``unknown`` while nothing was measured."""
        return accuracy_verdict(self.before, self.after) if self.after is not None else "unknown"

    def covers(self, finding: Finding) -> bool:
        """Whether it was made for *finding*, or for one like it in an earlier trial."""
        return any((one.kind, one.where) == (finding.kind, finding.where) for one in self.findings)


class RepairTrials(QObject):
    """Tries repairs out.

    Attributes:
        attempts: what was tried in this study, the latest last.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._store: object = None
        self.attempts: list[Attempt] = []
        session.trials_changed.connect(self._follow_study)
        session.job_started.connect(self._job_started)
        session.job_ended.connect(self._job_ended)

    def try_out(self, before: Trial, findings: Sequence[Finding], repairs: Sequence[Repair], text: str) -> bool:
        """Change the config as *repairs* say, one step of undo, and measure that once.

        Starts from the config of the trial that has the findings, so that nothing else is different.

        Args:
            before: the trial that has the *findings*.
            text: names the step.

        Returns:
            Whether it was begun; if not, the session has told why.
        """
        session = self._session
        if session.subject is None:
            return False
        previous = session.config
        released = [repair.where for repair in repairs if repair.kind == "release"]
        if not session.quantizer.repair(combined(repairs), text, released=released, base=self._base(before)):
            return False
        self._give_up_waiting()
        self.attempts = [one for one in self.attempts if not any(one.covers(finding) for finding in findings)]
        attempt = Attempt(
            tuple(findings), tuple(repairs), before, session.config, previous, session.undo.index()
        )  # fmt: skip
        self.attempts.append(attempt)
        # As deep as the trial before: else the errors of the layers would be missing from now on.
        if before.errors is not None:
            session.look_into_layers()
        else:
            session.run_once()
        self.changed.emit()
        return True

    def _base(self, trial: Trial) -> Config | None:
        """Return the config of *trial*, None where that is the session's."""
        if resolve(self._session.config).to_dict() == trial.config:
            return None
        try:
            return Config.from_dict(trial.config)
        except UserError:  # of another version: the current config has to do
            return None

    def around(self, trial: Trial) -> list[Attempt]:
        """Return what was tried on *trial* and what led to it, the first attempt first."""
        line, found = [trial], []
        for attempt in reversed(self.attempts):
            if attempt.before is trial or any(attempt.after is one for one in line):
                found.append(attempt)
                line.append(attempt.before)
        return found[::-1]

    def busy(self) -> bool:
        """Whether something is being tried now."""
        return bool(self._waiting())

    def can_take_back(self, attempt: Attempt) -> bool:
        """Whether nothing else was changed since *attempt*."""
        now = self._session.config
        return attempt.state != "taken back" and attempt.previous != now == attempt.config

    def take_back(self, attempt: Attempt) -> None:
        """Undo *attempt* and show the trial before it again; its trial stays in the study."""
        session = self._session
        if not self.can_take_back(attempt):
            return
        if attempt.state == "measuring":
            session.stop()
        attempt.state = "taken back"
        if session.undo.index() == attempt.step:
            session.undo.undo()
        else:  # data were exchanged meanwhile, say: that shall stay
            session.set_config(attempt.previous, self.tr("undo a repair"))
        if any(trial is attempt.before for trial in session.trials):
            session.select(attempt.before)
        self.changed.emit()

    def _follow_study(self) -> None:
        if self._session.store is not self._store:
            self._store = self._session.store
            self.attempts = []
            self.changed.emit()

    def _job_started(self, job: Job) -> None:
        for attempt in self._waiting():
            attempt.begun = job.config == attempt.config
            if not attempt.begun:
                attempt.state = "not measured"
                self.changed.emit()

    def _job_ended(self, trial: Trial | None) -> None:
        for attempt in self._waiting():
            if attempt.begun:
                attempt.after, attempt.state = trial, "measured" if trial is not None else "not measured"
                self.changed.emit()

    def _waiting(self) -> list[Attempt]:
        return [attempt for attempt in self.attempts if attempt.state == "measuring"]

    def _give_up_waiting(self) -> None:
        for attempt in self._waiting():
            attempt.state = "not measured"

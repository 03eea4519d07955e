"""What happened, line by line: phases of jobs, notices, what libraries said, errors with their way out.

Filled from the session's signals and kept by it; the log panel shows it. The oldest lines make room for new ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from workbench.core.config import Config
from workbench.core.figures import milliseconds
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui.job import Job
from workbench.gui.language import said
from workbench.gui.trial_words import config_in_words, proof_in_words, trial_in_words

if TYPE_CHECKING:
    from workbench.gui.session import Session

Level = Literal["phase", "notice", "library", "error"]
LEVELS: tuple[Level, ...] = ("phase", "notice", "library", "error")
MOST = 2000
_MOST_OF_LIBRARIES = 50
_LONGEST = 4000
"""Letters of one entry; a library can say the same thing for megabytes."""


@dataclass(frozen=True)
class Entry:
    """One thing that happened; *text* may have several lines."""

    when: datetime
    level: Level
    text: str


class Log(QObject):
    """The newest :data:`MOST` entries."""

    added = Signal(object)  # Entry
    cleared = Signal()

    def __init__(self, session: Session, now: Callable[[], datetime] = datetime.now) -> None:
        super().__init__(session)
        self.entries: deque[Entry] = deque(maxlen=MOST)
        self._now = now
        self._phase = ""
        self._noticed: set[str] = set()
        session.job_started.connect(self._job_started)
        session.refused.connect(self._refused)
        session.broke.connect(self._broke)

    def add(self, level: Level, text: str) -> None:
        """Append an entry; an empty text is nothing."""
        text = text.strip()
        if not text:
            return
        if len(text) > _LONGEST:
            text = text[:_LONGEST] + " …"
        entry = Entry(self._now(), level, text)
        self.entries.append(entry)
        self.added.emit(entry)

    def clear(self) -> None:
        """Forget everything."""
        self.entries.clear()
        self.cleared.emit()

    def _job_started(self, job: Job) -> None:
        job.began.connect(self._began)
        job.progressed.connect(self._progressed)
        job.noticed.connect(self._notice)
        job.measured.connect(self._measured)

    def _began(self, config: Config, part: str) -> None:
        self._phase = ""
        self._noticed.clear()
        text = self.tr("Starting {0}").format(config_in_words(config.to_dict()))
        self.add("phase", f"{part}: {text}" if part else text)

    def _progressed(self, phase: str, done: int, total: int) -> None:
        if phase != self._phase:
            self._phase = phase
            self.add("phase", said(phase))

    def _notice(self, text: str) -> None:
        if text not in self._noticed:
            self._noticed.add(text)
            self.add("notice", said(text))

    def _measured(self, trial: Trial) -> None:
        for text in trial.warnings:
            self._notice(text)
        warned = list(dict.fromkeys(trial.library_warnings))
        for text in warned[:_MOST_OF_LIBRARIES]:
            self.add("library", text)
        if len(warned) > _MOST_OF_LIBRARIES:
            self.add("library", self.tr("{0} more in the trial's record").format(len(warned) - _MOST_OF_LIBRARIES))
        if trial.status == "ok":
            self.add("phase", f"{trial_in_words(trial)}: {self._figures(trial)}")
        else:
            self.add("error", f"{trial_in_words(trial)} {said(trial.status)}: {said(trial.reason) or '?'}")

    def _figures(self, trial: Trial) -> str:
        parts = []
        if trial.latency is not None and trial.latency.n:
            parts.append(self.tr("p50 {0} ms").format(milliseconds(trial.latency.p50_ms)))
            if trial.latency.p99_ms is not None:
                parts.append(self.tr("p99 {0} ms").format(milliseconds(trial.latency.p99_ms)))
            parts.append(self.tr("{0} runs").format(f"{trial.latency.n:,}"))
        if trial.proof is not None:
            parts.append(proof_in_words(trial.proof, str(trial.config.get("precision", "")))[1].splitlines()[0])
        return self.tr(", ").join(parts) or self.tr("done")

    def _refused(self, error: UserError) -> None:
        self.add("error", said(str(error)))

    def _broke(self, traceback: str) -> None:
        self.add("error", self.tr("This is a bug of the workbench, not of yours:") + "\n" + traceback)

"""The dialog on a bundle of another machine: its checks here, and a table of what was there and is here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui import theme
from workbench.gui.bundle_jobs import Importing
from workbench.gui.check_list import CheckList
from workbench.gui.job import Job
from workbench.gui.labels import ElidedLabel, IconLabel, MutedLabel, PlainLabel, Remark
from workbench.gui.language import said
from workbench.gui.section import scrolling
from workbench.gui.session import Session
from workbench.gui.status_bar import phase_in_words

if TYPE_CHECKING:
    from workbench.export.arrival import Arrival, Fact
    from workbench.export.verify import Check

_ICONS = {"differs": ("info", "muted"), "better": ("ok", "ok"), "worse": ("warning", "warning")}


class ImportDialog(QDialog):
    """Runs the bundle in a job of the session once :meth:`begin` is called; closing it cancels that job."""

    def __init__(self, session: Session, place: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Bundle of another machine"))
        self._session = session
        self._place = place
        self._job: Importing | None = None
        self._state = "waiting"
        self.title = ElidedLabel(str(place))
        self.title.set_bold(True)
        self.phase = MutedLabel(self.tr("It runs here from its own files; that takes a minute."))
        self.checks = CheckList()
        self.facts = FactTable()
        self.outcome = Remark()
        self.stop = QPushButton(self.tr("Cancel"))
        self.stop.clicked.connect(self.close)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE * 2)
        column.addWidget(self.checks)
        column.addWidget(self.facts)
        column.addStretch(1)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE * 2, theme.SPACE * 2, theme.SPACE * 2, theme.SPACE * 2)
        column.setSpacing(theme.SPACE)
        column.addWidget(self.title)
        column.addWidget(self.phase)
        column.addWidget(scrolling(inner), 1)
        column.addWidget(self.outcome)
        column.addLayout(buttons)
        session.job_started.connect(self._follow_job)
        session.job_ended.connect(self._follow_end)
        self.resize(760, 620)

    def begin(self) -> None:
        """Run the bundle."""
        self._state = "running"
        self._session.import_bundle(self._place)

    def _follow_job(self, job: Job) -> None:
        if isinstance(job, Importing) and self._state == "running" and self._job is None:
            self._job = job
            job.progressed.connect(self._follow_progress)
            job.checked.connect(self._follow_check)
            job.arrived.connect(self._follow_arrival)
            job.refused.connect(self._follow_refusal)
            job.broke.connect(self._follow_bug)

    def _follow_progress(self, phase: str, done: int, total: int) -> None:
        words = phase_in_words(phase)
        self.phase.setText(words[:1].upper() + words[1:] + (f" {done} / {total}" if total else ""))

    def _follow_check(self, check: Check) -> None:
        self.checks.add(check.name, check.ok, check.detail)

    def _follow_arrival(self, found: Arrival) -> None:
        bundle = found.bundle
        precision = bundle["precision"].upper()
        words = self.tr("{0}: {1} {2}, made on {3} with {4}")
        self.title.setText(
            words.format(bundle["name"], bundle["engine"], precision, bundle["made"][:10], bundle["made_with"])
        )
        self.facts.show_facts(found.facts)
        if found.ok:
            self._say_end(self.tr("It answers here as it did there; the table tells how fast."), "ok")
        else:
            self._say_end(self.tr("Do not use it here: a check failed."), "error")

    def _follow_refusal(self, error: UserError) -> None:
        self._say_end("\n".join(said(part) for part in (error.what, error.why, error.next_step) if part), "error")

    def _follow_bug(self, _: str) -> None:
        self._say_end(self.tr("It could not be run: a bug of ours."), "error")

    def _say_end(self, text: str, icon: str) -> None:
        self._state = "ended"
        self.phase.hide()
        self.outcome.say(text, icon, icon)
        self.stop.setText(self.tr("Close"))

    def _follow_end(self, _: Trial | None) -> None:
        # Another job may have ended to make room for this one, which then starts within this turn of the loop.
        QTimer.singleShot(0, self, self._follow_silence)

    def _follow_silence(self) -> None:
        if self._state == "running" and not isinstance(self._session.job, Importing):
            self._say_end(self.tr("Cancelled."), "info")

    def done(self, result: int) -> None:
        """Cancel what still runs."""
        if self._state == "running":
            self._state = "ended"
            self._session.stop()
        super().done(result)


class FactTable(QWidget):
    """Names, what was there, what is here; a note below where something follows from it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.SPACE)
        self._grid.setVerticalSpacing(theme.SPACE // 2)
        for column, share in ((1, 2), (2, 3), (3, 3)):
            self._grid.setColumnStretch(column, share)
        self._rows: list[tuple[str, str, str, str]] = []

    def show_facts(self, facts: list[Fact]) -> None:
        """Show *facts*, once."""
        for column, title in ((2, self.tr("there")), (3, self.tr("here"))):
            self._grid.addWidget(MutedLabel(title), 0, column)
        for fact in facts:
            row = self._grid.rowCount()
            shown = (said(fact.name), said(fact.there), said(fact.here), said(fact.note))
            self._rows.append(shown)
            if fact.meaning in _ICONS:
                self._grid.addWidget(IconLabel(*_ICONS[fact.meaning]), row, 0, Qt.AlignmentFlag.AlignTop)
            for column, label in ((1, MutedLabel(shown[0])), (2, PlainLabel(shown[1])), (3, PlainLabel(shown[2]))):
                label.setAlignment(Qt.AlignmentFlag.AlignTop)
                self._grid.addWidget(label, row, column)
            if shown[3]:
                self._grid.addWidget(MutedLabel(shown[3]), row + 1, 2, 1, 2)

        self._keep_height()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep all lines of folded texts in sight at another width."""
        super().resizeEvent(event)
        self._keep_height()

    def _keep_height(self) -> None:
        # A scroll area would sooner squeeze rows of folded texts than scroll.
        self.setMinimumHeight(max(self._grid.heightForWidth(self.width()), 0))

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Return name, there, here and note, top down."""
        return list(self._rows)

"""The latency panel: histogram, timeline, figures and verdict of the run in progress or of the selected trial.

While a job runs it shows that job; afterwards the session's selected trial, with the baseline behind. Bursts
are drawn in the gaps between them, see :mod:`workbench.gui.painted`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy.typing as npt
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

from workbench.core.trial import Trial
from workbench.gui import theme
from workbench.gui.empty import EmptyState
from workbench.gui.kept_samples import KeptSamples
from workbench.gui.labels import MutedLabel, Remark, Ticker
from workbench.gui.language import said
from workbench.gui.latency_plots import HistogramPlot, TimelinePlot
from workbench.gui.latency_table import StatisticsTable, of_record
from workbench.gui.legend import legend
from workbench.gui.live_samples import LiveSamples, Statistics
from workbench.gui.painted import PaintGate, is_seen
from workbench.gui.section import scrolling
from workbench.gui.session import LIVE_RUNS, Session
from workbench.gui.trial_words import config_in_words, proof_in_words, trial_in_words
from workbench.gui.turns import Soon, Turns

if TYPE_CHECKING:
    from workbench.gui.job import Job


_PLOTS = 1
"""The page with the plots; the other one says why there are none."""


class LatencyPanel(QWidget):
    """Shows how long runs take."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._samples = LiveSamples()
        self._behind: LiveSamples | None = None
        self._trial: Trial | None = None
        self._job: Job | None = None
        self._gap: int | None = None
        self._stale = False
        self._kept = KeptSamples(session, self)
        self._gate = PaintGate(self, self.draw)
        self._turns = Turns(self)
        self._drawing = Soon(self, self._draw_if_seen)
        self.histogram = HistogramPlot()
        self.timeline = TimelinePlot()
        self.table = StatisticsTable()
        self._title = Ticker()
        self._legend = QLabel(textFormat=Qt.TextFormat.RichText)
        self._verdict = Remark()
        self._proof = Remark()
        self._reason = Remark()
        self._behind_name = MutedLabel()
        self._empty = EmptyState("latency")
        self._log_time = self._toggle(self.tr("log ms"), self.tr("Logarithmic latencies: shows the tail and the bulk."))
        self._log_count = self._toggle(self.tr("log runs"), self.tr("Logarithmic counts: a single slow run shows."))
        self._side = QWidget()
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._arranged())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)
        self._connect()
        self._restyle()
        self._follow_deadline()
        self._follow_selection()

    # -- arrangement --------------------------------------------------------------------------------

    def _toggle(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setCheckable(True)
        button.toggled.connect(self._follow_scales)
        return button

    def _arranged(self) -> QWidget:
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        head = QHBoxLayout()
        head.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, 0)
        head.setSpacing(theme.SPACE // 2)
        head.addWidget(self._title, 1)
        for part in (self._log_time, self._log_count):
            head.addWidget(part)
        plots = QSplitter(Qt.Orientation.Vertical)
        plots.addWidget(self.histogram)
        plots.addWidget(self.timeline)
        plots.setStretchFactor(0, 3)
        plots.setStretchFactor(1, 2)
        plots.setChildrenCollapsible(False)
        self._legend.setContentsMargins(theme.SPACE, 0, theme.SPACE, theme.SPACE // 2)
        self._legend.setWordWrap(True)
        self._legend.setToolTip(
            self.tr("The baseline is scaled to as many runs. Warm-up and first runs after a gap are in no figure.")
        )
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE // 2)
        column.addWidget(plots, 1)
        column.addWidget(self._legend)
        side = self._side
        figures = QVBoxLayout(side)
        figures.setContentsMargins(theme.SPACE, 0, theme.SPACE, theme.SPACE)
        figures.setSpacing(theme.SPACE)
        for widget in (self.table, self._reason, self._verdict, self._proof, self._behind_name):
            figures.addWidget(widget)
        figures.addStretch(1)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(left)
        area = scrolling(side)
        area.setMinimumWidth(side.minimumSizeHint().width() + area.verticalScrollBar().sizeHint().width())
        both.addWidget(area)
        both.setStretchFactor(0, 3)
        both.setStretchFactor(1, 1)
        both.setChildrenCollapsible(False)
        both.setSizes([1000, area.minimumWidth()])
        page = QWidget()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(theme.SPACE // 2)
        rows.addLayout(head)
        rows.addWidget(both, 1)
        return page

    def _connect(self) -> None:
        session = self._session
        session.job_started.connect(self._job_started)
        session.job_ended.connect(self._job_ended)
        session.selection_changed.connect(self._follow_selection)
        session.subject_changed.connect(self._follow_selection)
        session.deadline_changed.connect(self._follow_deadline)
        for plot in (self.histogram, self.timeline):
            plot.deadline_dragged.connect(self._deadline_dragged)
            plot.deadline.sigPositionChangeFinished.connect(self._drag_ended)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Colour the legend for another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_legend"):
            self._restyle()
            self._say()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Catch up with what came in unseen."""
        super().showEvent(event)
        if self._stale:
            self.draw()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Hold no worker back any longer."""
        self._gate.release()
        super().closeEvent(event)

    def _restyle(self) -> None:
        kinds = (
            ("■", "live", self.tr("this run")), ("■", "baseline", self.tr("baseline")),
            ("◆", "warm-up", self.tr("warm-up")), ("✚", "after-gap", self.tr("first after a gap")),
            ("▲", "error", self.tr("above the plot")),
        )  # fmt: skip
        self._legend.setText(legend(kinds))

    # -- a job --------------------------------------------------------------------------------------

    def _job_started(self, job: Job) -> None:
        self._gate.release()
        self._job, self._trial, self._samples, self._gap = job, None, LiveSamples(), None
        job.began.connect(self._began)
        job.after_gap.connect(self._after_gap)
        job.warmed_up.connect(self._warmed_up)
        job.burst.connect(self._burst)
        job.thrown_away.connect(self._thrown_away)
        self._draw_soon()

    def _began(self) -> None:
        """Forget the last trial of a series."""
        self._gap = None
        if self._samples.n or self._samples.warmup.size:
            self._samples = LiveSamples()
            self._draw_soon()

    def _warmed_up(self, values: npt.ArrayLike) -> None:
        self._samples.warm_up(values)
        self._draw_soon()

    def _after_gap(self, ns: int) -> None:
        self._gap = ns

    def _burst(self, values: npt.ArrayLike) -> None:
        self._samples.add(values, self._gap)
        self._gap, self._stale = None, True
        if self._job is not None:
            self._gate.burst_taken(self._job)

    def _thrown_away(self) -> None:
        self._gap = None
        if self._job is not None:
            self._gate.burst_taken(self._job)

    def _job_ended(self, trial: Trial | None) -> None:
        self._gate.release()
        self._job = None
        if trial is not None and trial.latency is not None and trial.latency.n == self._samples.n:
            self._kept.keep(trial, self._samples)
        self._follow_selection()

    # -- following the session ----------------------------------------------------------------------

    def _follow_selection(self) -> None:
        baseline = self._session.baseline
        self._behind = None if baseline is None else self._kept.find(baseline, lambda _: self._follow_selection())
        if self._job is None:
            self._trial = trial = self._session.selected
            found = None if trial is None else self._kept.find(trial, lambda _: self._follow_selection())
            self._samples = found or LiveSamples()
        self._draw_soon()

    def _follow_deadline(self) -> None:
        limit = self._session.deadline_ms
        for plot in (self.histogram, self.timeline):
            plot.set_deadline(limit)
        if any(plot.deadline.moving for plot in (self.histogram, self.timeline)):
            self._say()
        else:
            self._draw_soon()

    def _deadline_dragged(self, ms: float) -> None:
        self._session.set_deadline(float(f"{ms:.3g}") or None)

    def _drag_ended(self) -> None:
        # Ranges stay put while the line is in the hand, and follow when it is let go.
        self._follow_deadline()

    def _follow_scales(self) -> None:
        for plot in (self.histogram, self.timeline):
            plot.log_time = self._log_time.isChecked()
            plot.set_deadline(self._session.deadline_ms)
        self.histogram.log_count = self._log_count.isChecked()
        self._draw_soon()

    # -- drawing ------------------------------------------------------------------------------------

    def _draw_soon(self) -> None:
        """Draw once for all that is told in this turn of the event loop: the end of a run, the start of the next."""
        self._stale = True
        self._drawing.ask()

    def _draw_if_seen(self) -> None:
        """Draw where somebody looks, one part per turn; else when it is shown."""
        if self._stale and (is_seen(self) or self._job is None):
            self._turns.finish()
            self._turns.add(*self._parts())

    def draw(self) -> None:
        """Bring everything up to date."""
        self._turns.finish()
        for part in self._parts():
            part()

    def _parts(self) -> list[Callable[[], object]]:
        self._stale = False
        return [self._say, self._draw_histogram, self._draw_timeline]

    def _draw_histogram(self) -> None:
        if self._pages.currentIndex() == _PLOTS:
            self.histogram.show_samples(self._samples, self._behind)

    def _draw_timeline(self) -> None:
        if self._pages.currentIndex() == _PLOTS:
            runs = None if self._job is None else 0 if self._job.runs == LIVE_RUNS else self._job.runs
            self.timeline.show_samples(self._samples, runs)

    def _say(self) -> None:
        trial, job = self._trial, self._job
        nothing = self._nothing_in_words()
        if nothing is not None:
            self._empty.say(*nothing)
        if nothing is None and self._pages.currentIndex() != _PLOTS:  # all of it is painted for the first time
            self._turns.paint((self.histogram, self.timeline, self._side))
        self._pages.setCurrentIndex(_PLOTS if nothing is None else 0)
        if job is not None:
            words = config_in_words(job.config.to_dict())
            progress = self.tr("{0} runs").format(f"{self._samples.n:,}")
            if job.runs != LIVE_RUNS:
                progress = self.tr("{0} of {1} runs").format(f"{self._samples.n:,}", f"{job.runs:,}")
            self._title.setText(self.tr("Measuring {0} – {1}").format(words, progress))
        elif trial is not None:
            self._title.setText(trial_in_words(trial))
        self.table.show_figures(self._current(), self._baseline())
        self._say_verdict()
        baseline = self._session.baseline
        self._behind_name.setText("" if baseline is None else self.tr("baseline: {0}").format(trial_in_words(baseline)))

    def _say_verdict(self) -> None:
        trial, words, quiet = self._trial, "", True
        if trial is not None and trial.latency is not None:
            words, quiet = trial.latency.noise, trial.latency.stable
        elif self._samples.n:
            quiet, words = self._samples.verdict()
        _tell(self._verdict, said(words), "ok" if quiet else "warning")
        proof = trial.proof if trial is not None else None
        if trial is not None and proof is not None:
            good, words = proof_in_words(proof, str(trial.config.get("precision", "")))
            _tell(self._proof, words, "ok" if good else "error")
        else:
            _tell(self._proof, self.tr("Kernels are counted at the end.") if self._job else "", "info")
        reason = said(trial.reason) if trial is not None and trial.status != "ok" else ""
        failed = trial is not None and trial.status == "failed"
        _tell(self._reason, reason, "error" if failed else "warning")

    def _nothing_in_words(self) -> tuple[str, str] | None:
        """Return what the panel says instead of plots, where it has none to show."""
        if self._job is not None or (self._trial is not None and self._trial.latency is not None):
            return None
        trial = self._trial
        if trial is not None:
            what = self.tr("Trial {0} was not timed: {1}").format(trial.id or "", said(trial.reason or trial.status))
            return what, self.tr("The log may tell more. Change the knobs and run again.")
        if self._session.subject is None:
            return self.tr("No model yet."), self.tr("Open one, or drop a file on the window.")
        return self.tr("Nothing measured yet."), self.tr("“Run once” takes a few seconds; “Live” follows the knobs.")

    def _current(self) -> Statistics:
        trial, limit = self._trial, self._session.deadline_ms
        if trial is None:
            batch = self._job.config.number("run.batch") if self._job is not None else 1
            return self._samples.statistics(limit, batch)
        return self._with_deadline(of_record(trial) or Statistics(), trial, self._samples)

    def _baseline(self) -> Statistics | None:
        trial = self._session.baseline
        found = of_record(trial) if trial is not None else None
        return None if found is None or trial is None else self._with_deadline(found, trial, self._behind)

    def _with_deadline(self, figures: Statistics, trial: Trial, samples: LiveSamples | None) -> Statistics:
        """Count misses of the deadline as it is now, where the samples are at hand."""
        limit, missed = self._session.deadline_ms, None
        if limit is not None and samples is not None and samples.n:
            missed = samples.above(limit)
        elif limit is not None and trial.latency is not None and trial.latency.deadline_ms == limit:
            missed = trial.latency.missed
        return Statistics(**{**vars(figures), "missed": missed})


def _tell(remark: Remark, text: str, kind: str) -> None:
    """Exchange what a remark says, if it is something else: drawing its icon is dear."""
    if (remark.text(), remark.property("kind")) != (text, kind):
        remark.setProperty("kind", kind)
        remark.say(text, kind, "muted" if kind == "info" else kind)

"""The ladder panel: what each step from the naive way to INT8 buys, in speed and in accuracy, while it is climbed.

Shows the ladder that the session looks at. A rung is a trial: choosing one selects it, opening one shows its
latencies.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.config import Config
from workbench.core.figures import local_time
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui import theme
from workbench.gui.empty import EmptyState, empty_or
from workbench.gui.labels import ElidedLabel, Remark
from workbench.gui.ladder_model import LadderModel
from workbench.gui.ladder_table import COLOURS, LadderTable
from workbench.gui.ladder_words import fastest_in_words
from workbench.gui.language import said
from workbench.gui.legend import legend
from workbench.gui.pins import Side
from workbench.gui.row_actions import row_action
from workbench.gui.series_box import SeriesBox
from workbench.gui.series_jobs import Climbing
from workbench.gui.session import Session
from workbench.study.ladder import Drift


class LadderPanel(QWidget):
    """Follows the session's ladders."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.model = LadderModel(session, self)
        self.table = LadderTable(self.model)
        self.climb = QPushButton()
        self.choice = SeriesBox(session.climbs, lambda ladder: local_time(ladder.created, full=True))
        self.summary = ElidedLabel()
        self.drift = Remark()
        self._legend = QLabel(textFormat=Qt.TextFormat.RichText)
        self._legend.setWordWrap(True)
        self._empty = EmptyState("ladder")
        self._make_actions()
        self._pages = empty_or(self, self._empty, self._arranged(), self._head())
        self._connect()
        self._restyle()
        self._follow_job()
        self.follow()

    # -- arrangement --------------------------------------------------------------------------------

    def _make_actions(self) -> None:
        make = partial(row_action, self.table)
        self.open = make(
            self.tr("Show in Latency"), self._open, "latency", "Return", self.tr("Its histogram and figures")
        )
        self.open.setShortcuts([QKeySequence("Return"), QKeySequence("Enter")])
        self.use = make(
            self.tr("Use this config"), self._use_config, "settings", "Ctrl+Return", self.tr("Set all knobs as here")
        )
        self.pin_a = make(
            self.tr("Pin as A"), lambda: self._pin("a"), "pin-a", "Ctrl+Shift+A", self.tr("One side of the comparison")
        )
        self.pin_b = make(
            self.tr("Pin as B"), lambda: self._pin("b"), "pin-b", "Ctrl+Shift+B", self.tr("The other side")
        )

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(theme.SPACE, theme.SPACE, theme.SPACE, theme.SPACE // 2)
        head.setSpacing(theme.SPACE // 2)
        self.climb.clicked.connect(self._climb_or_stop)
        head.addWidget(self.climb)
        self.choice.setToolTip(self.tr("Ladders that were climbed before"))
        self.choice.setAccessibleName(self.tr("Ladder"))
        head.addWidget(self.choice)
        head.addStretch(1)
        for action in (self.open, self.use, self.pin_a, self.pin_b):
            button = QToolButton(autoRaise=True)
            button.setDefaultAction(action)
            head.addWidget(button)
        return head

    def _arranged(self) -> QWidget:
        self.summary.set_bold(True)
        self.summary.setContentsMargins(theme.SPACE, 0, theme.SPACE, theme.SPACE // 2)
        self.drift.setContentsMargins(theme.SPACE, 0, theme.SPACE, theme.SPACE // 2)
        self._legend.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, theme.SPACE // 2)
        self._legend.setToolTip(
            self.tr(
                "Each rung runs in one process. Where processes of one config differ by more than a rung brings, "
                "no difference can be shown; the compare panel measures two rungs side by side."
            )
        )
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.summary)
        column.addWidget(self.drift)
        column.addWidget(self.table, 1)
        column.addWidget(self._legend)
        return page

    def _connect(self) -> None:
        session = self._session
        session.climbs.changed.connect(self.follow)
        session.selection_changed.connect(self._follow_selection)
        session.subject_changed.connect(self._follow_job)
        session.job_started.connect(self._follow_job)
        session.job_ended.connect(self._follow_job)
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.table.doubleClicked.connect(self._open)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Take the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_pages"):
            self._restyle()

    def _restyle(self) -> None:
        kinds = (
            ("■", COLOURS["faster"], self.tr("faster")), ("■", COLOURS["slower"], self.tr("slower")),
            ("■", COLOURS["same"], self.tr("no difference shown")), ("├┤", "muted", self.tr("95 % interval")),
        )  # fmt: skip
        again = [("◇", "muted", self.tr("first rung, at the end"))] if self.model.drift is not None else []
        self._legend.setText(legend([*kinds, *again]))

    # -- what can be done ---------------------------------------------------------------------------

    def chosen(self) -> Trial | None:
        """Return the trial of the chosen rung."""
        return self.model.trial(self.table.chosen())

    def _climb_or_stop(self) -> None:
        if isinstance(self._session.job, Climbing):
            self._session.stop()
        else:
            self._session.climb()

    def _open(self) -> None:
        if (trial := self.chosen()) is not None:
            self._session.select(trial)
            self._session.panel_wanted.emit("latency")

    def _use_config(self) -> None:
        if (trial := self.chosen()) is None:
            return
        try:
            config = Config.from_dict(trial.config)
        except UserError as error:
            self._session.refused.emit(error)
        else:
            self._session.set_config(config, self.tr("config of trial {0}").format(trial.id))

    def _pin(self, side: Side) -> None:
        if (trial := self.chosen()) is not None:
            self._session.pins.pin(side, trial)

    # -- following ----------------------------------------------------------------------------------

    def _follow_job(self) -> None:
        session = self._session
        running = isinstance(session.job, Climbing)
        self.climb.setText(self.tr("Stop") if running else self.tr("Climb the ladder"))
        self.climb.setIcon(theme.icon("stop" if running else "ladder"))
        self.climb.setEnabled(session.subject is not None)
        self.climb.setToolTip(
            self.tr("What was measured until now is kept")
            if running
            else self.tr("On top of the current knobs: affinity, calibration and preprocessing hold on all rungs")
        )
        self._say_nothing()

    def _say_nothing(self) -> None:
        if self._session.subject is None and not self.model.rowCount():
            self._empty.say(self.tr("No model yet."), self.tr("Open one, or drop a file on the window."))
        else:
            self._empty.say(
                self.tr("The ladder has not been climbed yet."),
                self.tr("It goes from the naive way to INT8, one knob at a time, and takes a few minutes."),
            )
        self._pages.setCurrentIndex(1 if self.model.rowCount() else 0)

    def follow(self) -> None:
        """Show the ladder that the session looks at."""
        climbs = self._session.climbs
        self.model.follow()
        self.summary.setText(fastest_in_words(self.model.steps))
        self._say_drift(self.model.drift)
        self.choice.follow()
        self._say_nothing()
        self._follow_selection()
        if climbs.is_growing():
            self.table.scrollToBottom()

    def _say_drift(self, drift: Drift | None) -> None:
        icon = ("warning", "warning") if drift is not None and drift.drifted else ("info", "muted")
        self.drift.say(said(drift.text) if drift is not None else "", *icon)
        self._restyle()

    def _follow_selection(self) -> None:
        """Choose the rung of the trial that is selected, or none."""
        self.table.choose(self.model.row_of(self._session.selected))
        self._enable()

    def _selected(self) -> None:
        trial = self.chosen()
        if trial is not None and trial is not self._session.selected:
            self._session.select(trial)
        self._enable()

    def _enable(self) -> None:
        for action in (self.open, self.use, self.pin_a, self.pin_b):
            action.setEnabled(self.chosen() is not None)

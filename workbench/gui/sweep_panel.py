"""The sweep panel: what one knob does to the median and to the tail, and what to set for each of them.

Shows the sweep that the session looks at. A value has trials: choosing one selects the first of them, opening one
shows its latencies.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeySequence, QPalette, QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.config import Config
from workbench.core.figures import local_time
from workbench.core.knobs import BY_KEY, KNOBS, Value
from workbench.core.trial import Trial
from workbench.gui import theme
from workbench.gui.empty import EmptyState, empty_or
from workbench.gui.job import Job
from workbench.gui.knob_words import title
from workbench.gui.labels import ElidedLabel
from workbench.gui.language import said
from workbench.gui.legend import legend
from workbench.gui.row_actions import row_action
from workbench.gui.row_table import SeriesTable
from workbench.gui.segmented import Segmented
from workbench.gui.series_box import SeriesBox
from workbench.gui.series_jobs import Sweeping
from workbench.gui.session import Session
from workbench.gui.sweep_model import EFFECT, ITEM, MAX, MEMORY, P50, P99, RATE, TAIL, VALUE, SweepModel
from workbench.gui.sweep_plots import LOOKS, SweepPlots
from workbench.gui.sweep_words import Goal, advice_in_words, advised, knee_in_words, value_in_words
from workbench.study.sweep import BATCH, Sweep
from workbench.study.sweep_values import usual_values

GOALS: tuple[Goal, ...] = ("median", "tail")
_USUAL = {
    P50: "000 ms", ITEM: "per sample", EFFECT: "0.00×  0.00–0.00 ▲", P99: "000 ms", TAIL: "0.00×  0.00–0.00 ▲",
    MAX: "000 ms", RATE: "samples/s", MEMORY: "peak MB",
}  # fmt: skip


class SweepPanel(QWidget):
    """Follows the session's sweeps."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: Sweep | None = None
        self._key = ""
        self.model = SweepModel(session, self)
        self.measure = QPushButton()
        self.knob = self._knob_box()
        self.values = QLineEdit()
        self.care = Segmented([(False, self.tr("quick")), (True, self.tr("thorough"))])
        self.choice = SeriesBox(session.sweeps, lambda each: f"{title(each.knob)}  {local_time(each.created)}")
        self.advice = {goal: ElidedLabel() for goal in GOALS}
        self.take = {goal: QPushButton() for goal in GOALS}
        self.summary = ElidedLabel()
        self.plots = SweepPlots()
        self.table = SeriesTable(self.model, _USUAL, VALUE)
        self._legend = QLabel(textFormat=Qt.TextFormat.RichText)
        self._empty = EmptyState("sweep")
        self.open = row_action(
            self.table,
            self.tr("Show in Latency"),
            self._open,
            "latency",
            "Return",
            self.tr("Its histogram and figures"),
        )  # fmt: skip
        self.open.setShortcuts([QKeySequence("Return"), QKeySequence("Enter")])
        self.use = row_action(
            self.table, self.tr("Take this value"), self._use, "settings", "Ctrl+Return", self.tr("Turn the knob to it")
        )
        self._pages = empty_or(self, self._empty, self._arranged(), self._head())
        self._connect()
        self._restyle()
        self._follow_job()
        self._follow_config()
        self.follow()

    # -- arrangement --------------------------------------------------------------------------------

    def _knob_box(self) -> QComboBox:
        box = QComboBox()
        for knob in KNOBS:
            box.addItem(title(knob.key), knob.key)
            box.setItemData(box.count() - 1, f"{knob.key}\n{said(knob.help)}", Qt.ItemDataRole.ToolTipRole)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(14)
        box.setMaxVisibleItems(20)
        box.setAccessibleName(self.tr("Knob to sweep"))
        return box

    def _head(self) -> QVBoxLayout:
        first = QHBoxLayout()
        first.setSpacing(theme.SPACE // 2)
        self.values.setAccessibleName(self.tr("Values"))
        self.values.setClearButtonEnabled(True)
        self.values.setMinimumWidth(self.values.fontMetrics().averageCharWidth() * 14)
        self.values.setToolTip(
            self.tr("Values with commas in between; CPU lists with slashes. Empty: those worth trying on this machine.")
        )
        self.care.setToolTip(
            self.tr("Quick: three processes per value. Thorough: five, which shows smaller differences.")
        )
        for widget in (self.measure, self.knob):
            first.addWidget(widget)
        first.addWidget(self.values, 1)
        first.addWidget(self.care)
        for action in (self.open, self.use):
            button = QToolButton(autoRaise=True)
            button.setDefaultAction(action)
            first.addWidget(button)
        head = QVBoxLayout()
        head.setContentsMargins(theme.SPACE, theme.SPACE, theme.SPACE, theme.SPACE // 2)
        head.addLayout(first)
        return head

    def _arranged(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE // 2)
        words = QVBoxLayout()
        words.setContentsMargins(theme.SPACE, 0, theme.SPACE, 0)
        words.setSpacing(2)
        for goal in GOALS:
            row = QHBoxLayout()
            self.advice[goal].set_bold(True)
            row.addWidget(self.advice[goal], 1)
            row.addWidget(self.take[goal])
            self.take[goal].setIcon(theme.icon("settings"))
            words.addLayout(row)
        self.summary.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.choice.setToolTip(self.tr("Sweeps that were measured before"))
        self.choice.setAccessibleName(self.tr("Sweep"))
        last = QHBoxLayout()
        last.addWidget(self.summary, 1)
        last.addWidget(self.choice)
        words.addLayout(last)
        column.addLayout(words)
        column.addWidget(self.plots, 3)
        self._legend.setContentsMargins(theme.SPACE, 0, theme.SPACE, 0)
        column.addWidget(self._legend)
        column.addWidget(self.table, 2)
        self.table.setMinimumHeight(self.table.verticalHeader().defaultSectionSize() * 4)
        return page

    def _connect(self) -> None:
        session, sweeps = self._session, self._session.sweeps
        self.measure.clicked.connect(self._measure_or_stop)
        self.knob.activated.connect(lambda row: sweeps.want(self.knob.itemData(row)))
        self.values.editingFinished.connect(lambda: sweeps.want(sweeps.key, self.values.text().strip()))
        self.care.chosen.connect(self._choose_care)
        for goal in GOALS:
            self.take[goal].clicked.connect(lambda _=False, goal=goal: self._take_advice(goal))
        sweeps.changed.connect(self.follow)
        session.selection_changed.connect(self._follow_selection)
        session.config_changed.connect(self._follow_config)
        session.host_changed.connect(self._follow_wanted)
        session.subject_changed.connect(self._follow_job)
        session.job_started.connect(self._job_started)
        session.job_ended.connect(self._follow_job)
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.table.doubleClicked.connect(self._open)
        self.plots.taken.connect(self.table.selectRow)
        self.plots.opened.connect(self._open_row)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Take the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_pages"):
            self._restyle()

    def _restyle(self) -> None:
        found = self.model.sweep
        per_item = found is not None and found.knob == BATCH
        names = {
            "median": self.tr("p50 per sample") if per_item else "p50",
            "tail": self.tr("p99 of a run") if per_item else "p99",
        }
        marks = {"median": "●", "tail": "■"}
        parts = [(marks[goal], LOOKS[goal][1], names[goal]) for goal in GOALS]
        parts.append(("▒", "muted", self.tr("95 % interval")))
        if found is not None:
            base = self.tr("baseline: {0}").format(value_in_words(found.knob, found.baseline.value))
            parts.append(("—", "baseline", base))
        self._legend.setText(legend(parts))

    # -- what can be done ---------------------------------------------------------------------------

    def chosen(self) -> Trial | None:
        """Return the trial of the chosen value."""
        return self.model.trial(self.table.chosen())

    def _measure_or_stop(self) -> None:
        if isinstance(self._session.job, Sweeping):
            self._session.stop()
        else:
            self._session.sweep()

    def _choose_care(self, thorough: bool) -> None:
        self._session.sweeps.thorough = thorough

    def _open(self) -> None:
        if (trial := self.chosen()) is not None:
            self._session.select(trial)
            self._session.panel_wanted.emit("latency")

    def _open_row(self, row: int) -> None:
        self.table.selectRow(row)
        self._open()

    def _use(self) -> None:
        if self.table.chosen() >= 0:
            self._turn(self.model.points[self.table.chosen()].value)

    def _take_advice(self, goal: Goal) -> None:
        if self.model.sweep is not None and (value := advised(self.model.sweep, goal).value) is not None:
            self._turn(value)

    def _turn(self, value: Value) -> None:
        """Turn the swept knob, undoably."""
        found = self.model.sweep
        if found is not None:
            text = f"{title(found.knob)}: {value_in_words(found.knob, value)}"
            self._session.set_knobs({found.knob: value}, text)

    # -- following ----------------------------------------------------------------------------------

    def _job_started(self, job: Job) -> None:
        if isinstance(job, Sweeping):
            job.began.connect(self._say_progress)
        self._follow_job()

    def _say_progress(self, config: Config, part: str) -> None:
        self.summary.setText(self.tr("Measuring {0}").format(part))
        if not self.model.rowCount():
            self._empty.say(self.summary.text())

    def _follow_job(self) -> None:
        session = self._session
        running = isinstance(session.job, Sweeping)
        self.measure.setText(self.tr("Stop") if running else self.tr("Sweep", "verb"))
        self.measure.setIcon(theme.icon("stop" if running else "sweep"))
        self.measure.setEnabled(session.subject is not None)
        self.measure.setToolTip(
            self.tr("What was measured until now is kept")
            if running
            else self.tr("Each value in several fresh processes, in turn with the knobs as they are (F9)")
        )
        for widget in (self.knob, self.values, self.care):
            widget.setEnabled(not running)
        self._follow_summary()
        self._say_nothing()

    def _say_nothing(self) -> None:
        if self._session.subject is None and not self.model.rowCount():
            self._empty.say(self.tr("No model yet."), self.tr("Open one, or drop a file on the window."))
        elif not isinstance(self._session.job, Sweeping):
            self._empty.say(
                self.tr("No knob has been swept yet."),
                self.tr(
                    "Choose one above: its values are measured against the knobs as they are, the median and the tail "
                    "apart. The best setting for one is often not the best for the other."
                ),
            )
        self._pages.setCurrentIndex(1 if self.model.rowCount() else 0)

    def follow(self) -> None:
        """Show the sweep that the session looks at, and what the next one shall be."""
        self.model.follow()
        found = self.model.sweep
        if found is not None and found is not self._shown:
            self._shown = found
            self._show(found)
        self.choice.follow()
        self._follow_wanted()
        self._follow_summary()
        self._say_nothing()
        self._follow_selection()

    def _show(self, found: Sweep) -> None:
        # There is no room for both; the slowest run is in the tooltip.
        self.table.setColumnHidden(ITEM, found.knob != BATCH)
        self.table.setColumnHidden(MAX, found.knob == BATCH)
        self.table.clearSpans()
        for row, point in enumerate(self.model.points):
            if point.reason and point.p50_ms is None:
                self.table.setSpan(row, P50, 1, MEMORY - P50 + 1)
        self.plots.show_sweep(found, self.model.points)
        self._restyle()
        for goal in GOALS:
            self.advice[goal].setText(advice_in_words(found, goal))
            value = advised(found, goal).value
            if value is not None:
                self.take[goal].setText(self.tr("Take {0}").format(value_in_words(found.knob, value)))
                self.take[goal].setToolTip(self.tr("Turn {0} to it; Ctrl+Z takes that back").format(title(found.knob)))
        self._enable()

    def _follow_summary(self) -> None:
        found = self.model.sweep
        if found is None or (self._session.sweeps.is_growing() and self._session.job is not None):
            return
        parts = [knee_in_words(found)]
        if found.finished:
            parts.append(self.tr("Processes per value: {0}.").format(found.processes))
        else:
            parts.append(self.tr("Stopped before its end; this is what was measured."))
        self.summary.setText(" ".join(part for part in parts if part))

    def _follow_wanted(self) -> None:
        """Show which knob and values come next."""
        sweeps = self._session.sweeps
        self.knob.setCurrentIndex(self.knob.findData(sweeps.key))
        if not self.values.hasFocus() or self._key != sweeps.key:  # else somebody is typing
            self.values.setText(sweeps.text)
        self._key = sweeps.key
        usual = usual_values(BY_KEY[sweeps.key], self._session.host)
        between = "/" if sweeps.key == "runtime.affinity" else ","
        self.values.setPlaceholderText(between.join(str(value).lower() for value in usual) or self.tr("V1,V2,…"))
        self.care.set_value(sweeps.thorough)

    def _follow_config(self) -> None:
        """Grey the knobs that the config has no use for, with the reason."""
        config, model = self._session.config, self.knob.model()
        assert isinstance(model, QStandardItemModel)
        for row, knob in enumerate(KNOBS):
            reason, item = config.applies(knob), model.item(row)
            if item.isEnabled() == bool(reason):
                item.setEnabled(not reason)
                item.setToolTip(said(reason) or f"{knob.key}\n{said(knob.help)}")
        self._enable()

    def _follow_selection(self) -> None:
        """Choose the value of the trial that is selected, or none."""
        row = self.model.row_of(self._session.selected)
        if row < 0 or self.model.row_of(self.chosen()) != row:
            self.table.choose(row)
        self._enable()

    def _selected(self) -> None:
        trial = self.chosen()
        if trial is not None and self.model.row_of(self._session.selected) != self.table.chosen():
            self._session.select(trial)
        self._enable()

    def _enable(self) -> None:
        found, config = self.model.sweep, self._session.config
        self.open.setEnabled(self.chosen() is not None)
        self.use.setEnabled(self.table.chosen() >= 0)
        self.plots.show_chosen(self.table.chosen())
        for goal in GOALS:
            value = advised(found, goal).value if found is not None else None
            self.take[goal].setVisible(value is not None)
            self.take[goal].setEnabled(found is not None and value is not None and config[found.knob] != value)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As large as the latency panel likes to be."""
        return QSize(640, 400)

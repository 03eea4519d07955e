"""The compare panel: is A faster than B, how sure is that, what differs, and what did it cost in accuracy.

Shows what the session's pins say. Two stored trials are compared as they are, with a warning that this says little;
*Measure side by side* takes several fresh processes of both.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui import compare_data, tasks, theme
from workbench.gui.compare_data import Compared
from workbench.gui.compare_plots import ComparePlots
from workbench.gui.compare_tables import MOST_LAYERS, AccuracyTable, FiguresTable, LayersTable, SettingsTable
from workbench.gui.compare_words import cautions, pinned_in_words, verdict_in_words
from workbench.gui.empty import EmptyState, empty_or
from workbench.gui.job import Job
from workbench.gui.labels import MutedLabel, Remark
from workbench.gui.language import said
from workbench.gui.pin_choices import PinChoices
from workbench.gui.pins import Side
from workbench.gui.section import Section, scrolling
from workbench.gui.segmented import Segmented
from workbench.gui.series_jobs import Comparing
from workbench.gui.session import Session
from workbench.gui.trial_words import config_in_words, trial_in_words
from workbench.gui.when_seen import FollowsWhenSeen

SIDES: tuple[Side, ...] = ("a", "b")


class ComparePanel(FollowsWhenSeen):
    """Follows the session's pins."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._task: tasks.Task[Compared] | None = None
        self._shown: Compared | None = None
        self.choices = PinChoices(session, self)
        self.boxes: dict[Side, QComboBox] = {side: self._box(side) for side in SIDES}
        self._names = {side: QLabel() for side in SIDES}
        self.care = Segmented([(False, self.tr("quick")), (True, self.tr("thorough"))])
        self.measure = QPushButton()
        self.itself = QToolButton()
        self.progress = MutedLabel()
        self.verdict = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.detail = MutedLabel()
        self.caution = Remark()
        self.plots = ComparePlots()
        self.figures = FiguresTable()
        self.accuracy = AccuracyTable()
        self.no_accuracy = MutedLabel(self.tr("Accuracy n/a: neither side was run on data."))
        self.settings = SettingsTable()
        self.same_settings = MutedLabel(self.tr("Both sides have the same config."))
        self.layers = LayersTable()
        self.same_layers = MutedLabel()
        self._empty = EmptyState("compare")
        self._pages = empty_or(self, self._empty, scrolling(self._arranged()), self._head())
        self._connect()
        self._restyle()
        self._follow_job()
        self._follow_pins()

    # -- arrangement --------------------------------------------------------------------------------

    def _box(self, side: Side) -> QComboBox:
        box = QComboBox()
        box.setModel(self.choices)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(12)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        box.setMaxVisibleItems(20)
        box.setAccessibleName(self.tr("Side A") if side == "a" else self.tr("Side B"))
        box.activated.connect(lambda row: self._session.pins.pin(side, self.choices.choice(row)))
        return box

    def _head(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(theme.SPACE, theme.SPACE, theme.SPACE, theme.SPACE // 2)
        grid.setHorizontalSpacing(theme.SPACE)
        grid.setVerticalSpacing(theme.SPACE // 2)
        for row, side in enumerate(SIDES):
            grid.addWidget(self._names[side], row, 0)
            grid.addWidget(self.boxes[side], row, 1)
        swap = QToolButton(autoRaise=True)
        swap.setIcon(theme.icon("swap"))
        swap.setToolTip(self.tr("Make A of B and B of A"))
        swap.setAccessibleName(self.tr("Swap A and B"))
        swap.clicked.connect(self._session.pins.swap)
        grid.addWidget(swap, 0, 2, 2, 1)
        self.care.button(False).setToolTip(
            self.tr("Two fresh processes per side: shows differences from about 16 % up, in less than half the time")
        )
        self.care.button(True).setToolTip(self.tr("Five fresh processes per side"))
        self.care.chosen.connect(self._choose_care)
        self.measure.clicked.connect(self._measure_or_stop)
        self.itself.setText(self.tr("A/A"))
        self.itself.setToolTip(
            self.tr("How much does this machine differ from itself? Runs one config on both sides (Ctrl+F7)")
        )
        self.itself.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.itself.setAccessibleName(self.tr("Measure against itself (A/A)"))
        self.itself.setMenu(self._itself_menu())
        grid.addWidget(self.care, 0, 3)
        grid.addWidget(self.itself, 0, 4)
        grid.addWidget(self.measure, 1, 3, 1, 2)
        grid.addWidget(self.progress, 2, 0, 1, 5)
        grid.setColumnStretch(1, 1)
        return grid

    def _itself_menu(self) -> QMenu:
        menu = QMenu(self)
        session = self._session
        trial = menu.addAction("", lambda: session.pins.measure_against_itself(session.selected))
        knobs = menu.addAction("", lambda: session.pins.measure_against_itself(session.config))

        def name() -> None:
            selected = session.selected
            trial.setEnabled(selected is not None)
            text = self.tr("Selected trial: {0}")
            trial.setText(text.format(trial_in_words(selected)) if selected else self.tr("No trial is selected"))
            knobs.setText(self.tr("Current knobs: {0}").format(config_in_words(session.config.to_dict())))

        menu.aboutToShow.connect(name)
        return menu

    def _arranged(self) -> QWidget:
        font = self.verdict.font()
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * 1.25)
        self.verdict.setFont(font)
        self.verdict.setWordWrap(True)
        for label in (self.verdict, self.detail):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._both = QWidget()
        both = QHBoxLayout(self._both)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(theme.SPACE)
        both.addWidget(self.plots, 1)
        both.addWidget(self.figures, 0, Qt.AlignmentFlag.AlignTop)
        self._accuracy_section = self._section(self.tr("Accuracy"), self.accuracy, self.no_accuracy)
        self._settings_section = self._section(self.tr("What differs"), self.settings, self.same_settings)
        self._layers_section = self._section(self.tr("Layers that differ"), self.layers, self.same_layers)
        self._layers_section.set_hint(
            self.tr("times of one logged run"),
            self.tr("From the pass that proves which kernels ran: good for shares of the time, not for latencies."),
        )
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, theme.SPACE)
        column.setSpacing(theme.SPACE // 2)
        for widget in (
            self.verdict, self.detail, self.caution, self._both, self._accuracy_section, self._settings_section,
            self._layers_section,
        ):  # fmt: skip
            column.addWidget(widget)
        column.setStretchFactor(self._both, 1)
        column.addStretch()
        return content

    def _section(self, title: str, *contents: QWidget) -> Section:
        section = Section(title)
        column = QVBoxLayout(section.body)
        column.setContentsMargins(0, 0, 0, theme.SPACE // 2)
        for widget in contents:
            column.addWidget(widget)
        return section

    def _connect(self) -> None:
        session = self._session
        session.pins.changed.connect(self._follow_pins)
        session.deadline_changed.connect(self._follow_deadline)
        session.subject_changed.connect(self._enable)
        session.job_started.connect(self._job_started)
        session.job_ended.connect(self._follow_job)
        self.choices.modelReset.connect(self._show_pins)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Take the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_pages"):
            self._restyle()

    def _restyle(self) -> None:
        for side, label in self._names.items():
            colour = theme.colour(f"side-{side}").name()
            label.setText(
                f'<span style="color:{colour}">{"●" if side == "a" else "■"}</span>&nbsp;<b>{side.upper()}</b>'
            )

    # -- what can be done ---------------------------------------------------------------------------

    def _choose_care(self, thorough: bool) -> None:
        self._session.pins.thorough = thorough

    def _measure_or_stop(self) -> None:
        if isinstance(self._session.job, Comparing):
            self._session.stop()
        else:
            self._session.compare()

    # -- following ----------------------------------------------------------------------------------

    def _job_started(self, job: Job) -> None:
        if isinstance(job, Comparing):
            job.began.connect(self._say_progress)
        self._follow_job()

    def _say_progress(self, config: Config, part: str) -> None:
        self.progress.setText(self.tr("Measuring {0}. The figures grow with each process.").format(part))

    def _follow_job(self) -> None:
        running = isinstance(self._session.job, Comparing)
        self.measure.setText(self.tr("Stop") if running else self.tr("Measure side by side"))
        self.measure.setIcon(theme.icon("stop" if running else "compare"))
        self.care.setEnabled(not running)
        self.progress.setVisible(running)
        self.progress.setText(self.tr("Starting the first process.") if running else "")
        self._enable()

    def _enable(self) -> None:
        pins = self._session.pins
        self.care.set_value(pins.thorough)
        ready = pins.are_both()
        running = isinstance(self._session.job, Comparing)
        self.itself.setEnabled(not running and self._session.subject is not None)
        self.measure.setEnabled(ready and self._session.subject is not None)
        if self._session.subject is None:
            tip = self.tr("Open the model first: stored trials carry no model to run.")
        elif not ready:
            tip = self.tr("Choose A and B first.")
        else:
            tip = self.tr("Run both in several fresh processes each, in turn, so that neither is favoured")
        self.measure.setToolTip(tip)

    def _show_pins(self) -> None:
        pins = self._session.pins
        for side, box in self.boxes.items():
            what = pins.a if side == "a" else pins.b
            box.setCurrentIndex(self.choices.row_of(what))
            box.setPlaceholderText(self.tr("Choose a trial") if what is None else pinned_in_words(what))
            box.setToolTip("" if what is None else pinned_in_words(what))

    def _follow_pins(self) -> None:
        self._show_pins()
        self._enable()
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self.follow_when_seen()

    def follow(self) -> None:
        """Show what is pinned now, once it has been read."""
        pins, store = self._session.pins, self._session.store
        configs = pins.configs()
        if configs is None or store is None:
            self._show_nothing()
            return
        trials = pins.trials()
        self._task = tasks.run(
            lambda: compare_data.read(store, configs, trials), self._arrived, self._failed, self
        )  # fmt: skip

    def _show_nothing(self) -> None:
        self._shown = None
        if self.choices.rowCount() > 1:
            what = self.tr("Choose what to compare: A and B.")
        else:
            what = self.tr("Nothing to compare yet.")
        self._empty.say(
            what, self.tr("Choose above, or right-click a trial in the table and pin it. Trials come with each run.")
        )
        self._pages.setCurrentIndex(0)

    def _failed(self, error: Exception) -> None:
        self._task, self._shown = None, None
        if isinstance(error, UserError):
            self._empty.say(said(error.what), " ".join(said(part) for part in (error.why, error.next_step) if part))
            self._pages.setCurrentIndex(0)
        else:
            self._session.tell(error)

    def _arrived(self, read: Compared) -> None:
        self._task, self._shown = None, read
        self._say_verdict(read)
        first, second = read.a.first, read.b.first
        for part in (self._both, self._accuracy_section):
            part.setVisible(first is not None or second is not None)
        self.plots.show_sides(read.a, read.b)
        self.figures.show_sides(read.a, read.b, self._session.deadline_ms)
        some = self.accuracy.show_sides(first, second)
        self.accuracy.setVisible(some)
        self.no_accuracy.setVisible(not some)
        self.settings.show_settings(read.differs)
        self.settings.setVisible(bool(read.differs))
        self.same_settings.setVisible(not read.differs)
        self._show_layers(read, first, second)
        self._pages.setCurrentIndex(1)

    def _say_verdict(self, read: Compared) -> None:
        if read.found is not None:
            verdict, detail = verdict_in_words(read.found)
            self.caution.say("\n".join(cautions(read.found)))
        else:
            missing = " ".join(name for name, side in (("A", read.a), ("B", read.b)) if not side.medians_ms)
            if len(missing) > 1:
                verdict = self.tr("Neither side has been measured yet")
            else:
                verdict = self.tr("{0} has not been measured yet").format(missing)
            detail = self.tr("“Measure side by side” runs both.")
            self.caution.say("")
        self.verdict.setText(verdict)
        self.detail.setText(detail)

    def _show_layers(self, read: Compared, first: Trial | None, second: Trial | None) -> None:
        self._layers_section.setVisible(first is not None and second is not None)
        self.layers.show_layers(read.layers)
        self.layers.setVisible(bool(read.layers))
        more = len(read.layers) - MOST_LAYERS
        if more > 0:
            text = self.tr("{0} more, which change the time less.").format(more)
        elif read.layers:
            text = ""
        elif first is None or second is None or first.proof is None or second.proof is None:
            text = self.tr("The kernels of a side are not known.")
        else:
            text = self.tr("The same kernels ran on both sides, in about the same time.")
        self.same_layers.setText(text)
        self.same_layers.setVisible(bool(text))

    def _follow_deadline(self) -> None:
        if self._shown is not None:
            self.figures.show_sides(self._shown.a, self._shown.b, self._session.deadline_ms)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As large as the latency panel likes to be."""
        return QSize(640, 400)

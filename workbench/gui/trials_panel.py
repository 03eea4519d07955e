"""The trials panel: every trial of the study, to sort, search, star, note, repeat, compare and throw away.

Selecting a row selects the trial in the session; double-clicking a note edits it; everything that changes
something can be undone.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QSettings, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui import tasks, theme
from workbench.gui.empty import EmptyState
from workbench.gui.labels import MutedLabel
from workbench.gui.pins import Side
from workbench.gui.row_actions import row_action
from workbench.gui.session import RUN_ONCE, Session
from workbench.gui.trials_csv import to_csv, to_toml
from workbench.gui.trials_model import NOTE, STAR, TrialsFilter, TrialsModel
from workbench.gui.trials_table import TrialsTable


class TrialsPanel(QWidget):
    """The table of trials with what can be done to them."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._following = False
        self.model = TrialsModel(session, self)
        self.rows = TrialsFilter(self.model, session, self)
        self.search = QLineEdit(clearButtonEnabled=True)
        self.search.setPlaceholderText(self.tr("Search: int8  p50<3  cosine>=0.97  star"))
        self.search.setToolTip(
            self.tr("Words that rows contain, and comparisons of columns: id, threads, p50, p99, max, cosine, int8.")
        )
        self.search.addAction(theme.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setMaximumWidth(420)
        self.table = TrialsTable(self.rows)
        self._count = MutedLabel()
        self._empty = EmptyState("trials")
        self._empty.say(
            self.tr("No trials yet."), self.tr("Each run leaves one here, with its config and its samples.")
        )
        self._make_actions()
        self._arrange()
        self._connect()
        self._follow_trials()
        self._follow_selection()

    # -- arrangement --------------------------------------------------------------------------------

    def _make_actions(self) -> None:
        # On the table, not on the panel: a space typed into the search field is a space.
        make = partial(row_action, self.table, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        keys = QKeySequence.StandardKey
        self.star = make(self.tr("Star"), self._star, "star", "Space", self.tr("Give or take away"))
        self.note = make(self.tr("Note …"), self._edit_note, "note", "F2", self.tr("Write what you know about it"))
        self.rerun = make(
            self.tr("Run again"), self._run_again, "reload", "Ctrl+R", self.tr("Set its config and measure")
        )
        self.use = make(
            self.tr("Use its config"), self._use_config, "settings", "Ctrl+Return", self.tr("Set all knobs")
        )
        self.baseline = make(self.tr("Set as baseline"), self._set_baseline, "baseline", "", self.tr("Compare with it"))
        self.pin_a = make(
            self.tr("Pin as A"), lambda: self._pin("a"), "pin-a", "Ctrl+Shift+A", self.tr("One side of the comparison")
        )
        self.pin_b = make(
            self.tr("Pin as B"), lambda: self._pin("b"), "pin-b", "Ctrl+Shift+B", self.tr("The other side")
        )
        self.copy = make(self.tr("Copy as TOML"), self._copy, "copy", keys.Copy, self.tr("Copy its config as a file"))
        self.bundle = make(
            self.tr("Export bundle …"), self._export_bundle, "export", "", self.tr("A folder that runs on the target")
        )
        self.export = make(self.tr("Export CSV …"), self._choose_csv, "save", "", self.tr("Save the rows shown here"))
        self.delete = make(self.tr("Delete"), self._delete, "trash", keys.Delete, self.tr("Undo brings it back"))

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, theme.SPACE // 2)
        head.setSpacing(2)
        head.addWidget(self.search, 1)
        head.addSpacing(theme.SPACE)
        groups = (
            (self.star, self.note),
            (self.rerun, self.use, self.baseline, self.pin_a, self.pin_b),
            (self.copy, self.export, self.bundle),
            (self.delete,),
        )
        for group in groups:
            for action in group:
                button = QToolButton(autoRaise=True)
                button.setDefaultAction(action)
                head.addWidget(button)
            head.addSpacing(theme.SPACE)
        head.addStretch(1)
        self._count.setWordWrap(False)
        head.addWidget(self._count)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        session = self._session
        session.trials_changed.connect(self._follow_trials)
        session.selection_changed.connect(self._follow_selection)
        session.subject_changed.connect(self._enable)
        session.marks.changed.connect(self._marks_changed)
        self.search.textChanged.connect(self._search_changed)
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.table.clicked.connect(self._clicked)
        self.table.customContextMenuRequested.connect(self._menu)

    def remember(self, settings: QSettings) -> None:
        """Write down what the user made of the table's columns."""
        self.table.remember(settings)

    def recall(self, settings: QSettings) -> None:
        """Show the columns as they were the last time."""
        self.table.recall(settings)

    # -- what can be done ---------------------------------------------------------------------------

    def chosen(self) -> list[Trial]:
        """Return the selected trials, top down."""
        indexes = self.table.selectionModel().selectedRows()
        trials = (self.rows.trial(index) for index in sorted(indexes, key=QModelIndex.row))
        return [trial for trial in trials if trial is not None]

    def _one(self) -> Trial | None:
        chosen = self.chosen()
        return chosen[0] if len(chosen) == 1 else None

    def _star(self) -> None:
        chosen, marks = self.chosen(), self._session.marks
        if chosen:
            marks.star(chosen, not all(marks.of(trial).star for trial in chosen))

    def _clicked(self, index: QModelIndex) -> None:
        trial = self.rows.trial(index)
        if trial is not None and index.column() == STAR:
            self._session.marks.star([trial], not self._session.marks.of(trial).star)

    def _edit_note(self) -> None:
        rows = self.table.selectionModel().selectedRows()
        if rows:
            self.table.edit(rows[0].siblingAtColumn(NOTE))

    def _config_of(self, trial: Trial) -> Config | None:
        try:
            return Config.from_dict(trial.config)
        except UserError as error:
            self._session.refused.emit(error)
            return None

    def _use_config(self) -> bool:
        trial = self._one()
        config = None if trial is None else self._config_of(trial)
        if trial is None or config is None:
            return False
        self._session.set_config(config, self.tr("config of trial {0}").format(trial.id))
        return True

    def _run_again(self) -> None:
        trial = self._one()
        if trial is not None and self._use_config():
            complete = trial.status == "ok" and trial.latency is not None and trial.latency.n > 0
            self._session.run_once(trial.latency.n if complete and trial.latency else RUN_ONCE)

    def _set_baseline(self) -> None:
        if (trial := self._one()) is not None:
            self._session.set_baseline(trial)

    def _pin(self, side: Side) -> None:
        if (trial := self._one()) is not None:
            self._session.pins.pin(side, trial)

    def _export_bundle(self) -> None:
        if (trial := self._one()) is not None:
            self._session.export_wanted.emit(trial)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(to_toml(trial) for trial in self.chosen()))

    def _choose_csv(self) -> None:
        name = Path(self._session.store.place).stem if self._session.store is not None else "trials"
        path, _ = QFileDialog.getSaveFileName(self, self.tr("Export trials"), f"{name}.csv", self.tr("CSV (*.csv)"))
        if path:
            self.export_csv(Path(path))

    def export_csv(self, path: Path) -> None:
        """Write the rows that are shown, in their order, to *path*."""
        trials = self.rows.shown()
        marks = {id(trial): self._session.marks.of(trial) for trial in trials}

        def write() -> None:
            try:
                # With a mark at its start: without one Excel takes UTF-8 for something else.
                path.write_text(to_csv(trials, lambda trial: marks[id(trial)]), encoding="utf-8-sig", newline="")
            except OSError as error:
                reason = error.strerror or str(error)
                raise UserError(f"Cannot write {path}.", f"{reason}.", "Choose another place.") from error

        tasks.run(write, lambda _: None, self._not_written, self)

    def _not_written(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self._session.refused.emit(error)
        else:
            self._session.broke.emit(tasks.in_words(error))

    def _delete(self) -> None:
        rows = [index.row() for index in self.table.selectionModel().selectedRows()]
        self._session.marks.delete(self.chosen())
        if rows and self.rows.rowCount():
            self.table.selectRow(min(*rows, self.rows.rowCount() - 1))

    def _menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        groups = (
            (self.rerun, self.use, self.baseline, self.pin_a, self.pin_b),
            (self.star, self.note),
            (self.copy, self.export, self.bundle),
        )
        for action in [action for group in groups for action in (*group, None)][:-1]:
            menu.addAction(action) if action is not None else menu.addSeparator()
        menu.addSeparator()
        menu.addAction(self.delete)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.table.viewport().mapToGlobal(place))

    # -- following ----------------------------------------------------------------------------------

    def _selected(self) -> None:
        current = self.rows.trial(self.table.currentIndex())
        chosen = self.chosen()
        if chosen and not self._following:
            trial = current if any(current is one for one in chosen) else chosen[0]
            if trial is not self._session.selected:
                self._session.select(trial)
        self._enable()

    def _follow_selection(self) -> None:
        row = self.model.row_of(self._session.selected)
        selection = self.table.selectionModel()
        if row >= 0:
            index = self.rows.mapFromSource(self.model.index(row, 0))
            if index.isValid() and not selection.isRowSelected(index.row(), QModelIndex()):
                flags = QItemSelectionModel.SelectionFlag
                self._following = True
                selection.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
                self._following = False
                self.table.scrollTo(index)
        self._enable()

    def _follow_trials(self) -> None:
        self._pages.setCurrentIndex(1 if self._session.trials else 0)
        self._say_count()
        self._enable()

    def _search_changed(self, text: str) -> None:
        self.rows.set_search(text)
        self._say_count()

    def _marks_changed(self) -> None:
        if self.search.text():
            self.rows.invalidate()
            self._say_count()

    def _say_count(self) -> None:
        shown, known = self.rows.rowCount(), self.model.rowCount()
        text = str(known) if shown == known else self.tr("{0} of {1}").format(shown, known)
        self._count.setText(text if known else "")

    def _enable(self) -> None:
        chosen = len(self.table.selectionModel().selectedRows())
        for action in (self.star, self.copy, self.delete):
            action.setEnabled(chosen > 0)
        for action in (self.note, self.use, self.baseline, self.pin_a, self.pin_b, self.bundle):
            action.setEnabled(chosen == 1)
        self.rerun.setEnabled(chosen == 1 and self._session.subject is not None)
        self.export.setEnabled(bool(self._session.trials))

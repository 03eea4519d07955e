"""Model, data and preprocessing at the left of the window, with a look at what the model receives.

Shows what the session's subject is; what lies in files is found in the background by :class:`Opened`.
The main window places it.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.data import DataSource
from workbench.core.model import InputSpec
from workbench.core.samples import sample_names
from workbench.gui import theme
from workbench.gui.data_words import counts, describe_source, rejected_list, sample_of
from workbench.gui.labels import ElidedLabel, MutedLabel, Remark
from workbench.gui.language import said
from workbench.gui.opened import Look, Opened
from workbench.gui.opening import Opener
from workbench.gui.preprocess_editor import PreprocessEditor
from workbench.gui.section import Section, scrolling
from workbench.gui.session import Session
from workbench.gui.tensor_preview import TensorPreview, fit_height

_SAMPLE = "sample:"
_ROWS = 4


class ModelPanel(QWidget):
    """Everything about what is measured. ``look`` finds the inputs of models that only an engine can read."""

    def __init__(self, session: Session, look: Look | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._opener = Opener(session, self)
        self._coming = ""
        self.opened = Opened(session, look, parent=self)
        self.title = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self.format = ElidedLabel()
        self.note = MutedLabel()
        self.inputs = _inputs_table(self)
        self.inputs_note = MutedLabel()
        self.data_path = ElidedLabel(mode=Qt.TextElideMode.ElideLeft)
        self.counts = QLabel()
        self.rejected = QToolButton()
        self.split = QLabel()
        self.busy = MutedLabel()
        self.fault = Remark()
        self.warnings = Remark()
        self.editor = PreprocessEditor(session)
        self.preview = TensorPreview(session, self.opened)
        self._build()
        session.subject_changed.connect(self._follow)
        session.opening.connect(self._show_opening)
        self.opened.changed.connect(self._follow)
        self._follow()

    # -- building -----------------------------------------------------------------------------------

    def _build(self) -> None:
        self.title.set_bold(True)
        self._open = QToolButton()
        self._open.setText(self.tr("Open model"))
        self._open.setIcon(theme.icon("open"))
        self._open.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._open.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._open.setMenu(self._model_menu())
        self._data = QToolButton()
        self._data.setText(self.tr("Open data"))
        self._data.setIcon(theme.icon("folder"))
        self._data.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._data.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._data.setMenu(self._data_menu())
        self.own = QPushButton(self.tr("Sample's own data"))
        self.own.setToolTip(self.tr("Go back to the data that the sample brings, with its split and labels"))
        self.own.clicked.connect(self.use_own_data)
        self.rejected.setAutoRaise(True)
        self.rejected.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.rejected.setIcon(theme.icon("warning"))
        self.rejected.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.rejected.setMenu(QMenu(self.rejected))
        self.split.setWordWrap(True)
        self.counts.setWordWrap(True)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, theme.SPACE)
        column.setSpacing(0)
        self._model_section = self._section(column, self.tr("Model"))
        lines = self._lines(self._model_section)
        facts: tuple[QWidget, ...] = (self.title, self.format, self.note, self.inputs, self.inputs_note)
        for widget in facts:
            lines.addWidget(widget)
        lines.addLayout(_row(self._open, None))
        self._data_section = self._section(column, self.tr("Data"))
        lines = self._lines(self._data_section)
        lines.addWidget(self.data_path)
        tally = _row(self.counts, self.rejected)
        tally.setStretch(0, 1)
        lines.addLayout(tally)
        below: tuple[QWidget, ...] = (self.split, self.busy, self.fault, self.warnings)
        for widget in below:
            lines.addWidget(widget)
        lines.addLayout(_row(self._data, self.own, None))
        self._lines(self._section(column, self.tr("Preprocessing"))).addWidget(self.editor)
        self._lines(self._section(column, self.tr("What the model receives"))).addWidget(self.preview)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scrolling(content))

    def _section(self, column: QVBoxLayout, title: str) -> Section:
        section = Section(title)
        column.addWidget(section)
        return section

    def _lines(self, section: Section) -> QVBoxLayout:
        lines = QVBoxLayout(section.body)
        lines.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, theme.SPACE)
        lines.setSpacing(theme.SPACE // 2)
        return lines

    def _model_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction(theme.icon("model"), self.tr("Model file…"), self._opener.choose_model)
        menu.addAction(theme.icon("python"), self.tr("Python function…"), self._opener.choose_callable)
        menu.addSeparator()
        for name in sample_names():
            menu.addAction(_SAMPLE + name, partial(self._session.open_model_soon, _SAMPLE + name))
        return menu

    def _data_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction(theme.icon("folder"), self.tr("Folder of pictures…"), self._opener.choose_folder)
        menu.addAction(self.tr("Array file (.npy, .npz)…"), self._opener.choose_arrays)
        menu.addSeparator()
        self._calibrate = menu.addAction(self.tr("Calibrate on another folder…"), self.choose_calibration)
        self._label = menu.addAction(self.tr("Labels (.csv)…"), self.choose_labels)
        menu.addSeparator()
        self._without = menu.addAction(self.tr("No data: random numbers"), lambda: self._session.set_data(None))
        return menu

    # -- what the user asks for ---------------------------------------------------------------------

    def choose_calibration(self) -> None:
        """Ask for another folder to calibrate on; then nothing is split."""
        path = QFileDialog.getExistingDirectory(self, self.tr("Calibrate on"), self._start())
        if path:
            self._change_source(calibration_path=path, calibration=())

    def choose_labels(self) -> None:
        """Ask for the classes of the evaluation samples."""
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Labels"), self._start(), self.tr("Labels (*.csv)"))
        if path:
            self._change_source(labels=path)

    def use_own_data(self) -> None:
        """Go back to the data that the sample brings."""
        source = self._own_source()
        if source is not None:
            self._session.set_source(source)

    def _change_source(self, **changes: object) -> None:
        subject = self._session.subject
        if subject is not None and subject.data is not None:
            self._session.set_source(msgspec.structs.replace(subject.data, **changes))

    def _start(self) -> str:
        """Return the folder that a file dialog begins in."""
        subject = self._session.subject
        return str(Path(subject.data.path).parent) if subject is not None and subject.data is not None else ""

    def _own_source(self) -> DataSource | None:
        subject = self._session.subject
        sample = sample_of(subject.model.name) if subject is not None else None
        return sample.data if sample else None

    # -- what is shown ------------------------------------------------------------------------------

    def _follow(self) -> None:
        self._show_model()
        self._show_data()

    def _show_opening(self, text: str) -> None:
        self._coming = text
        self._show_model()

    def _show_model(self) -> None:
        subject, found = self._session.subject, self.opened.found
        if subject is None:
            self.title.setText(self.tr("No model yet"))
            self.format.setText("")
            self.note.setText(self.tr("Open a file, a Python function or a sample; or drop one onto the window."))
        else:
            model = subject.model
            sample = sample_of(model.name)
            self.title.setText(said(sample.title) if sample else Path(model.path).name)
            self.title.setToolTip(f"{model.path}\nSHA-256 {model.sha256[:16]}…")
            parts = [model.name if sample else "", model.format, self.tr("trusted pickle") if model.trusted else ""]
            self.format.setText("  ·  ".join(part for part in parts if part))
            self.note.setText(said(sample.note) if sample else "")
        if self._coming:
            self.note.setText(self.tr("Opening {0} …").format(self._coming))
        self.format.setVisible(bool(self.format.text()))
        self.note.setVisible(bool(self.note.text()))
        _fill(self.inputs, found.inputs)
        self.inputs.setVisible(bool(found.inputs))
        missing = subject is not None and not found.inputs
        self.inputs_note.setText(self.opened.busy or self.tr("Its inputs are not known yet.") if missing else "")
        self.inputs_note.setVisible(missing)

    def _show_data(self) -> None:
        subject, found = self._session.subject, self.opened.found
        source = subject.data if subject is not None else None
        self.data_path.setText(describe_source(source) if subject is not None else "")
        self.data_path.setToolTip(source.path if source is not None else "")
        self.data_path.setVisible(subject is not None)
        data = found.data if source is not None else None
        self.counts.setText(counts(data) if data is not None else "")
        self.counts.setVisible(data is not None)
        self.split.setText(said(data.split) if data is not None else "")
        self.split.setVisible(data is not None)
        self._show_rejected(rejected_list(data) if data is not None else [])
        self.busy.setText(self.opened.busy if found.inputs else "")
        self.busy.setVisible(bool(self.busy.text()))
        self.fault.say(said(str(found.fault)) if found.fault is not None else "", "warning", "error")
        self.warnings.say("\n".join(map(said, data.warnings)) if data is not None else "")
        own = self._own_source()
        self.own.setVisible(own is not None)
        self.own.setEnabled(own is not None and own != source)
        self._data.setEnabled(subject is not None)
        for action in (self._calibrate, self._label, self._without):
            action.setEnabled(source is not None)

    def _show_rejected(self, lines: list[str]) -> None:
        self.rejected.setVisible(bool(lines))
        self.rejected.setText(self.tr("{0} rejected").format(len(lines)))
        menu = self.rejected.menu()
        menu.clear()
        for line in lines[:40]:
            menu.addAction(line)
        if len(lines) > 40:
            menu.addAction(self.tr("… and {0} more").format(len(lines) - 40))


def _row(*widgets: QWidget | None) -> QHBoxLayout:
    """Return *widgets* side by side; None stretches."""
    row = QHBoxLayout()
    row.setSpacing(theme.SPACE)
    for widget in widgets:
        if widget is None:
            row.addStretch(1)
        else:
            row.addWidget(widget)
    return row


def _inputs_table(owner: QWidget) -> QTableWidget:
    table = QTableWidget(0, 4)
    table.setHorizontalHeaderLabels([owner.tr("input"), owner.tr("shape"), owner.tr("type"), owner.tr("dynamic")])
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 6)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    table.setTabKeyNavigation(False)
    table.setShowGrid(False)
    return table


def _fill(table: QTableWidget, inputs: tuple[InputSpec, ...]) -> None:
    table.setRowCount(len(inputs))
    for row, spec in enumerate(inputs):
        shape = "×".join("?" if axis is None else str(axis) for axis in spec.shape) or table.tr("scalar")
        dynamic = ", ".join(str(place) for place, axis in enumerate(spec.shape) if axis is None) or "–"
        for column, text in enumerate((spec.name, shape, spec.dtype, dynamic)):
            cell = QTableWidgetItem(text)
            cell.setToolTip(text)
            table.setItem(row, column, cell)
    fit_height(table, min(len(inputs), _ROWS))

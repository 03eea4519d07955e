"""A look at the very tensor that the model receives for one evaluation sample, with numbers per channel.

Part of the model panel. The sample goes through the same item and the same preprocessing object that the
worker uses; reading and preparing it happens in a background task.
"""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from workbench.core.picture import BrokenImageError
from workbench.core.sources import Item, shown
from workbench.gui import tasks, theme
from workbench.gui.labels import ElidedLabel, MutedLabel, Remark
from workbench.gui.language import said
from workbench.gui.opened import Opened
from workbench.gui.segmented import Segmented
from workbench.gui.session import Session
from workbench.gui.tensor_picture import TensorPicture
from workbench.gui.tensor_view import TensorView, view_of

_ROWS = 4
"""Channels listed without scrolling."""


class TensorPreview(QWidget):
    """Choose a sample, see its tensor."""

    def __init__(self, session: Session, opened: Opened | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._opened = opened or Opened(session, parent=self)
        self._items: list[Item] = []
        self._wanted = 0  # number of the newest request, and of the one that is shown
        self._shown = 0
        self._source: tuple[object, ...] = ()
        self.views: list[TensorView] = []
        self.picture = TensorPicture()
        self.table = _table(self)
        self.note = MutedLabel()
        self.fault = Remark()
        self.legend = MutedLabel()
        self.number = QSpinBox()
        self.number.setKeyboardTracking(False)
        self.number.setAccessibleName(self.tr("Number of the evaluation sample"))
        self.number.setToolTip(self.tr("Which evaluation sample is shown"))
        self.number.valueChanged.connect(self._load)
        self.name = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self.input = QComboBox()
        self.input.setToolTip(self.tr("Input of the model"))
        self.input.currentIndexChanged.connect(self._draw)
        self.mode = Segmented([("together", self.tr("Picture")), ("apart", self.tr("Channels"))])
        self.mode.setToolTip(self.tr("Channels 0, 1, 2 as red, green, blue; or each by itself"))
        self.mode.set_value("together")
        self.mode.chosen.connect(self._draw)
        self._content = QWidget()
        self._build()
        self._opened.changed.connect(self._follow)
        self._follow()

    def _build(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(theme.SPACE)
        top.addWidget(self.number)
        top.addWidget(self.name, 1)
        self.facts = QLabel()
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        middle = QHBoxLayout()
        middle.setSpacing(theme.SPACE)
        middle.addWidget(self.input)
        middle.addWidget(self.facts, 1)
        self.mode.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        middle.addWidget(self.mode)
        inside = QVBoxLayout(self._content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(theme.SPACE // 2)
        inside.addLayout(top)
        inside.addLayout(middle)
        inside.addWidget(self.fault)
        inside.addWidget(self.picture, 1)
        inside.addWidget(self.legend)
        inside.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.note)
        column.addWidget(self._content, 1)

    # -- what there is to choose from ---------------------------------------------------------------

    def _follow(self) -> None:
        data = self._opened.found.data
        source = (data, self._opened.preprocess)
        if source == self._source and data is not None:
            return
        current = self._items[self.number.value() - 1].name if self._items else ""
        self._source = source
        self._items = list(data.evaluation) if data is not None else []
        self._content.setVisible(bool(self._items))
        self.note.setVisible(not self._items)
        self.note.setText(self._nothing())
        if not self._items:
            self.views = []
            self.picture.show_view(None)
            return
        names = [item.name for item in self._items]
        self.number.blockSignals(True)
        self.number.setRange(1, len(names))
        self.number.setSuffix(self.tr(" of {0}").format(len(names)))
        self.number.setValue(names.index(current) + 1 if current in names else 1)
        self.number.blockSignals(False)
        self._load()

    def _nothing(self) -> str:
        subject = self._session.subject
        if subject is None:
            return self.tr("Open a model to see what it receives.")
        if self._opened.busy:
            return self._opened.busy
        if subject.data is None:
            return self.tr("There is no data: the model is timed on random numbers.")
        return self.tr("The data cannot be used; the reason stands above.")

    # -- one sample ---------------------------------------------------------------------------------

    def _load(self) -> None:
        item, layout = self._items[self.number.value() - 1], self._opened.preprocess.layout
        label = "" if item.label is None else self.tr("class {0}").format(item.label)
        self.name.setText("  ".join(part for part in (item.name, label) if part))
        self._wanted += 1
        number = self._wanted

        def work() -> list[TensorView]:
            return [view_of(name, array, layout) for name, array in item.load().items()]

        tasks.run(work, lambda views: self._arrived(number, views), lambda e: self._failed(number, e), self)

    def _arrived(self, number: int, views: list[TensorView]) -> None:
        if number != self._wanted:
            return
        self.fault.say("")
        self._shown = number
        self.views = views
        names = [view.name for view in views]
        if names != [self.input.itemText(row) for row in range(self.input.count())]:
            self.input.blockSignals(True)
            self.input.clear()
            self.input.addItems(names)
            self.input.blockSignals(False)
        self.input.setVisible(len(names) > 1)
        self._draw()

    def _failed(self, number: int, error: Exception) -> None:
        if number != self._wanted:
            return
        self._shown = number
        self.views = []
        self.picture.show_view(None)
        self.table.setRowCount(0)
        self.facts.setText("")
        self.legend.setText("")
        self.fault.say(self.tr("It cannot be used: {0}.").format(said(str(error))), "warning", "error")
        if not isinstance(error, (BrokenImageError, OSError)):
            self._session.broke.emit(tasks.in_words(error))

    def _draw(self) -> None:
        row = max(self.input.currentIndex(), 0)
        if row >= len(self.views):
            return
        view = self.views[row]
        self.facts.setText(f"{shown(view.shape)}  {view.dtype}")
        self.mode.setVisible(view.together is not None)
        self.picture.show_view(view, apart=self.mode.value() == "apart")
        self.picture.setVisible(view.kind != "value")
        self.legend.setText(self._legend(view))
        _fill(self.table, view)

    def _legend(self, view: TensorView) -> str:
        ends = (short(view.low), short(view.high))
        text = {
            "picture": self.tr("{0} is black, {1} is white").format(*ends),
            "map": self.tr("dark {0} … {1} bright").format(*ends),
            "line": self.tr("from {0} to {1}").format(*ends),
        }.get(view.kind, "")
        if view.total > len(view.channels):
            text += self.tr("; {0} of {1} channels").format(len(view.channels), view.total)
        if view.bad:
            text += self.tr("; {0} values are not finite").format(view.bad)
        return text


def short(value: float) -> str:
    """Return *value* with four digits that matter, and – for none."""
    return f"{value:.4g}".replace("-", "−") if math.isfinite(value) else "–"


def _table(owner: QWidget) -> QTableWidget:
    table = QTableWidget(0, 4)
    table.setHorizontalHeaderLabels([owner.tr("channel"), owner.tr("min"), owner.tr("mean"), owner.tr("max")])
    table.verticalHeader().hide()
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    table.setTabKeyNavigation(False)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setShowGrid(False)
    table.setAlternatingRowColors(True)
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 6)
    return table


def _fill(table: QTableWidget, view: TensorView) -> None:
    table.setRowCount(len(view.channels))
    for row, channel in enumerate(view.channels):
        cells = (channel.name, short(channel.low), short(channel.mean), short(channel.high))
        for column, text in enumerate(cells):
            cell = QTableWidgetItem(text)
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            cell.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            table.setItem(row, column, cell)
    fit_height(table, min(len(view.channels), _ROWS))


def fit_height(table: QTableWidget, rows: int) -> None:
    """Make *table* as high as its header and *rows* rows."""
    frame = table.frameWidth() * 2
    height = table.horizontalHeader().sizeHint().height() + rows * table.verticalHeader().defaultSectionSize() + frame
    table.setFixedHeight(height)

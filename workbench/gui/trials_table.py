"""How the table of trials looks: whole rows, no grid, columns as wide as what they usually hold.

Where there is no room for all columns the least important ones step back, so that nobody has to scroll sideways; a
menu on the header chooses otherwise. What was chosen, moved, widened and sorted by is remembered.
"""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from workbench.gui.trials_model import COLUMNS, KEYS, NOTE, STAR, TrialsFilter

# Measuring all rows would take time with thousands of them.
_USUAL = {
    "id": "000 ▾", "time": "00-00 00:00", "engine": "onnxruntime", "precision": "precision", "threads": "threads",
    "p50": "p50 ms ", "p99": "n < 100 ", "max": "max ms ", "cosine": "1.0000", "int8": "100 / 100",
    "status": "invalid      ",
}  # fmt: skip
_PADDING = 9
_LESS_IMPORTANT = ("time", "max", "threads", "int8", "precision")
"""Columns that step back where there is no room, in this order."""
_LEAST_NOTE = 8
"""Letters of a note that there is room for."""
_SETTING = "trials/columns"


class _Columns(msgspec.Struct):
    """What a user made of the columns, by their keys: another version may have other ones.

    Attributes:
        chosen: columns that are shown or hidden whatever room there is.
        widths: in pixels, of those that are not as wide as at first.
        order: from left to right; empty as at first.
        sort: the column that rows are sorted by.
        rising: the smallest first.
    """

    chosen: dict[str, bool] = {}
    widths: dict[str, int] = {}
    order: list[str] = []
    sort: str = KEYS[0]
    rising: bool = False


class TrialsTable(QTableView):
    """Shows a :class:`TrialsFilter`, the newest trial first."""

    def __init__(self, rows: TrialsFilter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        triggers = QAbstractItemView.EditTrigger
        self.setModel(rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsMovable(True)
        bold = self.font()
        bold.setBold(True)  # as the baseline's row is
        metrics = QFontMetrics(bold)
        for section, column in enumerate(COLUMNS):
            if column.key in _USUAL:
                header.resizeSection(section, metrics.horizontalAdvance(_USUAL[column.key]) + _PADDING)
        header.setSectionResizeMode(STAR, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(STAR, self.fontMetrics().height() + 16)
        self._widths = {key: header.sectionSize(section) for section, key in enumerate(KEYS)}
        self._widths["note"] = _LEAST_NOTE * metrics.averageCharWidth() + _PADDING
        header.resizeSection(NOTE, self._widths["note"])  # the least, once it stretches
        header.setStretchLastSection(True)
        self._usual = dict(self._widths)
        self._chosen: dict[str, bool] = {}
        header.sectionResized.connect(self._resized)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._ask_for_columns)
        header.setToolTip(self.tr("Click to sort; right-click to choose columns"))
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.DescendingOrder)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show as many columns as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def choose_column(self, key: str, on: bool) -> None:
        """Show a column, or hide it, whatever room there is."""
        self._chosen[key] = on
        self._fit()

    def remember(self, settings: QSettings) -> None:
        """Write down what the user made of the columns."""
        header = self.horizontalHeader()
        order = [KEYS[header.logicalIndex(place)] for place in range(len(KEYS))]
        columns = _Columns(
            chosen=self._chosen,
            widths={key: width for key, width in self._widths.items() if width != self._usual[key]},
            order=order if order != list(KEYS) else [],
            sort=KEYS[header.sortIndicatorSection()],
            rising=header.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder,
        )
        settings.setValue(_SETTING, msgspec.json.encode(columns).decode())

    def recall(self, settings: QSettings) -> None:
        """Make the columns what they were when they were remembered last; what makes no sense is left out."""
        try:
            columns = msgspec.json.decode(str(settings.value(_SETTING, "{}")), type=_Columns)
        except msgspec.DecodeError:
            return
        header = self.horizontalHeader()
        known = [key for key in columns.order if key in KEYS]
        for place, key in enumerate([*known, *(key for key in KEYS if key not in known)] if known else ()):
            header.moveSection(header.visualIndex(KEYS.index(key)), place)
        for key, width in columns.widths.items():
            if key in KEYS and KEYS.index(key) != STAR and width >= header.minimumSectionSize():
                self._widths[key] = width  # a hidden one tells nothing of its new size
                header.resizeSection(KEYS.index(key), width)
        self._chosen = {key: on for key, on in columns.chosen.items() if key in KEYS}
        if columns.sort in KEYS:
            order = Qt.SortOrder.AscendingOrder if columns.rising else Qt.SortOrder.DescendingOrder
            self.sortByColumn(KEYS.index(columns.sort), order)
        self._fit()

    def columns_menu(self) -> QMenu:
        """Return a menu that shows and hides columns."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        titles = self.model()
        for section, key in enumerate(KEYS):
            if section > STAR:
                action = menu.addAction(str(titles.headerData(section, Qt.Orientation.Horizontal)))
                action.setCheckable(True)
                action.setChecked(not self.isColumnHidden(section))
                action.triggered.connect(lambda on, key=key: self.choose_column(key, on))
        menu.addSeparator()
        menu.addAction(self.tr("As many as fit"), self._choose_none)
        return menu

    def _ask_for_columns(self, place: QPoint) -> None:
        self.columns_menu().popup(self.horizontalHeader().mapToGlobal(place))

    def _choose_none(self) -> None:
        self._chosen.clear()
        self._fit()

    def _resized(self, section: int, _: int, size: int) -> None:
        header = self.horizontalHeader()
        # The last column takes what is left, and a hidden one has no width.
        if size and KEYS[section] != "note" and section != header.logicalIndex(header.count() - 1):
            self._widths[KEYS[section]] = size

    def _fit(self) -> None:
        shown = {key for key in KEYS if self._chosen.get(key, True)}
        for key in _LESS_IMPORTANT:
            if sum(self._widths[one] for one in shown) > self.viewport().width() and key not in self._chosen:
                shown.discard(key)
        for section, key in enumerate(KEYS):
            if self.isColumnHidden(section) == (key in shown):
                self.setColumnHidden(section, key not in shown)

"""A table of whole rows without a grid, whose columns are as wide as what they usually hold.

Where there is no room for all columns the least important ones step back, so that nobody has to scroll sideways; a
menu on the header chooses otherwise. What was chosen, moved, widened and sorted by is remembered. Used by the trials
and the layers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from PySide6.QtCore import QAbstractItemModel, QPoint, QSettings, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from workbench.gui.row_table import show_whole_rows

_PADDING = 9


class _Columns(msgspec.Struct):
    """What a user made of the columns, by their keys: another version may have other ones.

    Attributes:
        chosen: columns that are shown or hidden whatever room there is.
        widths: in pixels, of those that are not as wide as at first.
        order: from left to right; empty as at first.
        sort: the column that rows are sorted by; empty as at first.
        rising: the smallest first.
    """

    chosen: dict[str, bool] = {}
    widths: dict[str, int] = {}
    order: list[str] = []
    sort: str = ""
    rising: bool = False


class ColumnTable(QTableView):
    """Shows a model whose columns have *keys*.

    Args:
        rows: the model.
        setting: under which the columns are remembered.
        keys: names of its columns, in their order; the last one takes the room that is left.
        usual: what a column usually holds, by key: measuring all rows would take time with thousands of them.
        less_important: columns that step back where there is no room, in this order.
        least_last: letters of the last column that there is room for.
        fixed: columns that are always there.
    """

    def __init__(
        self,
        rows: QAbstractItemModel,
        setting: str,
        keys: Sequence[str],
        usual: Mapping[str, str],
        less_important: Sequence[str],
        least_last: int = 8,
        fixed: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._setting = setting
        self._keys = tuple(keys)
        self._less_important = tuple(less_important)
        self._fixed = frozenset(fixed)
        self._chosen: dict[str, bool] = {}
        self._void: frozenset[str] = frozenset()
        self.setModel(rows)
        show_whole_rows(self)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header = self.horizontalHeader()
        header.setSectionsMovable(True)
        bold = self.font()
        bold.setBold(True)  # as a row that stands out is
        metrics = QFontMetrics(bold)
        for section, key in enumerate(self._keys):
            if key in usual:
                header.resizeSection(section, metrics.horizontalAdvance(usual[key]) + _PADDING)
        self._widths = {key: header.sectionSize(section) for section, key in enumerate(self._keys)}
        self._widths[self._keys[-1]] = least_last * metrics.averageCharWidth() + _PADDING
        header.resizeSection(len(self._keys) - 1, self._widths[self._keys[-1]])  # the least, once it stretches
        header.setStretchLastSection(True)
        self._usual = dict(self._widths)
        header.sectionResized.connect(self._resized)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._ask_for_columns)
        header.setToolTip(self.tr("Click to sort; right-click to choose columns"))
        self.setSortingEnabled(True)

    def fix_width(self, key: str, width: int) -> None:
        """Give a column so many pixels, for good."""
        section = self._keys.index(key)
        self.horizontalHeader().resizeSection(section, width)
        self.horizontalHeader().setSectionResizeMode(section, QHeaderView.ResizeMode.Fixed)
        self._usual[key] = width

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show as many columns as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def choose_column(self, key: str, on: bool) -> None:
        """Show a column, or hide it, whatever room there is."""
        self._chosen[key] = on
        self._fit()

    def set_void(self, keys: Iterable[str]) -> None:
        """Leave out columns that hold nothing now, unless somebody has chosen them."""
        self._void = frozenset(keys)
        self._fit()

    def remember(self, settings: QSettings) -> None:
        """Write down what the user made of the columns."""
        header, keys = self.horizontalHeader(), self._keys
        order = [keys[header.logicalIndex(place)] for place in range(len(keys))]
        columns = _Columns(
            chosen=self._chosen,
            widths={key: width for key, width in self._widths.items() if width != self._usual[key]},
            order=order if order != list(keys) else [],
            sort=keys[header.sortIndicatorSection()],
            rising=header.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder,
        )
        settings.setValue(self._setting, msgspec.json.encode(columns).decode())

    def recall(self, settings: QSettings) -> None:
        """Make the columns what they were when they were remembered last; what makes no sense is left out."""
        try:
            columns = msgspec.json.decode(str(settings.value(self._setting, "{}")), type=_Columns)
        except msgspec.DecodeError:
            return
        header, keys = self.horizontalHeader(), self._keys
        known = [key for key in columns.order if key in keys]
        for place, key in enumerate([*known, *(key for key in keys if key not in known)] if known else ()):
            header.moveSection(header.visualIndex(keys.index(key)), place)
        for key, width in columns.widths.items():
            if key in keys and self._may_be(keys.index(key), width):
                self._widths[key] = width  # a hidden one tells nothing of its new size
                header.resizeSection(keys.index(key), width)
        self._chosen = {key: on for key, on in columns.chosen.items() if key in keys and key not in self._fixed}
        if columns.sort in keys:
            order = Qt.SortOrder.AscendingOrder if columns.rising else Qt.SortOrder.DescendingOrder
            self.sortByColumn(keys.index(columns.sort), order)
        self._fit()

    def _may_be(self, section: int, width: int) -> bool:
        header = self.horizontalHeader()
        fixed = header.sectionResizeMode(section) == QHeaderView.ResizeMode.Fixed
        return not fixed and width >= header.minimumSectionSize()

    def columns_menu(self) -> QMenu:
        """Return a menu that shows and hides columns."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        titles = self.model()
        for section, key in enumerate(self._keys):
            if key not in self._fixed:
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
        if size and section not in (len(self._keys) - 1, header.logicalIndex(header.count() - 1)):
            self._widths[self._keys[section]] = size

    def _fit(self) -> None:
        shown = {key for key in self._keys if self._chosen.get(key, key not in self._void)}
        for key in self._less_important:
            if sum(self._widths[one] for one in shown) > self.viewport().width() and key not in self._chosen:
                shown.discard(key)
        for section, key in enumerate(self._keys):
            if self.isColumnHidden(section) == (key in shown):
                self.setColumnHidden(section, key not in shown)

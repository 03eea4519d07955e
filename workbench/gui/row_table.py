"""How tables of whole rows look: no grid, no row numbers, one line of text each; and the table of a series.

Used by the tables of trials and layers (:mod:`workbench.gui.column_table`), of figures
(:mod:`workbench.gui.plain_table`), of a ladder and of a sweep.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QAbstractItemModel, QSignalBlocker, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

_PADDING = 10


def show_whole_rows(table: QTableView) -> None:
    """Make *table* one of whole rows."""
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setAlternatingRowColors(True)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setFrameShape(QTableView.Shape.NoFrame)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 8)
    table.horizontalHeader().setHighlightSections(False)


class SeriesTable(QTableView):
    """One row per step of a series, of which one is chosen; what can be done with it is in its menu.

    Args:
        rows: the model.
        usual: what a column usually holds, by its number.
        widest: the column that takes the room that is left.
        header: made for this table, where the usual one does not do.
    """

    def __init__(
        self,
        rows: QAbstractItemModel,
        usual: Mapping[int, str],
        widest: int,
        header: QHeaderView | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        if header is not None:
            self.setHorizontalHeader(header)
        self.setModel(rows)
        show_whole_rows(self)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        columns = self.horizontalHeader()
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        columns.setSectionResizeMode(widest, QHeaderView.ResizeMode.Stretch)
        for section, text in usual.items():
            columns.resizeSection(section, self.fontMetrics().horizontalAdvance(text) + _PADDING)

    def chosen(self) -> int:
        """Return the chosen row, -1 where none is."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def choose(self, row: int) -> None:
        """Choose a row, below 0 none, without telling anybody."""
        selection = self.selectionModel()
        with QSignalBlocker(selection):
            if row < 0:
                selection.clear()
            elif row != self.chosen():
                self.selectRow(row)
        self.viewport().update()

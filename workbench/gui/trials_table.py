"""How the table of trials looks: whole rows, no grid, columns as wide as what they usually hold."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from workbench.gui.trials_model import COLUMNS, STAR, TrialsFilter

# Measuring all rows would take time with thousands of them.
_USUAL = {
    "id": "000 ▾", "time": "00-00 00:00", "engine": "onnxruntime", "precision": "precision", "threads": "threads",
    "p50": "p50 ms ", "p99": "n < 100 ", "max": "max ms ", "cosine": "1.0000", "int8": "100 / 100",
    "status": "invalid   ",
}  # fmt: skip
_PADDING = 11


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
        header.setStretchLastSection(True)
        header.setSectionsMovable(True)
        bold = self.font()
        bold.setBold(True)  # as the baseline's row is
        metrics = QFontMetrics(bold)
        for section, column in enumerate(COLUMNS):
            if column.key in _USUAL:
                header.resizeSection(section, metrics.horizontalAdvance(_USUAL[column.key]) + _PADDING)
        header.setSectionResizeMode(STAR, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(STAR, self.fontMetrics().height() + 16)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.DescendingOrder)

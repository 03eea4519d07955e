"""How the table of trials looks: which columns there is always room for, and how wide they usually are."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QWidget

from workbench.gui.column_table import ColumnTable
from workbench.gui.trials_model import KEYS, STAR, TrialsFilter

_USUAL = {
    "id": "0000 ▾", "time": "00-00 00:00", "engine": "onnxruntime", "precision": "precision", "threads": "threads",
    "p50": "p50 ms ", "p99": "n < 100 ", "max": "max ms ", "cosine": "cosine ", "int8": "100 / 100",
    "status": "invalid      ",
}  # fmt: skip
_LESS_IMPORTANT = ("time", "max", "threads", "int8", "precision")


class TrialsTable(ColumnTable):
    """Shows a :class:`TrialsFilter`, the newest trial first."""

    def __init__(self, rows: TrialsFilter, parent: QWidget | None = None) -> None:
        super().__init__(rows, "trials/columns", KEYS, _USUAL, _LESS_IMPORTANT, fixed=KEYS[: STAR + 1], parent=parent)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        self.fix_width(KEYS[STAR], self.fontMetrics().height() + 16)
        self.sortByColumn(0, Qt.SortOrder.DescendingOrder)

"""How the table of layers looks: columns, bars of shares, and the menu that keeps layers in FP32."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QMenu, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.core.layer_table import LayerRow
from workbench.gui import theme
from workbench.gui.column_table import ColumnTable
from workbench.gui.layers_model import KEYS, NAME, SHARE, SHARE_ROLE, LayersModel

_USUAL = {
    "place": "0000", "name": "layer1.0.downsample.0", "op": "batchnorm2d", "ran": "int8 [fp32]",
    "kernel": "brgconv:avx512_vnni", "ms": "ms ▾ ", "share": "100.0% ", "own": "own dB ▾", "all": "all dB ▾",
    "sensitivity": "only dB ▾", "without": "without dB ▾", "scale": "0.001234 ", "zero": "zero ▾",
    "fix": "to measure ",
}  # fmt: skip
_LESS_IMPORTANT = ("zero", "kernel", "without", "place", "all", "op", "ms", "own", "ran")
_THIN = 3


class LayersTable(ColumnTable):
    """Shows a :class:`LayersModel`. ``pinned`` tells layers and the precision that the user wants for them."""

    pinned = Signal(object, object)  # list[str], str or None

    def __init__(self, rows: LayersModel, parent: QWidget | None = None) -> None:
        super().__init__(
            rows, "layers/columns", KEYS, _USUAL, _LESS_IMPORTANT, least_last=12, fixed=("name",), parent=parent
        )
        self._rows = rows
        self.setItemDelegateForColumn(SHARE, _Bar(self))
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.customContextMenuRequested.connect(self._ask)

    def chosen(self) -> list[LayerRow]:
        """Return the selected layers, top down."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self._rows.row(self._rows.index(row, NAME)) for row in rows]

    def menu(self) -> QMenu:
        """Return a menu of what can be done to the selected layers."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        names = _heads(self.chosen())
        keep = menu.addAction(theme.icon("lock"), self.tr("Keep in FP32"), lambda: self.pinned.emit(names, "fp32"))
        free = menu.addAction(self.tr("Leave to the engine"), lambda: self.pinned.emit(names, None))
        held = [self._rows.pinned(row) for row in self.chosen() if row.fused_into is None]
        keep.setEnabled(bool(names) and any(precision != "fp32" for precision in held))
        free.setEnabled(any(held))
        return menu

    def _ask(self, place: QPoint) -> None:
        self.menu().popup(self.viewport().mapToGlobal(place))


def _heads(rows: Sequence[LayerRow]) -> list[str]:
    """Return the layers whose kernels did the work of *rows*, each once."""
    return list(dict.fromkeys(row.fused_into or row.name for row in rows))


class _Bar(QStyledItemDelegate):
    """A thin bar below the text."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the cell as usual, then its bar."""
        super().paint(painter, option, index)
        share = index.data(SHARE_ROLE)
        if share:
            area: QRect = option.rect.adjusted(4, 0, -4, -1)
            length = max(1, round(share * area.width()))
            painter.fillRect(
                area.right() - length + 1, area.bottom() - _THIN + 1, length, _THIN - 1, theme.colour("live")
            )

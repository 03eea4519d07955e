"""A small table of figures that only tells: names at the left, numbers right-aligned, no grid, no scroll bars.

Used by the latency and the accuracy panel. Texts that do not change cost nothing, so that a burst of samples
causes no layout.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QTableWidget, QTableWidgetItem, QWidget

from workbench.core.figures import DASH
from workbench.gui import theme
from workbench.gui.row_table import show_whole_rows
from workbench.gui.when_seen import RestylesWhenSeen

_HEADER = (
    "QHeaderView::section {{ background: transparent; border: none; padding: 2px 4px; color: {0}; }}"
    "QHeaderView {{ background: transparent; border: none; }}"
)
_LONGEST_NAME = 13
"""Letters of a name that there is room for even in the narrowest table."""


class PlainTable(RestylesWhenSeen, QTableWidget):
    """Rows with a name and a text per column, all in sight.

    Args:
        columns: titles of the columns behind the names.
        names: of the rows.
        widest: a text that each column has room for.
    """

    def __init__(
        self, columns: Sequence[str], names: Sequence[str] = (), widest: str = "0,000", parent: QWidget | None = None
    ) -> None:
        super().__init__(0, len(columns) + 1, parent)
        self._titles = list(columns)
        self._widest = widest
        self.setHorizontalHeaderLabels(["", *columns])
        show_whole_rows(self)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.restyle()
        self.set_names(names)

    def set_names(self, names: Sequence[str]) -> None:
        """Have one row per name; what rows said before is forgotten where the names are others."""
        if self.texts(0) == list(names):
            return
        self.setRowCount(len(names))
        for row, name in enumerate(names):
            for column in range(self.columnCount()):
                item = QTableWidgetItem(DASH if column else name)
                side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(row, column, item)
        self._fit()

    def set_bold(self, row: int, column: int) -> None:
        """Make a figure stand out."""
        bold = QFont(self.font())
        bold.setBold(True)
        self.cell(row, column).setFont(bold)

    def say(self, row: int, column: int, text: str, meaning: str = "") -> None:
        """Exchange a text; *meaning* is a colour of the theme, or nothing for the colour of text."""
        item = self.cell(row, column)
        if item.text() != text:
            item.setText(text)
        if item.data(Qt.ItemDataRole.UserRole) != meaning:
            item.setData(Qt.ItemDataRole.UserRole, meaning)
            item.setForeground(self._ink(meaning))

    def cell(self, row: int, column: int) -> QTableWidgetItem:
        """Return a cell, which is there from :meth:`set_names` on."""
        item = self.item(row, column)
        assert item is not None
        return item

    def texts(self, column: int) -> list[str]:
        """Return what a column says, top down."""
        return [self.cell(row, column).text() for row in range(self.rowCount())]

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Keep all rows in sight with another font, and colours right in another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()
        elif event.type() == QEvent.Type.PaletteChange:
            self.restyle_when_seen()

    def restyle(self) -> None:
        """Colour everything by the theme."""
        style = _HEADER.format(theme.colour("muted").name())
        if self.horizontalHeader().styleSheet() != style:
            self.horizontalHeader().setStyleSheet(style)
        for row in range(self.rowCount()):
            for column in range(self.columnCount()):
                item = self.cell(row, column)
                item.setForeground(self._ink(item.data(Qt.ItemDataRole.UserRole) or ""))

    def _ink(self, meaning: str) -> QColor:
        return theme.colour(meaning) if meaning else self.palette().color(QPalette.ColorRole.Text)

    def _fit(self) -> None:
        metrics, header = self.fontMetrics(), self.horizontalHeader()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 6)
        rows = self.rowCount() * self.verticalHeader().defaultSectionSize()
        self.setFixedHeight(rows + header.sizeHint().height() + 2 * self.frameWidth())
        most = _LONGEST_NAME * metrics.averageCharWidth()
        longest = max((metrics.horizontalAdvance(name) for name in self.texts(0)), default=most)
        room = max(metrics.horizontalAdvance(text) for text in (*self._titles, self._widest)) + 12
        self.setMinimumWidth(min(longest, most) + 8 + (self.columnCount() - 1) * room)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in range(1, self.columnCount()):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, room)

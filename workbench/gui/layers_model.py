"""The layers of a trial as a table: values and words of each column, sorted and filtered with groups kept together.

Layers that ran in the kernel of another one stay right below it. The model sorts and filters by itself: a proxy would
ask Python for every comparison, which takes longer than a frame with a thousand layers. Shown by the layers panel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QIcon

from workbench.core.figures import DASH, decimals, finite, milliseconds, share, significant
from workbench.core.fix_states import Standing
from workbench.core.layer_table import LayerRow, TensorRow
from workbench.gui import theme
from workbench.gui.fix_words import meaning_of, range_in_words, state_in_words
from workbench.gui.language import said

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

SHARE_ROLE = int(Role.UserRole)
"""Share of a bar that is drawn behind the text, 0..1; None where there is none."""
FUSED_ROLE = int(Role.UserRole) + 1
"""Whether the layer ran in the kernel of the one above."""
_NOWHERE = QModelIndex()
_INDENT = "   ↳ "
Standings = Mapping[str, Standing]


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        key: names it in settings.
        value: what is sorted by; None is missing.
        text: how it is shown.
        right: whether it is a number.
    """

    key: str
    value: Callable[[LayerRow], Any]
    text: Callable[[LayerRow], str]
    right: bool = False


def output_of(row: LayerRow) -> TensorRow | None:
    """Return the tensor with a scale that leaves a layer or its group, else what it reads."""
    return next((one for one in reversed(row.tensors) if one.scale is not None), None)


def _scale(row: LayerRow) -> float | None:
    output = output_of(row)
    return output.scale if output else None


def _zero(row: LayerRow) -> int | None:
    output = output_of(row)
    return output.zero_point if output else None


def _number(key: str, value: Callable[[LayerRow], Any], text: Callable[[Any], str]) -> Column:
    return Column(key, value, lambda row: text(value(row)), right=True)


def _decibel(value: float | None) -> str:
    return decimals(value, 1)


def _words(key: str, value: Callable[[LayerRow], str | None]) -> Column:
    return Column(key, value, lambda row: value(row) or DASH)


COLUMNS: tuple[Column, ...] = (
    Column("place", lambda _: None, lambda _: "", right=True),
    _words("name", lambda row: row.name),
    _words("op", lambda row: row.op),
    _words("ran", lambda row: row.dtype),
    _words("kernel", lambda row: row.kernel),
    _number("ms", lambda row: row.ms, milliseconds),
    _number("share", lambda row: row.share, share),
    _number("own", lambda row: row.sqnr_db, _decibel),
    _number("all", lambda row: row.accumulated_sqnr_db, _decibel),
    _number("sensitivity", lambda row: row.only_this_int8_sqnr_db, _decibel),
    _number("without", lambda row: row.all_but_this_int8_sqnr_db, _decibel),
    _number("scale", _scale, lambda value: significant(value, 4)),
    _number("zero", _zero, lambda value: DASH if value is None else str(value)),
    Column("fix", lambda _: None, lambda _: ""),
    Column("flags", lambda row: len(row.flags) or None, lambda row: "; ".join(map(said, row.flags))),
)
_SIDES = [
    int((Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter)
    for column in COLUMNS
]
_ROLES = {
    Role.DisplayRole, Role.TextAlignmentRole, Role.ForegroundRole, SHARE_ROLE, FUSED_ROLE, Role.DecorationRole,
    Role.ToolTipRole,
}  # fmt: skip
KEYS = tuple(column.key for column in COLUMNS)
PLACE, NAME, RAN, SHARE, FIX, FLAGS = (KEYS.index(key) for key in ("place", "name", "ran", "share", "fix", "flags"))


def arranged(
    rows: Sequence[LayerRow],
    value: Callable[[int], Any] | None = None,
    *,
    descending: bool = False,
    matches: Callable[[LayerRow], bool] = lambda _: True,
    folded: bool = False,
) -> list[int]:
    """Return the places of *rows* in the order to show them.

    Args:
        value: what to sort by, by place; None keeps the order of execution. What is missing comes last.
        matches: a group is shown where one of its members matches.
        folded: leave out the layers that ran in another's kernel.
    """
    heads = {row.name: place for place, row in enumerate(rows) if row.fused_into is None}
    groups: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(heads.get(row.fused_into or row.name, place), []).append(place)
    order = list(groups)
    if value is not None:
        values = {head: value(head) for head in order}
        known = [head for head in order if values[head] is not None]
        known.sort(key=lambda head: values[head], reverse=descending)
        order = known + [head for head in order if values[head] is None]
    elif descending:
        order.reverse()
    shown = (groups[head] for head in order if any(matches(rows[place]) for place in groups[head]))
    return [place for group in shown for place in (group[:1] if folded else group)]


class LayersModel(QAbstractTableModel):
    """Rows are layers; what the config does to them comes with :meth:`show_standings`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[LayerRow] = ()
        self._order: list[int] = []
        self._texts: dict[int, list[str]] = {}
        self._standings: Standings = {}
        self._pinned: Mapping[str, str] = {}
        self._sorted = (PLACE, Qt.SortOrder.AscendingOrder)
        self._search = ""
        self._folded = True
        self._most_share = 0.0
        self._icons: dict[tuple[str, bool], QIcon] = {}

    # -- what is shown ------------------------------------------------------------------------------

    def show_rows(self, rows: Sequence[LayerRow]) -> None:
        """Exchange all layers."""
        if [row.name for row in rows] == [row.name for row in self._rows]:
            self._rows, self._texts = rows, {}
            self._arrange()
            self._repaint()
            return
        self.beginResetModel()
        self._rows, self._texts = rows, {}
        self._order = self._wanted_order()
        self.endResetModel()

    def show_standings(self, standings: Standings, pinned: Mapping[str, str]) -> None:
        """Exchange what the config does.

        Args:
            standings: by layer, for those whose output is fixed.
            pinned: precision by layer.
        """
        self._standings, self._pinned = standings, pinned
        if self._sorted[0] in (FIX, RAN):
            self._arrange()
        self._repaint()

    def set_search(self, text: str) -> None:
        """Show only groups with a layer in which all words of *text* occur."""
        self._search = text
        self._arrange()

    def set_folded(self, on: bool) -> None:
        """Leave out layers that ran in another's kernel."""
        self._folded = on
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; groups stay together."""
        if (column, order) != self._sorted:  # a view asks twice
            self._sorted = (column, order)
            self._arrange()

    def row(self, index: Index) -> LayerRow:
        """Return the layer of an index."""
        return self._rows[self._order[index.row()]]

    def index_of(self, name: str | None) -> QModelIndex:
        """Return where a layer is shown; an invalid index where it is not."""
        place = next((at for at, place in enumerate(self._order) if self._rows[place].name == name), -1)
        return self.index(place, NAME) if place >= 0 else QModelIndex()

    def total(self) -> int:
        """Return how many layers there are, shown or not."""
        return len(self._rows)

    def void(self) -> list[str]:
        """Return the columns that hold nothing for any layer."""
        measured = (column for column in COLUMNS if column.right and column.key != KEYS[PLACE])
        void = [column.key for column in measured if all(column.value(row) is None for row in self._rows)]
        return void if self._standings else [*void, KEYS[FIX]]

    def pinned(self, row: LayerRow) -> str | None:
        """Return the precision that the config pins a layer to."""
        return self._pinned.get(row.name) or self._pinned.get(row.name.partition("#")[0])

    # -- what views ask -----------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802 - Qt's name
        """Return how many layers are shown."""
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:  # noqa: N802
        """Return titles, and what they mean."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        if role == Role.DisplayRole:
            return self._titles()[section]
        if role == Role.ToolTipRole:
            return self._tips()[section] or None
        if role == Role.TextAlignmentRole:
            return _SIDES[section]
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return what a cell shows."""
        if role not in _ROLES or not index.isValid() or not 0 <= index.row() < len(self._order):
            return None  # a frame asks for half a dozen roles per cell, most of which no cell has
        place, column = self._order[index.row()], index.column()
        if role == Role.DisplayRole:
            return self._text(place, column)
        if role == Role.TextAlignmentRole:
            return _SIDES[column]
        row = self._rows[place]
        if role == Role.ForegroundRole:
            return self._ink(row, column)
        if role == SHARE_ROLE:
            return row.share / self._most_share if column == SHARE and row.share and self._most_share else None
        if role == FUSED_ROLE:
            return row.fused_into is not None
        if role == Role.DecorationRole and column == FLAGS and row.flags:
            return self._icon("warning")
        if role == Role.ToolTipRole:
            return self._tip(row, place, column)
        return None

    # -- inside -------------------------------------------------------------------------------------

    def _titles(self) -> tuple[str, ...]:
        return (
            "#", self.tr("layer"), self.tr("op"), self.tr("ran as"), self.tr("kernel"), self.tr("ms"), self.tr("share"),
            self.tr("own dB"), self.tr("all dB"), self.tr("only dB"), self.tr("without dB"), self.tr("scale"),
            self.tr("zero"), self.tr("range"), self.tr("remarkable"),
        )  # fmt: skip

    def _tips(self) -> tuple[str, ...]:
        return (
            self.tr("In the order of execution."),
            self.tr("Named as in the model. Layers below ↳ ran in the kernel of the one above."),
            "",
            self.tr("What the arithmetic was done in; pinned layers in brackets."),
            "",
            self.tr("Of the proof pass, which runs once: good for shares, not for latencies."),
            self.tr("Of the time of all kernels."),
            self.tr("Error (SQNR) of this layer alone in INT8, at its output. Higher is better: 6 dB halve the error."),
            self.tr("Error (SQNR) at this layer's output with all layers in INT8."),
            self.tr("Error (SQNR) at the model's outputs with only this layer in INT8: the lowest costs most."),
            self.tr("Error (SQNR) at the model's outputs with all layers but this in INT8: the highest gains most."),
            self.tr("Step between two levels of the output, read back from the built model."),
            self.tr("Level that stands for 0."),
            self.tr("What the config fixes, and whether the engine obeyed."),
            "",
        )

    def _text(self, place: int, column: int) -> str:
        row = self._rows[place]
        if column == FIX:
            standing = self._standings.get(row.name)
            return "" if standing is None else state_in_words(standing)
        if column == RAN and (pinned := self.pinned(row)):
            return f"{row.dtype or DASH} [{pinned}]"
        texts = self._texts.get(place)
        if texts is None:
            texts = self._texts[place] = [one.text(row) for one in COLUMNS]
            texts[PLACE] = str(place + 1)
            if row.fused_into is not None:
                texts[NAME] = _INDENT + row.name
        if column == NAME and self._folded and len(row.group) > 1:
            return f"{row.name}  +{len(row.group) - 1}"
        return texts[column]

    def _ink(self, row: LayerRow, column: int) -> Any:
        standing = self._standings.get(row.name) if column == FIX else None
        if standing is not None:
            return theme.colour(meaning_of(standing))
        return theme.colour("muted") if row.fused_into is not None or (row.dtype is None and column != FLAGS) else None

    def _tip(self, row: LayerRow, place: int, column: int) -> str | None:
        if column == FLAGS:
            return "\n".join(map(said, row.flags)) or None
        if column == NAME and row.fused_into is not None:
            return self.tr("{0}\nRan in the kernel of {1}.").format(row.name, row.fused_into)
        if column == NAME and len(row.group) > 1:
            return self.tr("{0}\nOne kernel with {1}.").format(row.name, ", ".join(row.group[1:]))
        if column == FIX and (standing := self._standings.get(row.name)):
            return "\n".join(filter(None, (range_in_words(standing.low, standing.high), said(standing.note)))) or None
        text = self._text(place, column)
        return text if len(text) > 12 else None

    def _icon(self, name: str) -> QIcon:
        """Return an icon, drawn once per theme and not once per cell and paint."""
        key = (name, theme.is_dark())
        if key not in self._icons:
            self._icons[key] = theme.icon(name, name)
        return self._icons[key]

    def _wanted_order(self) -> list[int]:
        self._most_share = max((row.share or 0.0 for row in self._rows), default=0.0)
        column, direction = self._sorted
        values: Callable[[int], Any] | None = None
        if column in (FIX, RAN):
            values = lambda place: self._text(place, column).casefold() or None  # noqa: E731
        elif column != PLACE:
            values = lambda place: _comparable(COLUMNS[column].value(self._rows[place]))  # noqa: E731
        words = self._search.casefold().split()
        return arranged(
            self._rows,
            values,
            descending=direction == Qt.SortOrder.DescendingOrder,
            matches=lambda row: all(word in _found_in(row) for word in words),
            folded=self._folded,
        )

    def _arrange(self) -> None:
        before, after = self._order, self._wanted_order()
        if before == after:
            return
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        places = {place: at for at, place in enumerate(after)}
        self._order = after
        moved = []
        for index in kept:
            at = places.get(before[index.row()], -1) if index.row() < len(before) else -1
            moved.append(self.index(at, index.column()) if at >= 0 else QModelIndex())
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _repaint(self) -> None:
        if self._order:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._order) - 1, len(COLUMNS) - 1))


def _comparable(value: Any) -> Any:
    return finite(value) if isinstance(value, float) else value.casefold() if isinstance(value, str) else value


def _found_in(row: LayerRow) -> str:
    return " ".join([row.name, row.op, row.dtype or "", row.kernel or "", *row.flags]).casefold()

"""The trials of the session as a table: rows follow ``session.trials``, stars and notes follow its marks.

Used by the trials panel, through :class:`TrialsFilter` for sorting and searching.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QIcon

from workbench.core.figures import DASH, decimals, finite, local_time, milliseconds
from workbench.core.trial import Trial
from workbench.gui import theme
from workbench.gui.language import said
from workbench.gui.session import Session
from workbench.gui.trial_filter import parse_filter
from workbench.study.mark import Mark

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

SORT_ROLE = int(Role.UserRole)
TRIAL_ROLE = int(Role.UserRole) + 1
_NOWHERE = QModelIndex()


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        key: for filters and CSV files.
        value: what is sorted and filtered by; None is missing.
        text: how it is shown.
        right: whether it is a number.
    """

    key: str
    value: Callable[[Trial, Mark], Any]
    text: Callable[[Trial, Mark], str]
    right: bool = False


def _threads(trial: Trial) -> int | None:
    if trial.effective is not None:
        return trial.effective.threads
    runtime = trial.config.get("runtime")
    asked = runtime.get("threads") if isinstance(runtime, dict) else None
    return asked if isinstance(asked, int) and asked > 0 else None


def _timed(key: str) -> Callable[[Trial, Mark], float | None]:
    return lambda trial, _: finite(getattr(trial.latency, key)) if trial.latency and trial.latency.n else None


def _in_ms(key: str) -> Callable[[Trial, Mark], str]:
    value = _timed(key)
    return lambda trial, mark: milliseconds(value(trial, mark))


def _p99(trial: Trial, mark: Mark) -> str:
    few = trial.latency is not None and trial.latency.n > 0 and trial.latency.p99_ms is None
    return "n < 100" if few else milliseconds(_timed("p99_ms")(trial, mark))


def _cosine(trial: Trial, _: Mark) -> float | None:
    return finite(trial.accuracy.cosine_mean) if trial.accuracy and trial.accuracy.samples else None


def _int8(trial: Trial, _: Mark) -> int | None:
    return trial.proof.int8_kernels if trial.proof else None


def _int8_text(trial: Trial, _: Mark) -> str:
    proof = trial.proof
    if proof is None:
        return DASH
    return f"{proof.int8_kernels} / {proof.expected_int8}" if proof.expected_int8 else str(proof.int8_kernels or DASH)


def _plain(value: Callable[[Trial, Mark], Any]) -> Callable[[Trial, Mark], str]:
    return lambda trial, mark: DASH if value(trial, mark) is None else str(value(trial, mark))


def _column(key: str, value: Callable[[Trial, Mark], Any], **options: Any) -> Column:
    return Column(key, value, options.pop("text", None) or _plain(value), **options)


COLUMNS: tuple[Column, ...] = (
    _column("id", lambda t, _: t.id, right=True),
    _column("star", lambda _, m: int(m.star), text=lambda _, __: ""),
    _column("time", lambda t, _: t.created, text=lambda t, _: local_time(t.created)),
    _column("engine", lambda t, _: str(t.config.get("engine", DASH))),
    _column("precision", lambda t, _: str(t.config.get("precision", DASH))),
    _column("threads", lambda t, _: _threads(t), right=True),
    _column("p50", _timed("p50_ms"), text=_in_ms("p50_ms"), right=True),
    _column("p99", _timed("p99_ms"), text=_p99, right=True),
    _column("max", _timed("max_ms"), text=_in_ms("max_ms"), right=True),
    _column("cosine", _cosine, text=lambda t, m: decimals(_cosine(t, m)), right=True),
    _column("int8", _int8, text=_int8_text, right=True),
    _column("status", lambda t, _: t.status, text=lambda t, _: said(t.status)),
    _column("note", lambda _, m: m.note, text=lambda _, m: m.note),
)
KEYS = tuple(column.key for column in COLUMNS)
STAR, STATUS, NOTE = KEYS.index("star"), KEYS.index("status"), KEYS.index("note")


def _side(column: Column) -> int:
    if column.key == "int8":
        return int(Qt.AlignmentFlag.AlignCenter)
    side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


_SIDES = tuple(_side(column) for column in COLUMNS)
_MARKS = {"ok": "ok", "failed": "error", "invalid": "warning"}


class TrialsModel(QAbstractTableModel):
    """Rows are trials in the order of ``session.trials``."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._trials: list[Trial] = list(session.trials)
        self._baseline = session.baseline
        self._icons: dict[tuple[str, bool], QIcon] = {}
        self._bold = QFont()
        self._bold.setBold(True)
        self._answers: dict[int, Callable[[Trial, int], Any]] = {
            int(Role.DisplayRole): self._text,
            SORT_ROLE: self._value,
            TRIAL_ROLE: lambda trial, _: trial,
            int(Role.EditRole): self._text,
            int(Role.TextAlignmentRole): lambda _, column: _SIDES[column],
            int(Role.ToolTipRole): self._tip,
            int(Role.DecorationRole): self._decoration,
            int(Role.ForegroundRole): self._ink,
            int(Role.FontRole): self._font,
            int(Role.AccessibleTextRole): self._spoken,
        }
        session.trials_changed.connect(self._follow)
        session.marks.changed.connect(self._marks_changed)
        session.selection_changed.connect(self._baseline_changed)

    def trial(self, row: int) -> Trial:
        """Return the trial of a row."""
        return self._trials[row]

    def row_of(self, trial: Trial | None) -> int:
        """Return where *trial* is, -1 where it is not."""
        if trial is None:
            return -1
        return next((row for row, one in enumerate(self._trials) if is_same(one, trial)), -1)

    # -- what views ask -----------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802 - Qt's name
        """Return how many trials there are."""
        return 0 if parent.isValid() else len(self._trials)

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:  # noqa: N802
        """Return titles."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        if role == Role.DisplayRole:
            return self._titles()[section]
        if role == Role.TextAlignmentRole:
            return _SIDES[section]
        return None

    def _titles(self) -> tuple[str, ...]:
        """Return what is above the columns, in their order."""
        return (
            "#", "★", self.tr("time"), self.tr("engine"), self.tr("precision"), self.tr("threads"), self.tr("p50 ms"),
            self.tr("p99 ms"), self.tr("max ms"), self.tr("cosine"), self.tr("INT8"), self.tr("status"),
            self.tr("note"),
        )  # fmt: skip

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Notes can be edited, everything can be selected."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and index.column() == NOTE else flags

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return what a cell shows."""
        # A view asks for nine things per cell and paint, most of which cells do not have.
        answer = self._answers.get(role)
        row, column = index.row(), index.column()
        if answer is None or not 0 <= row < len(self._trials):
            return None
        return answer(self._trials[row], column)

    def _mark(self, trial: Trial) -> Mark:
        return self._session.marks.of(trial)

    def _text(self, trial: Trial, column: int) -> str:
        return COLUMNS[column].text(trial, self._mark(trial))

    def _value(self, trial: Trial, column: int) -> Any:
        return COLUMNS[column].value(trial, self._mark(trial))

    def _decoration(self, trial: Trial, column: int) -> QIcon | None:
        if column == STAR:
            return self._icon("star-filled", "star") if self._mark(trial).star else self._icon("star", "muted")
        if column == STATUS:
            meaning = _MARKS.get(trial.status, "error")
            return self._icon(meaning, meaning)
        return None

    def _ink(self, trial: Trial, column: int) -> QColor | None:
        if trial.status == "ok" or column in (STAR, NOTE):
            return None
        return theme.colour(_MARKS.get(trial.status, "error"))

    def _font(self, trial: Trial, _: int) -> QFont | None:
        return self._bold if self._is_baseline(trial) else None

    def _spoken(self, trial: Trial, column: int) -> str | None:
        if column != STAR:
            return None
        return self.tr("starred") if self._mark(trial).star else self.tr("not starred")

    def _icon(self, name: str, meaning: str) -> QIcon:
        """Return an icon, drawn once per theme and not once per cell and paint."""
        key = (name, theme.is_dark())
        if key not in self._icons:
            self._icons[key] = theme.icon(name, meaning)
        return self._icons[key]

    def _tip(self, trial: Trial, column: int) -> str | None:
        mark = self._mark(trial)
        if column == STAR:
            return self.tr("Click to take the star away") if mark.star else self.tr("Click to give it a star")
        if column == NOTE:
            return mark.note or self.tr("Double-click to write a note")
        if KEYS[column] == "time":
            return local_time(trial.created, full=True)
        lines = [said(trial.reason)]
        if self._is_baseline(trial):
            lines.append(self.tr("This is the baseline."))
        if trial.latency and KEYS[column] in ("p50", "p99", "max"):
            lines.append(said(trial.latency.noise))
        if trial.accuracy and KEYS[column] == "cosine":
            lines.append(said(trial.accuracy.verdict))
        return "\n".join(line for line in lines if line) or None

    def _is_baseline(self, trial: Trial) -> bool:
        return is_same(self._session.baseline, trial)

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:  # noqa: N802
        """Write a note."""
        if not index.isValid() or index.column() != NOTE or role != Role.EditRole:
            return False
        self._session.marks.note(self._trials[index.row()], str(value or "").strip())
        return True

    # -- following ----------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Take over the session's list with as little disturbance to selections as possible."""
        new = list(self._session.trials)
        old_keys, new_keys = [id(trial) for trial in self._trials], [id(trial) for trial in new]
        kept = set(new_keys)
        for row in range(len(old_keys) - 1, -1, -1):
            if old_keys[row] not in kept:
                self.beginRemoveRows(_NOWHERE, row, row)
                del self._trials[row], old_keys[row]
                self.endRemoveRows()
        if [key for key in new_keys if key in set(old_keys)] != old_keys:
            self.beginResetModel()
            self._trials = new
            self.endResetModel()
            return
        for row, trial in enumerate(new):
            if row >= len(self._trials) or self._trials[row] is not trial:
                self.beginInsertRows(_NOWHERE, row, row)
                self._trials.insert(row, trial)
                self.endInsertRows()

    def _marks_changed(self) -> None:
        if self._trials:
            last = len(self._trials) - 1
            self.dataChanged.emit(self.index(0, STAR), self.index(last, STAR))
            self.dataChanged.emit(self.index(0, NOTE), self.index(last, NOTE))

    def _baseline_changed(self) -> None:
        if self._trials and self._baseline is not self._session.baseline:
            self._baseline = self._session.baseline
            end = self.index(len(self._trials) - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), end, [int(Role.FontRole), int(Role.ToolTipRole)])


class TrialsFilter(QSortFilterProxyModel):
    """Sorts numbers as numbers with what is missing at the end, and hides what a search does not match."""

    def __init__(self, source: TrialsModel, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._matches = parse_filter("", COLUMNS)
        self.setSortRole(SORT_ROLE)
        self.setSourceModel(source)

    def set_search(self, text: str) -> None:
        """Show only trials that match *text*, see :func:`parse_filter`."""
        self._matches = parse_filter(text, COLUMNS)
        self.invalidate()

    def trial(self, index: Index) -> Trial | None:
        """Return the trial of an index of this model."""
        found = index.data(TRIAL_ROLE) if index.isValid() else None
        return found if isinstance(found, Trial) else None

    def shown(self) -> Sequence[Trial]:
        """Return the trials as they are sorted and filtered now."""
        rows = (self.trial(self.index(row, 0)) for row in range(self.rowCount()))
        return [trial for trial in rows if trial is not None]

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:  # noqa: N802 - Qt's name
        """Tell whether a row matches."""
        trial = self.sourceModel().index(row, 0, parent).data(TRIAL_ROLE)
        return isinstance(trial, Trial) and self._matches(trial, self._session.marks.of(trial))

    def lessThan(self, left: Index, right: Index) -> bool:  # noqa: N802
        """Compare two cells; what is missing comes last in either direction."""
        one, two = left.data(SORT_ROLE), right.data(SORT_ROLE)
        if one is None or two is None:
            upwards = self.sortOrder() == Qt.SortOrder.AscendingOrder
            return one is not None and two is None if upwards else one is None and two is not None
        if isinstance(one, (int, float)) and isinstance(two, (int, float)):
            return math.isfinite(one) and one < two
        return str(one).casefold() < str(two).casefold()


def is_same(one: Trial | None, other: Trial | None) -> bool:
    """Tell whether two records are of the same trial."""
    return one is not None and other is not None and (one is other or (one.id is not None and one.id == other.id))

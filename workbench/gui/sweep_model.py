"""The values of a sweep as a table: latencies, how they compare with the baseline, throughput and memory."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.core.figures import milliseconds, rate
from workbench.core.trial import Trial
from workbench.gui import theme
from workbench.gui.knob_words import title
from workbench.gui.language import said
from workbench.gui.session import Session
from workbench.gui.sweep_words import effect, point_in_words, value_in_words
from workbench.study.sweep import BATCH, Point, Sweep

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

VALUE, P50, ITEM, EFFECT, P99, TAIL, MAX, RATE, MEMORY = range(9)
_NOWHERE = QModelIndex()
_INKS = {"faster": "ok", "slower": "error", "same": "muted", "baseline": "muted"}


class SweepModel(QAbstractTableModel):
    """Rows are the values of the sweep that the session looks at; the baseline comes first where it is none of them.

    Attributes:
        sweep: what is shown.
        points: one per row.
    """

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.sweep: Sweep | None = None
        self.points: list[Point] = []
        self.follow()

    def follow(self) -> None:
        """Take over what the session looks at."""
        found = self._session.sweeps.sweep
        points = [] if found is None else rows_of(found)
        same = [point.value for point in points] == [point.value for point in self.points]
        if not same:
            self.beginResetModel()
        self.sweep, self.points = found, points
        if not same:
            self.endResetModel()
        elif points:
            self.dataChanged.emit(self.index(0, 0), self.index(len(points) - 1, MEMORY))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, MEMORY)

    def trial(self, row: int) -> Trial | None:
        """Return the trial of a value, None where there is none."""
        return self.points[row].trial if 0 <= row < len(self.points) else None

    def row_of(self, trial: Trial | None) -> int:
        """Return the value that *trial* belongs to, -1 where it belongs to none."""
        if trial is None or trial.id is None:
            return -1
        for row, point in enumerate(self.points):
            if trial.id in point.trials or (point.trial is not None and point.trial.id == trial.id):
                return row
        return -1

    # -- what views ask -----------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802 - Qt's name
        """Return how many values there are."""
        return 0 if parent.isValid() else len(self.points)

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802
        """Return how many columns there are."""
        return 0 if parent.isValid() else MEMORY + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:  # noqa: N802
        """Return titles and their explanations."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Role.DisplayRole:
            per_item = self.sweep is not None and self.sweep.knob == BATCH
            return {
                VALUE: title(self.sweep.knob) if self.sweep is not None else self.tr("value"),
                P50: self.tr("p50 ms"), ITEM: self.tr("per sample"),
                EFFECT: self.tr("× baseline") if per_item else self.tr("p50 × baseline"),
                P99: self.tr("p99 ms"), TAIL: self.tr("p99 × baseline"), MAX: self.tr("max ms"),
                RATE: self.tr("samples/s"), MEMORY: self.tr("peak MB"),
            }[section]  # fmt: skip
        if role == Role.ToolTipRole:
            return {
                ITEM: self.tr("p50 in ms divided by the batch"),
                EFFECT: self.tr("Time over the baseline's with its 95 % interval over processes; below 1 is faster"),
                TAIL: self.tr("P99 of a run over the baseline's: every sample of a batch waits for all of it"),
                MEMORY: self.tr("The most memory that was held while only running."),
            }.get(section)
        if role == Role.TextAlignmentRole:
            return _side(section)
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return figures; a value that could not be measured tells why."""
        found = self.sweep
        if found is None or not index.isValid():
            return None
        point, section = self.points[index.row()], index.column()
        failed = bool(point.reason) and point.p50_ms is None
        if role == Role.DisplayRole:
            if failed and section == P50:
                return said(point.reason).replace("\n", " ")
            return _text(found, point, section)
        if role == Role.ToolTipRole:
            return point_in_words(found, point)
        if role == Role.TextAlignmentRole:
            return _side(VALUE if failed else section)
        if role == Role.ForegroundRole:
            verdict = {EFFECT: point.verdict, TAIL: point.tail_verdict}.get(section, "")
            meaning = "error" if failed and section == P50 else _INKS.get(verdict, "")
            return theme.colour(meaning) if meaning else None
        return None


def rows_of(found: Sweep) -> list[Point]:
    """Return the values in the order of the rows."""
    known = any(point.value == found.baseline.value for point in found.points)
    return [*([] if known else [found.baseline]), *found.points]


def _text(found: Sweep, point: Point, section: int) -> str:
    if section == VALUE:
        return value_in_words(found.knob, point.value)
    if section == EFFECT:
        return effect(point.ratio_vs_baseline, point.ci95, point.verdict)
    if section == TAIL:
        return effect(point.tail_ratio, point.tail_ci95, point.tail_verdict)
    if section == RATE:
        return rate(point.throughput_per_s)
    if section == MEMORY:
        return rate(point.peak_rss_mb)
    return milliseconds({P50: point.p50_ms, ITEM: point.item_ms, P99: point.p99_ms, MAX: point.max_ms}[section])


def _side(section: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if section == VALUE else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter

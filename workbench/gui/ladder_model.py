"""The rungs of a ladder as a table: a bar of what each step bought, and its figures beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.core.figures import DASH, decimals, factor, milliseconds, share
from workbench.core.trial import Trial
from workbench.gui import theme
from workbench.gui.ladder_words import rung_in_words, step_in_words, verdict_in_words
from workbench.gui.language import said
from workbench.gui.session import Session
from workbench.study.ladder import Drift, Step

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

NAME, BAR, GAIN, P50, COSINE, CLASS, INT8 = range(7)
BAR_ROLE = int(Role.UserRole)
_NOWHERE = QModelIndex()
_SIGNS = {"faster": "▲", "slower": "▼", "same": "="}


@dataclass(frozen=True)
class Bar:
    """What is drawn for a rung; speeds are multiples of the first rung's.

    Attributes:
        start, end: the speed of the last good rung before, and of this one; None where there is none.
        low, high: the 95 % interval of *end*.
        again: the speed of the first rung when it was measured once more at the end.
        verdict: as of the step; empty while it is measured.
        text: what stands there instead of a bar.
    """

    start: float | None = None
    end: float | None = None
    low: float | None = None
    high: float | None = None
    again: float | None = None
    verdict: str = ""
    text: str = ""


class LadderModel(QAbstractTableModel):
    """Rows are the rungs of the ladder that the session looks at; the last one may still be measured.

    Attributes:
        drift: what the first rung showed at the end; None where it was not measured again.
        ends: lowest and highest speed of all bars.
    """

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.steps: list[Step] = []
        self.drift: Drift | None = None
        self._bars: list[Bar] = []
        self._names: list[str] = []
        self.ends = (1.0, 1.0)
        self.follow()

    def follow(self) -> None:
        """Take over what the session looks at; what is there already stays, so that views keep their place."""
        climbs = self._session.climbs
        steps = list(climbs.ladder.steps) if climbs.ladder is not None else []
        measuring = climbs.rung if climbs.is_growing() else ""
        names = [step.name for step in steps] + ([measuring] if measuring else [])
        grown = self._names == names[: len(self._names)] and self.steps == steps[: len(self.steps)]
        if not grown:
            self.beginResetModel()
        elif len(names) > len(self._names):
            self.beginInsertRows(_NOWHERE, len(self._names), len(names) - 1)
        inserted = grown and len(names) > len(self._names)
        self.steps, self._names = steps, names
        self.drift = climbs.ladder.drift if climbs.ladder is not None else None
        self._bars = _bars(steps, self.drift)
        if measuring:
            self._bars.append(Bar(text=self.tr("measuring …")))
        reached = [value for bar in self._bars for value in (bar.end, bar.low, bar.high, bar.again) if value]
        self.ends = (min([1.0, *reached]), max([1.0, *reached]))
        if not grown:
            self.endResetModel()
        elif inserted:
            self.endInsertRows()
        if grown and names:
            self.dataChanged.emit(self.index(0, 0), self.index(len(names) - 1, INT8))

    def trial(self, row: int) -> Trial | None:
        """Return the trial of a rung, None where it could not be tried."""
        return self.steps[row].trial if 0 <= row < len(self.steps) else None

    def row_of(self, trial: Trial | None) -> int:
        """Return the rung that *trial* belongs to, -1 where it belongs to none."""
        if trial is None or trial.id is None:
            return -1
        numbers = [step.trial.id if step.trial else None for step in self.steps]
        return numbers.index(trial.id) if trial.id in numbers else -1

    # -- what views ask -----------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802 - Qt's name
        """Return how many rungs there are."""
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802
        """Return how many columns there are."""
        return 0 if parent.isValid() else INT8 + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:  # noqa: N802
        """Return titles; the scale of the bars is drawn by the header."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section <= INT8:
            return None
        if role == Role.DisplayRole:
            return (
                self.tr("rung"), "", self.tr("× step"), self.tr("p50 ms"), self.tr("cosine"), self.tr("class"),
                self.tr("INT8"),
            )[section]  # fmt: skip
        if role == Role.ToolTipRole:
            return (
                self.tr("What the rung turns; what was turned before stays"),
                self.tr("How many times as fast as the first rung, logarithmic; the line is the 95 % interval"),
                self.tr("How many times as fast as the rung before"),
                self.tr("Median latency"),
                self.tr("1 is the same direction as FP32's outputs"),
                self.tr("Evaluation items for which FP32 says the same class"),
                self.tr("Layers that ran in INT8, of those that were planned to"),
            )[section]  # fmt: skip
        if role == Role.TextAlignmentRole:
            return int(_side(section))
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return what a cell shows."""
        if not index.isValid() or not 0 <= index.row() < len(self._names):
            return None
        row, column = index.row(), index.column()
        step = self.steps[row] if row < len(self.steps) else None
        if role == BAR_ROLE:
            return self._bars[row]
        if role == Role.TextAlignmentRole:
            return int(_side(column))
        if role == Role.ForegroundRole and (step is None or step.speedup_vs_first is None):
            return theme.colour("muted")
        if role == Role.ToolTipRole and step is not None:
            return step_in_words(step) + self._again(step)
        if role in (Role.DisplayRole, Role.AccessibleTextRole):
            if column == NAME:
                return rung_in_words(self._names[row])
            return self._bar_text(step) if column == BAR else _figure(step, column)
        return None

    def _bar_text(self, step: Step | None) -> str:
        """Return what the bar says, for those who cannot see it."""
        if step is None:
            return self.tr("measuring …")
        if step.speedup_vs_first is None:
            return f"{verdict_in_words(step.verdict)}: {said(step.reason)}"
        return factor(step.speedup_vs_first) + self._again(step)

    def _again(self, step: Step) -> str:
        """Return what the first rung showed at the end, as a line of its own; nothing for the others."""
        return f"\n{said(self.drift.text)}" if self.drift is not None and step.verdict == "start" else ""


def _bars(steps: list[Step], drift: Drift | None) -> list[Bar]:
    bars, before = [], 1.0
    for step in steps:
        speed = step.speedup_vs_first
        if speed is None or not math.isfinite(speed) or speed <= 0:
            bars.append(Bar(verdict=step.verdict, text=f"{verdict_in_words(step.verdict)}: {said(step.reason)}"))
            continue
        low, high = (before * value for value in step.ci95) if step.ci95 is not None else (None, None)
        again = 1.0 / drift.ratio if drift is not None and step.verdict == "start" else None
        bars.append(Bar(start=before, end=speed, low=low, high=high, again=again, verdict=step.verdict))
        before = speed
    return bars


def _figure(step: Step | None, column: int) -> str:
    trial = step.trial if step is not None else None
    if step is None or trial is None or step.speedup_vs_first is None:
        return DASH
    if column == GAIN:
        gain = factor(step.speedup_vs_previous)
        return f"{gain} {_SIGNS[step.verdict]}" if step.verdict in _SIGNS else gain
    if column == P50:
        return milliseconds(trial.latency.p50_ms if trial.latency is not None else None)
    if column == INT8:
        proof = trial.proof
        return f"{proof.int8_kernels}/{proof.expected_int8}" if proof is not None and proof.expected_int8 else DASH
    accuracy = trial.accuracy if trial.accuracy is not None and trial.accuracy.samples else None
    if accuracy is None:
        return DASH
    return decimals(accuracy.cosine_mean) if column == COSINE else share(accuracy.top1_agreement, 0)


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column in (NAME, BAR) else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter

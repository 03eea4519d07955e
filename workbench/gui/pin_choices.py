"""What can be pinned, for the boxes of the compare panel: what the knobs say now, then the trials, newest first."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.core.trial import Trial
from workbench.gui.compare_words import pinned_in_words
from workbench.gui.pins import Pinned
from workbench.gui.session import Session
from workbench.gui.trial_words import config_in_words

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class PinChoices(QAbstractListModel):
    """Follows the session's trials and knobs; texts are made when they are seen."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._trials: list[Trial] = []
        self.follow_trials()
        session.trials_changed.connect(self.follow_trials)
        session.config_changed.connect(self._follow_config)

    def follow_trials(self) -> None:
        """Take the trials that have samples; all views forget where they were."""
        self.beginResetModel()
        self._trials = [trial for trial in reversed(self._session.trials) if trial.latency and trial.latency.n]
        self.endResetModel()

    def _follow_config(self) -> None:
        self.dataChanged.emit(self.index(0), self.index(0))

    def choice(self, row: int) -> Pinned:
        """Return what a row stands for."""
        return self._session.pins.current() if row == 0 else self._trials[row - 1]

    def row_of(self, what: Pinned | None) -> int:
        """Return the row of a trial; -1 for everything else."""
        if not isinstance(what, Trial):
            return -1
        return next((row for row, trial in enumerate(self._trials, start=1) if trial.id == what.id), -1)

    def rowCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802 - Qt's name
        """Return how many choices there are."""
        return 0 if parent.isValid() else 1 + len(self._trials)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a row says."""
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if index.row() == 0:
            return self.tr("Current knobs: {0}").format(config_in_words(self._session.config.to_dict()))
        return pinned_in_words(self._trials[index.row() - 1])

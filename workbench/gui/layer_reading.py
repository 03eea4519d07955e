"""The selected trial read layer by layer, with the distributions that its calibration has kept.

Held by the session; the panels that show layers, ranges and findings follow it. A thread of the pool does the
reading: the distributions of a deep network are megabytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from workbench.core import calibration
from workbench.core.distribution import Distribution
from workbench.core.layer_table import LayerTable, layer_table
from workbench.core.trial import Trial
from workbench.gui import tasks

if TYPE_CHECKING:
    from workbench.gui.session import Session


class LayerReading(QObject):
    """What is known of the layers of the trial that is selected.

    Attributes:
        trial: whose layers these are; None where none is selected or it has none.
        table: its layers.
        distributions: what calibration saw, by canonical tensor name; empty where that is not kept any more.
        selected_layer: the layer that every panel shows; it stays selected from trial to trial while they have it.
    """

    changed = Signal()
    selected = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._task: tasks.Task[Any] | None = None
        self._seen: tuple[str, dict[str, Distribution]] | None = None  # the last file that was read
        self.trial: Trial | None = None
        self.table: LayerTable | None = None
        self.distributions: Mapping[str, Distribution] = {}
        self.selected_layer: str | None = None
        session.selection_changed.connect(self._follow)

    def select(self, name: str | None) -> None:
        """Select a layer by its name, in every panel."""
        if name != self.selected_layer:
            self.selected_layer = name
            self.selected.emit()

    def _follow(self) -> None:
        trial = self._session.selected
        if trial is not None and not trial.layers:
            trial = None
        if trial is self.trial and trial is not None:
            return
        self.trial = trial
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if trial is None:
            self._show(None, {})
        else:
            seen = self._seen if self._seen and self._seen[0] == trial.calibration else None
            self._task = tasks.run(lambda: _read(trial, seen), self._read, self._broke, self)

    def _read(self, found: tuple[LayerTable, dict[str, Distribution]]) -> None:
        table, distributions = found
        if self.trial is not None and self.trial.calibration:
            self._seen = self.trial.calibration, distributions
        self._show(table, distributions)

    def _show(self, table: LayerTable | None, distributions: Mapping[str, Distribution]) -> None:
        self.table, self.distributions = table, distributions
        self.changed.emit()
        if table is not None and all(row.name != self.selected_layer for row in table.layers):
            self.select(None)

    def _broke(self, error: Exception) -> None:
        self._session.broke.emit(tasks.in_words(error))


def _read(trial: Trial, seen: tuple[str, dict[str, Distribution]] | None) -> tuple[LayerTable, dict[str, Distribution]]:
    """Return the layers of *trial*; may run in any thread."""
    if seen is None:
        distributions = (calibration.load(Path(trial.calibration)) if trial.calibration else None) or {}
    else:
        distributions = seen[1]
    return layer_table(trial, distributions), distributions

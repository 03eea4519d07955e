"""Stars, notes and deletions of trials: undoable, written to the study in the background.

Held by the session; the trials panel shows and changes them. What is deleted leaves ``session.trials`` at
once and comes back with Ctrl+Z; the record itself stays in the study.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand

from workbench.core.trial import Trial
from workbench.gui import tasks
from workbench.study.mark import Mark

if TYPE_CHECKING:
    from workbench.gui.session import Session
    from workbench.study.store import Store


class TrialMarks(QObject):
    """What is said about the trials of the session's study."""

    changed = Signal()
    _not_written = Signal(object)  # UserError or another exception, from the writing thread

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._store: Store | None = None
        self._marks: dict[int, Mark] = {}
        self._hidden: dict[int, Trial] = {}
        self._writer: ThreadPoolExecutor | None = None
        self._not_written.connect(session.tell)
        session.trials_changed.connect(self._follow)

    # -- asking and saying --------------------------------------------------------------------------

    def of(self, trial: Trial) -> Mark:
        """Return what is said about *trial*."""
        return self._marks.get(trial.id, Mark()) if trial.id is not None else Mark()

    def star(self, trials: Sequence[Trial], on: bool) -> None:
        """Set or take away stars, undoably."""
        self._push(trials, {"star": on}, self.tr("star") if on else self.tr("no star"))

    def note(self, trial: Trial, text: str) -> None:
        """Exchange a note, undoably."""
        self._push([trial], {"note": text}, self.tr("note"))

    def delete(self, trials: Sequence[Trial]) -> None:
        """Hide trials, undoably."""
        self._push(trials, {"deleted": True}, self.tr("delete trial {0}").format(_listed(trials)))

    def _push(self, trials: Sequence[Trial], changes: Mapping[str, object], text: str) -> None:
        store = self._store
        before = {trial.id: self.of(trial) for trial in trials if trial.id is not None}
        after = {number: msgspec.structs.replace(mark, **changes) for number, mark in before.items()}
        if store is not None and before != after:
            self._session.undo.push(_MarkCommand(self, store, before, after, text))

    def apply(self, store: Store, marks: Mapping[int, Mark]) -> bool:
        """Make *marks* true; used by the undo commands.

        Returns:
            False where another study has been opened since.
        """
        if store is not self._store:
            return False
        self._marks.update(marks)
        if self._writer is None:
            self._writer = ThreadPoolExecutor(1, "marks")
        for number, mark in marks.items():
            self._writer.submit(self._write, store, number, mark)
        self._hide_and_show(marks)
        self.changed.emit()
        return True

    def settle(self) -> None:
        """Wait until everything is written."""
        if self._writer is not None:
            self._writer.shutdown()
            self._writer = None

    # -- inside -------------------------------------------------------------------------------------

    def _hide_and_show(self, marks: Mapping[int, Mark]) -> None:
        session = self._session
        unwanted = {number for number, mark in marks.items() if mark.deleted}
        gone = {trial.id: trial for trial in session.trials if trial.id is not None and trial.id in unwanted}
        back = [self._hidden.pop(number) for number in marks if number in self._hidden and number not in unwanted]
        if not gone and not back:
            return
        self._hidden.update(gone)
        kept = [trial for trial in session.trials if trial.id not in gone]
        session.trials = sorted([*kept, *back], key=lambda trial: float("inf") if trial.id is None else trial.id)
        session.trials_changed.emit()
        if session.selected is not None and session.selected.id in gone:
            session.select(None)
        if session.baseline is not None and session.baseline.id in gone:
            session.set_baseline(None)

    def _write(self, store: Store, number: int, mark: Mark) -> None:
        """Body of the writing thread."""
        try:
            store.mark(number, star=mark.star, note=mark.note, deleted=mark.deleted)
        except Exception as error:
            self._not_written.emit(error)

    def _follow(self) -> None:
        """Read the marks of another study."""
        store = self._session.store
        if store is self._store:
            return
        self._store, self._marks, self._hidden = store, {}, {}
        self.changed.emit()
        if store is not None and store.is_there():
            tasks.run(store.marks, lambda marks: self._read(store, marks), self._session.tell, self)

    def _read(self, store: Store, marks: Mapping[int, Mark]) -> None:
        if store is self._store:
            # What was said meanwhile is newer.
            self._marks = {**marks, **self._marks}
            self.changed.emit()


class _MarkCommand(QUndoCommand):
    def __init__(
        self, marks: TrialMarks, store: Store, before: Mapping[int, Mark], after: Mapping[int, Mark], text: str
    ) -> None:
        super().__init__(text)
        self._marks = marks
        self._store = store
        self._before = before
        self._after = after

    def redo(self) -> None:
        self.setObsolete(not self._marks.apply(self._store, self._after))

    def undo(self) -> None:
        self.setObsolete(not self._marks.apply(self._store, self._before))


def _listed(trials: Sequence[Trial]) -> str:
    numbers = [f"#{trial.id}" for trial in trials]
    return ", ".join(numbers[:3]) + (" …" if len(numbers) > 3 else "")

"""Stored samples of trials, read in the background; the last few stay at hand. Used by the latency panel."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from PySide6.QtCore import QObject

from workbench.core.trial import Trial
from workbench.gui import tasks
from workbench.gui.live_samples import LiveSamples
from workbench.gui.session import Session

_KEPT = 6


class KeptSamples(QObject):
    """Finds the samples of trials of the session's study."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent or session)
        self._session = session
        self._kept: OrderedDict[tuple[str, int], LiveSamples] = OrderedDict()

    def keep(self, trial: Trial, samples: LiveSamples) -> None:
        """Remember the samples of a trial that was measured under our eyes."""
        store = self._session.store
        if store is not None and trial.id is not None:
            self._put((store.place, trial.id), samples)

    def find(self, trial: Trial, done: Callable[[LiveSamples], None]) -> LiveSamples | None:
        """Return the samples of *trial* if they are at hand; else read them and call *done* with them."""
        store = self._session.store
        if store is None or trial.id is None:
            return LiveSamples()
        number = trial.id
        key = (store.place, number)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]

        def arrived(samples: LiveSamples) -> None:
            self._put(key, samples)
            done(samples)

        tasks.run(lambda: LiveSamples.of(store.samples(number)), arrived, self._session.tell, self)
        return None

    def _put(self, key: tuple[str, int], samples: LiveSamples) -> None:
        self._kept[key] = samples
        self._kept.move_to_end(key)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)

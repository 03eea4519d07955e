"""A running measurement: one thread that owns one worker process at a time. Its signals carry plain records.

:class:`Measuring` takes one trial; what takes several is in :mod:`workbench.gui.series_jobs`. The session runs one job
at a time.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, QThread, Signal

from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.study.runner import Listener, Runner, Subject
from workbench.worker.launcher import Worker

PAINT_TIMEOUT_S = 1.0
"""A window that has not painted a burst after so long (minimised, say) no longer holds the worker back."""


class Cancelled(Exception):
    """Ends a series of trials that nobody wants any more."""


class Job(QThread):
    """Measures in a thread of its own; :meth:`work` says what.

    The worker waits after each burst until :meth:`painted` is called, so that painting falls into the gap and
    never disturbs a timed run. A burst that :meth:`disturb` fell into is thrown away: input wins over measuring.

    Args:
        config: of the first trial.
        runs: kept runs of each trial.

    Attributes:
        config: of the trial that is being measured.
        part: which part of the job that trial is, in words; empty where it is all of it.
        passing: nobody wants its trial any more once the next such job is wanted.
    """

    began = Signal(object, str)  # Config and part of the trial that comes next
    progressed = Signal(str, int, int)  # phase, done, total
    warmed_up = Signal(object)  # np.ndarray of ns
    after_gap = Signal(object)  # ns of the first run after a gap; the burst it belongs to follows
    burst = Signal(object)  # np.ndarray of ns; call painted() once it is on screen
    thrown_away = Signal()  # a burst that input came into; call painted() once the window is at rest
    noticed = Signal(str)
    measured = Signal(object)  # Trial
    refused = Signal(object)  # UserError
    broke = Signal(str)  # traceback: a bug of ours
    _burst_taken = Signal(object)

    def __init__(self, config: Config, *, runs: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.config = config
        self.runs = runs
        self.part = ""
        self.passing = False
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._cancelled = False
        self._superseded = False
        self._disturbed = threading.Event()
        self._painted = threading.Semaphore(0)
        # A signal of another thread reaches each receiver by an event of its own; sent on from here it reaches all of
        # them at once, so that none can come after the frame that answers it.
        self._burst_taken.connect(self._send_on)

    def work(self, listener: Listener) -> None:
        """Measure; called in the thread of the job."""
        raise NotImplementedError

    def run(self) -> None:
        """Body of the thread; do not call."""
        listener = Listener(
            begin=self._begin,
            progress=self.progressed.emit,
            notice=self.noticed.emit,
            gap=self.after_gap.emit,
            burst=self._hand_over,
            warm_up=self._warm,
            started=self._started,
            wanted=lambda: not self._superseded,
            measured=self._keep,
        )
        try:
            self.work(listener)
        except Cancelled:
            pass
        except UserError as error:
            # Who cancels during an export, say, need not be told that there is no export.
            if not self._cancelled:
                self.refused.emit(error)
        except Exception:
            self.broke.emit(traceback.format_exc())

    def end_if_cancelled(self) -> None:
        """Raise what ends a series of trials, once somebody has cancelled it."""
        if self._cancelled:
            raise Cancelled

    def _begin(self, config: Config) -> None:
        self.end_if_cancelled()
        self.config = config
        self.began.emit(config, self.part)

    def _keep(self, trial: Trial) -> None:
        if not self._superseded:
            self.measured.emit(trial)
        self.end_if_cancelled()

    def _started(self, worker: Worker) -> None:
        with self._lock:
            self._worker = worker
            cancelled, superseded = self._cancelled, self._superseded
        if cancelled:
            worker.cancel(at_once=superseded)

    def _warm(self, samples: np.ndarray) -> None:
        self._disturbed.clear()  # what came before the first burst disturbed nothing
        self.warmed_up.emit(samples)

    def _hand_over(self, samples: np.ndarray) -> bool:
        # A frame that came too late for its own burst must not let this one pass unseen.
        while self._painted.acquire(blocking=False):
            pass
        # What a cancelled job has is all it will ever have, and the click that cancelled it came into the burst.
        counts = self._cancelled or not self._disturbed.is_set()
        if counts:
            self._burst_taken.emit(samples)
        else:
            self.thrown_away.emit()
        if not self._cancelled:
            self._painted.acquire(timeout=PAINT_TIMEOUT_S)
        self._disturbed.clear()
        return counts

    def _send_on(self, samples: np.ndarray) -> None:
        self.burst.emit(samples)

    def disturb(self) -> None:
        """Tell that the window had something to do while runs may have been timed."""
        self._disturbed.set()

    def painted(self) -> None:
        """Let the worker take the next burst."""
        self._painted.release()

    def cancel(self, *, superseded: bool = False) -> None:
        """End the job within two seconds; what was measured is kept.

        Args:
            superseded: another job takes its place, and nobody asked for this one to end: the trial that is being
                measured is not stored.
        """
        with self._lock:
            self._cancelled = True
            self._superseded = self._superseded or superseded
            worker = self._worker
        if worker is not None:
            worker.cancel(at_once=superseded)
        self._painted.release()


class Measuring(Job):
    """Takes one trial of one config."""

    def __init__(
        self,
        runner: Runner,
        subject: Subject,
        config: Config,
        *,
        runs: int,
        seconds: float = 600.0,
        deadline_ms: float | None = None,
        accuracy: bool = True,
        layer_errors: bool = False,
        sensitivity_s: float | None = None,
        passing: bool = False,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(config, runs=runs, parent=parent)
        self.passing = passing
        self._measure: Callable[[Listener], Trial] = lambda listener: runner.measure(
            subject, config, runs=runs, seconds=seconds, deadline_ms=deadline_ms, accuracy=accuracy,
            layer_errors=layer_errors, sensitivity_s=sensitivity_s, listener=listener,
        )  # fmt: skip

    def work(self, listener: Listener) -> None:
        """Measure once."""
        self._measure(listener)

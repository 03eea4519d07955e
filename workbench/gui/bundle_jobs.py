"""Jobs on bundles: to export one, and to try one of another machine here.

Each ends within two seconds when it is cancelled, and leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import Any

import psutil
from PySide6.QtCore import QObject, Signal

from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.gui.job import Job
from workbench.host.environments import find
from workbench.host.machine import HostInfo
from workbench.study.runner import Listener, Runner, Subject
from workbench.study.subject import subject_of
from workbench.worker.warm import WarmPool

_RUNS = 100
"""As an export takes them; to import it here would hold the window up."""
_LOOK_S = 0.1


class BundleJob(Job):
    """Runs bundles in processes of their own, which know no way to be asked to end: cancelling ends them.

    Attributes:
        folder: how the path of the bundle's folder begins.
    """

    checked = Signal(object)  # workbench.export.verify.Check

    def __init__(self, config: Config, folder: str, parent: QObject | None = None) -> None:
        super().__init__(config, runs=_RUNS, parent=parent)
        self.folder = folder
        self._over = threading.Event()

    def run(self) -> None:
        """Body of the thread; do not call."""
        try:
            super().run()
        finally:
            self._over.set()

    def cancel(self, *, superseded: bool = False) -> None:
        """End the job within two seconds; nothing is left of the bundle."""
        super().cancel(superseded=True)  # its trials are in no study: nothing of them is worth waiting for
        threading.Thread(target=self._end_processes, daemon=True).start()

    def _end_processes(self) -> None:
        """End what runs the bundle, and what is started until the thread of the job has noticed."""
        while True:
            for child in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    if any(word.startswith(self.folder) and Path(word).name == "run.py" for word in child.cmdline()):
                        child.kill()
            if self._over.wait(_LOOK_S):
                return

    def tell(self, check: Any) -> None:
        """Tell of a check; called in the thread of the job."""
        self.end_if_cancelled()
        self.checked.emit(check)


class Exporting(BundleJob):
    """Makes a bundle of a trial.

    Args:
        trial: a stored one.
        out: a folder that is not there, or a ``.zip``.
    """

    exported = Signal(object, object)  # Trial that was saved, Verification or None where that trial was not ok

    def __init__(self, trial: Trial, out: Path, parent: QObject | None = None) -> None:
        out = out.absolute()
        # The folder that a bundle is made in lies beside it, under this name and some letters more.
        super().__init__(Config.from_dict(trial.config), str(out.parent / f".{out.stem}-"), parent)
        self._trial = trial
        self._out = out

    def work(self, listener: Listener) -> None:
        """Measure, write, verify."""
        from workbench.export import bundle

        listener.measured = lambda _: self.end_if_cancelled()  # it is in no study
        with WarmPool() as pool:
            runner = _Heard(listener, find(self._trial.environment), pool)
            trial, found = bundle.export(
                runner,
                subject_of(self._trial),
                self.config,
                self._out,
                number=self._trial.id,
                deadline_ms=self._trial.latency.deadline_ms if self._trial.latency else None,
                listener=listener,
                on_check=self.tell,
            )
        if found is None:
            self.end_if_cancelled()
        self.exported.emit(trial, found)


class Importing(BundleJob):
    """Runs a bundle of another machine here.

    Args:
        place: as :func:`workbench.export.arrival.opened` takes it.
        host: this machine, if it was described already.
    """

    arrived = Signal(object)  # workbench.export.arrival.Arrival

    def __init__(self, place: Path, host: HostInfo | None = None, parent: QObject | None = None) -> None:
        super().__init__(Config(), str(place), parent)
        self._place = place
        self._host = host

    def work(self, listener: Listener) -> None:
        """Unpack where it is packed, verify, compare."""
        from workbench.export import arrival

        with arrival.opened(self._place) as folder:
            self.folder = str(folder)
            found = arrival.arrive(folder, host=self._host, on_check=self.tell, progress=listener.progress)
        self.end_if_cancelled()
        self.arrived.emit(found)


class _Heard(Runner):
    """Lets a job hear of every worker, also of those that an export starts for itself, so that it can cancel them."""

    def __init__(self, heard: Listener, environment: Any, pool: WarmPool) -> None:
        super().__init__(environment=environment, pool=pool)
        self._heard = heard

    def measure(self, subject: Subject, config: Config, *, listener: Listener | None = None, **options: Any) -> Trial:
        """Measure as any runner does."""
        listener = listener or Listener()
        listener.begin, listener.started = self._heard.begin, self._heard.started
        return super().measure(subject, config, listener=listener, **options)

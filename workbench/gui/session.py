"""What the window is about: model, data, config, trials, the running job. The only truth in the GUI.

Widgets call its methods and follow its signals (with their own signals blocked while they follow).
Everything a user can change goes through an undo stack where it can be undone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.core.knobs import Value
from workbench.core.preprocess import Preprocess
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui import tasks
from workbench.gui.climbs import Climbs
from workbench.gui.job import Job, Measuring
from workbench.gui.layer_reading import LayerReading
from workbench.gui.log import Log
from workbench.gui.pins import Pins
from workbench.gui.quantizer import Quantizer
from workbench.gui.repair_trials import RepairTrials
from workbench.gui.sweeps import Sweeps
from workbench.gui.trial_marks import TrialMarks
from workbench.host.machine import HostInfo
from workbench.study.runner import Runner, Subject
from workbench.study.subject import find_subject
from workbench.worker.warm import WarmPool

if TYPE_CHECKING:  # imported where a study is opened: SQLAlchemy would add half a second to the start
    from workbench.study.ladder import Rung
    from workbench.study.store import Store

RUN_ONCE = 300
LIVE_RUNS = 1_000_000
LIVE_SETTLE_MS = 250
LOOK_RUNS = 100  # where accuracy is wanted, and the latency only roughly


class Session(QObject):
    """State of one window."""

    opening = Signal(str)  # what is being opened; empty at its end
    subject_changed = Signal()
    config_changed = Signal()
    trials_changed = Signal()
    selection_changed = Signal()  # selected trial or baseline
    deadline_changed = Signal()
    host_changed = Signal()
    job_started = Signal(object)  # Job
    job_ended = Signal(object)  # Trial or None
    export_wanted = Signal(object)  # Trial
    panel_wanted = Signal(str)  # key of a panel that shows what was asked for
    refused = Signal(object)  # UserError: tell the user what, why, what next
    broke = Signal(str)  # traceback of a bug

    def __init__(self, runner_factory: Callable[[Store], Runner] | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = WarmPool(subjects=True)
        self.undo = QUndoStack(self)
        self.subject: Subject | None = None
        self.config = Config()
        self.store: Store | None = None
        self.trials: list[Trial] = []
        self.selected: Trial | None = None
        self.baseline: Trial | None = None
        self.deadline_ms: float | None = None
        self.host: HostInfo | None = None
        self.job: Job | None = None
        self.live = False
        self.log = Log(self)
        self.marks = TrialMarks(self)
        self.layers = LayerReading(self)
        self.quantizer = Quantizer(self)
        self.pins = Pins(self)
        self.climbs = Climbs(self)
        self.sweeps = Sweeps(self)
        self.repairs = RepairTrials(self)
        self.attempt: tuple[str, dict[str, Any]] | None = None
        self._opening: tasks.Task[Any] | None = None
        self._runner_factory = runner_factory or (lambda store: Runner(store, pool=self._pool))
        self._runner: Runner | None = None  # one per study: it keeps what was exported for an engine
        self._result: Trial | None = None
        self._pending: Callable[[], None] | None = None
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self._restart_live)

    # -- what is measured ---------------------------------------------------------------------------

    def open_model(self, text: str, **options: Any) -> bool:
        """Open ``sample:NAME``, a file or ``file.py:callable``; options as of ``find_subject``.

        Returns:
            Whether it could be opened; if not, :attr:`refused` has told why.
        """
        self.attempt = (text, options)
        try:
            opened = _read(text, options)
        except UserError as error:
            self.refused.emit(error)
            return False
        self._adopt(*opened)
        return True

    def open_model_soon(self, text: str, **options: Any) -> None:
        """As :meth:`open_model`, but a thread reads the file: hashing a big one takes longer than a frame.

        ``opening`` tells the name meanwhile and an empty one at the end; the last call wins.
        """
        self.attempt = (text, options)
        if self._opening is not None:
            self._opening.cancel()
        self.opening.emit(text)
        self._opening = tasks.run(lambda: _read(text, options), self._opened, self._not_opened, self)

    def _opened(self, opened: tuple[Subject, Store, list[Trial]]) -> None:
        self.opening.emit("")
        self._adopt(*opened)

    def _not_opened(self, error: Exception) -> None:
        self.opening.emit("")
        if not isinstance(error, UserError):
            raise error
        self.refused.emit(error)

    def tell(self, error: Exception) -> None:
        """Tell what went wrong in the background: what the user must change, or a bug."""
        if isinstance(error, UserError):
            self.refused.emit(error)
        else:
            self.broke.emit(tasks.in_words(error))

    def _adopt(self, subject: Subject, store: Store, trials: list[Trial]) -> None:
        self.stop()
        self.subject = subject
        self._show_store(store, trials)
        self.subject_changed.emit()
        self._follow_format()

    def _follow_format(self) -> None:
        """Choose the engine of an ONNX file: PyTorch's engines cannot run it; undoably."""
        natural = self.subject.model.natural_engine if self.subject else "torch"
        if natural in ("torch", self.config.engine):
            return
        try:
            config = self.config.changed({"engine": natural})
        except UserError:  # a precision, say, that this engine does not have
            config = Config({"engine": natural})
        self._push(config, self.tr("engine for this file"))

    def open_trusted(self) -> None:
        """Open what was refused last once more, now that the user trusts its pickle."""
        if self.attempt is not None:
            text, options = self.attempt
            self.open_model_soon(text, **{**options, "trust_pickle": True})

    def set_host(self, host: HostInfo) -> None:
        """Tell everyone what this machine is, once that is known."""
        self.host = host
        self.host_changed.emit()

    def open_study(self, place: str) -> bool:
        """Show another study's trials.

        Returns:
            Whether it could be opened; if not, :attr:`refused` has told why.
        """
        try:
            self._show_store(*_read_study(place))
        except UserError as error:
            self.refused.emit(error)
            return False
        return True

    def open_study_soon(self, place: str) -> None:
        """As :meth:`open_study`, but a thread reads the file: decoding many trials takes longer than a frame."""
        if self._opening is not None:
            self._opening.cancel()
        self.opening.emit(place)
        self._opening = tasks.run(lambda: _read_study(place), self._study_opened, self._not_opened, self)

    def _study_opened(self, study: tuple[Store, list[Trial]]) -> None:
        self.opening.emit("")
        self._show_store(*study)

    def _show_store(self, store: Store, trials: list[Trial]) -> None:
        self.marks.settle()
        if self.store is not None:
            self.store.close()
        self.store, self.trials, self._runner = store, trials, None
        self.selected = self.baseline = None
        self.trials_changed.emit()
        self.selection_changed.emit()

    def set_data(self, path: Path | None) -> None:
        """Evaluate and calibrate on another folder or array file."""
        self.set_source(None if path is None else DataSource(path=str(path.absolute())))

    def set_source(self, source: DataSource | None) -> None:
        """Evaluate and calibrate on other data, with its split and labels; undoably."""
        if self.subject is not None:
            self._push_subject(dataclasses.replace(self.subject, data=source), self.tr("other data"))

    def set_preprocess(self, preprocess: Preprocess | None) -> None:
        """Turn pictures into tensors another way."""
        if self.subject is None:
            return
        self._push_subject(dataclasses.replace(self.subject, preprocess=preprocess), self.tr("preprocessing"))

    def _push_subject(self, subject: Subject, text: str) -> None:
        if subject != self.subject:
            self.undo.push(_SubjectCommand(self, subject, text))

    def apply_subject(self, subject: Subject) -> None:
        """Make *subject* (the same model with other data) current; used by the undo commands."""
        self.subject = subject
        self.subject_changed.emit()
        self._restart_soon()

    # -- knobs --------------------------------------------------------------------------------------

    def set_knobs(self, changes: Mapping[str, Value], text: str = "") -> bool:
        """Turn knobs, undoably. A refusal leaves the config as it was and is told by :attr:`refused`."""
        try:
            config = self.config.changed(changes)
        except UserError as error:
            self.refused.emit(error)
            self.config_changed.emit()  # widgets fall back to what is true
            return False
        self._push(config, text or ", ".join(changes))
        return True

    def set_config(self, config: Config, text: str) -> None:
        """Replace the whole config, undoably (a trial's, a file's)."""
        self._push(config, text)

    def _push(self, config: Config, text: str) -> None:
        if config != self.config:
            self.undo.push(_ConfigCommand(self, config, text))

    def apply_config(self, config: Config) -> None:
        """Make *config* current; used by the undo commands."""
        # Ranges and pinned layers are set once, at the end of a gesture; knobs pass through values that nobody wants.
        settled = config.given == self.config.given
        self.config = config
        self.config_changed.emit()
        self._restart_soon(0 if settled else LIVE_SETTLE_MS)

    def set_deadline(self, milliseconds: float | None) -> None:
        """Move the deadline line; None removes it."""
        if milliseconds != self.deadline_ms:
            self.deadline_ms = milliseconds
            self.deadline_changed.emit()

    # -- trials -------------------------------------------------------------------------------------

    def select(self, trial: Trial | None) -> None:
        """Show a trial in the panels."""
        self.selected = trial
        self.selection_changed.emit()

    def set_baseline(self, trial: Trial | None) -> None:
        """Draw a trial behind the live one."""
        self.baseline = trial
        self.selection_changed.emit()

    # -- running ------------------------------------------------------------------------------------

    def run_once(self, runs: int = RUN_ONCE) -> None:
        """Measure the current config once."""
        self.live = False
        self._measure(runs)

    def look_into_layers(self, *, sensitivity_s: float | None = None) -> None:
        """Measure the current config once, and what INT8 costs each of its layers.

        Args:
            sensitivity_s: also scan with all layers but one in INT8, for at most so many seconds.
        """
        self.live = False
        self._measure(LOOK_RUNS, layer_errors=True, sensitivity_s=sensitivity_s)

    def measure_again(self) -> None:
        """Measure the current config shortly, in place of the last such run: a range was moved on meanwhile."""
        self.live = False
        self._measure(LOOK_RUNS, passing=True)

    def run_live(self) -> None:
        """Measure until stopped; each change of a knob starts anew."""
        self.live = True
        self._measure(LIVE_RUNS, passing=True)

    def compare(self) -> None:
        """Measure what is pinned as A and B side by side."""
        configs = self.pins.configs()
        if configs is None:
            return
        from workbench.gui.series_jobs import Comparing
        from workbench.study.compare import PROCESSES, QUICK_PROCESSES

        self.live = False
        self.panel_wanted.emit("compare")
        count = PROCESSES if self.pins.thorough else QUICK_PROCESSES
        self._start(
            lambda runner, store, subject: Comparing(runner, store, subject, configs, processes=count, parent=self)
        )

    def climb(self, rungs: Sequence[Rung] | None = None) -> None:
        """Climb the ladder with the model, on top of the current config."""
        from workbench.gui.series_jobs import Climbing

        self.live = False
        self.panel_wanted.emit("ladder")
        self._start(
            lambda runner, store, subject: Climbing(runner, store, subject, self.config, rungs=rungs, parent=self)
        )

    def sweep(self, processes: int | None = None) -> None:
        """Measure the values that were chosen for a knob against the current config.

        Args:
            processes: per value; as thorough as was chosen by default.
        """
        try:
            key, values = self.sweeps.key, self.sweeps.values()
        except UserError as error:
            self.refused.emit(error)
            return
        from workbench.gui.series_jobs import Sweeping
        from workbench.study.sweep import PROCESSES, THOROUGH_PROCESSES

        self.live = False
        self.panel_wanted.emit("sweep")
        count = processes or (THOROUGH_PROCESSES if self.sweeps.thorough else PROCESSES)
        self._start(
            lambda runner, store, subject: Sweeping(
                runner, store, subject, self.config, key, values, processes=count, parent=self
            )
        )

    def export(self, trial: Trial, out: Path) -> None:
        """Make a bundle of a trial, at a place that is not taken; no model need be open."""
        from workbench.gui.bundle_jobs import Exporting

        self.live = False
        self._launch(lambda: Exporting(trial, out, parent=self))

    def import_bundle(self, place: Path) -> None:
        """Run a bundle of another machine here."""
        from workbench.gui.bundle_jobs import Importing

        self.live = False
        self._launch(lambda: Importing(place, self.host, parent=self))

    def stop(self) -> None:
        """Cancel what runs; what was measured is kept."""
        self.live = False
        self._pending = None
        self._again.stop()
        if self.job is not None:
            self.job.cancel()

    def shutdown(self) -> None:
        """Cancel and wait: nothing may outlive the window."""
        self.stop()
        if self.job is not None:
            self.job.wait(5000)
        self._pool.close()
        self.marks.settle()
        if self.store is not None:
            self.store.close()

    def _measure(
        self, runs: int, *, layer_errors: bool = False, sensitivity_s: float | None = None, passing: bool = False
    ) -> None:
        """Measure the current config; *passing* where the next such run shall take the place of this one."""

        def make(runner: Runner, _: Store, subject: Subject) -> Job:
            return Measuring(
                runner, subject, self.config, runs=runs, deadline_ms=self.deadline_ms,
                layer_errors=layer_errors, sensitivity_s=sensitivity_s, passing=passing, parent=self,
            )  # fmt: skip

        self._start(make, instead=passing and self.job is not None and self.job.passing)

    def _start(self, make: Callable[[Runner, Store, Subject], Job], *, instead: bool = False) -> None:
        """Start a job on the open model; see :meth:`_launch`."""
        if self.subject is not None and self.store is not None:
            self._launch(lambda: self._on_model(make), instead=instead)

    def _on_model(self, make: Callable[[Runner, Store, Subject], Job]) -> Job | None:
        if self.subject is None or self.store is None:
            return None
        if self._runner is None:
            self._runner = self._runner_factory(self.store)
        return make(self._runner, self.store, self.subject)

    def _launch(self, make: Callable[[], Job | None], *, instead: bool = False) -> None:
        """Start a job, once the running one has ended; *instead* of it leaves nothing of that one in the study."""
        if self.job is not None:
            self.job.cancel(superseded=instead)
            self._pending = lambda: self._launch(make)
            return
        self._pending = None
        job = make()
        if job is None:
            return
        job.measured.connect(self._measured)
        job.refused.connect(self.refused)
        job.broke.connect(self.broke)
        job.finished.connect(self._finished)
        self.job = job
        self._result = None
        self.job_started.emit(job)
        job.start()

    def _measured(self, trial: Trial) -> None:
        self._result = trial
        self.trials.append(trial)
        self.trials_changed.emit()
        self.select(trial)

    def _finished(self) -> None:
        job, self.job = self.job, None
        if job is not None:
            job.deleteLater()
        self.job_ended.emit(self._result)
        if self._pending is not None:
            self._pending()

    def _restart_soon(self, wait_ms: int = LIVE_SETTLE_MS) -> None:
        if self.live:
            self._again.start(wait_ms)

    def _restart_live(self) -> None:
        if self.live:
            self._measure(LIVE_RUNS, passing=True)


def _read(text: str, options: Mapping[str, Any]) -> tuple[Subject, Store, list[Trial]]:
    """Return a model with its data and its study; may run in any thread."""
    from workbench.study.store import default_place

    subject = find_subject(text, **options)
    return subject, *_read_study(default_place(subject.model))


def _read_study(place: str) -> tuple[Store, list[Trial]]:
    """Return a study with its trials; may run in any thread."""
    from workbench.study.store import Store

    store = Store(place)
    return store, store.trials() if store.is_there() else []


class _ConfigCommand(QUndoCommand):
    def __init__(self, session: Session, config: Config, text: str) -> None:
        super().__init__(text)
        self._session = session
        self._before = session.config
        self._after = config

    def redo(self) -> None:
        self._session.apply_config(self._after)

    def undo(self) -> None:
        self._session.apply_config(self._before)


class _SubjectCommand(QUndoCommand):
    def __init__(self, session: Session, subject: Subject, text: str) -> None:
        super().__init__(text)
        self._session = session
        self._before = session.subject
        self._after = subject

    def redo(self) -> None:
        self._apply(self._after)

    def undo(self) -> None:
        self._apply(self._before)

    def _apply(self, subject: Subject | None) -> None:
        # Another model may have been opened since: its data must not be exchanged for the old one's.
        current = self._session.subject
        if subject is None or current is None or current.model != subject.model:
            self.setObsolete(True)
        else:
            self._session.apply_subject(subject)

"""What lies behind the session's subject: the model's inputs and its opened data, found in the background.

The model panel, the preprocessing editor and the tensor preview show it; none of them reads a file in
the event loop. It starts nothing by itself while a job is timing: what the user changes is read at once,
because input wins over measuring.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject, Signal

from workbench.core.config import Config
from workbench.core.data import Data, DataSource, open_data
from workbench.core.model import InputSpec, ModelReference
from workbench.core.preprocess import Preprocess
from workbench.core.sources import InputSpec as Triple
from workbench.errors import UserError
from workbench.gui import tasks
from workbench.gui.session import Session
from workbench.study.runner import Listener, Runner, Subject
from workbench.worker.launcher import Worker

Look = Callable[[Subject, Config, Listener], Sequence[InputSpec]]
"""Finds the inputs of a model whose file alone knows them; runs in a thread, may take seconds."""


@dataclass(frozen=True)
class Wanted:
    """All that the answer depends on."""

    model: ModelReference
    source: DataSource | None
    preprocess: Preprocess
    samples: int


@dataclass
class Found:
    """The answer.

    Attributes:
        inputs: of the model; empty where they could not be found.
        data: opened data, None where there is none or it cannot be used.
        fault: why inputs or data are missing.
    """

    inputs: tuple[InputSpec, ...] = ()
    data: Data | None = None
    fault: UserError | None = None


class Opened(QObject):
    """Follows the session and holds what was found.

    Attributes:
        found: the newest answer; stays while a newer one is on its way.
        busy: what is being done, in words; empty when nothing is.
        preprocess: what pictures go through, a config's own table included.
    """

    changed = Signal()

    def __init__(self, session: Session, look: Look | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent or session)
        self.found = Found()
        self.busy = ""
        self.preprocess = Preprocess()
        self._session = session
        self._look = look or look_with_worker
        self._inputs: dict[str, tuple[InputSpec, ...]] = {}
        self._wanted: Wanted | None = None
        self._task: object | None = None
        self._looking: list[Worker] = []
        session.subject_changed.connect(self.follow)
        session.config_changed.connect(self.follow)
        session.job_started.connect(self._stop_looking)
        session.job_ended.connect(self._look_again)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self._stop_looking)
        self.follow()

    def follow(self) -> None:
        """Find out anew if anything that the answer depends on has changed."""
        try:
            wanted = self._describe()
        except UserError as error:
            self._wanted, self.busy = None, ""
            self.found = Found(fault=error)
            self.changed.emit()
            return
        if wanted == self._wanted:
            return
        other = wanted is None or self._wanted is None or wanted.model != self._wanted.model
        self._wanted = wanted
        if other:
            self.found = Found(inputs=self._known_inputs(wanted))
        if wanted is not None:
            self.preprocess = wanted.preprocess
            self._start(wanted)
        else:
            self.busy = ""
        self.changed.emit()

    def _describe(self) -> Wanted | None:
        subject, config = self._session.subject, self._session.config
        if subject is None:
            return None
        preprocess = config.preprocessing(subject.preprocess) or Preprocess()
        return Wanted(subject.model, subject.data, preprocess, config.number("calibration.samples"))

    def _known_inputs(self, wanted: Wanted | None) -> tuple[InputSpec, ...]:
        if wanted is None:
            return ()
        return wanted.model.inputs or self._inputs.get(wanted.model.sha256, ())

    def _start(self, wanted: Wanted) -> None:
        if self._task is not None:
            return  # what arrives will be found old, and the newest wish is taken up then
        subject = self._session.subject
        inputs = self._known_inputs(wanted)
        if subject is None or (not inputs and self._session.job is not None):
            self.busy = ""
            return
        self.busy = self.tr("Opening the data …") if inputs else self.tr("Looking into the model …")
        listener = Listener(started=self._looking.append)

        def work() -> Found:
            return _find(wanted, inputs, lambda: self._look(subject, _config_for(subject), listener))

        self._task = tasks.run(
            work, lambda found: self._arrived(wanted, found), lambda error: self._failed(wanted, error), self
        )

    def _arrived(self, wanted: Wanted, found: Found) -> None:
        self._task = None
        self._looking.clear()
        if found.inputs:
            self._inputs[wanted.model.sha256] = found.inputs
        if wanted != self._wanted:
            if self._wanted is not None:
                self._start(self._wanted)
            self.changed.emit()
            return
        if not found.inputs and self._session.job is not None:
            found.fault = None  # not a fault of the model: a measurement has taken precedence
        self.found, self.busy = found, ""
        self.changed.emit()

    def _failed(self, wanted: Wanted, error: Exception) -> None:
        self._arrived(wanted, Found(fault=UserError(self.tr("The data could not be opened."), str(error))))
        self._session.broke.emit(tasks.in_words(error))

    def _stop_looking(self) -> None:
        """A worker that only looks must not run beside one that is timed, nor outlive the window."""
        for worker in list(self._looking):
            worker.cancel()

    def _look_again(self) -> None:
        if self._wanted is not None and not self._known_inputs(self._wanted):
            self._start(self._wanted)
            self.changed.emit()


def look_with_worker(subject: Subject, config: Config, listener: Listener) -> Sequence[InputSpec]:
    """Ask a worker process for the inputs of *subject*'s model.

    Raises:
        UserError: the model cannot be loaded, with what to change.
    """
    return Runner().inspect(subject, config, listener).inputs


def _config_for(subject: Subject) -> Config:
    return Config({"engine": "onnxruntime"} if subject.model.format == "onnx" else {})


def _find(wanted: Wanted, inputs: Sequence[InputSpec], look: Callable[[], Sequence[InputSpec]]) -> Found:
    """Find out everything; runs in a thread."""
    found = Found(inputs=tuple(inputs))
    try:
        if not found.inputs:
            found.inputs = tuple(look())
        if wanted.source is not None:
            triples: list[Triple] = [(spec.name, spec.shape, spec.dtype) for spec in found.inputs]
            found.data = open_data(wanted.source, wanted.preprocess, triples, wanted.samples)
    except UserError as error:
        found.fault = error
    return found

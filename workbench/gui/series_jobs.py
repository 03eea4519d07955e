"""Jobs of several trials: a comparison of two configs side by side, the ladder, and the sweep of a knob."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from workbench.core.config import Config
from workbench.core.knobs import BY_KEY, Value
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui.job import Job
from workbench.gui.knob_words import shown, title
from workbench.gui.ladder_words import rung_in_words
from workbench.study import compare as comparing
from workbench.study import ladder as ladders
from workbench.study import sweep as sweeping
from workbench.study.ladder import Rung, Step
from workbench.study.runner import Listener, Runner, Subject
from workbench.study.store import Store
from workbench.worker.warm import WarmPool

RUNS = 100
"""Kept runs of each trial, as the command line takes them."""
RUNG_SECONDS = 3.0
"""Most time for the kept runs of a rung; the naive way can be slow."""


class _Series(Job):
    """Forks its workers from warm parents where that is possible."""

    def __init__(
        self,
        runner: Runner,
        store: Store,
        subject: Subject,
        config: Config,
        *,
        runs: int = RUNS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(config, runs=runs, parent=parent)
        self.runner = runner
        self.store = store
        self.subject = subject
        self._pool = WarmPool()

    def work(self, listener: Listener) -> None:
        """Measure one trial after the other."""
        before, self.runner.pool = self.runner.pool, self._pool
        try:
            with self._pool:
                self.measure_all(listener)
        finally:
            self.runner.pool = before

    def measure_all(self, listener: Listener) -> None:
        """Measure; called in the thread of the job."""
        raise NotImplementedError


class Comparing(_Series):
    """Measures two configs in several fresh processes each, in turn.

    Args:
        processes: per side.
    """

    grew = Signal(object, object)  # the trials of A and of B so far

    def __init__(
        self,
        runner: Runner,
        store: Store,
        subject: Subject,
        configs: tuple[Config, Config],
        *,
        processes: int,
        runs: int = RUNS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(runner, store, subject, configs[0], runs=runs, parent=parent)
        self.processes = processes
        self._configs = configs
        self._by_side: dict[str, list[Trial]] = {"A": [], "B": []}
        self._side = ""

    def measure_all(self, listener: Listener) -> None:
        """Measure both sides; tell what each process adds."""
        keep = listener.measured

        def measured(trial: Trial) -> None:
            if trial.status == "ok":
                self._by_side[self._side].append(trial)
            keep(trial)
            self.grew.emit(tuple(self._by_side["A"]), tuple(self._by_side["B"]))

        listener.measured = measured
        found = comparing.compare(
            self.runner, self.store, self.subject, *self._configs,
            processes=self.processes, runs=self.runs, listener=listener, on_process=self._on_process,
        )  # fmt: skip
        if isinstance(found, Trial):
            raise UserError(
                self.tr("The comparison ended with trial {0}, which is {1}.").format(found.id or "", found.status),
                found.reason,
                self.tr("Run that side alone to see more."),
            )

    def _on_process(self, number: int, total: int, side: str) -> None:
        self._side = side
        self.part = self.tr("{0}, process {1} of {2}").format(side, number, total)


class Climbing(_Series):
    """Climbs the ladder.

    Args:
        base: knobs that hold for all rungs.
        rungs: some of them; all by default.
    """

    reached = Signal(str)  # name of the rung that comes next
    climbed = Signal(object)  # Step
    drifted = Signal(object)  # Drift, once the first rung was measured again

    def __init__(
        self,
        runner: Runner,
        store: Store,
        subject: Subject,
        base: Config,
        *,
        rungs: Sequence[Rung] | None = None,
        runs: int = RUNS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(runner, store, subject, base, runs=runs, parent=parent)
        self._base = base
        self._rungs = rungs

    def measure_all(self, listener: Listener) -> None:
        """Measure rung by rung."""
        found = ladders.climb(
            self.runner, self.store, self.subject, self._base,
            runs=self.runs, seconds=RUNG_SECONDS, rungs=self._rungs, again=self._rungs is None, listener=listener,
            on_step=self._on_step, on_done=self._on_done, on_again=self._on_again,
        )  # fmt: skip
        if found.drift is not None:
            self.drifted.emit(found.drift)

    def _on_step(self, number: int, rung: Rung) -> None:
        self.part = self.tr("rung {0}, {1}").format(number + 1, rung_in_words(rung.name))
        self.reached.emit(rung.name)

    def _on_again(self) -> None:
        self.part = self.tr("the first rung again")

    def _on_done(self, step: Step) -> None:
        # Whatever stopped a rung that was cancelled says nothing about the rung.
        self.end_if_cancelled()
        self.climbed.emit(step)


class Sweeping(_Series):
    """Measures the values of one knob against the config as it is.

    Args:
        base: the config.
        key: of the knob.
        values: of it.
        processes: per value.
    """

    swept = Signal(object)  # Sweep, whenever there is more to it

    def __init__(
        self,
        runner: Runner,
        store: Store,
        subject: Subject,
        base: Config,
        key: str,
        values: Sequence[Value],
        *,
        processes: int,
        runs: int = sweeping.RUNS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(runner, store, subject, base, runs=runs, parent=parent)
        self.processes = processes
        self._base = base
        self._key = key
        self._values = list(values)

    def measure_all(self, listener: Listener) -> None:
        """Measure round by round."""
        found = sweeping.sweep(
            self.runner, self.store, self.subject, self._base, self._key, self._values,
            processes=self.processes, runs=self.runs, listener=listener,
            on_process=self._on_process, on_change=self._on_change,
        )  # fmt: skip
        if not found.baseline.trials:
            raise UserError(
                self.tr("Nothing can be compared: the knobs as they are cannot be measured."),
                found.baseline.reason,
                self.tr("Run them alone to see more."),
            )

    def _on_process(self, number: int, total: int, value: Value) -> None:
        name = shown(BY_KEY[self._key], value)
        self.part = self.tr("{0}: {1}, process {2} of {3}").format(title(self._key), name, number, total)

    def _on_change(self, found: sweeping.Sweep) -> None:
        # Whatever stopped a value that was cancelled says nothing about the value.
        self.end_if_cancelled()
        self.swept.emit(found)

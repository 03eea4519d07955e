"""What the compare panel shows, read in the background: samples of both sides, verdict, what differs.

Without any Qt, so that it may run in any thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workbench.core.config import Config
from workbench.core.latency import join, percentile
from workbench.core.layer_differences import LayerDifference, layer_differences
from workbench.core.trial import Trial
from workbench.gui.live_samples import LiveSamples
from workbench.study.compare import Comparison, differences, judge
from workbench.study.store import Store, bursts_of

_MS = 1e-6


@dataclass(frozen=True)
class SideRead:
    """One side as it was measured.

    Attributes:
        trials: one per process; empty where the side has not been measured.
        samples: kept runs of all processes.
        medians_ms: of each process.
    """

    trials: Sequence[Trial] = ()
    samples: LiveSamples = field(default_factory=LiveSamples)
    medians_ms: Sequence[float] = ()

    @property
    def first(self) -> Trial | None:
        """The trial that carries the side's accuracy, kernels and memory."""
        return self.trials[0] if self.trials else None


@dataclass(frozen=True)
class Compared:
    """Both sides.

    Attributes:
        found: verdict and interval; None where a side has no samples.
        differs: knob, layer, fix or key of preprocessing → its value on either side.
        layers: where other kernels ran, or took another time.
    """

    a: SideRead
    b: SideRead
    found: Comparison | None
    differs: dict[str, tuple[Any, Any]]
    layers: list[LayerDifference]


def read(store: Store, configs: tuple[Config, Config], trials: tuple[Sequence[Trial], Sequence[Trial]]) -> Compared:
    """Read and compare both sides.

    Raises:
        UserError: the study cannot be read.
    """
    bursts = [[bursts_of(store.samples(trial.id)) for trial in side if trial.id is not None] for side in trials]
    sides = [
        SideRead(side, _pooled(processes), [percentile(join(each), 50) * _MS for each in processes if each])
        for side, processes in zip(trials, bursts, strict=True)
    ]
    measured = all(processes and all(processes) for processes in bursts)
    found = judge((list(trials[0]), bursts[0]), (list(trials[1]), bursts[1])) if measured else None
    first, second = (side.first for side in sides)
    return Compared(
        a=sides[0],
        b=sides[1],
        found=found,
        differs=differences(*configs),
        layers=layer_differences(first, second) if first is not None and second is not None else [],
    )


def _pooled(processes: Sequence[Sequence[np.ndarray]]) -> LiveSamples:
    samples = LiveSamples()
    samples.add(join([burst for bursts in processes for burst in bursts]))
    return samples

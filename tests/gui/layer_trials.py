"""Trials with layers, ranges and errors that were written down by hand, for the panels that show them."""

from __future__ import annotations

from typing import Any

import numpy as np
from fake_trials import FakeRunnerScript, accuracy_of, proof, session_with, trial
from hand_made import RELU, layer

from workbench.core.config import Config
from workbench.core.distribution import Collector, Distribution
from workbench.core.layer_table import layer_table
from workbench.core.trial import Kernel, Layer, LayerError, LayerErrors, TensorRange, Trial
from workbench.gui.session import Session
from workbench.study.runner import resolve

ITEMS = [f"{n}.png" for n in range(10)]
BROKEN = ("conv1", "conv2")
"""Convolutions whose outputs held nothing but zeros."""


def chain(count: int = 4) -> list[Layer]:
    """conv → relu, so many times, and a linear layer at the end."""
    layers, source = [], "input:image"
    for n in range(1, count + 1):
        layers += [layer(f"conv{n}", "conv2d", source), layer(f"relu{n}", "relu", f"conv{n}:out", clamp=RELU)]
        source = f"relu{n}:out"
    return [*layers, layer("fc", "linear", source)]


def int8(**knobs: Any) -> Config:
    """A config as a runner has settled it."""
    return resolve(Config({"precision": "int8", "target_isa": "avx2", **knobs}))


def seen(*values: float) -> Distribution:
    collector = Collector()
    collector.add(np.asarray(values, np.float32))
    return collector.result()


def layered(
    config: Config | None = None, layers: list[Layer] | None = None, errors: bool = True, **changes: Any
) -> Trial:
    """A trial in INT8 whose convolutions each run as one kernel with their ReLU."""
    layers = chain() if layers is None else layers
    compute = [one.name for one in layers if one.kind]
    kernels = [
        Kernel(layer=name, op="convolution", kernel="brgconv", dtype="int8", ms=0.1 * n)
        for n, name in enumerate(compute, 1)
    ]
    tensors = [
        TensorRange(tensor=f"{one.name}:out", min=0.0, max=2.55 * n, scale=0.01 * n, zero_point=0)
        for n, one in enumerate(layers, 1)
        if one.op == "relu"
    ]
    scan = [
        LayerError(layer=name, tensor=f"{name}:out", own_db=40.0, accumulated_db=30.0, only_db=50.0 - 5 * n)
        for n, name in enumerate(compute)
    ]
    fields: dict[str, Any] = {
        "layers": layers, "tensors": tensors, "proof": proof(len(kernels), len(kernels), kernels=kernels),
        "errors": LayerErrors(samples=4, all_db=32.0, layers=scan) if errors else None,
        "accuracy": accuracy_of(ITEMS, good=3), **changes,
    }  # fmt: skip
    return trial(config or int8(), **fields)


def zeros(*convs: str) -> dict[str, Distribution]:
    """What calibration saw where some convolutions gave nothing but zeros."""
    return {f"relu{name.removeprefix('conv')}:out": seen(0.0, 0.0) for name in convs}


class LayerScript(FakeRunnerScript):
    """Measures trials with layers; they get better once *mends* is in the config."""

    def __init__(self) -> None:
        super().__init__()
        self.mended: dict[str, Any] = {"accuracy": accuracy_of(ITEMS, good=10)}
        self.plain: dict[str, Any] = {}

    def result(self, config, taken, deadline_ms):
        return layered(config, **(self.mended if config.layers or config.fixes else self.plain))


def layered_session(folder: Any, script: FakeRunnerScript | None = None, first: Trial | None = None) -> Session:
    """A session with one measured trial in INT8, whose config is the present one."""
    session = session_with(folder, script or LayerScript())
    first = layered() if first is None else first
    session.apply_config(Config.from_dict(first.config))
    session.trials.append(first)
    session.trials_changed.emit()
    session.job_started.connect(lambda job: job.burst.connect(lambda _: job.painted()))
    return session


def show(session: Session, shown: Trial, distributions: dict[str, Distribution] | None = None) -> None:
    """Select a trial and have its layers read at once, with what calibration saw of it."""
    session.select(shown)
    reading = session.layers
    if reading._task is not None:
        reading._task.cancel()
    reading._show(layer_table(shown, distributions or {}), distributions or {})

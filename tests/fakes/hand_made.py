"""Layers written down by hand, and distributions with the extremes that a test wants."""

from __future__ import annotations

import numpy as np

from workbench.core.distribution import Collector, Distribution
from workbench.core.trial import Layer

RELU = (0.0, None)
RELU6 = (0.0, 6.0)


def layer(name: str, op: str, *inputs: str, clamp=None) -> Layer:
    kind = "conv" if op.startswith("conv") else "matmul" if op == "linear" else ""
    return Layer(name=name, op=op, kind=kind, inputs=list(inputs), clamp=clamp)


def residual() -> list[Layer]:
    """conv → bn → relu → conv → bn → + relu:out → relu → max-pool → flatten → linear."""
    return [
        layer("conv1", "conv2d", "input:image"),
        layer("bn1", "batchnorm2d", "conv1:out"),
        layer("relu", "relu", "bn1:out", clamp=RELU),
        layer("conv2", "conv2d", "relu:out"),
        layer("bn2", "batchnorm2d", "conv2:out"),
        layer("add", "add", "bn2:out", "relu:out"),
        layer("relu#2", "relu", "add:out", clamp=RELU),
        layer("pool", "maxpool2d", "relu#2:out"),
        layer("flatten", "flatten", "pool:out"),
        layer("fc", "linear", "flatten:out"),
    ]


def clipped() -> list[Layer]:
    """conv → max-pool, whose output goes to a ReLU6 and to a convolution that takes all of it."""
    return [
        layer("conv", "conv2d", "input:image"),
        layer("pool", "maxpool2d", "conv:out"),
        layer("relu6", "relu6", "pool:out", clamp=RELU6),
        layer("other", "conv2d", "pool:out"),
        layer("cat", "cat", "relu6:out", "other:out"),
    ]


def seen(low: float, high: float, *, samples: int = 1) -> Distribution:
    """Values spread evenly over a range, the same in every sample."""
    collector = Collector()
    for _ in range(samples):
        collector.add(np.linspace(low, high, 101, dtype=np.float32))
    return collector.result()

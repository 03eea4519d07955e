"""INT8 trials with layers, scales, errors, weights and kept distributions, made without an engine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from hand_made import RELU, layer, residual

from workbench.core import calibration
from workbench.core.config import Config
from workbench.core.dataflow import Dataflow
from workbench.core.distribution import Collector, Distribution
from workbench.core.ranges import Ranges
from workbench.core.scales import Scheme, range_of, scale_of
from workbench.core.trial import (
    Kernel,
    Layer,
    LayerError,
    LayerErrors,
    ModelFacts,
    Proof,
    TensorRange,
    Trial,
    WeightFacts,
)

FUSED = ("input:image", "relu:out", "bn2:out", "relu#2:out", "flatten:out", "fc:out")
"""What an engine that fuses convolution and ReLU quantizes in the residual block."""


def chain(count: int) -> list[Layer]:
    """Convolutions each with a batch norm and a ReLU: *count* layers."""
    layers, tensor = [], "input:image"
    for number in range(count):
        kind = number % 3
        name = f"blocks.{number // 3}.{('conv', 'bn', 'relu')[kind]}"
        layers.append(layer(name, ("conv2d", "batchnorm2d", "relu")[kind], tensor, clamp=RELU if kind == 2 else None))
        tensor = f"{name}:out"
    return layers


def fused_in(layers: Sequence[Layer]) -> list[str]:
    """Return what an engine that fuses convolution, batch norm and ReLU quantizes in a chain."""
    return ["input:image", *(f"{one.name}:out" for one in layers if one.op == "relu")]


def distributions(layers: Sequence[Layer], seed: int = 1, size: int = 4000) -> dict[str, Distribution]:
    """Normal values, from zero up behind a ReLU; one in ten has outliers."""
    rng, found = np.random.default_rng(seed), {}
    for number, tensor in enumerate(Dataflow(layers).tensors):
        producer = next((one for one in layers if f"{one.name}:out" == tensor), None)
        collector = Collector()
        for _ in range(2):
            values = rng.normal(size=size) * rng.uniform(0.5, 4)
            if number % 10 == 3:
                values[:4] *= 40
            lower, upper = (producer.clamp if producer else None) or (None, None)
            collector.add(
                np.clip(values, lower, upper).astype(np.float32) if (lower, upper) != (None, None) else values
            )
        found[tensor] = collector.result()
    return found


def int8_trial(
    folder: Path | None,
    layers: Sequence[Layer] | None = None,
    quantized: Sequence[str] = FUSED,
    config: Config | None = None,
    seen: dict[str, Distribution] | None = None,
    **changes: object,
) -> Trial:
    """A trial of *config* as a fusing engine would leave it, fixes obeyed; distributions are kept in *folder*."""
    layers = list(residual() if layers is None else layers)
    config = config or Config({"precision": "int8"})
    seen = distributions(layers) if seen is None else seen
    ranges = Ranges(seen, Dataflow(layers), config, Scheme())
    ranges.place([[name] for name in quantized])
    tensors = []
    for name in quantized:
        low, high, _ = ranges.of([name])
        scale, zero_point = scale_of(low, high, Scheme())
        bottom, top = range_of(scale, zero_point, Scheme())
        tensors.append(TensorRange(tensor=name, min=bottom, max=top, scale=scale, zero_point=zero_point))
    heavy = [one for one in layers if one.kind]
    kernels = [
        Kernel(layer=one.name, op="convolution", kernel="brg_conv_fwd:avx512_core_vnni", dtype="int8", ms=0.1 + i / 100)
        for i, one in enumerate(heavy)
    ]
    errors = [
        LayerError(layer=one.name, tensor=f"{one.name}:out", own_db=40.0 - i % 30, accumulated_db=30.0 - i % 25,
                   only_db=35.0 - i % 20, rest_db=20.0 + i % 10)
        for i, one in enumerate(heavy)
    ]  # fmt: skip
    rng = np.random.default_rng(7)
    weights = [
        WeightFacts(layer=one.name, low=(-rng.uniform(0, 1, 16)).tolist(), high=rng.uniform(0, 1, 16).tolist())
        for one in heavy
    ]
    place = None
    if folder is not None:
        place = folder / "calibration.msgpack"
        calibration.save(place, seen)
    fields: dict[str, object] = {
        "status": "ok", "created": "2026-03-04T05:06:07+00:00",
        "model": ModelFacts(path="/m.pt", format="torchscript", sha256="ab" * 32, name="m"),
        "config": config.to_dict(), "layers": layers, "tensors": tensors, "fixes": ranges.states(tensors),
        "calibration": str(place) if place else None,
        "proof": Proof(int8_kernels=len(heavy), bf16_kernels=0, fp32_kernels=0, reference_kernels=0,
                       expected_int8=len(heavy), kernels=kernels),
        "errors": LayerErrors(samples=4, all_db=18.0, layers=errors), "weights": weights,
    }  # fmt: skip
    return Trial(**{**fields, **changes})  # type: ignore[arg-type]

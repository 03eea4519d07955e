"""Filled-in records for tests of whoever passes them on: every field differs from its default."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.core.accuracy import AccuracyMeter
from workbench.core.latency import summarize
from workbench.core.trial import (
    DataFacts,
    Effective,
    Exported,
    FixState,
    Kernel,
    Layer,
    Memory,
    ModelFacts,
    Proof,
    Samples,
    TensorRange,
    Trial,
)


def accuracy():
    meter = AccuracyMeter()
    meter.add("a.png", [("scores", np.array([[1.0, 2.0]]))], [("scores", np.array([[1.0, 2.1]]))], label=1)
    meter.add("b.png", [("scores", np.array([[3.0, 2.0]]))], [("scores", np.array([[3.1, 2.0]]))], label=1)
    return meter.result()


def effective(**changes: Any) -> Effective:
    fields: dict[str, Any] = {
        "threads": 2, "interop_threads": 1, "affinity": [0, 1], "openmp": ["gomp"], "allocator": ["system"],
        "engine_version": "2.8", "torch_version": "2.8", "python": "3.11.2", "isa": "AVX2", "grad": True,
        "quantized_engine": "onednn", "input_alignment": 64, "input_strides": [4, 1],
        "environment": {"OMP_NUM_THREADS": "2"}, "packages": {"numpy": "2.0"},
    }  # fmt: skip
    return Effective(**{**fields, **changes})


def kernel(
    layer: str = "conv", dtype: str = "int8", name: str = "jit:avx2", op: str = "conv2d", compute: bool = True
) -> Kernel:
    return Kernel(layer=layer, op=op, kernel=name, dtype=dtype, ms=0.125, compute=compute)


def proof(**changes: Any) -> Proof:
    fields: dict[str, Any] = {
        "int8_kernels": 1, "bf16_kernels": 0, "fp32_kernels": 1, "reference_kernels": 1, "expected_int8": 2,
        "kernels": [kernel(), kernel("unmapped", "fp32")], "missing": ["fc"], "kept": {"lstm": "why"}, "notes": ["n"],
    }  # fmt: skip
    return Proof(**{**fields, **changes})


def layer(name: str = "conv") -> Layer:
    return Layer(
        name=name, op="conv2d", kind="conv", facts={"ic": 3, "oh": 8}, macs=10, parameters=9, output_shape=[1, 3, 8, 8]
    )


MEMORY = Memory(peak_rss_mb=100.5, build_peak_rss_mb=120.0, model_mb=None)
TENSOR = TensorRange(tensor="conv:out", min=-1.5, max=2.0, scale=0.0137, zero_point=109)
EXPORTED = Exported(path="/m.onnx", golden="/m.npz", layers=[layer()], rewritten={"graph.fold_padding": ["conv"]})
FIX = FixState(tensor="relu:out", state="applied", scale=0.01, zero_point=0)
DATA = DataFacts(
    path="/data", calibration=["a.png"], evaluation=["b.png"], rejected={"c.png": "it is empty"}, modes={"rgb": 2},
    preprocess={"size": 8},
)  # fmt: skip


def samples() -> Samples:
    """Raw samples whose every byte matters."""
    numbers = np.random.default_rng(5).integers(1, 2**62, 40)
    return Samples(
        warmup=numbers[:7].tobytes(),
        bursts=[numbers[7:20].tobytes(), numbers[20:30].tobytes(), b""],
        after_gap=numbers[30:].tobytes(),
    )


def trial(**changes: Any) -> Trial:
    """A trial with something in every field."""
    fields: dict[str, Any] = {
        "status": "invalid", "reason": "because", "warnings": ["w"], "library_warnings": ["l"],
        "created": "2025-01-02T03:04:05+00:00",
        "model": ModelFacts(path="/m.pt", format="torchscript", sha256="ab" * 32, name="m.pt"),
        "config": {"engine": "torch", "precision": "int8", "runtime": {"threads": 2}, "preprocess": {"size": [8, 8]}},
        "latency": summarize([np.arange(1, 150) * 1000], np.arange(5), np.array([9000]), 0.1),
        "throughput_per_s": 12.5, "memory": MEMORY, "accuracy": accuracy(), "effective": effective(), "proof": proof(),
        "fixes": [FIX], "tensors": [TENSOR], "layers": [layer()], "data": DATA, "phases_s": {"loading": 0.5},
        "host": {"cpu": {"model": "x"}}, "noise": {"load": 0.5},
    }  # fmt: skip
    return Trial(**{**fields, **changes})

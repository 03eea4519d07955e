"""A bundle's manifest as another machine wrote it; there is nothing to run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from workbench.core.latency import summarize

XEON = {
    "model": "Intel(R) Xeon(R) CPU E3-1505M v5", "vendor": "GenuineIntel", "isa": ["sse4_1", "sse4_2", "avx", "avx2"],
    "int8_level": "avx2", "physical_cores": 4, "logical_cpus": 8,
}  # fmt: skip
COPPER = {**XEON, "model": "Xeon Gold 6230", "isa": [*XEON["isa"], "avx512", "avx512_vnni"], "physical_cores": 20}


def manifest(cpu: dict[str, Any] = XEON, **changes: Any) -> dict[str, Any]:
    """What ``manifest.json`` holds, as far as it is looked at from outside."""
    latency = summarize([np.full(100, 4_000_000) + np.arange(100) * 1000], [], [])
    return {
        "name": "digits-cnn", "engine": "onnxruntime", "precision": "int8", "made": "2026-01-02T03:04:05+00:00",
        "made_with": "inference-workbench 0.1", "files": {}, "targets": {}, "model": {"model": "model.onnx"},
        "python": "3.9.1",
        "versions": {"numpy": np.__version__, "onnxruntime": "0.0.1"}, "range": "reduced", "isa_floor": "avx2",
        "int8_kernels": 5, "runtime": {"threads": 4},
        "measured": {"latency": msgspec.to_builtins(latency), "accuracy": {"cosine_mean": 0.9876}},
        "tuned_on": {"cpu": cpu, "usable_cpus": [0, 1, 2, 3], "memory_mb": 8192, "os": "Windows 10", "glibc": None},
        **changes,
    }  # fmt: skip


def write(folder: Path, **changes: Any) -> Path:
    """Make the folder with a manifest in it."""
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps(manifest(**changes)), "utf-8")
    return folder

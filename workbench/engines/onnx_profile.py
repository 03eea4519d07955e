"""Reads what ONNX Runtime's profiler wrote: which kernel ran for which node, on what, and for how long."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from workbench.engines import kernels, onnx_graph


def last_run(profile: Path, runs: int, sites: Mapping[str, str]) -> list[kernels.Record]:
    """Return the kernels of the last of *runs* equal runs, in the order of execution.

    Args:
        sites: the layer of a kernel, by the name of its node or of the value that leaves it.
    """
    events = json.loads(profile.read_text(encoding="utf-8"))
    nodes = [event for event in events if event.get("cat") == "Node" and event["name"].endswith("_kernel_time")]
    return [_record(event, sites) for event in nodes[len(nodes) * (runs - 1) // runs :]]


def _record(event: dict[str, Any], sites: Mapping[str, str]) -> kernels.Record:
    arguments = event["args"]
    op = arguments["op_name"]
    kind = onnx_graph.KINDS.get(op, "")
    shapes = [(dtype, shape) for entry in arguments.get("input_type_shape", ()) for dtype, shape in entry.items()]
    outputs = [shape for entry in arguments.get("output_type_shape", ()) for shape in entry.values()]
    facts: dict[str, int] = {}
    if kind and outputs:
        facts["outputs"] = int(np.prod(outputs[0]))
    if kind == "matmul" and shapes and shapes[0][1] and op != "FusedMatMul":  # that one may transpose
        facts["k"] = shapes[0][1][-1]
    quantized = op.startswith(("QLinear", "QGemm", "Dynamic")) or "Integer" in op
    first = shapes[0][0] if shapes else ""
    dtype = "int8" if quantized else {"float": "fp32", "uint8": "int8", "int8": "int8"}.get(first, first)
    # The runtime adds to the name of a node or value as it rewrites the graph.
    name = re.sub(r"(_nchwc|_token_\d+)*_kernel_time$", "", event["name"])
    return kernels.Record(kind, op, op, dtype, event["dur"] / 1000, facts, sites.get(name, ""))

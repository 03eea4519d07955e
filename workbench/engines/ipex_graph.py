"""What IPEX put into the graph, read back from the frozen module before its kernels are fused.

A qconf says what was asked for, the graph what was done: some scales of a qconf have no place in it. The
graph carries no module names, so operations meet call sites by kind and by order of execution. Used by the
``ipex`` engine.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any

import torch

from workbench.core.dataflow import Dataflow
from workbench.core.scales import Scheme, range_of
from workbench.core.trial import TensorRange
from workbench.engines.base import Weight
from workbench.engines.torch_emulate import weight_facts

_CARRIES = ("aten::alias", "aten::dequantize", "aten::quantize_per_tensor", "aten::contiguous", "aten::to")
_ALIKE = {"relu6": "hardtanh", "clip": "clamp", "convolution": "conv", "concat": "cat", "concatenate": "cat"}


def scales(frozen: torch.jit.ScriptModule, flow: Dataflow, inputs: Sequence[str]) -> dict[str, tuple[float, int]]:
    """Return scale and zero point of every activation that the graph quantizes, by canonical name.

    Args:
        inputs: names of the model's inputs, in order.
    """
    names = _names(frozen, flow, inputs)
    found: dict[str, tuple[float, int]] = {}
    for node in frozen.graph.nodes():
        if node.kind() == "aten::quantize_per_tensor":
            source, scale, zero_point, *_ = node.inputs()
            origin = _origin(source)
            if name := names.get(origin.debugName()):
                step: Any = scale.toIValue()
                zero: Any = zero_point.toIValue()
                found.setdefault(name, (float(step), int(zero)))
    return found


def tensor_ranges(found: dict[str, tuple[float, int]], flow: Dataflow, scheme: Scheme) -> list[TensorRange]:
    """Return records of :func:`scales` in the order of execution."""
    records = []
    for tensor in flow.tensors:
        if tensor in found:
            scale, zero_point = found[tensor]
            low, high = range_of(scale, zero_point, scheme)
            records.append(TensorRange(tensor=tensor, min=low, max=high, scale=scale, zero_point=zero_point))
    return records


def weights(frozen: torch.jit.ScriptModule, flow: Dataflow) -> dict[str, Weight]:
    """Return the quantized weights that the graph holds, by layer."""
    waiting = _waiting(flow)
    found: dict[str, Weight] = {}
    for node in frozen.graph.nodes():
        kind = _kind(node.kind().partition("::")[2])
        if kind not in ("conv", "linear") or not waiting.get(kind):
            continue
        name = waiting[kind].popleft()
        source, bias = (_constant(value) for value in list(node.inputs())[1:3])
        if source is not None and source.is_quantized:
            found[name] = weight_facts(source, bias)
    return found


def _constant(value: Any) -> torch.Tensor | None:
    origin = _origin(value)
    constant = origin.toIValue() if origin.node().kind() == "prim::Constant" else None
    return constant if isinstance(constant, torch.Tensor) else None


def _waiting(flow: Dataflow) -> dict[str, deque[str]]:
    """Return the call sites of each kind in the order of execution."""
    waiting: dict[str, deque[str]] = defaultdict(deque)
    for layer in flow.layers.values():
        waiting[_kind("conv" if layer.kind == "conv" else layer.op)].append(layer.name)
    return waiting


def _names(frozen: torch.jit.ScriptModule, flow: Dataflow, inputs: Sequence[str]) -> dict[str, str]:
    """Map the graph's values to canonical tensors: the k-th ReLU of the graph is the k-th of the model."""
    waiting = _waiting(flow)
    names: dict[str, str] = {}
    given = [value for value in frozen.graph.inputs() if not value.debugName().startswith("self")]
    names.update({value.debugName(): f"input:{name}" for value, name in zip(given, inputs, strict=False)})
    for node in frozen.graph.nodes():
        kind = _kind(node.kind().partition("::")[2])
        if node.kind() not in _CARRIES and waiting.get(kind):
            name = flow.folded(f"{waiting[kind].popleft()}:out")
            names.update({output.debugName(): name for output in node.outputs()})
    return names


def _kind(op: str) -> str:
    plain = op.strip("_").replace("_", "")
    for mark in ("1d", "2d", "3d"):
        plain = plain.removesuffix(mark)
    return _ALIKE.get(plain, plain)


def _origin(value: Any) -> Any:
    while value.node().kind() in _CARRIES:
        value = next(value.node().inputs())
    return value

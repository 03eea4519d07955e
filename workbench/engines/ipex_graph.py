"""What IPEX put into the graph, read back from the frozen module before its kernels are fused.

A qconf says what was asked for, the graph what was done: some scales of a qconf have no place in it. The
graph carries no module names, so operations meet call sites by what flows into them. Used by the ``ipex``
engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from workbench.core.dataflow import Dataflow
from workbench.core.scales import Scheme, range_of
from workbench.core.trial import TensorRange
from workbench.engines.base import Weight
from workbench.engines.follow import Follower
from workbench.engines.torch_emulate import weight_facts

_CARRIES = (
    "aten::alias", "aten::dequantize", "aten::quantize_per_tensor", "aten::contiguous", "aten::to", "aten::detach",
    "aten::slice", "aten::select", "prim::ListUnpack", "prim::TupleUnpack",
)  # fmt: skip


def scales(graph: torch._C.Graph, flow: Dataflow, inputs: Sequence[str]) -> dict[str, tuple[float, int]]:
    """Return scale and zero point of every activation that the graph quantizes, by canonical name.

    Args:
        inputs: names of the model's inputs, in order.
    """
    names = _names(graph, flow, inputs)
    found: dict[str, tuple[float, int]] = {}
    for node in graph.nodes():
        if node.kind() == "aten::quantize_per_tensor":
            source, scale, zero_point, *_ = node.inputs()
            if name := names.get(source.debugName()):
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


def weights(graph: torch._C.Graph, flow: Dataflow, inputs: Sequence[str]) -> dict[str, Weight]:
    """Return the quantized weights that the graph holds, by layer; *inputs* as for :func:`scales`."""
    sites: dict[str, str] = {}
    _names(graph, flow, inputs, sites)
    found: dict[str, Weight] = {}
    for node in graph.nodes():
        outputs, values = list(node.outputs()), list(node.inputs())
        layer = sites.get(outputs[0].debugName()) if len(outputs) == 1 else None
        if layer and flow.layers[layer].kind and len(values) > 2:
            weight, bias = (_constant(value) for value in values[1:3])
            if weight is not None and weight.is_quantized:
                found[layer] = weight_facts(weight, bias)
    return found


def _constant(value: Any) -> torch.Tensor | None:
    while value.node().kind() in _CARRIES:
        value = next(value.node().inputs())
    constant = value.toIValue() if value.node().kind() == "prim::Constant" else None
    return constant if isinstance(constant, torch.Tensor) else None


def _names(
    graph: torch._C.Graph, flow: Dataflow, inputs: Sequence[str], sites: dict[str, str] | None = None
) -> dict[str, str]:
    """Map the graph's values to canonical tensors; *sites* takes the layer of each operation's first output."""
    follower = Follower(flow)
    given = [value for value in graph.inputs() if not value.debugName().startswith("self")]
    names = {value.debugName(): f"input:{name}" for value, name in zip(given, inputs, strict=False)}
    lists: dict[str, list[str]] = {}
    for node in graph.nodes():
        arriving: list[str] = []
        for value in node.inputs():
            own = value.debugName()
            arriving += lists.get(own, [names[own]] if own in names else [])
        if not arriving:
            continue
        if node.kind() == "prim::ListConstruct":
            lists[node.output().debugName()] = arriving
            continue
        carries = node.kind() in _CARRIES
        layer = None if carries else follower.meet(node.kind().partition("::")[2], arriving)
        if layer or carries:
            tensor = flow.trunk(f"{layer.name}:out") if layer else arriving[0]
            names.update({output.debugName(): tensor for output in node.outputs()})
            if layer and sites is not None:
                sites.update({output.debugName(): layer.name for output in node.outputs()})
    return names

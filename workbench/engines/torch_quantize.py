"""Static INT8 through FX graph mode: observers in, ranges out, converted module back.

The observed tensors are named as in the user's model: the producer's call site and ``:out``. Used by
the ``torch`` engine.
"""

from __future__ import annotations

import copy
import warnings
from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import torch
from torch import nn
from torch.ao.quantization import (
    MinMaxObserver,
    PerChannelMinMaxObserver,
    QConfig,
    QConfigMapping,
    get_default_qconfig_mapping,
)
from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx
from torch.fx import GraphModule, Node

from workbench.core.config import Config
from workbench.core.dataflow import Dataflow
from workbench.core.ranges import Ranges
from workbench.core.scales import Scheme, range_of
from workbench.core.trial import TensorRange
from workbench.engines.torch_layers import function_name
from workbench.engines.torch_values import first_line
from workbench.errors import UserError

_KEPT_TYPES: tuple[Any, ...] = (nn.LSTM, nn.GRU, nn.RNN, nn.MultiheadAttention, torch.matmul, torch.bmm)


def activation_observer(scheme: Scheme) -> Any:
    """Return the observer class with arguments for activations.

    The ranges come from :mod:`workbench.core.ranges`; torch's observer only carries them to the conversion.
    """
    return MinMaxObserver.with_args(
        dtype=torch.qint8 if scheme.signed else torch.quint8,
        qscheme=torch.per_tensor_symmetric if scheme.symmetric else torch.per_tensor_affine,
        reduce_range=scheme.bits == 7,
    )


def weight_observer(config: Config, per_channel: bool | None = None) -> Any:
    """Return the observer class with arguments for weights: symmetric signed 8 bit."""
    if config.flag("quantization.per_channel") if per_channel is None else per_channel:
        return PerChannelMinMaxObserver.with_args(dtype=torch.qint8, qscheme=torch.per_channel_symmetric)
    return MinMaxObserver.with_args(dtype=torch.qint8, qscheme=torch.per_tensor_symmetric)


class Prepared:
    """A model with observers, and the names of what they observe."""

    def __init__(self, module: GraphModule, flow: Dataflow, inputs: Sequence[str]) -> None:
        self.module = module
        self._flow = flow
        self._names = _canonical_names(module, flow, inputs)

    def groups(self) -> list[list[str]]:
        """Return the tensors that share a scale, the one that is read back first.

        Observers of several nodes (a max-pool and its input, all that is concatenated) are one module.
        """
        found: dict[int, list[str]] = {}
        for name, observer in self._observers():
            found.setdefault(id(observer), []).append(name)
        return [list(dict.fromkeys(names)) for names in found.values()]

    def use(self, ranges: Ranges) -> None:
        """Give every observer its range.

        Raises:
            NoRange: calibration never reached a tensor, or met values that are not finite.
        """
        observers = dict(self._observers())
        for group in self.groups():
            low, high, _ = ranges.of(group)
            observers[group[0]].min_val = torch.tensor(low)
            observers[group[0]].max_val = torch.tensor(high)

    def _observers(self) -> list[tuple[str, Any]]:
        modules = dict(self.module.named_modules(remove_duplicate=False))
        found = []
        for node in self.module.graph.nodes:
            if node.op == "call_module" and str(node.target).startswith("activation_post_process"):
                observer = modules[str(node.target)]
                if hasattr(observer, "min_val"):  # fixed parameters (sigmoid, softmax) need no range
                    found.append((self._names[node.args[0].name], observer))
        return found

    def convert(self) -> GraphModule:
        """Return the converted module."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return convert_fx(self.module)

    def read_back(self, converted: GraphModule, scheme: Scheme) -> list[TensorRange]:
        """Return the scales of activations as *converted* has them, in the order of execution."""
        modules = dict(converted.named_modules(remove_duplicate=False))
        tensors = dict(self._names)  # modules and what stays in FP32 keep their names in the conversion
        found: dict[str, TensorRange] = {}
        for node in converted.graph.nodes:
            scale, zero_point = None, None
            if node.op == "call_module":
                module = modules[str(node.target)]
                scale, zero_point = getattr(module, "scale", None), getattr(module, "zero_point", None)
            elif node.op == "call_function":
                attributes = [arg for arg in node.args if isinstance(arg, Node) and arg.op == "get_attr"]
                if len(attributes) == 2 and "_scale_" in str(attributes[0].target):
                    scale, zero_point = (getattr(converted, str(arg.target)) for arg in attributes)
                inputs = [tensors.get(arg.name, "") for arg in node.args if isinstance(arg, Node)]
                if node.target is torch.quantize_per_tensor:
                    tensors[node.name] = inputs[0]
                elif scale is not None:
                    tensors[node.name] = self._function_output(str(node.target), inputs[: -len(attributes)])
            tensor = tensors.get(node.name)
            if tensor and scale is not None and zero_point is not None and torch.as_tensor(scale).numel() == 1:
                step, zero = float(scale), int(zero_point)
                low, high = range_of(step, zero, scheme)
                found.setdefault(tensor, TensorRange(tensor=tensor, min=low, max=high, scale=step, zero_point=zero))
        return list(found.values())

    def _function_output(self, operator: str, inputs: Sequence[str]) -> str:
        """Return the tensor that leaves a quantized function such as ``quantized.add_relu``.

        The conversion renames functions, so they are found by their kind and by what comes in.
        """
        op = operator.rpartition(".")[2]
        plain = op.removesuffix("_relu")
        for layer in self._flow.layers.values():
            if layer.op == plain and layer.inputs == inputs:
                return f"{self._flow.group(layer, ('relu',) if plain != op else ())[-1]}:out"
        return ""


def prepare(
    model: nn.Module,
    config: Config,
    *,
    pinned: Collection[str],
    flow: Dataflow,
    inputs: Sequence[str],
    scheme: Scheme,
) -> Prepared:
    """Put observers into a copy of *model*.

    Args:
        pinned: call sites that stay in FP32.
        flow: the model's call sites.
        inputs: names of the model's inputs, in order.
        scheme: how activations are quantized.

    Raises:
        UserError: FX cannot trace the model; names the line that it stopped at.
    """
    backend = config.text("quantization.backend")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of its own range, which the next line replaces
        mapping: QConfigMapping = get_default_qconfig_mapping(backend)
    qconfig = QConfig(activation=activation_observer(scheme), weight=weight_observer(config))
    mapping.set_global(qconfig)
    for kind in (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d):
        per_tensor = QConfig(activation=activation_observer(scheme), weight=weight_observer(config, False))
        mapping.set_object_type(kind, per_tensor)
    for kept in _KEPT_TYPES:
        mapping.set_object_type(kept, None)
    for name in pinned:
        mapping.set_module_name(name.split("#")[0], None)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            clean = copy.deepcopy(model)
            prepared = prepare_fx(clean, mapping, example_inputs=())
    except Exception as error:
        raise UserError(
            "FX cannot trace this model, so engine torch cannot quantize it.",
            f"{first_line(error)} {_user_line(error)}".strip(),
            "Remove the branch on tensor values, or try engine=ipex, which traces by running.",
        ) from error
    return Prepared(prepared, flow, inputs)


def _user_line(error: BaseException) -> str:
    trace = error.__traceback__
    place = ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "/torch/" not in name.replace("\\", "/") and "workbench/engines" not in name.replace("\\", "/"):
            place = f"(at {name}:{trace.tb_lineno})"
        trace = trace.tb_next
    return place


def _canonical_names(graph_module: GraphModule, flow: Dataflow, inputs: Sequence[str]) -> dict[str, str]:
    """Map node names of the prepared graph to tensor names of the user's model.

    A fused convolution, batch norm and ReLU is one node named after the convolution, but the tensor that
    leaves it is the ReLU's; those that were fused away are call sites all the same.
    """
    modules = dict(graph_module.named_modules(remove_duplicate=False))
    sites: dict[str, deque[str]] = defaultdict(deque)
    for name in flow.layers:
        sites[name.partition("#")[0]].append(name)
    names, given = {}, iter(inputs)
    for node in graph_module.graph.nodes:
        if node.op == "placeholder":
            names[node.name] = f"input:{next(given, node.target)}"
        elif node.op == "get_attr":
            path, _, attribute = str(node.target).rpartition(".")
            names[node.name] = f"{path}:{attribute}"
        elif node.op in ("call_module", "call_function", "call_method"):
            if str(node.target).startswith("activation_post_process"):
                continue
            base, activations = _site(node, modules)
            site = sites[base].popleft() if sites[base] else base
            group = flow.group(flow.layers[site], activations) if site in flow.layers else [site]
            for fused in group[1:]:
                sites[fused.partition("#")[0]].remove(fused)
            names[node.name] = f"{group[-1]}:out"
    return names


def _site(node: Node, modules: Mapping[str, nn.Module]) -> tuple[str, tuple[str, ...]]:
    """Return a node's call site without a count, and the activations that may be fused into it."""
    if node.op == "call_module":
        kind = type(modules[str(node.target)]).__name__
        return str(node.target), ("relu",) if "ReLU" in kind and kind not in ("ReLU", "ReLU6") else ()
    op = node.target if isinstance(node.target, str) else function_name(node.target)
    return ".".join(part for part in (_path(node), op) if part), ()


def _path(node: Node) -> str:
    stack = node.meta.get("nn_module_stack") or {}
    last = list(stack.values())[-1] if stack else ""
    return str(last[0] if isinstance(last, tuple) else last)

"""Static INT8 through FX graph mode: observers in, ranges out, converted module back.

The observed tensors are named as in the user's model: the producer's call site and ``:out``. Used by
the ``torch`` engine.
"""

from __future__ import annotations

import copy
import operator
import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.ao.quantization import (
    MinMaxObserver,
    PerChannelMinMaxObserver,
    QConfig,
    QConfigMapping,
    get_default_qconfig_mapping,
    quantize_fx,
)
from torch.ao.quantization.fx.tracer import QuantizationTracer
from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx
from torch.fx import GraphModule, Node

from workbench.core.config import Config
from workbench.core.dataflow import Dataflow
from workbench.core.ranges import Ranges
from workbench.core.scales import Scheme, range_of
from workbench.core.trial import TensorRange
from workbench.engines.follow import Follower
from workbench.engines.torch_layers import function_name, plain_name
from workbench.engines.torch_values import first_line
from workbench.errors import UserError

_CARRIES = ("quantize_per_tensor", "dequantize", "to", "getitem", "contiguous", "detach")
_SHAPE_METHODS = ("transpose", "permute", "reshape", "view", "flatten", "squeeze", "unsqueeze", "contiguous")
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


class _Tracer(QuantizationTracer):
    """Without the stack of each node: to put one into words torch 2.8 imports its compiler, which takes two seconds."""

    def __init__(self, *skipped: Any) -> None:
        super().__init__(*skipped)
        self.record_stack_traces = False


quantize_fx.QuantizationTracer = _Tracer  # type: ignore[attr-defined, assignment]


class _Group(NamedTuple):
    """Tensors that share a scale."""

    names: list[str]
    observers: list[Any]
    modules: set[str]

    def meets(self, other: _Group) -> bool:
        same = any(one is another for one in self.observers for another in other.observers)
        return same or bool(self.modules & other.modules) or bool({*self.names} & {*other.names})

    def with_(self, other: _Group) -> _Group:
        names = list(dict.fromkeys([*self.names, *other.names]))
        return _Group(names, [*self.observers, *other.observers], self.modules | other.modules)


class Prepared:
    """A model with observers, and the names of what they observe."""

    def __init__(self, module: GraphModule, flow: Dataflow, inputs: Sequence[str]) -> None:
        self.module = module
        self._flow, self._inputs = flow, inputs
        self._absorbed = _absorbed(module)
        self._names = _canonical_names(module, flow, inputs)

    def groups(self) -> list[list[str]]:
        """Return the tensors that share a scale, the one that is read back first.

        Observers of several nodes (a max-pool and its input, all that is concatenated) are one module.
        """
        return [names for names, _ in self._observers()]

    def use(self, ranges: Ranges) -> None:
        """Give every observer its range.

        Raises:
            NoRange: calibration never reached a tensor, or met values that are not finite.
        """
        for names, observers in self._observers():
            low, high, _ = ranges.of(names)
            for observer in observers:
                observer.min_val = torch.tensor(low)
                observer.max_val = torch.tensor(high)

    def _observers(self) -> list[tuple[list[str], list[Any]]]:
        """Return the tensors that share a scale, each with all observers of it.

        An observer of a parameter has no tensor; it is shown the values here. One quantized module has one scale,
        however often it is called.
        """
        modules = dict(self.module.named_modules(remove_duplicate=False))
        groups: list[_Group] = []
        for node in self.module.graph.nodes:
            if not _observes(node):
                continue
            observer, source = modules[str(node.target)], node.args[0]
            # Fixed parameters (sigmoid, softmax) need no range; x * 3 takes x's scale three times.
            if not hasattr(observer, "min_val") or _with_number(source):
                continue
            if source.op == "get_attr":
                observer(operator.attrgetter(str(source.target))(self.module).detach())
                continue
            one = _Group([self._names[source.name]], [observer], set())
            if source.op == "call_module" and any(True for _ in modules[str(source.target)].parameters()):
                one.modules.add(str(source.target))
            for other in [group for group in groups if group.meets(one)]:
                groups.remove(other)
                one = other.with_(one)
            groups.append(one)
        return [(group.names, group.observers) for group in groups]

    def convert(self) -> GraphModule:
        """Return the converted module."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return convert_fx(self.module)

    def read_back(self, converted: GraphModule, scheme: Scheme) -> list[TensorRange]:
        """Return the scales of activations as *converted* has them, in the order of execution."""
        modules = dict(converted.named_modules(remove_duplicate=False))
        tensors = _canonical_names(converted, self._flow, self._inputs, self._absorbed)
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
            tensor = tensors.get(node.name)
            if tensor and scale is not None and zero_point is not None and torch.as_tensor(scale).numel() == 1:
                step, zero = float(scale), int(zero_point)
                low, high = range_of(step, zero, scheme)
                found.setdefault(tensor, TensorRange(tensor=tensor, min=low, max=high, scale=step, zero_point=zero))
        return list(found.values())


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
    paths = {path for path, _ in model.named_modules()}
    for name in pinned:
        base, _, call = name.partition("#")
        if base in paths:
            mapping.set_module_name(base, None)
            continue
        path, _, op = base.rpartition(".")
        for function in _functions(op):
            mapping.set_module_name_object_type_order(path, function, int(call or 1) - 1, None)
        if op in _SHAPE_METHODS:  # FX knows no single calls of methods; these only hand on what comes in
            mapping.set_object_type(op, None)
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


def _functions(op: str) -> list[Any]:
    """Return everything that FX may call a function of the name *op*: a function of torch, an operator, a method."""
    places = (torch, torch.nn.functional, operator)
    return [*(getattr(place, op) for place in places if hasattr(place, op)), op]


def _user_line(error: BaseException) -> str:
    trace = error.__traceback__
    place = ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "/torch/" not in name.replace("\\", "/") and "workbench/engines" not in name.replace("\\", "/"):
            place = f"(at {name}:{trace.tb_lineno})"
        trace = trace.tb_next
    return place


def _canonical_names(
    graph_module: GraphModule, flow: Dataflow, inputs: Sequence[str], absorbed: Collection[str] = ()
) -> dict[str, str]:
    """Map node names of the prepared or the converted graph to tensor names of the user's model.

    A fused convolution, batch norm and ReLU is one node named after the convolution, but the tensor that
    leaves it is the ReLU's; those that were fused away are call sites all the same.

    Args:
        absorbed: nodes that the conversion joined with the ReLU behind them.
    """
    modules = dict(graph_module.named_modules(remove_duplicate=False))
    kept = {str(node.target) for node in graph_module.graph.nodes if node.op == "call_module"}
    follower, names, given = Follower(flow), dict[str, str](), iter(inputs)
    for node in graph_module.graph.nodes:
        arriving = [names[source.name] for source in node.all_input_nodes if source.name in names]
        if node.op == "placeholder":
            names[node.name] = f"input:{next(given, node.target)}"
        elif _observes(node) or _short(node) in _CARRIES:
            if arriving:
                names[node.name] = arriving[0]
        elif node.op in ("call_module", "call_function", "call_method"):
            op, path, relu = _site(node, modules)
            layer = follower.meet(op, arriving, path) or follower.meet(op, arriving)
            if layer is None:
                # A ReLU behind a shared convolution that was fused with another one: nothing is left to clamp.
                names[node.name] = arriving[0] if op == "relu" and arriving else f"({node.name}):out"
                continue
            tensor, group = f"{layer.name}:out", flow.group(layer, ("relu",))
            for fused in group[1:]:
                if flow.layers[fused].op == "relu":
                    # A ReLU that is called elsewhere, too, is still among the modules: look at the place.
                    if not relu and (node.name not in absorbed or any(_is_relu(user, modules) for user in node.users)):
                        break
                elif fused.partition("#")[0] in kept:
                    break
                follower.pass_by(fused)
                tensor = f"{fused}:out"
            names[node.name] = flow.trunk(tensor) if flow.folded(tensor) == tensor else tensor
    return names


def _absorbed(prepared: GraphModule) -> set[str]:
    """Return the nodes whose ReLU is observed in their place: the conversion makes both one."""
    modules = dict(prepared.named_modules(remove_duplicate=False))
    found = set()
    for node in prepared.graph.nodes:
        takers = list(node.users)
        if node.op == "call_module" and len(takers) == 1 and _is_relu(takers[0], modules):
            found.add(node.name)
    return found


def _is_relu(node: Node, modules: Mapping[str, nn.Module]) -> bool:
    return isinstance(modules.get(str(node.target)), nn.ReLU) or _short(node) == "relu"


def _site(node: Node, modules: Mapping[str, nn.Module]) -> tuple[str, str, bool]:
    """Return a node's operation, its call site without a count, and whether a ReLU is fused into it."""
    if node.op == "call_module":
        module = modules[str(node.target)]
        fused = type(module).__module__.startswith("torch.ao.nn.intrinsic") and "ReLU" in type(module).__name__
        return "", str(node.target), fused
    op = _short(node)
    relu = op.endswith("_relu") and "quantized" in str(node.target)
    if "quantized" in str(node.target):  # the conversion puts its own functions in, without a path
        return op.removesuffix("_relu") if relu else op, "", relu
    return op, ".".join(part for part in (_path(node), op) if part), False


def _short(node: Node) -> str:
    if node.op == "call_module":
        return ""
    return plain_name(node.target.rpartition(".")[2]) if isinstance(node.target, str) else function_name(node.target)


def _observes(node: Node) -> bool:
    return node.op == "call_module" and str(node.target).startswith("activation_post_process")


def _with_number(node: Node) -> bool:
    """Whether *node* adds a number to one tensor or multiplies by it: its scale follows from that of the tensor."""
    return _short(node) in ("add", "mul") and len(node.all_input_nodes) == 1


def _path(node: Node) -> str:
    stack = node.meta.get("nn_module_stack") or {}
    last = list(stack.values())[-1] if stack else ""
    return str(last[0] if isinstance(last, tuple) else last)

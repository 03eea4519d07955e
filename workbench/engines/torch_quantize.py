"""Static INT8 through FX graph mode: observers in, ranges out, converted module back.

The observed tensors are named as in the user's model: the producer's call site and ``:out``. Used by
the ``torch`` engine.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Collection, Sequence
from typing import Any

import torch
from torch import nn
from torch.ao.quantization import (
    HistogramObserver,
    MinMaxObserver,
    MovingAverageMinMaxObserver,
    PerChannelMinMaxObserver,
    QConfig,
    QConfigMapping,
    get_default_qconfig_mapping,
)
from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx
from torch.fx import GraphModule, Node

from workbench.core.config import Config
from workbench.core.trial import Layer, TensorRange
from workbench.engines.base import InvalidResult
from workbench.engines.callsites import CallSites
from workbench.engines.torch_layers import function_name
from workbench.engines.torch_values import first_line
from workbench.errors import UserError

_KEPT_TYPES: tuple[Any, ...] = (nn.LSTM, nn.GRU, nn.RNN, nn.MultiheadAttention, torch.matmul, torch.bmm)


def activation_observer(config: Config, reduced: bool) -> Any:
    """Return the observer class with arguments for activations.

    Args:
        config: knobs ``calibration.*`` and ``quantization.activation``.
        reduced: 7 bit instead of 8, so that pairs of products fit into int16.
    """
    signed = "quantization.activation" in config.resolved() and config["quantization.activation"] == "qint8"
    arguments: dict[str, Any] = {
        "dtype": torch.qint8 if signed else torch.quint8,
        "qscheme": torch.per_tensor_symmetric if signed else torch.per_tensor_affine,
        "reduce_range": reduced,
    }
    observer = config.text("calibration.observer")
    if observer == "histogram":
        return HistogramObserver.with_args(**arguments)
    if observer == "moving-average":
        # torch weights the new batch, our knob the past.
        decay = float(config["calibration.decay"])
        return MovingAverageMinMaxObserver.with_args(averaging_constant=1 - decay, **arguments)
    return MinMaxObserver.with_args(**arguments)


def weight_observer(config: Config, per_channel: bool | None = None) -> Any:
    """Return the observer class with arguments for weights: symmetric signed 8 bit."""
    if config.flag("quantization.per_channel") if per_channel is None else per_channel:
        return PerChannelMinMaxObserver.with_args(dtype=torch.qint8, qscheme=torch.per_channel_symmetric)
    return MinMaxObserver.with_args(dtype=torch.qint8, qscheme=torch.per_tensor_symmetric)


def is_reduced(config: Config) -> bool:
    """Whether activations get 7 bit; the runner has resolved ``auto`` from the target."""
    return config.text("quantization.range") == "reduced"


class Prepared:
    """A model with observers, and the names of what they observe."""

    def __init__(self, module: GraphModule, names: dict[str, str]) -> None:
        self.module = module
        self._names = names

    def ranges(self) -> list[TensorRange]:
        """Return the range of every observed activation.

        Raises:
            InvalidResult: an observer saw nothing, or something that is not finite.
        """
        result, blind, wild = [], [], []
        for name, observer in self._observers():
            low, high = getattr(observer, "min_val", None), getattr(observer, "max_val", None)
            if low is None or high is None:  # fixed parameters (sigmoid, softmax) need no range
                continue
            if low.numel() == 0 or (torch.isinf(low).all() and torch.isinf(high).all() and low > high):
                blind.append(name)
            elif not (torch.isfinite(low).all() and torch.isfinite(high).all()):
                wild.append(name)
            else:
                scale, zero_point = observer.calculate_qparams()
                result.append(
                    TensorRange(
                        tensor=name,
                        min=float(low.min()),
                        max=float(high.max()),
                        scale=float(scale.reshape(-1)[0]),
                        zero_point=int(zero_point.reshape(-1)[0]),
                    )
                )
        if blind:
            raise InvalidResult(f"Calibration never reached {', '.join(blind[:5])}: no range is known there.")
        if wild:
            raise InvalidResult(f"Calibration saw values that are not finite in {', '.join(wild[:5])}.")
        return result

    def _observers(self) -> list[tuple[str, Any]]:
        # Observers shared by several nodes (max-pool and its input) are one module under several names.
        modules = dict(self.module.named_modules(remove_duplicate=False))
        found = []
        for node in self.module.graph.nodes:
            if node.op == "call_module" and str(node.target).startswith("activation_post_process"):
                found.append((self._names[node.args[0].name], modules[str(node.target)]))
        return found

    def convert(self) -> GraphModule:
        """Return the converted module."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return convert_fx(self.module)


def prepare(model: nn.Module, config: Config, pinned: Collection[str], layers: Sequence[Layer]) -> Prepared:
    """Put observers into a copy of *model*.

    Args:
        pinned: call sites that stay in FP32.
        layers: call sites of the model, for names in messages.

    Raises:
        UserError: FX cannot trace the model; names the line that it stopped at.
    """
    backend = config.text("quantization.backend")
    reduced = is_reduced(config)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of its own range, which the next line replaces
        mapping: QConfigMapping = get_default_qconfig_mapping(backend)
    qconfig = QConfig(activation=activation_observer(config, reduced), weight=weight_observer(config))
    mapping.set_global(qconfig)
    for kind in (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d):
        per_tensor = QConfig(activation=activation_observer(config, reduced), weight=weight_observer(config, False))
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
    return Prepared(prepared, _canonical_names(prepared, layers))


def _user_line(error: BaseException) -> str:
    trace = error.__traceback__
    place = ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "/torch/" not in name.replace("\\", "/") and "workbench/engines" not in name.replace("\\", "/"):
            place = f"(at {name}:{trace.tb_lineno})"
        trace = trace.tb_next
    return place


def _canonical_names(graph_module: GraphModule, layers: Sequence[Layer]) -> dict[str, str]:
    """Map node names of the prepared graph to tensor names of the user's model.

    A fused convolution, batch norm and ReLU is one node named after the convolution, but the tensor
    that leaves it is the ReLU's.
    """
    sites = CallSites()
    modules = dict(graph_module.named_modules(remove_duplicate=False))
    order = {layer.name: position for position, layer in enumerate(layers)}
    names = {}
    for node in graph_module.graph.nodes:
        if node.op == "placeholder":
            names[node.name] = f"input:{node.target}"
        elif node.op == "get_attr":
            path, _, attribute = str(node.target).rpartition(".")
            names[node.name] = f"{path}:{attribute}"
        elif node.op == "call_module":
            name = sites.name(str(node.target))
            if "ReLU" in type(modules[str(node.target)]).__name__ and name in order:
                following = (layer.name for layer in layers[order[name] :] if layer.op == "relu")
                name = next(following, name)
            names[node.name] = f"{name}:out"
        elif node.op in ("call_function", "call_method"):
            op = node.target if isinstance(node.target, str) else function_name(node.target)
            names[node.name] = sites.name(".".join(part for part in (_path(node), op) if part)) + ":out"
    return names


def _path(node: Node) -> str:
    stack = node.meta.get("nn_module_stack") or {}
    last = list(stack.values())[-1] if stack else ""
    return str(last[0] if isinstance(last, tuple) else last)

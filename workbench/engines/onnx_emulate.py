"""An ONNX graph whose quantization can be switched layer by layer, in FP32. Used by the ``onnxruntime`` engine.

Every tensor that has a scale, and every weight, exists twice in one graph, plain and through its levels; a
Boolean input per tensor chooses, so that one session answers every question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from onnx import helper, numpy_helper

from workbench.core.dataflow import Dataflow
from workbench.engines.base import Emulator, Feed, Weight
from workbench.engines.onnx_graph import KINDS

_CHOICE = "quantized?"


class OnnxEmulator(Emulator):
    """Runs the pre-processed FP32 graph with switches.

    Args:
        proto: the pre-processed FP32 model.
        built: the INT8 model made from it; scales, zero points and weights are read from it.
        scales: value → scale and zero point, of activations.
        labels: value → canonical tensor name.
        nodes: layer → names of its nodes.
        outputs: turns raw outputs into what ``Engine.outputs`` returns.
    """

    def __init__(
        self,
        proto: onnx.ModelProto,
        built: onnx.ModelProto,
        scales: Mapping[str, tuple[float, int]],
        labels: Mapping[str, str],
        flow: Dataflow,
        nodes: Mapping[str, Sequence[str]],
        outputs: Callable[[list[Any]], Any],
    ) -> None:
        self._flow = flow
        self._outputs = outputs
        self._tensors = {labels[value]: value for value in labels}
        model = onnx.ModelProto()
        model.CopyFrom(proto)
        self._results = [value.name for value in model.graph.output]
        values = {tensor.name: numpy_helper.to_array(tensor) for tensor in built.graph.initializer}
        dtypes = {name: values[f"{name}_zero_point"].dtype for name in scales}
        self._switch: dict[str, str] = {}
        self._weight_switch: dict[str, str] = {}
        owners = {node: layer for layer, names in nodes.items() for node in names}
        _Rewriter(model).apply(
            {name: (*scales[name], dtypes[name]) for name in scales if name in labels},
            dequantized_weights(built),
            owners,
            self._switch,
            self._weight_switch,
        )
        known = {value.name for value in [*model.graph.output, *model.graph.input]}
        wanted = {self._seen(value) for value in labels}
        produced = {output for node in model.graph.node for output in node.output}
        model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in sorted((wanted & produced) - known))
        options = ort.SessionOptions()
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 4
        self._session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        self._switches = [value.name for value in self._session.get_inputs() if value.name.endswith(_CHOICE)]

    def _seen(self, value: str) -> str:
        """Return the name of what consumers of *value* read."""
        return f"{value}|chosen" if value in self._switch else value

    def run(self, feed: Feed, layers: Collection[str], tensors: Collection[str]) -> tuple[dict[str, np.ndarray], Any]:
        """See :meth:`workbench.engines.base.Emulator.run`."""
        on: set[str] = set()
        quantized = [tensor for tensor, value in self._tensors.items() if value in self._switch]
        for name in layers:
            inputs, output = self._flow.around(name, quantized)
            on.update(self._switch[self._tensors[t]] for t in (*inputs, output) if t in quantized)
            if name in self._weight_switch:
                on.add(self._weight_switch[name])
        choices = {name: np.array(name in on) for name in self._switches}
        wanted = {tensor: self._seen(self._tensors[tensor]) for tensor in tensors if tensor in self._tensors}
        results = [self._seen(name) if name in self._switch else name for name in self._results]
        names = list(dict.fromkeys([*results, *wanted.values()]))
        found = dict(zip(names, self._session.run(names, {**feed, **choices}), strict=True))
        return {tensor: found[name] for tensor, name in wanted.items()}, self._outputs([found[n] for n in results])


class _Rewriter:
    def __init__(self, model: onnx.ModelProto) -> None:
        self._graph = model.graph

    def apply(
        self,
        scales: Mapping[str, tuple[float, int, Any]],
        weights: Mapping[str, np.ndarray],
        owners: Mapping[str, str],
        switch: dict[str, str],
        weight_switch: dict[str, str],
    ) -> None:
        """Put a choice behind every value of *scales* and in front of every weight; fills the two tables."""
        nodes = list(self._graph.node)
        produced = {value.name for value in self._graph.input} | {out for node in nodes for out in node.output}
        for name in scales:
            if name in produced:
                switch[name] = f"{name}|{_CHOICE}"
        ordered: list[onnx.NodeProto] = []
        for name in (value.name for value in self._graph.input if value.name in switch):
            ordered += self._choice(name, *scales[name])
        for node in nodes:
            layer = owners.get(node.name)
            if layer and node.op_type in KINDS and len(node.input) > 1 and node.input[1] in weights:
                weight_switch[layer] = f"{layer}|weight|{_CHOICE}"
                ordered.append(self._weight(node, weights[node.input[1]], weight_switch[layer], layer))
            for place, name in enumerate(node.input):
                if name in switch:
                    node.input[place] = f"{name}|chosen"
            ordered.append(node)
            for name in node.output:
                if name in switch:
                    ordered += self._choice(name, *scales[name])
        del self._graph.node[:]
        self._graph.node.extend(ordered)
        for name in (*switch.values(), *weight_switch.values()):
            self._graph.input.append(helper.make_tensor_value_info(name, onnx.TensorProto.BOOL, []))

    def _choice(self, name: str, scale: float, zero_point: int, dtype: Any) -> list[onnx.NodeProto]:
        step, zero = f"{name}|scale", f"{name}|zero"
        self._graph.initializer.append(numpy_helper.from_array(np.array(scale, np.float32), step))
        self._graph.initializer.append(numpy_helper.from_array(np.array(zero_point, dtype), zero))
        return [
            helper.make_node("QuantizeLinear", [name, step, zero], [f"{name}|levels"]),
            helper.make_node("DequantizeLinear", [f"{name}|levels", step, zero], [f"{name}|rounded"]),
            helper.make_node("Where", [f"{name}|{_CHOICE}", f"{name}|rounded", name], [f"{name}|chosen"]),
        ]

    def _weight(self, node: onnx.NodeProto, rounded: np.ndarray, choice: str, layer: str) -> onnx.NodeProto:
        plain, quantized = node.input[1], f"{layer}|weight|rounded"
        self._graph.initializer.append(numpy_helper.from_array(rounded.astype(np.float32), quantized))
        node.input[1] = f"{layer}|weight|chosen"
        return helper.make_node("Where", [choice, quantized, plain], [f"{layer}|weight|chosen"])


def dequantized_weights(built: onnx.ModelProto) -> dict[str, np.ndarray]:
    """Return what the INT8 model's weights stand for, by the name of the FP32 weight."""
    return {name: _dequantized(*parts) for name, parts in _quantized(built).items()}


def _quantized(built: onnx.ModelProto) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    values = {tensor.name: tensor for tensor in built.graph.initializer}
    found = {}
    for name in values:
        plain = name.removesuffix("_quantized")
        if name != plain and f"{plain}_scale" in values and f"{plain}_zero_point" in values:
            found[plain] = tuple(
                numpy_helper.to_array(values[n]) for n in (name, f"{plain}_scale", f"{plain}_zero_point")
            )
    return {name: (parts[0], parts[1], parts[2]) for name, parts in found.items() if parts[0].ndim > 1}


def _dequantized(levels: np.ndarray, scale: np.ndarray, zero_point: np.ndarray, axis: int | None = None) -> np.ndarray:
    """Return what *levels* stand for; without *axis* the number of scales tells that of the output channels."""
    if axis is None:
        axis = 1 if levels.ndim == 2 and scale.size > 1 and levels.shape[0] != scale.size else 0
    shape = [1] * levels.ndim
    if scale.size > 1:
        shape[axis] = scale.size
    zero, step = zero_point.astype(np.float64), scale.astype(np.float64)
    return np.asarray((levels - zero.reshape(shape)) * step.reshape(shape))


def weights(built: onnx.ModelProto, proto: onnx.ModelProto, nodes: Mapping[str, Sequence[str]]) -> dict[str, Weight]:
    """Return the INT8 model's signed weights by layer, output channels first.

    Args:
        proto: the FP32 model that it was made from, whose nodes name their weights.
        nodes: layer → names of its nodes.
    """
    known, by_name = _quantized(built), {node.name: node for node in proto.graph.node}
    found = {}
    for layer, names in nodes.items():
        node = next((by_name[name] for name in names if name in by_name), None)
        if node is None or len(node.input) < 2 or node.input[1] not in known:
            continue
        levels, scale, zero_point = known[node.input[1]]
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        if levels.ndim == 2 and not (node.op_type == "Gemm" and attributes.get("transB")):
            levels = levels.T
        if levels.dtype == np.int8:
            rows = levels.shape[0]
            values = _dequantized(levels, scale, zero_point, 0).reshape(rows, -1)
            found[layer] = Weight(levels.reshape(rows, -1), scale.astype(np.float64).reshape(-1), values)
    return found

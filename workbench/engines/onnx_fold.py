"""``graph.fold_padding`` for ONNX files: a zero ``Pad`` in front of a ``Conv`` moves into its ``pads``.

ONNX convolutions take asymmetric padding as it is, so no kernel has to grow. Each changed pair is checked in
float64 on the very values that the user's input brings there. Used by the ``onnxruntime`` engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from workbench.engines.base import InvalidResult

TOLERANCE = 1e-12


def foldable(model: ModelProto) -> list[tuple[NodeProto, NodeProto]]:
    """Return the (Pad, Conv) pairs that can become one Conv."""
    constants = _constants(model)
    uses = Counter(name for node in model.graph.node for name in node.input)
    outputs = {value.name for value in model.graph.output}
    producers = {name: node for node in model.graph.node for name in node.output}
    pairs = []
    for conv in model.graph.node:
        pad = producers.get(conv.input[0]) if conv.op_type == "Conv" else None
        if pad is None or pad.op_type != "Pad" or uses[pad.output[0]] != 1 or pad.output[0] in outputs:
            continue
        settings = _attributes(conv)
        if settings.get("auto_pad", b"NOTSET") == b"NOTSET" and _spatial(pad, constants) is not None:
            pairs.append((pad, conv))
    return pairs


def fold(
    model: ModelProto, values: Callable[[Sequence[str]], Mapping[str, np.ndarray]]
) -> tuple[ModelProto, list[str]]:
    """Return a copy with padding folded, and the names of the convolutions that changed.

    Args:
        model: is not changed.
        values: returns the named values of the graph on the user's input.

    Raises:
        InvalidResult: a pair does not compute the same.
    """
    pairs = foldable(model)
    if not pairs:
        return model, []
    constants = _constants(model)
    sources = values([pad.input[0] for pad, _ in pairs])
    folded = ModelProto()
    folded.CopyFrom(model)
    nodes = {node.output[0]: node for node in folded.graph.node}
    for pad, conv in pairs:
        begin, end = _spatial(pad, constants) or ([], [])
        old = list(_attributes(conv).get("pads", [0] * 2 * len(begin)))
        half = len(old) // 2
        pads = [old[i] + begin[i] for i in range(half)] + [old[half + i] + end[i] for i in range(half)]
        target = nodes[conv.output[0]]
        kept = [attribute for attribute in target.attribute if attribute.name != "pads"]
        del target.attribute[:]
        target.attribute.extend([*kept, helper.make_attribute("pads", pads)])
        target.input[0] = pad.input[0]
        _verify(pad, conv, target, sources[pad.input[0]], constants)
        folded.graph.node.remove(nodes[pad.output[0]])
    return folded, [conv.name for _, conv in pairs]


def _constants(model: ModelProto) -> dict[str, np.ndarray]:
    found = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant" and node.attribute and node.attribute[0].name == "value":
            found[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    return found


def _attributes(node: NodeProto) -> dict[str, Any]:
    return {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}


def _spatial(pad: NodeProto, constants: Mapping[str, np.ndarray]) -> tuple[list[int], list[int]] | None:
    """Return begin and end padding of the spatial axes of a zero padding, None for any other."""
    settings = _attributes(pad)
    if settings.get("mode", b"constant") != b"constant" or any(pad.input[3:]):
        return None
    value = constants.get(pad.input[2]) if len(pad.input) > 2 and pad.input[2] else np.zeros(1)
    amounts = constants.get(pad.input[1]) if len(pad.input) > 1 else settings.get("pads")
    if value is None or np.any(value != 0) or settings.get("value", 0.0) or amounts is None:
        return None
    numbers = [int(n) for n in np.asarray(amounts).reshape(-1)]
    half = len(numbers) // 2
    begin, end = numbers[:half], numbers[half:]
    if half < 3 or min(numbers) < 0 or any(begin[:2]) or any(end[:2]):
        return None
    return begin[2:], end[2:]


def _verify(
    pad: NodeProto, conv: NodeProto, folded: NodeProto, source: np.ndarray, constants: Mapping[str, np.ndarray]
) -> None:
    weights = {name: _double(constants[name]) for name in {*pad.input, *conv.input} if name in constants}
    before = _run([pad, conv], pad.input[0], source, weights)
    after = _run([folded], pad.input[0], source, weights)
    same = before.shape == after.shape
    difference = float(np.max(np.abs(before - after), initial=0.0)) if same else float("inf")
    if not difference <= TOLERANCE * max(float(np.max(np.abs(before), initial=0.0)), 1e-30):
        raise InvalidResult(f"graph.fold_padding changes {conv.name} by {difference:.2g} and was refused")


def _double(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64) if array.dtype.kind == "f" else array


def _run(nodes: Sequence[NodeProto], name: str, source: np.ndarray, weights: Mapping[str, np.ndarray]) -> np.ndarray:
    used = {value for node in nodes for value in node.input}
    graph = helper.make_graph(
        list(nodes),
        "pair",
        [helper.make_tensor_value_info(name, onnx.TensorProto.DOUBLE, None)],
        [helper.make_tensor_value_info(nodes[-1].output[0], onnx.TensorProto.DOUBLE, None)],
        [numpy_helper.from_array(array, key) for key, array in weights.items() if key in used],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    results: Any = ReferenceEvaluator(model).run(None, {name: _double(source)})
    return np.asarray(results[0])

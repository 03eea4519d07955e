"""An ONNX graph read for its layers: names as in the user's model, sizes, what carries work.

Used by the ``onnxruntime`` engine. The file is only parsed here, never run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path

import onnx
from onnx import ModelProto, NodeProto, TensorProto

from workbench.core.model import InputSpec
from workbench.core.trial import Layer
from workbench.engines.callsites import CallSites
from workbench.errors import UserError

KINDS = {
    "Conv": "conv", "ConvTranspose": "conv", "FusedConv": "conv", "QLinearConv": "conv", "ConvInteger": "conv",
    "Gemm": "matmul", "MatMul": "matmul", "FusedGemm": "matmul", "FusedMatMul": "matmul", "QGemm": "matmul",
    "QLinearMatMul": "matmul", "MatMulInteger": "matmul", "MatMulIntegerToFloat": "matmul",
    "DynamicQuantizeMatMul": "matmul", "LSTM": "rnn", "GRU": "rnn", "RNN": "rnn", "DynamicQuantizeLSTM": "rnn",
}  # fmt: skip
"""Operators whose kernels are counted, and the family that they are matched by."""

_DTYPES = {
    TensorProto.FLOAT: "float32", TensorProto.DOUBLE: "float64", TensorProto.FLOAT16: "float16",
    TensorProto.INT64: "int64", TensorProto.INT32: "int32", TensorProto.INT16: "int16", TensorProto.INT8: "int8",
    TensorProto.UINT8: "uint8", TensorProto.BOOL: "bool",
}  # fmt: skip
_TORCH_OPS = {"Gemm": "linear", "MatMul": "matmul", "Conv": "conv", "ConvTranspose": "convtranspose"}


def load(path: Path, newest_ir: int) -> ModelProto:
    """Parse a model file.

    Args:
        newest_ir: the highest IR version that the runtime reads.

    Raises:
        UserError: it is damaged, or newer than the runtime (B42), with both versions named.
    """
    try:
        model = onnx.load(path)
        onnx.checker.check_model(model)
    except Exception as error:
        lines = str(error).strip().splitlines()
        raise UserError(
            f"{path.name} is not a valid ONNX model.", lines[0] if lines else type(error).__name__, "Export it again."
        ) from error
    if model.ir_version > newest_ir:
        raise UserError(
            f"{path.name} is too new for this ONNX Runtime.",
            f"It has IR version {model.ir_version}, the runtime reads up to {newest_ir}.",
            "Install a newer onnxruntime, or export with an older opset.",
        )
    return model


def opset(model: ModelProto) -> int:
    """Return the version of the standard operator set."""
    return max((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), default=0)


def inputs(model: ModelProto) -> list[InputSpec]:
    """Return what the model is fed; an axis without a fixed length is dynamic."""
    weights = {tensor.name for tensor in model.graph.initializer}
    specs = []
    for value in model.graph.input:
        if value.name in weights:
            continue
        kind = value.type.tensor_type
        shape = tuple(dim.dim_value if dim.dim_value > 0 else None for dim in kind.shape.dim)
        specs.append(InputSpec(name=value.name, shape=shape, dtype=_DTYPES.get(kind.elem_type, "float32")))
    return specs


def parameters(model: ModelProto) -> tuple[int, int]:
    """Return the count and the bytes of the weights."""
    count = size = 0
    for tensor in model.graph.initializer:
        elements = prod(tensor.dims)
        count += elements
        size += elements * onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize
    return count, size


def module_path(node_name: str) -> str:
    """Return the module path inside a node name as torch's exporter writes it.

    ``/layer1/layer1.0/relu_1/Relu`` is the second call of ``layer1.0.relu`` and becomes
    ``layer1.0.relu#2``; a name of another origin is returned as it is.
    """
    if not node_name.startswith("/"):
        return node_name
    *scopes, operator = node_name.strip("/").split("/")
    path, previous, call = "", "", 1
    for scope in scopes:
        match = re.fullmatch(r"(.*?)_(\d+)", scope)
        # Attribute names may end in _1 themselves; only the exporter's own suffix counts calls.
        name, number = (match[1], int(match[2]) + 1) if match and "." not in match[2] else (scope, 1)
        inner = name.removeprefix(previous + ".") if previous and name.startswith(previous + ".") else name
        path = f"{path}.{inner}" if path else inner
        previous, call = name, number
    if not path:
        path = re.sub(r"_\d+$", "", operator).lower()
    return path if call == 1 else f"{path}#{call}"


def layers(model: ModelProto, shapes: Mapping[str, Sequence[int]]) -> list[tuple[Layer, NodeProto]]:
    """Return the compute nodes in execution order as layers.

    Args:
        shapes: shape of every value, from a run or from shape inference.
    """
    sizes = {tensor.name: tuple(tensor.dims) for tensor in model.graph.initializer}
    found, sites = [], CallSites()
    for node in model.graph.node:
        kind = KINDS.get(node.op_type)
        if not kind:
            continue
        facts = node_facts(node, {**shapes, **sizes})
        found.append(
            (
                Layer(
                    name=sites.name(module_path(node.name) or node.output[0]),
                    op=_TORCH_OPS.get(node.op_type, node.op_type.lower()),
                    kind=kind,
                    facts=facts,
                    macs=_macs(kind, facts),
                    parameters=sum(prod(sizes[name]) for name in node.input if name in sizes),
                    output_shape=list(shapes.get(node.output[0], ())),
                ),
                node,
            )
        )
    return found


def node_facts(node: NodeProto, shapes: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """Return the numbers by which a node is matched to a call site."""
    ins = [tuple(shapes.get(name, ())) for name in node.input]
    out = tuple(shapes.get(node.output[0], ()))
    facts = {"outputs": prod(out)} if out else {}
    kind = KINDS[node.op_type]
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    if kind == "conv" and len(ins) > 1 and len(ins[0]) > 2 and len(ins[1]) > 2 and out:
        group = int(attributes.get("group", 1))
        facts |= {
            "mb": ins[0][0], "ic": ins[0][1], "oc": out[1], "g": group, "kw": ins[1][-1],
            "points": prod(out[2:]), "taps": prod(ins[1][2:]),
        }  # fmt: skip
    elif kind == "matmul" and ins and len(ins[0]) >= 1 and out:
        left = ins[0][::-1] if attributes.get("transA") else ins[0]
        facts |= {"m": prod(left[:-1]), "k": left[-1], "n": out[-1]}
    elif kind == "rnn":
        hidden = int(attributes.get("hidden_size", 0))
        directions = 2 if attributes.get("direction") == b"bidirectional" else 1
        size = prod(ins[1]) + prod(ins[2]) if len(ins) > 2 and ins[1] and ins[2] else 0
        facts |= {
            "gates": {"LSTM": 4, "GRU": 3}.get(node.op_type, 1), "hidden": hidden, "directions": directions,
            "in": ins[0][-1] if ins[0] else 0, "steps": ins[0][0] if ins[0] else 0, "weights": size,
        }  # fmt: skip
    return facts


def _macs(kind: str, facts: Mapping[str, int]) -> int:
    if kind == "conv" and "points" in facts:
        return facts["mb"] * facts["points"] * facts["oc"] * (facts["ic"] // facts["g"]) * facts["taps"]
    if kind == "matmul" and "k" in facts:
        return facts["m"] * facts["k"] * facts["n"]
    if kind == "rnn":
        return facts["steps"] * facts["weights"]
    return 0

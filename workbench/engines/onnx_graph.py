"""An ONNX graph read for its layers: names as in the user's model, sizes, what carries work.

Used by the ``onnxruntime`` engine. The file is only parsed here, never run.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from math import prod
from pathlib import Path

import msgspec
import onnx
from onnx import ModelProto, NodeProto, TensorProto

from workbench.core.dataflow import Dataflow
from workbench.core.model import InputSpec
from workbench.core.trial import Layer
from workbench.engines import kernels
from workbench.engines.callsites import CallSites
from workbench.engines.follow import Follower
from workbench.errors import UserError, nearest

KINDS = {
    "Conv": "conv", "ConvTranspose": "conv", "FusedConv": "conv", "QLinearConv": "conv", "ConvInteger": "conv",
    "Gemm": "matmul", "MatMul": "matmul", "FusedGemm": "matmul", "FusedMatMul": "matmul", "QGemm": "matmul",
    "QLinearMatMul": "matmul", "MatMulInteger": "matmul", "MatMulIntegerToFloat": "matmul",
    "DynamicQuantizeMatMul": "matmul", "LSTM": "rnn", "GRU": "rnn", "RNN": "rnn", "DynamicQuantizeLSTM": "rnn",
}  # fmt: skip
"""Operators whose kernels are counted, and the family that they are matched by."""

_PER_BATCH = ("mb", "m", "outputs", "points", "steps", "iw", "ih", "ow", "oh")
_PARTS = ("Identity", "Slice", "Gather", "Split")

_DTYPES = {
    TensorProto.FLOAT: "float32", TensorProto.DOUBLE: "float64", TensorProto.FLOAT16: "float16",
    TensorProto.INT64: "int64", TensorProto.INT32: "int32", TensorProto.INT16: "int16", TensorProto.INT8: "int8",
    TensorProto.UINT8: "uint8", TensorProto.BOOL: "bool",
}  # fmt: skip


def load(path: Path, newest_ir: int) -> ModelProto:
    """Parse a model file.

    Args:
        newest_ir: the highest IR version that the runtime reads.

    Raises:
        UserError: it is damaged, or newer than the runtime (B42), with both versions named.
    """
    try:
        model = onnx.load(path)
    except Exception as error:
        raise _not_valid(path, error) from error
    # Before the checker, which would only say that it does not know that version.
    if model.ir_version > newest_ir:
        raise UserError(
            f"{path.name} is too new for this ONNX Runtime.",
            f"It has IR version {model.ir_version}, the runtime reads up to {newest_ir}.",
            "Install a newer onnxruntime, or export with an older opset.",
        )
    try:
        onnx.checker.check_model(model)
    except Exception as error:
        raise _not_valid(path, error) from error
    return model


def _not_valid(path: Path, error: Exception) -> UserError:
    lines = str(error).strip().splitlines()
    return UserError(
        f"{path.name} is not a valid ONNX model.", lines[0] if lines else type(error).__name__, "Export it again."
    )


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


def declared(specs: Sequence[InputSpec], given: Sequence[InputSpec]) -> list[InputSpec]:
    """Fill the file's dynamic axes with the lengths that the user gave.

    Raises:
        UserError: an input that the file does not have, or a shape that is not the file's.
    """
    known = {spec.name: spec for spec in specs}
    for wish in given:
        # A nameless one is meant for the only one.
        name = specs[0].name if len(specs) == len(given) == 1 else wish.name
        if name not in known:
            raise UserError(f"The model has no input '{name}'.", nearest(name, known), "Correct --input.")
        own = known[name]
        pairs = list(zip(own.shape, wish.shape, strict=False))
        if len(own.shape) != len(wish.shape) or any(None not in pair and pair[0] != pair[1] for pair in pairs):
            raise UserError(f"--input {wish} does not fit the model.", f"Its file says {own}.", "Correct --input.")
        shape = tuple(other if axis is None else axis for axis, other in pairs)
        known[name] = InputSpec(name=name, shape=shape, dtype=own.dtype)
    return list(known.values())


def parameters(model: ModelProto) -> tuple[int, int]:
    """Return the count and the bytes of the weights."""
    count = size = 0
    for tensor in model.graph.initializer:
        elements = prod(tensor.dims)
        count += elements
        size += elements * onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize
    return count, size


def name_nodes(model: ModelProto) -> bool:
    """Give every node a name of its own, by its first output where it has none; return whether any changed.

    Layers are kept in FP32 by the names of their nodes, and many tools write none.
    """
    seen: set[str] = set()
    changed = False
    for number, node in enumerate(model.graph.node):
        if not node.name or node.name in seen:
            own = next((output for output in node.output if output), node.op_type)
            node.name = own if own not in seen else f"{own}:{number}"
            changed = True
        seen.add(node.name)
    return changed


def products_without_weights(model: ModelProto) -> set[str]:
    """Return the names of the products whose both sides are activations."""
    weights = {tensor.name for tensor in model.graph.initializer}
    products = (node for node in model.graph.node if KINDS.get(node.op_type) == "matmul")
    return {node.name for node in products if weights.isdisjoint(node.input[:2])}


def node_names(model: ModelProto, modules: Collection[str] = ()) -> dict[str, str]:
    """Return the name of each node in the user's model, by the name of its first output.

    torch's exporter names nodes ``/SCOPE/…/OPERATOR``. A scope is an attribute, or inside a container the whole
    path so far (``/layer1/layer1.0/conv``); each further call of a module counts in the last scope:
    ``/layer1/layer1.0/relu_1/Relu`` is the second call of ``layer1.0.relu``, named ``layer1.0.relu#2``. A module
    that is called ``conv_1`` looks the same, so weights tell, and whether the calls before it are there.

    Args:
        modules: paths of modules that are known to exist.
    """
    weights = {tensor.name for tensor in model.graph.initializer}
    nodes = [node for node in model.graph.node if node.op_type != "Constant"]
    known = {*modules, *(name.rpartition(".")[0] for name in weights)}
    paths = _paths([_scope(node) for node in nodes if node.name.startswith("/")], known)
    containers = {paths.get(scope[:i], "") for scope in paths for i, mark in enumerate(scope) if mark == "/"} | {""}
    heavy = {_scope(node) for node in nodes if node.op_type in KINDS}
    last = {_scope(node): node.output[0] for node in nodes}
    sites, names = CallSites(), {}
    for node in nodes:
        output, scope = node.output[0], _scope(node)
        if not node.name.startswith("/"):
            names[output] = sites.name(node.name or output)
            continue
        path = _owner(node, weights, paths[scope])
        inside = paths[scope] in containers
        if node.op_type in KINDS:
            whole = not inside or (len(node.input) > 1 and node.input[1] in weights)
        else:
            whole = not inside and scope not in heavy and last[scope] == output
        if not (whole and path):
            path = ".".join(filter(None, (path, re.sub(r"_\d+$", "", node.name.rpartition("/")[2]).lower())))
        names[output] = sites.name(path)
    return names


def _scope(node: NodeProto) -> str:
    return node.name.rpartition("/")[0]


def _paths(scopes: Sequence[str], known: Collection[str]) -> dict[str, str]:
    """Return the module path of each scope, in which a further call of a module is that module."""
    paths: dict[str, str] = {}
    calls: dict[str, int] = {}
    for scope in dict.fromkeys(scopes):
        path, previous = "", ""
        for part in filter(None, scope.split("/")):
            inner = part.removeprefix(previous + ".") if previous else part
            path, previous = f"{path}.{inner}" if path else inner, part
        match = re.fullmatch(r"(.+)_(\d+)", scope)
        if match and calls.get(match[1]) == int(match[2]) and path not in known:
            paths[scope] = paths[match[1]]
            calls[match[1]] += 1
        else:
            paths[scope] = path
            calls[scope] = 1
    return paths


def _owner(node: NodeProto, weights: Collection[str], path: str) -> str:
    """Return *path* as the node's weight has it: whole (a scope lacks the name of a ModuleDict), without a count."""
    for name in node.input[1:]:
        owner, _, attribute = name.rpartition(".")
        if name in weights and owner and attribute == "weight":
            for shown in (path, re.sub(r"_\d+$", "", path)):
                if owner == shown or owner.endswith(f".{shown}"):
                    return owner
    return path


def tensor_names(model: ModelProto, names: Mapping[str, str]) -> dict[str, str]:
    """Return the canonical tensor name of every value that is no weight.

    Args:
        names: as :func:`node_names` gives them.
    """
    weights = {tensor.name for tensor in model.graph.initializer}
    labels = {value.name: f"input:{value.name}" for value in model.graph.input if value.name not in weights}
    for node in model.graph.node:
        if node.op_type != "Constant":
            labels.update({output: f"{names[node.output[0]]}:out" for output in node.output if output})
    return labels


def met_names(model: ModelProto, names: Mapping[str, str], flow: Dataflow) -> dict[str, str]:
    """Return the canonical name of every value of an exported model that is one of the original's tensors.

    Args:
        names: as :func:`node_names` gives them; right for modules, a guess for functions.
        flow: the original's call sites.
    """
    weights = {tensor.name for tensor in model.graph.initializer}
    labels = {value.name: f"input:{value.name}" for value in model.graph.input if value.name not in weights}
    paths = {name.partition("#")[0] for name in flow.layers}
    follower = Follower(flow)
    for node in model.graph.node:
        arriving = [labels[name] for name in node.input if name in labels]
        if node.op_type == "Constant" or not arriving:
            continue
        path = names[node.output[0]].partition("#")[0]
        layer = follower.meet(node.op_type, arriving, path) if path in paths else None
        layer = layer or follower.meet(node.op_type, arriving)
        if layer:
            labels.update({output: f"{layer.name}:out" for output in node.output if output})
        elif node.op_type in _PARTS:
            labels.update({output: arriving[0] for output in node.output if output})
    return labels


def layers(
    model: ModelProto, shapes: Mapping[str, Sequence[int]], names: Mapping[str, str]
) -> list[tuple[Layer, NodeProto]]:
    """Return the nodes in execution order as layers, constants left out.

    Args:
        shapes: shape of every value, from a run or from shape inference.
        names: as :func:`node_names` gives them.
    """
    sizes = {tensor.name: tuple(tensor.dims) for tensor in model.graph.initializer}
    constants = _constants(model)
    labels = tensor_names(model, names)
    found = []
    for node in model.graph.node:
        if node.op_type == "Constant":
            continue
        kind = KINDS.get(node.op_type, "")
        facts = node_facts(node, {**shapes, **sizes}) if kind else {}
        found.append(
            (
                Layer(
                    name=names[node.output[0]],
                    op=_torch_op(node, len(shapes.get(node.output[0], ())), sizes),
                    kind=kind,
                    facts=facts,
                    macs=_macs(kind, facts),
                    parameters=sum(prod(sizes[name]) for name in node.input if name in sizes),
                    output_shape=list(shapes.get(node.output[0], ())),
                    inputs=[labels[name] for name in node.input if name in labels],
                    clamp=_clamp(node, constants),
                ),
                node,
            )
        )
    return found


def called_by_user(
    found: Sequence[tuple[Layer, NodeProto]], exported: Sequence[Layer]
) -> tuple[list[Layer], dict[str, list[str]]]:
    """Give the nodes to the original's call sites, by order and by what does not depend on the batch.

    Returns:
        The call sites with the sizes of this run, and the names of their nodes.
    """
    records = [
        kernels.Record(
            layer.kind, "", node.name, "", 0.0, {k: v for k, v in layer.facts.items() if k not in _PER_BATCH}
        )
        for layer, node in found
        if layer.kind
    ]
    given, _ = kernels.assign(records, exported)
    nodes = {name: [record.kernel for record in parts] for name, parts in given.items()}
    now = {node.name: layer for layer, node in found}
    sites = []
    for layer in exported:
        parts = [now[name] for name in nodes.get(layer.name, ())]
        facts = {**layer.facts, **(parts[0].facts if parts else {})}
        sites.append(
            msgspec.structs.replace(
                layer,
                facts=facts,
                macs=sum(part.macs for part in parts) or layer.macs,
                output_shape=parts[-1].output_shape if parts else layer.output_shape,
            )
        )
    return sites, nodes


def _constants(model: ModelProto) -> dict[str, TensorProto]:
    found = {tensor.name: tensor for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant" and node.attribute and node.attribute[0].name == "value":
            found[node.output[0]] = node.attribute[0].t
    return found


def _clamp(node: NodeProto, constants: Mapping[str, TensorProto]) -> tuple[float | None, float | None] | None:
    """Return what an activation lets through, None where it is no clamp or its bounds are not constant."""
    if node.op_type == "Relu":
        return 0.0, None
    if node.op_type != "Clip":
        return None
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}  # up to opset 10
    bounds: list[float | None] = [attributes.get("min"), attributes.get("max")]
    for end, name in enumerate(node.input[1:3]):
        if name:
            if name not in constants:
                return None
            bounds[end] = float(onnx.numpy_helper.to_array(constants[name]))
    return bounds[0], bounds[1]


def _torch_op(node: NodeProto, rank: int, sizes: Mapping[str, Sequence[int]]) -> str:
    """Return torch's name of an operator, in lower case."""
    if node.op_type in ("Conv", "ConvTranspose"):
        return f"{node.op_type.lower()}{rank - 2}d" if rank > 2 else node.op_type.lower()
    if node.op_type in ("Gemm", "MatMul") and node.input[1] in sizes:
        return "linear"
    return node.op_type.lower()


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

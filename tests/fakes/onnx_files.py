"""Small ONNX files made by hand, each with one property that an engine must cope with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

Shape = Sequence[int | str]


def model(
    nodes: Sequence[NodeProto],
    weights: dict[str, np.ndarray],
    inputs: dict[str, Shape],
    outputs: dict[str, Shape],
    *,
    opset: int = 17,
    ir: int = 8,
) -> onnx.ModelProto:
    """Put a graph of float inputs together."""
    graph = helper.make_graph(
        list(nodes),
        "small",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape)) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape)) for name, shape in outputs.items()],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir)


def noise(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32) / np.float32(np.sqrt(shape[-1]))


def chain(
    *, named: bool = True, channels: int = 16, batch: int | str = "N", opset: int = 17, ir: int = 8
) -> onnx.ModelProto:
    """Three convolutions of one shape with ReLUs between, and a product."""
    nodes, weights, last = [], {}, "image"
    for number in (1, 2, 3):
        weights[f"w{number}"] = noise(channels, channels, 3, 3, seed=number)
        nodes.append(
            helper.make_node("Conv", [last, f"w{number}"], [f"c{number}"], name=f"conv{number}" * named, pads=[1] * 4)
        )
        nodes.append(helper.make_node("Relu", [f"c{number}"], [f"r{number}"], name=f"relu{number}" * named))
        last = f"r{number}"
    weights["wf"] = noise(channels, 4, seed=4)
    nodes.append(helper.make_node("GlobalAveragePool", [last], ["pooled"], name="pool" * named))
    nodes.append(helper.make_node("Flatten", ["pooled"], ["flat"], name="flatten" * named))
    nodes.append(helper.make_node("MatMul", ["flat", "wf"], ["logits"], name="fc" * named))
    return model(nodes, weights, {"image": (batch, channels, 8, 8)}, {"logits": (batch, 4)}, opset=opset, ir=ir)


def clamped() -> onnx.ModelProto:
    """Batch norms left in the file, a Clip, a ReLU and a residual; nodes with names of their own, one without."""
    nodes, weights = [], {}
    for number, last in ((1, "image"), (2, "pooled")):
        weights[f"w{number}"] = 3 * noise(4, 4, 3, 3, seed=number)
        nodes.append(
            helper.make_node("Conv", [last, f"w{number}"], [f"c{number}"], name=f"my conv {number}", pads=[1] * 4)
        )
        norm = {"scale": 2.0, "bias": 0.5, "mean": 0.1, "var": 1.5}
        weights |= {f"{key}{number}": np.full(4, value, np.float32) for key, value in norm.items()}
        nodes.append(
            helper.make_node(
                "BatchNormalization",
                [f"c{number}", *(f"{key}{number}" for key in norm)],
                [f"b{number}"],
                name=f"norm{number}",
            )
        )
        if number == 1:
            weights |= {"zero": np.array(0.0, np.float32), "six": np.array(6.0, np.float32)}
            nodes.append(helper.make_node("Clip", ["b1", "zero", "six"], ["k1"], name="clip"))
            nodes.append(
                helper.make_node("MaxPool", ["k1"], ["pooled"], name="pool", kernel_shape=[2, 2], strides=[2, 2])
            )
    nodes.append(helper.make_node("Add", ["b2", "pooled"], ["sum"], name="sum/add"))
    nodes.append(helper.make_node("Relu", ["sum"], ["rectified"]))
    nodes.append(helper.make_node("GlobalAveragePool", ["rectified"], ["mean4"], name="gap"))
    nodes.append(helper.make_node("Flatten", ["mean4"], ["flat"], name="flatten"))
    weights["wf"] = noise(4, 3, seed=9)
    nodes.append(helper.make_node("MatMul", ["flat", "wf"], ["logits"], name="fc"))
    return model(nodes, weights, {"image": (1, 4, 8, 8)}, {"logits": (1, 3)})


def baked(batch_name: str = "N") -> onnx.ModelProto:
    """Declares a dynamic batch and flattens everything into one row (B44)."""
    nodes = [
        helper.make_node("Reshape", ["x", "row"], ["flat"], name="reshape"),
        helper.make_node("MatMul", ["flat", "w"], ["y"], name="fc"),
    ]
    return model(
        nodes, {"row": np.array([1, -1], np.int64), "w": noise(12, 3)}, {"x": (batch_name, 3, 4)}, {"y": ("M", 3)}
    )


def saved(proto: onnx.ModelProto, path: Path) -> Path:
    onnx.save(proto, path)
    return path

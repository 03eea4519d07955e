"""Static and dynamic INT8 for ONNX Runtime: ranges in, QDQ model out, scales read back.

Used by the ``onnxruntime`` engine.
"""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnxruntime.quantization import (
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_dynamic,
)
from onnxruntime.quantization.calibrate import TensorsData
from onnxruntime.quantization.onnx_quantizer import ONNXQuantizer
from onnxruntime.quantization.qdq_quantizer import QDQQuantizer
from onnxruntime.quantization.quant_utils import QuantizationMode, load_model_with_shape_infer
from onnxruntime.quantization.registry import QDQRegistry, QLinearOpsRegistry
from onnxruntime.quantization.shape_inference import quant_pre_process

from workbench.core.config import Config
from workbench.core.scales import EPS

_TYPES = {"quint8": QuantType.QUInt8, "qint8": QuantType.QInt8}
# ConvInteger has no tuned kernel (B04): dynamic INT8 is for products and recurrent layers.
_DYNAMIC_OPS = ["MatMul", "LSTM", "Attention"]


def preprocessed(source: Path) -> onnx.ModelProto:
    """Return the model with inferred shapes and folded batch norms, without which nothing after these is fused."""
    with tempfile.TemporaryDirectory(prefix="workbench-") as folder:
        target = Path(folder) / "prepared.onnx"
        # The symbolic inference wants sympy and only helps with transformers of open sizes.
        quant_pre_process(source, target, skip_symbolic_shape=True)
        return load_model_with_shape_infer(target)


def quantize(
    model: onnx.ModelProto,
    config: Config,
    ranges: Mapping[str, tuple[float, float]],
    excluded: Sequence[str],
    reduced: bool,
) -> onnx.ModelProto:
    """Return the static INT8 model.

    Args:
        model: of :func:`preprocessed`.
        ranges: lowest and highest value by the name of the value in *model*; ONNX Runtime's own calibration
            is not used, one set of ranges serves every engine.
        excluded: names of nodes that stay in FP32.
        reduced: 7-bit weights, so that pairs of products fit into int16.
    """
    proto = onnx.ModelProto()
    proto.CopyFrom(model)
    arguments: dict[str, Any] = {
        "model": proto,
        "per_channel": config.flag("quantization.per_channel"),
        "reduce_range": reduced,
        "weight_qType": _TYPES[config.text("quantization.weight")],
        "activation_qType": _TYPES[config.text("quantization.activation")],
        "tensors_range": TensorsData(
            CalibrationMethod.MinMax,
            {name: _wide_enough(low, high) for name, (low, high) in ranges.items()},
        ),
        "nodes_to_quantize": [],
        "nodes_to_exclude": list(excluded),
        "op_types_to_quantize": list({*QLinearOpsRegistry, *QDQRegistry}),
    }
    if QuantFormat[_format(config)] is QuantFormat.QOperator:
        quantizer = ONNXQuantizer(mode=QuantizationMode.QLinearOps, static=True, **arguments, extra_options={})
    else:
        quantizer = QDQQuantizer(**arguments, extra_options={})
    quantizer.quantize_model()
    quantizer.model.topological_sort()
    result: onnx.ModelProto = quantizer.model.model
    return result


def _wide_enough(low: float, high: float) -> tuple[np.float32, np.float32]:
    """Return a range whose scale is no smaller than the smallest that the other engines allow."""
    low, high = min(low, 0.0), max(high, 0.0)
    missing = max(255 * EPS - (high - low), 0.0)
    return np.float32(low), np.float32(high + missing)


def nodes_called(names: Collection[str], model: onnx.ModelProto) -> list[str]:
    """Return the nodes called *names*, also where the pre-processing fused them into one with a longer name."""
    return [
        node.name
        for node in model.graph.node
        if any(re.fullmatch(rf"{re.escape(n)}(/\w*Fusion\w*)?", node.name) for n in names)
    ]


def _format(config: Config) -> str:
    return {"qdq": "QDQ", "qoperator": "QOperator"}[config.text("quantization.format")]


def quantize_dynamically(
    model: onnx.ModelProto, target: Path, config: Config, excluded: Sequence[str], reduced: bool
) -> None:
    """Write the dynamic INT8 model: products and LSTMs; activations get their scale while running."""
    quantize_dynamic(
        model,
        target,
        op_types_to_quantize=_DYNAMIC_OPS,
        per_channel=config.flag("quantization.per_channel"),
        reduce_range=reduced,
        weight_type=_TYPES[config.text("quantization.weight")],
        nodes_to_exclude=list(excluded),
    )


def scales(model: onnx.ModelProto) -> dict[str, tuple[float, int]]:
    """Read back scale and zero point of every quantized activation from the finished model."""
    values = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    found = {}
    for name, scale in values.items():
        tensor = name.removesuffix("_scale")
        if name.endswith("_scale") and scale.size == 1 and f"{tensor}_zero_point" in values:
            found[tensor] = (float(scale.reshape(-1)[0]), int(values[f"{tensor}_zero_point"].reshape(-1)[0]))
    return found


# It prints advice about its own defaults, which are not used here.
logging.getLogger("root").addFilter(lambda record: "pre-processing" not in record.getMessage())

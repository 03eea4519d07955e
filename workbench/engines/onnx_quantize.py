"""Static and dynamic INT8 for ONNX Runtime: calibration sample by sample, ranges in, QDQ model out.

Used by the ``onnxruntime`` engine.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_dynamic,
)
from onnxruntime.quantization.calibrate import TensorsData, create_calibrator
from onnxruntime.quantization.onnx_quantizer import ONNXQuantizer
from onnxruntime.quantization.qdq_quantizer import QDQQuantizer
from onnxruntime.quantization.quant_utils import QuantizationMode, load_model_with_shape_infer
from onnxruntime.quantization.registry import QDQRegistry, QLinearOpsRegistry
from onnxruntime.quantization.shape_inference import quant_pre_process

from workbench.core.config import Config
from workbench.engines.base import Feed, InvalidResult

_METHODS = {
    "minmax": CalibrationMethod.MinMax,
    "moving-average": CalibrationMethod.MinMax,
    "percentile": CalibrationMethod.Percentile,
    "entropy": CalibrationMethod.Entropy,
}
_TYPES = {"quint8": QuantType.QUInt8, "qint8": QuantType.QInt8}
# ConvInteger has no tuned kernel (B04): dynamic INT8 is for products and recurrent layers.
_DYNAMIC_OPS = ["MatMul", "LSTM", "Attention"]
# Finer than ONNX Runtime's 128 bins, which cost a percentile of 99.9 most of its meaning.
_HISTOGRAM_BINS = 2048


def preprocessed(source: Path, target: Path) -> None:
    """Infer shapes and fold batch norms, without which nothing after a convolution is fused."""
    # The symbolic inference wants sympy and only helps with transformers of open sizes.
    quant_pre_process(source, target, skip_symbolic_shape=True)


class _One(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, feed: Feed) -> None:
        self._feed: dict[str, np.ndarray] | None = dict(feed)

    def get_next(self) -> dict[str, np.ndarray] | None:
        feed, self._feed = self._feed, None
        return feed


def calibrate(model: Path, config: Config, feeds: Iterable[Feed], folder: Path) -> TensorsData:
    """Run *feeds* one by one through the augmented model; memory does not grow with their number (B48).

    Args:
        model: pre-processed model.
        folder: where the augmented model may lie meanwhile.

    Raises:
        InvalidResult: no sample, or a range that is not finite.
    """
    observer = config.text("calibration.observer")
    options: dict[str, Any] = {}
    if observer == "moving-average":
        options = {"moving_average": True, "averaging_constant": 1 - float(config["calibration.decay"])}
    elif observer == "percentile":
        options = {"percentile": float(config["calibration.percentile"]), "num_bins": _HISTOGRAM_BINS}
    calibrator = create_calibrator(
        model,
        augmented_model_path=str(folder / "augmented.onnx"),
        calibrate_method=_METHODS[observer],
        providers=["CPUExecutionProvider"],
        extra_options=options,
    )
    seen = 0
    for feed in feeds:
        seen += 1
        try:
            calibrator.collect_data(_One(feed))
        except ValueError as error:  # what numpy says of a histogram over NaN or infinity
            if "not finite" not in str(error):
                raise
            raise InvalidResult(f"Calibration saw values that are not finite, in sample {seen}.") from error
    if not seen:
        raise InvalidResult("Calibration saw no sample.")
    data: TensorsData = calibrator.compute_data()
    wild = [name for name, entry in data.items() if not np.all(np.isfinite(np.asarray(entry.range_value, np.float64)))]
    if wild:
        raise InvalidResult(f"Calibration saw values that are not finite in {', '.join(wild[:5])}.")
    return data


def quantize(
    model: Path, target: Path, config: Config, ranges: TensorsData, excluded: Collection[str], reduced: bool
) -> None:
    """Write the static INT8 model.

    Args:
        excluded: names of nodes that stay in FP32.
        reduced: 7-bit weights, so that pairs of products fit into int16.
    """
    proto = load_model_with_shape_infer(model)
    arguments: dict[str, Any] = {
        "model": proto,
        "per_channel": config.flag("quantization.per_channel"),
        "reduce_range": reduced,
        "weight_qType": _TYPES[config.text("quantization.weight")],
        "activation_qType": _TYPES[config.text("quantization.activation")],
        "tensors_range": ranges,
        "nodes_to_quantize": [],
        "nodes_to_exclude": _excluded(proto, excluded),
        "op_types_to_quantize": list({*QLinearOpsRegistry, *QDQRegistry}),
    }
    if QuantFormat[_format(config)] is QuantFormat.QOperator:
        quantizer = ONNXQuantizer(mode=QuantizationMode.QLinearOps, static=True, **arguments, extra_options={})
    else:
        quantizer = QDQQuantizer(**arguments, extra_options={})
    quantizer.quantize_model()
    quantizer.model.save_model_to_file(target, False)


def _excluded(model: onnx.ModelProto, names: Collection[str]) -> list[str]:
    """Return the nodes called *names*, also where the pre-processing fused them into one with a longer name."""
    return [
        node.name
        for node in model.graph.node
        if any(re.fullmatch(rf"{re.escape(n)}(/\w*Fusion\w*)?", node.name) for n in names)
    ]


def _format(config: Config) -> str:
    return {"qdq": "QDQ", "qoperator": "QOperator"}[config.text("quantization.format")]


def quantize_dynamically(model: Path, target: Path, config: Config, excluded: Collection[str], reduced: bool) -> None:
    """Write the dynamic INT8 model: products and LSTMs; activations get their scale while running."""
    quantize_dynamic(
        model,
        target,
        op_types_to_quantize=_DYNAMIC_OPS,
        per_channel=config.flag("quantization.per_channel"),
        reduce_range=reduced,
        weight_type=_TYPES[config.text("quantization.weight")],
        nodes_to_exclude=_excluded(onnx.load(model), excluded),
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

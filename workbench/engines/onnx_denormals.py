"""Whether ONNX Runtime takes denormals for zero: computed, not believed. Used by the ``onnxruntime`` engine."""

from __future__ import annotations

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper

_OPSET = helper.make_opsetid("", 13)
_SMALL = np.array([0x00000400], np.uint32).view(np.float32)
"""1024 steps above zero, as bits: a number that is written down might be flushed already."""


def flushed(options: ort.SessionOptions) -> bool:
    """Return whether a session with *options* adds two denormals to zero.

    The first session of a process decides for its main thread, whatever later ones ask for.
    """
    shape = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Add", ["x", "x"], ["y"])], "denormals", shape[:1], shape[1:])
    model = helper.make_model(graph, opset_imports=[_OPSET], ir_version=8)
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    (result,) = session.run(None, {"x": _SMALL})
    return not result.view(np.uint32)[0]

"""Small conversions around torch: values out, error texts short. Used by the PyTorch engines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import torch


def to_numpy(value: Any) -> Any:
    """Turn tensors inside nested tuples, lists and mappings into numpy arrays (half types as float32)."""
    if isinstance(value, torch.Tensor):
        value = value.detach()
        if value.is_quantized:
            value = value.dequantize()
        return (value.float() if value.dtype in (torch.bfloat16, torch.float16) else value).numpy()
    if isinstance(value, Mapping):
        return {str(key): to_numpy(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_numpy(item) for item in value]
    return value


def first_line(error: BaseException) -> str:
    """Return the first line of an exception's text that says something."""
    lines = [line for line in re.split(r"[\r\n]+", str(error)) if line.strip()]
    return lines[0].strip() if lines else type(error).__name__

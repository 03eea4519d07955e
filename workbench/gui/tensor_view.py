"""What there is to see in a tensor: a picture, a map or a line, and numbers per channel. No Qt in here.

Used by the tensor preview, in a background task. The picture shows the very values, channel 0, 1, 2 as red,
green, blue, from the tensor's lowest to its highest value; nothing of the preprocessing is undone, so that
swapped channels or a wrong scale look wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Kind = Literal["picture", "map", "line", "value"]
MOST_CHANNELS = 16
"""So many channels are listed and shown at most."""
MOST_PIXELS = 1024
"""Larger sides are thinned out before they are shown."""


@dataclass(frozen=True)
class Channel:
    """Numbers of one channel, over its finite values; NaN where there are none."""

    name: str
    low: float
    mean: float
    high: float


@dataclass(frozen=True)
class TensorView:
    """One input's tensor, ready to be drawn.

    Attributes:
        name: of the model's input.
        shape: as the model gets it.
        dtype: as the model gets it.
        kind: how it is drawn.
        channels: numbers per channel.
        planes: uint8 images, height × width, one per shown channel; empty for a line.
        together: uint8 height × width × 3, where three channels make a picture.
        line: the values of a line, in order.
        low, high: what black and white (or the line's edges) stand for.
        bad: how many values are not finite.
        total: number of channels, shown or not.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    kind: Kind
    channels: tuple[Channel, ...]
    planes: tuple[np.ndarray[Any, np.dtype[np.uint8]], ...] = ()
    together: np.ndarray[Any, np.dtype[np.uint8]] | None = None
    line: np.ndarray[Any, np.dtype[np.float64]] | None = None
    low: float = 0.0
    high: float = 0.0
    bad: int = 0
    total: int = 1


def view_of(name: str, array: np.ndarray[Any, Any], layout: str = "nchw") -> TensorView:
    """Look at *array*, whose first axis is the batch; of several samples the first is shown.

    Args:
        name: of the input.
        array: what the model gets.
        layout: ``nchw`` or ``nhwc``; only looked at where there are four axes.
    """
    sample = np.asarray(array[0] if array.ndim else array).astype(np.float64)
    finite = np.isfinite(sample)
    bad = int(sample.size - np.count_nonzero(finite))
    low, high = _extremes(sample, finite)
    stack, kind = _channels(sample, layout)
    names = _names(len(stack), kind)
    channels = tuple(
        _numbers(label, plane, np.isfinite(plane)) for label, plane in zip(names, stack[:MOST_CHANNELS], strict=False)
    )
    shape, dtype = tuple(array.shape), str(array.dtype)
    if kind in ("line", "value"):
        return TensorView(name, shape, dtype, kind, channels, line=stack[0], low=low, high=high, bad=bad)
    planes = tuple(_bytes(_thinned(plane), low, high) for plane in stack[:MOST_CHANNELS])
    together = np.stack(planes, axis=2) if kind == "picture" and len(planes) == 3 else None
    return TensorView(
        name, shape, dtype, kind, channels, planes, together, low=low, high=high, bad=bad, total=len(stack)
    )


def _channels(sample: np.ndarray[Any, Any], layout: str) -> tuple[list[np.ndarray[Any, Any]], Kind]:
    """Split a sample (without its batch axis) into planes or one line, and say how to draw them."""
    if sample.ndim == 0 or sample.size <= 1:
        return [sample.reshape(-1)], "value"
    if sample.ndim == 1:
        return [sample], "line"
    if sample.ndim == 2:
        return [sample], "map"
    if sample.ndim == 3:
        planes = list(sample if layout == "nchw" else np.moveaxis(sample, -1, 0))
        flat = min(planes[0].shape) == 1
        kind: Kind = "picture" if len(planes) in (1, 3) and not flat else "map"
        return planes, kind
    return list(sample.reshape(-1, *sample.shape[-2:])), "map"


def _names(count: int, kind: Kind) -> list[str]:
    return ["all"] if count == 1 and kind != "picture" else [str(number) for number in range(count)]


def _numbers(name: str, plane: np.ndarray[Any, Any], finite: np.ndarray[Any, Any]) -> Channel:
    values = plane[finite]
    if values.size == 0:
        return Channel(name, float("nan"), float("nan"), float("nan"))
    return Channel(name, float(values.min()), float(values.mean()), float(values.max()))


def _extremes(values: np.ndarray[Any, Any], finite: np.ndarray[Any, Any]) -> tuple[float, float]:
    known = values[finite]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)


def _thinned(plane: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    rows, columns = (max(1, -(-side // MOST_PIXELS)) for side in plane.shape)
    return plane[::rows, ::columns]


def _bytes(plane: np.ndarray[Any, Any], low: float, high: float) -> np.ndarray[Any, np.dtype[np.uint8]]:
    span = high - low
    scaled = (plane - low) / span if span > 0 else np.full(plane.shape, 0.5)
    clean = np.nan_to_num(scaled, nan=0.0, posinf=1.0, neginf=0.0)
    return np.ascontiguousarray(np.rint(np.clip(clean, 0.0, 1.0) * 255).astype(np.uint8))

"""Decoded pixels to the tensor that a model gets: the arithmetic of :class:`workbench.core.preprocess.Preprocess`.

Needs nothing but numpy and OpenCV: an exported bundle carries this file along, so that a picture is prepared on
the target by the same lines as here.

Order of the steps: colour → resize → centre crop → ``(x - mean) / std`` → dtype → layout.
OpenCV runs on one thread here (``cv2.setNumThreads(1)``), so that it never disturbs a measurement.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from workbench.core.picture import opencv

LETTERBOX_LEVEL = 114
"""Gray level of the bars around a letterboxed picture, the habit of the YOLO family."""


Recipe: TypeAlias = Any
"""Anything with the attributes of :class:`workbench.core.preprocess.Preprocess`, which says what each means."""


def prepare(pixels: np.ndarray[Any, Any], recipe: Recipe) -> np.ndarray[Any, Any]:
    """Turn pixels into a tensor.

    Args:
        pixels: ``uint8``, height × width (gray) or height × width × 3 (red, green, blue); at least as large, once
            resized, as the crop.

    Returns:
        Contiguous array of the recipe's dtype with a leading batch axis of 1, in its layout.
    """
    array = _cropped(_scaled(_colored(pixels, recipe), recipe), recipe)
    values = (array - np.array(recipe.mean, np.float32)) / np.array(recipe.std, np.float32)
    if recipe.layout == "nchw":
        values = values.transpose(2, 0, 1)
    return np.ascontiguousarray(cast(values, recipe.dtype)[None])


def resized(recipe: Recipe, height: int, width: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (height, width) of the scaled picture, and of the canvas it lies on."""
    if recipe.size is None:
        return (height, width), (height, width)
    target = pair(recipe.size)
    if recipe.resize == "squash":
        return target, target
    ratios = target[0] / height, target[1] / width
    scale = max(ratios) if recipe.resize == "shorter" else min(ratios)
    scaled = max(1, round(height * scale)), max(1, round(width * scale))
    return scaled, scaled if recipe.resize == "shorter" else target


def _colored(pixels: np.ndarray[Any, Any], recipe: Recipe) -> np.ndarray[Any, Any]:
    if recipe.color == "gray":
        gray = pixels if pixels.ndim == 2 else opencv().cvtColor(pixels, opencv().COLOR_RGB2GRAY)
        return np.asarray(gray)[:, :, None]
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[:, :, None], 3, axis=2)
    return pixels if recipe.color == "rgb" else pixels[:, :, ::-1]


def _scaled(pixels: np.ndarray[Any, Any], recipe: Recipe) -> np.ndarray[Any, Any]:
    height, width, channels = pixels.shape
    scaled, canvas = resized(recipe, height, width)
    if scaled != (height, width):
        cv2 = opencv()
        # Area averaging avoids the aliasing that plain bilinear sampling shows when shrinking.
        method = cv2.INTER_AREA if scaled[0] * scaled[1] < height * width else cv2.INTER_LINEAR
        pixels = cv2.resize(np.ascontiguousarray(pixels), scaled[::-1], interpolation=method)
        pixels = np.asarray(pixels).reshape(*scaled, channels)
    if canvas == scaled:
        return pixels
    framed = np.full((*canvas, channels), LETTERBOX_LEVEL, np.uint8)
    top, left = (canvas[0] - scaled[0]) // 2, (canvas[1] - scaled[1]) // 2
    framed[top : top + scaled[0], left : left + scaled[1]] = pixels
    return framed


def _cropped(pixels: np.ndarray[Any, Any], recipe: Recipe) -> np.ndarray[Any, Any]:
    if recipe.crop is None:
        return pixels
    rows, columns = pair(recipe.crop)
    top, left = (pixels.shape[0] - rows) // 2, (pixels.shape[1] - columns) // 2
    cut: np.ndarray[Any, Any] = pixels[top : top + rows, left : left + columns]
    return cut


def cast(values: np.ndarray[Any, Any], dtype: str) -> np.ndarray[Any, Any]:
    """Convert *values* to *dtype*; from floating point to integers by rounding and saturating.

    ``bfloat16`` is unknown to numpy: such an input is delivered as ``float32`` for the engine to narrow.
    """
    kind = np.dtype("float32" if dtype == "bfloat16" else dtype)
    if kind.kind in "iu" and values.dtype.kind == "f":
        limits = np.iinfo(kind)
        # float64 holds every limit up to 32 bit exactly; the last step of 64 bit is clipped below it.
        high = float(limits.max) if limits.bits < 64 else float(np.nextafter(float(limits.max), 0.0))
        values = np.clip(np.rint(values.astype(np.float64)), float(limits.min), high)
    return np.asarray(values, kind)


def pair(extent: int | tuple[int, int] | None) -> tuple[int, int]:
    """Return (height, width) of an extent that may be one number for a square.

    Raises:
        ValueError: there is none.
    """
    if extent is None:
        raise ValueError("no extent")
    return (extent, extent) if isinstance(extent, int) else extent

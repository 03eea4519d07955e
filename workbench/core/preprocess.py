"""THE preprocessing object: from picture bytes to the tensor that the model gets.

Calibration, accuracy, timing, the window's preview and the exported bundle all hold the same
:class:`Preprocess`, so a picture can never be prepared in two ways. How the modes of files are treated
(alpha, 16 bit, palettes, EXIF orientation) is said in :mod:`workbench.core.picture`.

The arithmetic itself is in :mod:`workbench.core.pixels`, which a bundle carries along as it is.
"""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

import msgspec
import numpy as np

from workbench.core.picture import BrokenImageError, Decoded, decode
from workbench.core.pixels import pair, prepare, resized
from workbench.errors import UserError, nearest

Resize = Literal["squash", "shorter", "letterbox"]
Color = Literal["rgb", "bgr", "gray"]
Layout = Literal["nchw", "nhwc"]
Dtype = Literal["float32", "float64", "float16", "uint8", "int8", "uint16", "int16", "int32", "int64"]


class Preprocess(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a picture becomes a model input; immutable, written to and read from ``[preprocess]``.

    Attributes:
        size: target (height, width), or one number; ``None`` keeps the picture's own size. For
            ``shorter`` one number is the length of the shorter side.
        resize: ``squash`` to exactly *size*; ``shorter`` keeps the aspect and covers *size*;
            ``letterbox`` keeps the aspect, fits inside *size* and fills up with gray 114, centred.
        crop: (height, width) of a centre crop after resizing, or one number for a square.
        color: channel order, or ``gray`` for one channel.
        mean: subtracted, in 0..255 pixel units; one value or one per channel.
        std: divisor, in 0..255 pixel units; one value or one per channel.
        layout: axis order of the result.
        dtype: element type of the result; for integer types values are rounded and saturated.

    Raises:
        UserError: a value that makes no sense, with its key and what is allowed.
    """

    size: int | tuple[int, int] | None = None
    resize: Resize = "squash"
    crop: int | tuple[int, int] | None = None
    color: Color = "rgb"
    mean: tuple[float, ...] = (0.0,)
    std: tuple[float, ...] = (1.0,)
    layout: Layout = "nchw"
    dtype: Dtype = "float32"

    def __post_init__(self) -> None:
        _check_choice("resize", self.resize, get_args(Resize))
        _check_choice("color", self.color, get_args(Color))
        _check_choice("layout", self.layout, get_args(Layout))
        _check_choice("dtype", self.dtype, get_args(Dtype))
        _check_extent("size", self.size)
        _check_extent("crop", self.crop)
        self._check_statistics("mean", self.mean)
        self._check_statistics("std", self.std)
        if any(value == 0 for value in self.std):
            _refuse("std", self.std, "every value must differ from zero, because pixels are divided by it")
        if self.size is None and self.resize != "squash":
            _refuse("resize", self.resize, "without preprocess.size nothing is resized; set a size as well")
        if self.size is not None and self.crop is not None and self.resize != "shorter":
            self._check_crop(pair(self.size))

    @property
    def channels(self) -> int:
        """Number of channels of the result: 3, or 1 for gray."""
        return 1 if self.color == "gray" else 3

    def decode(self, data: bytes) -> Decoded:
        """Decode the bytes of a picture file to 8-bit RGB; see :func:`workbench.core.picture.decode`.

        Raises:
            BrokenImageError: the bytes are no usable picture.
        """
        return decode(data)

    def output_shape(self, height: int, width: int) -> tuple[int, int, int, int]:
        """Return the shape that :meth:`apply` gives for a picture of *height* × *width* pixels.

        Raises:
            UserError: the crop is larger than the resized picture.
        """
        extent = resized(self, height, width)[1]
        if self.crop is not None:
            self._check_crop(extent)
            extent = pair(self.crop)
        rows, columns = extent
        if self.layout == "nchw":
            return (1, self.channels, rows, columns)
        return (1, rows, columns, self.channels)

    def apply(self, image: Decoded | np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Turn a decoded picture into the model's tensor.

        Args:
            image: what :meth:`decode` gave, or a ``uint8`` array, height × width (gray) or
                height × width × 3 (red, green, blue).

        Returns:
            Contiguous array of ``self.dtype`` with a leading batch axis of 1, in ``self.layout``.

        Raises:
            UserError: the crop is larger than the resized picture.
            ValueError: *image* is no such array.
        """
        pixels = image.pixels if isinstance(image, Decoded) else image
        if pixels.dtype != np.uint8 or not (pixels.ndim == 2 or (pixels.ndim == 3 and pixels.shape[2] == 3)):
            raise ValueError(f"expected uint8 H×W or H×W×3, got {pixels.dtype} {pixels.shape}")
        if pixels.size == 0:
            raise ValueError("the picture has no pixels")
        if self.crop is not None:
            self._check_crop(resized(self, *pixels.shape[:2])[1])
        return prepare(pixels, self)

    def from_bytes(self, data: bytes) -> np.ndarray[Any, Any]:
        """Decode and apply in one step; raises what :meth:`decode` and :meth:`apply` raise."""
        return self.apply(self.decode(data))

    def _check_statistics(self, key: str, values: tuple[float, ...]) -> None:
        if len(values) not in (1, self.channels):
            allowed = "one value" if self.channels == 1 else f"one value or {self.channels}, one per channel"
            _refuse(key, values, f"{allowed}, because color = '{self.color}'")
        if not all(math.isfinite(value) for value in values):
            _refuse(key, values, "finite numbers in 0..255 pixel units")

    def _check_crop(self, extent: tuple[int, int]) -> None:
        rows, columns = pair(self.crop)
        if rows > extent[0] or columns > extent[1]:
            _refuse(
                "crop",
                self.crop,
                f"at most the resized picture it is cut from: {extent[0]}×{extent[1]} (height×width)",
            )


def _check_extent(key: str, extent: int | tuple[int, int] | None) -> None:
    if extent is not None and not all(1 <= value <= 32768 for value in pair(extent)):
        _refuse(key, extent, "one number or (height, width), each from 1 to 32768")


def _check_choice(key: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        _refuse(key, value, f"one of {', '.join(choices)}", nearest(value, choices))


def _refuse(key: str, value: object, allowed: str, next_step: str = "") -> None:
    raise UserError(
        f"preprocess.{key} = {value!r} is not possible.",
        f"Allowed: {allowed}.",
        next_step or f"Change preprocess.{key}.",
    )


__all__ = ["BrokenImageError", "Decoded", "Preprocess", "decode"]

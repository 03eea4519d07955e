"""Picture bytes to 8-bit RGB, whatever the file holds; used by :mod:`workbench.core.preprocess`.

One policy for every mode, so that no calibration picture crashes a run or poisons a range:

* transparency is composited on white (:data:`BACKGROUND`);
* 16-bit samples are scaled to 8 bit (65535 becomes 255), floating-point pixels are refused;
* gray is replicated to three channels, palettes are expanded, CMYK is converted;
* the EXIF orientation of a JPEG is applied, because that is the picture people see (Pillow, and with it
  torchvision's ``ImageFolder``, does not do this by itself).

Bytes are decoded rather than paths opened, because OpenCV on Windows cannot open a path outside the
system's code page.
"""

from __future__ import annotations

import functools
import zlib
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

BACKGROUND = 255
"""The gray level (white) that transparent pixels show."""

EXTENSIONS = frozenset(
    {
        ".png",
        ".jpg",
        ".jpeg",
        ".jpe",
        ".bmp",
        ".dib",
        ".webp",
        ".tif",
        ".tiff",
        ".gif",
        ".ppm",
        ".pgm",
        ".pbm",
    }
)

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_MODES = {0: "gray", 2: "rgb", 3: "palette", 4: "gray-alpha", 6: "rgba"}
_JPEG_MODES = {1: "gray", 3: "rgb", 4: "cmyk"}
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_STANDALONE = frozenset({0x01, *range(0xD0, 0xD9)})


class BrokenImageError(ValueError):
    """These bytes are no picture that can be used; the message is the reason in words."""


class Decoded(NamedTuple):
    """A picture after decoding and mode policy.

    Attributes:
        pixels: ``uint8``, height × width × 3, in the order red, green, blue.
        mode: what the file held: ``rgb``, ``rgba``, ``gray``, ``gray16``, ``palette``, ``cmyk``, ….
    """

    pixels: np.ndarray[Any, np.dtype[np.uint8]]
    mode: str


@functools.cache
def opencv() -> ModuleType:
    """Return ``cv2``, imported on first use and told to start no threads.

    Its thread pool would inherit the worker's affinity and spin on the very cores that are being
    timed, so everything here runs on the calling thread.
    """
    import cv2

    cv2.setNumThreads(1)
    return cv2


def sniff(data: bytes) -> str:
    """Tell the mode of a picture from its header and check that the file is whole, without decoding.

    PNG and JPEG are understood; other formats answer ``""`` (their mode shows when they are decoded).

    Raises:
        BrokenImageError: the file is empty, cut off or damaged; the message says which.
    """
    if not data:
        raise BrokenImageError("the file is empty")
    if data.startswith(_PNG):
        return _sniff_png(data)
    if data.startswith(b"\xff\xd8"):
        return _sniff_jpeg(data)
    return ""


def decode(data: bytes) -> Decoded:
    """Decode *data* to 8-bit RGB by the policy of this module.

    Raises:
        BrokenImageError: no picture, a damaged one, or one with floating-point pixels.
    """
    mode = sniff(data)
    cv2 = opencv()
    # IMREAD_UNCHANGED keeps alpha and 16 bit; JPEG has neither and wants its orientation applied.
    flag = cv2.IMREAD_COLOR if data.startswith(b"\xff\xd8") else cv2.IMREAD_UNCHANGED
    try:
        raw = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    except cv2.error as error:
        raise BrokenImageError(f"OpenCV cannot decode it: {' '.join(str(error).split())}") from error
    if raw is None or raw.size == 0:
        raise BrokenImageError("not a picture that OpenCV can decode, or its data is damaged")
    return Decoded(_to_rgb(raw), mode or _mode_of(raw))


def _to_rgb(raw: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Apply the mode policy to OpenCV's blue-green-red(-alpha) array."""
    if raw.dtype == np.uint16:
        raw = ((raw.astype(np.uint32) + 128) // 257).astype(np.uint8)
    if raw.dtype != np.uint8:
        raise BrokenImageError(f"its pixels are {raw.dtype}, which have no known range; store it as .npy instead")
    if raw.ndim == 2:
        raw = raw[:, :, None]
    channels = raw.shape[2]
    if channels not in (1, 2, 3, 4):
        raise BrokenImageError(f"it has {channels} channels; 1 to 4 are understood")
    color = raw if channels in (1, 3) else _composite(raw[:, :, :-1], raw[:, :, -1:])
    rgb = np.repeat(color, 3, axis=2) if color.shape[2] == 1 else color[:, :, ::-1]
    return np.ascontiguousarray(rgb)


def _composite(color: np.ndarray[Any, Any], alpha: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    weight = alpha.astype(np.uint32)
    mixed = color.astype(np.uint32) * weight + BACKGROUND * (255 - weight)
    return np.asarray((mixed + 127) // 255, np.uint8)


def _mode_of(raw: np.ndarray[Any, Any]) -> str:
    channels = 1 if raw.ndim == 2 else raw.shape[2]
    name = {1: "gray", 2: "gray-alpha", 3: "rgb", 4: "rgba"}[channels]
    return f"{name}16" if raw.dtype == np.uint16 else name


def _sniff_png(data: bytes) -> str:
    position, mode, transparent = len(_PNG), "", False
    while position + 8 <= len(data):
        length = int.from_bytes(data[position : position + 4], "big")
        kind = data[position + 4 : position + 8]
        end = position + 12 + length
        if end > len(data):
            break
        if zlib.crc32(data[position + 4 : end - 4]) != int.from_bytes(data[end - 4 : end], "big"):
            raise BrokenImageError(f"the PNG is damaged: wrong checksum in {kind.decode('latin-1')}")
        if kind == b"IHDR" and length >= 13:
            depth, color = data[position + 16], data[position + 17]
            mode = _PNG_MODES.get(color, "") + ("16" if depth == 16 else "")
        transparent |= kind == b"tRNS"
        if kind == b"IEND":
            return f"{mode}-alpha" if transparent else mode
        position = end
    raise BrokenImageError("the PNG is cut off")


def _sniff_jpeg(data: bytes) -> str:
    position, mode = 2, ""
    while position + 4 <= len(data) and data[position] == 0xFF:
        marker = data[position + 1]
        if marker == 0xFF or marker in _STANDALONE:
            position += 1 if marker == 0xFF else 2
            continue
        if marker in _START_OF_FRAME and position + 9 < len(data):
            mode = _JPEG_MODES.get(data[position + 9], "")
        if marker == 0xDA:
            # Looked for only after the scan starts: an EXIF thumbnail has an end marker of its own.
            if data.rfind(b"\xff\xd9", position) < 0:
                break
            return mode
        position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    raise BrokenImageError("the JPEG is cut off")

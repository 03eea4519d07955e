"""Inputs laid out in memory as the config asks. Used by every engine."""

from __future__ import annotations

import numpy as np

_LINE = 64
"""Bytes: a cache line, and the widest vector register."""


def laid_out(array: np.ndarray, *, aligned: bool, channels_last: bool = False) -> np.ndarray:
    """Return a copy of *array* with the same shape and dtype.

    Args:
        aligned: start on a 64-byte boundary; else 4 bytes behind one, or one element where that is larger.
        channels_last: keep N×C×H×W as N×H×W×C in memory.
    """
    store = np.empty(array.nbytes + 2 * _LINE, np.uint8)
    start = -store.ctypes.data % _LINE + (0 if aligned else max(4, array.itemsize))
    flat = store[start : start + array.nbytes].view(array.dtype)
    if channels_last:
        n, c, h, w = array.shape
        placed = flat.reshape(n, h, w, c).transpose(0, 3, 1, 2)
    else:
        placed = flat.reshape(array.shape)
    placed[...] = array
    return placed

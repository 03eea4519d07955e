"""What a model returns, as a flat list of named arrays, and the distances they are compared by.

Used by :mod:`workbench.core.accuracy` and :mod:`workbench.core.slices`, and by engines to name outputs the same
way everywhere. A bundle carries this file along: nothing but numpy is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.errors import UserError

Floats = npt.NDArray[np.float64]
Leaves = Sequence[tuple[str, np.ndarray[Any, Any]]]

SQNR_CAP = 200.0


def flatten_outputs(value: object) -> list[tuple[str, np.ndarray[Any, Any]]]:
    """Name every array in a nested tuple, list, mapping or array, in order.

    One array is ``output``; a sequence gives ``output.0``, ``output.1``; a mapping (or a named tuple) its
    keys (``boxes``); nesting joins with dots (a list of mappings: ``0.scores``). ``None`` is left out,
    plain numbers become scalar arrays.

    Raises:
        UserError: something that is no array of numbers.
    """
    leaves = []
    for path, array in _walk(value, ()):
        keyed = any(isinstance(part, str) for part in path)
        parts = path if keyed else ("output", *path)
        leaves.append((".".join(str(part) for part in parts), array))
    return leaves


def numbers(array: np.ndarray[Any, Any]) -> Floats:
    """Return *array* as float64, also for integers, booleans and ``bfloat16``."""
    return array.astype(np.float64)


def _walk(value: object, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], np.ndarray[Any, Any]]]:
    if value is None:
        return
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _walk(part, (*path, str(key)))
    elif isinstance(value, (tuple, list)):
        names = getattr(value, "_fields", range(len(value)))
        for key, part in zip(names, value, strict=True):
            yield from _walk(part, (*path, key))
    else:
        try:
            array = np.asarray(value)
        except (TypeError, ValueError, RuntimeError) as error:
            raise _not_numbers(value) from error
        if array.dtype.kind not in "biuf" and array.dtype.name != "bfloat16":
            raise _not_numbers(value)
        yield path, array


def _not_numbers(value: object) -> UserError:
    return UserError(
        f"The model returns a {type(value).__name__}, which cannot be compared.",
        "Outputs must be real-valued tensors, or tuples, lists and dictionaries of them.",
        "Wrap the model so that it returns tensors only.",
    )


def cosine(a: Floats, b: Floats) -> float:
    """Return the cosine of the angle between two finite arrays, seen as vectors, in −1..1.

    Two zero vectors (or two empty ones) are equal, 1.0; one zero vector alone gives 0.0.
    """
    # Scaled by the largest value first, so that squares of huge or tiny values neither overflow nor vanish.
    peak_a, peak_b = np.abs(a).max(initial=0.0), np.abs(b).max(initial=0.0)
    if peak_a == 0 or peak_b == 0:
        return 1.0 if peak_a == peak_b else 0.0
    x, y = a.ravel() / peak_a, b.ravel() / peak_b
    value = float(x @ y) / math.sqrt(float(x @ x) * float(y @ y))
    return max(-1.0, min(1.0, value))


def sqnr_db(signal: float, noise: float) -> float:
    """Return 10·log10(signal / noise) of two energies, within ±:data:`SQNR_CAP`."""
    if noise <= 0:
        return SQNR_CAP
    if signal <= 0:
        return -SQNR_CAP
    value = 10.0 * (math.log10(signal) - math.log10(noise))
    return max(-SQNR_CAP, min(SQNR_CAP, value))


def is_scores(array: np.ndarray) -> bool:
    """Tell whether a leaf looks like class scores: floating point, (batch ≥ 1, classes ≥ 2)."""
    floating = array.dtype.kind == "f" or array.dtype.name == "bfloat16"
    return floating and array.ndim == 2 and array.shape[0] >= 1 and array.shape[1] >= 2


def kl_divergence(reference: Floats, candidate: Floats) -> float:
    """Return the mean over rows of KL(reference ‖ candidate) in nats, from finite scores (rows, classes)."""
    p, q = _log_probabilities(reference, reference), _log_probabilities(candidate, reference)
    return max(0.0, float((np.exp(p) * (p - q)).sum(axis=1).mean()))


def _log_probabilities(scores: Floats, reference: Floats) -> Floats:
    if reference.min() >= 0 and np.allclose(reference.sum(axis=1), 1.0, atol=1e-3):
        positive = np.clip(scores, 1e-12, None)
        shares: Floats = np.log(positive / positive.sum(axis=1, keepdims=True))
        return shares
    shifted = scores - scores.max(axis=1, keepdims=True)
    logs: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return logs

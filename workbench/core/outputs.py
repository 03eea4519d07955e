"""What a model returns, as a flat list of named arrays, and the search for dead slices in it.

Used by :mod:`workbench.core.accuracy`, and by engines to name outputs the same way everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.errors import UserError

Floats = npt.NDArray[np.float64]
Leaves = Sequence[tuple[str, np.ndarray[Any, Any]]]

LEAST_VALUES = 16
"""So many values must lie in a slice before being constant is more than coarse rounding of a few."""
LEAST_VARIATION = 1e-5
"""A slice varies in FP32 if its range is above this share of the output's largest value…"""
LEAST_PROBABILITY = 0.05
"""…or above this where the whole output lies within 0..1: there a class that never occurs may round to 0."""

LEAST_MOVE = 0.02
"""FP32 tells samples apart if they differ by this share of its range: several steps of 8 bit."""


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


class _Extremes:
    """Smallest and largest value per slice along one axis, and how many values each slice has seen."""

    def __init__(self, axis: int, length: int) -> None:
        self.axis = axis
        self.low = np.full((2, length), np.inf)
        self.high = np.full((2, length), -np.inf)
        self.values = 0

    def add(self, reference: Floats, candidate: Floats) -> None:
        others = tuple(axis for axis in range(reference.ndim) if axis != self.axis)
        for side, array in enumerate((reference, candidate)):
            self.low[side] = np.minimum(self.low[side], array.min(axis=others))
            self.high[side] = np.maximum(self.high[side], array.max(axis=others))
        self.values += reference.size // reference.shape[self.axis]

    def dead(self, least: float) -> list[int]:
        spread = self.high - self.low
        return [int(index) for index in np.flatnonzero((spread[1] == 0) & (spread[0] > least))]


class DeadSlices:
    """Finds what varies in FP32 but is constant in the candidate: one output leaf, over all samples.

    Two axes are looked at, where a leaf has three or more: 1 (channels first, as in (N, 84, 8400)) and
    the last (channels last, as in (N, 8400, 85)). A leaf of any shape is also looked at as a whole. The
    classes of a two-dimensional leaf are not slices: after a softmax most classes rightly round to zero.
    An axis whose length changes between samples is skipped.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._axes: dict[int, _Extremes] | None = None
        self._whole = _Extremes(0, 1)
        self._first: tuple[Floats, Floats] | None = None
        self._moved = [0.0, 0.0]
        self._samples = 0

    def add(self, reference: Floats, candidate: Floats) -> None:
        """Take one sample's leaf from both sides, of equal shape and finite."""
        if reference.size == 0:
            return
        self._samples += 1
        self._whole.add(reference.reshape(1, -1), candidate.reshape(1, -1))
        if self._first is None:
            self._first = (reference, candidate)
        else:
            for side, array in enumerate((reference, candidate)):
                before = self._first[side]
                moved = float(np.abs(array - before).max()) if array.shape == before.shape else np.inf
                self._moved[side] = max(self._moved[side], moved)
        lengths = {axis: reference.shape[axis] for axis in {1, reference.ndim - 1}} if reference.ndim >= 3 else {}
        if self._axes is None:
            self._axes = {axis: _Extremes(axis, length) for axis, length in lengths.items()}
        for axis in list(self._axes):
            if lengths.get(axis) != self._axes[axis].low.shape[1]:
                del self._axes[axis]
            else:
                self._axes[axis].add(reference, candidate)

    def failures(self) -> list[str]:
        """Return each finding in words; empty where all is well."""
        if self._samples == 0:
            return []
        low, high = float(self._whole.low[0, 0]), float(self._whole.high[0, 0])
        least = LEAST_VARIATION * max(abs(low), abs(high))
        if low >= 0 and high <= 1:
            least = max(least, LEAST_PROBABILITY)
        if self._whole.values >= LEAST_VALUES and self._whole.dead(least):
            value = self._whole.low[1, 0]
            return [f"output '{self.name}' is {value:g} everywhere, where FP32 ranges from {low:g} to {high:g}"]
        moves = max(least, LEAST_MOVE * (high - low))
        if self._samples >= 3 and self._moved[1] == 0 and self._moved[0] > moves:
            return [f"output '{self.name}' is the same for every sample, where FP32 is not"]
        return [
            f"output '{self.name}': {_listed(dead)} of {extremes.low.shape[1]} along axis {axis} "
            f"{'is' if len(dead) == 1 else 'are'} constant, where FP32 varies; a scale shared with larger "
            "values rounds them away"
            for axis, extremes in sorted((self._axes or {}).items())
            if extremes.values >= LEAST_VALUES and (dead := extremes.dead(least))
        ]


def _listed(indexes: list[int]) -> str:
    """Return ``slice 4`` or ``slices 4–83`` or ``slices 1, 5, 9 and 20 more``."""
    if len(indexes) == 1:
        return f"slice {indexes[0]}"
    if len(indexes) > 2 and indexes[-1] - indexes[0] == len(indexes) - 1:
        return f"slices {indexes[0]}–{indexes[-1]}"
    shown = ", ".join(str(index) for index in indexes[:6])
    return f"slices {shown}" + (f" and {len(indexes) - 6} more" if len(indexes) > 6 else "")

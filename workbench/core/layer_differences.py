"""Two trials of one model layer by layer: where another kernel ran, or the same one took another time.

Layers carry the names of the user's model on every engine, so they can be told apart by name. Used by the window.
"""

from __future__ import annotations

import msgspec

from workbench.core.layer_table import LayerRow, layer_table
from workbench.core.trial import Trial

LEAST_CHANGE = 0.25
"""Times of one run each that differ by less than this tell nothing."""
LEAST_SHARE = 0.01
"""A change of time below this share of the whole is not worth a line."""


class LayerDifference(msgspec.Struct, frozen=True, kw_only=True):
    """A layer that is not the same in both trials.

    Attributes:
        a, b: None where the trial does not have the layer.
        other_kernel: something else ran, or in another dtype; else only the time differs.
    """

    name: str
    a: LayerRow | None
    b: LayerRow | None
    other_kernel: bool

    @property
    def ms(self) -> float | None:
        """By how much longer it took in A; None where a side has no time of its own."""
        if self.a is None or self.b is None or self.a.ms is None or self.b.ms is None:
            return None
        return self.a.ms - self.b.ms


def layer_differences(a: Trial, b: Trial) -> list[LayerDifference]:
    """Return the layers that differ, the largest change of time first.

    Times are those of the proof pass, which runs once: they tell shares, not latencies. Nothing is returned where a
    trial has no proof.
    """
    if a.proof is None or b.proof is None:
        return []
    one, other = ({row.name: row for row in layer_table(trial).layers} for trial in (a, b))
    whole = max(sum(row.ms or 0.0 for row in rows.values()) for rows in (one, other))
    found = []
    for name in dict.fromkeys([*one, *other]):
        left, right = one.get(name), other.get(name)
        other_kernel = _ran(left) != _ran(right)
        difference = LayerDifference(name=name, a=left, b=right, other_kernel=other_kernel)
        if other_kernel or _is_slower(difference, whole):
            found.append(difference)
    return sorted(found, key=lambda each: -abs(each.ms or 0.0))


def _ran(row: LayerRow | None) -> tuple[str | None, str | None]:
    return (row.dtype, row.kernel) if row is not None else (None, None)


def _is_slower(difference: LayerDifference, whole: float) -> bool:
    a, b, change = difference.a, difference.b, difference.ms
    if a is None or b is None or change is None:
        return False
    return abs(change) > LEAST_CHANGE * min(a.ms or 0.0, b.ms or 0.0) and abs(change) > LEAST_SHARE * whole

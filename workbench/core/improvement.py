"""Whether a change helped: two trials of one model side by side, by what their outputs are worth."""

from __future__ import annotations

from typing import Literal

from workbench.core.accuracy import Accuracy
from workbench.core.trial import Trial

Verdict = Literal["better", "worse", "same", "unknown"]

_CLEARLY = 0.9
"""A cosine's distance from 1 must shrink to this share before it counts."""
_ROUNDING = 1e-6
"""Distances below this are rounding of FP32."""


def accuracy_verdict(before: Trial, after: Trial) -> Verdict:
    """Tell whether *after* is closer to FP32 than *before*.

    Broken outputs count first, then how often both say the same class, then the mean cosine. ``unknown`` where one
    of them was not compared with FP32, or did not end well.
    """
    if after.status != "ok":
        return "unknown"
    old, new = _compared(before), _compared(after)
    if old is None or new is None:
        # What could not even be built before and gives outputs now is better whatever they are worth.
        return "better" if new is not None and before.status != "ok" else "unknown"
    if len(new.failures) != len(old.failures):
        return "better" if len(new.failures) < len(old.failures) else "worse"
    closer = _compare(1.0 - old.cosine_mean, 1.0 - new.cosine_mean)
    if old.top1_agreement is not None and new.top1_agreement is not None:
        gain = new.top1_agreement - old.top1_agreement
        # One item that changes sides is not worth more than a mean cosine that went clearly the other way.
        if abs(gain) * min(old.samples, new.samples) > 1.5:
            return "better" if gain > 0 else "worse"
    return closer


def _compared(trial: Trial) -> Accuracy | None:
    return trial.accuracy if trial.accuracy is not None and trial.accuracy.samples else None


def _compare(before: float, after: float) -> Verdict:
    before, after = max(before, _ROUNDING), max(after, _ROUNDING)
    if after < _CLEARLY * before:
        return "better"
    return "worse" if before < _CLEARLY * after else "same"

"""What the sweep panel says: values, verdicts, recommendations, the knee."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from PySide6.QtCore import QCoreApplication

from workbench.core.figures import DASH, count, factor, milliseconds, rate
from workbench.core.knobs import BY_KEY, Value
from workbench.gui.knob_words import shown, title
from workbench.gui.language import said
from workbench.study.sweep import BATCH, KNEE_GAIN, SCALING, Advice, Point, Sweep

Goal = Literal["median", "tail"]
_SIGNS: Mapping[str, str] = {"faster": "▲", "slower": "▼", "same": "="}

translate = QCoreApplication.translate


def value_in_words(key: str, value: Value) -> str:
    """Return a value as people read it; what is no value of the knob stands as it was given."""
    knob = BY_KEY.get(key)
    return str(value) if knob is None else shown(knob, value)


def verdict_in_words(verdict: str) -> str:
    """Return how a value compares with the baseline."""
    return {
        "baseline": translate("SweepWords", "baseline"),
        "faster": translate("SweepWords", "faster"),
        "slower": translate("SweepWords", "slower"),
        "same": translate("SweepWords", "no difference shown"),
    }.get(verdict, DASH)


def effect(ratio: float | None, ci95: tuple[float, float] | None, verdict: str) -> str:
    """Return a ratio with its interval for a table."""
    if verdict == "baseline":
        return verdict_in_words(verdict)
    if ratio is None or ci95 is None:
        return DASH
    return f"{factor(ratio)} {ci95[0]:.2f}–{ci95[1]:.2f} {_SIGNS.get(verdict, '')}".rstrip()


def point_in_words(found: Sweep, point: Point) -> str:
    """Return all that is known about a value, for a tooltip."""
    lines = [f"{title(found.knob)}: {value_in_words(found.knob, point.value)}"]
    if point.reason:
        lines.append(said(point.reason))
    if point.p50_ms is not None:
        text = translate("SweepWords", "p50 {0} ms, p99 {1} ms, slowest run {2} ms")
        lines.append(text.format(*(milliseconds(ms) for ms in (point.p50_ms, point.p99_ms, point.max_ms))))
        lines.append(translate("SweepWords", "{0} samples/s").format(rate(point.throughput_per_s)))
    per_item = found.knob == BATCH
    median = translate("SweepWords", "p50 per sample") if per_item else "p50"
    for name, ratio, ci95, verdict in (
        (median, point.ratio_vs_baseline, point.ci95, point.verdict),
        ("p99", point.tail_ratio, point.tail_ci95, point.tail_verdict),
    ):
        if ratio is not None and ci95 is not None and verdict != "baseline":
            text = translate("SweepWords", "{0}: {1} the baseline's, 95 % interval {2} to {3}: {4}")
            lines.append(text.format(name, *(factor(each) for each in (ratio, *ci95)), verdict_in_words(verdict)))
    if point.trials:
        text = translate("SweepWords", "processes: {0}, trials {1}")
        lines.append(text.format(count(len(point.trials)), ", ".join(map(str, point.trials))))
    return "\n".join(lines)


def advice_in_words(found: Sweep, goal: Goal) -> str:
    """Return what to set, as a sentence; empty before anything is known."""
    advice = found.for_median if goal == "median" else found.for_tail
    base = value_in_words(found.knob, found.baseline.value)
    start = _goal(found, goal)
    if advice.verdict == "better" and advice.value is not None and advice.ci95 is not None:
        text = translate("SweepWords", "{0}: {1} takes {2} as long as {3} (95 %: {4}–{5}).")
        value = value_in_words(found.knob, advice.value)
        return text.format(start, value, factor(advice.ratio), base, *(f"{end:.2f}" for end in advice.ci95))
    if advice.verdict == "keep":
        return translate("SweepWords", "{0}: keep {1}, all others are slower.").format(start, base)
    if advice.verdict == "same":
        return translate("SweepWords", "{0}: no difference shown to {1} that is worth a change.").format(start, base)
    if not found.finished:
        return ""
    if goal == "tail" and any(each.p50_ms is not None and each.p99_ms is None for each in found.points):
        return translate("SweepWords", "{0}: not known, it takes 100 runs per process.").format(start)
    return translate("SweepWords", "{0}: nothing could be compared.").format(start)


def _goal(found: Sweep, goal: Goal) -> str:
    if goal == "tail":
        return translate("SweepWords", "Tail (p99)")
    if found.knob == BATCH:
        return translate("SweepWords", "Throughput (p50 per sample)")
    return translate("SweepWords", "Median (p50)")


def advised(found: Sweep, goal: Goal) -> Advice:
    """Return the recommendation behind a sentence."""
    return found.for_median if goal == "median" else found.for_tail


def knee_in_words(found: Sweep) -> str:
    """Return where more stops bringing more; empty for knobs without a knee."""
    if found.knob not in SCALING or not any(point.ratio_vs_baseline is not None for point in found.points):
        return ""
    if found.knee is None:
        return translate("SweepWords", "No knee: the largest value still brings more throughput.")
    text = translate("SweepWords", "Knee at {0}: from there a doubling brings less than {1} more throughput.")
    return text.format(value_in_words(found.knob, found.knee), f"{KNEE_GAIN:.0%}")

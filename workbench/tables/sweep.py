"""A sweep as a table: each value against the baseline, and what to set for the median and for the tail."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from workbench.core.knobs import Value
from workbench.study.sweep import BATCH, KNEE_GAIN, SCALING, Advice, Point, Sweep
from workbench.tables.common import milliseconds, number, table

_STYLES = {"faster": "green", "slower": "red", "same": "", "baseline": "dim", "unknown": "dim"}


def show(name: str, found: Sweep, place: str) -> RenderableType:
    """The table, then the recommendations, then what could not be measured."""
    per_item = found.knob == BATCH
    columns = [">p50 ms", *([">ms per sample"] if per_item else []), ">× baseline", ">p99 ms", ">× baseline", ">max",
               ">samples/s", ">peak MB"]  # fmt: skip
    grid = table(found.knob, *columns, title=f"{escape(name)}: {found.knob}")
    listed = [(point, spelled(point.value) + (" ◂ knee" if _is_knee(found, point) else "")) for point in found.points]
    if found.baseline.value not in [point.value for point in found.points]:
        listed.insert(0, (found.baseline, f"{spelled(found.baseline.value)} (baseline)"))
    for point, label in listed:
        grid.add_row(
            escape(label),
            milliseconds(point.p50_ms),
            *([milliseconds(point.item_ms)] if per_item else []),
            _effect(point.ratio_vs_baseline, point.ci95, point.verdict),
            milliseconds(point.p99_ms),
            _effect(point.tail_ratio, point.tail_ci95, point.tail_verdict),
            milliseconds(point.max_ms),
            number(point.throughput_per_s),
            number(point.peak_rss_mb, 4),
        )
    lines = [Text(in_words(found, found.for_median, "median"), style="bold")]
    lines.append(Text(in_words(found, found.for_tail, "tail"), style="bold"))
    if found.knob in SCALING:
        lines.append(Text(_knee(found)))
    if not found.finished:
        taken = len({number for point in _all(found) for number in point.trials})
        lines.insert(0, Text(f"Stopped after {taken} processes; {found.processes} per value were wanted.", "yellow"))
    failed = [point for point in (found.baseline, *found.points) if point.reason]
    lines += [Text(f"{spelled(point.value)}: {point.reason}", style="yellow") for point in failed]
    return Group(grid, *lines, Text(f"trials kept in {place}", style="dim"))


def spelled(value: Value) -> str:
    """Return a value as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value) or '""'


def in_words(found: Sweep, advice: Advice, what: str) -> str:
    """Return a recommendation as a sentence; *what* is ``median`` or ``tail``."""
    start, base = f"For the {what}", spelled(found.baseline.value)
    if advice.verdict == "better" and advice.ratio is not None and advice.ci95 is not None:
        low, high = advice.ci95
        assert advice.value is not None
        return (
            f"{start}: {spelled(advice.value)} takes {advice.ratio:.2f}× as long as {base} "
            f"(95 % interval {low:.2f} to {high:.2f})"
        )
    if advice.verdict == "keep":
        return f"{start}: keep {base}, all others are slower"
    if advice.verdict == "same":
        return f"{start}: no difference shown to {base} that would be worth a change"
    few = what == "tail" and any(point.p50_ms is not None and point.p99_ms is None for point in _all(found))
    return f"{start}: not known" + (", it takes 100 runs per process" if few else "")


def _all(found: Sweep) -> list[Point]:
    return [found.baseline, *found.points]


def _is_knee(found: Sweep, point: Point) -> bool:
    return found.knee is not None and point.value == found.knee


def _knee(found: Sweep) -> str:
    if found.knee is None:
        return "Knee: none, the largest value still brings more throughput."
    return f"Knee: {found.knee}, from there a doubling brings less than {KNEE_GAIN:.0%} more throughput."


def _effect(ratio: float | None, ci95: tuple[float, float] | None, verdict: str) -> str:
    if verdict == "baseline":
        return "[dim]baseline[/]"
    if ratio is None or ci95 is None:
        return "–"
    text = f"{ratio:.2f} ({ci95[0]:.2f}–{ci95[1]:.2f})"
    style = _STYLES[verdict]
    return f"[{style}]{text}[/]" if style else text

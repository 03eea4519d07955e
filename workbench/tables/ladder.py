"""The ladder as a waterfall."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from workbench.study.ladder import Ladder, Step
from workbench.tables.common import milliseconds, number, table

_VERDICTS = {
    "faster": "[green]faster[/]", "slower": "[red]slower[/]", "same": "same", "start": "start",
    "failed": "[red]failed[/]", "skipped": "[yellow]skipped[/]",
}  # fmt: skip


def step_line(step: Step) -> str:
    """One finished rung as a line of text."""
    if step.trial is None or step.trial.latency is None:
        return f"{step.name:<22} {_VERDICTS[step.verdict]} {escape(step.reason)}"
    latency = milliseconds(step.trial.latency.p50_ms)
    return f"{step.name:<22} {latency:>8} ms  {number(step.speedup_vs_first):>5}×  {_VERDICTS[step.verdict]}"


def show(name: str, found: Ladder, place: str, width: int = 100, *, finished: bool = True) -> RenderableType:
    """The waterfall: what every step bought.

    Args:
        width: columns of the screen; the bars are left out where they do not fit.
        finished: whether the ladder came to its end.
    """
    steps = found.steps
    bar = max(min(width - 92, 20), 0)
    grid = table("step", ">p50 ms", ">p99", ">× first", ">× step", "verdict", ">cosine", ">top-1", ">INT8")
    grid.title = f"{escape(name)}: what each step bought"
    for column in (0, 5):
        grid.columns[column].no_wrap = True
    if bar:
        grid.add_column("")
    slowest = max((s.trial.latency.p50_ms for s in steps if s.trial and s.trial.latency), default=1.0)
    for step in steps:
        record = step.trial
        if record is None or record.latency is None:
            grid.add_row(step.name, "–", "–", "–", "–", _VERDICTS[step.verdict])
            continue
        accuracy, proof = record.accuracy, record.proof
        grid.add_row(
            step.name,
            milliseconds(record.latency.p50_ms),
            milliseconds(record.latency.p99_ms),
            number(step.speedup_vs_first),
            number(step.speedup_vs_previous),
            _VERDICTS[step.verdict],
            f"{accuracy.cosine_mean:.4f}" if accuracy else "n/a",
            f"{accuracy.top1_agreement:.0%}" if accuracy and accuracy.top1_agreement is not None else "–",
            f"{proof.int8_kernels}/{proof.expected_int8}" if proof and proof.expected_int8 else "–",
            *(["█" * max(round(bar * record.latency.p50_ms / slowest), 1)] if bar else []),
        )
    notes = [Text(f"{step.name}: {step.reason}", style="yellow") for step in steps if step.reason]
    if fastest := _fastest(steps):
        notes.insert(0, Text(fastest, style="bold"))
    if not finished:
        notes.insert(0, Text(f"Stopped: what comes after {steps[-1].name} was not measured.", style="yellow"))
    if found.drift is not None:
        notes.append(Text(found.drift.text, style="yellow" if found.drift.drifted else ""))
    return Group(grid, *notes, Text(f"trials kept in {place}", style="dim"))


def _fastest(steps: Sequence[Step]) -> str:
    measured = [step for step in steps if step.speedup_vs_first is not None and step.trial is not None]
    if not measured:
        return ""
    best = max(measured, key=lambda step: step.speedup_vs_first or 0.0)
    text = f"Fastest: {best.name}, {number(best.speedup_vs_first)}× the first step"
    accuracy = best.trial.accuracy if best.trial else None
    return (
        f"{text}, cosine {accuracy.cosine_mean:.4f} to FP32." if accuracy else f"{text}; accuracy unknown without data."
    )

"""A comparison as tables: the verdict, both sides, and what differs between them."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from workbench.core.trial import Trial
from workbench.study.compare import FALSE_ALARM, Comparison
from workbench.tables.common import milliseconds, number, table
from workbench.tables.trial import accuracy_in_words


def show(found: Comparison, place: str) -> RenderableType:
    """The verdict first."""
    style = {"a": "bold green", "b": "bold green"}.get(found.verdict, "bold")
    grid = table("", "engine", "precision", ">p50 ms", ">p90", ">p99", ">max", ">runs/s", ">peak MB", ">INT8")
    grid.add_row(*_side("A", found.a, found.p50_a_ms))
    grid.add_row(*_side("B", found.b, found.p50_b_ms))
    parts: list[RenderableType] = [Text(found.text, style=style), grid]
    for name, trial in (("A", found.a), ("B", found.b)):
        if trial.accuracy:
            parts.append(f"{name}: {accuracy_in_words(trial.accuracy)}")
        parts += [Text(f"{name}: ! {warning}", style="yellow") for warning in trial.warnings]
    if found.differs:
        knobs = table("differs", "A", "B")
        for key, (one, other) in found.differs.items():
            knobs.add_row(escape(key), _value(one), _value(other))
        parts.append(knobs)
    else:
        parts.append("Both sides have the same config.")
    if found.itself:
        parts.append(Text(f"A/A: {found.itself}"))
        parts += [Text(FALSE_ALARM, style="yellow")] if found.verdict != "same" else []
    parts.append(Text(f"trials {found.trials_a} and {found.trials_b} kept in {place}", style="dim"))
    return Group(*parts)


def _side(name: str, trial: Trial, p50_ms: float) -> list[str]:
    latency, proof = trial.latency, trial.proof
    assert latency is not None
    return [
        name, str(trial.config["engine"]), str(trial.config["precision"]), milliseconds(p50_ms),
        milliseconds(latency.p90_ms), milliseconds(latency.p99_ms), milliseconds(latency.max_ms),
        number(trial.throughput_per_s), number(trial.memory.peak_rss_mb, 4) if trial.memory else "–",
        f"{proof.int8_kernels}/{proof.expected_int8}" if proof and proof.expected_int8 else "–",
    ]  # fmt: skip


def _value(value: Any) -> str:
    return "–" if value is None else escape(str(value).lower() if isinstance(value, bool) else str(value) or '""')

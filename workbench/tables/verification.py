"""What was found in a bundle."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from workbench.export.verify import Verification
from workbench.tables.common import milliseconds, pairs, table


def show(found: Verification, conclusion: str) -> RenderableType:
    """Each check with its detail, the latency, and how this machine differs from the one it was made on."""
    grid = table("check", "", "detail")
    for check in found.checks:
        grid.add_row(check.name, "[green]ok[/]" if check.ok else "[red]no[/]", escape(check.detail))
    parts: list[RenderableType] = [grid]
    rows = []
    if found.latency:
        rows.append(("p50, p90, max ms", ", ".join(
            milliseconds(value) for value in (found.latency.p50_ms, found.latency.p90_ms, found.latency.max_ms)
        )))  # fmt: skip
    rows += [(name, escape(f"{there} there, {here} here")) for name, (there, here) in found.differs.items()]
    if rows:
        parts.append(pairs(rows))
    parts.append(Text(conclusion, style="green" if found.ok else "red"))
    return Group(*parts)

"""Engine environments as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from workbench.host.environments import Checked, Environment
from workbench.tables.common import pairs, table


def show_all(found: Sequence[Environment]) -> RenderableType:
    """All known environments."""
    grid = table("name", "python")
    for environment in found:
        grid.add_row(escape(environment.name), escape(environment.python))
    return grid


def show(found: Checked) -> RenderableType:
    """What a check found."""
    state = "[green]usable[/]" if found.usable else f"[red]not usable[/]: {escape(found.reason)}"
    rows = [("environment", escape(found.name)), ("python", escape(f"{found.python} ({found.version or '?'})"))]
    rows.append(("state", state))
    for engine in found.engines:
        text = f"{engine.version or ''} available" if engine.available else f"not available: {engine.reason}"
        rows.append((engine.name, escape(text.strip())))
    parts: list[RenderableType] = [pairs(rows)]
    if found.install:
        parts.append(Text(f"Run: {found.install}", style="yellow"))
    return Group(*parts)

"""A bundle from another machine: its checks, and what is otherwise here."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from workbench.export.arrival import Arrival
from workbench.tables.common import table

_COLOURS = {"same": "dim", "differs": "yellow", "better": "green", "worse": "red"}


def show(found: Arrival) -> RenderableType:
    """Each check with its detail, then every fact there and here."""
    bundle = found.bundle
    checks = table("check", "", "detail")
    for check in found.checks:
        checks.add_row(check.name, "[green]ok[/]" if check.ok else "[red]no[/]", escape(check.detail))
    facts = table("", "there", "here", "")
    for fact in found.facts:
        facts.add_row(fact.name, escape(fact.there), escape(fact.here), escape(fact.note), style=_COLOURS[fact.meaning])
    head = f"{bundle['name']}, {bundle['engine']} {bundle['precision']}, made {bundle['made'][:10]}"
    end = "It answers here as it did there; the table tells how fast." if found.ok else "Do not use it here."
    return Group(Text(head, style="bold"), checks, facts, Text(end, style="green" if found.ok else "red"))

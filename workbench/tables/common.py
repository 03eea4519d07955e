"""What all tables share: looks and numbers."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.table import Table


def table(*columns: str, title: str = "") -> Table:
    """Return an empty table; a column whose name starts with ``>`` is aligned right."""
    grid = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", title_style="bold", pad_edge=False)
    for column in columns:
        right = column.startswith(">")
        grid.add_column(column.removeprefix(">"), justify="right" if right else "left", overflow="fold")
    return grid


def pairs(rows: Iterable[tuple[str, str]]) -> Table:
    """Return names and values side by side; a row without a value is left out."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    for name, value in rows:
        if value:
            grid.add_row(name, value)
    return grid


def number(value: float | None, digits: int = 3) -> str:
    """Return *value* with *digits* significant digits; a dash for nothing."""
    if value is None:
        return "–"
    if value == 0:
        return "0"
    if abs(value) >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    return f"{value:.{digits}g}" if abs(value) >= 1e-4 else f"{value:.1e}"


def milliseconds(value: float | None) -> str:
    """Return a latency for people: 0.0412, 4.31, 52.7."""
    if value is None:
        return "–"
    return (
        f"{value:.4f}"
        if value < 0.1
        else f"{value:.3f}"
        if value < 1
        else f"{value:.2f}"
        if value < 100
        else f"{value:.0f}"
    )

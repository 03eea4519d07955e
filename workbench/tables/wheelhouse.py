"""What lies in a wheelhouse."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from workbench.export.wheelhouse import Wheelhouse
from workbench.tables.common import pairs, table

_LARGE = 8


def show(found: Wheelhouse) -> RenderableType:
    """The largest files, how much it is altogether, and how it is installed."""
    largest = sorted(found.wheels, key=lambda wheel: -wheel.size)
    grid = table("wheel", "MB")
    for wheel in largest[:_LARGE]:
        grid.add_row(escape(wheel.file), f"{wheel.size / 1e6:,.1f}")
    if rest := largest[_LARGE:]:
        grid.add_row(f"and {len(rest)} more", f"{sum(wheel.size for wheel in rest) / 1e6:,.1f}")
    rows = [
        ("together", f"{len(found.wheels)} wheels, {found.size / 1e6:,.0f} MB"),
        ("for", f"Python {found.python} on {found.platform}"),
    ]
    if any(wheel.name == "torch" for wheel in found.wheels):
        rows.append(("PyTorch", _pytorch(found)))
    rows += [("install", f"python install.py VENV {name}") for name in found.sets]
    return Group(grid, pairs(rows), Text(f"Wheelhouse OK: {found.out}", style="green"))


def _pytorch(found: Wheelhouse) -> str:
    if any(wheel.name == "torch" and wheel.version.endswith("+cpu") for wheel in found.wheels):
        return "for CPUs alone"
    why = "has none that fits" if found.cpu_only else "cannot be reached"
    return f"with all that PyPI's carries, such as CUDA on Linux: the index for CPUs alone {why}"

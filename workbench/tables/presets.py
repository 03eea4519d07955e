"""Presets as text: what each turns and why."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from workbench.study.presets import Judged

_FITS = {True: ("fits", "green"), False: ("does not fit", "yellow"), None: ("", "")}


def show(found: Sequence[Judged]) -> RenderableType:
    """Every preset."""
    blocks: list[RenderableType] = []
    for preset in found:
        mark, style = _FITS[preset.fits]
        head = Text.assemble((preset.name, "bold"), f"  {preset.title}", (f"  {mark}", style))
        engine, changes = next(iter(preset.changes.items()))
        turned = ", ".join(f"{key}={_shown(value)}" for key, value in changes.items() if key != "engine")
        others = ", ".join(name for name in preset.changes if name != engine)
        blocks += [
            head,
            Padding(Text(preset.reason), (0, 0, 0, 2)),
            Padding(Text(f"Seen: {preset.evidence}", style="dim"), (0, 0, 0, 2)),
            Padding(Text(f"{engine} (also {others}): {turned}"), (0, 0, 1, 2)),
        ]
    return Group(*blocks, Text("workbench measure MODEL --preset NAME", style="dim"))


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

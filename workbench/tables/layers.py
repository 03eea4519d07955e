"""The layers of a trial: a table in the order of execution, and those that cost most."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from workbench.core.findings import KINDS
from workbench.core.layer_table import LayerRow, LayerTable, ranked
from workbench.core.trial import Trial
from workbench.tables.common import milliseconds, number, table

_WORST = 5


def show(trial: Trial, found: LayerTable) -> RenderableType:
    """All compute layers with what is fused into them, the flags in words, and the worst layers."""
    parts: list[RenderableType] = []
    if trial.status != "ok":
        parts.append(Text(f"{trial.status}: {trial.reason}", style="yellow"))
    scanned = found.all_int8_sqnr_db is not None
    grid = table("layer", "op", "ran as", "kernel", ">ms", ">share", ">own dB", ">all dB", ">scale", "zero", "range")
    flags: list[str] = []
    for row in found.layers:
        flags += [f"{row.name}: {flag}" for flag in row.flags]
        if row.dtype is None:
            continue
        grid.add_row(*_cells(row))
    parts.append(grid)
    if scanned:
        parts.append(
            Text(
                "own dB: error (SQNR) of the layer alone in INT8 at its output; all dB: with all layers in INT8; "
                f"emulated in FP32 on {found.samples} samples. All layers in INT8, at the model's outputs: "
                f"{found.all_int8_sqnr_db:.1f} dB.",
                style="dim",
            )
        )
        parts += _worst(found)
    if not found.complete:
        parts.append(Text("The time was up before all layers were scanned; the same command goes on.", style="yellow"))
    loose = [kernel for kernel in found.unmapped if kernel.compute]
    if loose:
        parts.append(Text(f"{len(loose)} kernels fit no layer (unmapped)", style="yellow"))
    flags += [f"{KINDS[one.kind].title}: {one.what}" for one in found.findings if not one.layer or not one.where]
    parts += [Text(f"! {flag}", style="yellow") for flag in dict.fromkeys(flags)]
    for repair in found.repairs:
        settings = " ".join(f"--set '{setting}'" for setting in repair.settings)
        parts.append(Text(f"→ {repair.where}: {repair.text}\n  {settings}", style="cyan"))
    return Group(*parts)


def _cells(row: LayerRow) -> list[str]:
    output = next((t for t in reversed(row.tensors) if t.quantized and not t.name.endswith(":weight")), None)
    name = escape(row.name) + (f" [dim]+ {escape(', '.join(row.group[1:]))}[/]" if len(row.group) > 1 else "")
    scale = zero = span = ""
    if output:
        scale, zero = number(output.scale, 4), str(output.zero_point)
        span = f"{number(output.low)} … {number(output.high)}" + (" fixed" if output.fixed else "")
    return [
        name, row.op, row.dtype or "", escape(row.kernel or ""), milliseconds(row.ms),
        f"{row.share:.1%}" if row.share is not None else "", _decibel(row.sqnr_db),
        _decibel(row.accumulated_sqnr_db), scale, zero, span,
    ]  # fmt: skip


def _worst(found: LayerTable) -> list[RenderableType]:
    grid = table(
        "costs most", ">only this in INT8, dB", ">all but this, dB", title="What to leave in FP32, or to look at first"
    )
    for row in ranked(found)[:_WORST]:
        rest = _decibel(row.all_but_this_int8_sqnr_db)
        grid.add_row(escape(row.name), _decibel(row.only_this_int8_sqnr_db), rest or "(--sensitivity)")
    return [grid]


def _decibel(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"

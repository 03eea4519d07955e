"""A model's facts as tables."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.markup import escape

from workbench.core.model import ModelReference
from workbench.tables.common import pairs, table
from workbench.worker.protocol import Inspected


def show(model: ModelReference, facts: Inspected) -> RenderableType:
    """A model's facts."""
    inputs = [f"{spec.name} {_shape(spec.shape)} {spec.dtype}" for spec in facts.inputs]
    outputs = [f"{name} {_shape(shape)} {dtype}" for name, shape, dtype in facts.outputs]
    dynamic = [f"{name}: axes {', '.join(map(str, axes))}" for name, axes in facts.dynamic_axes.items()]
    parts: list[RenderableType] = [
        pairs(
            [
                ("model", escape(model.name)),
                ("format", model.format),
                ("inputs", escape("; ".join(inputs))),
                ("outputs", escape("; ".join(outputs))),
                ("parameters", f"{facts.parameters:,}"),
                ("multiply-adds", f"{facts.macs / 1e9:.3f} G" if facts.macs >= 1e7 else f"{facts.macs:,}"),
                ("really dynamic", escape("; ".join(dynamic)) or "no axis"),
                *(("exact rewrite", f"{name} would change {_few(places)}") for name, places in facts.rewrites.items()),
                ("not in INT8", escape(facts.not_quantized.get("*", ""))),
                *(("note", escape(note)) for note in facts.notes),
            ]
        )
    ]
    grid = table("layer", "op", ">output", ">multiply-adds", "INT8")
    for layer in facts.layers:
        if layer.kind:
            why = escape(facts.not_quantized.get(layer.name, "")) or "yes"
            grid.add_row(escape(layer.name), layer.op, _shape(layer.output_shape), f"{layer.macs:,}", why)
    if grid.rows:
        parts += ["", grid]
    return Group(*parts)


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(escape(name) for name in names[:3])
    return f"{len(names)} layers ({shown}{', …' if len(names) > 3 else ''})"


def _shape(shape: Sequence[int | None]) -> str:
    return "x".join("?" if length is None else str(length) for length in shape)

"""A model's facts as tables."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.markup import escape

from workbench.core.model import ModelReference
from workbench.tables.common import pairs, table
from workbench.worker.protocol import Inspected


def show(model: ModelReference, facts: Inspected) -> RenderableType:
    """A model's facts."""
    rows = [
        ("model", escape(model.name)),
        ("format", model.format),
        ("inputs", "; ".join(escape(f"{spec.name} {'x'.join('?' if n is None else str(n) for n in spec.shape)} {spec.dtype}") for spec in facts.inputs)),
        ("outputs", "; ".join(f"{escape(name)} {'x'.join(map(str, shape))} {dtype}" for name, shape, dtype in facts.outputs)),
        ("parameters", f"{facts.parameters:,}"),
        ("multiply-adds", f"{facts.macs / 1e9:.3f} G per run" if facts.macs >= 1e7 else f"{facts.macs:,} per run"),
        ("really dynamic", "; ".join(f"{name}: axes {', '.join(map(str, axes))}" for name, axes in facts.dynamic_axes.items()) or "no axis"),
        *(("note", escape(note)) for note in facts.notes),
    ]  # fmt: skip
    grid = table("layer", "op", ">output", ">multiply-adds", "INT8")
    for layer in facts.layers:
        if layer.kind:
            why = facts.not_quantized.get(layer.name, "")
            macs = f"{layer.macs:,}"
            grid.add_row(
                escape(layer.name),
                layer.op,
                "x".join(map(str, layer.output_shape)),
                macs,
                escape(why) or "yes",
            )
    extra = [("not in INT8", escape(facts.not_quantized["*"]))] if "*" in facts.not_quantized else []
    return Group(pairs([*rows, *extra]), *(["", grid] if grid.rows else []))

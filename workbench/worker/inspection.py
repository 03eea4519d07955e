"""Facts about a model without timing it: the ``inspect`` job. Child side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.core.data import random_inputs
from workbench.core.model import InputSpec
from workbench.core.outputs import flatten_outputs
from workbench.core.trial import Exported
from workbench.engines.base import Engine
from workbench.errors import UserError
from workbench.worker.protocol import Inspected, Job

if TYPE_CHECKING:
    from workbench.worker.channel import Channel


def inspect(job: Job, engine: Engine, channel: Channel) -> Inspected:
    """Load the model, run it once on noise and a few times on other sizes, and describe it."""
    channel.progress("loading")
    engine.load(job.model)
    specs = list(engine.input_specs())
    shapes = {spec.name: spec.concrete(1) for spec in specs}
    feed = random_inputs([(spec.name, shapes[spec.name], spec.dtype) for spec in specs], 1)
    channel.progress("tracing")
    layers = engine.trace_layers(feed)
    outputs = flatten_outputs(engine.outputs(engine.reference(feed)))
    channel.progress("probing axes")
    dynamic, notes = _dynamic_axes(engine, specs, shapes)
    return Inspected(
        inputs=specs,
        outputs=[(name, list(array.shape), str(array.dtype)) for name, array in outputs],
        parameters=engine.parameter_count(),
        macs=sum(layer.macs for layer in layers),
        layers=layers,
        dynamic_axes=dynamic,
        not_quantized=engine.unquantizable(layers),
        rewrites=engine.rewrites(feed),
        notes=notes,
    )


def export(job: Job, engine: Engine, channel: Channel) -> Exported:
    """Load the model and write it as ONNX."""
    channel.progress("loading")
    engine.load(job.model)
    specs = list(engine.input_specs())
    feed = random_inputs([(spec.name, spec.concrete(1), spec.dtype) for spec in specs], 1)
    engine.trace_layers(feed)
    channel.progress("exporting to ONNX")
    return engine.export(feed, job.folder)


def _dynamic_axes(
    engine: Engine, specs: list[InputSpec], shapes: dict[str, tuple[int, ...]]
) -> tuple[dict[str, list[int]], list[str]]:
    """Try another length on each axis: what a file declares and what really works differ (B44)."""
    dynamic: dict[str, list[int]] = {}
    notes = []
    for spec in specs:
        for axis, length in enumerate(shapes[spec.name]):
            other = 2 if axis == 0 and length == 1 else length * 2
            tried = {**shapes, spec.name: (*shapes[spec.name][:axis], other, *shapes[spec.name][axis + 1 :])}
            if axis == 0:
                # A batch is one axis in all inputs together.
                tried = {name: (other, *shape[1:]) for name, shape in shapes.items()}
            feed = random_inputs([(s.name, tried[s.name], s.dtype) for s in specs], 1)
            if _runs(engine, feed):
                dynamic.setdefault(spec.name, []).append(axis)
            elif spec.shape[axis] is None:
                notes.append(f"axis {axis} of {spec.name} is declared dynamic, but the model fails at {other}")
    return dynamic, notes


def _runs(engine: Engine, feed: dict[str, np.ndarray]) -> bool:
    try:
        leaves = flatten_outputs(engine.outputs(engine.reference(feed)))
    except UserError:
        raise
    except Exception:
        return False
    return bool(leaves)

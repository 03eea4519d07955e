"""What a trial needs before any range is decided: model, data, layers, the engine's preparations. Child side.

Made in the worker itself, or once in a parent from which the workers of many trials are forked
(:mod:`workbench.worker.forking`): of trials that differ in their fixes alone, say.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from workbench.core.data import Data, DataSource, open_data, random_inputs
from workbench.core.model import InputSpec
from workbench.core.preprocess import Preprocess
from workbench.core.trial import Layer
from workbench.engines.base import Engine, Feed
from workbench.errors import UserError
from workbench.worker.channel import Channel, Notes, Phases
from workbench.worker.protocol import Job


@dataclass
class Prepared:
    """An engine that has its model, and what is known without quantizing it.

    Attributes:
        feed: what is timed.
        known_broken: how many pictures were found broken when the data was opened.
        notes: warnings that nobody was there to hear.
    """

    engine: Engine
    specs: list[InputSpec]
    data: Data | None
    feed: Feed
    layers: list[Layer]
    known_broken: int = 0
    notes: Notes = field(default_factory=Notes)


def prepare(job: Job, engine: Engine, told: Channel | Notes, phases: Phases) -> Prepared:
    """Load the model and the data of *job*, find the layers, and prepare for static INT8.

    Raises:
        UserError: something in them is wrong.
    """
    with phases("loading"):
        if job.exported:
            engine.adopt(job.exported)
        engine.load(job.model)
        specs = list(engine.input_specs())
    with phases("reading data"):
        data = _opened(job, engine, specs, told)
        feed = _feed(engine.config.number("run.batch"), specs, data)
    with phases("tracing"):
        layers = engine.trace_layers(feed)
    for text in engine.notes:
        told.notice(text)
    if engine.config.precision == "int8":
        with phases("preparing"):
            engine.prepare(feed)
    return Prepared(engine, specs, data, feed, layers, len(data.rejected) if data else 0)


def _opened(job: Job, engine: Engine, specs: list[InputSpec], told: Channel | Notes) -> Data | None:
    if job.data is None:
        return None
    samples = int(engine.config["calibration.samples"])
    data = open_data(job.data, job.preprocess or Preprocess(), triples(specs), samples)
    for text in data.warnings:
        # How much there is to calibrate with matters only to who calibrates.
        if engine.config.precision == "int8" or "calibration" not in text:
            told.notice(text)
    return data


def _feed(batch: int, specs: list[InputSpec], data: Data | None) -> Feed:
    """Return what is timed: the first evaluation samples, or noise where there is no data."""
    if data is None:
        # concrete() refuses a batch that a fixed leading axis cannot take.
        shapes = {spec.name: spec.concrete(batch) for spec in specs}
        return random_inputs([(s.name, shapes[s.name], s.dtype) for s in specs], 1)
    parts: list[Feed] = []
    items = [*data.evaluation, *data.calibration]
    for _, arrays in data.loaded(items):
        parts.append(arrays)
        if len(parts) == batch:
            break
    if not parts:
        raise UserError("No sample of the data can be read.", "All of them are broken.", "See the warnings.")
    count = max((spec.concrete(batch)[0] for spec in specs if spec.shape), default=1)
    rows = [parts[i % len(parts)] for i in range(count)]
    return {spec.name: np.concatenate([row[spec.name] for row in rows]) for spec in specs}


def fitted(arrays: Feed, specs: list[InputSpec]) -> Feed:
    """Repeat a sample where the model's batch axis is fixed to more than one."""
    whole = {}
    for spec in specs:
        array = arrays[spec.name]
        wanted = spec.shape[0] if spec.shape else None
        whole[spec.name] = np.repeat(array, wanted, axis=0) if wanted and array.shape[0] == 1 < wanted else array
    return whole


def triples(specs: list[InputSpec]) -> list[tuple[str, tuple[int | None, ...], str]]:
    """Return the inputs as :mod:`workbench.core.data` takes them."""
    return [(spec.name, spec.shape, spec.dtype) for spec in specs]


def stamps(job: Job) -> list[tuple[str, int, int]]:
    """Return name, size and time of change (ns) of every file that a preparation for *job* is made from."""
    model = job.model
    files = [Path(model.path), *(Path(model.path).parent / name for name in model.companions)]
    if model.weights:
        files.append(Path(model.weights))
    found = []
    for file in [*files, *(_files(job.data) if job.data else ())]:
        try:
            status = file.stat()
            found.append((str(file), status.st_size, status.st_mtime_ns))
        except OSError:
            found.append((str(file), -1, -1))
    return found


def _files(source: DataSource) -> Iterator[Path]:
    for place in filter(None, (source.labels, source.calibration_path, source.path)):
        if not Path(place).is_dir():
            yield Path(place)
        elif source.calibration and source.evaluation:  # nothing else is looked at
            yield from (Path(place) / name for name in (*source.calibration, *source.evaluation))
        else:
            for folder, folders, names in os.walk(place):
                folders.sort()
                yield from (Path(folder) / name for name in sorted(names))

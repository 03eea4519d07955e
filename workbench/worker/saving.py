"""What a bundle needs of the worker: the model's files, golden inputs and outputs, batch sizes, input statistics.

Made from the very object that was timed and compared with FP32, after that and before memory is measured. Child side.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from workbench.core.outputs import cosine, flatten_outputs, numbers
from workbench.engines.base import Engine, Feed
from workbench.errors import UserError
from workbench.runtime import InputStatistics, divergence, shares_in
from workbench.worker.saved import Saved

GOLDEN = 4
"""Most golden samples in a bundle."""
BATCHES = (2, 4, 8)
"""Batch sizes that are tried beside 1."""
_SAME = 0.999  # cosine of a row inferred in a batch and alone; INT8 kernels may round differently
_VALUES = 20_000  # values per sample that the statistics are taken of


def save(
    engine: Engine,
    folder: Path,
    golden: Sequence[tuple[str, Feed]],
    calibration: Iterable[Feed],
    evaluation: Iterable[Feed],
) -> Saved:
    """Write everything into *folder*.

    Args:
        golden: name and feed of the samples whose outputs are to be kept; at least one.
        calibration: what the input statistics are taken over; the golden samples where there is nothing.
        evaluation: samples that were kept out of it.

    Raises:
        UserError: *folder* cannot be written to, or the model has no form that can be saved.
    """
    try:
        return _save(engine, folder, golden, calibration, evaluation)
    except OSError as error:
        raise UserError(
            "The model could not be saved.", f"{error.strerror or error}.", "Make room there, or choose another place."
        ) from error


def _save(
    engine: Engine,
    folder: Path,
    golden: Sequence[tuple[str, Feed]],
    calibration: Iterable[Feed],
    evaluation: Iterable[Feed],
) -> Saved:
    statistics = _statistics(list(calibration) or [feed for _, feed in golden])
    files = engine.save(str(folder))
    arrays: dict[str, np.ndarray] = {}
    for number, (_, feed) in enumerate(golden):
        arrays.update({f"{number}.in.{name}": array for name, array in feed.items()})
        arrays.update({f"{number}.out.{name}": array for name, array in _run(engine, feed)})
    np.savez(folder / "golden.npz", **arrays)  # type: ignore[arg-type]
    saved = Saved(
        files=files,
        golden=[name for name, _ in golden],
        batches=[1, *(size for size in BATCHES if _same_in_a_batch(engine, [feed for _, feed in golden], size))],
        inputs=statistics,
        normal=_normal(statistics, list(evaluation)),
    )
    (folder / "saved.json").write_bytes(msgspec.json.encode(saved))
    return saved


def _run(engine: Engine, feed: Feed) -> list[tuple[str, np.ndarray]]:
    with engine.running():
        # A copy: an engine may give out the buffer that its next run writes to.
        return [(name, np.array(array)) for name, array in flatten_outputs(engine.outputs(engine.bind(feed)()))]


def _same_in_a_batch(engine: Engine, feeds: Sequence[Feed], size: int) -> bool:
    """Try a batch of *size*: whether each row comes out as it does alone."""
    if any(array.shape[0] != 1 for array in feeds[0].values()):
        return False
    rows = list(itertools.islice(itertools.cycle(feeds), size))
    try:
        together = _run(engine, {name: np.concatenate([row[name] for row in rows]) for name in rows[0]})
        if any(not array.shape or array.shape[0] != size for _, array in together):
            return False
        for number, row in enumerate(rows):
            for (_, alone), (_, many) in zip(_run(engine, row), together, strict=True):
                if cosine(numbers(alone), numbers(many[number : number + 1])) < _SAME:
                    return False
    except Exception:  # whatever an engine raises for a shape that it was not made for
        return False
    return True


def _statistics(feeds: Sequence[Feed]) -> dict[str, InputStatistics]:
    floating = [name for name, array in feeds[0].items() if np.issubdtype(array.dtype, np.floating)]
    return {name: InputStatistics.of(_some(feed[name]) for feed in feeds) for name in floating}


def _normal(statistics: Mapping[str, InputStatistics], feeds: Sequence[Feed]) -> dict[str, float]:
    found = {}
    for name, known in statistics.items():
        shares = [shares_in(known.edges, _some(feed[name])) for feed in feeds]
        found[name] = divergence(np.asarray(known.shares), np.mean(shares, axis=0)) if shares else 0.0
    return found


def _some(array: np.ndarray) -> np.ndarray:
    """Return every so many values, by a stride that no row of a picture divides."""
    return array.ravel()[:: (array.size // _VALUES) | 1]

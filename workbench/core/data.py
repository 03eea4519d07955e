"""The user's data: pictures or arrays, split into calibration and evaluation; used by the worker.

Nothing is held but names: an :class:`Item` reads and prepares its arrays when it is asked to, so memory
stays flat however many pictures there are. :mod:`workbench.core.sources` reads the kinds of sources.

The split, where only one place is given, orders items by the SHA-256 of their names and takes the first
ones for calibration: at most half, at most as many as asked for. It is the same on every machine, and a
file that is added moves at most one other.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from workbench.core.picture import BrokenImageError
from workbench.core.preprocess import Preprocess
from workbench.core.sources import Arrays, InputSpec, Item, Rejected, Source, open_source
from workbench.errors import UserError, nearest

FEW = 32
"""Below so many samples ranges and shares rest on luck, and a warning says so."""


class DataSource(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where data lies.

    Attributes:
        path: folder of pictures (searched recursively), ``.npy`` or ``.npz``.
        calibration_path: another one for calibration; then nothing is split.
        labels: CSV file of ``name,class`` rows, header optional, for evaluation items.
        calibration: names of the calibration items; empty lets the split decide. Names are paths relative
            to the folder, with slashes; rows of arrays are ``"0"``, ``"1"``, ….
        evaluation: names of the evaluation items; empty takes all that are not for calibration.
    """

    path: str
    calibration_path: str | None = None
    labels: str | None = None
    calibration: tuple[str, ...] = ()
    evaluation: tuple[str, ...] = ()


class Data:
    """Opened data.

    Attributes:
        calibration: items for calibration, in the order of their names.
        evaluation: items for accuracy.
        rejected: broken pictures with the reason; grows when :meth:`loaded` meets another.
        modes: how many pictures of each mode (``rgb``, ``rgba``, ``gray16``, …); empty for arrays.
        warnings: sentences to show.
        split: how items were divided, e.g. ``13 calibration + 13 evaluation of 26``.
        ignored: files in the folder that are no pictures.
    """

    def __init__(self, calibration: Sequence[Item], evaluation: Sequence[Item], sources: Sequence[Source]) -> None:
        self.calibration = calibration
        self.evaluation = evaluation
        self.rejected: list[Rejected] = [entry for source in sources for entry in source.rejected]
        self.modes: dict[str, int] = {}
        for source in sources:
            for mode, count in source.modes.items():
                self.modes[mode] = self.modes.get(mode, 0) + count
        self.ignored = sum(source.ignored for source in sources)
        self.warnings: list[str] = []
        self.split = ""

    def loaded(self, items: Sequence[Item]) -> Iterator[tuple[Item, Arrays]]:
        """Load *items* one by one; one that turns out broken is added to ``rejected`` and left out."""
        for item in items:
            try:
                arrays = item.load()
            except BrokenImageError as error:
                if all(entry.name != item.name for entry in self.rejected):
                    self.rejected.append(Rejected(item.name, str(error)))
                continue
            yield item, arrays


def open_data(
    source: DataSource, preprocess: Preprocess, inputs: Sequence[InputSpec], calibration_samples: int
) -> Data:
    """Find, check and split the data for a model.

    Args:
        source: where it lies.
        preprocess: how pictures become tensors; arrays are only cast.
        inputs: per model input (name, shape with ``None`` for dynamic axes, dtype).
        calibration_samples: the most items to calibrate with, at least 1.

    Raises:
        UserError: nothing usable, something missing, or data that does not fit the model.
    """
    if calibration_samples < 1:
        raise UserError(f"calibration.samples = {calibration_samples} is not possible.", "At least 1 sample is needed.")
    # Lists on both sides say everything; other files of the folder are nobody's business then.
    wanted = {*source.calibration, *source.evaluation} if source.calibration and source.evaluation else ()
    main = open_source(Path(source.path), preprocess, inputs, wanted)
    other = None
    if source.calibration_path is not None and not _same_place(source.calibration_path, source.path):
        other = open_source(Path(source.calibration_path), preprocess, inputs)
    calibration, evaluation = _split(source, main, other, calibration_samples)
    warnings: list[str] = []
    if source.labels is not None:
        evaluation, warnings = _labelled(Path(source.labels), main, evaluation)
    data = Data(calibration, evaluation, [main, other] if other else [main])
    data.warnings = warnings + _warnings(data, other is not None)
    both = len(main.items) + (len(other.items) if other else 0)
    data.split = f"{len(calibration)} calibration + {len(evaluation)} evaluation of {both}"
    if other is None and {item.name for item in calibration} & {item.name for item in evaluation}:
        data.split += ", shared by both"
    return data


def random_inputs(inputs: Sequence[InputSpec], batch: int, seed: int = 0) -> Arrays:
    """Make up inputs for runs that only measure speed: there is nothing to be accurate about.

    Args:
        inputs: per model input (name, shape with ``None`` for dynamic axes, dtype).
        batch: length of the leading axis; a fixed one is kept where *batch* is 1.
        seed: the same seed gives the same arrays.

    Returns:
        Floats from N(0, 1), integers from 0 to 9 (valid as token ids, too), booleans. Other dynamic axes
        become 3 channels of 224 × 224 in a four-axis input, and 16 elsewhere. ``bfloat16`` is given as
        ``float32``.
    """
    rng = np.random.default_rng(seed)
    arrays = {}
    for name, shape, dtype in inputs:
        usual = (1, 3, 224, 224) if len(shape) == 4 else (16,) * len(shape)
        extent = [fallback if fixed is None else fixed for fixed, fallback in zip(shape, usual, strict=True)]
        if shape and (shape[0] is None or batch != 1):
            extent[0] = batch
        kind = np.dtype("float32" if dtype == "bfloat16" else dtype)
        if kind.kind == "f":
            arrays[name] = rng.standard_normal(extent).astype(kind)
        else:
            arrays[name] = rng.integers(0, 2 if kind.kind == "b" else 10, extent).astype(kind)
    return arrays


def hash_order(names: Sequence[str]) -> list[str]:
    """Return *names* ordered by their SHA-256, which is the same everywhere and knows no neighbours."""
    return sorted(names, key=lambda name: hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest())


def _split(source: DataSource, main: Source, other: Source | None, most: int) -> tuple[list[Item], list[Item]]:
    pool = other or main
    if source.calibration:
        calibration = _named(source.calibration, pool, "calibration")[:most]
    else:
        reserved = set(source.evaluation) if other is None else set()
        names = [item.name for item in pool.items if item.name not in reserved] or [pool.items[0].name]
        half = len(names) if other or reserved else max(1, len(names) // 2)
        chosen = set(hash_order(names)[: min(half, most)])
        calibration = [item for item in pool.items if item.name in chosen]
    if source.evaluation:
        return calibration, _named(source.evaluation, main, "evaluation")
    used = {item.name for item in calibration} if other is None else set()
    rest = [item for item in main.items if item.name not in used]
    return calibration, rest or list(main.items)


def _named(names: Sequence[str], source: Source, purpose: str) -> list[Item]:
    known = {item.name: item for item in source.items}
    broken = {entry.name for entry in source.rejected}
    for name in names:
        if name not in known and name not in broken:
            raise UserError(
                f"The {purpose} item '{name}' is not in '{source.path}'.",
                f"There are {len(known)} items.",
                nearest(name, known),
            )
    found = [known[name] for name in dict.fromkeys(names) if name in known]
    if not found:
        raise UserError(
            f"None of the {purpose} items can be used.",
            f"All {len(names)} named ones in '{source.path}' are broken.",
            "Name others, or repair the files.",
        )
    return found


def _same_place(one: str, two: str) -> bool:
    return Path(one).resolve() == Path(two).resolve()


def _warnings(data: Data, separate: bool) -> list[str]:
    found = []
    count = len(data.calibration)
    if count < FEW:
        found.append(
            f"Only {count} calibration sample{'s' if count > 1 else ''}: ranges taken from fewer than {FEW} "
            "often miss what other inputs reach."
        )
    calibration = {item.name for item in data.calibration}
    shared = 0 if separate else sum(item.name in calibration for item in data.evaluation)
    if shared and shared == len(data.evaluation) == count:
        found.append("Calibration = evaluation: accuracy is judged on the very samples the ranges were taken from.")
    elif shared:
        found.append(f"{shared} samples serve both calibration and evaluation, which flatters the accuracy.")
    if data.rejected:
        first = data.rejected[0]
        more = f" and {len(data.rejected) - 1} more" if len(data.rejected) > 1 else ""
        found.append(f"Skipped '{first.name}' ({first.reason}){more}.")
    return found


def _labelled(path: Path, source: Source, items: Sequence[Item]) -> tuple[list[Item], list[str]]:
    """Return *items* with classes from the CSV file, and warnings."""
    labels = _read_labels(path, {item.name for item in source.items})
    known = {item.name for item in source.items} | {entry.name for entry in source.rejected}
    warnings = []
    unknown = [name for name in labels if name not in known]
    if unknown:
        more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        warnings.append(f"'{path.name}' has labels for items that do not exist: '{unknown[0]}'{more}.")
    result = [item.with_label(labels[item.name]) if item.name in labels else item for item in items]
    bare = sum(item.label is None for item in result)
    if bare:
        warnings.append(f"{bare} of {len(result)} evaluation samples have no label; top-1 is taken from the others.")
    return result, warnings


def _read_labels(path: Path, known: set[str]) -> dict[str, int]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"The labels file '{path}' cannot be read.",
            str(error),
            "It must be a CSV file in UTF-8: name,class.",
        ) from error
    labels: dict[str, int] = {}
    rows: Iterator[list[Any]] = csv.reader(io.StringIO(text))
    for number, row in enumerate(rows, start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        name = cells[0].replace("\\", "/").removeprefix("./")
        value = cells[1] if len(cells) > 1 else ""
        if value.isascii() and value.isdigit():
            labels[name] = int(value)
        elif number > 1 or name in known:
            raise UserError(
                f"Line {number} of '{path}' has no class number.",
                f"It reads {','.join(cells)!r}; the second column must be a whole number from 0 up.",
                "Write the index of the class in the model's output, as in: cat.png,281",
            )
    return labels


__all__ = ["Data", "DataSource", "InputSpec", "Item", "Rejected", "hash_order", "open_data", "random_inputs"]

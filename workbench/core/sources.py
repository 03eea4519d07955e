"""Kinds of data sources: a folder of pictures, ``.npy``, ``.npz``; used by :mod:`workbench.core.data`.

Everything about an array file is checked when it is opened. Every picture's file is checked for being
whole; up to :data:`DECODE_CHECK` of them are decoded as well, beyond that a damaged one shows when it is
used. Pickled objects are never loaded.
"""

from __future__ import annotations

import mmap
import os
import struct
import zipfile
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from workbench.core.picture import EXTENSIONS, BrokenImageError, decode, sniff
from workbench.core.pixels import cast
from workbench.core.preprocess import Preprocess
from workbench.errors import UserError

DECODE_CHECK = 256
"""Folders up to this many pictures are decoded once when opened, which takes a second or two."""

Shape = tuple[int | None, ...]
InputSpec = tuple[str, Shape, str]
"""Name, shape (``None``: dynamic), dtype."""
Arrays = dict[str, np.ndarray[Any, Any]]


class Item(NamedTuple):
    """One sample: a name, perhaps a class, and how to get its arrays."""

    name: str
    label: int | None
    reader: Callable[[], Arrays]

    def load(self) -> Arrays:
        """Return an array per model input, of the input's dtype, with a batch axis of 1.

        Raises:
            BrokenImageError: the picture turns out to be damaged, gone, or not to fit the model.
        """
        return self.reader()

    def with_label(self, label: int) -> Item:
        """Return the same sample with another class."""
        return self._replace(label=label)


class Rejected(NamedTuple):
    """A file that looked like a picture and cannot be used."""

    name: str
    reason: str


class Source:
    """Items found in one place; ``ignored`` counts files that are no pictures."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.items: list[Item] = []
        self.rejected: list[Rejected] = []
        self.modes: dict[str, int] = {}
        self.ignored = 0


def open_source(
    path: Path, preprocess: Preprocess, inputs: Sequence[InputSpec], wanted: Collection[str] = ()
) -> Source:
    """Open a folder, ``.npy`` or ``.npz``.

    Args:
        path: where it is.
        preprocess: how pictures become tensors.
        inputs: of the model.
        wanted: names of the only pictures to look at; empty takes all.

    Raises:
        UserError: not there, of another kind, without usable items, or unfit for the model's inputs.
    """
    if path.is_dir():
        return _Folder(path, preprocess, inputs, wanted)
    if not path.exists():
        raise UserError(
            f"There is no data at '{path}'.",
            "The folder or file does not exist.",
            "Check the path of --data or --calib.",
        )
    if path.suffix.lower() in (".npy", ".npz"):
        return _ArrayFile(path, inputs)
    raise UserError(
        f"'{path}' is no data that can be read.",
        "Data is a folder of pictures, an .npy file or an .npz file.",
        "Give the folder that holds the pictures." if path.suffix.lower() in EXTENSIONS else "",
    )


def fits(actual: Sequence[int], expected: Shape) -> bool:
    """Tell whether a sample of shape *actual* suits an input; the leading (batch) axis is not compared."""
    pairs = zip(actual[1:], expected[1:], strict=False)
    return len(actual) == len(expected) and all(want is None or got == want for got, want in pairs)


def shown(shape: Sequence[int | None]) -> str:
    """Return ``1×3×?×?`` for a shape."""
    return "×".join("?" if size is None else str(size) for size in shape) or "scalar"


class _Folder(Source):
    def __init__(
        self, path: Path, preprocess: Preprocess, inputs: Sequence[InputSpec], wanted: Collection[str]
    ) -> None:
        super().__init__(path)
        if len(inputs) != 1:
            raise UserError(
                f"A folder of pictures cannot feed a model with {len(inputs)} inputs.",
                f"Its inputs are {', '.join(name for name, _, _ in inputs)}.",
                "Give an .npz file with one array per input.",
            )
        self._preprocess = preprocess
        self._input = inputs[0]
        files = [name for name in self._files() if not wanted or name in wanted]
        thorough = len(files) <= DECODE_CHECK
        for name in files:
            try:
                mode = self._check(path / name, thorough or not self.items)
            except BrokenImageError as error:
                self.rejected.append(Rejected(name, str(error)))
                continue
            self.modes[mode] = self.modes.get(mode, 0) + 1
            self.items.append(Item(name, None, partial(self._load, name)))
        if not self.items:
            raise self._nothing()

    def _files(self) -> list[str]:
        """Return the names of all pictures below the folder, sorted; hidden files do not count at all."""
        found = []
        for folder, folders, files in os.walk(self.path):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for file in files:
                if file.startswith("."):
                    continue
                if Path(file).suffix.lower() in EXTENSIONS:
                    found.append((Path(folder) / file).relative_to(self.path).as_posix())
                else:
                    self.ignored += 1
        return sorted(found)

    def _check(self, path: Path, thorough: bool) -> str:
        """Return the mode of a picture; decoding it tells whether its size suits the model, too."""
        data = _read(path)
        if not thorough:
            return sniff(data) or "other"
        decoded = decode(data)
        height, width = decoded.pixels.shape[:2]
        try:
            shape = self._preprocess.output_shape(height, width)
        except UserError as error:
            why = f"{error.why} '{path.name}' has {height}×{width} pixels."
            raise UserError(error.what, why, error.next_step) from error
        if not fits(shape, self._input[1]):
            raise self._misfit(path, shape)
        return decoded.mode

    def _load(self, name: str) -> Arrays:
        key, expected, dtype = self._input
        # A UserError here (a crop larger than this very picture) is one file's fault, found too late to ask.
        try:
            array = self._preprocess.from_bytes(_read(self.path / name))
        except UserError as error:
            raise BrokenImageError(f"{error.what} {error.why}") from error
        if not fits(array.shape, expected):
            raise BrokenImageError(f"it becomes {shown(array.shape)}, the model expects {shown(expected)}")
        return {key: cast(array, dtype)}

    def _misfit(self, path: Path, shape: Sequence[int]) -> UserError:
        name, expected, _ = self._input
        options = self._preprocess
        other = "nhwc" if options.layout == "nchw" else "nchw"
        turned = (shape[0], *shape[2:], shape[1]) if other == "nhwc" else (shape[0], shape[3], *shape[1:3])
        if len(expected) != 4:
            advice = "This input takes no picture; give an .npy or .npz file."
        elif fits(turned, expected):
            advice = f"Set preprocess.layout = '{other}'."
        else:
            axes = (2, 3, 1) if options.layout == "nchw" else (1, 2, 3)
            height, width, channels = (expected[axis] for axis in axes)
            changes = []
            if channels not in (None, options.channels):
                color = {1: "'gray'", 3: "'rgb' or 'bgr'"}.get(channels or 0)
                changes.append(f"preprocess.color = {color}" if color else "a model input of 1 or 3 channels")
            if (height, width) != (None, None) and (height or 0, width or 0) != tuple(shape[axis] for axis in axes[:2]):
                key = "crop" if options.crop is not None or options.resize == "shorter" else "size"
                changes.append(f"preprocess.{key} = [{height or 'any'}, {width or 'any'}]")
            advice = f"Set {' and '.join(changes)}." if changes else "Change [preprocess]."
        return UserError(
            f"Pictures do not fit the model's input '{name}'.",
            f"'{path.name}' becomes {shown(shape)} ({options.layout}); the model expects {shown(expected)}.",
            advice,
        )

    def _nothing(self) -> UserError:
        if self.rejected:
            first = self.rejected[0]
            why = f"All {len(self.rejected)} are broken; '{first.name}': {first.reason}."
            return UserError(f"No picture in '{self.path}' can be used.", why, "Replace or repair the files.")
        why = f"It holds {self.ignored} files, none with a picture's extension." if self.ignored else "It is empty."
        kinds = ", ".join(sorted(EXTENSIONS))
        return UserError(f"There are no pictures in '{self.path}'.", why, f"Pictures end in {kinds}.")


class _ArrayFile(Source):
    def __init__(self, path: Path, inputs: Sequence[InputSpec]) -> None:
        super().__init__(path)
        try:
            if path.suffix.lower() == ".npy":
                stored: Arrays = {"": np.load(path, mmap_mode="r", allow_pickle=False)}
            else:
                stored = _open_npz(path)
        except (OSError, ValueError, EOFError, zipfile.BadZipFile, KeyError, struct.error) as error:
            raise UserError(
                f"'{path}' cannot be read as an array file.",
                f"{str(error) or type(error).__name__}. Pickled objects are never loaded.",
                "Save plain numeric arrays with numpy.save or numpy.savez.",
            ) from error
        names = [name for name, _, _ in inputs]
        labels = stored.pop("labels", None) if "labels" not in names and len(stored) > 1 else None
        if len(inputs) == 1 and len(stored) == 1:
            stored = {names[0]: next(iter(stored.values()))}
        if stored.keys() != set(names):
            raise UserError(
                f"The arrays in '{path}' are not the model's inputs.",
                f"The file has {', '.join(map(repr, stored)) if set(stored) != {''} else 'one array'}; "
                f"the model takes {', '.join(map(repr, names))}.",
                "Save one array per input under its name in an .npz file (and 'labels', if there are any).",
            )
        self._inputs, self._stored = inputs, stored
        rows = self._rows()
        classes = self._classes(labels, rows)
        for row in range(rows):
            label = None if classes is None else int(classes[row])
            self.items.append(Item(str(row), label, partial(self._load, row)))

    def _rows(self) -> int:
        for name, expected, _ in self._inputs:
            array = self._stored[name]
            if array.dtype.kind not in "biuf":
                raise UserError(
                    f"The array '{name}' in '{self.path}' holds {array.dtype}, not numbers.",
                    "Inputs are real numbers or truth values.",
                    "Convert it before saving.",
                )
            if array.ndim == 0 or not fits(array.shape, expected):
                hint = "Add a leading axis for the samples (array[None])." if array.ndim == len(expected) - 1 else ""
                raise UserError(
                    f"The array for input '{name}' in '{self.path}' does not fit the model.",
                    f"Its shape is {shown(array.shape)}; the model expects {shown(expected)} per row.",
                    hint or "Save arrays of that shape, with the samples along the first axis.",
                )
        counts = {name: self._stored[name].shape[0] for name, _, _ in self._inputs}
        if len(set(counts.values())) > 1:
            raise UserError(
                f"The arrays in '{self.path}' have different numbers of rows.",
                ", ".join(f"'{name}': {count}" for name, count in counts.items()) + ".",
                "Row i of every array must belong to sample i.",
            )
        rows = int(next(iter(counts.values())))
        if rows == 0:
            raise UserError(f"'{self.path}' has no samples.", "Its arrays have zero rows.", "Save at least one row.")
        return rows

    def _classes(self, labels: np.ndarray[Any, Any] | None, rows: int) -> np.ndarray[Any, Any] | None:
        if labels is not None and (labels.dtype.kind not in "iu" or labels.shape != (rows,) or labels.min() < 0):
            raise UserError(
                f"The array 'labels' in '{self.path}' is not one class per row.",
                f"It is {labels.dtype} of shape {shown(labels.shape)}, for {rows} rows.",
                "Save whole numbers from 0 up, one per row.",
            )
        return labels

    def _load(self, row: int) -> Arrays:
        loaded = {name: cast(np.array(self._stored[name][row : row + 1]), kind) for name, _, kind in self._inputs}
        for array in self._stored.values():
            _forget_pages(array)
        return loaded


def _forget_pages(array: np.ndarray[Any, Any]) -> None:
    """Give the pages of a mapped file back: whatever was read of it would count as memory of this process."""
    mapped = getattr(array, "_mmap", None)
    if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BrokenImageError(f"it cannot be read: {error.strerror or error}") from error


def _open_npz(path: Path) -> Arrays:
    """Map the arrays that are stored uncompressed, and load the others."""
    arrays: Arrays = {}
    with zipfile.ZipFile(path) as archive, path.open("rb") as raw:
        for entry in archive.infolist():
            if not entry.filename.endswith(".npy"):
                continue
            key = entry.filename.removesuffix(".npy")
            if entry.compress_type == zipfile.ZIP_STORED:
                mapped = _mapped(path, raw, entry.header_offset)
                if mapped is not None:
                    arrays[key] = mapped
                    continue
            with archive.open(entry) as stream:
                arrays[key] = np.lib.format.read_array(stream, allow_pickle=False)
    if not arrays:
        raise ValueError("it holds no arrays")
    return arrays


def _mapped(path: Path, raw: Any, header_offset: int) -> np.ndarray[Any, Any] | None:
    """Map one stored entry; ``None`` where numpy offers no way to read its header."""
    raw.seek(header_offset)
    header = raw.read(30)
    # The lengths in the local header count: the central directory's extra field may be another.
    name_length, extra_length = struct.unpack("<HH", header[26:30])
    raw.seek(header_offset + 30 + name_length + extra_length)
    version = np.lib.format.read_magic(raw)
    readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in readers:
        return None
    shape, fortran, dtype = readers[version](raw)
    if dtype.hasobject or 0 in shape or not shape:
        return None
    return np.memmap(path, dtype, "r", raw.tell(), shape, "F" if fortran else "C")

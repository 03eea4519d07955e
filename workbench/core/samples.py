"""The models that come with the workbench: what each is, where its files and its data lie.

Read from ``sample_models/samples.toml``, which is pure data. Used by ``resolve_model("sample:NAME")``, the
command line's help, the window's start page and the tests.
"""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path

import msgspec

from workbench.core.data import DataSource
from workbench.core.model import ModelReference, resolve_model
from workbench.core.preprocess import Preprocess
from workbench.errors import UserError, nearest
from workbench.paths import bundled


class Sample(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One sample, ready to be measured.

    Attributes:
        name: its short name, without ``sample:``.
        title: for people.
        note: one or two sentences: what it is good for and what not.
        trained: whether its answers mean anything; if not, accuracy against labels is void.
        model: the reference.
        data: real inputs with their split, and labels where they are certain.
        preprocess: how pictures become inputs; the default where the data are arrays already.
    """

    name: str
    title: str
    note: str
    trained: bool
    model: ModelReference
    data: DataSource
    preprocess: Preprocess


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What to show of a sample before it is opened; attributes as of :class:`Sample`.

    Attributes:
        missing: packages that it needs and that are not installed.
        extra: the pip extra that brings them.
    """

    name: str
    title: str
    note: str
    trained: bool
    missing: tuple[str, ...] = ()
    extra: str = ""


class _Split(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    calibration: tuple[str, ...] | str
    evaluation: tuple[str, ...] | str


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    split: str
    file: str | None = None
    package: str | None = None
    folder: str = ""
    labels: str | None = None


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    note: str
    trained: bool
    model: str
    inputs: tuple[str, ...]
    data: _Data
    weights: str | None = None
    packages: tuple[str, ...] = ()
    extra: str = ""
    preprocess: Preprocess = Preprocess()


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    split: dict[str, _Split]
    sample: dict[str, _Entry]


def sample_names() -> tuple[str, ...]:
    """Return the names of all samples, installed or not, in the order of the file."""
    return tuple(_table().sample)


def summaries() -> tuple[Summary, ...]:
    """Return what all samples are, installed or not, in the order of the file; nothing is hashed."""
    return tuple(
        Summary(
            name=name,
            title=entry.title,
            note=entry.note,
            trained=entry.trained,
            missing=_missing(entry),
            extra=entry.extra,
        )
        for name, entry in _table().sample.items()
    )


def load_sample(name: str) -> Sample:
    """Return the sample *name*; nothing is imported, and only its own files are hashed.

    Raises:
        UserError: if there is no such sample, or a package that it needs is not installed.
    """
    table = _table()
    entry = table.sample.get(name)
    if entry is None:
        raise UserError(f"There is no sample '{name}'.", "", nearest(name, table.sample))
    missing = _missing(entry)
    if missing:
        raise UserError(
            f"The sample '{name}' needs packages that are not installed.",
            f"Missing: {', '.join(missing)}.",
            f"Run: pip install 'inference-workbench[{entry.extra}]'",
        )
    folder = bundled("sample_models")
    model = resolve_model(
        str(folder / entry.model),
        weights=folder / entry.weights if entry.weights else None,
        inputs=entry.inputs,
    )
    split = table.split[entry.data.split]
    return Sample(
        name=name,
        title=entry.title,
        note=entry.note,
        trained=entry.trained,
        model=msgspec.structs.replace(model, name=f"sample:{name}"),
        data=DataSource(
            path=str(_data_path(entry.data, folder)),
            labels=str(folder / entry.data.labels) if entry.data.labels else None,
            calibration=_items(split.calibration),
            evaluation=_items(split.evaluation),
        ),
        preprocess=entry.preprocess,
    )


@functools.cache
def _table() -> _Table:
    text = (bundled("sample_models") / "samples.toml").read_bytes()
    return msgspec.toml.decode(text, type=_Table)


def _missing(entry: _Entry) -> tuple[str, ...]:
    return tuple(package for package in entry.packages if _package_folder(package) is None)


def _items(listed: tuple[str, ...] | str) -> tuple[str, ...]:
    """Return the item names: a list as it is, or the rows of a range ``first-last``."""
    if isinstance(listed, tuple):
        return listed
    first, _, last = listed.partition("-")
    return tuple(str(row) for row in range(int(first), int(last) + 1))


def _data_path(data: _Data, folder: Path) -> Path:
    if data.file is not None:
        return folder / data.file
    place = _package_folder(data.package or "")
    # load_sample has already refused a sample whose package is missing.
    assert place is not None
    return place / data.folder


def _package_folder(package: str) -> Path | None:
    """Return where the top-level *package* is installed, without importing it; None if it is not."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))

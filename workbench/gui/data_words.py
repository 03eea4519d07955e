"""Opened data in words, and what a sample brings; used by the model panel."""

from __future__ import annotations

import functools
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from workbench.core.data import Data, DataSource
from workbench.core.samples import Sample, load_sample
from workbench.errors import UserError
from workbench.gui.language import said

_SAMPLE = "sample:"


def _tr(text: str) -> str:
    return QCoreApplication.translate("ModelPanel", text)


def describe_source(source: DataSource | None) -> str:
    """Return where the data lies, calibration apart if it does."""
    if source is None:
        return _tr("No data: random numbers")
    if source.calibration_path is None:
        return source.path
    return f"{source.path}  +  {Path(source.calibration_path).name}"


def counts(data: Data) -> str:
    """Return how many samples can be used and of which kinds, such as ``24 usable: 20 rgb, 4 gray``."""
    usable = len({item.name for item in data.evaluation} | {item.name for item in data.calibration})
    kinds = ", ".join(f"{count} {mode}" for mode, count in sorted(data.modes.items(), key=lambda pair: -pair[1]))
    text = _tr("{0} usable").format(usable)
    if len(data.modes) > 1:
        text += f": {kinds}"
    if data.ignored:
        text += "  ·  " + _tr("{0} other files").format(data.ignored)
    return text


def rejected_list(data: Data) -> list[str]:
    """Return one line per file that cannot be used, with the reason."""
    return [f"{entry.name}: {said(entry.reason)}" for entry in data.rejected]


def sample_of(model_name: str) -> Sample | None:
    """Return the sample that ``sample:NAME`` stands for; None for other models and where packages are missing."""
    return _load(model_name.removeprefix(_SAMPLE)) if model_name.startswith(_SAMPLE) else None


@functools.cache
def _load(name: str) -> Sample | None:
    try:
        return load_sample(name)
    except UserError:
        return None

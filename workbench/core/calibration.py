"""What calibration saw, kept on disk: the same model and data need to be run through only once.

The file does not depend on the observer, the range policy or any fix, which all work on the distributions.
Written by the worker; the command line and the window read it to draw histograms.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from workbench import paths
from workbench.core.distribution import Distribution
from workbench.core.trial import LayerError

VERSION = 3
"""Raised when a distribution is made in another way: old files are then made again."""


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """Distributions by canonical tensor name, in the order of execution."""

    tensors: dict[str, Distribution]


_decoder = msgspec.msgpack.Decoder(Calibration)
_errors = msgspec.msgpack.Decoder(list[LayerError])


def fingerprint(facts: Mapping[str, Any], files: Sequence[Path]) -> str:
    """Return a name for a calibration.

    Args:
        facts: everything but the files that decides the values (model, preprocessing, rewrites), JSON-able.
        files: what the samples are read from; told apart by name, size and time of change.
    """
    digest = hashlib.sha256(msgspec.json.encode([VERSION, facts], order="deterministic"))
    for file in files:
        status = file.stat()
        digest.update(f"\0{file}\0{status.st_size}\0{status.st_mtime_ns}".encode())
    return digest.hexdigest()[:32]


def load_errors(path: Path) -> list[LayerError]:
    """Return the layers that an earlier scan has finished, none where there is no such file."""
    try:
        return _errors.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError):
        return []


def save_errors(path: Path, errors: Sequence[LayerError]) -> bool:
    """Keep finished layers, so that a scan that was stopped goes on there; return whether it could be written."""
    return _write(path, msgspec.msgpack.encode(list(errors)))


def load(path: Path) -> dict[str, Distribution] | None:
    """Return the distributions in *path*, None where there are none that can be used."""
    try:
        return _decoder.decode(path.read_bytes()).tensors
    except (OSError, msgspec.MsgspecError):
        return None


def save(path: Path, tensors: Mapping[str, Distribution]) -> bool:
    """Write *path* whole or not at all; return whether it could be written."""
    return _write(path, msgspec.msgpack.encode(Calibration(tensors=dict(tensors))))


def _write(path: Path, content: bytes) -> bool:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        paths.write_whole(path, content)
    except OSError:
        return False
    return True

"""Where frames come from, how they become feeds, and how answers are shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from workbench.core import picture, pixels
from workbench.core.outputs import is_scores
from workbench.errors import UserError
from workbench.onsite.start import Bundle

_LOOK_S = 0.2


def frames(places: list[str], seconds: float, fps: float = 0.0) -> Iterator[tuple[str, Any]]:
    """Yield (name, bytes of a picture or a row of an array).

    Args:
        places: pictures, folders of pictures, ``.npy`` files whose rows are inputs.
        seconds: go round and round for so long; 0 goes round once.
        fps: most frames in a second, like a camera; 0 for as many as are taken.
    """
    end = due = time.monotonic()
    end += seconds
    while True:
        any_there = False
        for place in places:
            for frame in _frames_of(Path(place)):
                any_there = True
                if fps:
                    due = max(due + 1.0 / fps, time.monotonic() - 1.0)
                    time.sleep(max(due - time.monotonic(), 0.0))
                yield frame
                if seconds and time.monotonic() >= end:
                    return
        if not seconds or (not any_there and time.monotonic() >= end):
            return
        if not any_there:  # a camera may still fill the folder
            time.sleep(_LOOK_S)


def _frames_of(path: Path) -> Iterator[tuple[str, Any]]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.suffix.lower() in picture.EXTENSIONS:
                yield file.relative_to(path).as_posix(), _content(file)
    elif path.suffix.lower() == ".npy":
        try:
            rows = np.load(path, mmap_mode="r")
        except (OSError, ValueError) as error:
            raise UserError(f"{path.name} holds no array.", f"{error}.") from error
        for number, row in enumerate(rows):
            yield f"{path.name}[{number}]", np.array(row)[None]
    else:
        yield path.name, _content(path)


def _content(file: Path) -> bytes | OSError:
    """Return what is in a file, or why it cannot be read: one that is gone again must not end the loop."""
    try:
        return file.read_bytes()
    except OSError as error:
        return error


def preparation(bundle: Bundle) -> Callable[[tuple[str, Any]], dict[str, Any]]:
    """Return what makes a feed of a frame: the bundle's own preprocessing for pictures, a cast for arrays."""
    (name,), (kind,) = bundle["inputs"][:1], bundle["input_dtypes"][:1]
    recipe = SimpleNamespace(**bundle["preprocess"])

    def prepare(frame: tuple[str, Any]) -> dict[str, Any]:
        content = frame[1]
        if isinstance(content, OSError):
            raise content
        if isinstance(content, np.ndarray):
            return {name: np.ascontiguousarray(pixels.cast(content, kind))}
        return {name: pixels.cast(pixels.prepare(picture.decode(content).pixels, recipe), kind)}

    return prepare


def shown(outputs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return outputs as a record: the five best classes, all values of what is small, the extent of what is not."""
    record: dict[str, Any] = {}
    for name, array in outputs:
        if is_scores(array):
            best = np.argsort(array[0])[::-1][:5]
            record[name] = {"best": [[int(i), float(array[0, i])] for i in best]}
        elif array.size <= 64:
            record[name] = np.asarray(array, np.float64).tolist()
        else:
            record[name] = {"shape": list(array.shape), "min": float(array.min()), "max": float(array.max())}
    return record

"""Reading small kernel files that may be missing; used by every reader of this room.

Containers, virtual machines and old kernels each leave out some of /proc and /sys, and a file that
exists may still refuse to be read (ENODEV for an offline CPU). All of that means "unknown", never an
error, so these helpers answer ``None`` instead of raising.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

_heard: ContextVar[dict[Path, str] | None] = ContextVar("heard", default=None)


def read_text(path: Path) -> str | None:
    """Return the stripped content of *path*, or ``None`` where it cannot be read."""
    try:
        with path.open("rb", buffering=0) as file:
            text = file.read().decode("utf-8", "replace").strip()
    except (OSError, ValueError):
        return None
    if (heard := _heard.get()) is not None:
        heard[path] = text
    return text


@contextlib.contextmanager
def listening() -> Iterator[dict[Path, str]]:
    """Collect what this room reads meanwhile: path → content."""
    heard: dict[Path, str] = {}
    token = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(token)


def read_int(path: Path) -> int | None:
    """Return the whole number in *path*, or ``None`` where there is none."""
    text = read_text(path)
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        return None


def below(root: Path, absolute: str) -> Path:
    """Return the path *absolute* as seen from the injected *root* folder."""
    return root / absolute.lstrip("/")

"""Where things lie: bundled files (checkout or wheel) and the user's own folders."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def bundled(name: str) -> Path:
    """Return the folder *name* (``resources`` or ``sample_models``) that came with the product.

    A wheel carries both inside the package (see ``force-include`` in ``pyproject.toml``); in a
    checkout they are the package's neighbours.
    """
    inside = _PACKAGE / "_bundled" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def checkout() -> Path | None:
    """Return the folder that the product's source was checked out to, None where it was installed."""
    return _PACKAGE.parent if (_PACKAGE.parent / "pyproject.toml").is_file() else None


def user_data() -> Path:
    """Return the folder for studies; ``WORKBENCH_DATA_DIR`` overrides the platform's place."""
    return _user_folder("WORKBENCH_DATA_DIR", "user_data_path")


def user_cache() -> Path:
    """Return the folder for what can be made again; ``WORKBENCH_CACHE_DIR`` overrides it."""
    return _user_folder("WORKBENCH_CACHE_DIR", "user_cache_path")


def _user_folder(variable: str, function: str) -> Path:
    if chosen := os.environ.get(variable):
        return Path(chosen)
    import platformdirs

    folder: Path = getattr(platformdirs, function)("inference-workbench", appauthor=False)
    return folder


def write_whole(place: Path, content: bytes) -> None:
    """Write a file whole, or leave what was there; everybody may read it, as any file that is just opened.

    Raises:
        OSError: it cannot be written.
    """
    descriptor, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise

"""A folder that is made completely or not at all: under another name beside it, until everything is there."""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from workbench.errors import UserError


@contextlib.contextmanager
def partial(out: Path) -> Iterator[Path]:
    """Give a folder beside *out* that is gone afterwards, whatever happens, unless :func:`give_name` was called.

    Raises:
        UserError: *out* is taken, or something cannot be written.
    """
    if out.exists() and (out.is_file() or any(out.iterdir())):
        raise UserError(f"{out} exists already.", "Nothing is overwritten.", "Choose another place, or remove it.")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{out.stem}-", dir=out.parent))
    except OSError as error:
        raise UserError(
            f"{out.parent} cannot be written to.", f"{error.strerror or error}.", "Choose another place."
        ) from error
    try:
        yield folder
    except OSError as error:
        raise UserError(
            f"{out.name} could not be written to {out.parent}.",
            f"{error.strerror or error}.",
            "Nothing was left there.",
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def give_name(folder: Path, out: Path) -> None:
    """Make *folder* into *out*, which is packed where its name ends in ``.zip``."""
    folder.chmod(0o755)  # mkdtemp's own is for the user alone
    if out.suffix == ".zip":
        packed = folder.with_name(f"{folder.name}.zip")
        try:
            shutil.make_archive(str(folder), "zip", folder)
            packed.replace(out)
        finally:
            packed.unlink(missing_ok=True)
    else:
        if out.exists():
            out.rmdir()
        folder.replace(out)


def short_name(name: str) -> str:
    """Return *name* as folders, services, images and source can have it."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._") or "model"

"""A file in torch's form whose pickle would run a command: it makes the file ``ran`` beside itself."""

from __future__ import annotations

import os
import pickle
import zipfile
from pathlib import Path


class _Evil:
    def __init__(self, place: Path) -> None:
        self._place = place

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, (f"touch {self._place}",)


def write(folder: Path) -> Path:
    """Make ``evil.pt``."""
    file = folder / "evil.pt"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("evil/data.pkl", pickle.dumps(_Evil(folder / "ran")))
        archive.writestr("evil/version", "3\n")
    return file

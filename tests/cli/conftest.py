"""The command line run in this process, with a fake in place of every engine."""

from __future__ import annotations

import zipfile

import cv2
import numpy as np
import pytest

from workbench.study import runner


@pytest.fixture
def script(tmp_path):
    """A file that is TorchScript as far as anybody can tell without loading it."""
    file = tmp_path / "net.pt"
    with zipfile.ZipFile(file, "w") as archive:
        for name in ("data.pkl", "constants.pkl", "code/__torch__.py", "version"):
            archive.writestr(f"net/{name}", "")
    return file


@pytest.fixture
def faked(monkeypatch):
    """Put the fake in place of every engine; the returned function says how it behaves."""
    monkeypatch.setattr(runner, "MODULES", dict.fromkeys(runner.MODULES, "fake_engine"))
    monkeypatch.setattr(runner, "_check_available", lambda *_: None)
    return lambda behaviour="": monkeypatch.setenv("FAKE_BEHAVIOUR", behaviour)


@pytest.fixture
def pictures(tmp_path):
    """Four pictures of 8 × 8."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(4):
        pixels = np.random.default_rng(number).integers(0, 255, (8, 8, 3), np.uint8)
        assert cv2.imwrite(str(folder / f"{number}.png"), pixels)
    return folder

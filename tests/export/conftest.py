"""One small bundle for all tests here: copied, moved and damaged, never changed in place."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from workbench.core.config import Config
from workbench.export.bundle import export
from workbench.study.runner import Runner
from workbench.study.subject import find_subject


@pytest.fixture(scope="session")
def runner() -> Runner:
    """One that has made the ONNX form of a model once."""
    return Runner()


@pytest.fixture(scope="session")
def exported(runner, tmp_path_factory) -> Path:
    """A bundle of digits-cnn, INT8 in ONNX Runtime."""
    out = tmp_path_factory.mktemp("bundle") / "digits"
    config = Config({"engine": "onnxruntime", "precision": "int8", "runtime.threads": 1})
    # How fast it is depends on what else runs here: that is for the benchmarks.
    trial, found = export(runner, find_subject("sample:digits-cnn"), config, out, processes=0)
    assert trial.status == "ok", trial.reason
    assert found is not None and found.ok, found
    return out


@pytest.fixture
def bundle(exported, tmp_path) -> Path:
    """A copy of the bundle elsewhere, under a name with a space and letters that are not ASCII."""
    place = tmp_path / "Prüfstand 3 检测"
    shutil.copytree(exported, place)
    return place


@pytest.fixture
def rows(bundle):
    """Frames that the bundle knows."""
    with np.load(bundle / "golden.npz") as golden:
        return np.concatenate([golden[f"{number}.in.image"] for number in range(4)])


@pytest.fixture
def mounted(tmp_path) -> Iterator[Path]:
    """A disk of 256 KiB."""
    place = tmp_path / "small disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)]
    if not shutil.which("mount") or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)

"""One small bundle for all tests here: copied, moved and damaged, never changed in place."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from production import Watched, watch

from workbench.core.config import Config
from workbench.export.bundle import export
from workbench.study.runner import Runner
from workbench.study.subject import find_subject


@pytest.fixture(scope="session")
def exported(tmp_path_factory) -> Path:
    """A bundle of digits-cnn, INT8 in ONNX Runtime."""
    out = tmp_path_factory.mktemp("bundle") / "digits"
    config = Config({"engine": "onnxruntime", "precision": "int8", "runtime.threads": 1})
    # How fast it is depends on what else runs here: that is for the benchmarks.
    trial, found = export(Runner(), find_subject("sample:digits-cnn"), config, out, processes=0)
    assert trial.status == "ok", trial.reason
    assert found is not None and found.ok, found
    return out


@pytest.fixture(scope="session", autouse=True)
def two_minutes(exported, tmp_path_factory) -> Iterator[Future[Watched]]:
    """The production loop, running beside the other tests here like beside a slow camera."""
    place = tmp_path_factory.mktemp("loop")
    shutil.copytree(exported, place / "bundle")
    with np.load(exported / "golden.npz") as golden:
        rows = np.concatenate([golden[f"{number}.in.image"] for number in range(4)])
    np.save(place / "rows.npy", rows)
    names = [f"rows.npy[{number}]" for number in range(4)]
    options, children = ("--fps", "50", "--every", "20", "--alarm", "1"), []
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(watch, place / "bundle", place / "rows.npy", names, 120.0, *options, started=children.append)
        for child in children:  # nobody asked: another process of pytest has the test
            child.terminate()


@pytest.fixture
def bundle(exported, tmp_path) -> Path:
    """A copy of the bundle elsewhere, under a name with a space and letters that are not ASCII."""
    place = tmp_path / "Prüfstand 3 检测"
    shutil.copytree(exported, place)
    return place

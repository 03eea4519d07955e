"""Calibration in constant memory, however many samples there are (B48)."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.core.model import resolve_model
from workbench.study.runner import Subject

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nothing_left")]

THREE = """
    import torch
    from torch import nn

    def build():
        torch.manual_seed(0)
        layers = []
        for number in range(3):
            layers += [nn.Conv2d(2 if number else 3, 2, 3, padding=1), nn.ReLU()]
        return nn.Sequential(*layers).eval()
"""


@pytest.mark.parametrize(("engine", "observer"), [("onnxruntime", "percentile"), ("torch", "minmax")])
def test_memory_does_not_grow_with_calibration_samples(runner, tmp_path, engine, observer):
    """Kept outputs of 64 samples would be 200 MB, a file that stays mapped 50 MB."""
    (tmp_path / "three.py").write_text(textwrap.dedent(THREE))
    rng = np.random.default_rng(0)
    np.save(tmp_path / "calibration.npy", rng.normal(size=(64, 3, 256, 256)).astype(np.float32))
    np.save(tmp_path / "evaluation.npy", rng.normal(size=(1, 3, 256, 256)).astype(np.float32))
    data = DataSource(path=str(tmp_path / "evaluation.npy"), calibration_path=str(tmp_path / "calibration.npy"))
    subject = Subject(resolve_model(f"{tmp_path / 'three.py'}:build", inputs=("?x3x256x256",)), data)
    knobs = {"engine": engine, "precision": "int8", "calibration.observer": observer, "runtime.threads": 1}
    peaks, running = [], []
    for samples in (8, 64):
        config = Config({**knobs, "calibration.samples": samples})
        trial = runner.measure(subject, config, runs=5, seconds=0.2, accuracy=False)
        assert (trial.status, trial.reason, len(trial.data.calibration)) == ("ok", "", samples)
        peaks.append(trial.memory.build_peak_rss_mb)
        running.append(trial.memory.peak_rss_mb)
    assert peaks[1] <= 1.1 * peaks[0]
    assert running[1] <= 1.1 * running[0]

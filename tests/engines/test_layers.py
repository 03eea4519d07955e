"""Layers looked into on real engines: emulated errors against measured ones, weights as they were built."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from engine_helpers import digits, tiny

from workbench.core import calibration
from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.core.layer_table import layer_table
from workbench.study.runner import Subject

pytestmark = pytest.mark.engine
ENGINES = ["torch", "ipex", "onnxruntime"]


@pytest.fixture(scope="module")
def trial(runner):
    """A trial of digits-cnn with its layers looked into, one per engine."""
    known = {}

    def measured(engine):
        if engine not in known:
            pytest.importorskip({"ipex": "intel_extension_for_pytorch"}.get(engine, engine))
            config = Config({"engine": engine, "precision": "int8", "runtime.threads": 1, "target_isa": "avx2"})
            known[engine] = runner.measure(
                digits(evaluation=4), config, runs=5, seconds=1.0, layer_errors=True, sensitivity_s=120.0
            )
        return known[engine]

    return measured


@pytest.mark.parametrize("engine", ENGINES)
def test_the_emulated_error_is_that_of_the_kernels(trial, engine):
    found = trial(engine)
    assert found.status == "ok", found.reason
    # The same 4 samples; kernels differ by their rounding, what is emulated wrongly is off by tens of dB.
    assert found.errors.all_db == pytest.approx(found.accuracy.sqnr_db, abs=1.5)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_pool_hands_its_levels_on_and_the_values_keep_their_size(engine, runner, tmp_path):
    # IPEX believes any scale behind a pool, and its kernel keeps the levels: another scale scaled the outputs.
    pytest.importorskip({"ipex": "intel_extension_for_pytorch"}.get(engine, engine))
    images = np.random.default_rng(5).normal(size=(16, 3, 12, 12)).astype(np.float32)
    np.savez(tmp_path / "noise.npz", image=images)
    model = tiny("pooled", "image=1x3x12x12").model
    subject = Subject(model, DataSource(path=str(tmp_path / "noise.npz")))
    config = Config({"engine": engine, "precision": "int8", "runtime.threads": 1})
    found = runner.measure(subject, config, runs=5, seconds=1.0, layer_errors=True)
    assert found.status == "ok", found.reason
    assert found.accuracy.sqnr_db > 20.0
    assert found.errors.all_db == pytest.approx(found.accuracy.sqnr_db, abs=6.0)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_planned_layer_has_its_errors_and_they_make_sense(trial, engine):
    found = trial(engine)
    errors = found.errors.layers
    assert [error.layer for error in errors] == [
        k.layer for k in found.proof.kernels if k.dtype == "int8" and k.compute
    ]
    for error in errors:
        assert error.only_db >= found.errors.all_db - 1.0, "one layer alone costs less than all of them"
        assert error.rest_db >= found.errors.all_db - 1.0
        assert 15.0 < error.own_db < 80.0


@pytest.mark.parametrize("engine", ENGINES)
def test_no_sum_of_two_products_can_leave_int16_without_vnni(trial, engine):
    weights = trial(engine).weights
    assert len(weights) == 5
    assert [entry.overflow_any for entry in weights] == [0] * 5
    assert all(len(entry.low) == len(entry.high) > 1 for entry in weights)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_table_names_groups_scales_and_kernels_by_the_users_names(trial, engine):
    found = trial(engine)
    table = layer_table(found, calibration.load(Path(found.calibration)))
    rows = {row.name: row for row in table.layers}
    assert rows["conv1"].group[0] == "conv1"
    assert rows["conv1"].group[-1] == "relu"
    assert rows["conv1"].dtype == "int8"
    output = rows["conv1"].tensors[1]
    assert output.name == "relu:out"
    assert output.quantized
    assert output.low <= 0.0 <= output.max <= output.high * 1.5
    assert sum(row.share for row in table.layers if row.share) <= 1.0 + 1e-9

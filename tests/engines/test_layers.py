"""Layers looked into on real engines: emulated errors against measured ones, weights as they were built."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from engine_helpers import digits, tiny

from workbench.core import calibration
from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.core.layer_table import layer_table
from workbench.core.model import resolve_model
from workbench.paths import bundled, user_cache
from workbench.study.runner import Listener, Subject

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
    # The same 4 samples; kernels round sums in between as well, which shows where all else is as good as here (40 dB).
    # What is emulated wrongly is off by tens of dB.
    assert found.errors.all_db == pytest.approx(found.accuracy.sqnr_db, abs=4.0)


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
    assert found.errors.all_db == pytest.approx(found.accuracy.sqnr_db, abs=8.0)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_planned_layer_has_its_errors_and_they_make_sense(trial, engine):
    found = trial(engine)
    errors = found.errors.layers
    assert [error.layer for error in errors] == [
        k.layer for k in found.proof.kernels if k.dtype == "int8" and k.compute
    ]
    for error in errors:
        # Fewer layers cost less, but for errors that happen to cancel out.
        assert error.only_db >= found.errors.all_db - 3.0
        assert error.rest_db >= found.errors.all_db - 3.0
        assert 15.0 < error.own_db < 80.0


def test_a_scan_that_is_cancelled_goes_on_where_it_was(runner, tmp_path):
    """What is done lies in a file; altered there, it comes back altered."""
    np.savez(tmp_path / "noise.npz", image=np.random.default_rng(6).normal(size=(4, 3, 128, 128)).astype(np.float32))
    deep = Subject(tiny("deep", "image=1x3x128x128").model, DataSource(path=str(tmp_path / "noise.npz")))
    config, steps, workers = Config({"precision": "int8", "runtime.threads": 1}), [], []

    def progress(phase, done, total):
        if phase == "looking into the layers" and total:
            steps.append((done, total))
            if steps == [(0, 12), (1, 12), (2, 12)]:
                workers[0].cancel()

    listener = Listener(progress=progress, started=workers.append)
    options = {"runs": 5, "seconds": 1.0, "layer_errors": True, "sensitivity_s": 60.0, "listener": listener}
    folder = user_cache() / "layers"
    before = set(folder.iterdir()) if folder.is_dir() else set()
    stopped = runner.measure(deep, config, **options)
    assert (stopped.status, stopped.errors) == ("failed", None)
    assert "cancelled" in stopped.reason
    assert stopped.latency is not None, "the samples are kept"
    (file,) = {*folder.iterdir()} - before
    assert 2 <= len(calibration.load_errors(file)) < 12
    done = [msgspec.structs.replace(error, own_db=-1.0) for error in calibration.load_errors(file)]
    calibration.save_errors(file, done)

    finished = runner.measure(deep, config, **options)
    assert (finished.status, finished.reason) == ("ok", "")
    assert finished.errors.complete
    assert finished.errors.layers[: len(done)] == done
    assert all(error.own_db > 0 and error.rest_db is not None for error in finished.errors.layers[len(done) :])
    assert steps[-1] == (11, 12)
    assert calibration.load_errors(file) == finished.errors.layers


@pytest.fixture(scope="module")
def resnet18(runner, tmp_path_factory):
    """Measure ResNet-18 on small pictures for a target: its weights are those of any size."""
    file = tmp_path_factory.mktemp("pictures") / "noise.npz"
    np.savez(file, input=np.random.default_rng(18).normal(size=(2, 3, 48, 48)).astype(np.float32))
    model = resolve_model(f"{bundled('sample_models') / 'resnet.py'}:resnet18", inputs=["1x3x48x48"])
    subject = Subject(model, DataSource(path=str(file)))

    def measured(engine, **knobs):
        basic = {"engine": engine, "precision": "int8", "runtime.threads": 1, "calibration.observer": "minmax"}
        # The weights are looked into, but no layer is scanned: there is no time for that.
        return runner.measure(
            subject, Config({**basic, **knobs}), runs=5, seconds=1.0, layer_errors=True, sensitivity_s=0.0
        )

    return measured


@pytest.mark.parametrize("engine", ENGINES)
def test_no_sum_of_two_products_of_resnet18_can_leave_int16_on_a_target_without_vnni(resnet18, engine):
    pytest.importorskip({"ipex": "intel_extension_for_pytorch"}.get(engine, engine))
    found = resnet18(engine, target_isa="avx2")
    assert found.status == "ok", found.reason
    planned = [layer.name for layer in found.layers if layer.kind]
    assert len(planned) == found.proof.expected_int8 == 21
    # The built weights, with the largest level that a value within its range can have, in the worst order.
    assert {entry.layer: (entry.overflow, entry.overflow_any) for entry in found.weights} == dict.fromkeys(
        planned, (0, 0)
    )
    assert not found.errors.complete
    # That level, from the built scales: nothing that calibration saw lies above.
    most = 255 if engine == "onnxruntime" else 127
    seen = calibration.load(Path(found.calibration))
    levels = [round(seen[entry.tensor].maximum / entry.scale) + entry.zero_point for entry in found.tensors]
    assert len(levels) > 21
    assert max(levels) == most


def test_full_range_on_a_target_with_vnni_could_overflow_without_it(resnet18):
    found = resnet18("torch", target_isa="avx512_vnni")
    assert len(found.weights) == 21
    assert all(entry.overflow_any > len(entry.low) / 2 for entry in found.weights)


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

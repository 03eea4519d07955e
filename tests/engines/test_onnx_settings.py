"""ONNX Runtime's knobs: obeyed and read back, or refused before anything starts."""

from __future__ import annotations

import numpy as np
import onnx_files as files
import pytest

from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.errors import UserError
from workbench.host.isa import Isa
from workbench.host.limits import usable_cpus
from workbench.study import runner as runners
from workbench.study.runner import Listener, Subject

pytest.importorskip("onnxruntime")
pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nothing_left")]


def test_threads_affinity_spin_and_optimization_are_obeyed(ort, chain):
    cpus = usable_cpus()
    trial = ort(
        chain, runtime__threads=1, runtime__affinity=str(cpus[-1]), runtime__spin=False,
        runtime__graph_optimization="disabled", layout__aligned_input=False,
    )  # fmt: skip
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.effective.threads == 1
    assert trial.effective.affinity == [cpus[-1]]
    assert trial.effective.input_alignment == 4
    assert trial.config["runtime"]["spin"] is False
    # Nothing was fused: the ReLUs of the file ran by themselves.
    assert sum(kernel.op == "Relu" for kernel in trial.proof.kernels) == 3
    fused = ort(chain)
    assert not any(kernel.op == "Relu" for kernel in fused.proof.kernels)


def test_denormals_are_flushed_where_that_was_asked_for(ort, chain):
    assert ort(chain, runtime__flush_denormals=True).effective.flush_denormals
    assert not ort(chain).effective.flush_denormals


@pytest.mark.skipif(len(usable_cpus()) < 2, reason="needs two CPUs")
def test_as_many_threads_as_asked_for_are_counted(ort, chain):
    assert ort(chain, runtime__threads=2).effective.threads == 2


def test_quantize_pairs_that_nothing_fuses_are_no_int8(ort, chain):
    trial = ort(chain, precision="int8", runtime__graph_optimization="basic")
    assert trial.status == "invalid"
    assert "no INT8 kernel ran" in trial.reason
    written_out = ort(chain, precision="int8", runtime__graph_optimization="basic", quantization__format="qoperator")
    assert (written_out.status, written_out.proof.int8_kernels) == ("ok", 4)


def test_values_that_are_not_finite_end_calibration_with_a_word(ort, chain, tmp_path):
    rows = files.noise(4, 16, 8, 8)
    rows[:, 0, 0, 0] = np.nan
    np.save(tmp_path / "rows.npy", rows)
    subject = Subject(chain.model, DataSource(path=str(tmp_path / "rows.npy")))
    for observer in ("minmax", "percentile"):
        trial = ort(subject, precision="int8", calibration__observer=observer)
        assert trial.status == "invalid"
        assert "not finite" in trial.reason


# -- combinations that are refused before anything starts (B12) ---------------------------------------------

FORBIDDEN = [
    (
        {
            "precision": "int8",
            "quantization.format": "qoperator",
            "quantization.activation": "qint8",
            "quantization.weight": "qint8",
        },
        "qoperator",
    ),
    ({"precision": "int8", "quantization.activation": "qint8", "quantization.weight": "quint8"}, "no kernels"),
    ({"precision": "int8", "quantization.range": "full", "target_isa": "avx2"}, "overflows 16-bit"),
    ({"precision": "int8", "quantization.range": "full", "target_isa": "avx512"}, "overflows 16-bit"),
    ({"precision": "bf16"}, "no BF16"),
]


@pytest.mark.parametrize(("knobs", "words"), FORBIDDEN)
def test_a_forbidden_combination_is_no_config(knobs, words):
    with pytest.raises(UserError, match=words):
        Config({"engine": "onnxruntime", **knobs})


def test_a_full_range_on_a_host_without_vnni_starts_no_worker(monkeypatch, chain, runner):
    monkeypatch.setattr(runners, "read_isa", lambda: Isa(("avx2",)))
    started = []
    knobs = {"engine": "onnxruntime", "precision": "int8", "quantization.range": "full", "runtime.threads": 1}
    config = Config(knobs)
    with pytest.raises(UserError, match="overflows 16-bit"):
        runner.measure(chain, config, listener=Listener(started=started.append))
    assert not started
    per_tensor = config.changed({"quantization.per_channel": False})
    trial = runner.measure(chain, per_tensor, runs=5)
    assert (trial.status, trial.config["target_isa"]) == ("ok", "avx2")

"""Intel Extension for PyTorch in real workers; never imported into this process."""

from __future__ import annotations

import psutil
import pytest
from engine_helpers import compute_layers, digits, kernels_by_layer, tiny

from workbench.core.config import Config
from workbench.core.model import resolve_model
from workbench.errors import UserError
from workbench.study.runner import Listener, Subject

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nothing_left", "ipex")]

CNN = {"conv1", "conv2", "conv3", "conv4", "fc"}


@pytest.fixture(scope="module")
def ipex(needs_engine):
    needs_engine("ipex")


def test_fp32_runs_every_layer_and_changes_no_answer(measure):
    trial = measure(digits(), engine="ipex")
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.proof.fp32_kernels == 5
    assert kernels_by_layer(trial).keys() == CNN
    assert trial.accuracy.cosine_min > 0.99999
    assert trial.accuracy.top1_agreement == 1.0
    assert trial.effective.engine_version.startswith("2.")
    assert trial.config["layout"]["channels_last"]


def test_a_worker_is_one_process_without_a_compiler_beside_it(runner):
    started, beside = [], []

    def look(_):
        worker = psutil.Process(started[0].pid)
        # Of the warm parent, too: it is the import of the extension that would start a compiler.
        beside.extend({*worker.children(), *worker.parent().children(recursive=True)} - {worker})

    config = Config({"engine": "ipex", "runtime.threads": 1})
    trial = runner.measure(digits(), config, runs=5, listener=Listener(started=started.append, burst=look))
    assert (trial.status, beside) == ("ok", [])


def test_int8_proves_every_planned_layer_and_keeps_the_classes(measure):
    trial = measure("digits-cnn", engine="ipex", precision="int8", calibration__samples=40)
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.proof.int8_kernels == trial.proof.expected_int8 == 5
    assert {name for name, kernel in kernels_by_layer(trial).items() if kernel.dtype == "int8"} == CNN
    assert trial.accuracy.top1_fp32 - trial.accuracy.top1 <= 0.005
    assert trial.accuracy.cosine_min < 1.0
    assert "input:image" in {tensor.tensor for tensor in trial.tensors}
    assert all(tensor.scale > 0 for tensor in trial.tensors)


def test_a_pool_that_is_a_built_in_function_is_found(measure):
    trial = measure(tiny("averaged", "image=1x3x18x18"), engine="ipex", precision="int8")
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.proof.int8_kernels == 2
    scales = {tensor.tensor: tensor.scale for tensor in trial.tensors}
    assert scales["avg_pool2d:out"] == scales["relu:out"], "the levels are handed on"


def test_a_layer_pinned_to_fp32_lowers_the_count_by_exactly_one(measure):
    trial = measure(digits(), engine="ipex", precision="int8", layers={"conv2": "fp32"})
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.proof.int8_kernels == trial.proof.expected_int8 == 4
    assert trial.proof.kept == {"conv2": "kept in FP32 by the config"}
    assert kernels_by_layer(trial)["conv2"].dtype == "fp32"


def test_a_branch_on_values_is_no_obstacle_to_an_engine_that_traces_by_running(measure):
    trial = measure(tiny("branching", "1x4"), engine="ipex", precision="int8")
    assert (trial.status, trial.reason) == ("ok", "")
    assert [layer.name for layer in compute_layers(trial)] == ["fc"]
    assert trial.proof.int8_kernels == 1


def test_a_torchscript_file_is_refused_with_the_reason(measure, tmp_path):
    torch = pytest.importorskip("torch")
    import tiny_nets

    torch.jit.save(torch.jit.script(tiny_nets.plain()), tmp_path / "script.pt")
    with pytest.raises(UserError) as caught:
        measure(Subject(resolve_model(str(tmp_path / "script.pt"), inputs=["1x4"])), engine="ipex")
    assert "cannot be optimized by IPEX" in caught.value.what
    assert "engine=torch" in caught.value.next_step

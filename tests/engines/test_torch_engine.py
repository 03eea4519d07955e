"""Stock PyTorch in real workers: every precision proves itself, and what cannot work says why."""

from __future__ import annotations

import numpy as np
import pytest
from engine_helpers import NETS, compute_layers, digits, kernels_by_layer, tiny

from workbench.core.data import DataSource
from workbench.core.model import resolve_model
from workbench.errors import UserError
from workbench.host.isa import read_isa
from workbench.host.limits import usable_cpus
from workbench.host.openmp import find_library
from workbench.study.runner import Subject

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nothing_left")]

CNN = {"conv1", "conv2", "conv3", "conv4", "fc"}


# -- floating point ---------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["eager", "frozen", "optimized"])
def test_fp32_runs_every_layer_in_fp32(measure, mode):
    trial = measure(digits(), graph__mode=mode)
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.accuracy.cosine_min > 0.999999
    assert trial.accuracy.top1_agreement == 1.0
    assert trial.accuracy.top1 == trial.accuracy.top1_fp32 > 0.9
    assert (trial.proof.int8_kernels, trial.proof.bf16_kernels, trial.proof.expected_int8) == (0, 0, 0)
    assert trial.proof.fp32_kernels == 5
    assert {layer.name for layer in compute_layers(trial)} == CNN
    assert kernels_by_layer(trial).keys() == CNN


def test_bf16_runs_in_bf16_and_stays_close(measure):
    trial = measure(digits(), precision="bf16")
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.proof.bf16_kernels == 5
    assert trial.accuracy.top1_agreement > 0.98
    assert trial.accuracy.cosine_min < 1.0


def test_threads_affinity_and_isa_limit_are_read_back_from_the_worker(measure):
    cpus = usable_cpus()
    if len(cpus) < 2:
        pytest.skip("needs two CPUs")
    trial = measure(
        "digits-mlp", runtime__threads=1, runtime__affinity=str(cpus[1]), runtime__isa_limit="avx2",
        runtime__flush_denormals=True, layout__aligned_input=False,
    )  # fmt: skip
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.effective.threads == 1
    assert trial.effective.affinity == [cpus[1]]
    assert trial.effective.isa == "AVX2"
    assert trial.effective.environment["ONEDNN_MAX_CPU_ISA"] == "AVX2"
    assert trial.effective.flush_denormals
    assert trial.effective.input_alignment == 4
    assert "gomp" in trial.effective.openmp
    assert trial.effective.torch_version == torch.__version__


def test_intels_openmp_is_mapped_and_does_the_work(measure):
    if find_library("iomp") is None:
        pytest.skip("intel-openmp is not installed: pip install 'inference-workbench[iomp]'")
    trial = measure("digits-mlp", runtime__threads=2, runtime__openmp="iomp")
    assert (trial.status, trial.reason) == ("ok", "")
    assert "iomp" in trial.effective.openmp and trial.effective.openmp_active == "iomp"
    assert "libiomp5" in trial.effective.environment["LD_PRELOAD"]
    assert measure("digits-mlp", runtime__threads=2).effective.openmp_active == "gomp"


@pytest.mark.parametrize("engine", ["torch", "ipex"])
def test_the_isa_limit_leaves_no_newer_kernel(measure, engine):
    if "avx512" not in read_isa().names:
        pytest.skip("this CPU has no AVX-512 that could be forbidden")
    if engine == "ipex":
        pytest.importorskip("intel_extension_for_pytorch")
    free = measure(digits(), engine=engine, precision="int8")
    assert any("avx512" in kernel.kernel for kernel in free.proof.kernels), "or there is nothing to forbid"
    trial = measure(digits(), engine=engine, precision="int8", runtime__isa_limit="avx2")
    assert (trial.status, trial.reason) == ("ok", "")
    assert not any("avx512" in kernel.kernel for kernel in trial.proof.kernels)
    assert any("limited to avx2" in text for text in trial.warnings)


@pytest.mark.parametrize("allocator", ["jemalloc", "tcmalloc"])
def test_an_allocator_is_mapped_where_it_is_installed(measure, allocator):
    if find_library(allocator) is None:
        pytest.skip(f"{allocator} is not installed")
    trial = measure("digits-mlp", runtime__allocator=allocator)
    assert trial.status == "ok" and allocator in trial.effective.allocator


# -- static INT8 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["onednn", "x86", "fbgemm"])
def test_int8_proves_every_planned_layer_and_keeps_the_classes(measure, backend):
    subject = "digits-cnn" if backend == "onednn" else digits()
    trial = measure(subject, precision="int8", quantization__backend=backend)
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.proof.int8_kernels == trial.proof.expected_int8 == 5
    assert trial.proof.missing == []
    assert {name for name, kernel in kernels_by_layer(trial).items() if kernel.dtype == "int8"} == CNN
    # Half a point of 500 digits, or none of the few.
    assert trial.accuracy.top1_fp32 - trial.accuracy.top1 <= 0.005
    assert trial.accuracy.cosine_min < 1.0
    assert trial.effective.quantized_engine == backend
    names = {tensor.tensor for tensor in trial.tensors}
    assert "input:image" in names
    assert all(tensor.scale > 0 and 0 <= tensor.zero_point <= 255 for tensor in trial.tensors)
    assert len(trial.data.evaluation) == trial.accuracy.samples == (500 if backend == "onednn" else 40)


def test_a_layer_pinned_to_fp32_lowers_the_count_by_exactly_one(measure):
    trial = measure(digits(), precision="int8", layers={"conv2": "fp32"})
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.proof.int8_kernels == trial.proof.expected_int8 == 4
    assert trial.proof.kept == {"conv2": "kept in FP32 by the config"}
    assert kernels_by_layer(trial)["conv2"].dtype == "fp32"


def test_a_module_called_twice_is_two_layers(measure):
    trial = measure(tiny("twice", "1x3x8x8"), precision="int8")
    assert (trial.status, trial.reason) == ("ok", "")
    assert [layer.name for layer in compute_layers(trial)] == ["first", "conv", "conv#2", "fc"]
    assert [layer.name for layer in trial.layers if layer.op == "relu"] == ["relu", "relu#2", "relu#3"]
    assert trial.proof.int8_kernels == trial.proof.expected_int8 == 4
    assert kernels_by_layer(trial).keys() == {"first", "conv", "conv#2", "fc"}
    assert any("calibrated on random numbers" in text for text in trial.warnings)


def test_a_tensor_that_calibration_never_fed_makes_the_trial_invalid_and_is_named(measure):
    trial = measure(tiny("blind", "1x4"), precision="int8")
    assert trial.status == "invalid"
    assert "Calibration never reached side:out" in trial.reason
    assert "main" not in trial.reason
    assert trial.latency is None


def test_control_flow_that_fx_cannot_trace_is_refused_with_its_line(measure):
    lines = NETS.read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "the line that FX stops at" in text)
    with pytest.raises(UserError) as caught:
        measure(tiny("branching", "1x4"), precision="int8")
    assert "FX cannot trace" in caught.value.what
    assert f"tiny_nets.py:{line}" in caught.value.why
    assert caught.value.next_step


# -- dynamic INT8 -----------------------------------------------------------------------------------


def test_dynamic_int8_proves_the_recurrent_layer_and_the_head(measure):
    trial = measure("lstm", precision="int8-dynamic")
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.proof.int8_kernels == trial.proof.expected_int8 == 2
    assert {name for name, kernel in kernels_by_layer(trial).items() if kernel.dtype == "int8"} == {"lstm", "fc"}
    assert trial.accuracy.top1_agreement > 0.97


# -- other files and shapes of models ---------------------------------------------------------------


def test_two_inputs_and_nested_outputs_are_fed_and_compared_by_name(measure, tmp_path):
    rng = np.random.default_rng(0)
    rows = {"left": rng.normal(size=(8, 4)), "right": rng.normal(size=(8, 6))}
    np.savez(tmp_path / "rows.npz", **{name: array.astype(np.float32) for name, array in rows.items()})
    data = DataSource(path=str(tmp_path / "rows.npz"))
    trial = measure(Subject(tiny("two_inputs", "left=?x4", "right=?x6").model, data), run__batch=2)
    assert (trial.status, trial.reason) == ("ok", "")
    assert [layer.name for layer in compute_layers(trial)] == ["left", "right"]
    assert len(trial.accuracy.outputs) == 3
    assert any("sum" in output.name for output in trial.accuracy.outputs)
    assert trial.accuracy.cosine_min > 0.999999
    assert trial.layers[0].output_shape == [2, 3]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The plain model as TorchScript, as an exported program, and as a nested, prefixed checkpoint."""
    import tiny_nets

    folder = tmp_path_factory.mktemp("saved")
    model = tiny_nets.plain()
    torch.jit.save(torch.jit.script(model), folder / "script.pt")
    torch.export.save(torch.export.export(model, (torch.zeros(1, 4),)), folder / "program.pt2")
    state = {f"module.{name}": value for name, value in model.state_dict().items()}
    torch.save({"epoch": 3, "ema": state, "optimizer": {"state": {}}}, folder / "checkpoint.pt")
    return folder


def test_a_torchscript_file_runs_in_fp32(measure, files):
    trial = measure(Subject(resolve_model(str(files / "script.pt"), inputs=["1x4"])))
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.model.format == "torchscript"
    assert trial.proof.fp32_kernels == 2


def test_a_torchscript_file_is_refused_in_int8_with_the_reason(measure, files):
    with pytest.raises(UserError) as caught:
        measure(Subject(resolve_model(str(files / "script.pt"), inputs=["1x4"])), precision="int8")
    assert "cannot be quantized" in caught.value.what
    assert "TorchScript" in caught.value.why
    assert "precision=fp32" in caught.value.next_step


def test_an_exported_program_runs_in_fp32(measure, files):
    trial = measure(Subject(resolve_model(str(files / "program.pt2"), inputs=["1x4"])))
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.model.format == "pt2"
    assert trial.proof.fp32_kernels == 2


def test_a_nested_and_prefixed_checkpoint_fits_the_callable(measure, files):
    trial = measure(tiny("plain", "1x4", weights=files / "checkpoint.pt"))
    assert (trial.status, trial.reason) == ("ok", "")
    assert [layer.name for layer in compute_layers(trial)] == ["0", "2"]


def test_a_model_without_input_shapes_asks_for_them(measure):
    with pytest.raises(UserError) as caught:
        measure(tiny("plain"))
    assert "does not say what it wants to be fed" in caught.value.what
    assert "--input" in caught.value.next_step

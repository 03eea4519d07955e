"""ONNX Runtime in real workers, on models from PyTorch: every precision proves itself under the user's names."""

from __future__ import annotations

import textwrap

import pytest
from engine_helpers import compute_layers, kernels_by_layer, tiny

from workbench.core.model import resolve_model
from workbench.errors import UserError
from workbench.study.runner import Subject

pytest.importorskip("onnxruntime")
pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nothing_left")]

LAYERS = {"digits-cnn": ["conv1", "conv2", "conv3", "conv4", "fc"], "digits-mlp": ["fc1", "fc2", "fc3"]}
INT8_KERNELS = {"QLinearConv", "QGemm"}


# -- samples, exported -------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", LAYERS)
def test_fp32_keeps_the_users_names_and_answers_and_brings_no_torch(ort, sample):
    trial = ort(sample)
    assert (trial.status, trial.reason) == ("ok", "")
    assert [layer.name for layer in compute_layers(trial)] == LAYERS[sample]
    assert list(kernels_by_layer(trial)) == LAYERS[sample]
    assert (trial.proof.fp32_kernels, trial.proof.int8_kernels) == (len(LAYERS[sample]), 0)
    assert trial.accuracy.cosine_min > 0.999999
    assert trial.accuracy.top1 == trial.accuracy.top1_fp32 > 0.97
    assert (trial.effective.torch_version, trial.effective.openmp) == (None, [])


@pytest.mark.parametrize(
    ("sample", "form", "per_channel", "observer"),
    [
        ("digits-cnn", "qdq", True, "minmax"),
        ("digits-cnn", "qdq", False, "percentile"),
        ("digits-cnn", "qoperator", True, "entropy"),
        ("digits-cnn", "qoperator", False, "moving-average"),
        ("digits-mlp", "qdq", True, "entropy"),
        ("digits-mlp", "qoperator", False, "percentile"),
    ],
)
def test_int8_proves_every_planned_layer_and_keeps_the_classes(ort, sample, form, per_channel, observer):
    trial = ort(
        sample, precision="int8", quantization__format=form, quantization__per_channel=per_channel,
        quantization__activation="quint8", calibration__observer=observer,
    )  # fmt: skip
    assert (trial.status, trial.reason) == ("ok", "")
    kernels = kernels_by_layer(trial)
    assert list(kernels) == LAYERS[sample]
    assert trial.proof.int8_kernels == trial.proof.expected_int8 == len(kernels)
    assert {kernel.dtype for kernel in kernels.values()} == {"int8"}
    assert {kernel.kernel for kernel in kernels.values()} <= INT8_KERNELS
    assert trial.accuracy.top1_fp32 - trial.accuracy.top1 <= 0.005
    assert trial.accuracy.cosine_min < 1.0


def test_ranges_carry_the_users_names_in_the_order_of_execution(ort):
    trial = ort("digits-cnn", precision="int8", quantization__format="qdq", quantization__per_channel=True,
                quantization__activation="quint8", calibration__observer="minmax")  # fmt: skip
    names = [tensor.tensor for tensor in trial.tensors]
    assert names == [
        "input:image", "relu:out", "relu#2:out", "relu#3:out", "relu#4:out", "fc:out",
    ]  # fmt: skip
    ranges = {tensor.tensor: (tensor.min, tensor.max) for tensor in trial.tensors}
    assert ranges["input:image"] == pytest.approx((0.0, 16.0))
    assert ranges["relu:out"][0] == 0.0


def test_an_lstm_runs_dynamically_with_both_layers_proven(ort):
    trial = ort("lstm", precision="int8-dynamic")
    assert (trial.status, trial.reason) == ("ok", "")
    kernels = kernels_by_layer(trial)
    assert {name: kernel.kernel for name, kernel in kernels.items()} == {
        "lstm": "DynamicQuantizeLSTM",
        "fc": "DynamicQuantizeMatMul",
    }
    assert (trial.proof.int8_kernels, trial.proof.expected_int8) == (2, 2)
    assert trial.accuracy.top1_fp32 - trial.accuracy.top1 <= 0.005


def test_dynamic_int8_leaves_convolutions_alone_and_says_so(ort):
    """ConvInteger has no tuned kernel and must never be what runs (B04)."""
    trial = ort("digits-cnn", precision="int8-dynamic")
    assert (trial.status, trial.reason) == ("ok", "")
    assert (trial.proof.int8_kernels, trial.proof.expected_int8, trial.proof.fp32_kernels) == (1, 1, 4)
    assert {kernel.dtype for name, kernel in kernels_by_layer(trial).items() if name != "fc"} == {"fp32"}
    assert not any("Integer" in kernel.kernel for kernel in trial.proof.kernels)
    assert any(text.startswith("Not in INT8: conv1") for text in trial.warnings)


def test_a_layer_pinned_to_fp32_lowers_the_count_by_exactly_one(ort):
    trial = ort("digits-cnn", precision="int8", layers={"conv2": "fp32"})
    assert (trial.status, trial.reason) == ("ok", "")
    assert (trial.proof.int8_kernels, trial.proof.expected_int8, trial.proof.fp32_kernels) == (4, 4, 1)
    assert {name for name, kernel in kernels_by_layer(trial).items() if kernel.dtype == "fp32"} == {"conv2"}
    assert trial.proof.kept == {"conv2": "kept in FP32 by the config"}
    assert trial.accuracy.top1_fp32 - trial.accuracy.top1 <= 0.005


def test_a_layer_that_does_not_exist_is_refused_with_the_nearest(ort):
    with pytest.raises(UserError, match="conv9") as caught:
        ort("digits-cnn", precision="int8", layers={"conv9": "fp32"})
    assert "'conv4'" in caught.value.why


# -- other models from torch --------------------------------------------------------------------------


def test_two_inputs_and_a_nested_dict_survive_the_export(ort):
    subject = tiny("two_inputs", "left=?x4", "right=?x6")
    for precision, dtype in (("fp32", "fp32"), ("int8", "int8")):
        trial = ort(subject, precision=precision)
        assert (trial.status, trial.reason) == ("ok", "")
        assert {name: kernel.dtype for name, kernel in kernels_by_layer(trial).items()} == {
            "left": dtype,
            "right": dtype,
        }
    assert [tensor.tensor for tensor in trial.tensors][:2] == ["input:left", "input:right"]


def test_recurrent_layers_and_products_of_activations(ort):
    """Static INT8 has a kernel for a product of activations; dynamic INT8 is for weights only."""
    subject = tiny("mixed", "?x5x4")
    static = ort(subject, precision="int8")
    assert (static.status, static.reason) == ("ok", "")
    assert static.proof.kept.keys() == {"gru"}
    dynamic = ort(subject, precision="int8-dynamic")
    assert (dynamic.status, dynamic.reason) == ("ok", "")
    assert dynamic.proof.kept.keys() == {"gru", "matmul"}
    assert (dynamic.proof.int8_kernels, dynamic.proof.expected_int8) == (2, 2)


def test_one_module_called_twice_is_two_layers_of_which_one_can_be_pinned(ort):
    trial = ort(tiny("twice", "?x3x8x8"), precision="int8", layers={"conv#2": "fp32"})
    assert (trial.status, trial.reason) == ("ok", "")
    assert {name: kernel.dtype for name, kernel in kernels_by_layer(trial).items()} == {
        "first": "int8", "conv": "int8", "conv#2": "fp32", "fc": "int8",
    }  # fmt: skip


def test_a_pinned_linear_is_found_behind_its_fusion_and_what_has_no_kernel_is_not_quantized(ort, tmp_path):
    file = tmp_path / "net.py"
    file.write_text(
        textwrap.dedent("""
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.one = torch.nn.Linear(8, 8)
                self.two = torch.nn.Linear(8, 8)
                self.up = torch.nn.ConvTranspose1d(8, 8, 2)
                self.three = torch.nn.Linear(8, 8)

            def forward(self, x):
                x = self.two(torch.relu(self.one(x)))
                return self.three(self.up(x.transpose(1, 2)).transpose(1, 2))

        def build():
            torch.manual_seed(0)
            return Net().eval()
        """)
    )
    subject = Subject(resolve_model(f"{file}:build", inputs=("1x5x8",)))
    trial = ort(subject, precision="int8", layers={"one": "fp32"})
    assert (trial.status, trial.reason) == ("ok", "")
    assert {name: kernel.dtype for name, kernel in kernels_by_layer(trial).items()} == {
        "one": "fp32", "two": "int8", "up": "fp32", "three": "int8",
    }  # fmt: skip
    assert "convtranspose1d" in trial.proof.kept["up"]


def test_two_models_of_one_file_are_exported_each(ort):
    assert [layer.name for layer in compute_layers(ort(tiny("plain", "1x4")))] == ["0", "2"]
    assert [layer.name for layer in compute_layers(ort(tiny("branching", "1x4")))] == ["fc"]


def test_what_the_export_decides_for_good_is_a_warning(ort):
    trial = ort(tiny("branching", "1x4"))
    assert trial.status == "ok"
    assert any("export to ONNX fixed" in text and "tiny_nets.py:" in text for text in trial.warnings)


def test_a_model_that_torch_cannot_export_is_refused_with_the_operator(ort, tmp_path):
    file = tmp_path / "eig.py"
    file.write_text(
        "import torch\n\nclass Eig(torch.nn.Module):\n    def forward(self, x):\n"
        "        return torch.linalg.eigvals(x).real\n\ndef build():\n    return Eig()\n"
    )
    with pytest.raises(UserError, match="cannot be exported") as caught:
        ort(Subject(resolve_model(f"{file}:build", inputs=("1x4x4",))))
    assert "linalg_eigvals" in caught.value.why


def test_a_sample_keeps_its_dynamic_batch_and_its_names_through_the_export(ort):
    trial = ort("digits-mlp", run__batch=4, precision="int8")
    assert (trial.status, trial.reason) == ("ok", "")
    assert list(kernels_by_layer(trial)) == LAYERS["digits-mlp"]
    assert [layer.output_shape for layer in compute_layers(trial)] == [[4, 256], [4, 256], [4, 10]]

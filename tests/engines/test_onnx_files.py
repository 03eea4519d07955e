"""ONNX files as they come: old, new, nameless, dynamic, damaged."""

from __future__ import annotations

import numpy as np
import onnx_files as files
import pytest
from engine_helpers import compute_layers, kernels_by_layer
from onnx import TensorProto, helper

from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.core.model import resolve_model
from workbench.errors import UserError
from workbench.study.runner import Subject
from workbench.study.subject import find_subject

pytest.importorskip("onnxruntime")
pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nothing_left")]


@pytest.fixture(scope="module")
def cnn_file(tmp_path_factory):
    """The sample digits-cnn as an ONNX file, with its data."""
    torch = pytest.importorskip("torch")
    from workbench.engines import onnx_export, torch_load

    sample = find_subject("sample:digits-cnn")
    model = torch_load.load(sample.model)
    image = np.zeros((1, 1, 8, 8), np.float32)
    torch.manual_seed(0)
    path, _, notes = onnx_export.export(model, sample.model.inputs, {"image": image}, tmp_path_factory.mktemp("cnn"))
    assert notes == []
    return Subject(resolve_model(str(path)), sample.data)


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_an_exported_file_measures_like_the_model_itself(ort, cnn_file, precision):
    trial = ort(cnn_file, precision=precision)
    assert (trial.status, trial.reason) == ("ok", "")
    assert list(kernels_by_layer(trial)) == ["conv1", "conv2", "conv3", "conv4", "fc"]
    assert trial.proof.int8_kernels == trial.proof.expected_int8 == (5 if precision == "int8" else 0)
    assert trial.accuracy.top1_fp32 == ort("digits-cnn").accuracy.top1_fp32
    assert trial.accuracy.top1_fp32 - trial.accuracy.top1 <= 0.005


def test_a_handmade_file_runs_in_fp32_int8_and_dynamic_int8(ort, chain):
    plain = ort(chain)
    assert (plain.status, plain.proof.fp32_kernels) == ("ok", 4)
    static = ort(chain, precision="int8")
    assert (static.status, static.proof.int8_kernels, static.proof.expected_int8) == ("ok", 4, 4)
    assert static.memory.model_mb < plain.memory.model_mb / 3
    dynamic = ort(chain, precision="int8-dynamic")
    assert (dynamic.status, dynamic.proof.int8_kernels, dynamic.proof.expected_int8) == ("ok", 1, 1)
    assert {layer.name: layer.op for layer in compute_layers(plain)} == {
        "conv1": "conv2d", "conv2": "conv2d", "conv3": "conv2d", "fc": "linear",
    }  # fmt: skip


def test_a_batch_runs_on_a_dynamic_axis_and_is_refused_on_a_fixed_one(ort, chain, tmp_path):
    trial = ort(chain, run__batch=4)
    assert (trial.status, trial.config["run"]["batch"]) == ("ok", 4)
    assert [layer.output_shape[0] for layer in compute_layers(trial)] == [4] * 4
    assert trial.throughput_per_s == pytest.approx(4000 / trial.latency.mean_ms)
    fixed = Subject(resolve_model(str(files.saved(files.chain(batch=1), tmp_path / "fixed.onnx"))))
    with pytest.raises(UserError, match="cannot run at batch 4"):
        ort(fixed, run__batch=4)


def test_dynamic_int8_of_nothing_but_convolutions_is_invalid_and_names_them(ort, tmp_path):
    conv = helper.make_node("Conv", ["x", "w"], ["y"], name="only_conv")
    proto = files.model([conv], {"w": files.noise(4, 3, 3, 3)}, {"x": (1, 3, 8, 8)}, {"y": (1, 4, 6, 6)})
    trial = ort(Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx")))), precision="int8-dynamic")
    assert trial.status == "invalid"
    assert "only_conv" in trial.reason


def test_nodes_without_names_can_be_pinned_by_what_they_put_out(ort, tmp_path):
    subject = Subject(resolve_model(str(files.saved(files.chain(named=False), tmp_path / "m.onnx"))))
    trial = ort(subject, precision="int8", layers={"c2": "fp32"})
    assert (trial.status, trial.reason) == ("ok", "")
    assert {name: kernel.dtype for name, kernel in kernels_by_layer(trial).items()} == {
        "c1": "int8", "c2": "fp32", "c3": "int8", "logits": "int8",
    }  # fmt: skip


def test_input_fills_dynamic_axes_and_must_fit_the_file(ort, tmp_path):
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"], name="conv")]
    proto = files.model(nodes, {"w": files.noise(4, 3, 3, 3)}, {"x": ("N", 3, "H", "W")}, {"y": ("N", 4, "h", "w")})
    path = str(files.saved(proto, tmp_path / "m.onnx"))
    trial = ort(Subject(resolve_model(path, inputs=("?x3x10x12",))))
    assert [layer.output_shape for layer in compute_layers(trial)] == [[1, 4, 8, 10]]
    with pytest.raises(UserError, match="does not fit the model") as caught:
        ort(Subject(resolve_model(path, inputs=("x=1x4x10x12",))))
    assert "x=?x3x?x?" in caught.value.why
    with pytest.raises(UserError, match="no input 'z'"):
        ort(Subject(resolve_model(path, inputs=("x=1x3x10x12", "z=1x4"))))


def test_data_of_another_shape_is_refused(ort, chain, tmp_path):
    rows = tmp_path / "rows.npy"
    np.save(rows, np.zeros((4, 16, 8, 9), np.float32))
    with pytest.raises(UserError, match="does not fit the model"):
        ort(Subject(chain.model, DataSource(path=str(rows))))


def test_what_the_graph_itself_cannot_take_is_refused_with_the_shape(ort, tmp_path):
    proto = files.baked()
    with pytest.raises(UserError, match=r"refuses the input x 2x3x4 float32"):
        ort(Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx")))), run__batch=2)


def test_float_inputs_are_not_the_only_ones(ort, tmp_path):
    """Integers in, through a Gather: data types come from the file."""
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["rows"], name="embed"),
        helper.make_node("MatMul", ["rows", "w"], ["y"], name="fc"),
    ]
    proto = files.model(nodes, {"table": files.noise(20, 8), "w": files.noise(8, 3)}, {}, {"y": ("N", 6, 3)})
    proto.graph.input.append(helper.make_tensor_value_info("ids", TensorProto.INT64, ["N", 6]))
    trial = ort(Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx")))), precision="int8")
    assert (trial.status, trial.reason, trial.proof.int8_kernels) == ("ok", "", 1)


# -- files that cannot be used --------------------------------------------------------------------------


def test_a_newer_format_is_refused_with_both_versions(ort, tmp_path):
    path = files.saved(files.chain(ir=99), tmp_path / "new.onnx")
    with pytest.raises(UserError, match="too new") as caught:
        ort(Subject(resolve_model(str(path))))
    import onnx

    assert "IR version 99" in caught.value.why
    assert f"up to {onnx.IR_VERSION}" in caught.value.why


def test_an_old_opset_runs_in_fp32_and_is_refused_for_int8(ort, tmp_path):
    subject = Subject(resolve_model(str(files.saved(files.chain(opset=11), tmp_path / "old.onnx"))))
    assert ort(subject).status == "ok"
    with pytest.raises(UserError, match="opset 11"):
        ort(subject, precision="int8")


def test_an_operator_set_from_the_future_is_refused(ort, tmp_path):
    subject = Subject(resolve_model(str(files.saved(files.chain(opset=999), tmp_path / "future.onnx"))))
    with pytest.raises(UserError) as caught:
        ort(subject)
    assert "999" in str(caught.value)


def test_an_unknown_operator_is_refused_by_name(ort, tmp_path):
    proto = files.model([helper.make_node("Frobnicate", ["x"], ["y"])], {}, {"x": (1, 4)}, {"y": (1, 4)})
    with pytest.raises(UserError) as caught:
        ort(Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx")))))
    assert "Frobnicate" in str(caught.value)


def test_random_bytes_and_half_a_file_are_refused(ort, tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(np.random.default_rng(0).bytes(4096))
    with pytest.raises(UserError, match="no model file"):
        ort(Subject(resolve_model(str(path))))
    files.saved(files.chain(), path)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(UserError, match="cut off"):
        ort(Subject(resolve_model(str(path))))


def test_a_graph_that_refers_to_nothing_is_refused(ort, tmp_path):
    proto = files.model([helper.make_node("Relu", ["nowhere"], ["y"])], {}, {"x": (1, 4)}, {"y": (1, 4)})
    with pytest.raises(UserError, match="not a valid ONNX model"):
        ort(Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx")))))


# -- inspection -------------------------------------------------------------------------------------------


def test_an_axis_that_only_says_it_is_dynamic_is_found_out(runner, tmp_path):
    config = Config({"engine": "onnxruntime"})
    facts = runner.inspect(Subject(resolve_model(str(files.saved(files.baked(), tmp_path / "b.onnx")))), config)
    assert facts.inputs[0].shape[0] is None
    assert facts.dynamic_axes == {}
    assert facts.notes == ["axis 0 of x is declared dynamic, but the model fails at 2"]
    facts = runner.inspect(Subject(resolve_model(str(files.saved(files.chain(), tmp_path / "c.onnx")))), config)
    assert facts.dynamic_axes == {"image": [0]}
    assert facts.notes == []
    assert facts.macs == 3 * 16 * 16 * 9 * 64 + 16 * 4
    assert facts.parameters == 3 * 16 * 16 * 9 + 16 * 4
    assert facts.outputs == [("output", [1, 4], "float32")]

"""ONNX Runtime in real workers: every precision proves itself, files and exported models, and every refusal."""

from __future__ import annotations

import textwrap

import numpy as np
import onnx_files as files
import pytest
from engine_helpers import compute_layers, kernels_by_layer, tiny
from onnx import TensorProto, helper

from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.core.model import resolve_model
from workbench.errors import UserError
from workbench.host.isa import Isa
from workbench.host.limits import usable_cpus
from workbench.study import runner as runners
from workbench.study.runner import Listener, Runner, Subject
from workbench.study.subject import find_subject

pytest.importorskip("onnxruntime")
pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nothing_left")]

LAYERS = {"digits-cnn": ["conv1", "conv2", "conv3", "conv4", "fc"], "digits-mlp": ["fc1", "fc2", "fc3"]}
INT8_KERNELS = {"QLinearConv", "QGemm"}


@pytest.fixture
def run(measure):
    """Measure with ONNX Runtime; the knobs by keyword with ``__`` for the dot."""

    def run(what, layers=None, **knobs):
        return measure(what, layers=layers, engine="onnxruntime", **knobs)

    return run


@pytest.fixture
def chain(tmp_path):
    return Subject(resolve_model(str(files.saved(files.chain(), tmp_path / "chain.onnx"))))


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


# -- samples, exported -------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", LAYERS)
def test_fp32_keeps_the_users_names_and_answers_and_brings_no_torch(run, sample):
    trial = run(sample)
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
def test_int8_proves_every_planned_layer_and_keeps_the_classes(run, sample, form, per_channel, observer):
    trial = run(
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


def test_ranges_carry_the_users_names_in_the_order_of_execution(run):
    trial = run("digits-cnn", precision="int8", quantization__format="qdq", quantization__per_channel=True,
                quantization__activation="quint8", calibration__observer="minmax")  # fmt: skip
    names = [tensor.tensor for tensor in trial.tensors]
    assert names == [
        "input:image", "relu:out", "relu#2:out", "relu#3:out", "relu#4:out", "fc:out",
    ]  # fmt: skip
    ranges = {tensor.tensor: (tensor.min, tensor.max) for tensor in trial.tensors}
    assert ranges["input:image"] == pytest.approx((0.0, 16.0))
    assert ranges["relu:out"][0] == 0.0


def test_an_lstm_runs_dynamically_with_both_layers_proven(run):
    trial = run("lstm", precision="int8-dynamic")
    assert (trial.status, trial.reason) == ("ok", "")
    kernels = kernels_by_layer(trial)
    assert {name: kernel.kernel for name, kernel in kernels.items()} == {
        "lstm": "DynamicQuantizeLSTM",
        "fc": "DynamicQuantizeMatMul",
    }
    assert (trial.proof.int8_kernels, trial.proof.expected_int8) == (2, 2)
    assert trial.accuracy.top1_fp32 - trial.accuracy.top1 <= 0.005


def test_dynamic_int8_leaves_convolutions_alone_and_says_so(run):
    """ConvInteger has no tuned kernel and must never be what runs (B04)."""
    trial = run("digits-cnn", precision="int8-dynamic")
    assert (trial.status, trial.reason) == ("ok", "")
    assert (trial.proof.int8_kernels, trial.proof.expected_int8, trial.proof.fp32_kernels) == (1, 1, 4)
    assert {kernel.dtype for name, kernel in kernels_by_layer(trial).items() if name != "fc"} == {"fp32"}
    assert not any("Integer" in kernel.kernel for kernel in trial.proof.kernels)
    assert any(text.startswith("Not in INT8: conv1") for text in trial.warnings)


def test_dynamic_int8_of_nothing_but_convolutions_is_invalid_and_names_them(run, tmp_path):
    conv = helper.make_node("Conv", ["x", "w"], ["y"], name="only_conv")
    proto = files.model([conv], {"w": files.noise(4, 3, 3, 3)}, {"x": (1, 3, 8, 8)}, {"y": (1, 4, 6, 6)})
    trial = run(Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx")))), precision="int8-dynamic")
    assert trial.status == "invalid"
    assert "only_conv" in trial.reason


def test_a_layer_pinned_to_fp32_lowers_the_count_by_exactly_one(run):
    trial = run("digits-cnn", precision="int8", layers={"conv2": "fp32"})
    assert (trial.status, trial.reason) == ("ok", "")
    assert (trial.proof.int8_kernels, trial.proof.expected_int8, trial.proof.fp32_kernels) == (4, 4, 1)
    assert {name for name, kernel in kernels_by_layer(trial).items() if kernel.dtype == "fp32"} == {"conv2"}
    assert trial.proof.kept == {"conv2": "kept in FP32 by the config"}
    assert trial.accuracy.top1_fp32 - trial.accuracy.top1 <= 0.005


def test_a_layer_that_does_not_exist_is_refused_with_the_nearest(run):
    with pytest.raises(UserError, match="conv9") as caught:
        run("digits-cnn", precision="int8", layers={"conv9": "fp32"})
    assert "'conv4'" in caught.value.why


# -- other models from torch --------------------------------------------------------------------------


def test_two_inputs_and_a_nested_dict_survive_the_export(run):
    subject = tiny("two_inputs", "left=?x4", "right=?x6")
    for precision, dtype in (("fp32", "fp32"), ("int8", "int8")):
        trial = run(subject, precision=precision)
        assert (trial.status, trial.reason) == ("ok", "")
        assert {name: kernel.dtype for name, kernel in kernels_by_layer(trial).items()} == {
            "left": dtype,
            "right": dtype,
        }
    assert [tensor.tensor for tensor in trial.tensors][:2] == ["input:left", "input:right"]


def test_recurrent_layers_and_products_of_activations(run):
    """Static INT8 has a kernel for a product of activations; dynamic INT8 is for weights only."""
    subject = tiny("mixed", "?x5x4")
    static = run(subject, precision="int8")
    assert (static.status, static.reason) == ("ok", "")
    assert static.proof.kept.keys() == {"gru"}
    dynamic = run(subject, precision="int8-dynamic")
    assert (dynamic.status, dynamic.reason) == ("ok", "")
    assert dynamic.proof.kept.keys() == {"gru", "matmul"}
    assert (dynamic.proof.int8_kernels, dynamic.proof.expected_int8) == (2, 2)


def test_one_module_called_twice_is_two_layers_of_which_one_can_be_pinned(run):
    trial = run(tiny("twice", "?x3x8x8"), precision="int8", layers={"conv#2": "fp32"})
    assert (trial.status, trial.reason) == ("ok", "")
    assert {name: kernel.dtype for name, kernel in kernels_by_layer(trial).items()} == {
        "first": "int8", "conv": "int8", "conv#2": "fp32", "fc": "int8",
    }  # fmt: skip


def test_a_pinned_linear_is_found_behind_its_fusion_and_what_has_no_kernel_is_not_quantized(run, tmp_path):
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
    trial = run(subject, precision="int8", layers={"one": "fp32"})
    assert (trial.status, trial.reason) == ("ok", "")
    assert {name: kernel.dtype for name, kernel in kernels_by_layer(trial).items()} == {
        "one": "fp32", "two": "int8", "up": "fp32", "three": "int8",
    }  # fmt: skip
    assert "convtranspose1d" in trial.proof.kept["up"]


def test_two_models_of_one_file_are_exported_each(run):
    assert [layer.name for layer in compute_layers(run(tiny("plain", "1x4")))] == ["0", "2"]
    assert [layer.name for layer in compute_layers(run(tiny("branching", "1x4")))] == ["fc"]


def test_what_the_export_decides_for_good_is_a_warning(run):
    trial = run(tiny("branching", "1x4"))
    assert trial.status == "ok"
    assert any("export to ONNX fixed" in text and "tiny_nets.py:" in text for text in trial.warnings)


def test_a_model_that_torch_cannot_export_is_refused_with_the_operator(run, tmp_path):
    file = tmp_path / "eig.py"
    file.write_text(
        "import torch\n\nclass Eig(torch.nn.Module):\n    def forward(self, x):\n"
        "        return torch.linalg.eigvals(x).real\n\ndef build():\n    return Eig()\n"
    )
    with pytest.raises(UserError, match="cannot be exported") as caught:
        run(Subject(resolve_model(f"{file}:build", inputs=("1x4x4",))))
    assert "linalg_eigvals" in caught.value.why


# -- ONNX files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_an_exported_file_measures_like_the_model_itself(run, cnn_file, precision):
    trial = run(cnn_file, precision=precision)
    assert (trial.status, trial.reason) == ("ok", "")
    assert list(kernels_by_layer(trial)) == LAYERS["digits-cnn"]
    assert trial.proof.int8_kernels == trial.proof.expected_int8 == (5 if precision == "int8" else 0)
    assert trial.accuracy.top1_fp32 == run("digits-cnn").accuracy.top1_fp32
    assert trial.accuracy.top1_fp32 - trial.accuracy.top1 <= 0.005


def test_a_handmade_file_runs_in_fp32_int8_and_dynamic_int8(run, chain):
    plain = run(chain)
    assert (plain.status, plain.proof.fp32_kernels) == ("ok", 4)
    static = run(chain, precision="int8")
    assert (static.status, static.proof.int8_kernels, static.proof.expected_int8) == ("ok", 4, 4)
    assert static.memory.model_mb < plain.memory.model_mb / 3
    dynamic = run(chain, precision="int8-dynamic")
    assert (dynamic.status, dynamic.proof.int8_kernels, dynamic.proof.expected_int8) == ("ok", 1, 1)
    assert {layer.name: layer.op for layer in compute_layers(plain)} == {
        "conv1": "conv2d", "conv2": "conv2d", "conv3": "conv2d", "fc": "linear",
    }  # fmt: skip


def test_a_batch_runs_on_a_dynamic_axis_and_is_refused_on_a_fixed_one(run, chain, tmp_path):
    trial = run(chain, run__batch=4)
    assert (trial.status, trial.config["run"]["batch"]) == ("ok", 4)
    assert [layer.output_shape[0] for layer in compute_layers(trial)] == [4] * 4
    assert trial.throughput_per_s == pytest.approx(4000 / trial.latency.mean_ms)
    fixed = Subject(resolve_model(str(files.saved(files.chain(batch=1), tmp_path / "fixed.onnx"))))
    with pytest.raises(UserError, match="cannot run at batch 4"):
        run(fixed, run__batch=4)


def test_a_sample_keeps_its_dynamic_batch_and_its_names_through_the_export(run):
    trial = run("digits-mlp", run__batch=4, precision="int8")
    assert (trial.status, trial.reason) == ("ok", "")
    assert list(kernels_by_layer(trial)) == LAYERS["digits-mlp"]
    assert [layer.output_shape for layer in compute_layers(trial)] == [[4, 256], [4, 256], [4, 10]]


def test_nodes_without_names_can_be_pinned_by_what_they_put_out(run, tmp_path):
    subject = Subject(resolve_model(str(files.saved(files.chain(named=False), tmp_path / "m.onnx"))))
    trial = run(subject, precision="int8", layers={"c2": "fp32"})
    assert (trial.status, trial.reason) == ("ok", "")
    assert {name: kernel.dtype for name, kernel in kernels_by_layer(trial).items()} == {
        "c1": "int8", "c2": "fp32", "c3": "int8", "logits": "int8",
    }  # fmt: skip


def test_input_fills_dynamic_axes_and_must_fit_the_file(run, tmp_path):
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"], name="conv")]
    proto = files.model(nodes, {"w": files.noise(4, 3, 3, 3)}, {"x": ("N", 3, "H", "W")}, {"y": ("N", 4, "h", "w")})
    path = str(files.saved(proto, tmp_path / "m.onnx"))
    trial = run(Subject(resolve_model(path, inputs=("?x3x10x12",))))
    assert [layer.output_shape for layer in compute_layers(trial)] == [[1, 4, 8, 10]]
    with pytest.raises(UserError, match="does not fit the model") as caught:
        run(Subject(resolve_model(path, inputs=("x=1x4x10x12",))))
    assert "x=?x3x?x?" in caught.value.why
    with pytest.raises(UserError, match="no input 'z'"):
        run(Subject(resolve_model(path, inputs=("x=1x3x10x12", "z=1x4"))))


def test_data_of_another_shape_is_refused(run, chain, tmp_path):
    rows = tmp_path / "rows.npy"
    np.save(rows, np.zeros((4, 16, 8, 9), np.float32))
    with pytest.raises(UserError, match="does not fit the model"):
        run(Subject(chain.model, DataSource(path=str(rows))))


def test_what_the_graph_itself_cannot_take_is_refused_with_the_shape(run, tmp_path):
    proto = files.baked()
    with pytest.raises(UserError, match=r"refuses the input x 2x3x4 float32"):
        run(Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx")))), run__batch=2)


# -- files that cannot be used --------------------------------------------------------------------------


def test_a_newer_format_is_refused_with_both_versions(run, tmp_path):
    path = files.saved(files.chain(ir=99), tmp_path / "new.onnx")
    with pytest.raises(UserError, match="too new") as caught:
        run(Subject(resolve_model(str(path))))
    import onnx

    assert "IR version 99" in caught.value.why
    assert f"up to {onnx.IR_VERSION}" in caught.value.why


def test_an_old_opset_runs_in_fp32_and_is_refused_for_int8(run, tmp_path):
    subject = Subject(resolve_model(str(files.saved(files.chain(opset=11), tmp_path / "old.onnx"))))
    assert run(subject).status == "ok"
    with pytest.raises(UserError, match="opset 11"):
        run(subject, precision="int8")


def test_an_operator_set_from_the_future_is_refused(run, tmp_path):
    subject = Subject(resolve_model(str(files.saved(files.chain(opset=999), tmp_path / "future.onnx"))))
    with pytest.raises(UserError) as caught:
        run(subject)
    assert "999" in str(caught.value)


def test_an_unknown_operator_is_refused_by_name(run, tmp_path):
    proto = files.model([helper.make_node("Frobnicate", ["x"], ["y"])], {}, {"x": (1, 4)}, {"y": (1, 4)})
    with pytest.raises(UserError) as caught:
        run(Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx")))))
    assert "Frobnicate" in str(caught.value)


def test_random_bytes_and_half_a_file_are_refused(run, tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(np.random.default_rng(0).bytes(4096))
    with pytest.raises(UserError, match="no model file"):
        run(Subject(resolve_model(str(path))))
    files.saved(files.chain(), path)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(UserError, match="cut off"):
        run(Subject(resolve_model(str(path))))


def test_a_graph_that_refers_to_nothing_is_refused(run, tmp_path):
    proto = files.model([helper.make_node("Relu", ["nowhere"], ["y"])], {}, {"x": (1, 4)}, {"y": (1, 4)})
    with pytest.raises(UserError, match="not a valid ONNX model"):
        run(Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx")))))


# -- settings -------------------------------------------------------------------------------------------


def test_threads_affinity_spin_and_optimization_are_obeyed(run, chain):
    cpus = usable_cpus()
    trial = run(
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
    fused = run(chain)
    assert not any(kernel.op == "Relu" for kernel in fused.proof.kernels)


@pytest.mark.skipif(len(usable_cpus()) < 2, reason="needs two CPUs")
def test_as_many_threads_as_asked_for_are_counted(run, chain):
    assert run(chain, runtime__threads=2).effective.threads == 2


def test_quantize_pairs_that_nothing_fuses_are_no_int8(run, chain):
    trial = run(chain, precision="int8", runtime__graph_optimization="basic")
    assert trial.status == "invalid"
    assert "no INT8 kernel ran" in trial.reason
    written_out = run(chain, precision="int8", runtime__graph_optimization="basic", quantization__format="qoperator")
    assert (written_out.status, written_out.proof.int8_kernels) == ("ok", 4)


def test_values_that_are_not_finite_end_calibration_with_a_word(run, chain, tmp_path):
    rows = files.noise(4, 16, 8, 8)
    rows[:, 0, 0, 0] = np.nan
    np.save(tmp_path / "rows.npy", rows)
    subject = Subject(chain.model, DataSource(path=str(tmp_path / "rows.npy")))
    for observer in ("minmax", "percentile"):
        trial = run(subject, precision="int8", calibration__observer=observer)
        assert trial.status == "invalid"
        assert "not finite" in trial.reason


# -- inspection -------------------------------------------------------------------------------------------


def test_an_axis_that_only_says_it_is_dynamic_is_found_out(this_host, tmp_path):
    runner, config = Runner(host=this_host), Config({"engine": "onnxruntime"})
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


def test_a_full_range_on_a_host_without_vnni_starts_no_worker(monkeypatch, chain, this_host):
    monkeypatch.setattr(runners, "read_isa", lambda: Isa(("avx2",)))
    started = []
    config = Config({"engine": "onnxruntime", "precision": "int8", "quantization.range": "full"})
    with pytest.raises(UserError, match="overflows 16-bit"):
        Runner(host=this_host).measure(chain, config, listener=Listener(started=started.append))
    assert not started
    per_tensor = config.changed({"quantization.per_channel": False})
    trial = Runner(host=this_host).measure(chain, per_tensor, runs=5)
    assert (trial.status, trial.config["target_isa"]) == ("ok", "avx2")


# -- memory (B48) -----------------------------------------------------------------------------------------

FIVE = """
    import torch
    from torch import nn

    def build():
        torch.manual_seed(0)
        layers = []
        for number in range(5):
            layers += [nn.Conv2d(2 if number else 3, 2, 3, padding=1), nn.ReLU()]
        return nn.Sequential(*layers).eval()
"""


@pytest.mark.parametrize(("engine", "observer"), [("onnxruntime", "percentile"), ("torch", "minmax")])
def test_memory_does_not_grow_with_calibration_samples(this_host, tmp_path, engine, observer):
    """Kept outputs of 64 samples would be half a gigabyte, a file that stays mapped 75 MB."""
    (tmp_path / "five.py").write_text(textwrap.dedent(FIVE))
    rng = np.random.default_rng(0)
    np.save(tmp_path / "calibration.npy", rng.normal(size=(64, 3, 320, 320)).astype(np.float32))
    np.save(tmp_path / "evaluation.npy", rng.normal(size=(1, 3, 320, 320)).astype(np.float32))
    data = DataSource(path=str(tmp_path / "evaluation.npy"), calibration_path=str(tmp_path / "calibration.npy"))
    subject = Subject(resolve_model(f"{tmp_path / 'five.py'}:build", inputs=("?x3x320x320",)), data)
    knobs = {"engine": engine, "precision": "int8", "calibration.observer": observer, "runtime.threads": 1}
    runner, peaks, running = Runner(host=this_host), [], []
    for samples in (8, 64):
        config = Config({**knobs, "calibration.samples": samples})
        trial = runner.measure(subject, config, runs=5, seconds=0.2, accuracy=False)
        assert (trial.status, trial.reason, len(trial.data.calibration)) == ("ok", "", samples)
        peaks.append(trial.memory.build_peak_rss_mb)
        running.append(trial.memory.peak_rss_mb)
    assert peaks[1] <= 1.1 * peaks[0]
    assert running[1] <= 1.1 * running[0]


def test_float_inputs_are_not_the_only_ones(run, tmp_path):
    """Integers in, through a Gather: data types come from the file."""
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["rows"], name="embed"),
        helper.make_node("MatMul", ["rows", "w"], ["y"], name="fc"),
    ]
    proto = files.model(nodes, {"table": files.noise(20, 8), "w": files.noise(8, 3)}, {}, {"y": ("N", 6, 3)})
    proto.graph.input.append(helper.make_tensor_value_info("ids", TensorProto.INT64, ["N", 6]))
    trial = run(Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx")))), precision="int8")
    assert (trial.status, trial.reason, trial.proof.int8_kernels) == ("ok", "", 1)

"""Ranges fixed by hand, in real workers of every engine: obeyed, read back, taken away again, or said to be idle."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import onnx_files as files
import pytest
from engine_helpers import digits, kernels_by_layer, tiny

from workbench import cli
from workbench.core import calibration
from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.core.model import resolve_model
from workbench.core.observers import observed_range
from workbench.core.scales import EPS, Scheme, scale_of
from workbench.errors import UserError
from workbench.options import Wanted
from workbench.study.runner import Runner, Subject

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nothing_left")]

ENGINES = ("torch", "ipex", "onnxruntime")


@pytest.fixture
def run(measure, needs_engine):
    def run(engine, what=None, **options):
        needs_engine(engine)
        return measure(what or digits(), engine=engine, precision="int8", **options)

    return run


def scheme(trial) -> Scheme:
    signed = trial.config["quantization"].get("activation") == "qint8"
    engine, bits = trial.config["engine"], 7 if trial.config["quantization"]["range"] == "reduced" else 8
    # ONNX Runtime reduces the weights, and keeps signed activations affine.
    return Scheme(signed, signed and engine == "ipex", 8 if engine == "onnxruntime" else bits)


def ranges(trial):
    return {tensor.tensor: tensor for tensor in trial.tensors}


# -- applied and taken away -------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_an_eighth_of_the_range_ruins_the_outputs_and_is_read_back(run, engine):
    plain = run(engine)
    high = ranges(plain)["relu:out"].max / 8
    fixed = run(engine, fixes={"relu:out": (0.0, high)})
    assert (plain.status, plain.reason, plain.fixes) == ("ok", "", [])
    assert (fixed.status, fixed.reason) == ("ok", "")
    assert fixed.accuracy.cosine_mean < plain.accuracy.cosine_mean - 0.01
    (state,) = fixed.fixes
    scale, zero_point = scale_of(0.0, high, scheme(fixed))
    assert (state.tensor, state.state, state.acts_on) == ("relu:out", "applied", "relu:out")
    assert state.scale == pytest.approx(scale, rel=1e-6)
    assert state.zero_point == zero_point
    assert ranges(fixed)["relu:out"].scale == state.scale
    others = {name: one for name, one in ranges(fixed).items() if name != "relu:out"}
    assert others == {name: one for name, one in ranges(plain).items() if name != "relu:out"}


@pytest.mark.parametrize("engine", ENGINES)
def test_without_the_fix_the_calibrated_outputs_are_back_bit_for_bit(run, this_host, runner, engine):
    plain = run(engine)
    run(engine, fixes={"relu:out": (0.0, ranges(plain)["relu:out"].max / 8)})
    config = Config({"engine": engine, "precision": "int8", "runtime.threads": 1})
    # PyTorch's engines in a worker that is spawned, to show as well that a forked one computes the same.
    runner = runner if engine == "onnxruntime" else Runner(host=this_host)
    again = runner.measure(digits(), config, runs=10, seconds=1.0)
    assert again.tensors == plain.tensors
    assert again.accuracy == plain.accuracy
    assert again.calibration == plain.calibration


@pytest.mark.parametrize("engine", ENGINES)
def test_a_fix_before_a_fused_relu_moves_behind_it_and_says_so(run, engine):
    trial = run(engine, fixes={"conv1:out": (-5.0, 7.0)})
    assert (trial.status, trial.reason) == ("ok", "")
    (state,) = trial.fixes
    assert (state.state, state.acts_on, state.note) == ("applied", "relu:out", "acts at relu:out")
    assert state.scale == pytest.approx(scale_of(0.0, 7.0, scheme(trial))[0], rel=1e-6)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_fix_on_what_the_engine_leaves_in_fp32_is_a_warning(run, engine):
    trial = run(engine, layers={"fc": "fp32"}, fixes={"fc:out": (-1.0, 1.0)})
    assert (trial.status, trial.reason) == ("ok", "")
    assert [(state.tensor, state.state, state.scale) for state in trial.fixes] == [
        ("fc:out", "not quantized by this engine", None)
    ]
    assert f"The range fixed on fc:out changes nothing: {engine} has no scale there." in trial.warnings
    assert (trial.proof.int8_kernels, trial.proof.expected_int8) == (4, 4)


@pytest.mark.parametrize("engine", ENGINES)
def test_one_convolution_kept_in_fp32_lowers_the_count_by_exactly_that_one(run, engine):
    plain, kept = run(engine), run(engine, layers={"conv2": "fp32"})
    assert (kept.status, kept.reason) == ("ok", "")
    for trial, count in ((plain, 5), (kept, 4)):
        assert (trial.proof.int8_kernels, trial.proof.expected_int8) == (count, count)
    assert {name: kernel.dtype for name, kernel in kernels_by_layer(kept).items()} == {
        name: "fp32" if name == "conv2" else "int8" for name in kernels_by_layer(plain)
    }
    assert "kept in FP32 by the config" in kept.proof.kept["conv2"]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_unknown_tensor_is_refused_with_those_that_are_near(run, engine):
    with pytest.raises(UserError) as caught:
        run(engine, fixes={"relu#7:out": (0.0, 1.0)})
    assert "'relu#7:out'" in caught.value.what
    assert "'relu#2:out'" in caught.value.why


@pytest.mark.parametrize("engine", ENGINES)
def test_fixes_that_contradict_each_other_are_refused(run, engine):
    with pytest.raises(UserError) as caught:
        run(engine, fixes={"conv2:out": (0.0, 1.0), "relu#2:out": (0.0, 2.0)})
    assert "contradict" in caught.value.what
    assert "'conv2:out'" in caught.value.what


# -- scales that no engine may see ------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("low", "high"), [(-1e38, 1e38), (0.0, 1e-12)])
def test_huge_and_tiny_ranges_are_obeyed_with_scales_that_are_finite_and_positive(run, engine, low, high):
    trial = run(engine, fixes={"relu:out": (low, high)})
    assert trial.status in ("ok", "invalid")  # the outputs may be worthless, but it must not crash
    if trial.tensors:
        assert all(EPS / 2 < tensor.scale < np.inf for tensor in trial.tensors)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tensor_that_is_always_zero_gets_a_usable_scale(run, tmp_path, engine):
    np.savez(tmp_path / "rows.npz", input=np.zeros((8, 4), np.float32))
    subject = Subject(tiny("plain", "1x4").model, DataSource(path=str(tmp_path / "rows.npz")))
    trial = run(engine, subject)
    assert (trial.status, trial.reason) == ("ok", "")
    assert all(0 < tensor.scale < np.inf for tensor in trial.tensors)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tensor_that_calibration_never_reached_blocks_the_conversion_and_is_named(run, engine):
    trial = run(engine, tiny("blind", "1x4"))
    assert trial.status == "invalid"
    assert "Calibration never reached" in trial.reason
    assert ":out" in trial.reason
    assert trial.latency is None


# -- observers and policies -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "observer"),
    [("torch", "percentile"), ("torch", "entropy"), ("ipex", "moving-average"), ("ipex", "entropy"),
     ("onnxruntime", "histogram"), ("onnxruntime", "percentile")],
)  # fmt: skip
def test_every_engine_takes_the_range_of_every_observer_from_the_same_record(run, engine, observer):
    trial = run(engine, calibration__observer=observer)
    assert (trial.status, trial.reason) == ("ok", "")
    seen = calibration.load(Path(trial.calibration))
    settings = trial.config["calibration"]
    for name in ("input:image", "relu:out", "relu#3:out"):
        low, high = observed_range(
            seen[name], observer, scheme=scheme(trial), percentile=settings["percentile"], decay=settings["decay"]
        )
        assert ranges(trial)[name].scale == pytest.approx(scale_of(low, high, scheme(trial))[0], rel=1e-6), name


@pytest.mark.parametrize("engine", ["ipex", "onnxruntime"])
def test_signed_activations_are_accurate_and_take_fixes(run, engine):
    trial = run(engine, quantization__activation="qint8", fixes={"fc:out": (-8.0, 9.0), "relu:out": (-1.0, 9.0)})
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.accuracy.cosine_mean > 0.99  # ONNX Runtime would drop a ReLU whose range reaches below 0
    state = {fix.tensor: fix for fix in trial.fixes}["relu:out"]
    scale, zero_point = scale_of(0.0, 9.0, scheme(trial))
    assert (state.state, state.zero_point) == ("applied", zero_point)
    assert state.scale == pytest.approx(scale, rel=1e-6)


@pytest.mark.parametrize(
    ("engine", "more"),
    [("torch", {}), ("ipex", {}), ("onnxruntime", {"quantization__weight": "quint8"})],
)
def test_the_full_range_uses_all_of_eight_bits(run, engine, more):
    full = run(engine, quantization__range="full", calibration__observer="minmax", **more)
    reduced = run(engine, quantization__range="reduced", calibration__observer="minmax", **more)
    assert (full.status, full.reason) == (reduced.status, reduced.reason) == ("ok", "")
    factor = 1.0 if engine == "onnxruntime" else 255 / 127  # which reduces the weights instead
    assert ranges(reduced)["relu:out"].scale == pytest.approx(ranges(full)["relu:out"].scale * factor, rel=1e-5)


# -- ONNX files -------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    def file(proto):
        return Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx"))))

    return file


@pytest.mark.parametrize(
    ("wish", "fix", "acts_on", "effective"),
    [
        ("my conv 1:out", (-1.0, 4.0), "clip:out", (0.0, 4.0)),
        ("norm1:out", (-1.0, 40.0), "clip:out", (0.0, 6.0)),
        ("clip:in0", (0.5, 4.0), "clip:out", (0.5, 4.0)),
        ("pool:out", (0.0, 3.0), "clip:out", (0.0, 3.0)),
        ("my conv 2:out", (-2.0, 2.0), "norm2:out", (-2.0, 2.0)),
        ("rectified:out", (0.0, 2.0), "rectified:out", (0.0, 2.0)),
        ("input:image", (-3.0, 3.0), "input:image", (-3.0, 3.0)),
    ],
)
def test_fixes_of_an_onnx_file_go_by_its_own_names(run, file, wish, fix, acts_on, effective):
    trial = run("onnxruntime", file(files.clamped()), fixes={wish: fix})
    assert (trial.status, trial.reason) == ("ok", "")
    (state,) = trial.fixes
    assert (state.state, state.acts_on) == ("applied", acts_on)
    assert state.scale == pytest.approx(scale_of(*effective, scheme(trial))[0], rel=1e-6)


def test_clamps_of_an_onnx_file_cut_the_ranges(run, file):
    subject = file(files.clamped())
    cut, whole = (run("onnxruntime", subject, quantization__clamp_ranges=flag) for flag in (True, False))
    assert cut.status == whole.status == "ok"
    assert all(tensor.max <= 6.0 * (1 + 1e-6) and tensor.min >= 0 for tensor in [ranges(cut)["clip:out"]])
    assert {layer.name: layer.clamp for layer in cut.layers if layer.clamp} == {
        "clip": (0.0, 6.0),
        "rectified": (0.0, None),
    }


def test_nodes_without_names_go_by_what_they_give(run, file):
    trial = run("onnxruntime", file(files.chain(named=False, batch=1)), fixes={"c2:out": (None, 1.5)})
    assert (trial.status, trial.reason) == ("ok", "")
    (state,) = trial.fixes
    assert (state.state, state.acts_on) == ("applied", "r2:out")


# -- files and the command line ---------------------------------------------------------------------


def test_fixes_survive_a_config_file():
    fixes = {"layer1.0.relu#2:out": (None, 1.5), 'odd "name":out': (-2.0, 3.0), "input:image": (0.0, None)}
    config = Config({"precision": "int8"}, fixes=fixes)
    assert Config.from_toml(config.to_toml()).fixes == fixes
    assert Config.from_dict(msgspec.json.decode(msgspec.json.encode(config.to_dict()))).fixes == fixes


@pytest.fixture
def command_line(capsys, monkeypatch, tmp_path, runner):
    """Measure digits-mlp with a forked worker; return exit code, stdout and stderr."""
    monkeypatch.setattr(Wanted, "runner", lambda *_: runner)
    always = ["--set", "precision=int8", "--set", "runtime.threads=1", "--study", str(tmp_path / "s.sqlite")]

    def command_line(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(["measure", "sample:digits-mlp", "--runs", "10", *always, *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return command_line


def test_a_fix_set_on_the_command_line_is_in_the_json_and_in_the_table(command_line):
    setting = ["--set", 'fixes."fc1:out".max=1.5']
    code, out, _ = command_line(*setting, "--json")
    trial = msgspec.json.decode(out)
    assert code == 0
    assert trial["config"]["fixes"] == {"fc1:out": {"max": 1.5}}
    (state,) = trial["fixes"]
    assert (state["tensor"], state["state"]) == ("fc1:out", "applied")
    assert state["acts_on"] != "fc1:out"
    code, out, _ = command_line(*setting)
    assert code == 0
    assert "fc1:out: applied, scale" in out
    assert f"acts at {state['acts_on']}" in out


@pytest.mark.parametrize("fix", ['"fc9:out".max=1.5', '"fc1:out".min=nan', '"fc1:out".maximum=1', '"fc1:in5".max=1'])
def test_a_fix_that_cannot_be_is_exit_2_with_its_name(command_line, fix):
    code, out, err = command_line("--set", f"fixes.{fix}", "--json")
    assert (code, out) == (2, "")
    assert "fc" in err
    assert "Traceback" not in err

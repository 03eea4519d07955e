"""The command line as people and scripts meet it: exit codes, one message, one JSON document."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import subprocess
import sys
import textwrap
import time
import zipfile
from pathlib import Path

import cv2
import numpy as np
import psutil
import pytest

from workbench import cli
from workbench.study import ladder, runner
from workbench.study.store import Store

pytestmark = pytest.mark.usefixtures("nothing_left", "data_dir")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals")

NET = """
    import torch

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = torch.nn.Conv2d(3, 4, 3)
            self.fc = torch.nn.Linear(4 * 6 * 6, 5)

        def forward(self, image):
            return self.fc(torch.flatten(torch.relu(self.conv1(image)), 1))

    def build():
        return Net().eval()
"""


class Said:
    """What a command line said and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def json(self):
        assert self.out.lstrip().startswith("{")
        return json.loads(self.out)


@pytest.fixture
def run(capsys):
    """Run the command line in this process."""

    def run(*arguments: object) -> Said:
        capsys.readouterr()
        code = cli.run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return Said(code, said.out, said.err)

    return run


@pytest.fixture
def script(tmp_path):
    """A file that is TorchScript as far as anybody can tell without loading it."""
    file = tmp_path / "net.pt"
    with zipfile.ZipFile(file, "w") as archive:
        for name in ("data.pkl", "constants.pkl", "code/__torch__.py", "version"):
            archive.writestr(f"net/{name}", "")
    return file


@pytest.fixture
def faked(monkeypatch):
    """Put the fake in place of every engine; the returned function says how it behaves."""
    monkeypatch.setattr(runner, "MODULES", dict.fromkeys(runner.MODULES, "fake_engine"))
    monkeypatch.setattr(runner, "_check_available", lambda *_: None)
    return lambda behaviour="": monkeypatch.setenv("FAKE_BEHAVIOUR", behaviour)


@pytest.fixture
def pictures(tmp_path):
    """Four pictures of 8 × 8."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(4):
        pixels = np.random.default_rng(number).integers(0, 255, (8, 8, 3), np.uint8)
        assert cv2.imwrite(str(folder / f"{number}.png"), pixels)
    return folder


@pytest.fixture
def net(tmp_path):
    file = tmp_path / "net.py"
    file.write_text(textwrap.dedent(NET))
    return f"{file}:build"


def studies(data_dir: Path) -> list[str]:
    return sorted(path.name for path in data_dir.rglob("*.sqlite"))


def check_refusal(said: Said, data_dir: Path, *parts: str) -> None:
    """Exit 2, one message of what and what next on stderr, nothing on stdout, nothing stored."""
    assert said.code == 2
    assert said.out == ""
    for part in parts:
        assert part in said.err
    lines = [line for line in said.err.splitlines() if line.strip()]
    assert 2 <= len(lines) <= 4, said.err
    assert len(set(lines)) == len(lines)
    assert studies(data_dir) == []


# -- bad input, refused before any worker starts ----------------------------------------------------


def empty(path: Path) -> None:
    path.write_bytes(b"")


def text(path: Path) -> None:
    path.write_text("<html>404: not found</html>\n")


def noise(path: Path) -> None:
    path.write_bytes(np.random.default_rng(0).bytes(5000))


@pytest.mark.parametrize(
    ("name", "make", "parts"),
    [
        ("none.pt", None, ("There is no file", "none.pt")),
        ("empty.pt", empty, ("empty.pt is empty", "Copy or download")),
        ("page.pt", text, ("page.pt is no model file", "Supported are")),
        ("noise.onnx", noise, ("noise.onnx is no model file", "Supported are")),
        ("cut.pt", lambda path: path.write_bytes(b"PK\x03\x04" + bytes(100)), ("damaged or cut off",)),
    ],
)
def test_a_file_that_is_no_model_is_refused(run, tmp_path, data_dir, name, make, parts):
    if make:
        make(tmp_path / name)
    check_refusal(run("measure", tmp_path / name, "--input", "1x4"), data_dir, *parts)


def test_a_pickle_that_would_run_code_is_refused_and_does_not_run(run, tmp_path, data_dir):
    class Evil:
        def __reduce__(self):
            return os.system, (f"touch {tmp_path / 'ran'}",)

    file = tmp_path / "evil.pt"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("evil/data.pkl", pickle.dumps(Evil()))
        archive.writestr("evil/version", "3\n")
    said = run("measure", file, "--input", "1x4")
    check_refusal(
        said, data_dir, "could run any code", "posix.system" if os.name == "posix" else "system", "--trust-pickle"
    )
    assert not (tmp_path / "ran").exists()


def test_bare_weights_are_refused_with_the_way_to_use_them(run, tmp_path, data_dir):
    torch = pytest.importorskip("torch")
    file = tmp_path / "weights.pt"
    torch.save(torch.nn.Linear(4, 3).state_dict(), file)
    check_refusal(run("measure", file), data_dir, "holds weights, but no model", "model.py:build --weights")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["sample:digit-cnn"], ("no sample 'digit-cnn'", "'digits-cnn'")),
        (["{script}", "--set", "runtime.thread=2"], ("no knob 'runtime.thread'", "'runtime.threads'")),
        (["{script}", "--set", "precision=int4"], ("'int4' is not a value of precision", "'int8'")),
        (["{script}", "--set", "runtime.threads=many"], ("'many'", "whole number")),
        (["{script}", "--set", "precision"], ("is not KEY=VALUE", "--set precision=int8")),
        (["{script}", "--config", "none.toml"], ("Cannot read the config file none.toml",)),
        (["{script}", "--input", "1x4", "--set", "runtime.affinity=4096"], ("CPU 4096", "runtime.affinity")),
        (["{script}", "--input", "1xfour"], ("'1xfour'", "Write --input")),
        (["{script}", "--input", "1x4", "--calib", "x"], ("nothing to evaluate on", "--data")),
        (["{script}", "--weights", "w.pt"], ("--weights needs a model given as FILE.py:callable",)),
        (["{script}", "--runs", "0"], ("--runs", "1", "--help")),
        (["{script}", "--rns", "10"], ("--rns", "--runs", "--help")),
        (["{script}", "another"], ("another", "--help")),
        ([], ("MODEL", "--help")),
    ],
)
def test_a_bad_argument_is_refused(run, script, data_dir, arguments, parts):
    said = run("measure", *(argument.format(script=script) for argument in arguments))
    check_refusal(said, data_dir, *parts)


def test_an_unknown_verb_names_the_near_one(run, data_dir):
    check_refusal(run("measur", "x.pt"), data_dir, "measur", "measure", "--help")


def test_a_study_that_is_not_there_is_refused(run, data_dir):
    check_refusal(run("study", "sample:nothing"), data_dir, "There is no study 'sample:nothing'")
    check_refusal(run("study", data_dir / "none.sqlite"), data_dir, "There is no study")


# -- bad input, found by the worker -----------------------------------------------------------------


def test_an_empty_folder_is_refused(run, faked, script, tmp_path, data_dir):
    faked()
    folder = tmp_path / "nothing here"
    folder.mkdir()
    said = run("measure", script, "--input", "1x3x8x8", "--data", folder)
    check_refusal(said, data_dir, "nothing here")


def test_a_folder_of_broken_pictures_is_refused(run, faked, script, tmp_path, data_dir):
    faked()
    (tmp_path / "broken").mkdir()
    for name in ("a.png", "b.jpg"):
        (tmp_path / "broken" / name).write_bytes(b"no picture at all")
    check_refusal(run("measure", script, "--input", "1x3x8x8", "--data", tmp_path / "broken"), data_dir, "broken")


def test_data_that_do_not_fit_the_model_are_refused(run, faked, script, tmp_path, data_dir):
    faked()
    np.save(tmp_path / "rows.npy", np.zeros((5, 7), np.float32))
    said = run("measure", script, "--input", "?x4", "--data", tmp_path / "rows.npy")
    check_refusal(said, data_dir, "does not fit the model", "5×7")


@pytest.mark.engine
def test_a_wrong_input_shape_is_refused_with_the_models_own_complaint(run, net, data_dir):
    said = run("measure", net, "--input", "1x3x9x9")
    check_refusal(said, data_dir, "refuses the input", "1x3x9x9", "196", "--input")


@pytest.mark.engine
def test_a_layer_that_does_not_exist_names_the_near_one(run, net, data_dir):
    said = run(
        "measure", net, "--input", "1x3x8x8", "--set", "precision=int8", "--set", 'layers."conv2".precision=fp32'
    )
    check_refusal(said, data_dir, "no layer 'conv2'", "'conv1'")


# -- measuring --------------------------------------------------------------------------------------


def test_a_measurement_ends_with_0_a_table_and_a_stored_trial(run, faked, script, data_dir):
    faked()
    said = run("measure", script, "--input", "1x4", "--runs", "20", "--deadline", "1000")
    assert said.code == 0
    assert said.err == ""
    for part in ("ok", "p50 ms", "missed by 0 of 20", "n/a: no data", "net.sqlite"):
        assert part in said.out
    assert studies(data_dir) == ["net.sqlite"]
    assert len(Store(str(data_dir / "studies" / "net.sqlite")).trials()) == 1


def test_a_broken_picture_among_good_ones_is_named_and_left_out(run, faked, script, pictures):
    faked()
    (pictures / "torn.png").write_bytes((pictures / "0.png").read_bytes()[:60])
    options = ("--input", "1x3x8x8", "--data", pictures, "--set", "preprocess.size=8", "--runs", "10")
    said = run("measure", script, *options, "--json")
    assert said.code == 0
    trial = said.json
    assert any("torn.png" in warning for warning in trial["warnings"])
    assert list(trial["data"]["rejected"]) == ["torn.png"]
    assert "torn.png" not in trial["data"]["calibration"] + trial["data"]["evaluation"]
    assert trial["accuracy"]["samples"] == len(trial["data"]["evaluation"]) > 0
    assert "torn.png" in run("measure", script, *options).out


@pytest.mark.parametrize(
    ("behaviour", "settings", "status", "reason"),
    [
        ("no-int8", ["precision=int8"], "invalid", "no INT8 kernel ran"),
        ("short-int8", ["precision=int8"], "invalid", "missing: fc"),
        ("threads=9", ["runtime.threads=1"], "invalid", "9 are used"),
        pytest.param("abort@run", [], "failed", "SIGABRT", marks=posix_only),
        ("invalid@build", [], "invalid", "the fake did something else"),
    ],
)
def test_a_trial_that_is_not_ok_ends_with_1_and_is_stored(
    run, faked, script, data_dir, behaviour, settings, status, reason
):
    faked(behaviour)
    arguments = [word for setting in settings for word in ("--set", setting)]
    said = run("measure", script, "--input", "1x4", "--runs", "10", "--json", *arguments)
    assert said.code == 1
    assert said.json["status"] == status
    assert reason in said.json["reason"]
    (stored,) = Store(str(data_dir / "studies" / "net.sqlite")).trials()
    assert (stored.status, stored.reason) == (status, said.json["reason"])


def test_a_chatty_library_does_not_reach_stdout(run, faked, script):
    faked("chatter=1@run1+warn=be careful@load")
    said = run("measure", script, "--input", "1x4", "--runs", "10", "--json")
    assert said.json["status"] == "ok"
    assert said.json["library_warnings"] == ["UserWarning: be careful"]


def test_a_study_can_be_given_and_is_listed(run, faked, script, tmp_path, data_dir):
    place = tmp_path / "mine" / "s.sqlite"
    faked()
    run("measure", script, "--input", "1x4", "--runs", "10", "--study", place)
    faked("no-int8")
    run("measure", script, "--input", "1x4", "--runs", "10", "--study", place, "--set", "precision=int8")
    assert studies(data_dir) == []
    listed = run("study", place)
    assert listed.code == 0
    for part in ("ok", "invalid", "fp32", "int8", "no INT8 kernel ran"):
        assert part in " ".join(listed.out.split())
    trials = run("study", place, "--json").json["trials"]
    assert [(trial["id"], trial["status"]) for trial in trials] == [(1, "ok"), (2, "invalid")]


def test_a_study_is_found_by_its_model(run, faked, script):
    faked()
    run("measure", script, "--input", "1x4", "--runs", "10")
    assert len(run("study", script, "--json").json["trials"]) == 1


@pytest.mark.parametrize("verb", [("measure",), ("compare", "--b", "runtime.interop_threads=2"), ("ladder",)])
def test_a_study_that_cannot_be_written_is_refused_before_anything_is_measured(
    run, faked, script, tmp_path, data_dir, verb
):
    faked(f"mark={tmp_path / 'loaded'}@load")
    (tmp_path / "file").write_text("in the way")
    said = run(*verb, script, "--input", "1x4", "--runs", "10", "--study", tmp_path / "file" / "s.sqlite")
    check_refusal(said, data_dir, "cannot be written", "s.sqlite", "--study")
    assert not (tmp_path / "loaded").exists()


# -- the JSON contract ------------------------------------------------------------------------------

KERNEL = {"layer": str, "op": str, "kernel": str, "dtype": str, "ms": float}
NUMBER = (int, float)
HOST = {
    "cpu": {
        "model": str, "vendor": str, "isa": list, "physical_cores": int, "logical_cpus": int, "smt": bool,
        "hybrid": bool, "numa_nodes": list, "caches": dict,
    },
    "usable_cpus": list, "cpu_quota": (float, int, None), "memory_mb": int, "governor": (str, None), "os": str,
    "glibc": (str, None), "engines": list,
}  # fmt: skip
TRIAL = {
    "id": int, "status": str, "reason": str, "warnings": list,
    "model": {"path": str, "format": str, "sha256": str},
    "config": dict,
    "latency": {
        "n": int, "warmup_n": int, "mean_ms": NUMBER, "p50_ms": NUMBER, "p90_ms": NUMBER, "p99_ms": (float, int, None),
        "max_ms": NUMBER, "stable": bool, "samples_file": (str, None),
    },
    "throughput_per_s": NUMBER,
    "memory": {"peak_rss_mb": NUMBER, "model_mb": (float, int, None)},
    "accuracy": {
        "samples": int, "cosine_mean": NUMBER, "cosine_min": NUMBER, "sqnr_db": NUMBER, "kl_mean": (float, int, None),
        "top1_agreement": (float, int, None), "top1": (float, int, None), "top1_fp32": (float, int, None),
        "outputs": [{"name": str, "cosine_min": NUMBER, "sqnr_db": NUMBER, "max_abs_diff": NUMBER}],
    },
    "effective": {
        "threads": int, "affinity": list, "openmp": list, "engine_version": str, "torch_version": (str, None),
        "python": str, "isa": str,
    },
    "proof": {
        "int8_kernels": int, "bf16_kernels": int, "fp32_kernels": int, "reference_kernels": int, "expected_int8": int,
        "kernels": [KERNEL],
    },
    "fixes": list,
    "host": HOST,
}  # fmt: skip


def check_shape(value, shape, path: str = "$") -> None:
    """Every key of *shape* is there, with a value of its kind."""
    if isinstance(shape, dict):
        assert isinstance(value, dict), path
        assert shape.keys() <= value.keys(), f"{path} lacks {sorted(shape.keys() - value.keys())}"
        for key, inner in shape.items():
            check_shape(value[key], inner, f"{path}.{key}")
    elif isinstance(shape, list):
        assert value, f"{path} is empty"
        for number, item in enumerate(value):
            check_shape(item, shape[0], f"{path}[{number}]")
    else:
        kinds = shape if isinstance(shape, tuple) else (shape,)
        kinds = tuple(type(None) if kind is None else kind for kind in kinds)
        assert isinstance(value, kinds), f"{path} is {value!r}"


def test_measure_prints_one_json_document_with_all_keys(run, faked, script, pictures):
    faked()
    said = run(
        "measure", script, "--input", "1x3x8x8", "--data", pictures, "--set", "preprocess.size=8", "--runs", "120",
        "--set", "precision=int8", "--json",
    )  # fmt: skip
    assert said.code == 0
    trial = said.json
    check_shape(trial, TRIAL)
    assert trial["latency"]["p99_ms"] is not None
    assert trial["config"]["precision"] == "int8"
    assert {"engine", "graph", "layout", "runtime", "calibration", "quantization", "preprocess"} <= trial[
        "config"
    ].keys()
    assert trial["proof"]["expected_int8"] == trial["proof"]["int8_kernels"] == 2


def test_accuracy_is_null_without_data_and_p99_below_a_hundred_runs(run, faked, script):
    faked()
    trial = run("measure", script, "--input", "1x4", "--runs", "20", "--json").json
    assert trial["accuracy"] is None
    assert trial["latency"]["p99_ms"] is None


def test_ladder_prints_one_json_document_with_all_keys(run, faked, script, monkeypatch):
    faked()
    monkeypatch.setattr(ladder, "RUNGS", ladder.RUNGS[:2])
    said = run("ladder", script, "--input", "1x4", "--runs", "10", "--seconds", "0.2", "--json")
    assert said.code == 0
    first, second = said.json["steps"]
    step = {
        "name": str,
        "config_changes": dict,
        "trial": TRIAL | {"accuracy": (dict, None)},
        "speedup_vs_first": NUMBER,
        "speedup_vs_previous": (float, int, None),
        "verdict": str,
    }
    check_shape(first, step)
    check_shape(second, step)
    assert (first["name"], first["verdict"], first["speedup_vs_first"]) == ("naive", "start", 1.0)
    assert second["config_changes"] == {"graph.grad": False}
    table = run("ladder", script, "--input", "1x4", "--runs", "10", "--seconds", "0.2")
    assert table.code == 0
    assert "naive" in table.out
    assert "inference mode" in table.out


def test_a_ladder_on_which_nothing_was_measured_ends_with_1(run, faked, script, monkeypatch):
    faked("invalid@build")
    monkeypatch.setattr(ladder, "RUNGS", ladder.RUNGS[:1])
    assert run("ladder", script, "--input", "1x4", "--runs", "10").code == 1


def test_compare_prints_one_json_document_with_all_keys(run, faked, script):
    faked("sleep=0.001@run")
    sides = ("--a", "runtime.interop_threads=1", "--b", "runtime.interop_threads=2")
    said = run("compare", script, "--input", "1x4", *sides, "--quick", "--runs", "10", "--json")
    assert said.code == 0
    trial = TRIAL | {"accuracy": (dict, None)}
    check_shape(said.json, {"a": trial, "b": trial, "ratio": NUMBER, "ci95": list, "verdict": str})
    assert said.json["verdict"] in ("a", "b", "same")
    low, high = said.json["ci95"]
    assert low <= said.json["ratio"] <= high
    assert len(run("study", script, "--json").json["trials"]) == 4


def test_inspect_prints_one_json_document(run, faked, script):
    faked()
    said = run("inspect", script, "--input", "?x4", "--json")
    assert said.code == 0
    assert said.json["parameters"] == 6
    assert said.json["dynamic_axes"] == {"input": [0, 1]}
    table = run("inspect", script, "--input", "?x4")
    assert table.code == 0
    assert "conv" in table.out


def test_host_prints_one_json_document_with_all_keys(run):
    said = run("host", "--json")
    assert said.code == 0
    check_shape(said.json, HOST)
    engine = {"name": str, "available": bool, "version": (str, None), "reason": (str, None)}
    check_shape(said.json["engines"], [engine])
    assert {"torch", "ipex", "onnxruntime"} <= {entry["name"] for entry in said.json["engines"]}
    table = run("host")
    assert table.code == 0
    assert "torch" in table.out


# -- start-up, bugs and interrupts ------------------------------------------------------------------


def fresh(code: str, *arguments: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        capture_output=True, text=True, timeout=120, check=False, **options,
    )  # fmt: skip


def test_importing_the_command_line_loads_nothing_heavy():
    code = "import sys, workbench.cli; print([m for m in ('torch', 'PySide6', 'numpy', 'cv2') if m in sys.modules])"
    assert fresh(code).stdout.strip() == "[]"


def test_host_loads_no_engine():
    done = fresh(
        """
        import sys
        from workbench import cli
        code = cli.run(["host"])
        print(code, [m for m in ("torch", "intel_extension_for_pytorch", "onnxruntime", "PySide6") if m in sys.modules])
        """
    )
    assert done.stdout.splitlines()[-1] == "0 []"


def test_measuring_loads_no_engine_into_this_process(run, faked, script):
    done = fresh(
        """
        import sys
        from workbench import cli
        from workbench.study import runner
        runner.MODULES = dict.fromkeys(runner.MODULES, "fake_engine")
        runner._check_available = lambda *_: None
        code = cli.run(["measure", sys.argv[1], "--input", "1x4", "--runs", "10"])
        print(code, [m for m in ("torch", "intel_extension_for_pytorch", "onnxruntime", "PySide6") if m in sys.modules])
        """,
        script,
    )
    assert done.stdout.splitlines()[-1] == "0 []"


def test_the_module_runs_as_a_program_and_help_ends_with_0():
    for arguments in (["--help"], ["measure", "--help"], ["--version"]):
        done = subprocess.run(
            [sys.executable, "-m", "workbench", *arguments], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0
        assert done.stdout
        assert done.stderr == ""


def test_a_bug_of_ours_ends_with_3_and_the_place_of_a_log(run, monkeypatch, tmp_path):
    def broken(**_):
        raise RuntimeError("something is rotten")

    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("workbench.host.machine.describe_host", broken)
    said = run("host")
    assert said.code == 3
    assert said.out == ""
    assert "bug" in said.err
    assert "something is rotten" in said.err
    (log,) = (tmp_path / "cache").rglob("*.log")
    assert str(log) in said.err
    assert "Traceback" in log.read_text(encoding="utf-8")
    assert "RuntimeError: something is rotten" in log.read_text(encoding="utf-8")


def test_a_reader_that_goes_away_is_no_error():
    with subprocess.Popen(
        [sys.executable, "-m", "workbench", "host", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


INTERRUPTED = """
    import sys
    from workbench import cli
    from workbench.study import runner
    runner.MODULES = dict.fromkeys(runner.MODULES, "fake_engine")
    runner._check_available = lambda *_: None
    sys.exit(cli.run(sys.argv[1:]))
"""


@posix_only
@pytest.mark.parametrize(
    ("behaviour", "measured"),
    [("sleep=0.001@run+mark={mark}@run2000", True), ("mark={mark}@load+hang@load", False)],
)
def test_ctrl_c_ends_with_130_keeps_what_was_measured_and_leaves_no_worker(
    script, tmp_path, data_dir, behaviour, measured
):
    mark = tmp_path / "reached"
    environment = {**os.environ, "FAKE_BEHAVIOUR": behaviour.format(mark=mark)}
    command = [sys.executable, "-c", textwrap.dedent(INTERRUPTED), "measure", str(script), "--input", "1x4"]
    with subprocess.Popen(
        [*command, "--runs", "10000000"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        end = time.monotonic() + 60
        while not mark.exists():
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.02)
        workers = psutil.Process(process.pid).children(recursive=True)
        assert workers
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert "Interrupted" in err
    _, alive = psutil.wait_procs(workers, timeout=3)
    assert not alive
    (trial,) = Store(str(data_dir / "studies" / "net.sqlite")).trials()
    assert trial.status == "failed"
    assert re.search("cancelled", trial.reason)
    assert (trial.latency is not None) == measured

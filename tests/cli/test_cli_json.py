"""The JSON contract: one document on stdout, with every key that scripts rely on."""

from __future__ import annotations

import pytest

from workbench.study import ladder, runner

pytestmark = pytest.mark.usefixtures("nothing_left", "data_dir")

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
    check_shape(said.json["drift"], {"ratio": float, "ci95": list, "drifted": bool, "text": str, "trial": int})
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


def test_sweep_prints_one_json_document_with_all_keys(run, faked, script):
    faked("sleep=0.001@run")
    given = ("sweep", script, "run.batch=1,2,x", "--input", "?x4", "--runs", "10", "--processes", "1")
    said = run(*given, "--json")
    assert said.code == 0
    one, two, wrong = said.json["points"]
    trial = TRIAL | {"accuracy": (dict, None)}
    shape = {"value": int, "trial": trial, "ratio_vs_baseline": NUMBER, "ci95": list, "throughput_per_s": NUMBER}
    for point in (one, two, said.json["baseline"]):
        check_shape(point, shape)
    assert (said.json["knob"], one["verdict"], two["value"]) == ("run.batch", "baseline", 2)
    assert said.json["knee"] in (1, None) and said.json["for_median"]["verdict"] in ("better", "same", "keep")
    assert "'x' is not a value" in wrong["reason"] and wrong["trial"] is None and wrong["ci95"] is None
    table = run(*given)
    assert table.code == 0 and "For the median" in table.out and "x: 'x' is not a value" in table.out


@pytest.fixture
def interrupted(monkeypatch):
    """Return a function after which Ctrl+C comes before the trial of that number."""

    def interrupted(at):
        measure, calls = runner.Runner.measure, []

        def until(self, *arguments, **options):
            calls.append(1)
            if len(calls) == at:
                raise KeyboardInterrupt
            return measure(self, *arguments, **options)

        monkeypatch.setattr(runner.Runner, "measure", until)
        return calls

    return interrupted


def test_a_sweep_that_is_interrupted_shows_what_was_measured_until_then(run, faked, script, interrupted):
    faked("sleep=0.001@run")
    given = ("sweep", script, "run.batch=1,2", "--input", "?x4", "--runs", "10", "--processes", "2", "--seconds", "0.2")
    calls = interrupted(4)
    said = run(*given)
    assert said.code == 130 and "Interrupted. What was measured is kept." in said.err
    assert "Stopped after 3 processes; 2 per value were wanted." in said.out and "For the median" in said.out
    calls.clear()
    said = run(*given, "--json")
    assert said.code == 130 and said.json["finished"] is False
    assert [len(point["trials"]) for point in said.json["points"]] == [1, 2]
    calls[:] = [1, 1, 1]
    nothing = run(*given)
    assert (nothing.code, nothing.out) == (130, "") and "Interrupted" in nothing.err


def test_a_ladder_that_is_interrupted_shows_the_steps_until_then(run, faked, script, interrupted, monkeypatch):
    faked()
    monkeypatch.setattr(ladder, "RUNGS", ladder.RUNGS[:3])
    calls = interrupted(3)
    given = ("ladder", script, "--input", "1x4", "--runs", "10", "--seconds", "0.2")
    said = run(*given, "--json")
    assert said.code == 130 and said.json["finished"] is False and said.json["drift"] is None
    assert [step["name"] for step in said.json["steps"]] == ["naive", "inference mode"]
    calls[:] = [1, 1]
    assert run(*given).out == "", "of another ladder in the study nothing is shown"
    calls[:] = [1]
    said = run(*given)
    assert (
        said.code == 130
        and "Stopped: what comes after naive was not measured." in said.out
        and "Interrupted" in said.err
    )


def test_a_sweep_in_which_nothing_was_compared_ends_with_1(run, faked, script):
    faked("invalid@build")
    assert run("sweep", script, "run.batch=1,2", "--input", "?x4", "--runs", "10").code == 1


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

"""``workbench presets`` and ``--preset``."""

from __future__ import annotations

import json

import pytest

from workbench.core.presets import PRESETS
from workbench.host.engines import EngineStatus

pytestmark = pytest.mark.usefixtures("nothing_left", "data_dir")


@pytest.fixture
def engines(monkeypatch):
    found = (
        EngineStatus("torch", True, "2"),
        EngineStatus("ipex", False, None, "no"),
        EngineStatus("onnxruntime", True),
    )
    monkeypatch.setattr("workbench.host.engines.list_engines", lambda *_, **__: found)


def test_every_preset_is_listed_with_what_it_turns(run):
    said = run("presets", "--json")
    found = {preset["name"]: preset for preset in json.loads(said.out)["presets"]}
    assert said.code == 0 and list(found) == [preset.name for preset in PRESETS]
    assert found["old-cpu"]["changes"]["onnxruntime"]["quantization.range"] == "reduced"
    assert found["safe-fp32"]["fits"] is None
    shown = run("presets").out
    assert all(preset.title in shown for preset in PRESETS)


def test_a_model_is_looked_into_to_tell_what_fits(run, faked):
    faked()
    said = run("presets", "sample:digits-mlp", "--json")
    assert said.code == 0, said.err
    fits = {preset["name"]: preset["fits"] for preset in said.json["presets"]}
    assert fits["small-model"] is True and fits["slow-memory"] is False and fits["detector"] is False


def measured(run, *arguments):
    said = run("measure", *arguments, "--runs", 3, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)["config"]


def test_a_preset_wins_over_the_file_and_gives_way_to_set(run, faked, script, engines, tmp_path):
    faked()
    file = tmp_path / "c.toml"
    file.write_text('[runtime]\nthreads = 2\nwait_policy = "active"\ninterop_threads = 2\n')
    model = (script, "--input", "1x4")
    config = measured(run, *model, "--config", file, "--preset", "lowest-tail", "--set", "runtime.threads=1")
    assert config["runtime"]["wait_policy"] == "passive"
    assert (config["runtime"]["threads"], config["runtime"]["interop_threads"]) == (1, 1)


def test_the_best_engine_that_is_there_is_taken_unless_one_is_named(run, faked, script, engines):
    faked()
    model = (script, "--input", "1x4", "--preset", "balanced-bf16")
    assert measured(run, *model)["engine"] == "torch", "IPEX is not there"
    refused = run("measure", *model, "--set", "engine=onnxruntime")
    assert refused.code == 2 and "not for engine 'onnxruntime'" in refused.err


def test_an_unknown_preset_names_the_nearest(run, script):
    said = run("measure", script, "--input", "1x4", "--preset", "old-cpus")
    assert said.code == 2 and "old-cpu" in said.err

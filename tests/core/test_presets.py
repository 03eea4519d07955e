"""Presets: each is a valid config for every engine that it names, says why, and tells whether it fits."""

from __future__ import annotations

import pytest

from workbench.core.config import Config
from workbench.core.knobs import BY_KEY
from workbench.core.presets import BY_NAME, PRESETS, Situation, find
from workbench.errors import UserError

EACH = [(preset, engine) for preset in PRESETS for engine in preset.engines]


def test_all_that_were_asked_for_are_there():
    assert set(BY_NAME) == {
        "few-cores", "old-cpu", "slow-memory", "small-model", "recurrent", "detector", "safe-fp32", "balanced-bf16",
        "lowest-tail",
    }  # fmt: skip
    assert len(BY_NAME) == len(PRESETS)
    for preset in PRESETS:
        assert preset.title and preset.reason.endswith(".") and preset.evidence.endswith(".")
        assert {*preset.knobs, *(key for own in preset.own.values() for key in own)} <= set(BY_KEY)
        assert set(preset.own) <= set(preset.engines)


@pytest.mark.parametrize(("preset", "engine"), EACH, ids=[f"{preset.name}-{engine}" for preset, engine in EACH])
def test_every_preset_is_a_valid_config_for_each_engine_it_names(preset, engine):
    config = Config.from_dict(Config(preset.changes(engine)).to_dict())
    assert config.engine == engine
    for key, value in preset.changes(engine).items():
        assert not config.applies(BY_KEY[key])
        assert config[key] == value
    # Whatever was set before, the preset wins and the rest stays.
    for before in (Config({"engine": engine}), Config({"engine": "onnxruntime", "precision": "int8"})):
        after = preset.applied(before.changed({"runtime.affinity": "0"}))
        assert after["runtime.affinity"] == "0"
        assert all(after[key] == value for key, value in preset.changes(after.engine).items())


def test_every_engine_that_a_preset_does_not_name_is_refused():
    with pytest.raises(UserError, match="not for engine 'onnxruntime'"):
        find("balanced-bf16").changes("onnxruntime")
    with pytest.raises(UserError, match="None of them can be used here"):
        find("balanced-bf16").applied(Config(), ["onnxruntime"])
    assert find("balanced-bf16").applied(Config({"engine": "onnxruntime"}), ["torch"]).engine == "torch"
    assert find("few-cores").applied(Config()).engine == "torch", "the engine stays where the preset is for it"


def test_an_unknown_name_names_the_nearest():
    with pytest.raises(UserError, match="few-cores"):
        find("few-core")


@pytest.mark.parametrize(
    ("name", "situation", "fits"),
    [
        ("few-cores", Situation(cores=4), True),
        ("few-cores", Situation(cores=16), False),
        ("few-cores", Situation(), None),
        ("old-cpu", Situation(isa=("avx2",)), True),
        ("old-cpu", Situation(isa=("avx2", "avx_vnni")), False),
        ("balanced-bf16", Situation(isa=("avx2",)), False),
        ("balanced-bf16", Situation(isa=("avx2", "amx_bf16")), True),
        ("small-model", Situation(model_mb=4.9), True),
        ("slow-memory", Situation(model_mb=40), True),
        ("slow-memory", Situation(model_mb=4), False),
        ("recurrent", Situation(kinds=("rnn", "matmul")), True),
        ("recurrent", Situation(kinds=("conv",)), False),
        ("detector", Situation(kinds=("conv",), outputs=[(1, 100, 4), (1, 100)]), True),
        ("detector", Situation(kinds=("conv",), outputs=[(1, 10)]), False),
        ("detector", Situation(kinds=("rnn",), outputs=[(1, 50, 4)]), False),
        ("detector", Situation(kinds=("conv",)), None),
        ("safe-fp32", Situation(cores=2, isa=("avx2",), model_mb=1), None),
    ],
)
def test_what_fits(name, situation, fits):
    assert find(name).fits(situation) is fits

"""The frozen config: what is accepted, what is refused and with which words, and what comes back out."""

from __future__ import annotations

import itertools

import pytest

from workbench.core.config import Config
from workbench.core.knobs import BY_KEY, ENGINES, KNOBS, PRECISIONS
from workbench.core.preprocess import Preprocess
from workbench.errors import UserError


def refused(*settings: str, path=None) -> UserError:
    with pytest.raises(UserError) as caught:
        Config.load(path, settings)
    return caught.value


def loaded(*settings: str, path=None) -> Config:
    return Config.load(path, settings)


# -- what comes back out ----------------------------------------------------------------------------


def other_value(key: str):
    """A value of the knob that is not its default."""
    knob = BY_KEY[key]
    if knob.kind is bool:
        return not knob.default
    if knob.choices:
        return next(choice for choice in knob.choices if choice != knob.default)
    if knob.kind is str:
        return "0-2,5"
    return knob.maximum


def with_neighbours(key: str, engine: str, precision: str) -> Config | None:
    """A config with *key* turned, together with what it needs; None where the combination is forbidden."""
    try:
        return Config({"engine": engine, "precision": precision, key: other_value(key)})
    except UserError:
        return None


@pytest.mark.parametrize("key", [knob.key for knob in KNOBS if knob.key not in ("engine", "precision")])
def test_a_turned_knob_survives_the_way_through_toml(key):
    tried = 0
    for engine, precision in itertools.product(ENGINES, PRECISIONS):
        config = with_neighbours(key, engine, precision)
        if config is not None:
            again = Config.from_toml(config.to_toml())
            assert again[key] == other_value(key)
            assert type(again[key]) is BY_KEY[key].kind
            assert again.resolved() == config.resolved()
            assert again.to_dict() == config.to_dict()
            tried += 1
    assert tried, f"nothing can turn {key}"


def test_layers_and_preprocessing_survive_the_way_through_toml():
    config = Config(
        {"precision": "int8", "calibration.samples": 7},
        layers={"layer1.0.conv1": "fp32", 'odd "name" = x': "fp32"},
        preprocess={"size": [8, 16], "mean": [0.5], "color": "bgr"},
    )
    again = Config.from_toml(config.to_toml())
    assert again.layers == config.layers
    assert again.preprocess == config.preprocess
    assert again["calibration.samples"] == 7
    assert again.to_toml() == config.to_toml()


def test_resolved_holds_every_knob_that_applies_and_no_other():
    config = Config({"precision": "int8-dynamic"})
    assert config.resolved().keys() == {knob.key for knob in KNOBS if not config.applies(knob)}
    assert "quantization.backend" in config.resolved()
    assert "calibration.observer" not in config.resolved()


def test_defaults_follow_the_engine():
    assert Config()["layout.channels_last"] is False
    assert Config({"engine": "ipex"})["layout.channels_last"] is True
    assert Config({"engine": "ipex"})["graph.mode"] == "frozen"
    assert Config({"engine": "ipex", "layout.channels_last": False})["layout.channels_last"] is False


def test_a_config_cannot_be_changed_in_place():
    config = Config({"precision": "int8"})
    with pytest.raises(TypeError):
        config.given["precision"] = "fp32"
    with pytest.raises(AttributeError):
        config.layers = {}


def test_a_config_does_not_follow_the_mapping_that_it_was_made_from():
    given = {"precision": "int8"}
    config = Config(given)
    given["precision"] = "bf16"
    assert config.precision == "int8"


# -- settings ---------------------------------------------------------------------------------------


def test_settings_win_over_the_file_and_later_ones_over_earlier_ones(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text('precision = "int8"\n[runtime]\nthreads = 2\naffinity = "0"\n', encoding="utf-8")
    config = loaded("runtime.threads=3", "runtime.threads=4", path=file)
    assert config["runtime.threads"] == 4
    assert config["runtime.affinity"] == "0"
    assert config.precision == "int8"


@pytest.mark.parametrize(
    "setting",
    [
        'layers."layer1.0.conv1".precision=fp32',
        'layers."layer1.0.conv1".precision="fp32"',
        ' layers."layer1.0.conv1".precision = fp32 ',
        "layers.'layer1.0.conv1'.precision=fp32",
    ],
)
def test_layers_are_set_by_quoted_keys(setting):
    assert loaded("precision=int8", setting).layers == {"layer1.0.conv1": "fp32"}


def test_several_layers_and_a_file_with_layers_add_up(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text('precision = "int8"\n[layers."a.b"]\nprecision = "fp32"\n', encoding="utf-8")
    config = loaded('layers."c".precision=fp32', 'layers."a.b".precision=int8', path=file)
    assert config.layers == {"a.b": "int8", "c": "fp32"}


def test_a_layer_name_may_hold_an_equals_sign():
    assert loaded("precision=int8", 'layers."a=b".precision=fp32').layers == {"a=b": "fp32"}


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("runtime.threads=2", 2),
        ('runtime.threads="2"', 2),
        ("runtime.threads= 2 ", 2),
        ("runtime.threads=2.0", 2),
        ("runtime.threads=-1", -1),
        ("runtime.affinity=0-3,8", "0-3,8"),
        ("runtime.affinity=1", "1"),
        ("runtime.affinity=", ""),
        ("layout.channels_last=true", True),
        ("layout.channels_last=True", True),
        ("layout.channels_last=on", True),
        ("layout.channels_last=yes", True),
        ("layout.channels_last=1", True),
        ("layout.channels_last=0", False),
        ("layout.channels_last=off", False),
        ("graph.mode=frozen", "frozen"),
        ('graph.mode="frozen"', "frozen"),
    ],
)
def test_values_need_no_toml_quoting(setting, value):
    result = loaded(setting)[setting.partition("=")[0]]
    assert result == value
    assert type(result) is type(value)


def test_a_whole_number_serves_as_a_number_with_a_fraction():
    config = loaded("precision=int8", "calibration.decay=0")
    assert config["calibration.decay"] == 0.0
    assert isinstance(config["calibration.decay"], float)


# -- refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "suggested"),
    [
        ("runtime.thread", "runtime.threads"),
        ("threads", "runtime.threads"),
        ("precison", "precision"),
        ("graph.mod", "graph.mode"),
        ("calibration.sample", "calibration.samples"),
    ],
)
def test_an_unknown_key_names_the_nearest_one(key, suggested):
    error = refused(f"{key}=1")
    assert f"'{key}'" in error.what
    assert f"'{suggested}'" in str(error)


@pytest.mark.parametrize(
    ("setting", "parts"),
    [
        ("precision=int4", ("'int4'", "precision", "fp32, bf16, int8, int8-dynamic", "'int8'")),
        ("engine=trch", ("'trch'", "engine", "'torch'")),
        ("graph.mode=freeze", ("'freeze'", "graph.mode", "eager, frozen, optimized")),
        ("runtime.threads=1025", ("'1025'", "runtime.threads", "from -1 to 1024")),
        ("runtime.threads=-2", ("'-2'", "runtime.threads", "from -1 to 1024")),
        ("runtime.threads=two", ("'two'", "runtime.threads", "whole number")),
        ("runtime.threads=1.5", ("'1.5'", "runtime.threads", "whole number")),
        ("runtime.threads=true", ("'True'", "runtime.threads", "whole number")),
        ("runtime.threads=inf", ("'inf'", "runtime.threads", "whole number")),
        ("runtime.threads=[1]", ("[1]", "runtime.threads")),
        ("run.batch=0", ("'0'", "run.batch", "from 1 to 4096")),
        ("layout.channels_last=maybe", ("'maybe'", "layout.channels_last", "true or false")),
        ("layout.channels_last=2", ("'2'", "layout.channels_last", "true or false")),
        ("runtime.affinity=1.5", ("'1.5'", "runtime.affinity")),
    ],
)
def test_a_wrong_value_names_key_value_and_what_is_allowed(setting, parts):
    error = refused(setting)
    for part in parts:
        assert part in str(error)
    assert error.next_step


@pytest.mark.parametrize("value", ["nan", "1.0", "inf", "-0.1", "much"])
def test_a_decay_must_lie_below_one(value):
    error = refused("precision=int8", f"calibration.decay={value}")
    assert "calibration.decay" in error.what
    assert "from 0 to 0.999999" in error.why


@pytest.mark.parametrize("setting", ["precision", "", "=", "=int8", "a b c"])
def test_a_setting_without_key_or_equals_sign_is_refused_with_an_example(setting):
    error = refused(setting)
    assert "KEY=VALUE" in error.what or "not a valid key" in error.what
    assert "--set" in error.next_step


def test_a_key_that_is_no_toml_key_is_refused():
    assert "not a valid key" in refused("a..b=1").what


def test_a_table_where_a_value_belongs_is_refused():
    assert "no knob 'engine.name'" in refused("engine.name=torch").what
    assert "no knob 'runtime'" in refused("runtime=2").what


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        (['layers."c".precison=fp32'], ("layer 'c'", "precision")),
        (['layers."c"=fp32'], ("layer 'c'", "precision")),
        (["layers=fp32"], ("'layers' must be a table",)),
        (['layers."c".precision=int7'], ("'int7'", "layer 'c'", "'int8'")),
        (['layers."c".precision=int8-dynamic'], ("'int8-dynamic'", "layer 'c'")),
        (['fixes."t:out".max=nan'], ("'t:out'", "finite")),
        (['fixes."t:out"={min=0,max=-1}'], ("'t:out'", "min 0 must be below max -1")),
        (['fixes."t:out".maximum=1'], ("'t:out'", "min and max")),
        (['fixes."t:out".max=high'], ("'t:out'", "numbers")),
        (["preprocess=8"], ("'preprocess' must be a table",)),
    ],
)
def test_entries_per_layer_and_tensor_are_checked(settings, parts):
    error = refused("precision=int8", *settings)
    for part in parts:
        assert part in str(error)


def test_a_knob_of_another_engine_is_refused_with_the_reason():
    error = refused("engine=ipex", "runtime.onednn=true")
    assert "runtime.onednn" in error.what
    assert "engine 'ipex' does not have it (only torch)" in error.what


def test_a_knob_of_another_precision_is_refused_with_the_reason():
    error = refused("calibration.observer=minmax")
    assert "calibration.observer" in error.what
    assert "precision 'fp32' does not use it (only int8)" in error.what


@pytest.mark.parametrize(
    ("settings", "what", "next_step"),
    [
        ("engine=ipex graph.mode=optimized", "does not exist for engine ipex", "graph.mode=frozen"),
        ("engine=ipex precision=int8 graph.mode=eager", "needs graph.mode=frozen", "frozen"),
        ("engine=ipex precision=int8-dynamic", "no dynamic INT8", "engine=torch"),
        ("graph.grad=true graph.mode=frozen", "graph.grad=true only exists in graph.mode=eager", "graph.mode=eager"),
        ("precision=int8 runtime.onednn=false", "cannot run with runtime.onednn=false", "fbgemm"),
        ("precision=int8-dynamic runtime.onednn=false", "cannot run with runtime.onednn=false", "fbgemm"),
        ("runtime.affinity=0 runtime.numa_node=0", "both choose the CPUs", "one of them"),
        ('precision=fp32 layers."c".precision=fp32', "only under precision int8", "precision=int8"),
        ('precision=bf16 layers."c".precision=fp32', "out of BF16 is not possible", "precision=int8"),
        ('precision=int8 layers."c".precision=bf16', "A BF16 layer inside an INT8 model", "fp32"),
        ('precision=fp32 fixes."c:out".max=6', "only under precision int8", "[fixes]"),
    ],
)
def test_combinations_that_cannot_work_are_refused(settings, what, next_step):
    error = refused(*settings.split())
    assert what in error.what
    assert next_step in error.next_step


def test_combinations_beside_the_forbidden_ones_are_allowed():
    assert loaded("precision=int8", "runtime.onednn=false", "quantization.backend=fbgemm").precision == "int8"
    assert loaded("graph.grad=true")["graph.grad"] is True
    assert loaded("runtime.onednn=false", "precision=bf16")["runtime.onednn"] is False
    assert loaded("runtime.affinity=", "runtime.numa_node=0")["runtime.numa_node"] == 0


# -- files ------------------------------------------------------------------------------------------


def test_a_file_that_is_no_toml_is_named_with_the_place(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text("precision = int8\n", encoding="utf-8")
    error = refused(path=file)
    assert str(file) in error.what
    assert "line 1" in error.why


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    assert str(tmp_path / "none.toml") in refused(path=tmp_path / "none.toml").what
    assert str(tmp_path) in refused(path=tmp_path).what
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    assert "binary.toml" in refused(path=tmp_path / "binary.toml").what


def test_an_empty_file_is_the_default_config(tmp_path):
    (tmp_path / "c.toml").write_text("# nothing\n", encoding="utf-8")
    assert loaded(path=tmp_path / "c.toml") == Config()


# -- moving a config --------------------------------------------------------------------------------


def test_changed_leaves_behind_what_no_longer_applies():
    config = loaded("precision=int8", "calibration.observer=minmax", "quantization.backend=fbgemm", "runtime.threads=2")
    moved = config.changed({"precision": "fp32"})
    assert dict(moved.given) == {"precision": "fp32", "runtime.threads": 2}
    moved = config.changed({"engine": "ipex"})
    assert "quantization.backend" not in moved.given
    assert moved["calibration.observer"] == "minmax"
    assert moved["layout.channels_last"] is True


def test_changed_leaves_layers_behind_where_they_mean_nothing():
    config = loaded("precision=int8", 'layers."c".precision=fp32')
    assert config.changed({"engine": "ipex"}).layers == {"c": "fp32"}
    assert config.changed({"precision": "fp32"}).layers == {}
    assert config.changed({"precision": "bf16"}).layers == {}


def test_changed_refuses_a_change_that_does_not_apply():
    with pytest.raises(UserError, match=r"calibration\.observer"):
        Config().changed({"calibration.observer": "minmax"})


def test_changed_keeps_preprocessing_and_the_original():
    config = Config({"precision": "int8"}, preprocess={"size": 8})
    moved = config.changed({"precision": "fp32"})
    assert moved.preprocess == {"size": 8}
    assert config.precision == "int8"


# -- preprocessing ----------------------------------------------------------------------------------


def test_preprocessing_given_by_the_user_wins_key_by_key_over_the_sample():
    base = Preprocess(size=256, resize="shorter", crop=224, mean=(127.0,), std=(128.0,))
    merged = Config(preprocess={"crop": 200, "mean": [1, 2, 3]}).preprocessing(base)
    assert merged == Preprocess(size=256, resize="shorter", crop=200, mean=(1.0, 2.0, 3.0), std=(128.0,))


def test_without_any_preprocessing_the_sample_decides():
    base = Preprocess(size=8)
    assert Config().preprocessing(base) is base
    assert Config().preprocessing(None) is None
    assert Config(preprocess={"size": 8}).preprocessing(None) == base


@pytest.mark.parametrize("settings", [["preprocess.siez=8"], ["preprocess.size=big"], ["preprocess.std=[0]"]])
def test_preprocessing_that_is_not_valid_names_the_key(settings):
    with pytest.raises(UserError) as caught:
        loaded(*settings).preprocessing(None)
    key = settings[0].partition("=")[0].removeprefix("preprocess.")
    assert key in str(caught.value)


def test_preprocessing_is_set_from_the_command_line():
    config = loaded("preprocess.size=[8, 16]", "preprocess.mean=[0.5]", "preprocess.color=gray")
    assert config.preprocessing(None) == Preprocess(size=(8, 16), mean=(0.5,), color="gray")


def test_a_range_is_fixed_and_left_to_calibration_again():
    config = Config({"precision": "int8"}, fixes={"a:out": (0.0, 6.0)})
    fixed = config.with_fix("b:out", (None, 2.5))
    assert fixed.fixes == {"a:out": (0.0, 6.0), "b:out": (None, 2.5)}
    assert fixed.with_fix("a:out", (0.0, 3.0)).fixes["a:out"] == (0.0, 3.0)
    assert fixed.with_fix("b:out", None) == config
    with pytest.raises(UserError, match="below max"):
        config.with_fix("b:out", (2.0, 1.0))


def test_a_layer_is_pinned_and_left_to_the_engine_again():
    config = Config({"precision": "int8"})
    pinned = config.with_layer("conv1", "fp32")
    assert pinned.layers == {"conv1": "fp32"}
    assert pinned.with_layer("conv1", None) == config
    with pytest.raises(UserError, match="int7"):
        config.with_layer("conv1", "int7")
    assert pinned.with_fix("a:out", (0.0, 1.0)).without_fixes() == config


def test_settings_are_laid_over_a_config():
    config = Config({"precision": "int8"}, layers={"a": "fp32"}, preprocess={"width": 32})
    repaired = config.with_settings(
        ['fixes."b:out".max=3', 'layers."c".precision=fp32', "calibration.observer=percentile"]
    )
    assert repaired.fixes == {"b:out": (None, 3.0)}
    assert repaired.layers == {"a": "fp32", "c": "fp32"}
    assert repaired.given == {"precision": "int8", "calibration.observer": "percentile"}
    assert repaired.preprocess == {"width": 32}

"""Options that verbs share: each verb has them, and they come back as one value."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from workbench import cli, options
from workbench.options import Wanted

ABOUT_A_MODEL = {"model", "weights", "inputs", "trust_pickle", "env"}


@click.command()
@options.about_measuring
@click.option("--own")
def verb(wanted: Wanted, own: str | None) -> tuple[Wanted, str | None]:
    return wanted, own


def wanted(*arguments: str) -> tuple[Wanted, str | None]:
    return CliRunner().invoke(verb, arguments, standalone_mode=False, catch_exceptions=False).return_value


def test_what_was_not_said_has_its_default():
    nothing = Wanted(model="m.onnx", weights=None, inputs=(), trust_pickle=False, env="default")
    assert wanted("m.onnx") == (nothing, None)


def test_everything_that_was_said_arrives_beside_the_verbs_own_options():
    said, own = wanted(
        "net.py:build", "--weights", "w.pt", "--input", "a=1x4", "--input", "b=1x6", "--trust-pickle", "--env", "newer",
        "--set", "precision=int8", "--set", "runtime.threads=1", "--data", "d", "--calib", "c", "--labels", "l.csv",
        "--study", "s.sqlite", "--own", "x",
    )  # fmt: skip
    assert own == "x"
    assert said == Wanted(
        model="net.py:build", weights="w.pt", inputs=("a=1x4", "b=1x6"), trust_pickle=True, env="newer",
        settings=("precision=int8", "runtime.threads=1"), data=Path("d"), calib=Path("c"), labels=Path("l.csv"),
        study="s.sqlite",
    )  # fmt: skip


def test_own_settings_win_over_shared_ones_which_win_over_the_file(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text('precision = "bf16"\nengine = "ipex"\n[runtime]\nthreads = 1\n')
    said, _ = wanted("sample:digits-cnn", "--set", "precision=int8", "--set", "runtime.threads=2")
    config = said.config(said.subject(), file, ("precision=fp32",))
    assert (config.engine, config["precision"], config["runtime.threads"]) == ("ipex", "fp32", 2)


@pytest.mark.parametrize("name", ["measure", "compare", "ladder", "sweep", "inspect"])
def test_a_verb_that_takes_a_model_has_all_options_about_it(name):
    shared = {field.name for field in fields(Wanted)} if name != "inspect" else ABOUT_A_MODEL
    assert shared <= {parameter.name for parameter in cli.app.commands[name].params}

"""The one table of knobs: complete, consistent, and the only source of what is shown."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from workbench.core import knobs
from workbench.core.config import Config
from workbench.core.knobs import BY_KEY, ENGINES, KNOBS, PRECISIONS, Knob
from workbench.host.isa import LEVELS


def every(attribute: str):
    return pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: getattr(knob, attribute))


def test_keys_are_unique_and_found_by_their_name():
    assert len(BY_KEY) == len(KNOBS)
    assert all(BY_KEY[knob.key] is knob for knob in KNOBS)


@every("key")
def test_an_entry_is_complete(knob: Knob):
    assert re.fullmatch(r"[a-z_]+(\.[a-z_]+)?", knob.key)
    assert knob.help.endswith(".")
    assert "\n" not in knob.help
    assert knob.read_back, "nothing is believed that is not read back"
    assert knob.scope in ("process", "engine", "run")
    assert knob.engines
    assert set(knob.engines) <= set(ENGINES)
    assert knob.precisions
    assert set(knob.precisions) <= set(PRECISIONS)


@every("key")
def test_defaults_are_values_that_the_knob_takes(knob: Knob):
    assert set(knob.engine_defaults) <= set(knob.engines)
    for engine in knob.engines:
        value = knob.default_for(engine)
        assert type(value) is knob.kind
        assert not knob.choices or value in knob.choices
        if knob.minimum is not None:
            assert knob.minimum <= value <= knob.maximum


@every("key")
def test_a_number_has_both_bounds_and_text_has_choices_or_a_reader_of_its_own(knob: Knob):
    if knob.kind in (int, float):
        assert knob.minimum is not None
        assert knob.maximum is not None
    elif knob.kind is str and knob.key != "runtime.affinity":
        assert len(knob.choices) >= 2
        assert len(set(knob.choices)) == len(knob.choices)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_runs_with_nothing_but_its_name(engine):
    resolved = Config({"engine": engine}).resolved()
    assert resolved["engine"] == engine
    assert resolved["precision"] == "fp32"
    assert not any(key.startswith("calibration.") for key in resolved)


def test_targets_are_those_that_the_host_room_knows():
    assert BY_KEY["target_isa"].choices == ("host", *LEVELS)


def test_the_documented_table_names_every_knob_with_its_choices():
    text = knobs.markdown()
    for knob in KNOBS:
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{knob.key}` |")]
        assert knob.help in row
        assert all(str(choice) in row for choice in knob.choices)


def test_reading_the_table_loads_nothing_heavy():
    code = "import sys, workbench.core.knobs; print([m for m in ('numpy', 'torch', 'msgspec') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

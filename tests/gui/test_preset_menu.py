"""The menu of presets: what fits is marked, a choice is one step of undo, and the panel says what it did."""

from __future__ import annotations

import msgspec
import pytest

from workbench.core.presets import BY_NAME, PRESETS
from workbench.gui.knobs_panel import KnobsPanel
from workbench.host.engines import EngineStatus


@pytest.fixture
def panel(session, qtbot, this_host):
    cpu = msgspec.structs.replace(this_host.cpu, isa=("avx2",), int8_level="avx2")
    engines = (EngineStatus("torch", True, "2"), EngineStatus("onnxruntime", True, "1"))
    session.set_host(msgspec.structs.replace(this_host, cpu=cpu, default_threads=2, engines=engines))
    panel = KnobsPanel(session)
    qtbot.addWidget(panel)
    panel.turns.finish()
    return panel


def actions(panel):
    panel.presets._fill()
    return dict(zip((preset.name for preset in PRESETS), panel.presets.menu().actions(), strict=True))


def test_what_fits_is_marked_and_every_entry_says_why(panel):
    found = actions(panel)
    assert not found["few-cores"].icon().isNull() and not found["old-cpu"].icon().isNull()
    assert "does not fit here" in found["balanced-bf16"].text()
    assert "one thread per physical core" in found["few-cores"].toolTip()
    assert "4.7 with 2 threads" in found["few-cores"].toolTip() and "Precision int8" in found["few-cores"].toolTip()


def test_a_choice_is_one_step_of_undo_and_says_what_it_turned(panel, session):
    before = session.config
    actions(panel)["old-cpu"].trigger()
    assert session.config["quantization.range"] == "reduced" and session.config.precision == "int8"
    assert session.config.engine == "torch", "the engine stays where the preset is for it"
    said = panel.remark.text()
    assert "overflow 16 bits" in said and "Precision int8" in said and "Range reduced" in said
    session.set_knobs({"runtime.threads": 1})
    assert panel.remark.text() == ""
    session.undo.undo()
    session.undo.undo()
    assert session.config == before and panel.remark.text() == ""


def test_an_engine_that_is_missing_is_not_taken(panel, session):
    session.set_knobs({"engine": "onnxruntime"})
    actions(panel)["balanced-bf16"].trigger()
    assert (session.config.engine, session.config.precision) == ("torch", "bf16"), "there is no IPEX here"


def test_what_cannot_be_had_is_greyed_with_the_reason(panel, session):
    engines = (EngineStatus("onnxruntime", True, "1"),)
    session.set_host(msgspec.structs.replace(session.host, engines=engines))
    session.set_knobs({"engine": "onnxruntime"})
    action = actions(panel)["balanced-bf16"]
    assert not action.isEnabled() and "None of them can be used here" in action.toolTip()
    refused = []
    session.refused.connect(refused.append)
    panel.presets.apply(BY_NAME["balanced-bf16"])
    assert len(refused) == 1 and session.config.engine == "onnxruntime"

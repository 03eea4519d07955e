"""Fixes and pinned layers through the session: undoable, refused in words."""

from __future__ import annotations

from workbench.core.config import Config
from workbench.gui.session import Session


def int8_session() -> Session:
    session = Session()
    session.apply_config(Config({"precision": "int8"}))
    return session


def test_every_change_is_one_step_of_undo(qapp):
    session = int8_session()
    assert session.quantizer.fix("conv1:out", 0.0, 6.0)
    assert session.quantizer.pin("fc", "fp32")
    assert session.quantizer.repair(['fixes."conv2:out".max=3', 'layers."cat".precision=fp32'], "repair")
    assert session.config.fixes == {"conv1:out": (0.0, 6.0), "conv2:out": (None, 3.0)}
    assert session.config.layers == {"fc": "fp32", "cat": "fp32"}
    session.undo.undo()
    assert session.config.fixes == {"conv1:out": (0.0, 6.0)} and session.config.layers == {"fc": "fp32"}
    assert session.quantizer.release_all()
    assert not session.config.fixes and not session.config.layers
    for _ in range(3):
        session.undo.undo()
    assert session.config == Config({"precision": "int8"})
    session.undo.redo()
    assert session.config.fixes == {"conv1:out": (0.0, 6.0)}
    assert session.quantizer.release("conv1:out") and not session.config.fixes


def test_what_is_no_range_is_refused_and_changes_nothing(qapp):
    session, told = int8_session(), []
    session.refused.connect(told.append)
    assert not session.quantizer.fix("conv1:out", 2.0, 1.0)
    assert "below max" in str(told[0])
    assert not session.config.fixes and session.undo.count() == 0


def test_nothing_of_it_applies_to_fp32(qapp):
    session = int8_session()
    session.quantizer.fix("conv1:out", 0.0, 6.0)
    session.set_knobs({"precision": "fp32"})
    assert not session.config.fixes
    session.undo.undo()
    assert session.config.fixes == {"conv1:out": (0.0, 6.0)}

"""Repairs are tried once, compared with what was before, and can be undone."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest
from layer_trials import LayerScript, int8, layered, layered_session, show, zeros

from workbench.core.trial import FixState
from workbench.errors import UserError
from workbench.gui.session import Session


@pytest.fixture
def script():
    return LayerScript()


@pytest.fixture
def session(qapp, tmp_path, script):
    session = layered_session(tmp_path, script)
    show(session, session.trials[0], zeros("conv1", "conv2"))
    yield session
    session.shutdown()


def try_first(session, qtbot, **changes):
    """Try the first repair of the first finding and wait until it was measured."""
    finding = session.layers.table.findings[0]
    with qtbot.waitSignal(session.job_ended, timeout=10_000):
        assert session.repairs.try_out(session.layers.trial, [finding], finding.repairs[:1], "mend", **changes)
    return session.repairs.attempts[-1]


def test_a_repair_is_one_step_of_undo_and_is_measured(session, qtbot):
    before = session.trials[0]
    attempt = try_first(session, qtbot)
    assert session.config.layers == {"conv1": "fp32", "conv2": "fp32"} and session.undo.count() == 1
    assert (attempt.state, attempt.verdict) == ("measured", "better")
    assert attempt.before is before and attempt.after is session.selected is session.trials[-1]
    assert session.repairs.around(session.selected) == session.repairs.around(before) == [attempt]
    session.repairs.take_back(attempt)
    assert not session.config.layers and session.selected is before and attempt.state == "taken back"
    assert len(session.trials) == 2, "what was measured stays in the study"
    assert not session.repairs.can_take_back(attempt)


def test_what_did_not_help_says_so(session, qtbot, script):
    script.mended = {}
    assert try_first(session, qtbot).verdict == "same"
    script.mended = {"status": "failed", "reason": "no range", "accuracy": None}
    show(session, session.trials[0], zeros("conv1"))
    attempt = try_first(session, qtbot)
    assert attempt.verdict == "unknown" and attempt.after.reason == "no range"
    assert len(session.repairs.attempts) == 1, "a finding has one attempt at a time"


def test_other_changes_since_forbid_to_take_it_back(session, qtbot):
    attempt = try_first(session, qtbot)
    session.set_knobs({"runtime.threads": 1})
    assert not session.repairs.can_take_back(attempt)
    session.repairs.take_back(attempt)
    assert session.config["runtime.threads"] == 1 and session.config.layers
    session.undo.undo()
    assert session.repairs.can_take_back(attempt)


def test_what_is_no_knob_stays_when_it_is_taken_back(session, qtbot, tmp_path):
    attempt = try_first(session, qtbot)
    session.set_data(tmp_path)
    session.repairs.take_back(attempt)
    assert not session.config.layers and session.subject.data is not None


def test_the_trial_of_the_finding_is_what_the_repair_starts_from(session, qtbot):
    session.set_knobs({"runtime.threads": 1, "precision": "fp32"})
    attempt = try_first(session, qtbot)
    assert session.config["runtime.threads"] == 0 and session.config.precision == "int8"
    session.repairs.take_back(attempt)
    assert session.config["runtime.threads"] == 1 and session.config.precision == "fp32"


def test_what_the_config_has_already_is_measured_but_not_undone(session, qtbot):
    session.quantizer.repair(session.layers.table.findings[0].repairs[0].settings, "by hand")
    show(session, layered(session.config), zeros("conv1"))
    attempt = try_first(session, qtbot)
    assert session.undo.count() == 1 and attempt.state == "measured"
    assert not session.repairs.can_take_back(attempt)


def test_fixes_are_taken_back_by_a_repair(session, qtbot):
    session.quantizer.fix("relu1:out", 0.0, 1.0)
    fixes = [FixState(tensor="relu1:out", state="not quantized by this engine")]
    show(session, layered(session.config, fixes=fixes))
    attempt = try_first(session, qtbot)
    assert attempt.findings[0].kind == "fix-idle" and not session.config.fixes
    session.repairs.take_back(attempt)
    assert session.config.fixes == {"relu1:out": (0.0, 1.0)}


def test_a_refused_config_is_no_attempt(session):
    told = []
    session.refused.connect(told.append)
    finding = session.layers.table.findings[0]
    wrong = msgspec.structs.replace(finding.repairs[0], settings=["calibration.observer=none"])
    assert not session.repairs.try_out(session.trials[0], [finding], [wrong], "mend")
    assert isinstance(told[0], UserError) and session.repairs.attempts == [] and session.job is None
    session.subject = None
    assert not session.repairs.try_out(session.trials[0], [finding], finding.repairs[:1], "mend")


def test_an_attempt_that_is_stopped_keeps_what_was_measured(session, qtbot, script):
    script.endless = True
    taken = []
    session.job_started.connect(lambda job: job.burst.connect(taken.append))
    finding = session.layers.table.findings[0]
    session.repairs.try_out(session.trials[0], [finding], finding.repairs[:1], "mend")
    (attempt,) = session.repairs.attempts
    assert attempt.state == "measuring" and session.repairs.busy()
    qtbot.waitUntil(lambda: bool(taken), timeout=10_000)
    with qtbot.waitSignal(session.job_ended, timeout=10_000):
        session.stop()
    assert attempt.after.reason == "cancelled" and not session.repairs.busy()


def test_a_job_of_another_config_is_not_the_attempts(session, qtbot, script):
    script.endless = True
    session.run_once()
    finding = session.layers.table.findings[0]
    session.repairs.try_out(session.trials[0], [finding], finding.repairs[:1], "mend")
    (attempt,) = session.repairs.attempts
    session.apply_config(int8())  # before the first job has ended and this one could begin
    script.endless = False
    qtbot.waitUntil(lambda: session.job is None, timeout=10_000)
    assert attempt.state == "not measured" and attempt.after is None


def test_another_study_forgets_them(session, qtbot, tmp_path):
    try_first(session, qtbot)
    assert session.open_study(str(tmp_path / "other.sqlite"))
    assert session.repairs.attempts == []


def test_layers_are_looked_into_again_where_they_were_before(session, qtbot, monkeypatch):
    asked = []
    monkeypatch.setattr(session, "look_into_layers", lambda: asked.append("deep"))
    monkeypatch.setattr(session, "run_once", lambda: asked.append("plain"))
    finding = session.layers.table.findings[0]
    for before in (session.trials[0], layered(errors=False)):
        session.repairs.try_out(before, [finding], finding.repairs[:1], "mend")
    assert asked == ["deep", "plain"]


@pytest.mark.engine
@pytest.mark.usefixtures("nothing_left", "data_dir")
def test_a_network_with_broken_scales_is_mended_by_what_is_offered(qapp, qtbot, needs_engine):
    needs_engine("torch")
    session = Session()
    session.job_started.connect(lambda job: job.burst.connect(lambda _: job.painted()))
    try:
        assert session.open_model("sample:broken-scales")
        data = session.subject.data
        session.subject = dataclasses.replace(
            session.subject, data=msgspec.structs.replace(data, evaluation=data.evaluation[:60])
        )
        session.set_knobs({"engine": "torch", "precision": "int8", "runtime.threads": 1})
        with qtbot.waitSignals([session.job_ended, session.layers.changed], timeout=120_000):
            session.run_once(10)
        broken = session.selected
        assert broken.accuracy.failures and broken.accuracy.top1_agreement < 0.5
        chosen = [one for one in session.layers.table.findings if one.kind in ("only-zeros", "outliers")]
        assert {"relu_night:out", "energy.pow:out"} <= {one.where for one in chosen}
        with qtbot.waitSignal(session.job_ended, timeout=120_000):
            assert session.repairs.try_out(broken, chosen, [one.repairs[0] for one in chosen], "mend")
        (attempt,) = session.repairs.attempts
        assert (attempt.after.status, attempt.verdict) == ("ok", "better")
        assert attempt.after.accuracy.top1_agreement > 0.95 and not attempt.after.accuracy.failures
        session.repairs.take_back(attempt)
        assert session.selected is broken and not session.config.layers and not session.config.fixes
    finally:
        session.shutdown()

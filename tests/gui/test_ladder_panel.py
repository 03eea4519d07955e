"""The ladder panel: rungs appear as they are climbed, stay in the study, and lead to their trials."""

from __future__ import annotations

import pytest
from fake_engine import MODULES, model
from fake_trials import FakeRunnerScript, accuracy_of, bursts_of, failed, proof
from PySide6.QtCore import QRect, Qt

from workbench.core.config import Config
from workbench.errors import UserError
from workbench.gui import tasks
from workbench.gui.ladder_model import BAR, BAR_ROLE, CLASS, COSINE, GAIN, INT8, NAME, P50, LadderModel
from workbench.gui.ladder_panel import LadderPanel
from workbench.gui.ladder_table import Scale, ticks
from workbench.gui.main_window import MainWindow
from workbench.gui.session import Session
from workbench.study.ladder import ONNX_RUNGS, RUNGS, ladders
from workbench.study.runner import Runner, Subject

SOME = [rung for rung in RUNGS if rung.name in ("naive", "oneDNN", "IPEX", "INT8, PyTorch")]


@pytest.fixture
def script():
    """FP32 without oneDNN takes 16 ms, with it 4; no IPEX; INT8 is invalid."""
    script = FakeRunnerScript()

    def prepare(config):
        script.changes = {"accuracy": accuracy_of(["a", "b"]), "proof": proof(40, 50)}
        if config.engine == "ipex":
            raise UserError("No IPEX here.", "It is not installed.", "Install it.")
        if config.precision == "int8":
            script.changes |= {"status": "invalid", "reason": "no INT8 kernel ran"}
        return bursts_of(6, median_ms=4.0 if config.flag("runtime.onednn") else 16.0)

    script.prepare = prepare
    return script


@pytest.fixture
def session(study):
    session = study()
    session.job_started.connect(lambda job: job.burst.connect(lambda _: job.painted()))
    yield session
    session.shutdown()
    assert tasks.wait(5000)


@pytest.fixture
def panel(session, show):
    return show(LadderPanel(session), 650, 420)


def climb(qtbot, session, rungs=SOME):
    with qtbot.waitSignal(session.job_ended, timeout=10_000):
        session.climb(rungs)


def column(panel, section):
    return [panel.model.index(row, section).data() for row in range(panel.model.rowCount())]


def bars(panel):
    return [panel.model.index(row, BAR).data(BAR_ROLE) for row in range(panel.model.rowCount())]


def test_what_to_do_where_there_is_no_ladder(panel, session) -> None:
    assert "has not been climbed yet" in panel._empty.text() and "few minutes" in panel._empty.text()
    assert panel.climb.isEnabled() and panel.choice.isHidden() and not panel.open.isEnabled()
    session.subject = None
    session.subject_changed.emit()
    assert "No model yet" in panel._empty.text() and not panel.climb.isEnabled()


@pytest.mark.parametrize("slower", [False, True])
def test_a_whole_ladder_ends_where_it_began_and_tells_how_the_machine_has_drifted(
    panel, session, qtbot, monkeypatch, script, slower
) -> None:
    monkeypatch.setattr("workbench.study.ladder.RUNGS", tuple(SOME[:2]))
    assert panel.drift.isHidden()
    climb(qtbot, session, SOME[:2])
    assert panel.drift.isHidden() and "◇" not in panel._legend.text(), "only a whole ladder is held against its start"
    parts, prepared, prepare = [], [], script.prepare

    def tiring(config):
        prepared.append(config)
        return bursts_of(6, median_ms=32.0) if slower and len(prepared) == 3 else prepare(config)

    script.prepare = tiring
    session.job_started.connect(lambda job: job.began.connect(lambda _, part: parts.append(part)))
    climb(qtbot, session, None)
    assert parts[-1] == "the first rung again"
    assert column(panel, NAME) == ["naive", "oneDNN"], "the repeated rung is none of them"
    drift = session.climbs.ladder.drift
    assert panel.drift.text() == drift.text and drift.drifted == slower and not panel.drift.isHidden()
    assert [bar.again for bar in bars(panel)] == [pytest.approx(0.5 if slower else 1.0, rel=0.05), None]
    assert (panel.model.ends[0] < 0.6) == slower, "the mark lies on the scale"
    assert "◇" in panel._legend.text() and not panel.grab().isNull()
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.DisplayRole):
        texts = [panel.model.index(row, BAR).data(role) for row in (0, 1)]
        assert drift.text in texts[0] and drift.text not in texts[1]
    assert session.trials[-1].id == drift.trial and session.trials[-1].config == session.trials[0].config
    session.open_study(session.store.place)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 2)
    assert panel.drift.text() == drift.text
    session.climbs.choose(0)
    assert panel.drift.isHidden()


def test_each_rung_shows_what_it_bought(panel, session, qtbot) -> None:
    climb(qtbot, session)
    assert column(panel, NAME) == ["naive", "oneDNN", "IPEX", "INT8, PyTorch"]
    assert column(panel, GAIN) == ["–", "4.00× ▲", "–", "–"]
    assert column(panel, P50)[1].startswith("4.") or column(panel, P50)[1].startswith("3.9")
    assert column(panel, CLASS) == ["50%", "50%", "–", "–"] and column(panel, COSINE)[2] == "–"
    assert column(panel, INT8)[:2] == ["40/50"] * 2
    first, second, skipped, broken = bars(panel)
    assert (first.start, first.end, first.low) == (1.0, 1.0, None)
    assert second.end == pytest.approx(4.0) and second.low < second.end < second.high and second.start == 1.0
    assert skipped.text == "skipped: No IPEX here. It is not installed." and broken.text == "failed: no INT8 kernel ran"
    assert panel.summary.text().startswith("Fastest: oneDNN, ") and "cosine" in panel.summary.text()
    tip = panel.model.index(1, NAME).data(Qt.ItemDataRole.ToolTipRole)
    assert "95 % interval" in tip and "runtime.onednn = true" in tip
    assert panel.model.index(2, BAR).data() == skipped.text
    assert not panel.grab().isNull()


def test_it_grows_while_it_is_climbed(panel, session, qtbot) -> None:
    seen = []
    session.climbs.changed.connect(lambda: seen.append((panel.model.rowCount(), session.climbs.rung)))
    with qtbot.waitSignal(session.job_ended):
        panel.climb.click()
        assert panel.climb.text() == "Stop" and session.climbs.is_growing()
        qtbot.waitUntil(lambda: session.climbs.rung == "oneDNN")
        assert bars(panel)[-1].text == "measuring …"
    names = [rung.name for rung in RUNGS]
    assert column(panel, NAME) == names and panel.climb.text() == "Climb the ladder"
    assert [rung for _, rung in seen if rung] == names
    assert [rows for rows, _ in seen] == sorted(rows for rows, _ in seen)


def test_stopping_keeps_the_rungs_that_are_there(panel, session, qtbot, script) -> None:
    prepare = script.prepare

    def endless(config):
        script.endless = config.flag("runtime.onednn")
        return prepare(config)

    script.prepare = endless
    session.climb(SOME)
    qtbot.waitUntil(lambda: script.endless)
    with qtbot.waitSignal(session.job_ended, timeout=3000):
        panel.climb.click()
    assert column(panel, NAME) == ["naive"]
    assert [step.name for step in ladders(session.store)[0].steps] == ["naive"]
    assert [each.status for each in session.trials] == ["ok", "failed"]


def test_a_ladder_that_was_stopped_on_its_first_rung_is_none(panel, session, qtbot, script) -> None:
    script.endless = True
    session.climb(SOME)
    qtbot.waitUntil(lambda: session.climbs.rung != "")
    with qtbot.waitSignal(session.job_ended, timeout=3000):
        session.stop()
    assert session.climbs.ladders == [] and panel._pages.currentIndex() == 0


def test_stored_ladders_come_back_with_the_study(panel, session, qtbot) -> None:
    climb(qtbot, session)
    climb(qtbot, session, SOME[:2])
    assert panel.choice.count() == 2 and not panel.choice.isHidden()
    place, steps = session.store.place, [ladder.steps for ladder in session.climbs.ladders]
    session.open_study(place)
    assert panel.model.rowCount() == 0
    qtbot.waitUntil(lambda: panel.model.rowCount() == 2)
    assert [ladder.steps for ladder in session.climbs.ladders] == steps
    panel.choice.setFocus()
    qtbot.keyClick(panel.choice, Qt.Key.Key_Up)
    assert panel.model.rowCount() == 4 and session.climbs.shown == 0


def test_a_rung_leads_to_its_trial(panel, session, qtbot) -> None:
    climb(qtbot, session)
    wanted = []
    session.panel_wanted.connect(wanted.append)
    panel.table.setFocus()
    panel.table.selectRow(0)
    assert session.selected is session.climbs.ladder.steps[0].trial and wanted == []
    qtbot.keyClick(panel.table, Qt.Key.Key_Down)
    assert session.selected.id == 2
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert wanted == ["latency"]
    qtbot.keyClick(panel.table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert session.config["runtime.onednn"] is True and session.config["graph.grad"] is True
    session.undo.undo()
    assert session.config == Config()
    panel.pin_a.trigger()
    assert session.pins.a is session.selected
    qtbot.keyClick(panel.table, Qt.Key.Key_Down)
    assert not panel.open.isEnabled() and session.selected.id == 2, "a rung that was skipped has no trial"
    session.select(session.trials[0])
    assert panel.chosen() is session.trials[0]
    session.select(failed(id=99))
    assert panel.chosen() is None


def test_rows_are_a_sound_model(panel, session, qtbot, qtmodeltester) -> None:
    model = LadderModel(session)
    qtmodeltester.check(model)
    climb(qtbot, session)
    model.follow()
    qtmodeltester.check(model)
    assert [model.headerData(section, Qt.Orientation.Horizontal) for section in (NAME, P50)] == ["rung", "p50 ms"]


def test_equal_factors_are_equally_long() -> None:
    scale = Scale((0.5, 32.0), QRect(10, 0, 200, 20), 40)
    assert scale.x(2.0) - scale.x(1.0) == pytest.approx(scale.x(16.0) - scale.x(8.0))
    assert 10 < scale.x(0.5) < scale.x(32.0) < 210 - 40
    assert ticks((0.5, 32.0)) == [0.5, 1, 2, 5, 10, 20] and ticks((1.0, 1.0)) == [1]
    assert Scale((1.0, 1.0), QRect(0, 0, 5, 5), 40).x(1.0) == 8


@pytest.mark.usefixtures("nothing_left")
def test_a_real_ladder_and_closing_in_the_middle_of_one(qtbot, settings, tmp_path, this_host) -> None:
    session = Session(runner_factory=lambda store: Runner(store, modules=MODULES, host=this_host))
    window = MainWindow(session, settings)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    assert session.open_study(str(tmp_path / "study.sqlite"))
    session.subject = Subject(model("sleep=0.002@run", format="onnx"))
    session.subject_changed.emit()
    with qtbot.waitSignal(session.job_ended, timeout=60_000):
        session.climb(ONNX_RUNGS[:2])
    assert [each.reason for each in session.trials if each.status != "ok"] == []
    panel = window.panels["ladder"]
    assert window.tabs.currentWidget() is panel and column(panel, NAME) == ["naive", "graph optimization"]
    assert bars(panel)[1].end == pytest.approx(1.0, rel=0.5)
    bursts = []
    session.job_started.connect(lambda job: job.burst.connect(bursts.append))
    window.acts.climb.trigger()
    qtbot.waitUntil(lambda: bool(bursts), timeout=30_000)
    job = session.job
    window.close()
    assert job.isFinished()
    assert tasks.wait(5000)

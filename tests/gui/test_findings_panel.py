"""The findings dock: worst first, a button per repair, what came of it, and a calm face when all is well."""

from __future__ import annotations

import pytest
from fake_trials import failed, trial
from layer_trials import ITEMS, LayerScript, chain, layered, layered_session, show, zeros
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.core.config import Config
from workbench.core.findings import KINDS
from workbench.core.trial import WeightFacts
from workbench.gui import finding_words
from workbench.gui.findings_panel import FindingsPanel
from workbench.gui.flow_layout import FlowLayout


@pytest.fixture
def script():
    return LayerScript()


@pytest.fixture
def session(qapp, tmp_path, script):
    session = layered_session(tmp_path, script)
    yield session
    session.shutdown()


@pytest.fixture
def panel(session, qtbot):
    panel = FindingsPanel(session)
    qtbot.addWidget(panel)
    panel.resize(300, 640)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def click(qtbot, widget):
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_without_anything_to_find(panel, session):
    assert "Nothing looked at yet" in panel.empty.text()
    session.select(failed(id=2))
    assert "Trial 2 did not get as far as its layers" in panel.empty.text()
    show(session, session.trials[0], zeros())
    assert panel.empty.text().startswith("Nothing found: 9 layers and 4 ranges look well.")
    assert "not kept any more" in panel.empty.text()
    show(session, trial(Config(), layers=chain()))
    assert panel.empty.text() == "Nothing found: FP32 has no scales that could be wrong."
    session.select(failed(id=3))
    assert "Trial 3 did not get as far as its layers" in panel.empty.text() and "signal 11" in panel.empty.text()


def test_kinds_worst_first_with_counts_and_reasons(panel, session):
    weights = [WeightFacts(layer="fc", low=[0.0, 0.0], high=[0.0, 1.0], dead=[0], overflow=1)]
    show(session, layered(weights=weights), zeros("conv1", "conv2"))
    assert list(panel.groups) == ["only-zeros", "saturation", "dead-channels"]
    assert [group.hint() for group in panel.groups.values()] == ["2", "1", "1"]
    assert panel._counts.text() == "2 serious · 1 to look at · 1 for information"
    assert panel.windowTitle() == "Findings (3)"
    zero = panel.groups["only-zeros"]
    assert zero.is_open() and zero.fix_all.text() == "Fix all 2"
    assert [card.finding.where for card in zero.cards] == ["relu1:out", "relu2:out"]
    assert zero.cards[0].what.text() == "only zeros were seen: any other value is lost"
    assert [button.text() for button in zero.cards[0].buttons] == ["Keep in FP32"]
    assert 'layers."conv1".precision=fp32' in zero.cards[0].buttons[0].toolTip()
    assert panel.groups["dead-channels"].fix_all is None and not panel.groups["dead-channels"].cards[0].buttons


def test_cards_are_made_when_they_are_wanted(panel, session, qtbot):
    names = [f"conv{n}" for n in range(1, 13)]
    weights = [WeightFacts(layer=name, low=[0.0], high=[0.0], dead=[0]) for name in names]
    show(session, layered(layers=chain(12), weights=weights), zeros(*names))
    zero, dead = panel.groups["only-zeros"], panel.groups["dead-channels"]
    assert len(zero.cards) == 5 and zero._more.text() == "Show 5 more"
    assert not dead.is_open() and not dead.cards
    click(qtbot, zero._more)
    click(qtbot, zero._more)
    assert len(zero.cards) == 12 and zero._more.isHidden()
    click(qtbot, dead._header)
    assert len(dead.cards) == 5
    show(session, layered(layers=chain(12), weights=weights), zeros(*names))
    assert panel.groups["dead-channels"].is_open(), "stays as a person left it"


def test_a_click_on_a_card_selects_its_layer_and_a_selected_layer_marks_its_cards(panel, session, qtbot):
    show(session, session.trials[0], zeros("conv1", "conv2"))
    first, second = panel.groups["only-zeros"].cards
    click(qtbot, second)
    assert session.layers.selected_layer == "conv2" and second.is_marked() and not first.is_marked()
    session.layers.select("conv1")
    assert first.is_marked() and not second.is_marked()
    qtbot.keyClick(second, Qt.Key.Key_Return)
    assert session.layers.selected_layer == "conv2"


def test_a_repair_is_measured_and_shown_beside_its_finding(panel, session, qtbot):
    show(session, session.trials[0], zeros("conv1"))
    with qtbot.waitSignal(session.job_ended, timeout=10_000):
        click(qtbot, panel.groups["only-zeros"].cards[0].buttons[0])
        assert not panel.groups["only-zeros"].cards[0].buttons[0].isEnabled(), "one thing at a time"
        assert "Measuring" in panel.groups["only-zeros"].cards[0].outcome.text()
    assert session.undo.undoText() == "Keep in FP32: relu1:out"
    show(session, session.trials[-1])
    (card,) = panel.groups["only-zeros"].cards
    assert card.what.text() == "no longer found" and panel.groups["only-zeros"].hint() == "0"
    lines = card.outcome.text().splitlines()
    assert lines[0] == "Better" and lines[2] == "same class 30.0% → 100.0%" and lines[3].startswith("p50 ")
    assert lines[1].startswith("cosine 0.") and lines[1].endswith("→ 1.0000")
    assert panel._counts.text() == "Nothing found any more." and panel.windowTitle() == "Findings"
    click(qtbot, card.outcome.undo)
    assert not session.config.layers and session.selected is session.trials[0]


def test_all_of_a_kind_are_mended_in_one_step(panel, session, qtbot, script):
    script.mended = {}
    show(session, session.trials[0], zeros("conv1", "conv3"))
    with qtbot.waitSignal(session.job_ended, timeout=10_000):
        click(qtbot, panel.groups["only-zeros"].fix_all)
    assert session.undo.count() == 1 and set(session.config.layers) == {"conv1", "conv2", "conv3", "conv4"}
    assert session.undo.undoText() == "Keep in FP32: 2 of “Only zeros were seen”"
    show(session, session.trials[-1], zeros("conv1"))
    group = panel.groups["only-zeros"]
    assert group.hint() == "1" and len(group.outcomes) == 1
    assert group.outcomes[0].text().startswith("No difference in accuracy") and not group.outcomes[0].undo.isHidden()
    session.undo.undo()
    assert group.outcomes[0].undo.isHidden(), "undone by other means"


def test_a_repair_that_makes_the_trial_fail_can_be_undone_where_it_was_made(panel, session, qtbot, script):
    script.mended = {"status": "failed", "reason": "no range is known", "accuracy": None, "layers": []}
    show(session, session.trials[0], zeros("conv1"))
    with qtbot.waitSignal(session.job_ended, timeout=10_000):
        click(qtbot, panel.groups["only-zeros"].cards[0].buttons[0])
    (card,) = panel.groups["only-zeros"].cards
    assert panel._counts.text() == "failed: no range is known" and card.what.text() == "not looked at again"
    assert card.outcome.text() == "failed: no range is known"
    click(qtbot, card.outcome.undo)
    assert session.selected is session.trials[0] and not session.config.layers


def test_behind_another_tab_only_the_number_is_kept_up_to_date(panel, session):
    panel.hide()
    show(session, session.trials[0], zeros("conv1", "conv2"))
    assert panel.windowTitle() == "Findings (2)" and not panel.groups
    panel.show()
    assert len(panel.groups["only-zeros"].cards) == 2


def test_without_a_model_nothing_can_be_tried(panel, session):
    show(session, session.trials[0], zeros("conv1"))
    assert panel.groups["only-zeros"].cards[0].buttons[0].isEnabled()
    session.subject = None
    session.subject_changed.emit()
    assert not panel.groups["only-zeros"].cards[0].buttons[0].isEnabled()


def test_what_was_not_looked_into_can_be(panel, session, qtbot):
    show(session, session.trials[0])
    assert panel.look.isHidden()
    show(session, layered(errors=False))
    assert panel.look.isVisible() and "were not looked into" in panel._unseen.text()
    with qtbot.waitSignal(session.job_started) as started:
        click(qtbot, panel.look)
    assert started.args[0].config == session.config
    qtbot.waitUntil(lambda: session.job is None, timeout=10_000)


def test_outcomes_in_words(session, qtbot, script):
    show(session, session.trials[0], zeros("conv1"))
    finding = session.layers.table.findings[0]
    script.mended = {"status": "invalid", "reason": "the fix was refused", "accuracy": None}
    with qtbot.waitSignal(session.job_ended, timeout=10_000):
        session.repairs.try_out(session.trials[0], [finding], finding.repairs[:1], "x")
    attempt = session.repairs.attempts[0]
    assert finding_words.outcome(attempt) == ("invalid: the fix was refused", "error")
    attempt.after = layered(accuracy=None)
    assert finding_words.outcome(attempt)[0] == "No data to compare outputs on"
    assert finding_words.figures(layered(accuracy=None), attempt.after).startswith("p50 ")
    attempt.after, attempt.state = None, "not measured"
    assert finding_words.outcome(attempt)[0].startswith("Not measured")
    assert len(ITEMS) == 10


def test_every_kind_has_a_title_and_every_repair_a_button(session):
    assert all(finding_words.title(kind) and finding_words.why(kind) for kind in KINDS)


def test_buttons_flow_into_further_lines(qtbot):
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = FlowLayout(holder, spacing=4)
    for _ in range(3):
        box = QWidget()
        box.setFixedSize(100, 20)
        flow.addWidget(box)
    assert (flow.heightForWidth(320), flow.heightForWidth(220), flow.heightForWidth(110)) == (20, 44, 68)
    holder.resize(220, 60)
    holder.show()
    places = [flow.itemAt(n).geometry().topLeft().toTuple() for n in range(flow.count())]
    assert places == [(0, 0), (104, 0), (0, 24)]
    assert flow.itemAt(3) is None and flow.takeAt(3) is None

"""The form made from the knob table: what it offers, greys, marks and resets."""

from __future__ import annotations

import msgspec
import pytest
from fake_trials import turn
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox

from workbench.core.config import Config
from workbench.core.knobs import BY_KEY, KNOBS
from workbench.gui.knob_words import groups, special_values, title
from workbench.gui.knobs_panel import KnobsPanel
from workbench.gui.segmented import Segmented
from workbench.host.engines import EngineStatus
from workbench.host.machine import describe_host


@pytest.fixture
def panel(session, show):
    panel = show(KnobsPanel(session), 300, 600)
    assert len(panel.rows) == len(KNOBS)
    turn()
    return panel


def widget(panel, key):
    return panel.rows[key].editor.widget


def test_every_knob_of_the_table_has_a_row_in_its_group(panel):
    assert set(panel.rows) == {knob.key for knob in KNOBS}
    assert next(iter(groups())) == "engine"
    assert [knob.key for knob in groups()["engine"]] == ["engine", "precision"]
    assert "target_isa" in [knob.key for knob in groups()["quantization"]]


def test_rows_are_made_a_group_at_a_time(qtbot, session):
    panel = KnobsPanel(session)
    qtbot.addWidget(panel)
    session.set_knobs({"runtime.threads": 2})  # comes before there are rows
    counts = [len(panel._rows)]
    while len(panel._rows) < len(KNOBS):
        QCoreApplication.processEvents()
        counts.append(len(panel._rows))
    assert counts[0] == 0 and len(set(counts)) > len(groups()) // 2
    turn()
    assert widget(panel, "runtime.threads").value() == 2 and panel.reset_all.isEnabled()


def test_editors_fit_the_kinds_of_values(panel):
    assert isinstance(widget(panel, "engine"), Segmented)
    assert isinstance(widget(panel, "graph.mode"), QComboBox)
    assert isinstance(widget(panel, "layout.channels_last"), QCheckBox)
    assert isinstance(widget(panel, "calibration.decay"), QDoubleSpinBox)
    assert isinstance(widget(panel, "runtime.threads"), QSpinBox)
    assert isinstance(widget(panel, "runtime.affinity"), QLineEdit)
    assert widget(panel, "calibration.samples").text() == "100 samples"
    assert widget(panel, "calibration.decay").text() == "0.999"


def test_special_numbers_are_words_and_every_word_is_a_value_of_its_knob(panel):
    for key, value in special_values():
        Config.from_dict({key.partition(".")[0]: {key.partition(".")[2]: value}})
        assert type(value) is BY_KEY[key].kind
    assert widget(panel, "runtime.threads").text() == "auto"
    assert widget(panel, "runtime.numa_node").text() == "any"


def test_a_special_word_can_be_typed(panel, session, qtbot):
    session.set_knobs({"runtime.threads": 4})
    box = widget(panel, "runtime.threads")
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "auto")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert session.config["runtime.threads"] == 0


@pytest.mark.parametrize(("key", "expected"), [("layout.channels_last", True), ("graph.fold_padding", True)])
def test_a_click_turns_a_switch_undoably(panel, session, key, expected):
    widget(panel, key).click()
    assert session.config[key] is expected
    session.undo.undo()
    assert session.config[key] is not expected
    assert widget(panel, key).isChecked() is not expected


def test_segments_numbers_and_lists_turn_their_knobs(panel, session):
    widget(panel, "precision").button("int8").click()
    widget(panel, "calibration.samples").setValue(32)
    box = widget(panel, "quantization.range")
    box.setCurrentIndex(box.findText("full"))
    box.activated.emit(box.currentIndex())
    assert session.config.given == {"precision": "int8", "calibration.samples": 32, "quantization.range": "full"}


def test_following_the_session_tells_nobody(panel, session, qtbot):
    seen = []
    for row in panel.rows.values():
        row.turned.connect(lambda key, value: seen.append(key))
    session.set_config(
        Config({"engine": "onnxruntime", "precision": "int8", "runtime.threads": 2, "runtime.affinity": "0"}), "x"
    )
    assert seen == []
    assert widget(panel, "engine").value() == "onnxruntime"
    assert widget(panel, "runtime.affinity").text() == "0"
    assert widget(panel, "calibration.observer").currentText() == "minmax"


def test_a_knob_that_does_not_apply_is_greyed_with_the_reason(panel, session):
    for knob in KNOBS:
        reason = session.config.applies(knob)
        row = panel.rows[knob.key]
        assert row.label.isEnabled() == (not reason)
        if reason:
            assert not row.editor.widget.isEnabled()
            assert reason.split("(")[0].replace("'", "&#x27;").strip()[1:] in row.label.toolTip()
        assert knob.key in row.label.toolTip()
        assert knob.read_back in row.label.toolTip()


def test_knobs_of_the_process_are_marked(panel):
    for knob in KNOBS:
        mark = panel.rows[knob.key].mark
        assert (mark is not None) == (knob.scope == "process")
        if mark is not None:
            assert mark.toolTip() == "Needs a fresh process"


def test_what_differs_is_bold_and_can_go_back(panel, session):
    row = panel.rows["runtime.threads"]
    assert not row.label.is_bold()
    assert row.back.isHidden()
    session.set_knobs({"runtime.threads": 4})
    assert row.label.is_bold()
    assert not row.back.isHidden()
    assert row.back.toolTip() == "Back to auto"
    assert panel.sections["runtime"].hint() == "1 changed"
    row.back.click()
    assert "runtime.threads" not in session.config.given
    assert not row.label.is_bold()


def test_resetting_lets_the_next_engines_default_follow(panel, session):
    session.set_knobs({"graph.mode": "frozen"})
    panel.rows["graph.mode"].back.click()
    session.set_knobs({"engine": "ipex"})
    assert not panel.rows["graph.mode"].label.is_bold(), "frozen is the default of ipex"
    session.set_knobs({"engine": "torch"})
    assert session.config["graph.mode"] == "eager"


def test_resetting_the_precision_leaves_dependent_knobs_behind(panel, session):
    session.set_knobs({"precision": "int8", "calibration.samples": 8})
    panel.rows["precision"].back.click()
    assert session.config.precision == "fp32"
    assert "calibration.samples" not in session.config.given


def test_reset_all_is_one_step(panel, session):
    session.set_knobs({"engine": "ipex"})
    session.set_knobs({"runtime.threads": 2})
    panel.reset_all.click()
    assert session.config == Config()
    assert not panel.reset_all.isEnabled()
    session.undo.undo()
    assert session.config["runtime.threads"] == 2


def test_choices_that_cannot_be_combined_are_greyed_with_the_reason(panel, session):
    session.set_knobs({"engine": "ipex", "precision": "int8"})
    panel.judge_choices()
    model = widget(panel, "graph.mode").model()
    states = {model.item(place).text(): model.item(place) for place in range(model.rowCount())}
    assert states["frozen"].isEnabled()
    assert not states["optimized"].isEnabled()
    assert "frozen" in states["optimized"].toolTip()
    dynamic = widget(panel, "precision").button("int8-dynamic")
    assert not dynamic.isEnabled()
    assert "ipex" in dynamic.toolTip()


def test_a_switch_that_cannot_be_set_is_greyed_with_the_reason(panel, session, qtbot):
    session.set_knobs({"graph.mode": "frozen"})
    qtbot.waitUntil(lambda: not widget(panel, "graph.grad").isEnabled())
    assert "eager" in widget(panel, "graph.grad").toolTip()
    session.set_knobs({"graph.mode": "eager"})
    qtbot.waitUntil(lambda: widget(panel, "graph.grad").isEnabled())


def test_engines_that_are_not_there_are_greyed_with_the_reason(panel, session):
    host = msgspec.structs.replace(
        describe_host(with_engines=False),
        engines=(
            EngineStatus("torch", True, "2.8.0"),
            EngineStatus("ipex", False, None, "It is not installed."),
            EngineStatus("onnxruntime", True, "1.32"),
        ),
    )
    session.set_host(host)
    panel.judge_choices()
    engines = widget(panel, "engine")
    assert not engines.button("ipex").isEnabled()
    assert engines.button("ipex").toolTip() == "It is not installed."
    assert engines.button("onnxruntime").isEnabled()
    assert "1.32" in engines.button("onnxruntime").toolTip()


def test_a_refused_change_leaves_the_form_at_what_is_true(panel, session, qtbot):
    session.set_knobs({"runtime.numa_node": 0})
    with qtbot.waitSignal(session.refused):
        panel.rows["runtime.affinity"].turned.emit("runtime.affinity", "0")
    assert session.config["runtime.affinity"] == ""
    assert widget(panel, "runtime.affinity").text() == ""


def test_a_wrong_list_of_cpus_is_said_under_the_field(panel, session, qtbot):
    line = widget(panel, "runtime.affinity")
    line.setFocus()
    qtbot.keyClicks(line, "3-1")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert "ascending" in panel.rows["runtime.affinity"].remark.text()
    assert session.config["runtime.affinity"] == ""
    line.clear()
    qtbot.keyClicks(line, "0")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert session.config["runtime.affinity"] == "0"
    assert panel.rows["runtime.affinity"].remark.isHidden()


@pytest.mark.parametrize("key", ["runtime.threads", "graph.mode", "calibration.decay"])
def test_the_wheel_turns_nothing_that_has_no_focus(panel, session, key):
    session.set_knobs({"precision": "int8"})
    before = session.config
    target = widget(panel, key)
    panel.setFocus()
    middle = QPointF(target.rect().center())
    event = QWheelEvent(
        middle, QPointF(target.mapToGlobal(target.rect().center())), QPoint(), QPoint(0, -120),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(target, event)
    assert session.config == before


def test_groups_without_meaning_fold_until_they_have_one(panel, session):
    section = panel.sections["calibration"]
    assert not section.is_open()
    assert "fp32" in section.hint()
    session.set_knobs({"precision": "int8"})
    assert section.is_open()
    assert section.hint() == ""


def test_a_group_folded_by_hand_stays_folded(panel, session):
    section = panel.sections["runtime"]
    section._header.click()
    session.set_knobs({"runtime.threads": 2})
    assert not section.is_open()


def test_it_fits_300_pixels(panel, session):
    session.set_knobs({"precision": "int8"})
    for section in panel.sections.values():
        assert section.minimumSizeHint().width() <= 300 - 20, section.title()
    assert panel.minimumSizeHint().width() <= 300


def test_arrow_keys_move_the_choice(panel, session, qtbot):
    button = widget(panel, "precision").button("fp32")
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Right)
    assert session.config.precision == "bf16"


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("runtime.isa_limit", "ISA limit"),
        ("runtime.onednn", "oneDNN"),
        ("graph.fold_padding", "Fold padding"),
        ("runtime.numa_node", "NUMA node"),
        ("target_isa", "Target ISA"),
    ],
)
def test_keys_become_words(key, words):
    assert title(key) == words


def test_what_int8_can_bring_is_said_before_anything_runs(panel, session, this_host):
    cpu = msgspec.structs.replace(this_host.cpu, isa=("avx2",), int8_level="avx2")
    session.set_host(msgspec.structs.replace(this_host, cpu=cpu))
    assert panel.preview.text() == ""
    session.set_knobs({"precision": "int8"})
    assert "no VNNI" in panel.preview.text() and "little gain" in panel.preview.text()
    session.set_knobs({"target_isa": "avx_vnni"})
    assert "Preview: ranges are those for avx_vnni" in panel.preview.text()
    session.set_knobs({"precision": "fp32", "runtime.isa_limit": "avx2"})
    assert panel.preview.text().startswith("Preview: instructions are limited to avx2")

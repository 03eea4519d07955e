"""The range editor: what it shows of a tensor, and what a drag, a number, a tick and a button do."""

from __future__ import annotations

import numpy as np
import pytest
from fake_trials import trial
from hand_made import residual
from layered import distributions, int8_trial
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from workbench.core.config import Config
from workbench.core.distribution import Collector
from workbench.gui import tasks
from workbench.gui.range_editor import RangeEditor
from workbench.gui.range_plot import Bars

INT8 = Config({"precision": "int8"})


@pytest.fixture
def open_editor(study, show, qtbot, tmp_path):
    """Return a function that shows one layer of a trial of the residual block."""

    def open_editor(layer: str = "conv1", *, config: Config = INT8, shown=None) -> tuple:
        session = study(int8_trial(tmp_path, config=config) if shown is None else shown)
        session.apply_config(config)
        session.select(session.trials[0])
        qtbot.waitUntil(lambda: session.layers.table is not None)
        editor = show(RangeEditor(session), 640, 300)
        session.layers.select(layer)
        qtbot.waitUntil(tasks.idle)
        return session, editor

    return open_editor


def choose(editor: RangeEditor, name: str) -> None:
    editor.choice.setCurrentIndex(editor.choice.findData(name))
    editor.choice.chosen.emit()


def drag(editor: RangeEditor, low: float | None = None, high: float | None = None) -> None:
    for line, end in zip(editor.plot.handles, (low, high), strict=True):
        if end is not None:
            line.setValue(end)
    editor.plot.dragged.emit(*editor.plot.ends())


# -- what is shown ------------------------------------------------------------------------------------


def test_the_output_comes_first_and_all_tensors_can_be_chosen(open_editor) -> None:
    session, editor = open_editor()
    names = [editor.choice.itemData(place) for place in range(editor.choice.count())]
    assert names == ["input:image", "relu:out", "conv1:weight"]
    assert editor.choice.currentText() == "output  relu:out" and editor.pages.currentWidget() is editor._plots
    seen = session.layers.distributions["relu:out"]
    assert editor.figures.text("clipped") in ("0.00%", "0.01%") and editor.figures.text("zero") == "0"
    assert editor.plot.ends() == pytest.approx((0.0, editor._found["calibrated"][1]))
    assert editor.plot.handles[1].value() <= seen.maximum
    choose(editor, "input:image")
    assert editor.plot.handles[0].value() < 0 < editor.plot.handles[1].value()


def test_the_curve_marks_what_is_known_and_takes_a_click(open_editor) -> None:
    _, editor = open_editor("fc")
    marked = {key for key, mark in editor.curve.marks.items() if len(mark.data)}
    assert marked == {"now", "calibrated", "mse", "percentile", "kl"}
    place = editor.curve.mapFromScene(
        editor.curve.getViewBox().mapViewToScene(QPointF(*editor.curve._place(*editor._found["kl"])))
    )
    key = editor.curve.near(QPointF(place))
    assert key is not None
    QTest.mouseClick(editor.curve.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert (editor.draft.low, editor.draft.high) == editor._ranges()[key]
    assert editor.apply.isEnabled() and editor.low.box.isChecked() and editor.high.box.isChecked()


def test_what_the_next_operation_cuts_is_marked_and_costs_nothing(open_editor, tmp_path) -> None:
    session, editor = open_editor(shown=int8_trial(tmp_path, quantized=["input:image", "bn1:out", "relu#2:out"]))
    session.layers.select("bn1")
    choose(editor, "bn1:out")
    assert editor.plot.cuts[0].isVisible() and not editor.plot.cuts[1].isVisible(), "a ReLU has no upper bound"
    assert editor.plot.shades[0].rect().width() == 0 < editor.plot.idle[0].rect().width(), "no loss"
    assert editor._study.low == 0.0 and float(editor.figures.text("clipped").rstrip("%")) < 0.1
    assert editor.suggest.choices["clamp"].isEnabled()


def test_weights_are_shown_by_channel(open_editor) -> None:
    _, editor = open_editor()
    choose(editor, "conv1:weight")
    assert editor.pages.currentWidget() is editor.weights and not editor.controls.isVisible()
    assert np.asarray(editor.weights.bars.opts["y1"]).size == 16 and "16 output channels, each" in editor.remark.text()


def test_bars_are_as_high_at_any_zoom() -> None:
    bars = Bars()
    bars.set_counts(np.arange(5.0), np.array([0, 3, 100, 1]))
    assert bars.heights(0.0, 4.0, 4).tolist() == [0, 0.03, 1, 0.01]
    assert bars.heights(0.0, 4.0, 8).tolist() == [0, 0, 0.03, 0.03, 1, 1, 0.01, 0.01]
    assert bars.heights(0.0, 4.0, 2).tolist() == pytest.approx([3 / 101, 1])
    bars.log = True
    assert bars.heights(0.0, 4.0, 4)[3] == pytest.approx(np.log(2) / np.log(101)), "one value shows"
    assert not bars.heights(10.0, 11.0, 3).any() and bars.heights(0.0, 1.0, 0).size == 0


# -- what the user does -------------------------------------------------------------------------------


def test_a_drag_tells_at_once_what_it_would_do_and_changes_nothing_yet(open_editor) -> None:
    session, editor = open_editor()
    drag(editor, high=0.5)
    assert "→" in editor.figures.text("sqnr") and "→" in editor.figures.text("scale")
    assert float(editor.figures.text("clipped").rstrip("%")) > 1
    assert editor.high.field.value() == 0.5 and editor.high.box.isChecked()
    assert not editor.low.box.isChecked() and not session.config.fixes
    width = 10 ** editor.curve.here.value()
    assert width == pytest.approx(max(0.5, 10 ** editor.curve.getViewBox().viewRange()[0][0]), rel=1e-3)
    assert editor.plot.shades[1].rect().left() == pytest.approx(0.5, rel=0.01), "what is clipped is shaded"


def test_return_applies_one_end_and_undo_takes_it_back(open_editor, qtbot) -> None:
    session, editor = open_editor()
    wanted = []
    editor.applied.connect(lambda: wanted.append(session.config.fixes))
    drag(editor, high=1.25)
    editor.plot.setFocus()
    qtbot.keyClick(editor.plot, Qt.Key.Key_Return)
    assert session.config.fixes == {"relu:out": (None, 1.25)} and len(wanted) == 1
    assert editor.remark.text() == "Fixed to ∗ … 1.25, not measured yet." and not editor.apply.isEnabled()
    qtbot.keyClick(editor.plot, Qt.Key.Key_Return)
    assert len(wanted) == 1, "nothing to apply"
    session.undo.undo()
    assert not session.config.fixes and editor.draft.fix() == (None, None) and editor.remark.text() == ""


def test_keys_move_a_handle_level_by_level(open_editor, qtbot) -> None:
    _, editor = open_editor()
    before, step = editor.draft.high, editor.plot._step
    qtbot.keyClick(editor.plot, Qt.Key.Key_Left)
    assert editor.draft.high == pytest.approx(before - step)
    step = editor.plot._step
    qtbot.keyClick(editor.plot, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert editor.draft.high == pytest.approx(before - step * 11, rel=1e-2)
    qtbot.keyClick(editor.plot, Qt.Key.Key_Down)
    qtbot.keyClick(editor.plot, Qt.Key.Key_Right)
    assert editor.draft.low == 0.0, "a range always holds 0"


def test_numbers_ticks_and_reset(open_editor) -> None:
    session, editor = open_editor("fc")
    editor.low.field.setValue(-1.5)
    assert editor.draft.fix()[0] == pytest.approx(-1.5, rel=1e-3) and editor.low.box.isChecked()
    editor.high.box.click()
    assert editor.draft.holds_high
    editor.apply.click()
    low, high = session.config.fixes["fc:out"]
    assert low == pytest.approx(-1.5, rel=1e-3) and high == pytest.approx(editor._found["calibrated"][1], rel=1e-5)
    editor.low.box.click()
    editor.high.box.click()
    editor.apply.click()
    assert not session.config.fixes, "no end is fixed any more"
    drag(editor, high=1.0)
    editor.reset.click()
    assert editor.draft.fix() == (None, None), "what was not applied is forgotten"


def test_live_applies_when_a_handle_is_let_go(open_editor) -> None:
    session, editor = open_editor()
    editor.live.click()
    drag(editor, high=1.0)
    assert not session.config.fixes
    editor.plot.released.emit()
    assert session.config.fixes == {"relu:out": (None, 1.0)}
    editor.take("mse")
    assert session.config.fixes["relu:out"][1] == pytest.approx(editor._found["mse"][1], rel=1e-5)


def test_what_was_moved_is_kept_while_other_things_change(open_editor) -> None:
    session, editor = open_editor()
    drag(editor, high=1.0)
    session.set_knobs({"runtime.threads": 1})
    assert editor.draft.fix() == (None, 1.0)
    session.layers.select("fc")
    session.layers.select("conv1")
    assert editor.draft.fix() == (None, None)


def test_a_layer_is_kept_in_fp32(open_editor) -> None:
    session, editor = open_editor("bn1")
    editor.keep.click()
    assert session.config.layers == {"conv1": "fp32"}, "the layer whose kernel does the work"
    assert editor.keep.isChecked()
    session.undo.undo()
    assert not editor.keep.isChecked() and not session.config.layers


# -- states ------------------------------------------------------------------------------------------


def test_states_of_a_fix(open_editor, tmp_path) -> None:
    _, editor = open_editor(config=Config({"precision": "int8"}, fixes={"bn1:out": (None, 1.0)}))
    assert editor.remark.text() == "Fixed to ∗ … 1, applied and read back."
    assert editor.draft.high == 1.0 and editor.draft.standing.name == "bn1:out"
    assert editor.figures.text("scale").endswith("0.003922"), "of the built model"


def test_a_fix_that_would_do_nothing_is_told_before_it_is_measured(open_editor, tmp_path) -> None:
    _, editor = open_editor("fc", shown=int8_trial(tmp_path, quantized=["input:image"]))
    assert "torch has no scale here" in editor.remark.text()


def test_a_fix_within_a_group_is_told_where_it_will_act(open_editor) -> None:
    _, editor = open_editor("add")
    assert editor.remark.text() == "A range fixed here acts at relu#2:out, where the engine has the scale."


def test_a_trial_without_scales_offers_int8(open_editor) -> None:
    session, editor = open_editor(config=Config(), shown=trial(layers=residual(), proof=int8_trial(None).proof))
    assert "INT8 shows scales" in editor.empty.text() and not editor.controls.isVisible()
    editor.empty._button.click()
    assert session.config.precision == "int8" and editor.empty._button.text() == "Look into the layers"


def test_without_kept_distributions_a_range_can_still_be_typed(open_editor, tmp_path) -> None:
    session, editor = open_editor(shown=int8_trial(None))
    assert "not kept" in editor.empty.text() and editor.controls.isVisible()
    assert editor.figures.text("sqnr") == "– dB"
    editor.high.field.setValue(1.5)
    editor.apply.click()
    assert session.config.fixes["relu:out"][1] == pytest.approx(1.5, rel=1e-2)


def test_odd_tensors(open_editor, tmp_path) -> None:
    seen = distributions(residual())
    zeros = Collector()
    zeros.add(np.zeros(10))
    shown = int8_trial(tmp_path, seen={**seen, "relu:out": zeros.result()})
    _, editor = open_editor(shown=shown)
    assert editor.pages.currentWidget() is editor._plots and not editor.suggest.choices["mse"].isEnabled()
    drag(editor, high=2.0)
    assert editor.draft.fix() == (None, 2.0)

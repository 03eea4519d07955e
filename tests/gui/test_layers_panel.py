"""The layers panel: what it says when there is nothing, what it shares, and one story with a real worker."""

from __future__ import annotations

import threading

import msgspec
import pytest
from fake_trials import failed, trial
from layered import chain, fused_in, int8_trial
from PySide6.QtCore import Qt

from workbench.core.config import Config
from workbench.core.ranges import scheme_of
from workbench.core.scales import scale_of
from workbench.errors import UserError
from workbench.gui import tasks
from workbench.gui.layers_model import KEYS, NAME
from workbench.gui.layers_panel import LayersPanel
from workbench.gui.session import Session

INT8 = Config({"precision": "int8"})


@pytest.fixture
def open_panel(study, show, qtbot, tmp_path):
    """Return a function that opens a panel on a trial of the residual block, or on others."""

    def open_panel(*trials, config=INT8) -> tuple[Session, LayersPanel]:
        session = study(*(trials or [int8_trial(tmp_path, config=config)]))
        session.apply_config(config)
        paint_at_once(session)
        panel = show(LayersPanel(session), 660, 420)
        session.select(session.trials[0])
        qtbot.waitUntil(tasks.idle)
        return session, panel

    return open_panel


@pytest.fixture
def measuring(script, tmp_path):
    """Runs of the fake runner leave layers and obey fixes."""

    def result(config, taken, deadline_ms):
        plain = trial(config, taken)
        return int8_trial(tmp_path, config=config, latency=plain.latency, effective=plain.effective)

    script.result = result
    return script


def paint_at_once(session: Session) -> None:
    """Do what the latency panel does for bursts that nobody sees."""
    session.job_started.connect(lambda job: job.burst.connect(lambda _: job.painted()))


def end_job(session: Session, qtbot) -> None:
    """Leave nothing running that would tell widgets which are closed."""
    session.stop()
    qtbot.waitUntil(lambda: session.job is None)


def shown(panel) -> list[str]:
    return [panel.rows.index(row, NAME).data() for row in range(panel.rows.rowCount())]


# -- empty -------------------------------------------------------------------------------------------


def test_nothing_yet(study, show, qtbot) -> None:
    session = study()
    panel = show(LayersPanel(session), 660, 420)
    assert "No layers yet" in panel.empty.text() and panel.empty._button.text() == "Set precision INT8"
    panel.empty._button.click()
    assert session.config.precision == "int8" and panel.empty._button.text() == "Look into the layers"
    asked = []
    session.job_started.connect(asked.append)
    panel.empty._button.click()
    assert len(asked) == 1 and not panel.look.isEnabled()
    end_job(session, qtbot)


def test_no_model(session, show) -> None:
    panel = show(LayersPanel(session), 660, 420)
    assert "No model yet" in panel.empty.text() and not panel.empty._button.isVisible()


def test_a_trial_that_did_not_get_that_far_says_why(open_panel) -> None:
    _, panel = open_panel(failed())
    assert "no layers" in panel.empty.text() and "signal 11" in panel.empty.text()


# -- shown and shared ----------------------------------------------------------------------------------


def test_the_selected_layer_is_everybody_s(open_panel, qtbot) -> None:
    session, panel = open_panel()
    assert shown(panel) == ["conv1  +2", "conv2  +1", "add", "relu#2", "pool", "flatten", "fc"]
    panel.table.selectRow(6)
    assert session.layers.selected_layer == "fc" and panel.editor.choice.currentData() == "fc:out"
    session.layers.select("conv2")
    assert panel.table.currentIndex().row() == 1
    session.layers.select("bn1")
    assert panel.editor.choice.currentData() == "bn1:out", "folded, but the editor shows it"
    panel.unfold.click()
    assert panel.table.currentIndex().row() == 1 and len(shown(panel)) == 10
    panel.search.setText("conv2d")
    assert len(shown(panel)) == 5 and panel._count.text() == "5 of 10"


def test_selection_and_editor_stay_from_trial_to_trial(open_panel, tmp_path, qtbot) -> None:
    session, panel = open_panel(int8_trial(tmp_path), int8_trial(tmp_path))
    session.layers.select("conv2")
    session.select(session.trials[1])
    qtbot.waitUntil(lambda: session.layers.trial is session.trials[1] and tasks.idle())
    assert session.layers.selected_layer == "conv2" and panel.table.currentIndex().row() == 1
    layers = chain(9)
    other = int8_trial(tmp_path, layers, fused_in(layers))
    session.trials.append(other)
    session.select(other)
    qtbot.waitUntil(lambda: session.layers.selected_layer is None)
    assert "Select a layer" in panel.editor.empty.text()


def test_a_config_that_is_not_what_is_shown_is_told(open_panel) -> None:
    session, panel = open_panel()
    assert not panel.hint.isVisible()
    session.set_knobs({"engine": "ipex"})
    assert "layers of #1" in panel.hint.text() and "ipex int8" in panel.hint.text()


def test_several_layers_are_kept_in_fp32_from_the_menu_and_all_is_reset(open_panel, qtbot) -> None:
    session, panel = open_panel()
    panel.table.selectRow(0)
    panel.table.selectionModel().select(
        panel.rows.index(1, NAME),
        panel.table.selectionModel().SelectionFlag.Select | panel.table.selectionModel().SelectionFlag.Rows,
    )
    panel.table.menu().actions()[0].trigger()
    assert session.config.layers == {"conv1": "fp32", "conv2": "fp32"} and session.undo.count() == 1
    assert panel.rows.index(0, KEYS.index("ran")).data() == "int8 [fp32]"
    assert panel.table.isColumnHidden(KEYS.index("fix"))
    session.quantizer.fix("fc:out", 0.0, 1.0)
    assert not panel.table.isColumnHidden(KEYS.index("fix"))
    assert panel.rows.index(6, KEYS.index("fix")).data() == "to measure"
    panel.reset_all.click()
    assert not session.config.layers and not session.config.fixes and not panel.reset_all.isEnabled()
    end_job(session, qtbot)


def test_the_arrangement_is_remembered(open_panel, settings, study, show) -> None:
    session, panel = open_panel()
    panel.unfold.click()
    panel.table.choose_column("kernel", True)
    panel.table.sortByColumn(KEYS.index("own"), Qt.SortOrder.DescendingOrder)
    panel.remember(settings)
    again = show(LayersPanel(session), 660, 420)
    again.recall(settings)
    assert again.unfold.isChecked() and not again.table.isColumnHidden(KEYS.index("kernel"))
    assert shown(again) == shown(panel)


# -- measuring ---------------------------------------------------------------------------------------


def test_applying_measures_and_tells_what_it_brought(open_panel, measuring, qtbot) -> None:
    session, panel = open_panel()
    session.layers.select("fc")
    panel.editor.draft.move(panel.editor.draft.low, 1.0)
    with qtbot.waitSignal(session.job_ended, timeout=5000):
        panel.editor.apply_now()
        assert panel.result.text() == "Measuring …"
    qtbot.waitUntil(lambda: session.layers.trial is session.trials[-1] and tasks.idle())
    assert len(session.trials) == 2 and "#1 → #2" in panel.result.text()
    (state,) = session.trials[-1].fixes
    assert state.state == "applied" and panel.editor.remark.text() == "Fixed to ∗ … 1, applied and read back."
    assert panel.rows.index(6, KEYS.index("fix")).data() == "applied"


def test_live_handles_leave_only_the_last_trial(open_panel, measuring, qtbot) -> None:
    session, panel = open_panel()
    session.layers.select("fc")
    panel.editor.live.click()
    begun, go_on = threading.Event(), threading.Event()

    def wait(number: int) -> None:
        begun.set()
        go_on.wait(5)

    measuring.before_burst = wait
    panel.editor.draft.move(-1.0, 1.0)
    panel.editor.plot.released.emit()
    qtbot.waitUntil(begun.is_set)
    panel.editor.draft.move(-1.0, 2.0)
    panel.editor.plot.released.emit()
    with qtbot.waitSignals([session.job_ended, session.job_ended], timeout=10000):
        go_on.set()
    qtbot.waitUntil(lambda: session.job is None and tasks.idle())
    assert [one.config.get("fixes") for one in session.trials[1:]] == [{"fc:out": {"min": -1.0, "max": 2.0}}]
    with qtbot.waitSignal(session.job_ended, timeout=5000):
        session.undo.undo()
    assert session.trials[-1].config["fixes"] == {"fc:out": {"min": -1.0, "max": 1.0}}, "undo is measured, too"


def test_a_refusal_leaves_nothing_said(open_panel, measuring, qtbot) -> None:
    session, panel = open_panel()
    measuring.error = UserError("No.", "", "")
    session.layers.select("fc")
    panel.editor.draft.move(-1.0, 1.0)
    with qtbot.waitSignal(session.job_ended, timeout=5000):
        panel.editor.apply_now()
    assert not panel.result.isVisible() and len(session.trials) == 1


# -- a real worker -----------------------------------------------------------------------------------


@pytest.mark.engine
@pytest.mark.usefixtures("nothing_left")
def test_a_bad_range_is_found_dragged_applied_and_undone(qtbot, show, data_dir, needs_engine, tmp_path) -> None:
    needs_engine("torch")
    session = Session()
    paint_at_once(session)
    refused = []
    session.refused.connect(refused.append)
    assert session.open_model("sample:digits-cnn")
    data = session.subject.data
    few = {"calibration": data.calibration[:16], "evaluation": data.evaluation[:40]}
    session.set_source(msgspec.structs.replace(data, **few))
    bad = Config({"precision": "int8", "runtime.threads": 1}, fixes={"relu:out": (0.0, 0.5)})
    session.set_config(bad, "a bad range")
    panel = show(LayersPanel(session), 660, 420)

    def measured(what) -> None:
        with qtbot.waitSignal(session.job_ended, timeout=60_000):
            what()
        assert not refused and session.trials[-1].status == "ok", session.trials[-1].reason
        qtbot.waitUntil(lambda: session.layers.trial is session.trials[-1] and tasks.idle(), timeout=10_000)

    measured(session.measure_again)
    (row,) = [row for row in session.layers.table.layers if any("outside the range" in flag for flag in row.flags)]
    session.layers.select(row.name)
    editor = panel.editor
    qtbot.waitUntil(tasks.idle)
    assert editor.choice.currentData() == "relu:out" and float(editor.figures.text("clipped").rstrip("%")) > 1

    editor.plot.handles[1].setValue(editor._found["mse"][1])
    editor.plot.dragged.emit(*editor.plot.ends())
    assert float(editor.figures.text("clipped").rstrip("%")) < 1
    measured(editor.apply_now)
    before, after = session.trials
    assert after.accuracy.cosine_mean > before.accuracy.cosine_mean + 0.01
    (state,) = after.fixes
    low, high = session.config.fixes["relu:out"]
    assert (state.state, state.scale) == (
        "applied",
        pytest.approx(scale_of(low, high, scheme_of(after.tensors))[0], rel=1e-6),
    )
    assert "cosine" in panel.result.text() and editor.remark.text().endswith("applied and read back.")

    measured(lambda: (session.undo.undo(), session.measure_again()))
    assert session.config.fixes == bad.fixes
    assert session.trials[-1].accuracy == before.accuracy and session.trials[-1].tensors == before.tensors
    session.shutdown()

"""The sweep panel: points appear as they are measured, both recommendations can be taken, and all leads to trials."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from fake_trials import FakeRunnerScript
from PySide6.QtCore import QPoint, QPointF, Qt

from workbench.core.config import Config
from workbench.errors import UserError
from workbench.gui import tasks, theme
from workbench.gui.sweep_model import EFFECT, ITEM, P50, RATE, TAIL, VALUE, SweepModel
from workbench.gui.sweep_panel import SweepPanel
from workbench.gui.sweep_words import point_in_words
from workbench.study.sweep import sweeps

BATCH, THREADS, WAIT = "run.batch", "runtime.threads", "runtime.wait_policy"
TRADE_OFF = {"default": (4.7, 12.0), "active": (4.7, 12.0), "passive": (6.4, 9.7)}
MS = 1_000_000


def bursts(median: float, tail: float) -> list[np.ndarray]:
    """150 runs, of which one in fifty is *tail*."""
    samples = np.random.default_rng(round(median * 1000)).normal(median, median / 200, 150)
    samples[::30] = tail
    return np.split((samples * MS).astype(np.int64), 5)


@pytest.fixture
def script():
    """The wait policy trades the median for the tail; jemalloc is not installed; more threads are faster up to two."""
    script = FakeRunnerScript()

    def prepare(config):
        if config["runtime.allocator"] == "jemalloc":
            raise UserError("It needs a library.", "It is not installed.", "Install it.")
        if config.engine == "ipex":
            return bursts(*TRADE_OFF[config.text(WAIT)])
        batch = config.number(BATCH)
        took = (8.0 if config.number(THREADS) == 1 else 4.0) * (1.0 + 0.5 * batch if batch <= 4 else 0.75 * batch)
        return bursts(took, 1.5 * took)

    script.prepare = prepare
    return script


@pytest.fixture
def session(study, this_host):
    session = study()
    session.host = msgspec.structs.replace(this_host, default_threads=4, usable_cpus=(0, 1, 2, 3))
    session.job_started.connect(lambda job: job.burst.connect(lambda _: job.painted()))
    yield session
    session.shutdown()
    assert tasks.wait(5000)


@pytest.fixture
def panel(session, show):
    return show(SweepPanel(session), 650, 420)


def go(qtbot, session, key, text="", config=None):
    if config is not None:
        session.set_config(config, "test")
    session.sweeps.want(key, text)
    with qtbot.waitSignal(session.job_ended, timeout=20_000):
        session.sweep()
    return session.sweeps.sweep


def column(panel, section):
    return [panel.model.index(row, section).data() for row in range(panel.model.rowCount())]


def at(plot, row, curve):
    """Where a point is, in the widget."""
    dot = next(dot for dot in plot.curves[curve] if dot.row == row)
    place = QPointF(dot.place, plot._height(dot.value))
    return plot.mapFromScene(plot.getViewBox().mapViewToScene(place))


def test_what_to_do_where_no_knob_was_swept(panel, session) -> None:
    assert "No knob has been swept yet" in panel._empty.text()
    assert panel.measure.isEnabled() and panel.choice.isHidden() and not panel.open.isEnabled()
    assert panel.knob.currentData() == THREADS and panel.values.placeholderText() == "1,2,3,4"
    session.subject = None
    session.subject_changed.emit()
    assert "No model yet" in panel._empty.text() and not panel.measure.isEnabled()


def test_the_next_sweep_is_chosen_with_its_values(panel, session, qtbot) -> None:
    panel.knob.setFocus()
    panel.knob.setCurrentIndex(panel.knob.findData(BATCH))
    panel.knob.activated.emit(panel.knob.currentIndex())
    assert session.sweeps.key == BATCH and panel.values.placeholderText() == "1,2,4,8,16"
    qtbot.keyClicks(panel.values, "1, 4")
    qtbot.keyClick(panel.values, Qt.Key.Key_Return)
    assert session.sweeps.values() == [1, 4]
    session.sweeps.want(THREADS)
    assert panel.values.text() == "" and panel.knob.currentData() == THREADS
    session.sweeps.want(BATCH)
    assert panel.values.text() == "1, 4", "what was typed for a knob comes back with it"
    item = panel.knob.model().item(panel.knob.findData("runtime.spin"))
    assert not item.isEnabled() and "does not have it" in item.toolTip()
    session.set_knobs({"engine": "onnxruntime"})
    assert item.isEnabled()


def test_what_cannot_be_swept_is_refused(panel, session, qtbot) -> None:
    session.sweeps.want(BATCH, "4")
    with qtbot.waitSignal(session.refused) as told:
        panel.measure.click()
    assert "One value of run.batch" in told.args[0].what and session.job is None


def test_the_trade_off_is_shown_and_each_recommendation_is_one_click(panel, session, qtbot) -> None:
    go(qtbot, session, WAIT, config=Config({"engine": "ipex"}))
    assert column(panel, VALUE) == ["default", "active", "passive"]
    assert column(panel, EFFECT)[0] == "baseline" and column(panel, EFFECT)[2].startswith("1.36×")
    assert column(panel, EFFECT)[1].endswith("=") and column(panel, EFFECT)[2].endswith("▼")
    assert column(panel, TAIL)[2].startswith("0.81×") and column(panel, TAIL)[2].endswith("▲")
    assert panel.advice["median"].text() == ("Median (p50): no difference shown to default that is worth a change.")
    assert panel.advice["tail"].text().startswith("Tail (p99): passive takes 0.81× as long as default")
    assert panel.take["median"].isHidden() and panel.take["tail"].text() == "Take passive"
    panel.take["tail"].click()
    assert session.config[WAIT] == "passive" and not panel.take["tail"].isEnabled()
    session.undo.undo()
    assert session.config[WAIT] == "default" and panel.take["tail"].isEnabled()
    assert list(panel.plots.made) == ["time"]
    assert "Processes per value: 3." in panel.summary.text() and panel.table.isColumnHidden(ITEM)
    median, tail = (panel.plots.made["time"].curves[look][2] for look in ("median", "tail"))
    assert median.low > 1 > tail.high and median.place < 2 < tail.place
    for dark in (True, False):
        theme.apply("dark" if dark else "light")
        assert not panel.grab().isNull()


def test_a_batch_has_throughput_memory_and_a_knee(panel, session, qtbot) -> None:
    found = go(qtbot, session, BATCH)
    assert found.knee == 4 and "Knee at 4" in panel.summary.text()
    assert [float(text) for text in column(panel, ITEM)] == pytest.approx([6, 4, 3, 3, 3], rel=0.02)
    assert not panel.table.isColumnHidden(ITEM) and "per sample" in panel.advice["median"].text()
    assert panel.advice["tail"].text() == "Tail (p99): keep 1, all others are slower."
    throughput = panel.plots.made["throughput"]
    assert throughput.isVisible() and throughput.knee.isVisible() and throughput.knee.value() == 2.0
    speeds = throughput.curves["median"]
    assert [dot.place for dot in speeds] == [0, 1, 2, 3, 4] and speeds[2].low < speeds[2].value < speeds[2].high
    assert panel.plots.made["memory"].isVisible(), "even where the fake knows of no memory"
    assert [text for _, text in throughput.below._tickLevels[0]] == ["1", "2", "4", "8", "16"]
    go(qtbot, session, WAIT, config=Config({"engine": "ipex"}))
    assert throughput.isHidden() and panel.plots.made["memory"].isHidden()
    session.sweeps.choose(0)
    assert throughput.isVisible() and panel.take["tail"].isVisible()
    session.set_config(Config(), "test")
    assert not panel.take["tail"].isEnabled(), "it is set already"


def test_values_that_fail_are_listed_with_the_reason(panel, session, qtbot) -> None:
    go(qtbot, session, "runtime.allocator", "system,jemalloc,malloc")
    assert column(panel, P50)[1] == "It needs a library. It is not installed."
    assert "'malloc' is not a value" in column(panel, P50)[2] and column(panel, RATE)[1] == "–"
    assert panel.table.columnSpan(1, P50) > 1 and panel.table.columnSpan(0, P50) == 1
    assert len(panel.plots.made["time"].curves["median"]) == 1
    assert "nothing could be compared" in panel.advice["median"].text()
    panel.table.selectRow(1)
    assert not panel.open.isEnabled() and panel.use.isEnabled()
    go(qtbot, session, THREADS, "1,2")
    assert panel.table.columnSpan(1, P50) == 1


def test_a_point_leads_to_its_trial(panel, session, qtbot) -> None:
    found = go(qtbot, session, THREADS, "1,2")
    assert column(panel, VALUE) == ["auto", "1", "2"], "the baseline is none of the values"
    wanted = []
    session.panel_wanted.connect(wanted.append)
    plot = panel.plots.made["time"]
    place = at(plot, 1, "median")
    qtbot.mouseMove(plot.viewport(), place)
    assert plot.near(QPointF(place)) == 1 and "Threads: 1" in plot.names[1]
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert session.selected == found.points[0].trial and panel.model.row_of(session.selected) == 1
    assert len(plot._ring.data) == 2 and wanted == []
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert wanted == ["latency"]
    qtbot.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=at(plot, 2, "tail"))
    assert wanted == ["latency"] * 2 and session.selected.id in found.points[1].trials
    qtbot.keyClick(panel.table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert session.config[THREADS] == 2
    session.select(next(each for each in session.trials if each.id == found.points[0].trials[-1]))
    assert panel.table.chosen() == 1, "each process of a value belongs to its row"
    assert session.selected.id == found.points[0].trials[-1], "and stays selected"
    assert plot.near(QPointF(QPoint(-50, -50))) == -1


def test_it_grows_and_stopping_keeps_what_was_measured(panel, session, qtbot, script) -> None:
    prepare, taken = script.prepare, []

    def endless(config):
        taken.append(config)
        script.endless = len(taken) == 5
        return prepare(config)

    script.prepare = endless
    session.sweeps.want(THREADS, "1,2")
    panel.measure.click()
    assert panel.measure.text() == "Stop" and not panel.knob.isEnabled()
    qtbot.waitUntil(lambda: panel.summary.text() == "Measuring Threads: 1, process 5 of 9", timeout=10_000)
    assert session.sweeps.is_growing()
    qtbot.waitUntil(lambda: script.endless)
    with qtbot.waitSignal(session.job_ended, timeout=3000):
        panel.measure.click()
    found = session.sweeps.sweep
    assert [len(point.trials) for point in found.points] == [1, 2] and not found.finished
    assert panel.summary.text().endswith("Stopped before its end; this is what was measured.")
    assert sweeps(session.store) == [found] and panel.measure.text() == "Sweep"


def test_stored_sweeps_come_back_with_the_study(panel, session, qtbot) -> None:
    first = go(qtbot, session, THREADS, "1,2")
    second = go(qtbot, session, WAIT, config=Config({"engine": "ipex"}))
    assert panel.choice.count() == 2 and panel.choice.itemText(1).startswith("Wait policy")
    session.open_study(session.store.place)
    assert panel.model.rowCount() == 0
    qtbot.waitUntil(lambda: panel.model.rowCount() == 3)
    assert session.sweeps.all == [first, second]
    panel.choice.setFocus()
    qtbot.keyClick(panel.choice, Qt.Key.Key_Up)
    assert session.sweeps.shown == 0 and column(panel, VALUE) == ["auto", "1", "2"]


def test_without_a_baseline_the_reason_is_told(panel, session, qtbot, script) -> None:
    script.changes = {"status": "invalid", "reason": "no INT8 kernel ran"}
    session.sweeps.want(THREADS, "1,2")
    with qtbot.waitSignal(session.refused) as told:
        session.sweep()
    assert told.args[0].why == "no INT8 kernel ran"
    qtbot.waitUntil(lambda: session.job is None)
    assert column(panel, P50)[0] == "no INT8 kernel ran"


def test_rows_are_a_sound_model_and_tell_everything(panel, session, qtbot, qtmodeltester) -> None:
    model = SweepModel(session)
    qtmodeltester.check(model)
    found = go(qtbot, session, BATCH, "1,2")
    model.follow()
    qtmodeltester.check(model)
    text = point_in_words(found, found.points[1])
    assert text == model.index(1, VALUE).data(Qt.ItemDataRole.ToolTipRole)
    for part in ("Batch: 2", "p50 per sample: 0.67× the baseline's", "faster", "processes: 3, trials 2, 3, 6"):
        assert part in text
    assert model.headerData(RATE, Qt.Orientation.Horizontal) == "samples/s"


def test_a_panel_that_is_made_later_shows_all_of_the_same_sweep(panel, session, show, qtbot):
    go(qtbot, session, THREADS, "1, 2")
    later = show(SweepPanel(session), 650, 420)  # as after a change of language
    for goal, label in panel.advice.items():
        assert label.text() and later.advice[goal].text() == label.text()
    hidden = [panel.table.isColumnHidden(column) for column in range(panel.model.columnCount())]
    assert [later.table.isColumnHidden(column) for column in range(panel.model.columnCount())] == hidden
    assert ITEM in [column for column, gone in enumerate(hidden) if gone]
    assert later.plots.isVisible() == panel.plots.isVisible()

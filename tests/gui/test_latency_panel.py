"""The latency panel: what is plotted, when it is painted, and that nothing odd in a record breaks it."""

import threading

import numpy as np
import pytest
from fake_trials import MS, bursts_of, failed, proof, trial, turn, weird
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QTabWidget

from workbench.core.config import Config
from workbench.core.figures import milliseconds
from workbench.errors import UserError
from workbench.gui import theme
from workbench.gui.latency_panel import LatencyPanel


@pytest.fixture
def make(study, show):
    """Return a function that opens a panel over a study of the given trials."""

    def make(*trials):
        session = study(*trials)
        return session, show(LatencyPanel(session), 760, 430)

    return make


def bars(panel):
    return np.asarray(panel.histogram.bars.opts["height"])


def points(panel, kind):
    return panel.timeline.points.points(kind)


def settle(qtbot, panel, count):
    qtbot.waitUntil(lambda: panel.table.texts(1)[0] == str(count), timeout=5000)


# -- what is shown ----------------------------------------------------------------------------------


def test_empty_states(make) -> None:
    session, panel = make()
    turn()
    assert "Nothing measured yet" in panel._empty.text()
    session.subject = None
    session.subject_changed.emit()
    turn()
    assert "No model" in panel._empty.text() and panel._pages.currentIndex() == 0


def test_a_stored_trial(make, qtbot) -> None:
    session, panel = make(trial(proof=proof(50, 50)))
    session.select(session.trials[0])
    qtbot.waitUntil(lambda: bars(panel).sum() == 120)
    assert panel._title.text() == "#1  torch fp32, 2 threads"
    assert panel.table.texts(1)[0] == "120" and panel.table.texts(2) == ["–"] * 8
    assert panel._proof.text() == "50 INT8 kernels of 50 ✓"
    assert panel._verdict.text() == session.trials[0].latency.noise
    assert points(panel, "live")[0].size + points(panel, "error")[0].size >= 120
    assert (points(panel, "warm-up")[0] < 0).all()
    assert points(panel, "after-gap")[0].tolist() == [-0.5, 19.5, 39.5, 59.5, 79.5, 99.5]


def test_the_baseline_is_scaled_to_as_many_runs(make, qtbot) -> None:
    session, panel = make(trial(), trial(bursts=bursts_of(6, median_ms=8.0)))
    first, second = session.trials
    session.select(first)
    session.set_baseline(second)
    qtbot.waitUntil(lambda: np.asarray(panel.histogram.behind.opts["height"]).sum() > 0)
    assert np.asarray(panel.histogram.behind.opts["height"]).sum() == pytest.approx(120, abs=3)
    assert panel.table.texts(2)[0] == "120"
    assert panel.table.texts(3)[2] == "2.00×"
    assert "#2" in panel._behind_name.text()
    session.set_baseline(None)
    turn()
    assert panel.table.texts(3) == ["–"] * 8 and not panel.histogram.outline.isVisible()


def test_a_baseline_far_away_leaves_the_run_its_room(make, qtbot) -> None:
    _session, panel = make(trial(), trial())
    panel._samples.add(np.concatenate(bursts_of(6)))
    slow, fast = panel._samples.of(None), panel._samples.of(None)
    slow.add(np.concatenate(bursts_of(6, median_ms=80.0)))
    fast.add(np.concatenate(bursts_of(6, median_ms=0.3)))
    for other, text in ((slow, "baseline at 80.4 ms →"), (fast, "← baseline at 0.302 ms")):
        panel.histogram.show_samples(panel._samples, other)
        assert panel.histogram.elsewhere.isVisible() and panel.histogram.elsewhere.toPlainText() == text
        assert bars(panel).size > 10
        panel.histogram.log_time = True
        panel.histogram.show_samples(panel._samples, other)
        assert not panel.histogram.elsewhere.isVisible()
        panel.histogram.log_time = False


def test_below_a_hundred_runs_there_is_no_p99(make) -> None:
    session, panel = make(trial(bursts=bursts_of(2)))
    session.select(session.trials[0])
    turn()
    assert panel.table.texts(1)[4] == "n < 100"


def test_a_failed_trial_says_why(make) -> None:
    session, panel = make(failed())
    session.select(session.trials[0])
    turn()
    assert "signal 11" in panel._empty.text()


def test_odd_records(make, qtbot) -> None:
    session, panel = make()
    session.trials = weird()
    for record in session.trials:
        for baseline in (None, record):
            session.set_baseline(baseline)
            session.select(record)
            panel.draw()
            everything = panel.table.texts(1) + panel.table.texts(3) + [panel._title.text()]
            assert not any("nan" in text or "inf" in text for text in everything)
    assert "not in INT8: a, b, c (+2)" in _select(session, panel, 3)


def _select(session, panel, index):
    session.select(session.trials[index])
    turn()
    return panel._proof.text()


@pytest.mark.parametrize("values", [[], [0], [0] * 200, [5 * MS], [1, 10**12]])
@pytest.mark.parametrize("log", [False, True])
def test_ranges_are_finite_whatever_comes(make, values, log) -> None:
    session, panel = make()
    panel._log_time.setChecked(log)
    panel._log_count.setChecked(log)
    session.set_deadline(0.0)
    panel._samples.add(np.array(values, np.int64))
    panel._samples.warm_up([0, 3])
    for plot, arguments in ((panel.histogram, (panel._samples, panel._samples)), (panel.timeline, (panel._samples,))):
        plot.show_samples(*arguments)
        ranges = np.array(plot.getViewBox().viewRange())
        assert np.isfinite(ranges).all() and (np.diff(ranges) > 0).all()
        assert not plot.grab().toImage().isNull()
    heights = bars(panel)
    assert np.isfinite(heights).all() and (heights >= 0).all()
    assert heights.size == 0 or heights.max() > 0


def test_200_000_samples(make) -> None:
    _, panel = make()
    panel._samples.add(np.concatenate(bursts_of(10, 20_000)))
    panel.histogram.show_samples(panel._samples)
    panel.timeline.show_samples(panel._samples)
    assert points(panel, "live")[0].size <= 20_000
    assert bars(panel).sum() >= 199_000
    assert panel.timeline.getViewBox().viewRange()[0][1] >= 200_000


def test_runs_far_out_are_counted_at_the_edge(make) -> None:
    _, panel = make()
    panel._samples.add(np.concatenate([*bursts_of(10), [400 * MS, 500 * MS]]))
    panel.histogram.show_samples(panel._samples)
    panel.timeline.show_samples(panel._samples)
    assert panel.histogram.beyond.toPlainText() == "2 beyond, up to 500 ms →"
    assert points(panel, "error")[0].tolist() == [200, 201]


def test_what_is_said_in_a_narrow_plot_is_whole(make, qtbot) -> None:
    _, panel = make()
    far = panel._samples.of(None)
    far.add(np.concatenate(bursts_of(6, median_ms=80.0)))
    panel._samples.add(np.concatenate([*bursts_of(10), [400 * MS, 500 * MS]]))
    plot, view = panel.histogram, panel.histogram.getViewBox()
    plot.setParent(None)
    qtbot.addWidget(plot)
    plot.show_samples(panel._samples, far)
    said = {}
    for width in (181, 700):
        plot.resize(width, 120)
        with qtbot.waitExposed(plot):
            plot.show()
        plot.grab()
        for text in (plot.beyond, plot.elsewhere):
            drawn = text.mapRectToScene(text.boundingRect())
            assert view.sceneBoundingRect().adjusted(-1, -1, 1, 1).contains(drawn), text.toPlainText()
        said[width] = [plot.beyond.toPlainText(), plot.elsewhere.toPlainText()]
    assert said[181] == ["2 beyond →", "80.4 ms →"]
    assert said[700] == ["2 beyond, up to 500 ms →", "baseline at 80.4 ms →"]


def test_bars_have_the_theme_s_colour_on_screen(make) -> None:
    from workbench.gui import theme

    _, panel = make()
    panel._samples.add(np.full(500, 4 * MS))
    panel._pages.setCurrentIndex(1)
    panel.histogram.show_samples(panel._samples)
    image = panel.histogram.viewport().grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 4)}
    assert theme.colour("live").name() in colours
    assert QColor("#123456").name() not in colours


# -- the deadline -----------------------------------------------------------------------------------


def test_the_deadline_follows_the_session_and_the_other_way_round(make, qtbot) -> None:
    session, panel = make(trial())
    session.select(session.trials[0])
    qtbot.waitUntil(lambda: bars(panel).sum() == 120)
    assert not panel.histogram.deadline.isVisible()
    session.set_deadline(4.0)
    turn()
    expected = str(panel._samples.above(4.0))
    assert panel.histogram.deadline.value() == panel.timeline.deadline.value() == 4.0
    assert panel.table.texts(1)[6] == expected and panel.table.texts(1)[6] != "0"
    panel._log_time.setChecked(True)
    assert panel.histogram.deadline.value() == pytest.approx(np.log10(4.0))
    panel.histogram.deadline.setValue(np.log10(5.0))
    panel.histogram.deadline.sigDragged.emit(panel.histogram.deadline)
    assert session.deadline_ms == 5.0
    session.set_deadline(None)
    turn()
    assert session.deadline_ms is None and not panel.timeline.deadline.isVisible()
    assert panel.table.texts(1)[6] == "–"


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("width", [181, 240, 700])
@pytest.mark.parametrize("ms", [0.5, 4.0, 4.6, 12.0])
def test_the_deadline_s_label_is_whole_at_every_width(make, qtbot, width, ms, mode) -> None:
    theme.apply(mode)
    session, panel = make(trial())
    session.select(session.trials[0])
    session.set_deadline(ms)
    qtbot.waitUntil(lambda: bars(panel).sum() == 120)
    plot, view = panel.histogram, panel.histogram.getViewBox()
    plot.setParent(None)
    qtbot.addWidget(plot)
    plot.resize(width, 120)
    with qtbot.waitExposed(plot):
        plot.show()
    plot.grab()
    label = plot.deadline_label
    drawn = label.mapRectToScene(label.boundingRect())
    assert view.sceneBoundingRect().adjusted(-1, -1, 1, 1).contains(drawn), (drawn, view.sceneBoundingRect())
    assert label.toPlainText() in (f"deadline {milliseconds(ms)} ms", f"{milliseconds(ms)} ms")
    assert width < 700 or label.toPlainText().startswith("deadline")


def test_a_double_click_sets_the_deadline(make, qtbot) -> None:
    session, panel = make(trial())
    session.select(session.trials[0])
    qtbot.waitUntil(lambda: bars(panel).sum() == 120)
    for plot, axis in ((panel.histogram, 0), (panel.timeline, 1)):
        low, high = plot.getViewBox().viewRange()[axis]
        middle = plot.mapFromScene(plot.getViewBox().sceneBoundingRect().center())
        qtbot.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=middle)
        assert session.deadline_ms == pytest.approx((low + high) / 2, rel=0.02)
    qtbot.mouseDClick(panel.histogram.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert session.deadline_ms == pytest.approx((low + high) / 2, rel=0.02)


def test_dragging_the_line_with_the_mouse(make, qtbot) -> None:
    session, panel = make(trial())
    session.select(session.trials[0])
    session.set_deadline(4.1)
    qtbot.waitUntil(lambda: bars(panel).sum() == 120)
    view, line = panel.histogram, panel.histogram.deadline
    window = view.grab()
    assert not window.isNull()
    start = view.mapFromScene(view.getViewBox().mapViewToScene(line.pos() + type(line.pos())(0, 5)))
    before = view.getViewBox().viewRange()
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for step in (10, 25, 40):
        qtbot.mouseMove(view.viewport(), start + QPoint(step, 0))
        _move(view.viewport(), start + QPoint(step, 0))
    assert view.getViewBox().viewRange() == before
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=start + QPoint(40, 0))
    assert session.deadline_ms is not None and session.deadline_ms > 4.1


def _move(viewport, position) -> None:
    """A move with the button held, which the test library's moves are not."""
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QMouseEvent

    place = QPointF(position)
    event = QMouseEvent(
        QEvent.Type.MouseMove, place, viewport.mapToGlobal(place), Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QCoreApplication.sendEvent(viewport, event)


# -- a run ------------------------------------------------------------------------------------------


class Paints(QObject):
    """Notes each time that one of the plots is painted."""

    def __init__(self, panel) -> None:
        super().__init__(panel)
        self.count = 0
        for plot in (panel.histogram, panel.timeline):
            plot.viewport().installEventFilter(self)

    def eventFilter(self, watched, event) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_a_burst_is_painted_before_it_is_acknowledged_and_nothing_after(make, qtbot, script) -> None:
    session, panel = make()
    paints = Paints(panel)
    seen: list[tuple[int, int]] = []
    waiting, go_on = threading.Event(), threading.Event()

    def after(number: int) -> None:
        # The worker was told to go on: from here on it is timed.
        seen.append((number, paints.count))
        waiting.set()
        go_on.wait(5)
        go_on.clear()

    script.after_burst = after
    session.run_once(120)
    for number in range(1, 7):
        qtbot.waitUntil(waiting.is_set, timeout=5000)
        waiting.clear()
        assert panel.table.texts(1)[0] == str(20 * number)
        assert bars(panel).sum() >= 19 * number
        before = paints.count
        assert before == seen[-1][1] > (seen[-2][1] if number > 1 else 0)
        qtbot.wait(60)
        assert paints.count == before
        go_on.set()
    qtbot.waitUntil(lambda: session.job is None, timeout=5000)
    turn()
    assert panel._title.text() == "#1  torch fp32, 2 threads"
    assert points(panel, "after-gap")[0].size == 6


def test_a_hidden_panel_holds_nobody_back_and_catches_up(study, qtbot, script) -> None:
    session = study()
    panel = LatencyPanel(session)
    qtbot.addWidget(panel)
    script.bursts = bursts_of(40)
    with qtbot.waitSignal(session.job_ended, timeout=5000):
        session.run_once(800)
    panel.show()
    settle(qtbot, panel, 800)


def test_behind_another_tab_it_draws_nothing_but_the_window_is_painted_in_the_gap(
    study, show, qtbot, script, monkeypatch
) -> None:
    monkeypatch.setattr("workbench.gui.job.PAINT_TIMEOUT_S", 30.0)

    class Counting(QLabel):
        paints = 0

        def paintEvent(self, event):
            super().paintEvent(event)
            self.paints += 1

    session, tabs, label, seen, drawn = study(), QTabWidget(), Counting(), [], []
    panel = LatencyPanel(session)
    tabs.addTab(label, "label")
    tabs.addTab(panel, "latency")
    show(tabs, 760, 430)
    turn()
    panel.histogram.show_samples = lambda *_: drawn.append(1)
    session.job_started.connect(lambda job: job.burst.connect(lambda _: label.setText(f"burst {len(seen)}")))
    script.before_burst = lambda _: seen.append(label.paints)
    script.bursts = bursts_of(4)
    drawn.clear()
    session.run_once(80)
    qtbot.waitUntil(lambda: len(seen) == 4, timeout=5000)
    assert sorted(set(seen)) == seen and not drawn, "the label is painted after each burst"
    qtbot.waitUntil(lambda: session.job is None)


def test_each_trial_of_a_series_is_shown_alone(make, qtbot, script) -> None:
    session, panel = make()
    most = []
    session.job_started.connect(lambda job: job.burst.connect(lambda _: most.append(panel._samples.n)))
    session.pins.thorough = False
    session.pins.pin("a", Config())
    session.pins.pin("b", Config())
    with qtbot.waitSignal(session.job_ended, timeout=10_000):
        session.compare()
    assert most == [20, 40, 60, 80, 100, 120] * 4
    settle(qtbot, panel, 120)


def test_a_held_mouse_button_holds_the_worker_back(make, qtbot, script, monkeypatch) -> None:
    from workbench.gui import painted

    held = [True]
    monkeypatch.setattr(
        painted.QGuiApplication, "mouseButtons",
        lambda: Qt.MouseButton.LeftButton if held[0] else Qt.MouseButton.NoButton,
    )  # fmt: skip
    passed = threading.Event()
    script.after_burst = lambda _: passed.set()
    session, _panel = make()
    session.run_once(120)
    qtbot.wait(200)
    assert not passed.is_set()
    held[0] = False
    qtbot.waitUntil(lambda: session.job is None, timeout=5000)


def test_a_job_that_measures_nothing_leaves_the_panel_usable(make, qtbot, script) -> None:
    session, panel = make()
    script.error = UserError("No.", "Because.", "Do this.")
    with qtbot.waitSignal(session.job_ended, timeout=5000):
        session.run_once()
    turn()
    assert "Nothing measured yet" in panel._empty.text()


def test_selecting_another_trial_waits_for_the_run(make, qtbot, script) -> None:
    script.endless = True
    session, panel = make(trial())
    session.run_live()
    qtbot.waitUntil(lambda: panel._samples.n > 40, timeout=5000)
    session.select(session.trials[0])
    assert panel._title.text().startswith("Measuring torch fp32")
    with qtbot.waitSignal(session.job_ended, timeout=5000):
        session.stop()
    turn()
    assert panel._title.text().startswith("#2")
    assert panel._reason.text() == "cancelled"


def test_a_live_restart_begins_anew(make, qtbot, script) -> None:
    script.endless = True
    session, panel = make()
    session.run_live()
    qtbot.waitUntil(lambda: panel._samples.n > 100, timeout=5000)
    first = panel._samples
    session.set_knobs({"runtime.threads": 1})
    qtbot.waitUntil(lambda: panel._samples is not first and panel._samples.n > 0, timeout=5000)
    session.stop()
    qtbot.waitUntil(lambda: session.job is None, timeout=5000)


def test_closing_in_mid_run(make, qtbot, script) -> None:
    script.endless = True
    session, panel = make()
    session.run_live()
    qtbot.waitUntil(lambda: panel._samples.n > 40, timeout=5000)
    panel.close()
    count = len(session.trials)
    qtbot.wait(50)
    assert not panel.isVisible() and session.job is not None
    with qtbot.waitSignal(session.job_ended, timeout=5000):
        session.stop()
    assert len(session.trials) == count + 1


def test_a_panel_deleted_in_mid_run(study, qtbot, script) -> None:
    script.endless = True
    session = study()
    panel = LatencyPanel(session)
    with qtbot.waitExposed(panel):
        panel.show()
    session.run_live()
    qtbot.waitUntil(lambda: panel._samples.n > 40, timeout=5000)
    panel.deleteLater()
    QCoreApplication.sendPostedEvents(panel, QEvent.Type.DeferredDelete)
    qtbot.wait(50)
    session.set_deadline(3.0)
    with qtbot.waitSignal(session.job_ended, timeout=5000):
        session.stop()

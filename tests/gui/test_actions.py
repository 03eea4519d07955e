"""What can be started, stopped and taken back, on a model that a fake measures; and what went wrong is told."""

import threading

import pytest
from fake_trials import trial
from PySide6.QtCore import QMetaObject, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QUndoCommand
from PySide6.QtTest import QTest

from workbench.core.config import Config
from workbench.errors import UserError
from workbench.gui import bug_dialog
from workbench.gui.session import LIVE_RUNS


def test_run_measures_once(ready, qtbot) -> None:
    bar, seen = ready.statusBar(), []
    ready.session.job_started.connect(lambda job: job.burst.connect(lambda _: seen.append(bar.work.text())))
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.run.trigger()
        assert ready.acts.stop.isEnabled() and bar.cancel.isVisible() and not ready.acts.live.isChecked()
    assert seen[0] == "measuring 20 / 300" and seen[-1] == "measuring 120 / 300"
    assert not ready.acts.stop.isEnabled() and bar.cancel.isHidden() and bar.bar.isHidden()
    assert bar.noise.text().startswith(("quiet", "noisy", "drifting")) and len(ready.session.trials) == 1


def test_live_goes_on_until_it_is_switched_off(ready, qtbot, script) -> None:
    script.endless = True
    bursts = []
    ready.session.job_started.connect(lambda job: job.burst.connect(bursts.append))
    ready.acts.live.trigger()
    assert ready.session.job.runs == LIVE_RUNS and ready.acts.live.isChecked()
    qtbot.waitUntil(lambda: len(bursts) > 10)
    assert ready.statusBar().work.text().startswith("measuring ") and "/" not in ready.statusBar().work.text()
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.live.trigger()
    assert not ready.acts.live.isChecked() and ready.session.job is None


def test_what_a_knob_interrupts_in_live_is_not_kept_but_what_the_user_stops_is(ready, qtbot, script) -> None:
    script.endless = True
    started, bursts = [], []
    ready.session.job_started.connect(started.append)
    ready.session.job_started.connect(lambda job: job.burst.connect(bursts.append))
    ready.acts.live.trigger()
    qtbot.waitUntil(lambda: len(bursts) > 3)
    ready.session.set_knobs({"runtime.threads": 1})
    qtbot.waitUntil(lambda: len(started) == 2)
    bursts.clear()
    qtbot.waitUntil(lambda: len(bursts) > 3)
    assert ready.session.trials == [] and ready.session.store.trials() == []
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.stop.trigger()
    (kept,) = ready.session.store.trials()
    assert kept.reason == "cancelled" and kept.latency.n >= 80 and ready.session.trials == [kept]


@pytest.mark.parametrize("disturb", [True, False])
def test_a_burst_that_a_click_came_into_is_thrown_away(ready, qtbot, script, disturb) -> None:
    """Input wins: while runs may be timed somebody clicks, in the first burst and in no other."""
    clicked, thrown, bursts = threading.Event(), [], []

    def click(number: int) -> None:
        if number == 1 and not clicked.is_set():
            QMetaObject.invokeMethod(clicker, "click", Qt.ConnectionType.BlockingQueuedConnection)
            clicked.set()

    class Clicker(QObject):
        @Slot()
        def click(self) -> None:
            if disturb:
                QTest.mouseClick(ready.windowHandle(), Qt.MouseButton.LeftButton, pos=QPoint(700, 400))

    clicker = Clicker()
    script.before_burst = click
    ready.session.job_started.connect(lambda job: job.burst.connect(bursts.append))
    ready.session.job_started.connect(lambda job: job.thrown_away.connect(lambda: (thrown.append(1), job.painted())))
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.run.trigger()
    assert clicked.is_set() and len(thrown) == disturb
    assert len(bursts) == len(script.bursts) and ready.session.trials[-1].latency.n == 120


def test_cancel_in_the_status_bar_stops(ready, qtbot, script) -> None:
    script.endless = True
    ready.acts.many.trigger()
    assert ready.session.job.runs == 10_000
    with qtbot.waitSignal(ready.session.job_ended, timeout=2000):
        ready.statusBar().cancel.click()


def test_stop_also_forgets_what_was_to_run_next(ready, qtbot, script) -> None:
    script.endless = True
    ready.acts.live.trigger()
    ready.acts.run.trigger()
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.stop.trigger()
    assert ready.session.job is None


def test_a_refused_run_is_told_and_the_next_one_clears_it(ready, qtbot, script) -> None:
    script.error = UserError("No engine.", "It is not there.", "Install it.")
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.run.trigger()
    assert ready.errors.text() == "No engine.\nIt is not there.\nInstall it." and ready.errors.isVisible()
    script.error = None
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.run.trigger()
    assert ready.errors.isHidden()


def test_what_a_cancelled_run_could_not_do_is_not_told(ready, qtbot, script) -> None:
    begun = threading.Event()

    def refuse(_: int) -> None:
        begun.set()
        assert stopped.wait(10)
        raise UserError("The model could not be exported.", "cancelled.", "")

    stopped = threading.Event()
    script.before_burst = refuse
    ready.acts.run.trigger()
    qtbot.waitUntil(begun.is_set)
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.stop.trigger()
        stopped.set()
    assert ready.errors.isHidden() and ready.session.trials == []


def test_a_bug_is_told_as_ours(ready, qtbot, script, tmp_path) -> None:
    script.error = ZeroDivisionError("oh")
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.run.trigger()
    (dialog,) = bug_dialog._open
    assert "bug of ours" in dialog.text() and "ZeroDivisionError: oh" in dialog.informativeText()
    (log,) = (tmp_path / "cache" / "logs").iterdir()
    assert str(log) in dialog.informativeText() and "Traceback" in log.read_text()
    assert bug_dialog.report_bug("another") is dialog
    dialog.close()
    assert not bug_dialog._open


def test_the_selected_trial_becomes_the_baseline(ready) -> None:
    assert not ready.acts.set_baseline.isEnabled() and not ready.acts.clear_baseline.isEnabled()
    chosen = trial()
    ready.session.select(chosen)
    ready.acts.set_baseline.trigger()
    assert ready.session.baseline is chosen
    ready.acts.clear_baseline.trigger()
    assert ready.session.baseline is None


def test_undo_is_offered_with_its_text(ready) -> None:
    ready.session.undo.push(QUndoCommand("precision"))
    assert ready.acts.undo.isEnabled() and "precision" in ready.acts.undo.text()
    ready.acts.undo.trigger()
    assert ready.acts.redo.isEnabled()


def test_what_needs_pins_or_a_baseline_waits_for_them(make_window, study) -> None:
    window = make_window(study(trial(), trial()))
    session, acts = window.session, window.acts
    assert acts.climb.isEnabled() and not acts.compare.isEnabled() and not acts.against_baseline.isEnabled()
    session.set_baseline(session.trials[0])
    acts.against_baseline.trigger()
    assert acts.compare.isEnabled() and session.pins.b is session.trials[0]
    session.pins.pin("a", None)
    assert not acts.compare.isEnabled()


def test_a_series_tells_which_part_of_it_runs(ready, qtbot) -> None:
    said = []
    ready.session.job_started.connect(
        lambda job: job.burst.connect(lambda _: said.append(ready.statusBar().work.text()))
    )
    ready.session.pins.thorough = False
    ready.session.pins.pin("a", Config())
    ready.session.pins.pin("b", Config())
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.compare.trigger()
    assert said[0] == "A, process 1 of 4: measuring 20 / 100" and said[-1] == "A, process 4 of 4: measuring 120 / 100"
    assert ready.statusBar().work.text() == "idle" and len(ready.session.trials) == 4

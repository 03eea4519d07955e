"""The whole window over real workers that run a fake engine: every way a run can end leaves it usable."""

from __future__ import annotations

import pytest
from fake_engine import MODULES, model
from fake_trials import turn
from PySide6.QtCore import QSettings, QThread

from workbench.gui import tasks
from workbench.gui.main_window import MainWindow
from workbench.gui.session import Session
from workbench.study.runner import Runner, Subject

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def window(qtbot, tmp_path, this_host):
    def runner(store):
        return Runner(store, modules=MODULES, host=this_host, silence_s=2.0)

    session = Session(runner_factory=runner)
    made = MainWindow(session, QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat))
    qtbot.addWidget(made)
    made.resize(1280, 720)
    with qtbot.waitExposed(made):
        made.show()
    assert session.open_study(str(tmp_path / "study.sqlite"))
    behave(session)
    yield made
    made.close()
    assert tasks.wait(5000)
    assert not any(thread.isRunning() for thread in session.findChildren(QThread))


def behave(session: Session, behaviour: str = "") -> None:
    session.subject = Subject(model(behaviour))
    session.subject_changed.emit()


def measure(qtbot, window: MainWindow, runs: int = 20):
    with qtbot.waitSignal(window.session.job_ended, timeout=30_000) as ended:
        window.session.run_once(runs)
    return ended.args[0]


@pytest.mark.parametrize(
    ("behaviour", "status", "words"),
    [
        ("segv@run5", "failed", "SIGSEGV"),
        ("segv@load", "failed", "SIGSEGV"),
        ("hang@run5", "failed", "said nothing for 2 s"),
        ("garbage@run5", "failed", "not a report"),
        ("nan", "invalid", "not finite"),
    ],
)
def test_a_bad_ending_is_told_and_the_next_run_is_good(qtbot, window, tmp_path, behaviour, status, words) -> None:
    import numpy as np

    from workbench.core.data import DataSource

    np.save(tmp_path / "rows.npy", np.arange(32, dtype=np.float32).reshape(8, 4))
    session, panel = window.session, window.panels["latency"]
    session.subject = Subject(model(behaviour), DataSource(path=str(tmp_path / "rows.npy")))
    session.subject_changed.emit()
    trial = measure(qtbot, window)
    turn()
    assert trial.status == status and words in trial.reason
    said = panel._empty.text() if trial.latency is None else panel._reason.text()
    assert words in said and window.acts.run.isEnabled()
    behave(session)
    assert measure(qtbot, window).status == "ok"
    assert [one.status for one in session.store.trials()] == [status, "ok"]


def test_a_worker_that_hangs_is_cancelled_before_it_is_taken_for_hung(qtbot, window) -> None:
    behave(window.session, "hang@load")
    window.session.run_once()
    qtbot.waitUntil(lambda: "loading" in window.statusBar().work.text(), timeout=20_000)
    with qtbot.waitSignal(window.session.job_ended, timeout=20_000) as ended:
        window.acts.stop.trigger()
    (trial,) = ended.args
    assert trial.latency is None and "cancelled" in trial.reason, "after two seconds it would be taken for hung"
    turn()
    assert "cancelled" in window.panels["latency"]._empty.text()

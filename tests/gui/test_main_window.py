"""The shell with small stand-ins for panels: what it arranges, follows, remembers and leaves behind."""

import threading

import pytest
from PySide6.QtCore import QByteArray, Qt, QThread
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLineEdit, QMessageBox
from shell import all_actions, named, visible

from workbench.errors import UserError
from workbench.gui import theme


def test_the_start_page_comes_alone(make_window) -> None:
    window = make_window()
    assert window.stack.currentWidget() is window.start_page and not visible(window)
    assert not window.acts.run.isEnabled() and not window.acts.stop.isEnabled()
    assert window.size().width() == 1280 and window.size().height() == 720


def test_escape_closes_the_message(ready, qtbot) -> None:
    ready.session.refused.emit(UserError("Alas.", "word " * 400))
    qtbot.waitUntil(lambda: ready.errors.isVisible() and ready.errors.height() < 200)
    ready.activateWindow()
    qtbot.keyClick(ready, Qt.Key.Key_Escape)
    qtbot.waitUntil(ready.errors.isHidden)


def test_the_deadline_field_and_the_session_follow_each_other(ready) -> None:
    ready.deadline.setValue(4.5)
    assert ready.session.deadline_ms == 4.5
    ready.session.set_deadline(None)
    assert ready.deadline.text() == "none"
    ready.session.set_deadline(2.25)
    assert ready.deadline.text() == "2.250 ms"


def test_shortcuts_are_used_once_and_everything_has_a_name(ready) -> None:
    keys = [key.toString() for action in all_actions(ready) for key in action.shortcuts()]
    assert len(keys) == len(set(keys)) > 15
    assert all(action.text() for action in all_actions(ready))
    assert ready.acts.run.toolTip().startswith("Run (F5)\n")


def test_the_keyboard_reaches_every_panel(ready, qtbot) -> None:
    ready.activateWindow()
    qtbot.waitUntil(ready.isActiveWindow)
    next(action for action in all_actions(ready) if action.shortcut() == QKeySequence("Ctrl+2")).trigger()
    field = ready.panels["knobs"].findChild(QLineEdit)
    qtbot.waitUntil(field.hasFocus)
    assert not ready.docks["knobs"].visibleRegion().isEmpty()
    shortcuts = {key.toString() for action in all_actions(ready) for key in action.shortcuts()}
    assert {"Ctrl+1", "Ctrl+5", QKeySequence("F5").toString()} <= shortcuts


def test_tabs_of_the_centre_come_to_the_front_when_they_are_wanted(ready) -> None:
    latency = ready.panels["latency"]
    other = QLineEdit()
    ready.tabs.addTab(other, "other")
    ready.tabs.setCurrentWidget(other)
    next(action for action in all_actions(ready) if action.shortcut() == QKeySequence("Alt+1")).trigger()
    assert ready.tabs.currentWidget() is latency
    ready.tabs.setCurrentWidget(other)
    ready.session.panel_wanted.emit("no such panel")
    assert ready.tabs.currentWidget() is other
    ready.session.panel_wanted.emit("latency")
    assert ready.tabs.currentWidget() is latency


def test_docks_among_tabs_have_no_second_title(ready, qtbot) -> None:
    qtbot.waitUntil(lambda: ready.docks["knobs"].titleBarWidget() is not None)
    assert ready.docks["accuracy"].titleBarWidget() is None
    ready.docks["knobs"].setFloating(True)
    qtbot.waitUntil(lambda: ready.docks["knobs"].titleBarWidget() is None)
    qtbot.waitUntil(lambda: ready.docks["model"].titleBarWidget() is None)


def test_the_layout_is_remembered_and_can_be_reset(ready, make_window, study) -> None:
    ready.docks["accuracy"].hide()
    ready.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, ready.docks["log"])
    ready.resize(780, 700)  # the offscreen platform's screen has 800 × 800 pixels
    ready.close()
    again = make_window(study())
    assert again.docks["accuracy"].isHidden() and again.size().width() == 780
    assert again.dockWidgetArea(again.docks["log"]) == Qt.DockWidgetArea.RightDockWidgetArea
    named(again, "Reset layout").trigger()
    assert not again.docks["accuracy"].isHidden()
    assert again.dockWidgetArea(again.docks["log"]) == Qt.DockWidgetArea.BottomDockWidgetArea


def test_the_start_page_does_not_spoil_the_remembered_layout(ready, make_window, study) -> None:
    ready.docks["log"].hide()
    named(ready, "Start page").trigger()
    assert not visible(ready)
    ready.close()
    again = make_window(study())
    assert visible(again) == {"model", "knobs", "accuracy", "trials"}


def test_foreign_settings_do_no_harm(settings, make_window) -> None:
    settings.setValue("geometry", "nonsense")
    settings.setValue("layout", QByteArray(b"nonsense"))
    settings.setValue("theme", "pink")
    settings.setValue("recent", 3)
    assert make_window().theme_mode == "system"


def test_the_theme_is_remembered(ready, make_window, study) -> None:
    named(ready, "Dark").trigger()
    assert theme.is_dark() and ready.theme_mode == "dark"
    assert make_window(study()).theme_mode == "dark"
    named(ready, "Light").trigger()
    assert not theme.is_dark()


@pytest.mark.parametrize("size", [(1280, 720), (1024, 600)])
def test_it_fits_small_screens(ready, size) -> None:
    hint = ready.minimumSizeHint()
    assert hint.width() <= size[0] and hint.height() <= size[1]
    ready.resize(*size)
    assert (ready.width(), ready.height()) == size
    bar = ready.statusBar()
    for label in (bar.work, bar.noise, bar.host):
        assert label.height() >= label.fontMetrics().height()


def test_about_names_the_version(make_window) -> None:
    window = make_window()
    named(window, "About").trigger()
    (box,) = window.findChildren(QMessageBox)
    assert "Inference Workbench 0" in box.text()
    box.close()


def test_closing_in_mid_run_leaves_nothing(make_window, study, script, qtbot) -> None:
    script.endless = True
    before = set(threading.enumerate())
    window = make_window(study())
    bursts = []
    window.session.job_started.connect(lambda job: job.burst.connect(bursts.append))
    window.acts.live.trigger()
    qtbot.waitUntil(lambda: len(bursts) > 2)
    job = window.session.job
    window.close()
    assert job.isFinished() and not window.isVisible()
    qtbot.waitUntil(lambda: window.session.job is None)
    assert not any(thread.isRunning() for thread in window.session.findChildren(QThread))
    assert set(threading.enumerate()) - before <= {thread for thread in threading.enumerate() if thread.daemon}
    assert len(window.session.trials) == 1, "what was measured is kept"
    assert not window.session._again.isActive()

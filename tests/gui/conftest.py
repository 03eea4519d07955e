"""The window is tested without a screen: sessions with nothing real behind them, and widgets made visible."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Callable, Iterator

import pytest
from fake_trials import FakeRunnerScript, session_with
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget
from shell import PANELS

from workbench.core.trial import Trial
from workbench.gui import tasks
from workbench.gui.main_window import MainWindow
from workbench.gui.session import Session


@pytest.fixture
def session(qtbot, data_dir) -> Iterator[Session]:
    """A session without a model, which cannot measure one either."""
    session = Session(runner_factory=lambda store: None)
    yield session
    session.shutdown()


@pytest.fixture
def script() -> FakeRunnerScript:
    """What the runs of :func:`study` do."""
    return FakeRunnerScript()


@pytest.fixture
def study(qtbot, tmp_path, script) -> Iterator[Callable[..., Session]]:
    """Return a function that opens a session over a study of the given trials, with a model that a fake measures."""
    opened: list[Session] = []

    def study(*trials: Trial) -> Session:
        opened.append(session_with(tmp_path, script, list(trials)))
        return opened[-1]

    yield study
    for session in opened:
        session.shutdown()


@pytest.fixture
def show(qtbot) -> Callable[[QWidget, int, int], QWidget]:
    """Return a function that makes a widget visible at a size in pixels, and returns it."""

    def show(widget: QWidget, width: int, height: int) -> QWidget:
        qtbot.addWidget(widget)
        widget.resize(width, height)
        with qtbot.waitExposed(widget):
            widget.show()
        return widget

    return show


@pytest.fixture
def settings(tmp_path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def make_window(qtbot, settings, data_dir, tmp_path, monkeypatch) -> Iterator[Callable[..., MainWindow]]:
    """Return a function that opens a window with stand-ins for panels, over a session of its own or a given one."""
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path / "cache"))

    def make_window(session: Session | None = None) -> MainWindow:
        window = MainWindow(session or Session(), settings, PANELS)
        qtbot.addWidget(window)
        window.show()
        return window

    yield make_window
    assert tasks.wait(5000)


@pytest.fixture
def ready(make_window, study, qtbot) -> MainWindow:
    """A window on a model that a fake runner measures."""
    window = make_window(study())
    qtbot.waitUntil(lambda: window.stack.currentWidget() is window.tabs and window.updatesEnabled())
    return window

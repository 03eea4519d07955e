"""Panels come after the window: nothing heavy is imported for the start page, and who cannot wait need not."""

import subprocess
import sys

import pytest
from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QLabel, QTabBar

from workbench.gui import tasks
from workbench.gui.furnishing import Furnishing
from workbench.gui.main_window import MainWindow
from workbench.gui.panels import Panel
from workbench.gui.session import Session


@pytest.fixture
def placed() -> list[str]:
    return []


@pytest.fixture
def furnishing(qapp, placed):
    owner = QObject()
    wanted = [Panel(key, key, "left", lambda _, key=key: QLabel(key)) for key in ("a", "b", "c")]
    yield Furnishing(Session(), wanted, lambda panel, _: placed.append(panel.key), owner)
    assert tasks.wait(5000)


def test_panels_are_made_in_order_once(furnishing, placed, qtbot) -> None:
    assert placed == []
    with qtbot.waitSignal(furnishing.done):
        furnishing.begin()
        furnishing.begin()
    assert placed == ["a", "b", "c"] == list(furnishing.made)
    furnishing.finish()
    assert placed == ["a", "b", "c"]


def test_who_needs_them_now_gets_them_now(furnishing, placed) -> None:
    told = []
    furnishing.then(lambda: told.append("later"))
    furnishing.begin()
    furnishing.finish()
    furnishing.then(lambda: told.append("now"))
    assert placed == ["a", "b", "c"] and told == ["later", "now"]


def test_the_start_page_needs_no_plots_and_no_database() -> None:
    script = (
        "import sys, workbench.cli, workbench.gui.app, workbench.gui.main_window; "
        "print([name for name in ('pyqtgraph', 'sqlalchemy', 'cv2', 'torch', 'onnxruntime') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.strip() == "[]"


SIDES = ["Accuracy", "Cores", "Findings", "Knobs", "Log", "Model", "Trials"]


def test_no_tab_bar_of_an_earlier_layout_stays_in_sight(qtbot, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path))
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    for _ in range(2):  # the second one restores what the first one has left
        window = MainWindow(Session(), settings)
        qtbot.addWidget(window)
        with qtbot.waitExposed(window):
            window.show()
        assert window.session.open_model("sample:digits-mlp")

        def titles(window: MainWindow = window) -> list[str]:
            bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible() and bar.parent() is window]
            return sorted(bar.tabText(place) for bar in bars for place in range(bar.count()))

        qtbot.waitUntil(lambda: titles() == SIDES, timeout=20_000)
        window.close()
    assert tasks.wait(5000)

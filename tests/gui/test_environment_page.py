"""The machine: read in the background, told in the status bar and on a page of its own."""

import msgspec
import pytest
from PySide6.QtWidgets import QFileDialog, QLabel

from workbench.gui import main_window
from workbench.gui.environment_page import EnvironmentPage, engine_in_words, facts
from workbench.gui.status_bar import short_host
from workbench.host import recorded
from workbench.host.advice import Advice
from workbench.host.engines import EngineStatus


@pytest.fixture
def host(this_host):
    engines = (EngineStatus("torch", True, "2.8", None, None), EngineStatus("ipex", False, None, "no AVX2", None))
    return msgspec.structs.replace(this_host, engines=engines)


def test_the_machine_is_read_in_the_background(make_window, qtbot, monkeypatch, host) -> None:
    monkeypatch.setattr(main_window, "describe_host", lambda with_engines=True: host)
    window = make_window()
    assert window.statusBar().host.text() == "reading the machine …"
    with qtbot.waitSignals([window.session.host_changed] * 2):
        window.read_host()
    assert window.statusBar().host.text() == short_host(host)
    assert f"{host.cpu.physical_cores} core" in short_host(host)


def test_the_environment_says_why_an_engine_is_missing(make_window, qtbot, host) -> None:
    window = make_window()
    window.show_environment()
    window.session.set_host(host)
    page = window._page
    assert "ipex: not available: no AVX2" in page.as_text() and host.cpu.model in page.as_text()
    texts = [label.text() for label in page.findChildren(QLabel)]
    assert "not available: no AVX2" in texts and "2.8 works" in texts
    window.show_environment()
    assert window._page is page
    assert dict(facts(host))["CPU"] == host.cpu.model
    assert engine_in_words(EngineStatus("x", True, "1", None, "old")) == "1 works (old)"


def test_engines_are_tried_again_on_demand(session, qtbot, host) -> None:
    refreshed = []
    page = EnvironmentPage(session, describe=lambda refresh: refreshed.append(refresh) or host)
    qtbot.addWidget(page)
    with qtbot.waitSignal(session.host_changed):
        page._again.click()
        assert not page._again.isEnabled()
    assert refreshed == [True] and page._again.isEnabled()


def test_a_recorded_machine_is_looked_at_without_taking_this_ones_place(
    session, qtbot, host, tmp_path, monkeypatch
) -> None:
    session.set_host(host)
    page = EnvironmentPage(session)
    qtbot.addWidget(page)
    other = msgspec.structs.replace(
        host, recorded=True, warnings=("P and E cores",), advice=(Advice("Two hyper-threads", "echo off"),),
        cpu=msgspec.structs.replace(host.cpu, model="Imaginary Xeon E3"), mlock_limit_kb=64, quota_throttles=7,
    )  # fmt: skip
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "host.json"), ""))
    monkeypatch.setattr("workbench.host.recorded.load", lambda place: place.name)
    monkeypatch.setattr("workbench.host.recorded.describe", lambda name: other if name == "host.json" else host)
    page._open()
    qtbot.waitUntil(lambda: page._other is other)
    texts = [label.text() for label in page.findChildren(QLabel)]
    assert "Recorded machine" in texts and "P and E cores" in texts and "Two hyper-threads\necho off" in texts
    assert "64 KB of memory" in texts and "Imaginary Xeon E3" in page.as_text()
    assert any("7 times by the CPU quota" in text for text in texts)
    assert session.host is host and not page._again.isEnabled() and page._back.isEnabled()
    page._back.trigger()
    assert "Imaginary Xeon E3" not in page.as_text() and page._again.isEnabled()


def test_this_machine_is_recorded_in_a_file(session, qtbot, tmp_path, monkeypatch) -> None:
    place = tmp_path / "host.json"
    page = EnvironmentPage(session)
    qtbot.addWidget(page)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(place), ""))
    monkeypatch.setattr("workbench.host.recorded.record", lambda: recorded.RecordedHost(files={"proc/cpuinfo": "x"}))
    page._record()
    qtbot.waitUntil(lambda: page._state.text() == "recorded")
    assert recorded.load(place).files == {"proc/cpuinfo": "x"}

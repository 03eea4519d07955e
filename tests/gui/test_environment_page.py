"""The machine: read in the background, told in the status bar and on a page of its own."""

import msgspec
import pytest
from PySide6.QtWidgets import QLabel

from workbench.gui import main_window
from workbench.gui.environment_page import EnvironmentPage, engine_in_words, facts
from workbench.gui.status_bar import short_host
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

"""A bundle of another machine in the window: checks as they come, then the table of there and here."""

from __future__ import annotations

import shutil
import threading

import pytest
from foreign_bundle import write
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtWidgets import QFileDialog
from shell import drag

from workbench.errors import UserError
from workbench.export import arrival
from workbench.export.arrival import Arrival, Fact
from workbench.export.verify import Check
from workbench.gui.import_dialog import ImportDialog

FACTS = [
    Fact(name="CPU", there="Xeon", here="EPYC", meaning="differs"),
    Fact(name="latency p50, ms", there="4.05", here="6.00", meaning="worse", note="1.48 times as long as there"),
]


@pytest.fixture
def answer(monkeypatch):
    """What running the bundle finds; ``act`` is called after its only check."""
    answer = {"ok": True, "act": lambda: None, "folders": []}

    def arrive(folder, *, host, on_check, progress):
        answer["folders"].append(folder)
        progress("verifying", 1, 3)
        checks = [Check(name="golden outputs", ok=answer["ok"], detail="bit-identical")]
        on_check(checks[0])
        answer["act"]()
        made = {
            "name": "digits",
            "engine": "onnxruntime",
            "precision": "int8",
            "made": "2026-01-02T03",
            "made_with": "w",
        }
        return Arrival(bundle=made, ok=answer["ok"], checks=checks, facts=FACTS, latency={})

    monkeypatch.setattr(arrival, "arrive", arrive)
    return answer


@pytest.fixture
def dialog(session, show, tmp_path, answer):
    """Over a session without a model: none is needed."""
    return show(ImportDialog(session, write(tmp_path / "b")), 760, 620)


def test_it_shows_checks_facts_and_a_verdict(dialog, answer, qtbot, tmp_path):
    seen = []
    dialog._session.job_started.connect(lambda job: job.checked.connect(lambda _: seen.append(dialog.outcome.text())))
    with qtbot.waitSignal(dialog._session.job_ended):
        dialog.begin()
    assert seen == [""] and answer["folders"] == [tmp_path / "b"]
    assert dialog.checks.rows() == [("Golden outputs", True, "bit-identical")]
    assert dialog.facts.rows()[1] == ("latency p50, ms", "4.05", "6.00", "1.48 times as long as there")
    assert dialog.title.text() == "digits: onnxruntime INT8, made on 2026-01-02 with w"
    assert dialog.outcome.text() == "It answers here as it did there; the table tells how fast."
    assert dialog.stop.text() == "Close"


def test_a_failed_check_says_do_not_use_it(dialog, answer, qtbot):
    answer["ok"] = False
    with qtbot.waitSignal(dialog._session.job_ended):
        dialog.begin()
    assert dialog.outcome.text().startswith("Do not use it here") and dialog.facts.rows()


def test_a_refusal_is_told(dialog, answer, qtbot):
    def refuse():
        raise UserError("It is no bundle.", "manifest.json: gone.", "Copy it anew.")

    answer["act"] = refuse
    with qtbot.waitSignal(dialog._session.job_ended):
        dialog.begin()
    assert dialog.outcome.text() == "It is no bundle.\nmanifest.json: gone.\nCopy it anew."


def test_closing_it_cancels(dialog, answer, qtbot):
    go = threading.Event()
    answer["act"] = lambda: go.wait(5)
    arrived = []
    dialog._session.job_started.connect(lambda job: job.arrived.connect(arrived.append))
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.checks.rows() != [])
    with qtbot.waitSignal(dialog._session.job_ended):
        dialog.close()
        go.set()
    assert not arrived and dialog.isHidden()


def test_the_menu_asks_for_a_bundle(ready, answer, qtbot, tmp_path, monkeypatch):
    place = write(tmp_path / "bundle")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(place / "manifest.json"), ""))
    with qtbot.waitSignal(ready.session.job_ended):
        ready.acts.open_bundle.trigger()
    assert answer["folders"] == [place] and ready.delivery.arrival.isVisible()
    ready.delivery.arrival.close()
    assert ready.delivery.arrival is None


@pytest.mark.parametrize("kind", ["folder", "manifest", "zip"])
def test_a_bundle_can_be_dropped_on_the_window_without_a_model(make_window, answer, qtbot, tmp_path, kind):
    window, place = make_window(), write(tmp_path / "bundle")
    (place / "run.py").write_text("")
    packed = shutil.make_archive(str(tmp_path / "b"), "zip", place)
    what = {"folder": place, "manifest": place / "manifest.json", "zip": packed}[kind]
    entering = drag(what, QDragEnterEvent)
    entering.ignore()
    window.dragEnterEvent(entering)
    assert entering.isAccepted()
    with qtbot.waitSignal(window.session.job_ended):
        window.dropEvent(drag(what))
    dialog = window.delivery.arrival
    assert dialog.isVisible() and dialog.checks.rows() == [("Golden outputs", True, "bit-identical")]
    assert answer["folders"] == [place] if kind != "zip" else answer["folders"][0].name.startswith("bundle-")
    assert window.session.subject is None and window.errors.isHidden()
    dialog.close()

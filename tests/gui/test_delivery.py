"""Exports and reports from the window's menus."""

from __future__ import annotations

import pytest
from fake_trials import failed, trial
from PySide6.QtWidgets import QFileDialog, QMessageBox

from workbench.errors import UserError
from workbench.gui import delivery, tasks


@pytest.fixture
def window(make_window, study, qtbot):
    window = make_window(study(trial(), failed()))
    qtbot.waitUntil(lambda: window.stack.currentWidget() is window.tabs and window.updatesEnabled())
    return window


def test_what_needs_a_trial_waits_for_one(window):
    assert not window.acts.export.isEnabled() and window.acts.export.shortcut().toString() == "Ctrl+E"
    assert not any(action.isEnabled() for action in window.acts.reports)
    window.session.select(window.session.trials[0])
    assert window.acts.export.isEnabled() and all(action.isEnabled() for action in window.acts.reports)
    window.session.select(window.session.trials[1])
    assert window.acts.export.isEnabled() and not any(action.isEnabled() for action in window.acts.reports)


def test_one_dialog_is_open_and_the_folder_is_remembered(window, tmp_path):
    window.session.select(window.session.trials[0])
    window.acts.export.trigger()
    first = window.delivery.dialog
    assert first.isVisible() and first._trial is window.session.trials[0]
    window.session.export_wanted.emit(window.session.trials[1])
    assert window.delivery.dialog is first
    first.place.setText(str(tmp_path / "x"))
    first.close()
    assert window.delivery.dialog is None
    window.session.export_wanted.emit(window.session.trials[1])
    assert window.delivery.dialog.out().parent == tmp_path
    window.delivery.dialog.close()


def test_a_report_is_written_in_the_chosen_language_and_offered(window, tmp_path, monkeypatch, qtbot):
    ran = []
    monkeypatch.setattr(delivery, "_run", ran.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "r"), ""))
    window.session.select(window.session.trials[0])
    window.acts.reports[1].trigger()
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    box = window.findChild(QMessageBox)
    assert box.informativeText() == str(tmp_path / "r.html")
    box.close()
    assert ran == [[
        "report", "--study", window.session.store.place, "--trial", "1", "--out", str(tmp_path / "r.html"),
        "--language", "zh_CN",
    ]]  # fmt: skip


def test_the_verb_makes_it_and_its_refusal_becomes_an_error(window, tmp_path, qtbot):
    told = []
    window.session.refused.connect(told.append)
    first = window.session.trials[0]
    window.delivery.write_report(first, tmp_path / "nowhere" / "r.html", "en")
    qtbot.waitUntil(lambda: told != [] and tasks.idle(), timeout=20000)
    assert told[0].what.startswith("The report could not be written") and told[0].next_step == "Choose another --out."
    window.delivery.write_report(first, tmp_path / "r.html", "en")
    qtbot.waitUntil(tasks.idle, timeout=20000)
    assert len(told) == 1 and "</html>" in (tmp_path / "r.html").read_text("utf-8")


def test_whatever_a_verb_says_is_told():
    with pytest.raises(UserError, match="report"):
        delivery._run(["reprot"])

"""The dialog that exports a trial: what it asks, what it shows while a stand-in exports, how it ends."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake_trials import accuracy_of, failed, trial
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices

from workbench.errors import UserError
from workbench.export import bundle
from workbench.export.verify import Check, Verification
from workbench.gui import bundle_jobs
from workbench.gui.export_dialog import ExportDialog

CHECKS = [
    Check(name="files", ok=True, detail=""), Check(name="golden outputs", ok=True, detail="bit-identical"),
    Check(name="latency", ok=True, detail="the same: 1.01 times the trial, side by side, 95 % interval 0.98 to 1.04"),
]  # fmt: skip


class Exporter:
    """Stands in for :func:`workbench.export.bundle.export`; *act* says how it goes on after the checks."""

    def __init__(self) -> None:
        self.calls: list[tuple] = []
        self.checks = CHECKS
        self.trial = trial()
        self.act = lambda out, listener: None

    def __call__(self, runner, subject, config, out: Path, *, number, deadline_ms, listener, on_check):
        self.calls.append((subject, config, out, number, deadline_ms))
        listener.begin(config)
        listener.progress("comparing the bundle with the trial", 1, 3)
        for check in self.checks:
            on_check(check)
        self.act(out, listener)
        if self.trial.status != "ok":
            return self.trial, None
        ok = all(check.ok for check in self.checks)
        if ok:
            out.mkdir()
        return self.trial, Verification(ok=ok, checks=self.checks)


@pytest.fixture
def exporter(monkeypatch):
    exporter = Exporter()
    monkeypatch.setattr(bundle, "export", exporter)
    monkeypatch.setattr(bundle_jobs, "subject_of", lambda trial: f"subject of {trial.id}")
    return exporter


@pytest.fixture
def dialog(study, show, tmp_path, exporter):
    session = study(trial(accuracy=accuracy_of(["a.png"])))
    dialog = ExportDialog(session, session.trials[0], tmp_path)
    return show(dialog, 620, 470)


def wait_for(dialog, qtbot) -> None:
    with qtbot.waitSignal(dialog._session.job_ended, timeout=5000):
        dialog.go.click()


def test_it_proposes_a_place_and_follows_what_is_typed(dialog, tmp_path):
    assert dialog.out() == tmp_path / "m-1" and dialog.kind.value() == "folder" and dialog.go.isEnabled()
    dialog.kind.button("zip").click()
    assert dialog.out() == tmp_path / "m-1.zip"
    dialog.place.setText(str(tmp_path / "line 2.v3"))
    assert dialog.kind.value() == "folder"
    dialog.kind.button("zip").click()
    assert dialog.out() == tmp_path / "line 2.v3.zip"
    dialog.kind.button("folder").click()
    assert dialog.out() == tmp_path / "line 2.v3"


def test_a_place_that_cannot_be_is_refused_before_anything_runs(dialog, tmp_path):
    (tmp_path / "taken").mkdir()
    dialog.place.setText(str(tmp_path / "taken"))
    assert dialog.go.isEnabled(), "an empty folder is as good as none"
    (tmp_path / "taken" / "file").touch()
    dialog._judge()
    assert not dialog.go.isEnabled() and "taken exists already" in dialog.fault.text()
    dialog.place.setText("relative")
    assert not dialog.go.isEnabled() and "whole path" in dialog.fault.text()
    dialog.place.setText("")
    assert not dialog.go.isEnabled() and dialog.fault.isHidden()


def test_a_trial_that_is_not_ok_cannot_be_exported(study, show, tmp_path):
    session = study(failed())
    dialog = show(ExportDialog(session, session.trials[0], tmp_path), 620, 470)
    assert not dialog.go.isEnabled() and "signal 11" in dialog.fault.text()


def test_checks_are_shown_as_they_come_and_ok_comes_last(dialog, exporter, qtbot, monkeypatch):
    seen = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: seen.append(url.toLocalFile()))
    dialog._session.job_started.connect(
        lambda job: job.checked.connect(lambda _: seen.append((len(dialog.checks.rows()), dialog.outcome.text())))
    )
    wait_for(dialog, qtbot)
    assert seen == [(1, ""), (2, ""), (3, "")]
    assert dialog.checks.rows()[1] == ("Golden outputs", True, "bit-identical")
    assert dialog.outcome.text() == f"Export OK: {dialog.out()}" and dialog.go.isHidden()
    ((subject, config, out, number, deadline_ms),) = exporter.calls
    assert (subject, out, number, deadline_ms) == ("subject of 1", dialog.out(), 1, None)
    assert config.to_dict() == dialog._trial.config
    assert len(dialog._session.trials) == 1, "what was measured for the bundle is in no study"
    dialog.show_folder.click()
    assert seen[-1] == str(dialog.out())
    dialog.stop.click()
    assert dialog.isHidden()


def test_a_failed_check_is_no_export(dialog, exporter, qtbot):
    exporter.checks = [CHECKS[0], Check(name="golden outputs", ok=False, detail="The outputs differ.")]
    wait_for(dialog, qtbot)
    assert dialog.outcome.text().startswith("Nothing was exported: a check failed")
    assert not dialog.checks.rows()[1][1] and dialog.show_folder.isHidden() and dialog.go.isEnabled()


def test_a_refusal_says_what_why_and_what_next(dialog, exporter, qtbot):
    def refuse(*_):
        raise UserError("The disk is full.", "No space left.", "Choose another place.")

    exporter.act = refuse
    wait_for(dialog, qtbot)
    assert dialog.outcome.text() == "The disk is full.\nNo space left.\nChoose another place."
    exporter.act = lambda *_: None
    wait_for(dialog, qtbot)
    assert dialog.outcome.text().startswith("Export OK"), "again, in the same dialog"


def test_a_trial_that_fails_this_time_and_a_bug_are_told(dialog, exporter, qtbot):
    exporter.trial = failed()
    wait_for(dialog, qtbot)
    assert "the trial is failed this time: the worker crashed" in dialog.outcome.text()
    exporter.act = lambda *_: 1 / 0
    broke = []
    dialog._session.broke.connect(broke.append)
    wait_for(dialog, qtbot)
    assert "ZeroDivisionError" in broke[0] and "bug of ours" in dialog.outcome.text()


def test_cancelling_ends_the_processes_of_the_bundle_within_two_seconds(dialog, exporter, qtbot):
    """The stand-in runs a bundle that would go on for a minute, as the real one does where nothing can end it."""

    def run_for_long(out, listener):
        folder = out.parent / f".{out.stem}-abc"
        folder.mkdir()
        (folder / "run.py").write_text("import time; time.sleep(60)")
        if subprocess.run([sys.executable, str(folder / "run.py")], check=False).returncode:
            raise UserError("The bundle does not run (exit -9).")

    exporter.act = run_for_long
    dialog.go.click()
    qtbot.waitUntil(lambda: len(dialog.checks.rows()) == 3)
    assert dialog.stop.text() == "Cancel"
    begun = time.monotonic()
    with qtbot.waitSignal(dialog._session.job_ended, timeout=5000):
        qtbot.mouseClick(dialog.stop, Qt.MouseButton.LeftButton)
    assert time.monotonic() - begun < 2.0
    qtbot.waitUntil(lambda: dialog.outcome.text() == "Cancelled; nothing was exported.")
    assert dialog.stop.text() == "Close" and not dialog.out().exists()


def test_closed_while_it_exports_it_comes_back_at_the_end(dialog, exporter, qtbot):
    exporter.act = lambda *_: dialog.isHidden() or time.sleep(0.2)
    dialog.go.click()
    dialog.close()
    assert dialog.isHidden()
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.outcome.text().startswith("Export OK")


def test_a_run_that_must_make_room_is_waited_for(dialog, exporter, qtbot, script):
    script.endless = True
    session = dialog._session
    session.job_started.connect(lambda job: job.burst.connect(lambda _: job.painted()))
    session.run_live()
    ends = []
    session.job_ended.connect(ends.append)
    dialog.go.click()
    qtbot.waitUntil(lambda: dialog.outcome.text() != "")
    qtbot.waitUntil(lambda: len(ends) == 2)
    assert dialog.outcome.text().startswith("Export OK") and not session.live

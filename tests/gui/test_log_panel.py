"""The log: what is written when, and what the filter, the clipboard and a flood make of it."""

from datetime import datetime

import pytest
from fake_trials import bursts_of
from PySide6.QtGui import QGuiApplication

from workbench.errors import UserError
from workbench.gui.log import MOST
from workbench.gui.log_panel import LogPanel


@pytest.fixture
def session(study, script):
    script.bursts = bursts_of(1, 120)
    return study()


@pytest.fixture
def panel(session, qtbot):
    panel = LogPanel(session)
    qtbot.addWidget(panel)
    panel.log._now = lambda: datetime(2026, 3, 4, 5, 6, 7)
    session.job_started.connect(lambda job: job.burst.connect(lambda _: job.painted()))
    return panel


def run(session, qtbot) -> None:
    with qtbot.waitSignal(session.job_ended, timeout=5000):
        session.run_once(120)


def levels(panel) -> list[str]:
    return [entry.level for entry in panel.log.entries]


def test_nothing_yet(panel) -> None:
    assert panel._pages.currentIndex() == 0
    panel.copy()
    assert QGuiApplication.clipboard().text() == ""


def test_a_run_leaves_its_phases_notices_and_result(panel, session, script, qtbot) -> None:
    script.changes = {
        "warnings": ["only a fake", "the CPU was throttled"],
        "library_warnings": ["UserWarning: old"],
    }
    run(session, qtbot)
    texts = [entry.text for entry in panel.log.entries]
    assert texts[:5] == ["Starting torch fp32", "loading", "only a fake", "warming up", "timing"]
    assert texts[5:7] == ["the CPU was throttled", "UserWarning: old"]
    assert texts[7].startswith("#1  torch fp32, 2 threads: p50 ") and texts[7].endswith("120 runs, 3 FP32 kernels ✓")
    assert levels(panel) == ["phase"] * 2 + ["notice"] + ["phase"] * 2 + ["notice", "library", "phase"]
    assert panel.text.toPlainText().splitlines()[0] == "05:06:07\t·\tStarting torch fp32"


def test_a_refusal_says_what_why_and_what_next(panel, session, script, qtbot) -> None:
    script.error = UserError("What.", "Why.", "Next.")
    run(session, qtbot)
    assert panel.log.entries[-1].level == "error" and panel.log.entries[-1].text == "What.\nWhy.\nNext."
    panel.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[-3].startswith("2026-03-04 05:06:07 error   What.") and lines[-1] == " " * 28 + "Next."


def test_a_bug_is_called_one(panel, session, script, qtbot) -> None:
    script.error = ZeroDivisionError("oops")
    run(session, qtbot)
    assert "bug of the workbench" in panel.log.entries[-1].text and "oops" in panel.log.entries[-1].text


def test_a_trial_that_is_not_ok_is_an_error(panel, session, script, qtbot) -> None:
    script.changes = {"status": "invalid", "reason": "no INT8 kernel ran"}
    run(session, qtbot)
    assert panel.log.entries[-1].level == "error"
    assert panel.log.entries[-1].text == "#1  torch fp32, 2 threads invalid: no INT8 kernel ran"


def test_levels_are_filtered(panel) -> None:
    for level in ("phase", "notice", "library", "error"):
        panel.log.add(level, f"a {level}")
    panel.levels["library"].setChecked(False)
    panel.levels["phase"].setChecked(False)
    assert panel.text.toPlainText().splitlines() == ["05:06:07\t!\ta notice", "05:06:07\t✗\ta error"]
    panel.log.add("phase", "unseen")
    panel.copy()
    assert "unseen" not in QGuiApplication.clipboard().text()
    panel.levels["phase"].setChecked(True)
    assert panel.text.toPlainText().splitlines()[-1].endswith("unseen")


def test_clear(panel) -> None:
    panel.log.add("error", "x")
    assert panel._pages.currentIndex() == 1
    panel.log.clear()
    assert panel.text.toPlainText() == "" and panel._pages.currentIndex() == 0


def test_odd_texts(panel) -> None:
    for text in ("", "  \n ", "<b>no markup</b> & so on", "x" * 100_000, "a\rb\x00c", "多行\n文本"):
        panel.log.add("library", text)
    assert len(panel.log.entries) == 4
    assert "<b>no markup</b>" in panel.text.toPlainText() and len(panel.log.entries[1].text) < 5000


def test_a_flood_keeps_the_newest(panel) -> None:
    for number in range(MOST + 500):
        panel.log.add("library", f"line {number}")
    assert len(panel.log.entries) == MOST and panel.log.entries[-1].text == f"line {MOST + 499}"
    panel.show_all()
    assert panel.text.document().blockCount() <= 500
    assert panel.text.toPlainText().splitlines()[-1].endswith(f"line {MOST + 499}")
    panel.copy()
    assert len(QGuiApplication.clipboard().text().splitlines()) == MOST


def test_a_library_that_will_not_stop(panel, session, script, qtbot) -> None:
    script.changes = {"library_warnings": [f"warning {number // 2}" for number in range(1000)]}
    run(session, qtbot)
    said = [entry.text for entry in panel.log.entries if entry.level == "library"]
    assert len(said) == 51 and said[0] == "warning 0" and said[-1] == "450 more in the trial's record"


def test_reading_back_is_not_disturbed(panel, show) -> None:
    show(panel, 400, 120)
    for number in range(100):
        panel.log.add("phase", f"line {number}")
    bar = panel.text.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    bar.setValue(0)
    panel.log.add("phase", "new")
    assert bar.value() == 0


def test_a_window_in_another_language_goes_on_with_the_lines_so_far(panel, session, qtbot) -> None:
    panel.log.add("notice", "said before")
    later = LogPanel(session)
    qtbot.addWidget(later)
    assert later._pages.currentIndex() == 1 and "said before" in later.text.toPlainText()
    session.log.add("notice", "said after")
    assert later.text.toPlainText().count("said after") == 1

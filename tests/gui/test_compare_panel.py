"""The compare panel: what is pinned is compared, measured side by side, stored, and told in words."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from fake_engine import MODULES, model
from fake_trials import FakeRunnerScript, accuracy_of, bursts_of, effective, failed, proof, trial, weird
from PySide6.QtCore import Qt

from workbench.core.config import Config
from workbench.core.trial import Layer, ModelFacts
from workbench.errors import UserError
from workbench.gui import compare_words, tasks
from workbench.gui.compare_panel import ComparePanel
from workbench.gui.main_window import MainWindow
from workbench.gui.pin_choices import PinChoices
from workbench.gui.session import Session
from workbench.study import compare as comparing
from workbench.study.runner import Runner, Subject

FP32 = Config({"runtime.threads": 2})
INT8 = Config({"precision": "int8", "runtime.threads": 2})


def layered(dtype: str, ms: float):
    layer = Layer(name="conv", op="conv2d", kind="conv", macs=10, inputs=["input:x"])
    kernel = msgspec.structs.replace(proof().kernels[0], dtype=dtype, kernel=f"brg:{dtype}", ms=ms)
    return {"layers": [layer], "proof": proof(kernels=[kernel])}


@pytest.fixture
def script():
    script = FakeRunnerScript()
    script.prepare = lambda config: bursts_of(6, median_ms=2.0 if config.precision == "int8" else 4.0)
    return script


@pytest.fixture
def make(study, show):
    """Return a function that opens a panel over a study of the given trials."""

    def make(*trials):
        session = study(*trials)
        session.job_started.connect(lambda job: job.burst.connect(lambda _: job.painted()))
        return session, show(ComparePanel(session), 650, 420)

    yield make
    assert tasks.wait(5000)


def settle(qtbot):
    qtbot.waitUntil(tasks.idle, timeout=5000)


def pin(qtbot, session, a, b):
    session.pins.pin("a", a)
    session.pins.pin("b", b)
    settle(qtbot)


# -- two stored trials --------------------------------------------------------------------------------


def test_what_to_do_where_nothing_is_pinned(make) -> None:
    session, panel = make()
    assert "Nothing to compare yet" in panel._empty.text() and "pin it" in panel._empty.text()
    assert not panel.measure.isEnabled() and "Choose A and B" in panel.measure.toolTip()
    session.subject = None
    session.subject_changed.emit()
    assert "Open the model" in panel.measure.toolTip() and not panel.itself.isEnabled()


def test_two_stored_trials_say_little_and_it_says_so(make, qtbot) -> None:
    fast = trial(INT8, accuracy=accuracy_of(["a", "b"]), **layered("int8", 1.0))
    slow = trial(FP32, accuracy=accuracy_of(["a", "b"], good=2), **layered("fp32", 3.0))
    session, panel = make(fast, slow)
    pin(qtbot, session, *session.trials)
    assert panel._pages.currentIndex() == 1
    assert panel.verdict.text() == "No difference shown", "session_with stores the same samples for both"
    assert panel.detail.text().startswith("A takes 1.000× as long as B; 95 % interval 0.")
    assert panel.detail.text().endswith("; 1 process each") and "says little" in panel.caution.text()
    assert panel.figures.texts(1)[:2] == ["1", "120"] and panel.figures.texts(3)[3] == "1.00×"
    assert panel.accuracy.texts(1)[4] == "50.0%" and panel.accuracy.texts(2)[4] == "100.0%"
    place = panel.settings.texts(0).index("precision")
    assert [panel.settings.texts(column)[place] for column in (1, 2)] == ["int8", "fp32"]
    assert panel.layers.texts(0) == ["conv"] and panel.layers.texts(1) == ["int8  brg:int8"]
    assert panel.layers.texts(5) == ["−2.00"] and panel.same_layers.isHidden()
    session.pins.swap()
    settle(qtbot)
    assert panel.layers.texts(5) == ["+2.00"] and panel.accuracy.texts(1)[4] == "100.0%"


def test_what_makes_the_figures_doubtful_is_told(make, qtbot) -> None:
    other = ModelFacts(path="/m.pt", format="torchscript", sha256="cd" * 32, name="m")
    noisy = msgspec.structs.replace(trial().latency, stable=False, noise="noisy: so it is")
    session, panel = make(
        trial(status="invalid", reason="no INT8 kernel ran", host={"cpu": {"model": "x"}}),
        trial(latency=noisy, model=other, host={"cpu": {"model": "y"}}),
    )
    pin(qtbot, session, *session.trials)
    assert panel.caution.text().splitlines()[1:] == [
        "A is invalid: no INT8 kernel ran", "B: noisy: so it is", "The model has changed between A and B.",
        "A and B were measured on different machines.",
    ]  # fmt: skip


def test_the_plots_share_an_axis_and_show_every_run(make, qtbot) -> None:
    session, panel = make(trial(), trial())
    pin(qtbot, session, *session.trials)
    plots = panel.plots
    assert np.asarray(plots.histograms.a.opts["height"]).sum() == pytest.approx(100.0, abs=2)
    assert plots.histograms.b.getData()[1].sum() == pytest.approx(100.0, abs=2)
    x, y = plots.below.a.getData()
    assert (np.diff(y) >= 0).all() and (np.diff(x) >= 0).all() and (y[0], y[-1]) == (0.0, 100.0)
    assert plots.medians.a.getData()[0] == pytest.approx([session.trials[0].latency.p50_ms], rel=0.02)
    views = [plot.getViewBox().viewRange()[0] for plot in (plots.histograms, plots.below, plots.medians)]
    assert views[0] == views[1] == views[2]


def test_missed_deadlines_are_counted_on_both_sides(make, qtbot) -> None:
    session, panel = make(trial(), trial())
    pin(qtbot, session, *session.trials)
    assert panel.figures.texts(1)[7] == "–"
    session.set_deadline(session.trials[0].latency.p50_ms)
    missed = int(panel.figures.texts(1)[7])
    assert 20 < missed < 100 and panel.figures.texts(2)[7] == str(missed)


def test_boxes_offer_the_trials_that_were_timed_newest_first(make, qtbot) -> None:
    session, panel = make(trial(INT8), failed(), trial(FP32))
    box = panel.boxes["a"]
    texts = [box.itemText(row) for row in range(box.count())]
    assert [text[:2] for text in texts[1:]] == ["#3", "#1"] and texts[0].startswith("Current knobs: torch fp32")
    assert box.currentIndex() == -1 and box.placeholderText() == "Choose a trial"
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_End)
    assert session.pins.a.id == 1 and session.pins.b is None
    session.set_knobs({"precision": "int8"})
    assert box.itemText(0) == "Current knobs: torch int8" and box.currentIndex() == 2


def test_a_config_that_was_not_measured_shows_what_differs(make, qtbot) -> None:
    session, panel = make(trial(FP32))
    session.set_knobs({"precision": "int8", "run.batch": 2})
    session.set_baseline(session.trials[0])
    wanted = []
    session.panel_wanted.connect(wanted.append)
    session.pins.current_against_baseline()
    settle(qtbot)
    assert wanted == ["compare"] and session.pins.a == session.config
    assert panel.verdict.text() == "A has not been measured yet" and panel.measure.isEnabled()
    assert "run.batch" in panel.settings.texts(0) and panel._layers_section.isHidden()
    assert panel.boxes["a"].placeholderText() == "not measured yet: torch int8"
    session.pins.pin("b", Config())
    settle(qtbot)
    assert panel.verdict.text() == "Neither side has been measured yet" and panel._both.isHidden()


def test_the_trial_of_the_current_config_is_taken_where_there_is_one(make) -> None:
    session, _ = make(trial(FP32), trial(FP32), trial(FP32, status="invalid"))
    session.set_config(FP32, "x")
    assert session.pins.current() is session.trials[1]


def test_nothing_is_read_for_a_hidden_panel(study, show, qtbot) -> None:
    session = study(trial(), trial())
    panel = ComparePanel(session)
    pin(qtbot, session, *session.trials)
    assert panel._shown is None
    show(panel, 650, 420)
    qtbot.waitUntil(lambda: panel._shown is not None)


def test_a_deleted_trial_is_no_longer_pinned_and_another_study_forgets_both(make, qtbot, tmp_path) -> None:
    session, panel = make(trial(), trial())
    pin(qtbot, session, *session.trials)
    session.marks.delete([session.trials[0]])
    assert session.pins.a is None and session.pins.b is not None and panel._pages.currentIndex() == 0
    assert session.open_study(str(tmp_path / "other.sqlite"))
    assert session.pins.b is None


def test_odd_records_are_told(make, qtbot) -> None:
    session, panel = make(trial())
    (good,) = session.trials
    for record in weird():
        pin(qtbot, session, msgspec.structs.replace(record, id=1), good)
        for column in (1, 2, 3):
            assert not any("nan" in text or "None" in text for text in panel.figures.texts(column))
        assert not panel.grab().isNull()
    session.pins.pin("a", msgspec.structs.replace(good, config={"engine": "abacus"}))
    settle(qtbot)
    assert panel._pages.currentIndex() == 0


# -- side by side -------------------------------------------------------------------------------------


def measure(qtbot, session, timeout=10_000):
    with qtbot.waitSignal(session.job_ended, timeout=timeout):
        session.compare()
    settle(qtbot)


def test_measuring_side_by_side_is_shown_as_it_grows_and_stored(make, qtbot, script) -> None:
    session, panel = make(trial(INT8), trial(FP32))
    pin(qtbot, session, *session.trials)
    panel.care.button(False).click()
    assert session.pins.thorough is False
    parts, verdicts = [], []
    session.job_started.connect(lambda job: job.began.connect(lambda _, part: parts.append(part)))
    session.pins.changed.connect(lambda: verdicts.append(tuple(map(len, session.pins.trials()))))
    with qtbot.waitSignal(session.job_ended):
        panel.measure.click()
        assert panel.measure.text() == "Stop" and not panel.care.isEnabled() and not panel.progress.isHidden()
    settle(qtbot)
    assert parts == [f"{side}, process {n} of 4" for n, side in enumerate("ABBA", start=1)]
    assert verdicts[-1] == (2, 2) and (1, 1) in verdicts
    assert panel.verdict.text() == "A is 2.00× as fast as B" and panel.detail.text().endswith("; 2 processes each")
    assert "16 %" in panel.caution.text() and panel.progress.isHidden()
    assert panel.figures.texts(1)[:2] == ["2", "240"] and len(panel.plots.medians.b.getData()[0]) == 2
    assert comparing.side_by_side(session.store) == [([3, 6], [4, 5])]
    assert (session.pins.a.id, session.pins.b.id) == (3, 4) and len(session.trials) == 6
    place = session.store.place
    session.open_study(place)
    settle(qtbot)
    by_number = {each.id: each for each in session.trials}
    pin(qtbot, session, by_number[5], by_number[3])
    assert panel.verdict.text() == "B is 2.00× as fast as A" and panel.figures.texts(1)[0] == "2"


def test_five_processes_need_no_caution(make, qtbot) -> None:
    session, panel = make(trial(INT8), trial(FP32))
    pin(qtbot, session, *session.trials)
    measure(qtbot, session)
    assert panel.detail.text().endswith("; 5 processes each") and panel.caution.isHidden()
    assert panel.figures.texts(2)[0] == "5"


def test_a_config_is_measured_against_itself_and_told_in_the_words_of_the_command_line(make, qtbot) -> None:
    session, panel = make(trial(INT8))
    session.set_config(FP32, "x")
    selected, knobs = panel.itself.menu().actions()
    panel.itself.menu().aboutToShow.emit()
    assert (selected.text(), knobs.text()) == ("No trial is selected", "Current knobs: torch fp32, 2 threads")
    session.select(session.trials[0])
    panel.itself.menu().aboutToShow.emit()
    assert selected.text().startswith("Selected trial: #1") and selected.isEnabled()
    panel.care.button(False).click()
    with qtbot.waitSignal(session.job_ended):
        selected.trigger()
        assert not panel.itself.isEnabled() and panel.measure.text() == "Stop"
    settle(qtbot)
    assert [each.config["precision"] for each in session.trials] == ["int8"] * 5
    assert comparing.side_by_side(session.store) == [([2, 5], [3, 4])]
    assert panel.verdict.text() == panel._shown.found.itself
    assert "differs from itself by at most" in panel.verdict.text()
    assert panel.detail.text().endswith("; 2 processes each") and not panel.same_settings.isHidden()
    with qtbot.waitSignal(session.job_ended):
        knobs.trigger()
    assert {each.config["precision"] for each in session.trials[5:]} == {"fp32"}


def test_a_machine_that_differs_from_itself_is_called_too_restless(make, qtbot, script) -> None:
    session, panel = make()
    order = []
    session.job_started.connect(lambda job: job.began.connect(lambda _, part: order.append(part[0])))
    medians = iter([2.0 if side == "A" else 4.0 for side in "ABBAABBAAB"])
    script.prepare = lambda _: bursts_of(6, median_ms=next(medians))
    with qtbot.waitSignal(session.job_ended, timeout=10_000):
        session.pins.measure_against_itself()
    settle(qtbot)
    assert "".join(order) == "ABBAABBAAB"
    assert panel.verdict.text().startswith("This machine differs from itself by up to 1")
    assert panel.caution.text() == comparing.FALSE_ALARM


def test_stopping_keeps_the_pairs_that_are_there(make, qtbot, script) -> None:
    session, panel = make(trial(INT8), trial(FP32))
    pin(qtbot, session, *session.trials)
    begun = []

    def prepare(config):
        begun.append(config)
        script.endless = len(begun) == 4
        return bursts_of(6, median_ms=2.0 if config.precision == "int8" else 4.0)

    script.prepare = prepare
    session.compare()
    qtbot.waitUntil(lambda: len(begun) == 4)
    with qtbot.waitSignal(session.job_ended, timeout=3000):
        panel.measure.click()
    settle(qtbot)
    assert comparing.side_by_side(session.store) == [([3], [4, 5])]
    assert session.trials[-1].reason == "cancelled" and len(session.trials) == 6
    assert panel.figures.texts(1)[0] == "1" and panel.figures.texts(2)[0] == "2"
    assert panel.measure.text() == "Measure side by side"


def test_a_side_that_fails_ends_it_with_words(make, qtbot, script) -> None:
    session, _panel = make(trial(INT8), trial(FP32))
    pin(qtbot, session, *session.trials)
    script.changes = {"status": "invalid", "reason": "no INT8 kernel ran"}
    told = []
    session.refused.connect(told.append)
    measure(qtbot, session)
    (error,) = told
    assert isinstance(error, UserError) and "trial 3" in error.what and error.why == "no INT8 kernel ran"
    assert session.pins.a.id == 1, "what was pinned stays"


def test_one_job_at_a_time(make, qtbot, script) -> None:
    session, _panel = make(trial(INT8), trial(FP32))
    pin(qtbot, session, *session.trials)
    script.endless = True
    started = []
    session.job_started.connect(started.append)
    session.run_live()
    qtbot.waitUntil(lambda: session.job.isRunning())
    script.endless = False
    measure(qtbot, session)
    qtbot.waitUntil(lambda: session.job is None, timeout=10_000)
    assert [type(job).__name__ for job in started] == ["Measuring", "Comparing"] and not session.live


# -- words and choices --------------------------------------------------------------------------------


def test_verdicts_in_words() -> None:
    one = comparing.judge(([trial(id=1)], [bursts_of(6)]), ([trial(id=2)], [bursts_of(6, median_ms=0.2)]))
    assert compare_words.verdict_in_words(one)[0] == "B is 20.0× as fast as A"
    text = compare_words.verdict_in_words(msgspec.structs.replace(one, verdict="same", ratio=0.9951))[1]
    assert text.startswith("A takes 0.995× as long as B")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("runtime.threads", 0, "auto"), ("graph.grad", True, "on"), ("runtime.allocator", None, "–"),
        ('fixes."a:out"', (None, 6.0), "– … 6"), ('layers."a"', "fp32", "fp32"),
        ("preprocess.mean", [1, 2.5], "1, 2.5"),
    ],
)  # fmt: skip
def test_settings_in_words(qapp, key, value, words) -> None:
    assert compare_words.setting_in_words(key, value) == words


def test_choices_are_a_sound_model(make, qtmodeltester) -> None:
    session, _panel = make(trial(effective=effective(1)), trial())
    choices = PinChoices(session)
    qtmodeltester.check(choices)
    assert choices.row_of(session.trials[0]) == 2 and choices.row_of(None) == choices.row_of(Config()) == -1


# -- real workers -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("nothing_left")
def test_real_processes_are_compared_and_closing_in_mid_run_leaves_none(qtbot, settings, tmp_path, this_host) -> None:
    session = Session(runner_factory=lambda store: Runner(store, modules=MODULES, host=this_host))
    window = MainWindow(session, settings)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    assert session.open_study(str(tmp_path / "study.sqlite"))
    session.subject = Subject(model("sleep=0.002@run"))
    session.subject_changed.emit()
    session.pins.thorough = False
    session.pins.a, session.pins.b = Config(), Config({"runtime.threads": 1})
    session.pins.changed.emit()
    with qtbot.waitSignal(session.job_ended, timeout=60_000):
        window.acts.compare.trigger()
    assert [each.reason for each in session.trials if each.status != "ok"] == []
    settle(qtbot)
    panel = window.panels["compare"]
    assert window.tabs.currentWidget() is panel
    assert panel.detail.text().endswith("; 2 processes each") and len(session.store.trials()) == 4
    bursts = []
    session.job_started.connect(lambda job: job.burst.connect(bursts.append))
    window.acts.compare.trigger()
    qtbot.waitUntil(lambda: bool(bursts), timeout=30_000)
    job = session.job
    window.close()
    assert job.isFinished()
    assert tasks.wait(5000)

"""A against B with engines that are fakes: order, verdicts, failures, what differs, and how it is shown."""

from __future__ import annotations

import io

import msgspec
import numpy as np
import pytest
from fake_engine import MODULES, model
from fake_slow_engine import FAST_S, SLOW_S
from rich.console import Console

from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.study import compare as comparing
from workbench.study.compare import FALSE_ALARM, Comparison, differences, stored
from workbench.study.runner import Runner, Subject
from workbench.tables import compare as shown
from workbench.worker.warm import WarmPool, supported

pytestmark = pytest.mark.usefixtures("nothing_left")

# Engine names are all that a config can say to a fake: torch is the fast one, ipex the slow one.
FAST, SLOW = Config({"engine": "torch"}), Config({"engine": "ipex"})
ENGINES = {**MODULES, "ipex": "fake_slow_engine"}
BEHAVIOUR = f"sleep={FAST_S}@run"


@pytest.fixture(scope="module")
def pool(own_folders, this_host):
    """Warm parents for both fakes, started before the first test looks for processes left behind."""
    if not supported():
        yield None
        return
    with WarmPool() as pool, pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTEST_CURRENT_TEST", raising=False)
        for config in (FAST, SLOW):
            Runner(modules=ENGINES, host=this_host, pool=pool).measure(Subject(model()), config, runs=1)
        yield pool


@pytest.fixture
def compare(store, this_host, pool, monkeypatch):
    """Compare two configs; workers are forked where that is possible and start in no time."""

    def compare(a, b, behaviour=BEHAVIOUR, *, data=None, processes=3, runs=12, **more):
        # It is another one for each test, and a parent of its own for each set of variables.
        monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
        runner = Runner(store, modules=ENGINES, host=this_host, pool=pool)
        subject = Subject(model(behaviour), data)
        return comparing.compare(runner, store, subject, a, b, processes=processes, runs=runs, **more)

    return compare


def drawn(found: Comparison) -> str:
    console = Console(width=110, record=True, file=io.StringIO())
    console.print(shown.show(found, "study.sqlite"))
    return console.export_text()


# -- measuring ----------------------------------------------------------------------------------------


def test_sides_alternate_so_that_neither_is_always_first(compare, store):
    heard = []
    found = compare(FAST, SLOW, processes=4, runs=2, on_process=lambda *args: heard.append(args))
    assert [side for _, _, side in heard] == list("ABBAABBA")
    assert [(number, total) for number, total, _ in heard] == [(n, 8) for n in range(1, 9)]
    assert (found.trials_a, found.trials_b) == ([1, 4, 5, 8], [2, 3, 6, 7])
    engines = [trial.config["engine"] for trial in store.trials()]
    assert sorted(engines) == ["ipex"] * 4 + ["torch"] * 4
    assert {store.trial(number).config["engine"] for number in found.trials_a} == {"torch"}
    assert comparing.side_by_side(store) == [(found.trials_a, found.trials_b)]


@pytest.mark.parametrize(("a", "b", "verdict"), [(FAST, SLOW, "a"), (SLOW, FAST, "b")])
def test_a_side_that_is_clearly_faster_wins(compare, a, b, verdict):
    found = compare(a, b)
    assert isinstance(found, Comparison)
    assert found.verdict == verdict
    assert (found.processes, len(found.trials_a), len(found.trials_b)) == (3, 3, 3)
    ratio = FAST_S / SLOW_S if verdict == "a" else SLOW_S / FAST_S
    assert found.ratio == pytest.approx(ratio, rel=0.3)
    low, high = found.ci95
    assert low <= found.ratio <= high
    assert high < 1 if verdict == "a" else low > 1
    assert found.text.startswith(f"{verdict.upper()} is ")
    assert found.p50_a_ms / found.p50_b_ms == pytest.approx(found.ratio, rel=0.2)
    assert found.a.config["engine"] == a.engine
    assert found.b.config["engine"] == b.engine


def test_the_same_on_both_sides_is_no_difference(compare):
    found = compare(FAST, FAST, processes=2)
    assert found.verdict == "same"
    assert found.ci95[0] < 1 < found.ci95[1]
    assert found.text.startswith("no difference shown")
    assert found.differs == {}
    most = 100 * (max(found.ci95[1], 1 / found.ci95[0]) - 1)
    told = f"This machine differs from itself by at most {most:.3g} % (95 % interval): no difference, as it should be."
    assert found.itself == told
    assert f"A/A: {told}" in drawn(found) and FALSE_ALARM.split(":")[0] not in drawn(found)


def test_a_difference_from_itself_is_a_false_alarm_and_other_comparisons_say_nothing_of_it(compare):
    quick = [np.full(50, 1_000_000, np.int64)]
    slow = [np.full(50, 1_500_000, np.int64)]
    one = compare(FAST, FAST, processes=2, runs=2).a
    alarm = comparing.judge(([one] * 3, [quick] * 3), ([one] * 3, [slow] * 3))
    assert alarm.verdict == "a" and alarm.itself == "This machine differs from itself by up to 50 % (95 % interval)."
    assert FALSE_ALARM.split(":")[0] in drawn(alarm)
    assert not comparing.judge(([one], [quick]), ([one], [slow])).itself, "one process each tells nothing"
    elsewhere = msgspec.structs.replace(one, host={"cpu": {"model": "another"}})
    assert not comparing.judge(([one] * 2, [quick] * 2), ([elsewhere] * 2, [slow] * 2)).itself
    other = msgspec.structs.replace(one, config=SLOW.to_dict())
    assert not comparing.judge(([one] * 2, [quick] * 2), ([other] * 2, [slow] * 2)).itself


def test_only_the_first_process_of_a_side_is_judged_on_data(compare, store, tmp_path):
    np.save(tmp_path / "rows.npy", np.arange(32, dtype=np.float32).reshape(8, 4))
    data = DataSource(path=str(tmp_path / "rows.npy"))
    found = compare(FAST, SLOW, data=data, processes=2, runs=3)
    judged = [bool(store.trial(number).accuracy) for number in (1, 2, 3, 4)]
    assert judged == [True, True, False, False]
    assert found.a.accuracy.samples == found.b.accuracy.samples == 4
    silent = compare(FAST, SLOW, data=data, processes=2, runs=3, accuracy=False)
    assert silent.a.accuracy is None


def test_a_side_that_fails_ends_the_comparison_with_its_trial(compare, store):
    heard = []
    int8 = FAST.changed({"precision": "int8"})
    found = compare(FAST, int8, "short-int8", on_process=lambda *args: heard.append(args[2]))
    assert isinstance(found, Trial)
    assert (found.id, found.status) == (2, "invalid")
    assert "missing: fc" in found.reason
    assert heard == ["A", "B"]
    assert len(store.trials()) == 2
    assert found.config["precision"] == "int8"
    assert comparing.side_by_side(store) == [([1], [])]


def test_a_side_that_breaks_ends_it_at_once(compare):
    found = compare(FAST, SLOW, "exit=3@load")
    assert (found.id, found.status) == (1, "failed")
    assert "code 3" in found.reason


def test_what_the_user_must_change_is_raised_and_stores_nothing(compare, store, tmp_path):
    with pytest.raises(UserError, match="does not like it"):
        compare(FAST, SLOW, "refuse@load")
    assert not (tmp_path / "study.sqlite").exists()


# -- what differs -------------------------------------------------------------------------------------


def test_knobs_that_differ_are_listed_with_both_values():
    a = Config({"runtime.threads": 1, "layout.channels_last": True})
    b = Config({"runtime.threads": 2})
    assert differences(a, b) == {"layout.channels_last": (True, False), "runtime.threads": (1, 2)}
    assert differences(a, a) == {}


def test_a_knob_that_one_side_does_not_have_is_listed_only_where_it_was_turned():
    int8 = Config({"precision": "int8"})
    found = differences(Config(), int8)
    assert found == {"precision": ("fp32", "int8")}
    turned = int8.changed({"calibration.samples": 7, "quantization.per_channel": False})
    found = differences(Config(), turned)
    assert found["calibration.samples"] == (None, 7)
    assert found["quantization.per_channel"] == (None, False)
    assert differences(turned, Config())["calibration.samples"] == (7, None)


def test_defaults_that_differ_between_engines_differ():
    assert differences(FAST, SLOW) == {
        "engine": ("torch", "ipex"), "graph.mode": ("eager", "frozen"), "layout.channels_last": (False, True),
    }  # fmt: skip


def test_layers_and_preprocessing_that_differ_are_listed():
    a = Config({"precision": "int8"}, layers={"conv1": "fp32", "fc": "fp32"}, preprocess={"size": 8, "crop": 4})
    b = Config({"precision": "int8"}, layers={"fc": "fp32", "conv2": "fp32"}, preprocess={"size": 9, "crop": 4})
    assert differences(a, b) == {
        'layers."conv1"': ("fp32", None), 'layers."conv2"': (None, "fp32"), "preprocess.size": (8, 9),
    }  # fmt: skip


# -- stored trials ----------------------------------------------------------------------------------------


def test_two_stored_trials_are_compared_as_they_are(compare, store):
    measured = compare(FAST, SLOW, processes=2)
    found = stored(store, (1, 2))
    assert found.verdict == "a"
    assert (found.processes, found.trials_a, found.trials_b) == (1, [1], [2])
    assert "1 process each" in found.text
    assert found.differs == measured.differs
    assert stored(store, (2, 1)).ratio == pytest.approx(1 / found.ratio)
    itself = stored(store, (1, 1))
    assert (itself.verdict, itself.ratio, itself.differs) == ("same", 1.0, {})


def test_a_stored_trial_that_is_not_there_or_has_no_samples_is_refused(compare, store):
    compare(FAST, FAST, "exit=3@load")
    compare(FAST, FAST, processes=2, runs=2)
    with pytest.raises(UserError, match="no trial 9") as caught:
        stored(store, (2, 9))
    assert "It has 1, 2, 3, 4, 5." in caught.value.why
    with pytest.raises(UserError, match="Trial 1 has no samples") as caught:
        stored(store, (2, 1))
    assert "code 3" in caught.value.why


# -- tables -----------------------------------------------------------------------------------------------


def test_the_table_shows_the_verdict_both_sides_and_what_differs(compare):
    found = compare(FAST, SLOW.changed({"run.batch": 2}), processes=2, runs=3)
    text = drawn(found)
    assert " ".join(found.text.split()) in " ".join(text.split())
    assert text.lstrip().startswith(found.text[:8])
    for part in ("torch", "ipex", "run.batch", "layout.channels_last", "false", "true", "study.sqlite"):
        assert part in text
    assert f"trials {found.trials_a} and {found.trials_b}" in text
    assert f"{found.p50_a_ms:.2f}" in text
    assert "Both sides have the same config." not in text


def test_the_table_says_where_nothing_differs(compare):
    assert "Both sides have the same config." in drawn(compare(FAST, FAST, processes=2, runs=3))


def test_names_with_brackets_are_no_markup(compare):
    found = compare(FAST, FAST, processes=2, runs=2)
    differs = {'layers."[bold]a[/]"': ("fp32", None), "runtime.affinity": ("", "0-1")}
    found = msgspec.structs.replace(found, differs=differs)
    text = drawn(found)
    assert "[bold]a[/]" in text
    assert '""' in text
    assert "–" in text


# -- command line -----------------------------------------------------------------------------------------


@pytest.fixture
def run(run, data_dir):
    """Studies go into a folder of their own."""
    return run


@pytest.fixture
def knobs(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text('engine = "torch"\n')
    return file


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_comparison_without_two_sides_is_refused(run, knobs, count):
    code, out, err = run("compare", "sample:digits-mlp", *["-c", knobs] * count)
    assert (code, out) == (2, "")
    assert "needs two sides" in err
    assert "--a KEY=VALUE" in err


def test_stored_trials_need_a_study(run, tmp_path):
    code, out, err = run("compare", "sample:digits-mlp", "--trials", 1, 2)
    assert (code, out) == (2, "")
    assert "--trials needs --study" in err
    code, out, err = run("compare", "sample:digits-mlp", "--trials", 1, 2, "--study", tmp_path / "none.sqlite")
    assert (code, out) == (2, "")
    assert "none.sqlite" in err
    assert not (tmp_path / "none.sqlite").exists()


def test_stored_trials_are_compared_from_the_command_line(run, store, this_host, tmp_path):
    for config in (FAST, SLOW):
        Runner(store, modules=ENGINES, host=this_host).measure(Subject(model(BEHAVIOUR)), config, runs=12)
    store.close()
    code, out, _ = run("compare", "sample:digits-mlp", "--trials", 1, 2, "--study", tmp_path / "study.sqlite")
    assert code == 0
    assert "A is " in out
    code, out, err = run("compare", "sample:digits-mlp", "--trials", 1, 77, "--study", tmp_path / "study.sqlite")
    assert (code, out) == (2, "")
    assert "no trial 77" in err


def test_one_process_per_side_is_no_comparison(run):
    code, _, err = run("compare", "sample:digits-mlp", "--a", "runtime.threads=1", "--processes", 1)
    assert code == 2
    assert "2" in err

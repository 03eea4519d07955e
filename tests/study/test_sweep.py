"""Sweeps with a runner that answers by the config: order, knee, advice, values that fail, and what is kept."""

from __future__ import annotations

import io

import msgspec
import numpy as np
import pytest
from fake_engine import MODULES, model
from fake_records import trial
from rich.console import Console

from workbench.core.config import Config
from workbench.core.latency import summarize
from workbench.core.significance import ratio
from workbench.core.trial import Memory, Samples
from workbench.errors import UserError
from workbench.study.runner import Runner, Subject
from workbench.study.store import bursts_of
from workbench.study.sweep import Sweep, knee_of, sweep, sweeps
from workbench.study.sweep_values import parted, usual_values, values_of
from workbench.tables import sweep as shown

THREADS, BATCH, WAIT = "runtime.threads", "run.batch", "runtime.wait_policy"
TRADE_OFF = {"default": (4.7, 12.0), "active": (4.7, 12.0), "passive": (6.4, 9.7)}
"""Median and tail in ms, as measured with IPEX."""


class Told:
    """A runner that measures nothing: *answer* gives a config's median and P99 in ms, a reason, or an exception."""

    def __init__(self, store, answer) -> None:
        self._store, self._answer = store, answer
        self.configs: list[Config] = []
        self.judged: list[bool] = []

    def measure(self, subject, config, *, runs, accuracy, **_):
        self.configs.append(config)
        self.judged.append(accuracy)
        answer = self._answer(config)
        if isinstance(answer, BaseException):
            raise answer
        fields = {"status": "ok", "reason": "", "config": config.to_dict()}
        fields["memory"] = Memory(peak_rss_mb=100.0 + config.number(BATCH), build_peak_rss_mb=1.0, model_mb=1.0)
        if isinstance(answer, str):
            return self._store.add(trial(**{**fields, "status": "invalid", "reason": answer}), None)
        median, tail = answer
        samples = np.random.default_rng(len(self.configs)).normal(median, median / 200, runs)
        samples[::50] = tail  # one in fifty, so that P99 is this value
        bursts = [(burst * 1e6).astype(np.int64) for burst in np.split(samples, 10)]
        kept = Samples(warmup=b"", bursts=[burst.tobytes() for burst in bursts], after_gap=b"")
        return self._store.add(trial(**{**fields, "latency": summarize(bursts, [], [])}), kept)


def go(store, answer, key, values, base=None, *, runs=200, **more):
    runner = Told(store, answer)
    found = sweep(runner, store, Subject(model()), base or Config(), key, values, runs=runs, **more)
    return found, runner


def ipex(config):
    return TRADE_OFF[config.text(WAIT)]


def rows(found: Sweep) -> dict:
    return {point.value: point for point in found.points}


def test_rounds_go_to_and_fro_through_the_baseline_and_all_values(store):
    heard, seen = [], []
    found, runner = go(
        store, lambda _: (4.0, 5.0), THREADS, [1, 2],
        on_process=lambda *args: heard.append(args), on_change=seen.append,
    )  # fmt: skip
    assert [value for _, _, value in heard] == [0, 1, 2, 2, 1, 0, 0, 1, 2]
    assert heard[0][:2] == (1, 9) and heard[-1][:2] == (9, 9)
    assert [config[THREADS] for config in runner.configs] == [value for _, _, value in heard]
    assert runner.judged == [True] * 3 + [False] * 6, "the first process of each value is judged on data"
    assert (found.baseline.trials, found.points[0].trials, found.points[1].trials) == ([1, 6, 7], [2, 5, 8], [3, 4, 9])
    assert [each.finished for each in seen] == [False] * 9 + [True]
    assert seen[0].points[0].verdict == "unknown" and seen[1].points[0].verdict == "same"


def test_a_process_judges_its_own_value_and_only_the_baselines_all(store, monkeypatch):
    judged = []
    monkeypatch.setattr("workbench.study.sweep.ratio", lambda *sides, **more: judged.append(1) or ratio(*sides, **more))
    answers = {0: (4, 6), 1: (8, 8), 2: (2, 3), 3: (4, 6)}
    found, _ = go(store, lambda config: answers[config[THREADS]], THREADS, [1, 2, 3])
    assert len(judged) == 2 * (9 + 2 * 3), "median and tail; once per process, all three when the baseline has grown"
    assert [each.verdict for each in found.points] == ["slower", "faster", "same"]
    of = [[bursts_of(store.samples(number)) for number in each.trials] for each in (found.points[1], found.baseline)]
    assert found.points[1].ci95 == ratio(*of).ci95, "as if all were judged at the end"


def test_the_best_median_and_the_best_tail_are_different_settings(store):
    found, runner = go(store, ipex, WAIT, ["default", "active", "passive"], Config({"engine": "ipex"}))
    default, active, passive = found.points
    assert len(runner.configs) == 9, "the baseline's value is not measured twice"
    assert (default.verdict, default.tail_verdict, default.trials) == ("baseline", "baseline", found.baseline.trials)
    assert (active.verdict, active.tail_verdict) == ("same", "same")
    assert (passive.verdict, passive.tail_verdict) == ("slower", "faster")
    assert passive.ratio_vs_baseline == pytest.approx(6.4 / 4.7, rel=0.02)
    assert passive.tail_ratio == pytest.approx(9.7 / 12.0, rel=0.02)
    assert passive.ci95[0] > 1 > passive.tail_ci95[1]
    assert (passive.p50_ms, passive.p99_ms) == pytest.approx((6.4, 9.7), rel=0.02)
    assert (found.for_median.verdict, found.for_median.value) == ("same", None)
    assert (found.for_tail.verdict, found.for_tail.value) == ("better", "passive")
    assert found.for_tail.ci95 == passive.tail_ci95 and found.knee is None


def test_what_is_fast_is_advised_and_what_is_slow_is_not(store):
    found, _ = go(store, lambda c: {0: (4, 6), 1: (8, 8), 2: (2, 3), 3: (2.5, 2.6)}[c[THREADS]], THREADS, [1, 2, 3])
    assert (found.for_median.value, found.for_tail.value) == (2, 3)
    found, _ = go(store, lambda c: {0: (4, 6), 1: (8, 8), 2: (6, 9)}[c[THREADS]], THREADS, [1, 2])
    assert (found.for_median.verdict, found.for_median.value) == ("keep", 0)


def test_a_batch_is_compared_per_sample_and_its_tail_per_run(store):
    """Up to a batch of 4 a run takes 2 ms + 1 ms per sample, then 1.5 ms per sample."""

    def answer(config):
        batch = config.number(BATCH)
        took = 2.0 + batch if batch <= 4 else 1.5 * batch
        return took, took * 1.5

    found, _ = go(store, answer, BATCH, [1, 2, 4, 8, 16])
    one, two, four, eight, _ = found.points
    assert one.verdict == "baseline" and one.item_ms == one.p50_ms
    assert four.item_ms == pytest.approx(1.5, rel=0.02) and four.p50_ms == pytest.approx(6.0, rel=0.02)
    assert four.ratio_vs_baseline == pytest.approx(0.5, rel=0.02) and four.verdict == "faster"
    assert four.tail_ratio == pytest.approx(2.0, rel=0.02) and four.tail_verdict == "slower"
    assert four.throughput_per_s == pytest.approx(4000 / 6.05, rel=0.03) and two.peak_rss_mb == 102
    assert found.knee == 4 and (found.for_tail.verdict, found.for_tail.value) == ("keep", 1)
    assert found.for_median.value == 4 and eight.verdict == "faster", "of those as fast the smallest"


def test_the_knee_is_where_more_stops_bringing_more() -> None:
    assert knee_of([(1, 10), (2, 19), (4, 36), (8, 38), (16, 38)]) == 4
    assert knee_of([(1, 10), (2, 20), (4, 40)]) is None, "the largest still brings more"
    assert knee_of([(1, 10), (2, 10.5)]) == 1
    assert knee_of([(4, 40), (1, 10), (2, 9), (8, 41)]) == 4, "one bad value in the middle does not end it"
    assert knee_of([(1, 10), (3, 11.6)]) == 1 and knee_of([(1, 10), (3, 11.7)]) is None, "a gain per doubling"
    assert knee_of([(3, 1.0)]) is None and knee_of([]) is None


def test_values_that_fail_are_listed_with_the_reason_and_do_not_end_it(store):
    def answer(config):
        allocator = config.text("runtime.allocator")
        if allocator == "jemalloc":
            return UserError("It needs a library.", "It is not installed.", "Install it.")
        return "tcmalloc is not loaded" if allocator == "tcmalloc" else (4.0, 5.0)

    values = ["system", "jemalloc", "tcmalloc", "malloc"]
    found, runner = go(store, answer, "runtime.allocator", values)
    points = rows(found)
    assert points["jemalloc"].reason == "It needs a library. It is not installed." and points["jemalloc"].trial is None
    assert points["tcmalloc"].reason == "tcmalloc is not loaded" and points["tcmalloc"].trial.status == "invalid"
    assert points["malloc"].reason.startswith("'malloc' is not a value of runtime.allocator.")
    assert len(runner.configs) == 5, "what failed is not tried again"
    assert found.finished and found.for_median.verdict == "unknown"


def test_a_combination_that_cannot_be_set_is_listed_too(store):
    base = Config({"engine": "onnxruntime"})
    found, _ = go(store, lambda _: (4.0, 5.0), "precision", ["fp32", "bf16", "int8"], base)
    assert "no BF16" in rows(found)["bf16"].reason and rows(found)["int8"].verdict == "same"


def test_a_value_that_fails_later_keeps_what_it_has(store):
    taken = []

    def answer(config):
        taken.append(config[THREADS])
        return "crashed" if taken.count(1) == 2 and config[THREADS] == 1 else (4.0, 5.0)

    found, _ = go(store, answer, THREADS, [1, 2])
    one = rows(found)[1]
    assert (one.reason, len(one.trials), one.trial.status, one.verdict) == ("crashed", 1, "ok", "same")
    assert len(rows(found)[2].trials) == 3


def test_without_a_baseline_nothing_is_compared(store, tmp_path):
    found, runner = go(store, lambda _: "no INT8 kernel ran", THREADS, [1, 2])
    assert len(runner.configs) == 1 and found.baseline.reason == "no INT8 kernel ran"
    assert [point.verdict for point in found.points] == ["unknown"] * 2
    with pytest.raises(UserError, match="no such model"):
        go(store, lambda _: UserError("no such model"), THREADS, [1, 2])
    with pytest.raises(UserError, match="None of the values") as caught:
        go(store, lambda _: (1.0, 1.0), THREADS, ["x", "y"])
    assert "'x' is not a value of runtime.threads" in caught.value.why


def test_the_tail_needs_a_hundred_runs(store):
    found, _ = go(store, lambda c: (4.0, 5.0 - c.number(THREADS)), THREADS, [1, 2], runs=50)
    assert [point.p99_ms for point in found.points] == [None, None]
    assert found.points[0].verdict == "same" and found.points[0].tail_verdict == "unknown"
    assert found.for_tail.verdict == "unknown" and found.for_median.verdict == "same"


def test_the_study_keeps_sweeps_and_what_was_measured_of_one_that_was_stopped(store):
    first, _ = go(store, ipex, WAIT, ["default", "active", "passive"], Config({"engine": "ipex"}))
    assert sweeps(store) == [first] == sweeps(store, store.trials())
    calls = []

    def stopped(config):
        calls.append(config)
        return KeyboardInterrupt() if len(calls) == 5 else (4.0, 5.0)

    with pytest.raises(KeyboardInterrupt):
        go(store, stopped, THREADS, [1, "x", 2])
    again, kept = sweeps(store)
    assert again == first and not kept.finished and (kept.knob, kept.processes) == (THREADS, 3)
    assert [len(point.trials) for point in kept.points] == [1, 0, 2] and len(kept.baseline.trials) == 1
    assert kept.points[2].verdict == "same" and kept.points[1].value == "x"


# -- values -----------------------------------------------------------------------------------------


def test_values_are_read_in_the_knobs_type_and_each_once(this_host):
    assert parted("runtime.threads = 1,2 ") == ("runtime.threads", "1,2") and parted("run.batch") == ("run.batch", "")
    assert values_of(THREADS, "2, 1,2,0,x", Config(), this_host) == [2, 1, 0, "x"]
    assert values_of("graph.fold_padding", "on,off", Config(), None) == [True, False]
    assert values_of("runtime.affinity", "0,1", Config(), None) == ["0", "1"]
    assert values_of("runtime.affinity", "/0,1/0-1", Config(), None) == ["", "0,1", "0-1"]


def test_values_may_be_left_out_where_some_are_worth_trying(this_host):
    usual = {key: values_of(key, "", Config({"engine": "ipex"}), this_host) for key in (BATCH, WAIT)}
    assert usual == {BATCH: [1, 2, 4, 8, 16], WAIT: ["default", "active", "passive"]}
    assert values_of("layout.channels_last", "", Config(), None) == [False, True]
    from workbench.core.knobs import BY_KEY

    def threads(cores, cpus):
        host = msgspec.structs.replace(this_host, default_threads=cores, usable_cpus=tuple(range(cpus)))
        return usual_values(BY_KEY[THREADS], host)

    assert threads(2, 2) == [1, 2] and threads(4, 8) == [1, 2, 3, 4, 8]
    assert threads(24, 48) == [1, 2, 4, 6, 8, 12, 16, 24, 48]
    host = msgspec.structs.replace(this_host, usable_cpus=(0, 1, 2), topology=())
    assert usual_values(BY_KEY["runtime.affinity"], host)[0] == "" and "1-2" in usual_values(
        BY_KEY["runtime.affinity"], host
    )
    assert usual_values(BY_KEY[THREADS], None) == []


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("runtime.thread", "1,2", "Did you mean 'runtime.threads'"),
        ("runtime.spin", "on,off", "engine 'torch' does not have it"),
        ("quantization.per_channel", "", "precision 'fp32' does not use it"),
        (THREADS, "2,2", "One value of runtime.threads is no sweep"),
        ("calibration.percentile", "", "no values that are always worth trying"),
    ],
)
def test_what_cannot_be_swept_is_refused(key, text, said):
    config = Config({"precision": "int8"}) if key.startswith("cal") else Config()
    with pytest.raises(UserError) as caught:
        values_of(key, text, config, None)
    assert said in str(caught.value)


# -- real workers, and tables -------------------------------------------------------------------------


def drawn(found: Sweep) -> str:
    console = Console(width=110, record=True, file=io.StringIO())
    console.print(shown.show("m", found, "s.sqlite"))
    return " ".join(console.export_text().split())


def test_the_table_shows_both_ratios_the_knee_and_both_recommendations(store):
    found, _ = go(store, ipex, WAIT, ["default", "active", "passive", "lazy"], Config({"engine": "ipex"}))
    text = drawn(found)
    assert "m: runtime.wait_policy" in text and "s.sqlite" in text
    assert "For the median: no difference shown to default" in text
    assert "For the tail: passive takes 0.81× as long as default" in text
    assert "lazy: 'lazy' is not a value of runtime.wait_policy." in text
    answers = {0: (8, 9), 1: (8, 9), 2: (4, 5), 4: (3.9, 5)}
    text = drawn(go(store, lambda c: answers[c[THREADS]], THREADS, [1, 2, 4])[0])
    assert "Knee: 2" in text and "0 (baseline)" in text


@pytest.mark.usefixtures("nothing_left")
def test_a_sweep_in_real_processes(store, this_host, monkeypatch):
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    runner = Runner(store, modules=MODULES, host=this_host)
    found = sweep(
        runner, store, Subject(model("sleep=0.001@run")), Config(), BATCH, [1, 4], processes=1, runs=5, seconds=1.0
    )
    assert [point.reason for point in found.points] == ["", ""]
    assert found.points[1].item_ms < found.points[0].item_ms and found.points[1].peak_rss_mb > 1
    assert found.points[1].trial.config["run"]["batch"] == 4

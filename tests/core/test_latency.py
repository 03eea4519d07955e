"""Percentiles, warm-up and drift against brute force; and that luck is not called a difference."""

import time

import msgspec
import numpy as np
import pytest

from workbench.core.latency import Latency, WarmUp, drift, join, percentile, summarize
from workbench.core.significance import PROCESS_SPREAD, TAIL_SPREAD, Ratio, ratio, t_quantile

MS = 1_000_000


def ns(*values_ms: float) -> np.ndarray:
    return np.array([round(value * MS) for value in values_ms], np.int64)


def brute(samples: np.ndarray, percent: int) -> int:
    """The smallest sample that at least *percent* of the samples do not exceed."""
    return next(int(v) for v in np.sort(samples) if 100 * np.count_nonzero(samples <= v) >= percent * samples.size)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 100, 101, 199])
def test_percentiles_are_nearest_rank(n: int) -> None:
    samples = np.random.default_rng(n).integers(1, 50, n)
    for percent in (1, 7, 50, 90, 99, 100):
        assert percentile(samples, percent) == brute(samples, percent)


def test_summary() -> None:
    rng = np.random.default_rng(3)
    bursts = [rng.integers(4 * MS, 5 * MS, 50) for _ in range(8)]
    every = np.concatenate(bursts)
    result = summarize(bursts, ns(900, 30, 5), ns(5.1, 5.2, 9), deadline_ms=4.9, samples_file="s.npy")
    assert (result.n, result.warmup_n, result.samples_file) == (400, 3, "s.npy")
    assert result.p50_ms == pytest.approx(brute(every, 50) / MS)
    assert result.p90_ms == pytest.approx(brute(every, 90) / MS)
    assert result.p99_ms == pytest.approx(brute(every, 99) / MS)
    assert (result.min_ms, result.max_ms) == pytest.approx((every.min() / MS, every.max() / MS))
    assert result.mean_ms == pytest.approx(every.mean() / MS)
    assert result.missed == np.count_nonzero(every > 4.9 * MS)
    assert result.after_gap_ms == pytest.approx(5.2)
    assert result.stable and result.noise == "quiet"
    assert msgspec.json.decode(msgspec.json.encode(result), type=Latency) == result


def test_a_run_exactly_on_the_deadline_is_in_time() -> None:
    assert summarize([ns(2.3, 2.3, 2.300001)], [], [], deadline_ms=2.3).missed == 1


def test_b65_spike_leaves_the_median_alone() -> None:
    plain = np.full(200, 2 * MS)
    spiked = plain.copy()
    spiked[77] *= 100
    before, after = summarize([plain], [], []), summarize([spiked], [], [])
    assert after.p50_ms == before.p50_ms == 2.0
    assert after.p99_ms == 2.0  # one in 200 lies above the 198th of 200
    assert after.max_ms == 200.0 and after.stable and "100× the median" in after.noise


def test_p99_needs_a_hundred() -> None:
    assert summarize([np.full(99, MS)], [], []).p99_ms is None
    assert summarize([np.full(50, MS), np.full(50, MS)], [], []).p99_ms == 1.0


@pytest.mark.parametrize("bursts", [[], [np.empty(0, np.int64)]])
def test_no_samples(bursts: list) -> None:
    result = summarize(bursts, [], [], deadline_ms=1.0)
    assert (result.n, result.p50_ms, result.p99_ms, result.missed, result.stable) == (0, 0.0, None, 0, False)
    assert result.noise == "no samples" and result.after_gap_ms is None


def test_many_samples_are_quick() -> None:
    bursts = list(np.random.default_rng(0).integers(MS, 2 * MS, (40, 5000)))
    begin = time.perf_counter()
    assert summarize(bursts, [], []).n == 200_000
    assert time.perf_counter() - begin < 0.5


def test_drift_and_its_verdict() -> None:
    level = np.repeat([1.0, 1.1], 300) * 4 * MS  # b66: 10 % slower from midway on
    bursts = np.split(level.astype(np.int64), 12)
    assert drift(bursts) == pytest.approx(0.1)
    result = summarize(bursts, [], [])
    assert not result.stable and "10% slower" in result.noise
    assert drift([ns(1, 2, 3)]) == 0.0 and drift([]) == 0.0
    assert drift([np.zeros(30, np.int64)]) == 0.0


def test_noise_and_unsettled_warm_up_are_said() -> None:
    wide = np.tile(ns(1, 1, 1, 1, 2), 20)
    assert "noisy: one run in ten takes 2.00×" in summarize([wide], [], []).noise
    result = summarize([np.full(50, MS)], [], [], settled=False)
    assert not result.stable and "did not settle" in result.noise


def warm(times_ms: list[float], **limits: float) -> tuple[WarmUp, int]:
    warm_up = WarmUp(**limits)  # type: ignore[arg-type]
    for count, value in enumerate(times_ms, start=1):
        warm_up.add(round(value * MS))
        if warm_up.done:
            return warm_up, count
    return warm_up, -1


def test_warm_up_settles_after_two_equal_windows() -> None:
    warm_up, count = warm([2975.0, 80, 60, *[20.0] * 50])
    # Windows of three runs: medians 80, 20, 20.
    assert warm_up.settled and count == 9
    assert warm_up.samples.tolist()[:2] == [2975 * MS, 80 * MS] and warm_up.samples.size == 9
    warm_up, count = warm([400.0] * 20)
    assert warm_up.settled and count == 6


def test_fast_models_fill_windows_by_time() -> None:
    warm_up, count = warm([0.5] * 10_000)
    assert warm_up.settled and count == 200  # twice 50 ms


def test_warm_up_gives_up() -> None:
    falling = [1000 * 0.8**i for i in range(40)]
    warm_up, count = warm(falling, max_seconds=4.0)
    assert warm_up.done and not warm_up.settled and sum(falling[: count - 1]) < 4000 <= sum(falling[:count])
    warm_up, count = warm([100.0, 200.0, 300.0] * 3, max_runs=4)
    assert count == 4 and not warm_up.settled
    warm_up, count = warm([60_000.0] * 9)
    assert count == 3 and not warm_up.settled  # never before three runs
    assert not WarmUp().done


def process(rng: np.random.Generator, level: float, bursts: int = 4, runs: int = 5) -> list[np.ndarray]:
    base = level * np.exp(rng.normal(0, 0.01, (bursts, 1)) + np.abs(rng.normal(0, 0.03, (bursts, runs))))
    return list(base.astype(np.int64))


EFFECTS = {
    "none": lambda rng, k: np.zeros(k),
    "normal 4 %": lambda rng, k: rng.normal(0, 0.04, k),
    "uniform 4.4-5.0": lambda rng, k: np.log(rng.uniform(4.4, 5.0, k)),
    "two layouts": lambda rng, k: np.log(rng.choice([4.4, 5.0], k)),
    "heavy tails": lambda rng, k: 0.02 * rng.standard_t(3, k),
}


@pytest.mark.parametrize("processes", [1, 2, 3, 5])
@pytest.mark.parametrize("effect", EFFECTS)
def test_no_difference_is_seldom_called_one(processes: int, effect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.core.significance._DRAWS", 300)
    rng = np.random.default_rng(processes)
    trials, wrong = 300, 0
    for _ in range(trials):
        a, b = ([process(rng, 4 * MS * np.exp(shift)) for shift in EFFECTS[effect](rng, processes)] for _ in "ab")
        wrong += ratio(a, b).verdict != "same"
    # 5 % of 300 is 15; what an honest 5 % exceeds in one of a thousand simulations is 27.
    assert wrong <= 27, f"{wrong} of {trials}"


def test_real_differences_are_found() -> None:
    rng = np.random.default_rng(0)
    a = [process(rng, 2 * MS * np.exp(rng.normal(0, 0.02))) for _ in range(5)]
    b = [process(rng, 2.4 * MS * np.exp(rng.normal(0, 0.02))) for _ in range(5)]
    found = ratio(a, b)
    assert found.verdict == "a" and found.lo < found.ratio < found.hi < 1 and found.processes == 5
    assert found.lo < 2 / 2.4 < found.hi and found.ci95 == (found.lo, found.hi)
    assert "A is 1.2" in found.text
    back = ratio(b, a)
    assert back.verdict == "b" and back.ratio == pytest.approx(1 / found.ratio)
    assert ratio(a, b) == found
    assert ratio(a[:2], [[burst * 4 for burst in one] for one in b[:2]]).verdict == "a"
    assert isinstance(found, Ratio)


def test_ratio_is_the_geometric_mean_of_process_medians() -> None:
    a, b = [[ns(1, 2, 3)], [ns(8, 8)], [ns(4)]], [[ns(1)], [ns(1)], [ns(1)]]
    assert ratio(a, b).ratio == pytest.approx((2 * 8 * 4) ** (1 / 3))


def test_few_processes_stay_modest() -> None:
    same = [np.full(50, 4 * MS)] * 4
    faster = [np.full(50, round(3.6 * MS))] * 4
    for count in (1, 2):
        found = ratio([faster] * count, [same] * count)
        assert found.verdict == "same" and found.processes == count
        assert np.log(found.hi) - np.log(found.ratio) >= PROCESS_SPREAD - 1e-9
    assert ratio([faster] * 3, [same] * 3).verdict == "a"
    assert ratio([[np.full(9, MS)]], [same]).verdict == "a"


def test_tails_are_compared_by_their_own_percentile() -> None:
    rng = np.random.default_rng(1)

    def side(median: float, tail: float, processes: int = 5) -> list[list[np.ndarray]]:
        made = []
        for _ in range(processes):
            samples = rng.normal(median, median / 100, 400)
            samples[::50] = tail * np.exp(rng.normal(0, 0.02))
            made.append(np.split((samples * MS).astype(np.int64), 20))
        return made

    steady, spiky = side(6.4, 9.7), side(4.7, 12.0)
    assert ratio(steady, spiky).verdict == "b"
    found = ratio(steady, spiky, percent=99)
    assert found.verdict == "a" and found.ratio == pytest.approx(9.7 / 12.0, rel=0.03)
    assert found.lo < found.ratio < found.hi < 1
    few = ratio(side(6.4, 9.7, 2), side(4.7, 12.0, 2), percent=99)
    assert few.verdict == "same" and np.log(few.hi) - np.log(few.ratio) >= TAIL_SPREAD - 1e-9
    assert ratio(steady, side(6.4, 9.7), percent=99).verdict == "same"


def test_certain_but_tiny_is_same() -> None:
    assert ratio([[np.full(9, 1000 * MS)]] * 5, [[np.full(9, 1005 * MS)]] * 5).verdict == "same"


def test_sides_may_differ_in_number_and_must_exist() -> None:
    one = [np.full(9, MS)]
    assert ratio([one] * 5, [one] * 3).processes == 3
    for a, b in (([], [one]), ([[]], [one]), ([one], [[np.zeros(5, np.int64)]])):
        with pytest.raises(ValueError):
            ratio(a, b)


def test_comparison_is_quick() -> None:
    side = [list(np.random.default_rng(i).integers(4 * MS, 5 * MS, (400, 100))) for i in range(5)]
    begin = time.perf_counter()
    ratio(side, side)
    assert time.perf_counter() - begin < 1.0  # 0.1 s on a quiet machine


def test_t_quantiles() -> None:
    for freedom, want in {1: 12.7062, 2: 4.3027, 8: 2.3060, 10: 2.2281, 15: 2.1314, 40: 2.0211}.items():
        assert t_quantile(freedom) == pytest.approx(want, rel=1e-3)
    assert 12.7 > t_quantile(1.5) > 4.4
    assert t_quantile(1e9) == pytest.approx(1.96, abs=1e-3)


def test_join_keeps_order() -> None:
    assert join([ns(3), ns(1, 2)]).tolist() == [3 * MS, MS, 2 * MS]

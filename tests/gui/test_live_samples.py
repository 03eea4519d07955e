"""Live samples against the arithmetic that trials are summarised with, at 0, 1 and 200,000 samples."""

import time

import numpy as np
import pytest

from workbench.core.latency import percentile, summarize
from workbench.core.trial import Samples
from workbench.gui.live_samples import LiveSamples, Statistics, bin_edges, logarithms, nice

MS = 1_000_000


def filled(*bursts: np.ndarray) -> LiveSamples:
    live = LiveSamples(capacity=4)
    for burst in bursts:
        live.add(burst)
    return live


def lognormal(n: int, median_ms: float = 4.0, seed: int = 0) -> np.ndarray:
    return (np.random.default_rng(seed).lognormal(np.log(median_ms), 0.1, n) * MS).astype(np.int64)


def test_nothing_yet() -> None:
    live = LiveSamples()
    assert live.statistics() == Statistics() and live.statistics(5.0).missed == 0
    assert live.verdict() == (False, "no samples")
    assert live.top_ms() == 0.0
    assert bin_edges([live]).size == 0 and live.counts(np.empty(0)).size == 0
    assert live.counts(np.array([1.0, 2.0])).tolist() == [0]
    assert [side.size for side in live.timeline()] == [0, 0]


def test_an_empty_burst_changes_nothing() -> None:
    live = filled(np.empty(0, np.int64), np.array([5 * MS]), np.empty(0, np.int64))
    assert live.n == 1


@pytest.mark.parametrize("value", [0, 1, 5 * MS, 3600 * 1000 * MS])
@pytest.mark.parametrize("log", [False, True])
def test_one_sample_falls_into_one_bin(value: int, log: bool) -> None:
    live = filled(np.array([value]))
    edges = bin_edges([live], log=log)
    assert np.isfinite(edges).all() and (np.diff(edges) > 0).all()
    assert live.counts(edges).sum() == 1
    numbers = live.statistics(1.0)
    assert numbers.n == 1 and numbers.p99_ms is None and numbers.p50_ms == numbers.max_ms == value * 1e-6
    assert numbers.missed == (value > MS)
    assert (numbers.per_second is None) == (value == 0)


@pytest.mark.parametrize("n", [2, 9, 99, 100, 101, 5000])
def test_figures_are_those_of_the_record(n: int) -> None:
    values = lognormal(n, seed=n)
    bursts = np.array_split(values, 7)
    live, record = filled(*bursts), summarize(bursts, [], [], deadline_ms=4.2)
    numbers = live.statistics(4.2, batch=3)
    assert (numbers.n, numbers.missed) == (record.n, record.missed)
    assert numbers.mean_ms == pytest.approx(record.mean_ms)
    for key in ("p50_ms", "p90_ms", "p99_ms", "max_ms"):
        assert getattr(numbers, key) == getattr(record, key)
    assert numbers.per_second == pytest.approx(3000 / record.mean_ms)
    assert live.verdict() == (record.stable, record.noise)
    assert live.values.tolist() == values.tolist()
    for percent in (1, 7, 25, 99, 100):
        assert live.percentile(percent) == percentile(values, percent)


def test_a_run_on_the_deadline_is_in_time() -> None:
    live = filled(np.array([2_300_000, 2_300_001]))
    assert live.above(2.3) == 1 and live.above(-1) == 2 and live.above(1e300) == 0


@pytest.mark.parametrize("log", [False, True])
def test_bins_hold_every_sample_that_is_not_far_out(log: bool) -> None:
    live = filled(lognormal(3000), np.array([400 * MS, 0]))
    edges = bin_edges([live], log=log)
    counts = live.counts(edges)
    assert 10 <= counts.size <= 160
    assert counts.sum() + live.above(edges[-1]) == live.n
    assert live.above(edges[-1]) == (0 if log else 1)


def test_bins_stay_where_they_are_while_samples_come_in() -> None:
    values = lognormal(4000)
    before, after = bin_edges([filled(values[:3900])]), bin_edges([filled(values)])
    assert np.isclose(after[:, None], before[None, :]).any(axis=0).mean() > 0.9


def test_bins_reach_over_the_baseline_too() -> None:
    current, baseline = filled(lognormal(500, 2.4)), filled(lognormal(500, 25.0, seed=1))
    for log in (False, True):
        edges = bin_edges([current, baseline], log=log)
        assert edges.size <= 160
        assert current.counts(edges).sum() == 500 and baseline.counts(edges).sum() >= 490


def test_equal_samples_make_a_bar() -> None:
    live = filled(np.full(1000, 7 * MS))
    counts = live.counts(bin_edges([live]))
    assert counts.max() == 1000 and counts.sum() == 1000


def test_round_widths() -> None:
    assert [nice(x) for x in (0.011, 0.02, 0.3, 1.0, 7.0)] == pytest.approx([0.02, 0.02, 0.5, 1.0, 10.0])


def test_a_log_axis_survives_zeros() -> None:
    assert logarithms([0.0, -1.0, 10.0]).tolist() == [-4.0, -4.0, 1.0]


def test_thinning_keeps_the_extremes_in_order() -> None:
    values = lognormal(200_003)
    values[123_456] = 999 * MS
    values[200_002] = 1
    live = filled(values)
    x, y = live.timeline()
    assert x.size <= 20_000 and (np.diff(x) >= 0).all()
    assert y.max() == 999.0 and y.min() == 1e-6
    assert (values[x.astype(int)] * 1e-6 == y).all()


def test_thinning_burst_by_burst_is_thinning_at_once() -> None:
    values = lognormal(70_001)
    live = LiveSamples()
    for burst in np.array_split(values, 233):
        live.add(burst)
        x, _ = live.timeline(3000)
        assert x.size <= 3002
    assert (x == filled(values).timeline(3000)[0]).all()
    # Each stretch shows its slowest run.
    stretch = 1 << (2 * 70_000 // 3000).bit_length()
    assert set(np.maximum.reduceat(values, np.arange(0, values.size, stretch))) <= set(values[x.astype(int)])


def test_a_short_timeline_is_complete() -> None:
    values = lognormal(20_000)
    x, y = filled(values).timeline()
    assert x.size == 20_000 and (y == values * 1e-6).all()


def test_stored_samples_come_back_with_their_gaps() -> None:
    bursts = [lognormal(5), lognormal(7, seed=1), np.empty(0, np.int64)]
    stored = Samples(
        warmup=np.array([9, 8, 7]).tobytes(),
        bursts=[burst.tobytes() for burst in bursts],
        after_gap=np.array([11, 12, 13, 14], np.int64).tobytes(),
    )
    live = LiveSamples.of(stored, settled=False)
    assert live.n == 12 and live.warmup.tolist() == [9, 8, 7] and not live.settled
    at, gaps = live.gaps
    assert at.tolist() == [0, 5, 12, 12] and gaps.tolist() == [11, 12, 13, 14]
    step = LiveSamples()
    for burst, gap in zip(bursts, (11, 12, 13), strict=True):
        step.add(burst, gap)
    assert step.gaps[0].tolist() == at.tolist()[:3] and step.gaps[1].tolist() == [11, 12, 13]


def test_no_stored_samples() -> None:
    assert LiveSamples.of(None).n == 0
    assert LiveSamples.of(Samples(warmup=b"", bursts=[], after_gap=b"")).n == 0


def test_a_burst_on_top_of_200_000_takes_5_ms() -> None:
    live = filled(lognormal(200_000))
    spent = []
    for seed in range(9):
        burst = lognormal(60, seed=seed)
        begin = time.perf_counter()
        live.add(burst, 5 * MS)
        live.statistics(4.2)
        live.counts(bin_edges([live]))
        live.timeline()
        spent.append(time.perf_counter() - begin)
    assert min(spent) < 0.005

"""The streaming histogram against one made afterwards, in any order, and every kind of odd tensor."""

import math

import msgspec
import numpy as np
import pytest

from workbench.core.distribution import BINS, Collector, Distribution, channel_ranges, weight_distribution

RNG = np.random.default_rng(11)


def collected(*samples: np.ndarray) -> Distribution:
    collector = Collector()
    for sample in samples:
        collector.add(sample)
    return collector.result()


def recounted(d: Distribution, values: np.ndarray) -> np.ndarray:
    """The histogram made afterwards, by comparing every value with the edges."""
    bins = np.searchsorted(d.edges(), values.astype(np.float64), side="right") - 1
    return np.bincount(bins, minlength=BINS)


def is_mean(d: Distribution, values: np.ndarray) -> bool:
    """Whether each bin's mean of what is not zero is the true one, as finely as it is kept."""
    others = values[values != 0].astype(np.float64)
    bins = np.searchsorted(d.edges(), others, side="right") - 1
    sums, counts = (np.bincount(bins, weights, minlength=BINS) for weights in (others, None))
    filled = counts > 0
    return bool(np.all(np.abs(d.means()[filled] - sums[filled] / counts[filled]) <= d.width / 509))


def random_values() -> np.ndarray:
    """A tensor of a random kind, size, magnitude and offset."""
    size = int(RNG.integers(1, 3000))
    kind = RNG.integers(6)
    if kind == 0:
        values = RNG.normal(size=size)
    elif kind == 1:
        values = np.maximum(RNG.normal(size=size), 0)
    elif kind == 2:
        values = RNG.standard_t(1.2, size=size)
    elif kind == 3:
        values = np.full(size, RNG.normal())
    elif kind == 4:
        values = RNG.integers(-3, 4, size=size) * 1.0
    else:
        values = RNG.normal(size=size) * 10.0 ** RNG.integers(-40, 30, size=size)
    values = values * 10.0 ** RNG.integers(-30, 8) + RNG.choice([0.0, 0.0, 1.0, -1000.0])
    return values.astype(np.float32)


@pytest.mark.parametrize("_", range(60))
def test_equals_the_histogram_made_afterwards_in_any_order(_: int) -> None:
    samples = [random_values() for _ in range(int(RNG.integers(1, 6)))]
    values = np.concatenate(samples)
    d = collected(*samples)
    assert math.frexp(d.width)[0] == 0.5, "a power of two"
    assert d.low / d.width == math.floor(values.min().astype(np.float64) / d.width), "bin 0 holds the minimum"
    assert (d.histogram() == recounted(d, values)).all()
    assert is_mean(d, values)
    assert (d.minimum, d.maximum) == (values.min(), values.max())
    assert (d.count, d.zeros, d.samples) == (values.size, int((values == 0).sum()), len(samples))
    assert d.sample_min == [float(sample.min()) for sample in samples]
    for _ in range(3):
        cuts = np.sort(RNG.integers(0, values.size, size=7))
        mixed = collected(*np.split(values[RNG.permutation(values.size)], cuts))
        assert msgspec.structs.replace(mixed, samples=d.samples, sample_min=d.sample_min, sample_max=d.sample_max) == d


def test_more_values_than_one_chunk_and_any_layout() -> None:
    picture = RNG.normal(size=(1, 7, 101, 103)).astype(np.float32)
    d = collected(picture)
    assert d.histogram().sum() == picture.size and (d.histogram() == recounted(d, picture.ravel())).all()
    assert collected(picture.transpose(0, 2, 3, 1)) == d == collected(picture[:, ::-1])
    assert collected(picture.astype(np.float64)) == d


def test_bins_are_as_fine_as_the_range_allows() -> None:
    for values in (RNG.normal(size=5000), RNG.uniform(3, 3.5, size=5000), np.array([-1e30, 1e30])):
        d = collected(values.astype(np.float32))
        half = d.width / 2
        assert math.floor(d.maximum / half) - math.floor(d.minimum / half) >= BINS


def test_not_finite_values_are_counted_and_left_out() -> None:
    values = np.array([1.0, np.nan, np.inf, -np.inf, 2.0, np.nan, 0.0], np.float32)
    d = collected(values, np.array([np.nan], np.float32))
    assert (d.count, d.nans, d.infs, d.zeros, d.finite) == (8, 3, 2, 1, 3)
    assert (d.minimum, d.maximum, d.histogram().sum()) == (0.0, 2.0, 3)
    assert d.sample_min == [0.0, math.inf] and d.sample_max == [2.0, -math.inf]


@pytest.mark.parametrize("samples", [[], [np.empty((0, 3), np.float32)], [np.full(5, np.nan)]])
def test_nothing_seen(samples: list) -> None:
    d = collected(*samples)
    assert not d.seen and (d.minimum, d.maximum) == (math.inf, -math.inf)
    assert d.histogram().sum() == 0 and d.samples == len(samples)
    with pytest.raises(ValueError, match="no values"):
        d.percentile(50)
    assert collected(*samples, np.ones(1)).seen


@pytest.mark.parametrize("value", [0.0, -0.0, 3.7, -1e30, 1e30, 1e-44, -1e-38, 5e-324, 1e300])
def test_constant_tensors(value: float) -> None:
    d = collected(np.full(100, value))
    assert d.seen and d.minimum == d.maximum == value and d.histogram().max() == 100
    assert [d.percentile(p) for p in (0, 50, 100)] == [value] * 3
    assert d.zeros == (100 if value == 0 else 0)
    assert math.copysign(1, d.minimum) == (1 if value >= 0 else -1), "no minus zero"


def test_half_precision_and_integers() -> None:
    values = np.array([[0.5, -2.0], [0.0, 65504.0]])
    assert collected(values.astype(np.float16)) == collected(values)
    assert collected(np.arange(-5, 9)) == collected(np.arange(-5.0, 9.0))


def test_percentiles() -> None:
    values = RNG.normal(size=200_000).astype(np.float32)
    d = collected(values)
    for percent in (0, 0.1, 5, 50, 99.9, 100):
        assert d.percentile(percent) == pytest.approx(np.percentile(values, percent), abs=d.width)
    relu = collected(np.maximum(values, 0))
    assert relu.percentile(30) == 0.0, "exact zeros are not spread over their bin"
    assert relu.percentile(75) == pytest.approx(np.percentile(values, 75), abs=relu.width)
    with pytest.raises(ValueError, match="within"):
        d.percentile(101)


def test_record_travels() -> None:
    for d in (collected(random_values(), random_values()), collected()):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(d), type=Distribution) == d


def test_weights() -> None:
    weight = RNG.normal(size=(4, 3, 2, 2)).astype(np.float32)
    low, high = channel_ranges(weight)
    assert low.tolist() == [float(channel.min()) for channel in weight] and high.dtype == np.float32
    assert channel_ranges(weight, axis=1)[1].tolist() == [float(weight[:, i].max()) for i in range(3)]
    d = weight_distribution(weight)
    assert (d.samples, d.count, d.minimum) == (1, 48, weight.min())
    with pytest.raises(ValueError, match="no values"):
        channel_ranges(np.empty((3, 0)))

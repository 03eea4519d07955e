"""Suggested ranges against torch.ao's observers and against brute force on raw values."""

import math
import warnings

import numpy as np
import pytest
import torch
from fake_tensors import observer_arguments, tensors, true_error
from torch.ao.quantization.observer import HistogramObserver, MinMaxObserver, MovingAverageMinMaxObserver

from workbench.core.distribution import Collector, Distribution, weight_distribution
from workbench.core.knobs import KNOBS
from workbench.core.observers import best_range, observed_range
from workbench.core.scales import Scheme, expected_error, fake_quantize, scale_of

TENSORS = tensors(40_000)
SCHEMES = [Scheme(), Scheme(bits=7), Scheme(signed=True, symmetric=True)]
RNG = np.random.default_rng(8)


def seen(batches: list[np.ndarray]) -> Distribution:
    collector = Collector()
    for batch in batches:
        collector.add(batch)
    return collector.result()


def brute_force(values: np.ndarray, scheme: Scheme) -> float:
    """The smallest true error over a grid of ranges, on raw values."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    shares = np.concatenate([np.linspace(0.04, 1, 25), np.geomspace(0.002, 0.04, 8)])
    tied = scheme.symmetric or not low < 0 < high
    pairs = [(a, b) for a in shares for b in (shares if not tied else [a])]
    return min(true_error(values, low * a, high * b, scheme) for a, b in pairs)


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
@pytest.mark.parametrize("kind", TENSORS)
def test_least_error_is_no_worse_than_torch_or_min_max(kind: str, scheme: Scheme) -> None:
    warnings.simplefilter("ignore")
    values = TENSORS[kind]
    batches = np.array_split(values, 4)
    observer = HistogramObserver(**observer_arguments(scheme))
    for batch in batches:
        observer(torch.from_numpy(batch))
    scale, zero_point = observer.calculate_qparams()
    back = fake_quantize(values, scale.item(), zero_point.item(), scheme).astype(np.float64)
    theirs = float(np.mean((back - values) ** 2))
    d = seen(batches)
    ours = true_error(values, *observed_range(d, "histogram", scheme=scheme), scheme)
    assert ours <= theirs * 1.005, "0.5 % for what a histogram cannot tell"
    assert ours <= true_error(values, d.minimum, d.maximum, scheme) * 1.005


@pytest.mark.parametrize("scheme", [Scheme(), Scheme(signed=True, symmetric=True)], ids=str)
@pytest.mark.parametrize("kind", TENSORS)
def test_least_error_is_that_of_brute_force(kind: str, scheme: Scheme) -> None:
    values = TENSORS[kind][::10]
    ours = true_error(values, *best_range(weight_distribution(values), scheme), scheme)
    assert ours <= brute_force(values, scheme) * 1.02


def test_min_max_and_moving_average_as_in_torch() -> None:
    batches = [(RNG.normal(size=500) * RNG.uniform(1, 3)).astype(np.float32) for _ in range(12)]
    batches.insert(4, np.empty(0, np.float32))
    d = seen(batches)
    for name, observer, options in (
        ("minmax", MinMaxObserver(), {}),
        ("moving-average", MovingAverageMinMaxObserver(averaging_constant=0.001), {}),
        ("moving-average", MovingAverageMinMaxObserver(averaging_constant=0.2), {"decay": 0.8}),
    ):
        for batch in batches:
            observer(torch.from_numpy(batch))
        wanted = (observer.min_val.item(), observer.max_val.item())
        assert observed_range(d, name, scheme=Scheme(), **options) == pytest.approx(wanted, rel=1e-6)


def test_percentiles() -> None:
    scheme = Scheme()
    values = TENSORS["laplace"]
    low, high = observed_range(weight_distribution(values), "percentile", scheme=scheme, percentile=99)
    assert (low, high) == pytest.approx((np.percentile(values, 0.5), np.percentile(values, 99.5)), abs=0.03)
    low, high = best_range(weight_distribution(TENSORS["relu"]), scheme, by="percentile", percentile=99)
    assert low == 0 and high == pytest.approx(np.percentile(TENSORS["relu"], 99), abs=0.01), "cut above only"
    low, high = best_range(weight_distribution(-TENSORS["relu"]), scheme, by="percentile", percentile=99)
    assert high == 0 and low == pytest.approx(-np.percentile(TENSORS["relu"], 99), abs=0.01)
    mostly_above = np.append(TENSORS["sigmoid"], -1e-3).astype(np.float32)
    low, high = best_range(weight_distribution(mostly_above), scheme, by="percentile", percentile=50)
    assert low <= 0 < high < 1, "0 stays in"
    assert best_range(weight_distribution(values), scheme, by="percentile", percentile=100) == (
        values.min(),
        values.max(),
    )


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
@pytest.mark.parametrize("kind", TENSORS)
def test_entropy_stays_inside_and_near(kind: str, scheme: Scheme) -> None:
    values = TENSORS[kind]
    d = weight_distribution(values)
    low, high = observed_range(d, "entropy", scheme=scheme)
    assert low <= 0 <= high and low < high
    widest = max(-d.minimum, d.maximum)
    assert -widest <= low and high <= widest
    assert true_error(values, low, high, scheme) <= 60 * true_error(values, *best_range(d, scheme), scheme)


def test_entropy_drops_outliers_and_keeps_uniform_values() -> None:
    scheme = Scheme(signed=True, symmetric=True)
    uniform = RNG.uniform(-1, 1, size=50_000).astype(np.float32)
    assert best_range(weight_distribution(uniform), scheme, by="kl")[1] > 0.95
    outlier = np.append(RNG.normal(size=50_000), 16.0).astype(np.float32)
    assert 3 < best_range(weight_distribution(outlier), scheme, by="kl")[1] < 10


@pytest.mark.parametrize("value", [0.0, 3.0, -2.5, 1e-30, 1e30])
def test_constant_tensors(value: float) -> None:
    d = weight_distribution(np.full(7, value, np.float32))
    values = np.full(7, value, np.float32)
    for observer in ("minmax", "moving-average", "histogram", "percentile", "entropy"):
        low, high = observed_range(d, observer, scheme=Scheme())
        assert math.isfinite(low) and low <= high
        assert true_error(values, low, high, Scheme()) <= max(1e-4 * value**2, 1e-30), observer


@pytest.mark.filterwarnings("error")
def test_values_at_the_limits_of_float32() -> None:
    values = np.array([-3e38, 3e38, 1.0, 0.0], np.float32)
    d = weight_distribution(values)
    for observer in ("histogram", "entropy"):
        low, high = observed_range(d, observer, scheme=Scheme())
        scale, _ = scale_of(low, high, Scheme())
        assert low < 0 < high and math.isfinite(scale), "the full range has no scale"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(20))
def test_any_tensor_has_a_range_no_worse_than_min_max(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.standard_t(rng.uniform(1, 9), size=int(rng.integers(1, 4000))) * 10.0 ** rng.integers(-25, 25)
    values = np.where(rng.random(values.size) < 0.5 * rng.integers(2), 0, values + rng.choice([0, 1e-3, -40]))
    d = weight_distribution(values.astype(np.float32))
    for scheme in SCHEMES:
        full = expected_error(d, d.minimum, d.maximum, scheme)
        for by in ("mse", "percentile", "kl"):
            error = expected_error(d, *best_range(d, scheme, by), scheme)
            assert math.isfinite(error.mse) and abs(error.sqnr_db) <= 200
            assert by != "mse" or error.mse <= full.mse


def test_every_observer_of_the_knob_is_known() -> None:
    knob = next(knob for knob in KNOBS if knob.key == "calibration.observer")
    d = weight_distribution(TENSORS["gaussian"])
    for observer in knob.choices:
        low, high = observed_range(d, observer, scheme=Scheme())
        step = (high - low) / 255  # by which a whole zero point may move the range
        assert d.minimum - step <= low < 0 < high <= d.maximum + step
        assert high - low <= d.maximum - d.minimum


def test_what_cannot_be_answered() -> None:
    nothing, something = weight_distribution(np.empty(0)), weight_distribution(np.ones(3))
    with pytest.raises(ValueError, match="no values"):
        best_range(nothing, Scheme())
    with pytest.raises(ValueError, match="no values"):
        observed_range(nothing, "minmax", scheme=Scheme())
    with pytest.raises(ValueError, match="no observer"):
        observed_range(something, "guess", scheme=Scheme())
    with pytest.raises(ValueError, match="suggested by"):
        best_range(something, Scheme(), by="guess")  # type: ignore[arg-type]

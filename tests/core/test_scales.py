"""Scales against torch.ao's observers, expected errors against raw values, and integer overflow by hand."""

import math
import warnings

import msgspec
import numpy as np
import pytest
import torch
from fake_tensors import observer_arguments, tensors, true_error
from torch.ao.quantization.observer import MinMaxObserver, PerChannelMinMaxObserver

from workbench.core.distribution import channel_ranges, weight_distribution
from workbench.core.scales import (
    EPS,
    SQNR_CAP,
    ErrorCurve,
    ExpectedError,
    Scheme,
    bias_overflow,
    clamped,
    dead_channels,
    error_curve,
    expected_error,
    fake_quantize,
    pair_sum_overflow,
    range_of,
    scale_of,
)

RNG = np.random.default_rng(3)
TENSORS = tensors()
SCHEMES = {
    "quint8": Scheme(),
    "quint8 reduced": Scheme(bits=7),
    "qint8": Scheme(signed=True),
    "qint8 reduced": Scheme(signed=True, bits=7),
    "quint8 symmetric": Scheme(symmetric=True),
    "qint8 symmetric": Scheme(signed=True, symmetric=True),
    "qint8 symmetric reduced": Scheme(signed=True, symmetric=True, bits=7),
}


def test_levels() -> None:
    levels = {name: (scheme.qmin, scheme.qmax) for name, scheme in SCHEMES.items()}
    assert levels["quint8"] == (0, 255) and levels["quint8 reduced"] == (0, 127)
    assert levels["qint8"] == (-128, 127) and levels["qint8 reduced"] == (-64, 63)
    assert scale_of(-1, 1, Scheme(symmetric=True, bits=7))[1] == 64


@pytest.mark.parametrize("name", SCHEMES)
def test_scales_are_those_of_torch(name: str) -> None:
    scheme = SCHEMES[name]
    warnings.simplefilter("ignore")
    ranges = [(0, 0), (0, 6), (-1, 1), (2, 3), (-3, -2), (-1e-9, 1e-9), (-1e30, 1e29), (5, 5), (0, 1e-44)]
    ranges += [tuple(np.sort(RNG.normal(size=2) * 10.0 ** RNG.integers(-6, 6))) for _ in range(200)]
    for low, high in np.array(ranges, np.float32):
        observer = MinMaxObserver(**observer_arguments(scheme))
        observer(torch.tensor([low, high]))
        scale, zero_point = observer.calculate_qparams()
        assert scale_of(float(low), float(high), scheme) == (scale.item(), zero_point.item()), (low, high)


@pytest.mark.parametrize("scheme", [Scheme(signed=True, symmetric=True), Scheme(signed=True)])
def test_channels_of_weights_as_in_torch(scheme: Scheme) -> None:
    weight = RNG.normal(size=(16, 3, 3, 3)).astype(np.float32)
    weight[4] = 0
    observer = PerChannelMinMaxObserver(**observer_arguments(scheme, "channel"))
    observer(torch.from_numpy(weight))
    scales, zero_points = observer.calculate_qparams()
    lows, highs = channel_ranges(weight)
    ours = [scale_of(float(low), float(high), scheme) for low, high in zip(lows, highs, strict=True)]
    assert ours == list(zip(scales.tolist(), zero_points.tolist(), strict=True))
    per_channel = np.array([scale for scale, _ in ours]), np.array([zero for _, zero in ours])
    back = fake_quantize(weight, *(each[:, None, None, None] for each in per_channel), scheme)
    wanted = torch.fake_quantize_per_channel_affine(
        torch.from_numpy(weight), scales, zero_points.int(), 0, scheme.qmin, scheme.qmax
    )
    assert (back == wanted.numpy()).all()


@pytest.mark.parametrize(
    "limits", [(math.nan, 1), (0, math.inf), (-math.inf, 0), (2, 1), (0, 1e39), (-3e38, 3e38), (math.inf, -math.inf)]
)
def test_impossible_ranges(limits: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="range"):
        scale_of(*limits, Scheme())


@pytest.mark.parametrize("name", SCHEMES)
def test_there_and_back(name: str) -> None:
    scheme = SCHEMES[name]
    for low, high in ((-1.5, 4.0), (0.0, 6.0), (-2.0, 0.0)):
        scale, zero_point = scale_of(low, high, scheme)
        bottom, top = range_of(scale, zero_point, scheme)
        assert bottom <= 0 <= top
        # The zero point is a whole number, and a symmetric range has one level less on one side.
        assert bottom <= low + scale and top >= high - scale
        values = RNG.normal(size=5000).astype(np.float32) * 4
        back = fake_quantize(values, scale, zero_point, scheme)
        wanted = torch.fake_quantize_per_tensor_affine(
            torch.from_numpy(values), scale, zero_point, scheme.qmin, scheme.qmax
        )
        assert back.dtype == np.float32 and (back == wanted.numpy()).all()
        assert len(np.unique(back)) <= 2**scheme.bits and fake_quantize(0.0, scale, zero_point, scheme) == 0
        assert back.min() >= np.float32(bottom) and back.max() <= np.float32(top)


def test_odd_values_come_back() -> None:
    back = fake_quantize(np.array([np.nan, np.inf, -np.inf, 3e38], np.float32), EPS, 0, Scheme())
    assert np.isnan(back[0]) and back[1] == back[3] == np.float32(255 * EPS) and back[2] == 0


@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.parametrize("kind", TENSORS)
def test_expected_error_is_the_true_one(kind: str, name: str) -> None:
    values, scheme = TENSORS[kind], SCHEMES[name]
    d = weight_distribution(values)
    for share in (1.0, 0.6, 0.2, 0.05):
        low, high = min(d.minimum, 0) * share, max(d.maximum, 0) * share
        error = expected_error(d, low, high, scheme)
        true = true_error(values, low, high, scheme)
        assert error.mse == pytest.approx(true, rel=0.05), share
        power = float(np.mean(values.astype(np.float64) ** 2))
        assert error.sqnr_db == pytest.approx(10 * np.log10(power / true), abs=0.25)
        assert msgspec.json.decode(msgspec.json.encode(error), type=ExpectedError) == error


def test_clipping_and_rounding_are_told_apart() -> None:
    values = TENSORS["gaussian"].astype(np.float64)
    d, scheme = weight_distribution(values), Scheme()
    scale, zero_point = scale_of(-2, 2, scheme)
    bottom, top = range_of(scale, zero_point, scheme)
    outside = (values > top + scale / 2) | (values < bottom - scale / 2)
    squares = (fake_quantize(values, scale, zero_point, scheme).astype(np.float64) - values) ** 2
    error = expected_error(d, -2, 2, scheme)
    assert error.clipping == pytest.approx(squares[outside].sum() / values.size, rel=0.03)
    assert error.rounding == pytest.approx(squares[~outside].sum() / values.size, rel=0.03)
    assert error.rounding == pytest.approx(scale**2 / 12, rel=0.1)
    assert expected_error(d, d.minimum, d.maximum, scheme).clipping == 0


def test_exact_zeros_cost_nothing() -> None:
    values = np.where(RNG.random(50_000) < 0.97, 0, RNG.normal(size=50_000) * 10).astype(np.float32)
    d = weight_distribution(values)
    for low, high in ((d.minimum, d.maximum), (-3.0, 8.0)):
        assert expected_error(d, low, high, Scheme()).mse == pytest.approx(
            true_error(values, low, high, Scheme()), rel=0.03
        )
    zeros = expected_error(weight_distribution(np.zeros(9)), 0, 1, Scheme())
    assert (zeros.mse, zeros.sqnr_db) == (0, SQNR_CAP)


@pytest.mark.parametrize("share", [1.0, 0.97, 0.8])
def test_values_that_repeat_are_not_spread_over_their_bins(share: float) -> None:
    grey = RNG.integers(0, 17, size=5000).astype(np.float32)
    picture = (RNG.integers(0, 256, size=5000).astype(np.float32) - 127) / 128
    clipped = np.clip(RNG.normal(size=5000) * 4, 0, 6).astype(np.float32)
    for values in (grey, picture, clipped):
        d, high = weight_distribution(values), float(values.max()) * share
        true = true_error(values, min(float(values.min()) * share, 0.0), high, Scheme())
        error = expected_error(d, min(d.minimum * share, 0.0), high, Scheme())
        assert error.mse == pytest.approx(true, rel=0.02, abs=1e-7)
    exact = expected_error(weight_distribution(picture), -127 / 128, 1.0, Scheme())
    assert exact.sqnr_db > 70, "its 256 values are levels"


@pytest.mark.parametrize("value", [6.0, -0.37, 1e30, 1e-44])
def test_constant_tensors(value: float) -> None:
    values = np.full(10, value, np.float32)
    d = weight_distribution(values)
    for low, high in ((min(value, 0) * 2, max(value, 0) * 2), (min(value, 0) / 3, max(value, 0) / 3)):
        true = true_error(values, low, high, Scheme())
        assert expected_error(d, low, high, Scheme()).mse == pytest.approx(true, rel=1e-3, abs=1e-9 * value**2)


def test_error_curve() -> None:
    for kind, values in TENSORS.items():
        d = weight_distribution(values)
        for scheme in (Scheme(), Scheme(signed=True, symmetric=True)):
            curve = error_curve(d, scheme)
            assert len(curve.lows) == len(curve.highs) == len(curve.mse) == len(curve.sqnr) == 64
            assert curve.lows[0] <= d.minimum and curve.highs[0] >= d.maximum, "starts with everything"
            assert np.all(np.diff(curve.highs) <= 0) and np.all(np.diff(curve.lows) >= 0)
            for i in (0, 10, 63):
                point = expected_error(d, curve.lows[i], curve.highs[i], scheme)
                assert (curve.mse[i], curve.sqnr[i]) == pytest.approx((point.mse, point.sqnr_db), rel=1e-9), kind
            assert msgspec.json.decode(msgspec.json.encode(curve), type=ErrorCurve) == curve
    assert len(error_curve(d, Scheme(), points=7).mse) == 7


def test_nothing_seen_has_no_error() -> None:
    nothing = weight_distribution(np.empty(0))
    with pytest.raises(ValueError, match="no values"):
        expected_error(nothing, 0, 1, Scheme())
    with pytest.raises(ValueError, match="no values"):
        error_curve(nothing, Scheme())


def test_clamped() -> None:
    assert clamped(-3, 9, 0, 6) == (0, 6)
    assert clamped(-3, 9, 0, None) == (0, 9) and clamped(-3, 9, None, 6) == (-3, 6)
    assert clamped(1, 2, 0, 6) == (1, 2) and clamped(1, 2, None, None) == (1, 2)
    assert clamped(-5, -1, 0, 6) == (0, 0) and clamped(7, 9, 0, 6) == (6, 6), "all values end on the bound"
    for low, high, lower, upper in ((2, 1, None, None), (0, 1, 3, 2)):
        with pytest.raises(ValueError, match="clamped"):
            clamped(low, high, lower, upper)


def test_pair_sums() -> None:
    weights = np.array(
        [
            [127, 127, 0, 0],  # neighbours
            [0, 127, 127, 0],  # only in another order
            [127, -128, 127, -128],  # signs cancel among neighbours
            [64, 64, 64, 64],  # 255·128 = 32,640 fits
            [65, 64, 0, 0],  # 255·129 = 32,895 does not
            [-64, -64, 0, 0],  # -32,640 fits
            [-64, -65, 0, 0],  # -32,895 does not
        ],
        np.int8,
    )
    full = pair_sum_overflow(weights, 255)
    assert (full.channels, full.adjacent, full.any_order) == (7, 3, 5)
    reduced = pair_sum_overflow(weights, 127)
    assert (reduced.adjacent, reduced.any_order) == (0, 0), "what 7 bits are for"
    odd = pair_sum_overflow(np.array([[1, 1, 127], [127, 127, 127]], np.int8), 255)
    assert (odd.adjacent, odd.any_order) == (1, 1)
    assert pair_sum_overflow(np.full((3, 1), -128, np.int8), 255).any_order == 0, "a single product fits"
    assert pair_sum_overflow(np.empty((2, 0), np.int8), 255).adjacent == 0


def test_pair_sums_by_brute_force() -> None:
    weights = RNG.integers(-128, 128, size=(60, 9)).astype(np.int8) // RNG.integers(1, 4, size=(60, 1))
    corners = [(a, b) for a in (0, 255) for b in (0, 255)]

    def bad(one: int, other: int) -> bool:
        return any(not -32768 <= a * int(one) + b * int(other) <= 32767 for a, b in corners)

    padded = np.pad(weights, ((0, 0), (0, 1)))
    adjacent = sum(any(bad(row[i], row[i + 1]) for i in range(0, 10, 2)) for row in padded)
    anyhow = sum(any(bad(row[i], row[j]) for i in range(9) for j in range(i)) for row in weights)
    result = pair_sum_overflow(weights.astype(np.int8), 255)
    assert (result.adjacent, result.any_order) == (adjacent, anyhow) and 0 < adjacent < anyhow < 60


def test_bias_overflow() -> None:
    scales = np.array([1e-6, 1e-3, 1e-3, EPS])
    assert bias_overflow(np.array([1.0, 1.0, 0.0, -5.0]), 1e-4, scales) == 2
    assert bias_overflow([2**31 - 1.0, 2.0**31, -(2.0**31), -(2.0**31) - 1], 1.0, 1.0) == 2
    assert bias_overflow([np.nan, np.inf], 1.0, [1.0, 1.0]) == 2
    assert bias_overflow(np.zeros(3), EPS, np.full(3, EPS)) == 0


def test_dead_channels() -> None:
    assert dead_channels(np.array([0.0, -1.0, 2.0, 0.0]), np.array([0.0, 1.0, 2.0, 0.1])) == [0, 2]
    assert dead_channels(np.array([math.inf]), np.array([-math.inf])) == [], "never seen is not constant"

"""What a range would do to a tensor, against really quantizing its values."""

import numpy as np
import pytest
from fake_tensors import tensors

from workbench.core.distribution import weight_distribution
from workbench.core.range_study import RangeStudy, suggestions
from workbench.core.scales import OPEN, Scheme, error_curve, fake_quantize, scale_of

TENSORS = tensors()
BOUNDS = {"open": OPEN, "relu": (0.0, None), "relu6": (0.0, 6.0), "narrow": (-0.5, 1.0), "off zero": (0.25, 1.0)}


def truth(values, low, high, bounds, scheme):
    """SQNR and clipped share of what the next operation gets."""
    wanted = np.clip(values.astype(np.float64), *bounds) if bounds != OPEN else values.astype(np.float64)
    scale, zero_point = scale_of(low, high, scheme)
    back = fake_quantize(wanted, scale, zero_point, scheme)
    error = float(np.mean((back - wanted) ** 2))
    return 10 * np.log10(float(np.mean(wanted**2)) / error) if error else 200.0


@pytest.mark.parametrize("bounds", BOUNDS.values(), ids=BOUNDS)
@pytest.mark.parametrize("kind", ["gaussian", "relu6", "heavy-tailed", "bimodal", "sigmoid"])
def test_the_error_is_that_of_what_the_next_operation_gets(kind, bounds) -> None:
    values = TENSORS[kind]
    study = RangeStudy(weight_distribution(values), Scheme(), bounds)
    for low, high in ((study.low, study.high), (study.low / 3, study.high / 3), (-0.2, 0.7)):
        true = truth(values, low, high, bounds, Scheme())
        # Where all values end on a bound that is a level, float32 alone decides what is left.
        assert min(study.at(low, high).sqnr_db, 100.0) == pytest.approx(min(true, 100.0), abs=0.35)


def test_clipped_counts_what_the_next_operation_would_have_let_through() -> None:
    values = TENSORS["gaussian"]
    d = weight_distribution(values)
    everything = RangeStudy(d, Scheme())
    at = everything.at(-1.0, 2.0)
    assert at.clipped == pytest.approx(np.mean((values < at.low) | (values > at.high)), abs=0.01)
    assert everything.at(everything.low, everything.high).clipped == 0.0
    assert RangeStudy(d, Scheme(), (0.0, 1.0)).at(0.0, 1.0).clipped == 0.0, "nothing that matters is lost"
    half = RangeStudy(d, Scheme(), (0.0, 1.0)).at(0.0, 0.5)
    assert half.clipped == pytest.approx(np.mean(values > half.high), abs=0.01)


def test_scale_and_zero_point_are_those_of_the_range() -> None:
    study = RangeStudy(weight_distribution(TENSORS["gaussian"]), Scheme(signed=True, symmetric=True))
    at = study.at(-1.0, 3.0)
    assert (at.scale, at.zero_point) == scale_of(-1.0, 3.0, study.scheme) and at.zero_point == 0
    assert at.low == pytest.approx(-3.0, rel=0.01), "a symmetric range is as wide on both sides"
    with pytest.raises(ValueError, match="before it begins"):
        study.at(2.0, 1.0)


def test_the_curve_has_both_kinds_of_error_and_starts_with_all_that_is_let_through() -> None:
    d = weight_distribution(TENSORS["heavy-tailed"])
    curve = error_curve(d, Scheme(), bounds=(0.0, 6.0))
    assert (curve.lows[0], curve.highs[0]) == (0.0, 6.0)
    assert curve.clipping[0] == pytest.approx(0.0, abs=1e-6) and curve.clipping[-1] > 100 * curve.clipping[0]
    assert curve.rounding[0] > curve.rounding[-1]
    assert np.add(curve.clipping, curve.rounding).tolist() == curve.mse


@pytest.mark.parametrize("kind", ["gaussian", "relu", "heavy-tailed"])
@pytest.mark.parametrize("bounds", [OPEN, (0.0, 6.0)])
def test_suggestions_beat_the_full_range_and_stay_within_what_is_let_through(kind, bounds) -> None:
    d = weight_distribution(TENSORS[kind])
    study, found = RangeStudy(d, Scheme(), bounds), suggestions(d, Scheme(), bounds)
    assert set(found) == {"mse", "percentile", "kl"}
    best = study.at(*found["mse"]).sqnr_db
    assert best >= study.at(study.low, study.high).sqnr_db - 0.01
    assert all(best >= study.at(*found[by]).sqnr_db - 0.05 for by in found)
    assert all(low >= study.low - 1e-6 and high <= study.high + 1e-6 for low, high in found.values())


def test_what_has_no_width_is_not_suggested() -> None:
    d = weight_distribution(np.zeros(50, np.float32))
    assert suggestions(d, Scheme()) == {}
    assert RangeStudy(d, Scheme()).at(0.0, 1.0).sqnr_db == 200.0

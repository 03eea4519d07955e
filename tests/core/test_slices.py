"""Slices of an output against brute force: what fails, what is named, and what must not alarm."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.core.outputs import cosine, sqnr_db
from workbench.core.slices import Slices

Pair = tuple[np.ndarray, np.ndarray]


def judged(pairs: list[Pair]) -> Slices:
    slices = Slices("output")
    for reference, candidate in pairs:
        slices.add(reference, candidate)
    return slices


def rounded(array: np.ndarray, step: float) -> np.ndarray:
    return np.rint(array / step) * step


def detections(samples: int = 4, anchors: int = 50) -> list[np.ndarray]:
    """Return arrays (1, 8, anchors): four coordinates up to 640, four scores in 0..1 with few large ones."""
    rng = np.random.default_rng(5)
    boxes = rng.uniform(0, 640, size=(samples, 1, 4, anchors))
    scores = rng.beta(0.3, 2.0, size=(samples, 1, 4, anchors))
    return list(np.concatenate([boxes, scores], 2))


def test_the_worst_slice_is_that_of_brute_force() -> None:
    rng = np.random.default_rng(0)
    wholes = detections()
    pairs = [(whole, whole + rng.normal(0, 0.1, whole.shape)) for whole in wholes]
    ours, theirs = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    energies = [(float((ours[:, i] ** 2).sum()), float(((theirs - ours)[:, i] ** 2).sum())) for i in range(8)]
    decibels = [sqnr_db(signal, noise) for signal, noise in energies]
    worst = judged(pairs).worst()
    assert worst is not None
    assert (worst.axis, worst.index) == (1, int(np.argmin(decibels)))
    assert worst.sqnr_db == pytest.approx(min(decibels))
    assert worst.cosine == pytest.approx(cosine(ours[:, worst.index], theirs[:, worst.index]))


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("step", [0.55, 0.8])
def test_scores_that_are_merely_coarse_fail(step: float, last: bool) -> None:
    wholes = [whole.transpose(0, 2, 1) if last else whole for whole in detections()]
    pairs = [(whole, rounded(whole, step)) for whole in wholes]
    axis = 2 if last else 1
    slices = judged(pairs)
    scores = np.concatenate([np.moveaxis(candidate, axis, 1)[:, 4:] for _, candidate in pairs])
    assert (scores.max(axis=(0, 2)) > 0).all(), "a constant slice would be another finding"
    assert min(cosine(one, other) for one, other in pairs) > 0.9999
    (text,) = slices.failures()
    worst = slices.worst()
    assert worst is not None and worst.axis == axis and worst.index >= 4 and worst.sqnr_db < 10
    assert f"slices 4–7 of 8 along axis {axis} are mostly rounding noise (worst: slice {worst.index}," in text


def test_a_score_around_one_half_is_lost_though_its_own_cosine_is_high() -> None:
    rng = np.random.default_rng(1)
    pairs = []
    for whole in detections():
        whole[:, 4:] = 0.5 + rng.uniform(-0.12, 0.12, size=whole[:, 4:].shape)
        pairs.append((whole, rounded(whole, 0.4)))
    slices = judged(pairs)
    worst = slices.worst()
    assert worst is not None and worst.cosine > 0.95
    assert any("slices 4–7 of 8 along axis 1" in text for text in slices.failures())


def test_scores_with_a_scale_of_their_own_pass() -> None:
    pairs = []
    for whole in detections():
        kept = rounded(whole, 640 / 255)
        kept[:, 4:] = rounded(whole[:, 4:], 1 / 255)
        pairs.append((whole, kept))
    assert judged(pairs).failures() == []


def test_a_class_that_never_occurs_may_round_to_zero_beside_coordinates() -> None:
    pairs = []
    for whole in detections():
        whole[:, 7] *= 0.002
        kept = rounded(whole, 640 / 255)
        kept[:, 4:] = rounded(whole[:, 4:], 1 / 255)
        pairs.append((whole, kept))
    assert all((candidate[:, 7] == 0).all() for _, candidate in pairs)
    assert judged(pairs).failures() == []


def test_faint_channels_among_many_features_do_not_alarm() -> None:
    rng = np.random.default_rng(2)
    pairs = []
    for _ in range(4):
        features = np.abs(rng.normal(0, 1, size=(1, 100, 7, 7)))
        features[:, :3] *= 0.02
        pairs.append((features, rounded(features, features.max() / 255)))
    slices = judged(pairs)
    assert slices.failures() == []
    worst = slices.worst()
    assert worst is not None and worst.index < 3


def test_what_is_bad_everywhere_is_left_to_the_averages() -> None:
    rng = np.random.default_rng(3)
    pairs = [(x, x + rng.normal(0, 0.7, x.shape)) for x in rng.normal(0, 1, size=(4, 1, 8, 50))]
    slices = judged(pairs)
    worst = slices.worst()
    assert worst is not None and worst.sqnr_db < 5
    assert slices.failures() == []


def test_memory_does_not_grow_with_the_samples() -> None:
    def kept(samples: int) -> int:
        slices = judged([(whole, rounded(whole, 1.0)) for whole in detections(samples)])
        sums = vars(slices)["_axes"]
        return sum(array.nbytes for one in sums.values() for array in vars(one).values() if hasattr(array, "nbytes"))

    assert kept(40) == kept(2)


def test_two_axes_have_no_slices() -> None:
    rng = np.random.default_rng(4)
    slices = judged([(row, rounded(row, 3.0)) for row in rng.normal(0, 1, size=(4, 1, 30))])
    assert slices.worst() is None

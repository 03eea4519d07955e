"""Accuracy figures against brute force, and every way in which outputs can be odd."""

from collections import OrderedDict, namedtuple

import msgspec
import numpy as np
import pytest

from workbench.core.accuracy import SQNR_CAP, Accuracy, AccuracyMeter, flatten_outputs
from workbench.errors import UserError


def leaves(*arrays: object) -> list[tuple[str, np.ndarray]]:
    return flatten_outputs(arrays[0] if len(arrays) == 1 else arrays)


def met(pairs: list, labels: list | None = None) -> Accuracy:
    meter = AccuracyMeter()
    for index, (reference, candidate) in enumerate(pairs):
        label = labels[index] if labels else None
        meter.add(f"s{index}", flatten_outputs(reference), flatten_outputs(candidate), label)
    result = meter.result()
    text = msgspec.json.encode(result)
    assert msgspec.json.decode(text, type=Accuracy) == result
    return result


def quantized(array: np.ndarray, low: float, high: float) -> np.ndarray:
    scale = (high - low) / 255
    return np.clip(np.rint((array - low) / scale), 0, 255) * scale + low


def test_names_of_leaves() -> None:
    one = np.zeros(2)
    pair = namedtuple("pair", "boxes scores")

    def named(value: object) -> list[str]:
        return [name for name, _ in flatten_outputs(value)]

    assert named(one) == ["output"]
    assert named((one, [one, one])) == ["output.0", "output.1.0", "output.1.1"]
    assert named(OrderedDict(boxes=one, more=(one, None))) == ["boxes", "more.0"]
    assert named([{"scores": one}]) == ["0.scores"]
    assert named(pair(one, one)) == ["boxes", "scores"]
    assert named(3.5) == ["output"] and named(None) == [] and named([]) == []
    for bad in ("text", {"a": object()}, np.array(["a"]), np.ones(2, complex)):
        with pytest.raises(UserError, match="cannot be compared"):
            flatten_outputs(bad)


def test_against_brute_force() -> None:
    rng = np.random.default_rng(0)
    pairs = []
    for _ in range(12):
        logits = rng.normal(size=(1, 10)).astype(np.float32)
        pairs.append((logits, logits + rng.normal(0, 0.4, (1, 10)).astype(np.float32)))
    labels = [int(index) for index in rng.integers(0, 10, 12)]
    result = met(pairs, labels)
    a = np.concatenate([reference for reference, _ in pairs]).astype(np.float64)
    b = np.concatenate([candidate for _, candidate in pairs]).astype(np.float64)
    cosines = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    p, q = (np.exp(x) / np.exp(x).sum(1, keepdims=True) for x in (a, b))
    assert result.samples == 12
    assert result.cosine_mean == pytest.approx(cosines.mean())
    assert result.cosine_min == pytest.approx(cosines.min())
    assert result.sqnr_db == pytest.approx(10 * np.log10((a**2).sum() / ((a - b) ** 2).sum()))
    assert result.kl_mean == pytest.approx((p * np.log(p / q)).sum(1).mean())
    assert result.top1_agreement == pytest.approx((a.argmax(1) == b.argmax(1)).mean())
    assert result.top1 == pytest.approx((b.argmax(1) == labels).mean())
    assert result.top1_fp32 == pytest.approx((a.argmax(1) == labels).mean())
    best = np.argsort(-b, axis=1)[:, :5]
    assert result.top5 == pytest.approx(np.mean([label in row for label, row in zip(labels, best, strict=True)]))
    assert [item.cosine for item in result.items] == pytest.approx(cosines.tolist())
    assert [item.top1 for item in result.items] == b.argmax(1).tolist()
    assert [item.label for item in result.items] == labels
    output = result.outputs[0]
    assert (output.name, output.max_abs_diff) == ("output", pytest.approx(np.abs(a - b).max()))
    assert output.cosine_min == pytest.approx(cosines.min()) and result.failures == ()


def test_identical_outputs_give_the_cap() -> None:
    logits = np.random.default_rng(0).normal(size=(1, 6))
    result = met([(logits, logits.copy())] * 3)
    assert (result.cosine_mean, result.sqnr_db, result.kl_mean, result.top1_agreement) == (
        1.0,
        SQNR_CAP,
        0.0,
        1.0,
    )
    assert "practically the same" in result.verdict and result.top1 is None and result.top5 is None


def test_probabilities_are_not_softened_again() -> None:
    a, b = np.array([[0.9, 0.1]]), np.array([[0.6, 0.4]])
    want = 0.9 * np.log(0.9 / 0.6) + 0.1 * np.log(0.1 / 0.4)
    assert met([(a, b)]).kl_mean == pytest.approx(want)
    assert np.isfinite(met([(a, np.array([[0.0, 1.0]]))]).kl_mean or np.inf)


def test_only_two_dimensional_floats_are_class_scores() -> None:
    rng = np.random.default_rng(0)
    for array in (
        rng.normal(size=(1, 1)),
        rng.normal(size=(1, 3, 4)),
        np.arange(6).reshape(1, 6),
        np.float32(2.5),
    ):
        result = met([(array, array)], [1])
        assert result.kl_mean is result.top1_agreement is result.top1 is None
        assert result.items[0].top1 is None and result.items[0].label == 1
    boxes, scores = rng.normal(size=(1, 4, 9)), rng.normal(size=(1, 7))
    assert met([((boxes, scores), (boxes, scores))], [2]).top1_agreement == 1.0


def test_batches_agree_row_by_row() -> None:
    a = np.eye(4)
    b = a.copy()
    b[3] = [9, 0, 0, 0]
    assert met([(a, b)]).top1_agreement == 0.75


def test_a_sample_is_as_good_as_its_worst_leaf() -> None:
    boxes = np.full((1, 4, 30), 300.0) + np.arange(30)
    scores = np.random.default_rng(0).normal(size=(1, 8))
    result = met([({"boxes": boxes, "scores": scores}, {"boxes": boxes, "scores": -scores})])
    assert result.cosine_mean == pytest.approx(-1.0)
    assert [output.name for output in result.outputs] == ["boxes", "scores"]
    assert result.outputs[0].cosine_min == 1.0 and "far from FP32" in result.verdict


@pytest.mark.parametrize("last", [False, True])
def test_b13_dead_scores_fail_in_spite_of_the_cosine(last: bool) -> None:
    rng = np.random.default_rng(0)
    pairs = []
    for _ in range(4):
        x = rng.normal(size=(1, 4, 50))
        whole = np.concatenate([np.abs(x) * 200, 1 / (1 + np.exp(-x - 1))], 1)
        dead = quantized(whole, 0, 640)
        # 2.5 per step: scores below 1.25 all round to 0.
        assert (dead[:, 4:] == 0).all()
        pairs.append((whole, dead) if not last else (whole.transpose(0, 2, 1), dead.transpose(0, 2, 1)))
    result = met(pairs)
    assert result.cosine_mean > 0.999
    assert len(result.failures) == 1
    axis = 2 if last else 1
    assert f"output 'output': slices 4–7 of 8 along axis {axis} are constant" in result.failures[0]
    assert result.verdict.startswith("unusable")


def test_slices_that_are_constant_in_fp32_too_are_fine() -> None:
    whole = np.random.default_rng(0).normal(size=(1, 3, 40))
    whole[:, 1] = 0
    assert met([(whole, quantized(whole, -4, 4))]).failures == ()


def test_rare_classes_may_round_to_zero() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 6, size=(20, 1, 100))
    shares = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    assert met([(row, quantized(row, 0, 1)) for row in shares]).failures == ()
    maps = np.stack([np.full((1, 9, 9), 0.999), np.full((1, 9, 9), 0.001)], 1)
    maps[0, 1, 0, 0] = 0.0009
    assert met([(maps, quantized(maps, 0, 1))]).failures == ()


def test_an_output_that_ignores_the_input_fails() -> None:
    rng = np.random.default_rng(0)
    rows = [rng.normal(size=(1, 10)) for _ in range(4)]
    assert any("same for every sample" in text for text in met([(row, rows[0]) for row in rows]).failures)
    assert any("is 0 everywhere" in text for text in met([(row, row * 0) for row in rows]).failures)
    # Two coarse scores that meet by chance are no proof.
    assert met([(np.array([[0.1, 0.2]]), np.array([[0.0, 0.0]]))] * 2).failures == ()


def test_non_finite_outputs() -> None:
    row = np.array([[1.0, 2.0, 3.0]])
    spoiled = np.array([[1.0, np.nan, 3.0]])
    result = met([(row, spoiled), (row, row)], [2, 2])
    assert result.failures == ("output 'output' is NaN or infinite where FP32 is not (sample 's0')",)
    assert result.cosine_min == 0.0 and result.items[1].cosine == pytest.approx(1.0)
    assert (result.top1_agreement, result.top1, result.top1_fp32) == (0.5, 0.5, 1.0)
    masked = np.array([[1.0, -np.inf, 3.0]])
    result = met([(masked, masked)])
    assert result.failures == () and result.cosine_min == 1.0 and "in FP32 itself" in result.notes[0]
    result = met([(masked, row)])
    assert "differs where FP32 is not finite" in result.failures[0] and np.isfinite(result.sqnr_db)


def test_zero_vectors_and_signs() -> None:
    zero, one = np.zeros((1, 3)), np.ones((1, 3))
    assert (met([(zero, zero)]).cosine_mean, met([(zero, zero)]).sqnr_db) == (1.0, SQNR_CAP)
    assert (met([(zero, one)]).cosine_mean, met([(zero, one)]).sqnr_db) == (0.0, -SQNR_CAP)
    assert met([(one, zero)]).sqnr_db == 0.0
    tiny = np.array([[1e-300, 2e-300]])
    assert met([(tiny, tiny * 2)]).cosine_mean == pytest.approx(1.0)


def test_integers_scalars_and_empty() -> None:
    assert met([(np.arange(4), np.arange(4) + 1)]).outputs[0].max_abs_diff == 1.0
    unsigned = np.array([[0, 255]], np.uint8)
    assert met([(unsigned, unsigned[:, ::-1])]).outputs[0].max_abs_diff == 255.0
    assert met([(3.0, 3.5)]).cosine_mean == 1.0
    assert met([(np.array([True, False]), np.array([True, True]))]).outputs[0].max_abs_diff == 1.0
    assert met([(np.zeros((0, 6)), np.zeros((0, 6)))]).cosine_mean == 1.0
    nothing = AccuracyMeter().result()
    assert (nothing.samples, nothing.verdict) == (0, "nothing was compared")


def test_shapes_and_names_that_differ() -> None:
    boxes, fewer = np.ones((5, 6)), np.ones((3, 6))
    result = met([(boxes, fewer), (boxes, boxes), (boxes, fewer)])
    assert result.failures == ("output 'output' has shape (3, 6) where FP32 gives (5, 6) (sample 's0' and 1 more)",)
    assert result.cosine_min == 0.0 and result.samples == 3
    result = met([({"a": boxes, "b": boxes}, {"a": boxes, "c": boxes})])
    assert any("'b' is missing" in text for text in result.failures)
    assert any("'c' exists in the candidate only" in text for text in result.failures)
    assert result.cosine_mean == 0.0


def test_growing_lengths_are_compared_without_slices() -> None:
    rng = np.random.default_rng(0)
    pairs = [(array, quantized(array, -4, 4)) for array in (rng.normal(size=(1, n, 8)) for n in (5, 7, 9))]
    result = met(pairs)
    assert result.failures == () and result.cosine_min > 0.99

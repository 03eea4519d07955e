"""The scan of layers on a hand-made emulator, whose errors are known; and facts of weights."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.core.dataflow import Dataflow
from workbench.core.trial import Layer, LayerError, TensorRange
from workbench.engines.base import Emulator, Weight
from workbench.worker.layer_errors import CAP_DB, Scan, weight_facts

LAYERS = [
    Layer(name="a", op="linear", kind="matmul", inputs=["input:x"]),
    Layer(name="relu", op="relu", kind="", inputs=["a:out"], clamp=(0.0, None)),
    Layer(name="b", op="linear", kind="matmul", inputs=["relu:out"]),
]
STEPS = {"a": 0.1, "b": 0.01}


class Adding(Emulator):
    """``x + 1 + 1``; a quantized layer adds its step, which is its error."""

    def __init__(self):
        self.runs = []

    def run(self, feed, layers, tensors):
        self.runs.append(tuple(layers))
        first = feed["x"] + 1 + STEPS["a"] * ("a" in layers)
        last = first + 1 + STEPS["b"] * ("b" in layers)
        values = {"relu:out": first, "b:out": last}
        return {name: values[name] for name in tensors}, {"y": last}


def scan(emulator, **options):
    return Scan(emulator, Dataflow(LAYERS), ["a", "b"], ["input:x", "relu:out", "b:out"], **options)


def db(signal, error):
    return 10 * np.log10(signal**2 / error**2)


FEEDS = [{"x": np.full(4, 2.0)}, {"x": np.full(4, 2.0)}]


def test_own_accumulated_and_final_errors_are_told_apart():
    found = scan(Adding(), rest=True)(FEEDS)
    a, b = found.layers
    assert (a.layer, a.tensor, b.tensor) == ("a", "relu:out", "b:out")
    assert a.own_db == pytest.approx(db(3, 0.1))
    assert (a.only_db, a.rest_db) == pytest.approx((db(4, 0.1), db(4, 0.01)))
    assert b.own_db == pytest.approx(db(4, 0.01))
    assert b.accumulated_db == found.all_db == pytest.approx(db(4, 0.11))
    assert (found.samples, found.complete) == (2, True)


def test_a_layer_without_error_is_capped_so_that_json_stays_valid(monkeypatch):
    monkeypatch.setitem(STEPS, "b", 0.0)
    assert scan(Adding())(FEEDS).layers[1].own_db == CAP_DB


def test_outputs_that_are_not_finite_are_as_bad_as_can_be(monkeypatch):
    monkeypatch.setitem(STEPS, "a", float("nan"))
    assert scan(Adding())(FEEDS).layers[0].only_db == -CAP_DB


def test_without_sensitivity_nothing_runs_with_all_but_one():
    emulator = Adding()
    assert scan(emulator)(FEEDS[:1]).layers[0].rest_db is None
    assert emulator.runs == [(), ("a", "b"), ("a",), ("b",)]


def test_a_scan_goes_on_where_it_was_stopped():
    kept = []
    scan(Adding(), rest=True)(FEEDS, keep=lambda errors: kept.append(list(errors)))
    assert [len(errors) for errors in kept] == [1, 2]
    emulator = Adding()
    again = scan(emulator, rest=True)(FEEDS, known=kept[0])
    assert emulator.runs.count(("a",)) == len(FEEDS)  # all but b; a alone is known
    assert again.layers == kept[1]


def test_layers_scanned_without_the_rest_are_scanned_again_where_it_is_wanted():
    known = scan(Adding())(FEEDS).layers
    assert all(error.rest_db is not None for error in scan(Adding(), rest=True)(FEEDS, known=known).layers)


def test_a_budget_that_is_spent_leaves_layers_out_and_says_so():
    found = scan(Adding(), rest=True, seconds=-1.0)(FEEDS)
    assert (found.layers, found.complete) == ([], False)


def test_cancelling_keeps_what_is_done():
    kept: list[LayerError] = []

    def stop(done, total):
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scan(Adding(), progress=stop)(FEEDS, keep=lambda errors: kept.extend(errors))
    assert [error.layer for error in kept] == ["a"]


def test_facts_of_weights_count_overflow_dead_channels_and_bias():
    levels = np.array([[127, 127, 0], [64, 0, 64], [5, 5, 5]], np.int8)
    values = levels * 0.5
    weight = Weight(levels, np.full(3, 0.5), values, bias=np.array([0.0, 1e12, 0.0]))
    scales = [TensorRange(tensor="input:x", min=0.0, max=25.5, scale=0.1, zero_point=0)]
    (facts,) = weight_facts({"a": weight}, LAYERS, scales, 255)
    assert (facts.overflow, facts.dead, facts.bias_overflow) == (1, [2], 1)
    assert facts.high == [63.5, 32.0, 2.5]
    (safe,) = weight_facts({"a": weight}, LAYERS, scales, 127)
    assert (safe.overflow, safe.overflow_any) == (0, 0)

"""Two trials layer by layer: what counts as a difference, and in which order it is told."""

from __future__ import annotations

import msgspec
import pytest
from fake_records import kernel, layer, proof, trial

from workbench.core.layer_differences import layer_differences


def of(*kernels, layers=("a", "b", "c")):
    return trial(layers=[layer(name) for name in layers], proof=proof(kernels=list(kernels), missing=[], kept={}))


def took(name: str, ms: float, dtype: str = "fp32"):
    return msgspec.structs.replace(kernel(name, dtype, f"k:{dtype}"), ms=ms)


def test_another_kernel_or_dtype_differs_and_the_largest_change_comes_first():
    one = of(took("a", 1.0), took("b", 5.0), took("c", 2.0))
    other = of(took("a", 0.9, "int8"), took("b", 2.0, "int8"), took("c", 2.1))
    found = layer_differences(one, other)
    assert [(each.name, each.other_kernel) for each in found] == [("b", True), ("a", True)]
    assert found[0].ms == pytest.approx(3.0) and found[1].ms == pytest.approx(0.1)
    assert found[0].a.dtype == "fp32" and found[0].b.dtype == "int8"
    assert [each.ms for each in layer_differences(other, one)] == pytest.approx([-3.0, -0.1])


def test_the_same_kernel_differs_where_its_time_says_something():
    one = of(took("a", 1.0), took("b", 100.0), took("c", 10.0))
    other = of(took("a", 1.9), took("b", 110.0), took("c", 20.0))
    (found,) = layer_differences(one, other)
    assert found.name == "c" and not found.other_kernel, "a is too small a share, b too small a change"


def test_a_layer_that_one_side_lacks():
    one, other = of(took("a", 1.0), took("z", 1.0), layers=("a", "z")), of(took("a", 1.0), layers=("a",))
    (found,) = layer_differences(one, other)
    assert (found.name, found.b, found.ms) == ("z", None, None)


def test_nothing_is_known_without_proof():
    assert layer_differences(of(took("a", 1.0)), trial(proof=None)) == []
    assert layer_differences(of(took("a", 1.0)), of(took("a", 1.0))) == []

"""Inputs in memory: the same values at the alignment and in the order that were asked for."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.engines.layout import laid_out


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8", "bool"])
@pytest.mark.parametrize("shape", [(2, 3, 5, 7), (1, 1, 1, 1), (4,), (), (0, 3)])
def test_values_stay_and_the_start_is_where_it_was_asked_for(dtype, shape):
    array = np.random.default_rng(1).integers(0, 2, size=shape).astype(dtype)
    for aligned, offset in ((True, 0), (False, max(4, array.itemsize))):
        placed = laid_out(array, aligned=aligned)
        assert (placed.shape, placed.dtype) == (array.shape, array.dtype)
        assert (placed == array).all()
        assert placed.ctypes.data % 64 == offset or not array.size
        assert placed.flags.c_contiguous
        assert not np.shares_memory(placed, array)


@pytest.mark.parametrize("aligned", [True, False])
def test_channels_last_is_an_order_in_memory_not_a_shape(aligned):
    array = np.arange(2 * 3 * 4 * 5, dtype=np.float32).reshape(2, 3, 4, 5)
    placed = laid_out(array, aligned=aligned, channels_last=True)
    assert (placed == array).all()
    assert [stride // 4 for stride in placed.strides] == [60, 1, 15, 3]
    assert placed.ctypes.data % 64 == (0 if aligned else 4)


def test_a_view_of_something_else_is_laid_out_by_its_values():
    array = np.arange(24, dtype=np.float32).reshape(2, 3, 4)[:, ::-1, ::2]
    assert (laid_out(array, aligned=True) == array).all()

"""Layers read out of hand-made trials."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.core.distribution import Collector
from workbench.core.layer_table import layer_table, ranked
from workbench.core.trial import (
    FixState,
    Kernel,
    Layer,
    LayerError,
    LayerErrors,
    ModelFacts,
    Proof,
    TensorRange,
    Trial,
    WeightFacts,
)

LAYERS = [
    Layer(name="conv", op="conv2d", kind="conv", inputs=["input:x"], macs=10),
    Layer(name="bn", op="batchnorm2d", kind="", inputs=["conv:out"]),
    Layer(name="relu6", op="relu6", kind="", inputs=["bn:out"], clamp=(0.0, 6.0)),
    Layer(name="side", op="conv2d", kind="conv", inputs=["input:x"]),
    Layer(name="cat", op="cat", kind="", inputs=["relu6:out", "side:out"]),
]


def seen(*values):
    collector = Collector()
    collector.add(np.asarray(values, np.float32))
    return collector.result()


def span(tensor, high, low=0.0):
    return TensorRange(tensor=tensor, min=low, max=high, scale=(high - low) / 255, zero_point=0)


def trial(**other):
    kernels = [
        Kernel(layer="conv", op="convolution", kernel="jit", dtype="int8", ms=0.3),
        Kernel(layer="side", op="convolution", kernel="ref", dtype="fp32", ms=0.1),
        Kernel(layer="unmapped", op="reorder", kernel="jit", dtype="int8", ms=0.1, compute=False),
    ]
    proof = Proof(
        int8_kernels=1, bf16_kernels=0, fp32_kernels=1, reference_kernels=0, expected_int8=1, kernels=kernels,
        kept={"side": "kept in FP32 by the config"},
    )  # fmt: skip
    fields = {
        "status": "ok", "created": "", "model": ModelFacts(path="", format="onnx", sha256="", name="m"),
        "config": {"layers": {"side": {"precision": "fp32"}}}, "layers": LAYERS, "proof": proof,
        "tensors": [span("input:x", 1.0), span("relu6:out", 6.0)], **other,
    }  # fmt: skip
    return Trial(**fields)


def rows(*args, **other):
    return {row.name: row for row in layer_table(trial(**other), *args).layers}


def test_fused_layers_are_a_group_and_the_kernel_stands_with_the_first():
    found = rows()
    assert found["conv"].group == ["conv", "bn", "relu6"]
    assert (found["conv"].dtype, found["conv"].kernel) == ("int8", "jit")
    assert found["relu6"].fused_into == "conv"
    assert found["relu6"].dtype is None
    assert [t.name for t in found["conv"].tensors] == ["input:x", "relu6:out"]


def test_time_is_shared_among_all_kernels_and_what_fits_no_layer_is_unmapped():
    table = layer_table(trial())
    assert table.layers[0].share == pytest.approx(0.6)
    assert [kernel.op for kernel in table.unmapped] == ["reorder"]


def test_pinned_layers_say_why_they_are_not_quantized():
    side = rows()["side"]
    assert side.precision_fixed == "fp32"
    assert "kept in FP32 by the config" in side.flags


def test_tensors_carry_what_was_seen_and_what_the_scale_holds():
    fixes = [FixState(tensor="conv:out", state="applied", acts_on="relu6:out")]
    tensor = rows({"relu6:out": seen(-1, 9)}, fixes=fixes)["conv"].tensors[1]
    assert (tensor.min, tensor.max, tensor.low, tensor.high) == (-1.0, 9.0, 0.0, 6.0)
    assert (tensor.fixed, tensor.quantized) == (True, True)


def test_errors_and_ranking_come_from_the_scan():
    errors = [
        LayerError(layer="conv", tensor="relu6:out", own_db=30.0, accumulated_db=29.0, only_db=40.0, rest_db=20.0),
        LayerError(layer="side", tensor="side:out", own_db=30.0, accumulated_db=29.0, only_db=10.0, rest_db=35.0),
    ]
    table = layer_table(trial(errors=LayerErrors(samples=4, all_db=19.0, layers=errors)))
    assert (table.samples, table.all_int8_sqnr_db) == (4, 19.0)
    assert [row.name for row in ranked(table)] == ["side", "conv"]
    assert table.layers[0].all_but_this_int8_sqnr_db == 20.0


def test_weights_that_can_overflow_mark_the_tensor_that_they_meet():
    weights = [WeightFacts(layer="conv", low=[-1.0, -1.0], high=[1.0, 0.5], overflow=1, dead=[1])]
    conv = rows(weights=weights)["conv"]
    assert [t.name for t in conv.tensors if t.saturation_risk] == ["input:x", "conv:weight"]
    assert any("overflow in 1 of 2 channels" in flag for flag in conv.flags)
    assert any("1 of 2 channels never change" in flag for flag in conv.flags)


def test_a_concatenation_of_unlike_ranges_is_named():
    flags = rows({"relu6:out": seen(0, 6), "side:out": seen(0, 640)})["cat"].flags
    assert any("side:out 640" in flag and "relu6:out reaches 6" in flag for flag in flags)
    assert not rows({"relu6:out": seen(0, 6), "side:out": seen(0, 9)})["cat"].flags


def repairs(values, high):
    table = layer_table(trial(tensors=[span("relu6:out", high)]), {"relu6:out": values})
    return {repair.where: repair for repair in table.repairs}


def test_the_narrowest_error_is_offered_where_it_leaves_nothing_to_say():
    clipped = repairs(seen(*np.linspace(0, 6, 1000)), 1.0)["relu6:out"]
    assert "least squared error" in clipped.text
    assert clipped.settings[0] == 'fixes."relu6:out".min=0'
    assert float(clipped.settings[1].partition("max=")[2]) == pytest.approx(6.0, rel=0.01)


def test_where_squares_of_outliers_outweigh_the_rest_the_share_of_values_is_offered():
    spikes = seen(*np.linspace(0, 1, 4000), *[1e4, 2e4])
    stretched = repairs(spikes, 2e4)["relu6:out"]
    assert "99.9 %" in stretched.text
    assert float(stretched.settings[1].partition("max=")[2]) == pytest.approx(spikes.percentile(99.9), rel=1e-5)
    assert repairs(spikes, spikes.percentile(99.9)) == {}


def test_where_no_range_is_known_what_gives_and_reads_the_tensor_is_kept_in_fp32():
    blind = repairs(seen(0.0, 0.0), 1.0)["relu6:out"]
    assert blind.settings == ['layers."conv".precision=fp32', 'layers."cat".precision=fp32']


def test_a_join_that_is_kept_in_fp32_is_no_trouble_any_more():
    distributions = {"relu6:out": seen(0, 6), "side:out": seen(0, 640)}
    joined = layer_table(trial(), distributions)
    assert [repair.settings for repair in joined.repairs if repair.where == "cat"] == [['layers."cat".precision=fp32']]
    apart = layer_table(trial(config={"layers": {"cat": {"precision": "fp32"}}}), distributions)
    assert [repair for repair in apart.repairs if repair.where == "cat"] == []
    assert apart.layers[-1].flags == []


def test_what_is_wrong_stands_with_the_layer_that_the_tensor_leaves():
    table = layer_table(trial(), {"relu6:out": seen(0, 9), "input:x": seen(0, 0), "side:out": seen()})
    flags = {row.name: row.flags for row in table.layers}
    assert [finding.where for finding in table.findings] == ["input:x", "relu6:out"]
    assert flags["conv"] == [finding.what for finding in table.findings]
    assert flags["relu6"] == [], "the group speaks through its first layer"
    assert "calibration never reached it" in flags["side"], "said, though the engine does not quantize it"
    assert [repair.where for repair in table.repairs] == ["input:x", "relu6:out"]

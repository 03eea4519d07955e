"""Every kind of finding, out of hand-made trials, with what may mend it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hand_made import RELU6, clipped, layer

from workbench.core.accuracy import AccuracyMeter
from workbench.core.config import Config
from workbench.core.distribution import Collector
from workbench.core.findings import KINDS, combined, find, outside, range_troubles
from workbench.core.layer_table import layer_table
from workbench.core.trial import (
    DataFacts,
    FixState,
    LayerError,
    LayerErrors,
    ModelFacts,
    Proof,
    TensorRange,
    Trial,
    WeightFacts,
)

CHAIN = [
    layer("a", "conv2d", "input:x"),
    layer("pool", "maxpool2d", "a:out"),
    layer("b", "conv2d", "pool:out"),
    layer("c", "linear", "b:out"),
]


def seen(*values):
    collector = Collector()
    collector.add(np.asarray(values, np.float32))
    return collector.result()


def span(tensor, high, low=0.0):
    return TensorRange(
        tensor=tensor, min=low, max=high, scale=(high - low) / 255, zero_point=round(-low * 255 / (high - low))
    )


def trial(layers=CHAIN, config=None, **other):
    fields = {
        "status": "ok", "created": "", "model": ModelFacts(path="", format="onnx", sha256="", name="m"),
        "config": Config({"precision": "int8", **(config or {})}).to_dict(), "layers": layers, **other,
    }  # fmt: skip
    return Trial(**fields)


def only(kind, found, distributions=None):
    """The one finding of a kind that *found* has."""
    findings = [one for one in layer_table(found, distributions or {}).findings if one.kind == kind]
    assert len(findings) == 1, findings
    finding = findings[0]
    assert finding.severity in (KINDS[kind].severity, "info") and finding.why == KINDS[kind].why
    for repair in finding.repairs:
        Config.from_dict(found.config).with_settings(repair.settings)  # every offer can be taken
    return finding


def settings(finding):
    return {repair.kind: repair.settings for repair in finding.repairs}


def fp32(*names):
    return [f'layers."{name}".precision=fp32' for name in names]


def proof(**changes):
    fields = {"int8_kernels": 0, "bf16_kernels": 0, "fp32_kernels": 0, "reference_kernels": 0, "expected_int8": 0}
    return Proof(**{**fields, "kernels": [], **changes})


def errors(all_db, **only_and_rest):
    rows = [
        LayerError(layer=name, tensor=f"{name}:out", own_db=30.0, accumulated_db=30.0, only_db=only_db, rest_db=rest)
        for name, (only_db, rest) in only_and_rest.items()
    ]
    return LayerErrors(samples=4, all_db=all_db, layers=rows)


# -- tensors ----------------------------------------------------------------------------------------


def test_calibration_never_reached_it():
    finding = only("unreached", trial(tensors=[span("a:out", 1.0)]), {"a:out": seen()})
    assert (finding.layer, finding.where, finding.severity) == ("a", "a:out", "error")
    assert settings(finding) == {"fp32": fp32("a", "pool", "b")}, "what it leaves, and what reads it behind the pool"
    at_input = trial(tensors=[span("input:x", 1.0)])
    assert settings(only("unreached", at_input, {"input:x": seen()})) == {"fp32": fp32("a")}


def test_more_samples_are_offered_where_calibration_used_all_that_it_might():
    data = DataFacts(path="", calibration=[str(n) for n in range(100)], evaluation=[])
    finding = only("only-zeros", trial(tensors=[span("b:out", 1.0)], data=data), {"b:out": seen(0, 0)})
    assert settings(finding)["recalibrate"] == ["calibration.samples=1000"]
    few = DataFacts(path="", calibration=["one"], evaluation=[])
    assert "recalibrate" not in settings(
        only("only-zeros", trial(tensors=[span("b:out", 1.0)], data=few), {"b:out": seen(0)})
    )


def test_values_that_are_not_finite():
    finding = only("non-finite", trial(tensors=[span("a:out", 4.0)]), {"a:out": seen(*range(5), math.nan)})
    assert "16.67% of its values are not finite" in finding.what
    assert list(settings(finding)) == ["fp32"], "no range helps"


@pytest.mark.parametrize("scale", [0.0, math.inf, math.nan, 1e-9])
def test_scales_that_hold_nothing(scale):
    entry = TensorRange(tensor="a:out", min=0.0, max=255 * scale, scale=scale, zero_point=0)
    finding = only("bad-scale", trial(tensors=[entry]), {"a:out": seen(0, 1, 2)})
    assert "its scale is" in finding.what and set(settings(finding)) == {"range", "fp32"}
    assert only("bad-scale", trial(tensors=[entry])).layer == "a", "also without distributions"


def test_values_outside_the_range():
    finding = only("clipped", trial(tensors=[span("a:out", 2.5)]), {"a:out": seen(*range(1, 5))})
    assert finding.what == "50% of its values lie outside the range"
    assert float(settings(finding)["range"][1].partition("=")[2]) == pytest.approx(4.0, rel=0.05)


def test_what_the_next_operation_clamps_is_not_lost():
    values = {"conv:out": seen(*np.linspace(-50, 50, 1001))}
    net = [layer("conv", "conv2d", "input:image"), layer("relu6", "relu6", "conv:out", clamp=RELU6)]
    assert not layer_table(trial(net, tensors=[span("conv:out", 6.0)]), values).findings
    assert only("clipped", trial(net, tensors=[span("conv:out", 3.0)]), values)


def test_outliers_offer_a_narrower_range_another_observer_and_fp32():
    values = {"a:out": seen(*np.linspace(0, 1, 5000), 1000.0)}
    finding = only("outliers", trial(tensors=[span("a:out", 1000.0)]), values)
    assert "the range is 1001× what 99.8 % of the values need" in finding.what
    offers = settings(finding)
    assert list(offers) == ["range", "recalibrate", "fp32"]
    assert float(offers["range"][1].partition("=")[2]) < 500.0
    assert offers["recalibrate"] == ["calibration.observer=percentile"]
    percentile = trial(config={"calibration.observer": "percentile"}, tensors=[span("a:out", 1000.0)])
    assert settings(only("outliers", percentile, values))["recalibrate"] == ["calibration.observer=entropy"]


def test_a_range_that_the_next_operation_clamps_although_nobody_cut_it():
    off, wide = {"quantization.clamp_ranges": False}, [span("conv:out", 54.0, -6.0), span("pool:out", 54.0, -6.0)]
    net = clipped()[:3]
    finding = only("unclamped", trial(net, off, tensors=wide[:1]))
    assert finding.what == "90% of its range is never looked at: the next operation lets 0 … 6 through"
    offers = settings(finding)
    assert offers["clamp"] == ["quantization.clamp_ranges=true"]
    assert offers["range"] == ['fixes."conv:out".min=0', 'fixes."conv:out".max=6']
    assert not layer_table(trial(net, tensors=wide)).findings, "the user wants them cut, so something else made them"
    assert not layer_table(trial(clipped(), off, tensors=wide)).findings, "another layer takes all of it"


def test_a_range_that_fits_and_one_of_a_trial_in_fp32():
    values = seen(*np.linspace(0, 16, 100))
    assert (
        range_troubles(values, TensorRange(tensor="t", min=0.0, max=127 * 0.12598, scale=0.12598, zero_point=0)) == []
    )
    assert range_troubles(None, None) == []
    assert not layer_table(trial(tensors=[span("a:out", 16.0)]), {"a:out": values, "b:out": seen()}).findings
    fp32 = trial(config={"precision": "fp32"})
    assert not layer_table(fp32, {"a:out": seen(0, 0)}).findings


def test_a_trial_that_could_not_be_quantized_says_where():
    failed = trial(status="failed", reason="no range is known there")
    assert only("unreached", failed, {"a:out": seen(), "b:out": seen(1, 2)}).where == "a:out"


def test_the_share_outside_is_read_off_the_histogram():
    assert outside(seen(*np.arange(100)), -0.5, 49.5) == pytest.approx(0.5)
    assert outside(seen(), 0.0, 1.0) == 0.0


# -- layers -----------------------------------------------------------------------------------------


def test_unlike_ranges_under_one_scale():
    net = [*CHAIN, layer("cat", "cat", "b:out", "c:out"), layer("last", "linear", "cat:out")]
    values = {"b:out": seen(0, 640), "c:out": seen(0, 1)}
    finding = only("unlike-join", trial(net, tensors=[span("cat:out", 640.0)]), values)
    assert (finding.layer, finding.where) == ("cat", "cat")
    assert "c:out reaches 1, b:out 640" in finding.what
    assert settings(finding)["fp32"] == fp32("cat", "last")


def test_sums_that_leave_int16_unless_the_target_has_vnni():
    weights = [WeightFacts(layer="b", low=[-1.0, -1.0], high=[1.0, 0.5], overflow=1)]
    old = only("saturation", trial(config={"target_isa": "avx2"}, weights=weights))
    assert (old.severity, old.layer, old.where) == ("warning", "b", "b:weight")
    assert settings(old) == {"reduce": ["quantization.range=reduced"], "fp32": fp32("b")}
    assert only("saturation", trial(config={"target_isa": "avx512_vnni"}, weights=weights)).severity == "info"


def test_biases_and_channels():
    weights = [WeightFacts(layer="c", low=[0.0, -1.0], high=[0.0, 1.0], dead=[0], bias_overflow=2)]
    assert "2 channels does not fit into int32" in only("bias-overflow", trial(weights=weights)).what
    dead = only("dead-channels", trial(weights=weights))
    assert (dead.severity, dead.repairs, dead.what) == ("info", [], "1 of 2 channels never change")


def test_layers_that_spoil_the_outputs_by_what_the_outputs_gain_without_them():
    found = trial(errors=errors(10.0, a=(30.0, 10.5), b=(11.0, 25.0), c=(20.0, 14.0)))
    costly = [one for one in layer_table(found).findings if one.kind == "costly"]
    assert [one.layer for one in costly] == ["b", "c"], "the dearest first"
    assert costly[0].what == "without it in INT8 the outputs would be at 25.0 dB instead of 10.0 dB"
    assert settings(costly[0]) == {"fp32": fp32("b")}
    alone = only("costly", trial(errors=errors(10.0, a=(30.0, None), b=(11.0, None))))
    assert alone.layer == "b" and "it alone in INT8 leaves 11.0 dB" in alone.what
    assert not layer_table(trial(errors=errors(35.0, a=(36.0, None), b=(50.0, None)))).findings, "good enough"


# -- the whole --------------------------------------------------------------------------------------


def test_broken_outputs_come_first_and_point_at_the_layer_that_costs_most():
    meter = AccuracyMeter()
    for index in range(4):
        meter.add(str(index), [("out", np.array([[float(index), 1.0]]))], [("out", np.array([[0.0, 1.0]]))])
    accuracy = meter.result()
    assert accuracy.failures
    found = trial(accuracy=accuracy, errors=errors(10.0, a=(30.0, None), b=(10.0, None)), weights=[])
    finding = layer_table(found).findings[0]
    assert (finding.kind, finding.layer, finding.what) == ("broken-output", "b", accuracy.failures[0])
    assert "b" not in [row.name for row in layer_table(found).layers if finding.what in row.flags]
    assert only("broken-output", trial(accuracy=accuracy)).repairs == []


def test_fixes_that_did_not_take():
    fixes = [
        FixState(tensor="a:out", state="refused", acts_on="a:out", note="the engine has the scale 1"),
        FixState(tensor="b:out", state="not quantized by this engine"),
        FixState(tensor="c:out", state="applied", acts_on="c:out"),
    ]
    refused, idle = (only(kind, trial(fixes=fixes)) for kind in ("fix-refused", "fix-idle"))
    assert (refused.layer, refused.what) == ("a", "the engine has the scale 1")
    assert idle.where == "b:out" and settings(idle) == {"release": []}


def test_layers_that_did_not_run_in_int8():
    missing = only("missing-int8", trial(proof=proof(missing=["b"])))
    assert (missing.layer, settings(missing)) == ("b", {"fp32": fp32("b")})
    kept = {"a": "no kernel", "b": "no kernel", "c": "kept in FP32 by the config"}
    few = only("few-int8", trial(proof=proof(kept=kept)))
    assert few.what == "2 of 3 layers stay in FP32 by design (a, b): no kernel" and not few.layer
    assert not layer_table(trial(proof=proof(kept={"c": "kept in FP32 by the config"}))).findings, "the user's wish"


def test_the_worst_kind_comes_first_and_every_kind_has_words():
    weights = [WeightFacts(layer="c", low=[0.0], high=[0.0], dead=[0])]
    tensors = [span("a:out", 2.5), span("b:out", 1.0)]
    found = find(trial(tensors=tensors, weights=weights), {"a:out": seen(*range(1, 5)), "b:out": seen(0, 0)}, {})
    assert [one.kind for one in found] == ["only-zeros", "clipped", "dead-channels"]
    rank = ["error", "warning", "info"]
    assert [rank.index(kind.severity) for kind in KINDS.values()] == sorted(
        rank.index(k.severity) for k in KINDS.values()
    )
    assert all(kind.title and kind.why.endswith(".") for kind in KINDS.values())


def test_settings_of_many_repairs_are_said_once():
    off = {"quantization.clamp_ranges": False}
    net = [layer("conv", "conv2d", "input:image"), layer("r1", "relu6", "conv:out", clamp=RELU6),
           layer("conv2", "conv2d", "r1:out"), layer("r2", "relu6", "conv2:out", clamp=RELU6)]  # fmt: skip
    findings = layer_table(trial(net, off, tensors=[span("conv:out", 60.0), span("conv2:out", 60.0)])).findings
    assert [one.kind for one in findings] == ["unclamped", "unclamped"]
    assert combined(one.repairs[0] for one in findings) == ["quantization.clamp_ranges=true"]

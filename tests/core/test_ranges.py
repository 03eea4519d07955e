"""Ranges from calibration, clamps and fixes; where a fix acts and what is said of it."""

import numpy as np
import pytest
from hand_made import RELU, RELU6, layer, residual, seen

from workbench.core.config import Config
from workbench.core.dataflow import Dataflow
from workbench.core.distribution import Collector
from workbench.core.ranges import NoRange, Range, Ranges, scheme_of
from workbench.core.scales import EPS, Scheme, range_of, scale_of
from workbench.core.trial import TensorRange
from workbench.errors import UserError

VALUES = {
    "input:image": (-1.0, 1.0), "bn1:out": (-2.0, 3.0), "relu:out": (0.0, 3.0), "bn2:out": (-4.0, 5.0),
    "add:out": (-4.0, 7.0), "relu#2:out": (0.0, 7.0), "pool:out": (0.0, 7.0), "flatten:out": (0.0, 7.0),
    "fc:out": (-9.0, 8.0),
}  # fmt: skip
FUSED = [[name] for name in ("input:image", "relu:out", "bn2:out", "relu#2:out", "flatten:out", "fc:out")]


def ranges(fixes=None, *, layers=None, values=None, groups=FUSED, scheme=Scheme(), **knobs) -> Ranges:  # noqa: B008
    known = {name: seen(*pair) for name, pair in {**VALUES, **(values or {})}.items()}
    given = {name.replace("__", "."): value for name, value in knobs.items()}
    config = Config({"precision": "int8", "calibration.observer": "minmax", **given}, fixes=fixes or {})
    result = Ranges(known, Dataflow(layers or residual()), config, scheme)
    result.place(groups)
    return result


def read(tensor: str, low: float, high: float, scheme: Scheme = Scheme()) -> TensorRange:  # noqa: B008
    scale, zero_point = scale_of(low, high, scheme)
    return TensorRange(tensor=tensor, min=low, max=high, scale=scale, zero_point=zero_point)


# -- without fixes ----------------------------------------------------------------------------------


def test_a_range_is_what_calibration_saw():
    assert ranges().of(["bn2:out"]) == Range(-4.0, 5.0, "calibrated")


def test_what_the_next_operation_clamps_is_cut_unless_the_knob_says_no():
    assert ranges().of(["bn1:out"]) == Range(0.0, 3.0, "clamped")
    assert ranges(quantization__clamp_ranges=False).of(["bn1:out"]) == Range(-2.0, 3.0, "calibrated")


def test_a_clamp_that_cuts_nothing_is_not_mentioned():
    assert ranges(values={"bn1:out": (0.0, 3.0)}).of(["bn1:out"]) == Range(0.0, 3.0, "calibrated")


def test_both_ends_of_a_relu6_are_cut():
    layers = [layer("conv", "conv2d", "input:image"), layer("relu6", "relu6", "conv:out", clamp=RELU6)]
    assert ranges(layers=layers, values={"conv:out": (-3.0, 20.0)}, groups=[["conv:out"]]).of(["conv:out"]) == Range(
        0.0, 6.0, "clamped"
    )


def test_tensors_that_share_a_scale_get_the_union():
    assert ranges().of(["bn2:out", "input:image", "relu:out"]) == Range(-4.0, 5.0, "calibrated")


@pytest.mark.parametrize(
    ("observer", "low", "high"), [("minmax", -9.0, 8.0), ("moving-average", -9.0, 8.0), ("percentile", -8.6, 7.6)]
)
def test_the_observer_of_the_config_decides(observer, low, high):
    found = ranges(calibration__observer=observer, calibration__percentile=95.0).of(["fc:out"])
    assert found[:2] == pytest.approx((low, high), abs=0.1)


@pytest.mark.parametrize("observer", ["histogram", "entropy"])
def test_observers_that_search_stay_within_what_was_seen(observer):
    low, high, _ = ranges(calibration__observer=observer).of(["fc:out"])
    assert -9.0 <= low < 0.0 < high <= 8.0


def test_a_tensor_that_calibration_never_reached_is_named():
    with pytest.raises(NoRange, match="never reached conv9:out"):
        ranges().of(["relu:out", "conv9:out"])
    empty = Collector().result()
    known = Ranges({"fc:out": empty}, Dataflow(residual()), Config({"precision": "int8"}), Scheme())
    with pytest.raises(NoRange, match="never reached fc:out"):
        known.of(["fc:out"])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_named_though_others_are(value):
    collector = Collector()
    collector.add(np.array([1.0, value, 2.0], np.float32))
    known = Ranges({"fc:out": collector.result()}, Dataflow(residual()), Config({"precision": "int8"}), Scheme())
    with pytest.raises(NoRange, match="not finite in fc:out"):
        known.of(["fc:out"])


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.0), (5.0, 5.0), (-1e38, 1e38), (1e-45, 1e-45), (-3e38, 0.0)])
@pytest.mark.parametrize("scheme", [Scheme(), Scheme(bits=7), Scheme(signed=True, symmetric=True), Scheme(signed=True)])
def test_no_tensor_gets_a_scale_that_is_not_finite_and_positive(low, high, scheme):
    found = ranges(values={"fc:out": (low, high)}, scheme=scheme).of(["fc:out"])
    scale, zero_point = scale_of(found.low, found.high, scheme)
    assert EPS <= scale < np.inf
    assert scheme.qmin <= zero_point <= scheme.qmax


# -- fixes ------------------------------------------------------------------------------------------


def test_a_fix_replaces_the_range_and_only_there():
    fixed = ranges({"bn2:out": (-1.0, 1.5)})
    assert fixed.of(["bn2:out"]) == Range(-1.0, 1.5, "fixed")
    assert fixed.of(["fc:out"]) == Range(-9.0, 8.0, "calibrated")


def test_a_fix_wins_over_a_clamp():
    assert ranges({"bn1:out": (-1.0, 2.0)}, groups=[["bn1:out"]]).of(["bn1:out"]) == Range(-1.0, 2.0, "fixed")


def test_a_fix_behind_an_activation_is_cut_to_what_that_lets_through():
    fixed = ranges({"relu:out": (-1.0, 2.0)})
    assert fixed.of(["relu:out"]) == Range(0.0, 2.0, "fixed")
    assert fixed.states([read("relu:out", 0.0, 2.0)])[0].state == "applied"


@pytest.mark.parametrize(("fix", "low", "high"), [((None, 2.0), -4.0, 2.0), ((-1.0, None), -1.0, 5.0)])
def test_the_open_end_of_a_fix_stays_as_calibrated(fix, low, high):
    assert ranges({"bn2:out": fix}).of(["bn2:out"]) == Range(low, high, "fixed")


def test_an_open_end_beyond_what_was_seen_is_refused():
    with pytest.raises(UserError) as caught:
        ranges({"bn2:out": (6.0, None)})
    assert "leaves nothing" in caught.value.what
    assert "Give both ends" in caught.value.next_step


@pytest.mark.parametrize("wish", ["conv1:out", "bn1:out", "relu:in0"])
def test_a_fix_inside_a_fused_group_moves_to_its_output_cut_to_what_the_activation_lets_through(wish):
    fixed = ranges({wish: (-1.0, 1.5)})
    assert fixed.of(["relu:out"]) == Range(0.0, 1.5, "fixed")
    (state,) = fixed.states([read("relu:out", 0.0, 1.5)])
    assert (state.tensor, state.state, state.acts_on, state.note) == (wish, "applied", "relu:out", "acts at relu:out")
    assert state.scale == pytest.approx(1.5 / 255, rel=1e-6)


def test_a_half_open_fix_that_moves_takes_the_activations_end():
    assert ranges({"add:out": (None, 2.0)}).of(["relu#2:out"]) == Range(0.0, 2.0, "fixed")
    assert ranges({"add:out": (-1.0, None)}).of(["relu#2:out"]) == Range(0.0, 7.0, "fixed")


def test_a_fix_that_the_activation_cuts_away_entirely_is_refused():
    with pytest.raises(UserError) as caught:
        ranges({"add:out": (-3.0, -1.0)})
    assert "'add:out' leaves nothing" in caught.value.what
    assert "relu#2:out" in caught.value.why


def test_a_fix_moves_along_max_pools_and_changes_of_shape_to_the_nearest_scale():
    forward = ranges({"pool:out": (0.0, 3.0)}, groups=[["flatten:out"]])
    assert forward.of(["flatten:out"]) == Range(0.0, 3.0, "fixed")
    back = ranges({"flatten:out": (0.0, 3.0)}, groups=[["relu#2:out"]])
    assert back.of(["relu#2:out"]) == Range(0.0, 3.0, "fixed")
    (state,) = back.states([read("relu#2:out", 0.0, 3.0)])
    assert (state.state, state.acts_on) == ("applied", "relu#2:out")


def test_a_fix_does_not_move_to_a_tensor_that_others_take():
    layers = [*residual(), layer("other", "linear", "relu#2:out")]
    (state,) = ranges({"flatten:out": (0.0, 3.0)}, layers=layers, groups=[["relu#2:out"]]).states([])
    assert state.state == "not quantized by this engine"


def test_a_fix_on_what_does_nothing_acts_before_it():
    layers = [layer("conv", "conv2d", "input:image"), layer("drop", "dropout", "conv:out"),
              layer("relu", "relu", "drop:out", clamp=RELU)]  # fmt: skip
    fixed = ranges({"drop:out": (0.0, 1.0)}, layers=layers, groups=[["conv:out"]])
    assert fixed.of(["conv:out"]) == Range(0.0, 1.0, "fixed")


def test_a_fix_on_one_of_a_group_holds_for_all_of_it():
    fixed = ranges({"fc:out": (-2.0, 2.0)}, groups=[["bn2:out", "fc:out"]])
    assert fixed.of(["bn2:out", "fc:out"]) == Range(-2.0, 2.0, "fixed")
    (state,) = fixed.states([read("bn2:out", -2.0, 2.0)])
    assert (state.state, state.acts_on) == ("applied", "bn2:out")


@pytest.mark.parametrize(
    "fixes",
    [
        {"relu:in0": (0.0, 1.0), "bn1:out": (0.0, 2.0)},
        {"conv1:out": (0.0, 1.0), "bn1:out": (0.0, 2.0)},
        {"add:in1": (0.0, 1.0), "conv2:in0": (0.0, 2.0)},
        {"bn1:out": (0.0, 1.0), "relu:out": (0.0, 2.0)},
        {"relu#2:out": (0.0, 1.0), "add:out": (-5.0, 2.0)},
    ],
)
def test_fixes_that_contradict_each_other_are_refused_by_name(fixes):
    with pytest.raises(UserError) as caught:
        ranges(fixes)
    assert "contradict" in caught.value.what
    assert all(f"'{name}'" in caught.value.what for name in fixes)


def test_fixes_that_say_the_same_are_no_contradiction():
    fixed = ranges({"relu:in0": (0.0, 1.0), "bn1:out": (0.0, 1.0), "relu:out": (0.0, 1.0), "conv1:out": (0.0, 1.0)})
    assert fixed.of(["relu:out"]) == Range(0.0, 1.0, "fixed")


def test_a_fix_on_nothing_is_refused_with_what_is_near():
    with pytest.raises(UserError) as caught:
        ranges({"relu#3:out": (0.0, 1.0)})
    assert "'relu#2:out'" in caught.value.why


# -- read back --------------------------------------------------------------------------------------


def test_a_scale_that_is_not_the_one_of_the_fix_is_refused_with_both():
    (state,) = ranges({"bn2:out": (-1.0, 1.0)}).states([read("bn2:out", -4.0, 5.0)])
    assert state.state == "refused"
    assert "0.0352941" in state.note
    assert "0.00784314" in state.note


@pytest.mark.parametrize(("factor", "state"), [(1 + 5e-7, "applied"), (1 + 5e-6, "refused")])
def test_the_read_back_may_differ_by_a_millionth(factor, state):
    right = read("bn2:out", -1.0, 1.0)
    entry = TensorRange(tensor="bn2:out", min=-1.0, max=1.0, scale=right.scale * factor, zero_point=right.zero_point)
    assert ranges({"bn2:out": (-1.0, 1.0)}).states([entry])[0].state == state


def test_a_wrong_zero_point_is_refused():
    right = read("bn2:out", -1.0, 2.0)
    entry = TensorRange(tensor="bn2:out", min=-1.0, max=2.0, scale=right.scale, zero_point=right.zero_point + 1)
    assert ranges({"bn2:out": (-1.0, 2.0)}).states([entry])[0].state == "refused"


def test_a_zero_point_halfway_between_two_may_be_rounded_either_way():
    states = [
        ranges({"bn2:out": (-2.0, 2.0)})
        .states([TensorRange(tensor="bn2:out", min=-2.0, max=2.0, scale=4 / 255, zero_point=zero_point)])[0]
        .state
        for zero_point in (126, 127, 128, 129)
    ]
    assert states == ["refused", "applied", "applied", "refused"]


def test_a_tensor_without_a_scale_is_not_quantized_by_this_engine():
    fixed = ranges({"bn2:out": (-1.0, 1.0)}, groups=[["fc:out"]])
    (state,) = fixed.states([read("fc:out", -9.0, 8.0)])
    assert (state.state, state.scale, state.acts_on) == ("not quantized by this engine", None, None)


def test_every_fix_is_answered_once_in_the_users_order():
    fixed = ranges({"fc:out": (-1.0, 1.0), "conv1:out": (0.0, 1.0)})
    states = fixed.states([read("relu:out", 0.0, 1.0), read("fc:out", -1.0, 1.0)])
    assert [(state.tensor, state.state) for state in states] == [("fc:out", "applied"), ("conv1:out", "applied")]


@pytest.mark.parametrize("bits", [7, 8])
@pytest.mark.parametrize(("signed", "symmetric"), [(False, False), (True, False), (True, True)])
def test_the_scheme_is_told_from_the_scales_read_back(bits, signed, symmetric):
    scheme = Scheme(signed=signed, symmetric=symmetric, bits=bits)
    tensors = []
    for low, high in ((0.0, 6.0), (-1.5, 3.0)):
        scale, zero_point = scale_of(low, high, scheme)
        bottom, top = range_of(scale, zero_point, scheme)
        tensors.append(TensorRange(tensor="x", min=bottom, max=top, scale=scale, zero_point=zero_point))
    assert scheme_of(tensors) == scheme
    assert scheme_of([]) == Scheme()

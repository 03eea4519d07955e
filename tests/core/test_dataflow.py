"""What flows where between hand-made layers: fusion, folding, clamps, names that users may write."""

import pytest
from hand_made import RELU, RELU6, clipped, layer, residual

from workbench.core.dataflow import Dataflow
from workbench.errors import UserError


@pytest.fixture
def flow() -> Dataflow:
    return Dataflow(residual())


def test_tensors_are_inputs_and_outputs_in_the_order_of_execution(flow):
    assert flow.tensors[:3] == ["input:image", "conv1:out", "bn1:out"]
    assert flow.tensors[-1] == "fc:out"
    assert len(flow.tensors) == 11


def test_consumers_are_the_layers_that_take_a_tensor_each_once():
    flow = Dataflow([layer("double", "add", "input:x", "input:x"), layer("fc", "linear", "double:out")])
    assert [taker.name for taker in flow.consumers["input:x"]] == ["double"]
    assert flow.only_consumer("double:out").name == "fc"
    assert flow.only_consumer("fc:out") is None
    assert flow.producer("input:x") is None


def test_a_batch_norm_is_folded_and_a_relu_fused_into_the_layer_before(flow):
    assert flow.folded("conv1:out") == "bn1:out"
    assert flow.folded("bn1:out") == "bn1:out"
    assert flow.fused("conv1:out") == "relu:out"
    assert flow.group(flow.layers["conv1"]) == ["conv1", "bn1", "relu"]
    assert flow.group(flow.layers["conv1"], ()) == ["conv1", "bn1"]
    assert flow.group(flow.layers["add"]) == ["add", "relu#2"]


def test_a_batch_norm_behind_a_tensor_that_others_take_is_not_folded():
    flow = Dataflow(
        [
            layer("conv", "conv2d", "input:x"),
            layer("bn", "batchnorm2d", "conv:out"),
            layer("add", "add", "conv:out", "bn:out"),
        ]
    )
    assert flow.folded("conv:out") == "conv:out"
    assert flow.group(flow.layers["conv"]) == ["conv"]


def test_a_batch_norm_behind_something_without_weights_is_not_folded():
    flow = Dataflow([layer("relu", "relu", "input:x", clamp=RELU), layer("bn", "batchnorm2d", "relu:out")])
    assert flow.folded("relu:out") == "relu:out"


def test_layers_that_do_nothing_are_looked_through():
    flow = Dataflow(
        [
            layer("conv", "conv2d", "input:x"),
            layer("skip", "identity", "conv:out"),
            layer("drop", "dropout", "skip:out"),
        ]
    )
    assert flow.trunk("drop:out") == "conv:out"


# -- clamps -----------------------------------------------------------------------------------------


def test_a_relu_clamps_what_it_takes_but_not_a_tensor_that_others_take_too(flow):
    assert flow.clamp("bn1:out") == RELU
    assert flow.clamp("add:out") == RELU
    assert flow.clamp("relu:out") is None
    assert flow.clamp("fc:out") is None


def test_every_clamped_tensor_is_listed(flow):
    assert flow.clamped() == {"bn1:out": RELU, "add:out": RELU}


def test_a_clamp_is_seen_through_a_max_pool_only_where_every_consumer_clamps():
    layers = clipped()
    assert Dataflow(layers).clamp("conv:out") is None
    alone = [one for one in layers if one.name not in ("other", "cat")]
    assert Dataflow(alone).clamp("conv:out") == RELU6
    assert Dataflow(alone).clamped() == {"conv:out": RELU6, "pool:out": RELU6}


def test_an_average_pool_is_not_looked_through():
    flow = Dataflow(
        [
            layer("conv", "conv2d", "input:x"),
            layer("pool", "avgpool2d", "conv:out"),
            layer("relu", "relu", "pool:out", clamp=RELU),
        ]
    )
    assert flow.clamp("conv:out") is None


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ((0.0, 6.0), (0.0, None), (0.0, None)),
        ((0.0, 6.0), (-1.0, 1.0), (-1.0, 6.0)),
        ((None, 6.0), (0.0, None), None),
        ((None, 6.0), (0.0, 3.0), (None, 6.0)),
    ],
)
def test_of_several_clamps_the_widest_counts(one, other, both):
    flow = Dataflow(
        [
            layer("conv", "conv2d", "input:x"),
            layer("a", "clamp", "conv:out", clamp=one),
            layer("b", "clamp", "conv:out", clamp=other),
        ]
    )
    assert flow.clamp("conv:out") == both


# -- tensors of one scale ---------------------------------------------------------------------------


def test_a_max_pool_and_a_change_of_shape_hand_a_tensor_on(flow):
    assert flow.handed_on("relu#2:out") == "pool:out"
    assert flow.handed_on("pool:out") == "flatten:out"
    assert flow.handed_on("flatten:out") is None
    assert flow.handed_on("relu:out") is None, "two layers take it"


def test_tensors_are_grouped_along_what_hands_them_on_in_the_order_of_execution(flow):
    assert flow.alike(["fc:out", "flatten:out", "pool:out", "relu#2:out", "input:image"]) == [
        ["input:image"], ["relu#2:out", "pool:out", "flatten:out"], ["fc:out"],
    ]  # fmt: skip
    assert flow.alike(["flatten:out", "relu#2:out"]) == [["relu#2:out"], ["flatten:out"]], "the pool has none"


def test_what_gives_and_reads_a_tensor_must_stay_in_fp32_for_it_to_have_no_scale(flow):
    assert flow.without_scale("relu:out") == ["conv1", "conv2", "add"], "the activation asks for no scale of its own"
    assert flow.without_scale("flatten:out") == ["add", "pool", "flatten", "fc"]
    assert flow.without_scale("input:image") == ["conv1"]
    assert flow.without_scale("fc:out") == ["fc"]


def test_a_join_is_kept_apart_with_all_that_would_ask_for_one_scale():
    flow = Dataflow([*clipped(), layer("flat", "flatten", "cat:out"), layer("fc", "linear", "flat:out")])
    assert flow.apart(flow.layers["cat"]) == ["cat", "flat", "fc"]


# -- names that users may write ---------------------------------------------------------------------


def test_an_input_port_is_an_alias_of_what_arrives_there(flow):
    assert flow.resolve("relu:in0") == "bn1:out"
    assert flow.resolve("add:in1") == "relu:out"
    assert flow.resolve("conv1:in0") == "input:image"
    assert flow.resolve("relu#2:out") == "relu#2:out"


@pytest.mark.parametrize("name", ["relu2:out", "conv1", "add:in2", "conv1:in", "input:imag", "", "conv1:weight"])
def test_a_name_that_matches_nothing_is_refused_with_those_that_are_near(flow, name):
    with pytest.raises(UserError) as caught:
        flow.resolve(name)
    assert f"'{name}'" in caught.value.what
    assert "'input:image'" in caught.value.why or ":out" in caught.value.why
    assert "workbench layers" in caught.value.next_step


def test_a_model_without_layers_has_no_tensors():
    with pytest.raises(UserError) as caught:
        Dataflow([]).resolve("x:out")
    assert "no tensors" in caught.value.why

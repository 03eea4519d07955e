"""Call sites and tensors named as in the user's model; in this process, without a worker."""

from __future__ import annotations

import functools
from collections import defaultdict

import pytest

torch = pytest.importorskip("torch")

import tiny_nets  # noqa: E402

from workbench.core.config import Config  # noqa: E402
from workbench.core.dataflow import Dataflow  # noqa: E402
from workbench.core.distribution import Collector  # noqa: E402
from workbench.core.ranges import NoRange, Ranges  # noqa: E402
from workbench.core.scales import Scheme  # noqa: E402
from workbench.engines import torch_quantize  # noqa: E402
from workbench.engines.torch_layers import trace  # noqa: E402
from workbench.errors import UserError  # noqa: E402

IMAGE = torch.ones(1, 3, 8, 8)


def traced(model, *inputs):
    layers, _ = trace(model, lambda: model(*inputs))
    return layers


def named(layers):
    return {layer.name: layer for layer in layers}


# -- call sites -------------------------------------------------------------------------------------


def test_every_call_of_a_module_is_a_layer_of_its_own_in_order():
    layers = traced(tiny_nets.twice(), IMAGE)
    assert [layer.name for layer in layers] == [
        "first", "relu", "conv", "relu#2", "conv#2", "relu#3", "flatten", "fc",
    ]  # fmt: skip
    assert [layer.name for layer in layers if layer.kind] == ["first", "conv", "conv#2", "fc"]


def test_facts_and_work_of_a_layer_are_those_of_its_call():
    layers = named(traced(tiny_nets.twice(), IMAGE))
    first, fc = layers["first"], layers["fc"]
    assert (first.op, first.kind, first.output_shape) == ("conv2d", "conv", [1, 8, 8, 8])
    assert {key: first.facts[key] for key in ("mb", "ic", "oc", "ih", "ow", "kh", "g")} == {
        "mb": 1, "ic": 3, "oc": 8, "ih": 8, "ow": 8, "kh": 3, "g": 1,
    }  # fmt: skip
    assert first.macs == 8 * 8 * 8 * 3 * 9
    assert first.parameters == 3 * 8 * 9 + 8
    assert {key: fc.facts[key] for key in ("m", "k", "n")} == {"m": 1, "k": 512, "n": 5}
    assert fc.macs == 512 * 5


def test_work_grows_with_the_batch():
    one, three = (named(traced(tiny_nets.twice(), torch.ones(n, 3, 8, 8)))["conv"].macs for n in (1, 3))
    assert three == 3 * one


def test_groups_divide_the_work():
    model = torch.nn.Sequential(torch.nn.Conv2d(8, 8, 3, groups=8))
    (layer,) = traced(model, torch.ones(1, 8, 5, 5))
    assert layer.facts["g"] == 8
    assert layer.macs == 3 * 3 * 8 * 9


def test_functions_and_recurrent_layers_are_layers_too():
    layers = named(traced(tiny_nets.mixed(), torch.ones(1, 5, 4)))
    assert (layers["gru"].kind, layers["gru"].op) == ("rnn", "gru")
    assert layers["gru"].facts["parts"] == 1
    assert layers["gru"].macs == 5 * (3 * 8 * 4 + 3 * 8 * 8)
    assert (layers["matmul"].kind, layers["matmul"].macs) == ("matmul", 8 * 5 * 8)
    assert (layers["linear"].kind, layers["fc"].kind) == ("matmul", "matmul")


def test_hooks_are_gone_afterwards_even_where_the_model_fails():
    model = tiny_nets.twice()
    with pytest.raises(RuntimeError):
        traced(model, torch.ones(1, 3, 9, 9))
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())


def test_a_scripted_model_shows_no_layers_but_runs():
    assert [layer for layer in traced(torch.jit.script(tiny_nets.plain()), torch.ones(1, 4)) if layer.kind] == []


# -- tensors ----------------------------------------------------------------------------------------


def prepared(model, *inputs, **knobs):
    config = Config({"precision": "int8", "quantization.range": "full", **knobs})
    names = [f"x{number}" for number in range(len(inputs))]
    flow = Dataflow(trace(model, lambda: model(*inputs), dict(zip(names, inputs, strict=True)))[0])
    scheme = Scheme(bits=7 if config["quantization.range"] == "reduced" else 8)
    found = torch_quantize.prepare(model, config, pinned=set(), flow=flow, inputs=names, scheme=scheme)
    return found, flow, config, scheme


def ranges(model, *feeds, **knobs):
    """The scales of the converted model, by canonical name."""
    found, flow, config, scheme = prepared(model, *feeds[0], **knobs)
    collectors = defaultdict(Collector)
    for feed in feeds:
        given = {f"x{number}": tensor for number, tensor in enumerate(feed)}
        run = functools.partial(model, *feed)
        trace(model, run, given, lambda name, tensor: collectors[name].add(tensor.numpy()))
    seen = {name: collector.result() for name, collector in collectors.items()}
    decided = Ranges(seen, flow, config, scheme)
    decided.place(found.groups())
    found.use(decided)
    return {tensor.tensor: tensor for tensor in found.read_back(found.convert(), scheme)}


@pytest.mark.parametrize("observer", ["minmax", "moving-average", "histogram"])
def test_a_fused_group_is_named_after_the_relu_that_its_output_leaves(observer):
    found = ranges(tiny_nets.fused(), (torch.randn(1, 3, 8, 8),), **{"calibration.observer": observer})
    assert list(found)[:2] == ["input:x0", "body.2:out"]
    assert found["body.2:out"].min >= 0.0


def test_tensors_of_a_module_called_twice_have_names_of_their_own():
    found = ranges(tiny_nets.twice(), (IMAGE,))
    assert {"input:x0", "relu:out", "relu#2:out", "relu#3:out", "fc:out"} <= found.keys()


def test_ranges_are_what_calibration_saw():
    feeds = [(torch.full((1, 4), -2.0),), (torch.full((1, 4), 6.0),)]
    found = ranges(tiny_nets.plain(), *feeds, **{"calibration.observer": "minmax"})
    (name,) = [name for name in found if name.startswith("input:")]
    assert (found[name].min, found[name].max) == pytest.approx((-2.0, 6.0), abs=8 / 255)
    assert found[name].scale == pytest.approx(8 / 255)
    assert found[name].zero_point == 64


def test_the_knob_weights_the_past_and_torch_the_new_batch():
    feeds = [(torch.full((1, 4), 1.0),), (torch.full((1, 4), 2.0),)]
    found = ranges(tiny_nets.plain(), *feeds, **{"calibration.observer": "moving-average", "calibration.decay": 0.75})
    (name,) = [name for name in found if name.startswith("input:")]
    assert found[name].max == pytest.approx(0.75 * 1.0 + 0.25 * 2.0, abs=found[name].scale)


def test_a_reduced_range_uses_seven_bits():
    full, reduced = (
        ranges(tiny_nets.plain(), (torch.randn(8, 4),), **{"calibration.observer": "minmax", "quantization.range": r})
        for r in ("full", "reduced")
    )
    for name, tensor in full.items():
        assert reduced[name].scale == pytest.approx(tensor.scale * 255 / 127, rel=1e-4)


def test_an_observer_that_saw_nothing_is_named():
    with pytest.raises(NoRange, match=r"never reached .*(side|relu):out"):
        ranges(tiny_nets.blind(), (torch.ones(1, 4),))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_values_that_are_not_finite_are_no_range(value):
    with pytest.raises(NoRange, match="not finite"):
        ranges(tiny_nets.plain(), (torch.full((1, 4), value),), **{"calibration.observer": "minmax"})


def test_control_flow_is_refused_with_file_and_line():
    with pytest.raises(UserError) as caught:
        ranges(tiny_nets.branching(), (torch.ones(1, 4),))
    assert "tiny_nets.py:" in caught.value.why


def test_quantizing_leaves_the_original_alone():
    model = tiny_nets.fused()
    image = torch.randn(1, 3, 8, 8)
    with torch.no_grad():
        before = model(image)
        found, *_ = prepared(model, image)
        found.module(image)
        found.convert()
        assert torch.equal(model(image), before)
    assert isinstance(model.body[1], torch.nn.BatchNorm2d)


def test_no_stack_is_kept_for_the_nodes_of_the_graph():
    """To put one into words torch imports its compiler, two seconds in every worker."""
    found, *_ = prepared(tiny_nets.plain(), torch.ones(1, 4))
    assert not any(node.stack_trace for node in found.module.graph.nodes)

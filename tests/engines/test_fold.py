"""``graph.fold_padding``: what may be folded is, exactly; what may not is left alone; a wrong rewrite is refused."""

from __future__ import annotations

import numpy as np
import onnx_files as files
import pytest
from engine_helpers import few
from onnx import helper
from onnx.reference import ReferenceEvaluator

from workbench.engines import onnx_fold
from workbench.engines.base import InvalidResult

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

from workbench.core.config import Config  # noqa: E402
from workbench.engines import torch_fold, torch_layers  # noqa: E402

IMAGE = (2, 4, 11, 13)


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(3)


def padded(pad: nn.Module, **conv) -> nn.Module:
    settings = {"in_channels": 4, "out_channels": 8, "kernel_size": 3, **conv}
    return nn.Sequential(pad, nn.Conv2d(**settings), nn.ReLU()).eval()


def outputs(model: nn.Module, image: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        return model.double()(image.double())


def folded(model: nn.Module, *changed: str, shape: tuple[int, ...] = IMAGE) -> nn.Module:
    """Fold, and hold the result against the original: outputs, names, and the original itself."""
    image = torch.randn(shape)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    names, _ = torch_layers.trace(model, lambda: model(image))
    assert torch_fold.foldable(model) == list(changed)
    result, said = torch_fold.fold_padding(model, [image])
    assert said == list(changed)
    if not changed:
        assert result is model
        return result
    assert result is not model
    assert not result.training
    assert not any(module.training for module in result.modules())
    assert {name: tensor.shape for name, tensor in model.state_dict().items()} == {
        name: tensor.shape for name, tensor in before.items()
    }
    assert all(torch.equal(before[name], tensor) for name, tensor in model.state_dict().items())
    after, _ = torch_layers.trace(result, lambda: result(image))
    heavy = [(layer.name, layer.kind) for layer in names if layer.kind]
    assert [(layer.name, layer.kind) for layer in after if layer.kind] == heavy
    assert {layer.name for layer in after} <= {layer.name for layer in names}
    one, other = outputs(model, image), outputs(result, image)
    assert one.shape == other.shape
    assert float((one - other).abs().max()) <= 1e-12 * float(one.abs().max())
    model.float()
    return result


# -- PyTorch: what folds ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pad", "conv", "padding", "kernel"),
    [
        (nn.ZeroPad2d(1), {}, (1, 1), (3, 3)),
        (nn.ZeroPad2d((2, 2, 1, 1)), {}, (1, 2), (3, 3)),
        (nn.ZeroPad2d((0, 1, 0, 1)), {}, (1, 1), (4, 4)),
        (nn.ZeroPad2d((1, 0, 2, 0)), {}, (2, 1), (5, 4)),
        (nn.ZeroPad2d((0, 0, 0, 3)), {}, (3, 0), (6, 3)),
        (nn.ZeroPad2d((0, 1, 0, 1)), {"stride": 2}, (1, 1), (4, 4)),
        (nn.ZeroPad2d((1, 2, 1, 2)), {"stride": 2, "kernel_size": 5}, (2, 2), (6, 6)),
        (nn.ZeroPad2d((0, 1, 0, 1)), {"padding": (1, 2)}, (2, 3), (4, 4)),
        (nn.ZeroPad2d((0, 1, 0, 1)), {"groups": 4, "bias": False}, (1, 1), (4, 4)),
        (nn.ZeroPad2d((0, 1, 0, 1)), {"groups": 2, "out_channels": 6}, (1, 1), (4, 4)),
        (nn.ZeroPad2d((1, 3, 0, 2)), {"dilation": 2}, (2, 3), (4, 4)),
        (nn.ZeroPad2d(2), {"dilation": 3}, (2, 2), (3, 3)),
        (nn.ConstantPad2d((0, 1, 0, 1), 0), {}, (1, 1), (4, 4)),
        (nn.ConstantPad2d(1, 0.0), {}, (1, 1), (3, 3)),
    ],
)
def test_zero_padding_moves_into_the_convolution(pad, conv, padding, kernel):
    result = folded(padded(pad, **conv), "1")
    module = result.get_submodule("1")
    assert type(module) is nn.Conv2d
    assert (module.padding, module.kernel_size) == (padding, kernel)
    assert module.groups == conv.get("groups", 1)
    assert (module.bias is None) == (conv.get("bias") is False)
    assert not any(isinstance(other, (nn.ZeroPad2d, nn.ConstantPad2d)) for other in result.modules())


class Functional(nn.Module):
    """Pads with a function; the arguments are the test's."""

    def __init__(self, *args, **kwargs):
        super().__init__()
        self.args, self.kwargs = args, kwargs
        self.conv = nn.Conv2d(4, 8, 3)

    def forward(self, x):
        return self.conv(functional.pad(x, *self.args, **self.kwargs))


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        (((1, 1, 1, 1),), {}),
        (((0, 1, 0, 1), "constant", 0), {}),
        (([0, 1, 2, 1],), {"mode": "constant", "value": 0.0}),
        (((1, 2),), {}),
        ((), {"pad": (0, 1, 0, 1), "value": None}),
        (((0, 1, 0, 1, 0, 0, 0, 0),), {}),
    ],
)
def test_functional_padding_folds(args, kwargs):
    folded(Functional(*args, **kwargs).eval(), "conv")


class StaticPadding(nn.Conv2d):
    """A convolution that pads by itself, as efficientnet_lite_pytorch has them."""

    def __init__(self, *args, amounts=(0, 1, 0, 1), **kwargs):
        super().__init__(*args, **kwargs)
        self.static_padding = nn.ZeroPad2d(amounts)

    def forward(self, x):
        x = self.static_padding(x)
        return functional.conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


def test_a_subclass_that_pads_by_itself_becomes_a_plain_convolution_of_the_same_name():
    body = nn.Sequential(
        StaticPadding(4, 8, 3, stride=2), nn.BatchNorm2d(8), nn.ReLU6(), StaticPadding(8, 8, 3, groups=8)
    )
    result = folded(nn.Sequential(body, nn.ReLU()).eval(), "0.0", "0.3")
    assert type(result.get_submodule("0.0")) is nn.Conv2d
    assert result.get_submodule("0.3").groups == 8


def test_a_subclass_that_has_nothing_to_pad_keeps_its_name_beside_one_that_has():
    class Same(nn.Conv2d):
        def forward(self, x):
            return functional.conv2d(x, self.weight, self.bias, self.stride, self.padding)

    result = folded(nn.Sequential(Same(4, 8, 3), nn.ReLU(), StaticPadding(8, 8, 3)).eval(), "2")
    assert isinstance(result.get_submodule("0"), nn.Conv2d)


def test_several_convolutions_of_which_some_fold():
    net = nn.Sequential(
        nn.ZeroPad2d(1), nn.Conv2d(4, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1), nn.ZeroPad2d((0, 1, 0, 1)),
        nn.Conv2d(8, 4, 2, stride=2), nn.ReflectionPad2d(1), nn.Conv2d(4, 4, 3),
    )  # fmt: skip
    folded(net.eval(), "1", "5")


# -- PyTorch: what must not ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pad", "conv"),
    [
        (nn.ConstantPad2d(1, 0.5), {}),
        (nn.ConstantPad2d((0, 1, 0, 1), -1e-9), {}),
        (nn.ReflectionPad2d(1), {}),
        (nn.ReplicationPad2d(1), {}),
        (nn.ZeroPad2d((0, 1, 0, 1)), {"dilation": 2}),
        (nn.ZeroPad2d((0, 2, 0, 3)), {"dilation": 2}),
        (nn.ZeroPad2d(1), {"padding": 1, "padding_mode": "reflect"}),
        (nn.ZeroPad2d(1), {"padding": 1, "padding_mode": "circular"}),
        (nn.ZeroPad2d(1), {"padding": "same"}),
        (nn.ZeroPad2d(0), {}),
        (nn.ZeroPad2d((-1, 1, 1, 1)), {}),
    ],
)
def test_what_would_change_the_result_is_left_alone(pad, conv):
    folded(padded(pad, **conv))


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        (((1, 1, 1, 1), "reflect"), {}),
        (((1, 1, 1, 1),), {"value": 1.0}),
        (((1, 1, 1, 1), "constant", 2), {}),
        (((-1, 1, 1, 1),), {}),
        (((0, 0, 0, 0),), {}),
    ],
)
def test_functional_padding_of_another_kind_is_left_alone(args, kwargs):
    folded(Functional(*args, **kwargs).eval())


def test_padding_of_channels_is_left_alone():
    class Channels(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(5, 8, 3)

        def forward(self, x):
            return self.conv(functional.pad(x, (1, 1, 1, 1, 0, 1)))

    folded(Channels().eval())


def test_padding_that_somebody_else_needs_too_is_left_alone():
    class Shared(nn.Module):
        def __init__(self):
            super().__init__()
            self.pad = nn.ZeroPad2d(1)
            self.left = nn.Conv2d(4, 8, 3)
            self.right = nn.Conv2d(4, 8, 3)

        def forward(self, x):
            x = self.pad(x)
            return self.left(x) + self.right(x)

    folded(Shared().eval())


def test_one_convolution_called_with_and_without_padding_stays_right():
    """The kernel grows for all calls of a module, so none of them may change."""

    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.pad = nn.ZeroPad2d((0, 1, 0, 1))
            self.conv = nn.Conv2d(4, 4, 3)

        def forward(self, x):
            return self.conv(self.conv(self.pad(x)))

    folded(Twice().eval())


def test_one_convolution_behind_two_paddings_stays_right():
    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.pad = nn.ZeroPad2d((0, 1, 0, 1))
            self.conv = nn.Conv2d(4, 4, 3)

        def forward(self, x):
            return self.conv(self.pad(torch.relu(self.conv(self.pad(x)))))

    folded(Twice().eval())


def test_a_weight_that_something_else_reads_stays_right():
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.pad = nn.ZeroPad2d((0, 1, 0, 1))
            self.conv = nn.Conv2d(4, 8, 3)

        def forward(self, x):
            return self.conv(self.pad(x)) * self.conv.weight.mean()

    model, image = Tied().eval(), torch.randn(IMAGE)
    result, _ = torch_fold.fold_padding(model, [image])
    assert torch.allclose(outputs(model, image), outputs(result, image), rtol=1e-12, atol=0)


def test_a_model_that_decides_on_values_has_nothing_to_fold_and_no_error():
    class Branching(nn.Module):
        def __init__(self):
            super().__init__()
            self.pad = nn.ZeroPad2d(1)
            self.conv = nn.Conv2d(4, 8, 3)

        def forward(self, x):
            return self.conv(self.pad(x)) if x.sum() > 0 else self.conv(self.pad(-x))

    folded(Branching().eval())


def test_two_inputs_a_dict_of_outputs_and_integers_survive():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.pad = nn.ZeroPad2d((0, 1, 0, 1))
            self.conv = nn.Conv2d(4, 8, 3)
            self.table = nn.Embedding(7, 8)

        def forward(self, image, ids):
            y = self.conv(self.pad(image))
            return {"y": y, "more": (y.mean((2, 3)) + self.table(ids), ids + 1)}

    model, example = Net().eval(), [torch.randn(IMAGE), torch.tensor([1, 2])]
    result, changed = torch_fold.fold_padding(model, example)
    assert changed == ["conv"]
    assert torch.allclose(model(*example)["more"][0], result(*example)["more"][0], atol=1e-5)
    assert torch.equal(result(*example)["more"][1], torch.tensor([2, 3]))


# -- a wrong rewrite ------------------------------------------------------------------------------------


def test_a_wrong_rewrite_is_refused_with_the_size_of_its_fault(monkeypatch):
    right = torch_fold._amounts
    monkeypatch.setattr(torch_fold, "_amounts", lambda *args: (a[1], a[0], a[2], a[3]) if (a := right(*args)) else None)
    model = padded(nn.ZeroPad2d((0, 1, 0, 0)))
    with pytest.raises(InvalidResult, match=r"graph\.fold_padding changes the outputs by .* and was refused"):
        torch_fold.fold_padding(model, [torch.randn(IMAGE)])


def test_a_rewrite_that_changes_the_shape_is_refused(monkeypatch):
    monkeypatch.setattr(torch_fold, "_amounts", lambda *_: (1, 1, 1, 1))
    with pytest.raises(InvalidResult, match="was refused"):
        torch_fold.fold_padding(padded(nn.ZeroPad2d(2)), [torch.randn(IMAGE)])


# -- ONNX ---------------------------------------------------------------------------------------------


def pad_node(amounts, *, source="x", target="p", mode="constant", value=None, extra=()):
    inputs = [source, "amounts", *(["value"] if value is not None else [""] if extra else []), *extra]
    weights = {"amounts": np.array(amounts, np.int64)}
    if value is not None:
        weights["value"] = np.array(value, np.float32)
    return helper.make_node("Pad", inputs, [target], name="pad", mode=mode), weights


def onnx_model(pad, weights, *, opset=17, outputs=("y",), nodes=(), **attributes):
    group = attributes.get("group", 1)
    conv = helper.make_node("Conv", ["p", "w", "b"], ["y"], name="conv", **attributes)
    tensors = {**weights, "w": files.noise(8, 4 // group, 3, 3), "b": files.noise(8)}
    shapes = dict.fromkeys(outputs, (2, None, None, None))
    return files.model([pad, conv, *nodes], tensors, {"x": IMAGE}, shapes, opset=opset)


def values_of(proto, image):
    def values(names):
        assert set(names) == {"x"}
        return {"x": image}

    return values


def check_onnx(proto, *changed):
    image = np.random.default_rng(0).normal(size=IMAGE).astype(np.float32)
    before = proto.SerializeToString()
    assert [conv.name for _, conv in onnx_fold.foldable(proto)] == list(changed)
    result, said = onnx_fold.fold(proto, values_of(proto, image))
    assert said == list(changed)
    assert proto.SerializeToString() == before
    if not changed:
        assert result is proto
        return result
    assert not any(node.op_type == "Pad" for node in result.graph.node)
    assert [node.name for node in result.graph.node] == [
        node.name for node in proto.graph.node if node.op_type != "Pad"
    ]
    one, other = (
        np.concatenate([v.reshape(-1) for v in ReferenceEvaluator(p).run(None, {"x": image})]) for p in (proto, result)
    )
    assert one.shape == other.shape
    np.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-5)
    return result


@pytest.mark.parametrize(
    ("amounts", "attributes", "pads"),
    [
        ([0, 0, 1, 1, 0, 0, 1, 1], {}, [1, 1, 1, 1]),
        ([0, 0, 0, 0, 0, 0, 1, 1], {"strides": [2, 2]}, [0, 0, 1, 1]),
        ([0, 0, 2, 0, 0, 0, 0, 0], {}, [2, 0, 0, 0]),
        ([0, 0, 0, 1, 0, 0, 1, 0], {"pads": [1, 1, 2, 2]}, [1, 2, 3, 2]),
        ([0, 0, 0, 0, 0, 0, 1, 1], {"dilations": [2, 2]}, [0, 0, 1, 1]),
        ([0, 0, 0, 0, 0, 0, 1, 1], {"group": 4}, [0, 0, 1, 1]),
    ],
)
def test_onnx_padding_moves_into_the_convolution(amounts, attributes, pads):
    result = check_onnx(onnx_model(*pad_node(amounts), **attributes), "conv")
    (conv,) = result.graph.node
    assert {a.name: list(helper.get_attribute_value(a)) for a in conv.attribute if a.name == "pads"} == {"pads": pads}
    assert conv.input[0] == "x"


def test_onnx_padding_with_a_zero_written_out_or_in_the_old_form_folds():
    check_onnx(onnx_model(*pad_node([0, 0, 0, 0, 0, 0, 1, 1], value=0.0)), "conv")
    constant = helper.make_node(
        "Constant", [], ["amounts"], value=helper.make_tensor("t", 7, [8], [0, 0, 1, 1, 0, 0, 1, 1])
    )
    pad, _ = pad_node([0] * 8)
    proto = onnx_model(pad, {})
    proto.graph.node.insert(0, constant)
    result, changed = onnx_fold.fold(proto, lambda names: {"x": np.ones(IMAGE, np.float32)})
    assert changed == ["conv"]
    assert [node.op_type for node in result.graph.node] == ["Constant", "Conv"]
    old = helper.make_node("Pad", ["x"], ["p"], name="pad", pads=[0, 0, 1, 1, 0, 0, 1, 1])
    assert [conv.name for _, conv in onnx_fold.foldable(onnx_model(old, {}, opset=9))] == ["conv"]
    other = helper.make_node("Pad", ["x"], ["p"], name="pad", pads=[0, 0, 1, 1, 0, 0, 1, 1], value=1.0)
    assert onnx_fold.foldable(onnx_model(other, {}, opset=9)) == []


@pytest.mark.parametrize(
    ("pad", "attributes"),
    [
        (pad_node([0, 0, 1, 1, 0, 0, 1, 1], value=0.5), {}),
        (pad_node([0, 0, 1, 1, 0, 0, 1, 1], mode="reflect"), {}),
        (pad_node([0, 0, 1, 1, 0, 0, 1, 1], mode="edge"), {}),
        (pad_node([1, 0, 0, 0, 0, 0, 1, 1]), {}),
        (pad_node([0, 0, -1, 0, 0, 0, 1, 1]), {}),
        (pad_node([0, 0, 1, 1, 0, 0, 1, 1]), {"auto_pad": "SAME_UPPER"}),
    ],
)
def test_onnx_padding_of_another_kind_is_left_alone(pad, attributes):
    check_onnx(onnx_model(*pad, **attributes))


def test_onnx_padding_that_somebody_else_needs_too_is_left_alone():
    relu = helper.make_node("Relu", ["p"], ["r"], name="relu")
    check_onnx(onnx_model(*pad_node([0, 0, 1, 1, 0, 0, 1, 1]), nodes=[relu], outputs=("y", "r")))
    check_onnx(onnx_model(*pad_node([0, 0, 1, 1, 0, 0, 1, 1]), outputs=("y", "p")))


def test_onnx_amounts_that_are_computed_are_left_alone():
    pad, _ = pad_node([0] * 8)
    proto = onnx_model(pad, {"shape": np.array([8], np.int64)})
    proto.graph.node.insert(0, helper.make_node("ConstantOfShape", ["shape"], ["amounts"]))
    assert onnx_fold.foldable(proto) == []


def test_a_wrong_onnx_rewrite_is_refused(monkeypatch):
    proto = onnx_model(*pad_node([0, 0, 1, 0, 0, 0, 0, 1]))
    right = onnx_fold._spatial
    calls = []

    def once_wrong(pad, constants):
        calls.append(pad.name)
        found = right(pad, constants)
        return (found[1], found[0]) if len(calls) > 1 and found else found

    monkeypatch.setattr(onnx_fold, "_spatial", once_wrong)
    with pytest.raises(InvalidResult, match=r"graph\.fold_padding changes conv by .* and was refused"):
        onnx_fold.fold(proto, lambda names: {"x": np.ones(IMAGE, np.float32)})


# -- in a worker ------------------------------------------------------------------------------------------


@pytest.mark.engine
@pytest.mark.usefixtures("nothing_left")
def test_efficientnet_is_folded_in_seventeen_places_and_computes_the_same(runner):
    pytest.importorskip("efficientnet_lite_pytorch")
    pytest.importorskip("skimage")
    subject = few("efficientnet-lite0", calibration=4, evaluation=3)
    config = Config({"graph.fold_padding": True, "runtime.threads": 1})
    trial = runner.measure(subject, config, runs=3, seconds=1.0)
    assert (trial.status, trial.reason) == ("ok", "")
    changed = trial.rewritten["graph.fold_padding"]
    assert len(changed) == len(set(changed)) == 17
    assert set(changed) <= {layer.name for layer in trial.layers if layer.kind == "conv"}
    assert trial.accuracy.cosine_min > 0.9999999
    assert trial.accuracy.top1_agreement == 1.0
    assert not any("pad" in layer.op for layer in trial.layers)


@pytest.mark.engine
@pytest.mark.usefixtures("nothing_left")
def test_an_onnx_file_is_folded_and_says_so(runner, tmp_path):
    from workbench.core.model import resolve_model
    from workbench.study.runner import Subject

    proto = onnx_model(*pad_node([0, 0, 0, 0, 0, 0, 1, 1]), strides=[2, 2])
    subject = Subject(resolve_model(str(files.saved(proto, tmp_path / "m.onnx"))))
    config = Config({"engine": "onnxruntime", "runtime.threads": 1})
    assert runner.inspect(subject, config).rewrites == {"graph.fold_padding": ["conv"]}
    plain = runner.measure(subject, config, runs=5)
    assert (plain.status, plain.rewritten) == ("ok", {})
    trial = runner.measure(subject, config.changed({"graph.fold_padding": True}), runs=5)
    assert (trial.status, trial.rewritten) == ("ok", {"graph.fold_padding": ["conv"]})
    assert not any(kernel.op == "Pad" for kernel in trial.proof.kernels)

"""ONNX graphs read for their layers: names as in the user's model, sizes, work. Nothing runs in a worker."""

from __future__ import annotations

import io
import warnings

import numpy as np
import onnx
import onnx_files as files
import pytest
from onnx import helper, numpy_helper

from workbench.core.model import InputSpec
from workbench.engines import onnx_graph
from workbench.errors import UserError


def graph_of(*names: str, weights: tuple[str, ...] = (), weighted: dict[str, str] | None = None) -> onnx.ModelProto:
    """A chain of nodes with these names; the operator is the last part's, or Relu."""
    nodes, last = [], "x"
    for number, name in enumerate(names):
        op = name.rpartition("/")[2].partition("_")[0]
        op = op if op in onnx_graph.KINDS else "Relu"
        more = [(weighted or {})[name]] if name in (weighted or {}) else []
        nodes.append(helper.make_node(op, [last, *more], [f"v{number}"], name=name))
        last = f"v{number}"
    tensors = {name: np.zeros((1, 1), np.float32) for name in (*weights, *(weighted or {}).values())}
    return files.model(nodes, tensors, {"x": (1, 1)}, {last: (1, 1)})


def named(*names: str, modules: tuple[str, ...] = (), **more) -> list[str]:
    return list(onnx_graph.node_names(graph_of(*names, **more), modules).values())


# -- names by hand ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        # Attributes, containers (which repeat the whole path), containers in containers.
        (["/conv1/Conv"], ["conv1"]),
        (["/layer1/layer1.0/conv1/Conv"], ["layer1.0.conv1"]),
        (["/layer1/layer1.0/downsample/downsample.1/Relu"], ["layer1.0.downsample.1"]),
        (["/features/features.3/features.3.0/features.3.0.1/Relu"], ["features.3.0.1"]),
        (["/0/Conv", "/1/1.0/Relu"], ["0", "1.0"]),
        (["/blocks.7/norm1/Relu"], ["blocks.7.norm1"]),
        # Further calls.
        (["/relu/Relu", "/relu_1/Relu", "/relu_2/Relu"], ["relu", "relu#2", "relu#3"]),
        (
            ["/layer1/layer1.0/relu/Relu", "/layer1/layer1.0/relu_1/Relu", "/layer1/layer1.1/relu/Relu"],
            ["layer1.0.relu", "layer1.0.relu#2", "layer1.1.relu"],
        ),
        # Attributes that end in a number themselves.
        (["/fc_10/Gemm"], ["fc_10"]),
        (["/conv_1/Conv", "/conv_2/Conv", "/conv_3/Conv"], ["conv_1", "conv_2", "conv_3"]),
        (["/act_1/Relu", "/act_1_1/Relu"], ["act_1", "act_1#2"]),
        (["/block_2/conv_1/Conv", "/block_2/conv_1_1/Conv"], ["block_2.conv_1", "block_2.conv_1#2"]),
        (["/conv/Conv", "/conv_7/Conv"], ["conv", "conv_7"]),
        # What a module does itself, beside its children, carries the operator.
        (["/layer1/layer1.0/relu/Relu", "/layer1/layer1.0/Add"], ["layer1.0.relu", "layer1.0.add"]),
        (["/MatMul", "/MatMul_1", "/Relu"], ["matmul", "matmul#2", "relu"]),
        (["/attn/qkv/Gemm", "/attn/MatMul", "/attn/MatMul_1"], ["attn.qkv", "attn.matmul", "attn.matmul#2"]),
        # A module of several nodes: the heavy one is the layer; without one, the last gives its name.
        (["/fc/MatMul", "/fc/Add"], ["fc", "fc.add"]),
        (["/gelu/Div", "/gelu/Erf", "/gelu/Mul"], ["gelu.div", "gelu.erf", "gelu"]),
        (["/lstm/Transpose", "/lstm/LSTM", "/lstm/LSTM_1"], ["lstm.transpose", "lstm", "lstm#2"]),
        # Names of other tools stay.
        (["Call/model/conv2d/Conv2D", "Conv_12"], ["Call/model/conv2d/Conv2D", "Conv_12"]),
        (["same", "same"], ["same", "same#2"]),
        (["", "b"], ["v0", "b"]),
    ],
)  # fmt: skip
def test_node_names_become_the_users(nodes, expected):
    assert named(*nodes) == expected


def test_a_name_is_given_once_whatever_the_graph_looks_like():
    """A module with two products that is called twice: a count of calls and a count of products would meet."""
    names = named("/attn/MatMul", "/attn/MatMul_1", "/attn_1/MatMul", "/attn_1/MatMul_1", "/attn_1/MatMul_2")
    assert names == ["attn", "attn#2", "attn#3", "attn#4", "attn#5"]


def test_weights_tell_a_second_module_from_a_second_call():
    twice = {"/conv/Conv": "conv.weight", "/conv_1/Conv": "conv.weight"}
    assert named(*twice, weighted=twice) == ["conv", "conv#2"]
    two = {"/conv/Conv": "conv.weight", "/conv_1/Conv": "conv_1.weight"}
    assert named(*two, weighted=two) == ["conv", "conv_1"]
    # torch writes the same scope for both where there are both.
    all_three = {"/conv/Conv": "conv.weight", "/conv_1/Conv": "conv.weight", "/conv_1/Conv_1": "conv_1.weight"}
    assert named(*all_three, weighted=all_three) == ["conv", "conv#2", "conv_1"]


def test_a_weight_adds_the_name_of_the_dictionary_that_a_scope_lacks():
    assert named("/a/conv/Conv", weighted={"/a/conv/Conv": "stages.a.conv.weight"}) == ["stages.a.conv"]
    # But a tied weight does not rename.
    assert named("/decoder/Gemm", weighted={"/decoder/Gemm": "encoder.weight"}) == ["decoder"]


def test_modules_that_are_known_to_exist_are_no_calls():
    nodes = ("/relu/Relu", "/relu_1/Relu")
    assert named(*nodes) == ["relu", "relu#2"]
    assert named(*nodes, modules=("relu", "relu_1")) == ["relu", "relu_1"]
    assert named("/bn/Relu", "/bn_1/Relu", weights=("bn_1.weight",)) == ["bn", "bn_1"]


def test_nodes_are_named_by_their_outputs_only_where_they_must_be():
    assert onnx_graph.name_nodes(files.chain()) is False
    proto = files.chain(named=False)
    assert onnx_graph.name_nodes(proto) is True
    names = [node.name for node in proto.graph.node]
    assert names == ["c1", "r1", "c2", "r2", "c3", "r3", "pooled", "flat", "logits"]
    proto.graph.node[2].name = "c1"
    assert onnx_graph.name_nodes(proto) is True
    assert len({node.name for node in proto.graph.node}) == len(proto.graph.node)


# -- names that torch really writes ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


def exported(torch, module, *args, **options) -> onnx.ModelProto:
    file = io.BytesIO()
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(module.eval(), args, file, dynamo=False, opset_version=17, **options)
    return onnx.load_from_string(file.getvalue())


def sites(torch, module, *args) -> tuple[list[str], list[str]]:
    """Names of convolutions, products and ReLUs: read from the file, and traced in torch."""
    from workbench.engines import torch_layers

    proto = exported(torch, module, *args)
    names = onnx_graph.node_names(proto)
    wanted = ("Conv", "Gemm", "MatMul", "Relu", "Add", "LSTM")
    ours = [names[node.output[0]] for node in proto.graph.node if node.op_type in wanted]
    layers, _ = torch_layers.trace(module, lambda: module(*args))
    return ours, [layer.name for layer in layers]


def test_an_export_with_calls_containers_and_numbers_gives_torchs_own_names(torch):
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(3, 3, 1)
            self.relu = nn.ReLU()
            self.act_1 = nn.ReLU()

        def forward(self, x):
            return self.relu(self.conv1(self.relu(self.act_1(x)))) + x

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 3, 1)
            self.conv_1 = nn.Conv2d(3, 3, 1)
            self.conv_2 = nn.Conv2d(3, 3, 1)
            self.layer1 = nn.Sequential(Block(), nn.Sequential(nn.Conv2d(3, 3, 1), nn.ReLU()))
            self.blocks = nn.ModuleList([Block(), Block()])
            self.relu = nn.ReLU()
            self.fc_10 = nn.Linear(12, 4)

        def forward(self, x):
            x = self.relu(self.conv(self.relu(self.conv(x))))
            x = self.conv_2(self.conv_1(self.relu(self.conv_1(x))))
            x = self.layer1(self.layer1(x))
            for block in self.blocks:
                x = block(x)
            x = self.blocks[0](x)
            return self.fc_10(torch.relu(x.reshape(1, 12)))

    ours, theirs = sites(torch, Net(), torch.randn(1, 3, 2, 2))
    assert ours == [name for name in theirs if name != "reshape"]


def test_a_dictionary_of_modules_and_a_subclass_that_pads(torch):
    nn = torch.nn

    class Padded(nn.Conv2d):
        def __init__(self, *args):
            super().__init__(*args)
            self.static_padding = nn.ZeroPad2d((0, 1, 0, 1))

        def forward(self, x):
            return nn.functional.conv2d(self.static_padding(x), self.weight, self.bias, self.stride)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.heads = nn.ModuleDict({"a": nn.Sequential(Padded(3, 3, 2)), "b_2": Padded(3, 3, 2)})

        def forward(self, x):
            return self.heads["b_2"](self.heads["a"](x))

    ours, theirs = sites(torch, Net(), torch.randn(1, 3, 4, 4))
    assert ours == ["heads.a.0", "heads.b_2"]
    assert set(ours) < set(theirs)


def test_products_of_activations_and_a_linear_without_bias(torch):
    nn = torch.nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Linear(4, 4, bias=False)
            self.b = nn.Linear(4, 4, bias=False)

        def forward(self, x):
            y = self.a(x) @ self.b(x).transpose(1, 2)
            return torch.relu(y @ x)

    ours, theirs = sites(torch, Net(), torch.randn(1, 3, 4))
    assert ours == ["a", "b", "matmul", "matmul#2", "relu"]
    assert ours == [name for name in theirs if name != "transpose"]


def test_batch_norms_folded_by_the_export_do_not_cost_the_names(torch):
    """Their weights are called onnx::Conv_22 afterwards."""
    nn = torch.nn
    net = nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 4, 1), nn.BatchNorm2d(4))
    proto = exported(torch, net, torch.randn(1, 3, 4, 4))
    assert not any(tensor.name.startswith("0.weight") for tensor in proto.graph.initializer)
    assert list(onnx_graph.node_names(proto).values()) == ["0", "2", "3"]


# -- facts and work -----------------------------------------------------------------------------------


def layers_of(proto: onnx.ModelProto, shapes: dict[str, tuple[int, ...]]):
    found = onnx_graph.layers(proto, shapes, onnx_graph.node_names(proto))
    return [layer for layer, _ in found]


def test_a_grouped_strided_convolution():
    node = helper.make_node("Conv", ["x", "w", "b"], ["y"], name="/dw/Conv", group=4, strides=[2, 2], pads=[1] * 4)
    weights = {"w": files.noise(8, 2, 3, 3), "b": files.noise(8)}
    proto = files.model([node], weights, {"x": (2, 8, 10, 12)}, {"y": (2, 8, 5, 6)})
    (layer,) = layers_of(proto, {"x": (2, 8, 10, 12), "y": (2, 8, 5, 6)})
    assert (layer.name, layer.op, layer.kind) == ("dw", "conv2d", "conv")
    assert layer.facts == {
        "outputs": 480, "mb": 2, "ic": 8, "oc": 8, "g": 4, "kw": 3, "points": 30, "taps": 9,
    }  # fmt: skip
    assert layer.macs == 2 * 30 * 8 * 2 * 9
    assert layer.parameters == 8 * 2 * 9 + 8
    assert layer.output_shape == [2, 8, 5, 6]


@pytest.mark.parametrize(("axes", "op"), [(1, "conv1d"), (2, "conv2d"), (3, "conv3d")])
def test_convolutions_are_called_by_their_axes(axes, op):
    node = helper.make_node("Conv", ["x", "w"], ["y"], name="c")
    shape = (1, 2, *[4] * axes)
    proto = files.model([node], {"w": files.noise(2, 2, *[1] * axes)}, {"x": shape}, {"y": shape})
    (layer,) = layers_of(proto, {"x": shape, "y": shape})
    assert layer.op == op
    assert layer.macs == 4**axes * 4
    node.op_type = "ConvTranspose"
    proto.graph.node[0].CopyFrom(node)
    assert layers_of(proto, {"x": shape, "y": shape})[0].op == op.replace("conv", "convtranspose")


@pytest.mark.parametrize(
    ("op", "attributes", "left", "right", "out", "facts", "name"),
    [
        ("Gemm", {"transB": 1}, (5, 7), (3, 7), (5, 3), {"m": 5, "k": 7, "n": 3}, "linear"),
        ("Gemm", {"transA": 1}, (7, 5), (7, 3), (5, 3), {"m": 5, "k": 7, "n": 3}, "linear"),
        ("MatMul", {}, (2, 5, 7), (7, 3), (2, 5, 3), {"m": 10, "k": 7, "n": 3}, "linear"),
    ],
)
def test_products(op, attributes, left, right, out, facts, name):
    node = helper.make_node(op, ["x", "w"], ["y"], name="fc", **attributes)
    proto = files.model([node], {"w": files.noise(*right)}, {"x": left}, {"y": out})
    (layer,) = layers_of(proto, {"x": left, "y": out})
    assert (layer.op, layer.kind) == (name, "matmul")
    assert facts.items() <= layer.facts.items()
    assert layer.macs == facts["m"] * facts["k"] * facts["n"]
    assert onnx_graph.products_without_weights(proto) == set()


def test_a_product_of_two_activations_is_a_matmul():
    node = helper.make_node("MatMul", ["x", "z"], ["y"], name="scores")
    proto = files.model([node], {}, {"x": (1, 5, 7), "z": (1, 7, 5)}, {"y": (1, 5, 5)})
    (layer,) = layers_of(proto, {"x": (1, 5, 7), "z": (1, 7, 5), "y": (1, 5, 5)})
    assert (layer.op, layer.macs, layer.parameters) == ("matmul", 175, 0)
    assert onnx_graph.products_without_weights(proto) == {"scores"}


@pytest.mark.parametrize(("direction", "count"), [("forward", 1), ("bidirectional", 2)])
def test_a_recurrent_layer(direction, count):
    node = helper.make_node(
        "LSTM", ["x", "w", "r"], ["y", "h", "c"], name="/lstm/LSTM", hidden_size=6, direction=direction
    )
    weights = {"w": files.noise(count, 24, 4), "r": files.noise(count, 24, 6)}
    proto = files.model([node], weights, {"x": (9, 1, 4)}, {"y": (9, count, 1, 6)})
    (layer,) = layers_of(proto, {"x": (9, 1, 4), "y": (9, count, 1, 6)})
    size = count * 24 * 10
    expected = {"gates": 4, "hidden": 6, "directions": count, "in": 4, "steps": 9, "weights": size}
    assert expected.items() <= layer.facts.items()
    assert (layer.kind, layer.macs, layer.parameters) == ("rnn", 9 * size, size)


def test_work_and_parameters_agree_with_torchs(torch):
    from workbench.engines import torch_layers

    nn = torch.nn
    net = nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, groups=8), nn.Flatten(), nn.Linear(72, 5)
    )
    image = torch.randn(1, 3, 10, 10)
    shapes = {}

    def note(name):
        def hook(_, args, out):
            shapes[name] = tuple(out.shape)

        return hook

    for name, module in net.named_children():
        module.register_forward_hook(note(name))
    theirs, _ = torch_layers.trace(net, lambda: net(image))
    proto = exported(torch, net, image, input_names=["x"])
    values = {"x": (1, 3, 10, 10)}
    names = onnx_graph.node_names(proto)
    for node in proto.graph.node:
        values[node.output[0]] = shapes[names[node.output[0]]]
    ours = {layer.name: layer for layer in layers_of(proto, values) if layer.kind}
    heavy = {layer.name: layer for layer in theirs if layer.kind}
    assert ours.keys() == heavy.keys()
    for name, layer in ours.items():
        other = heavy[name]
        assert (layer.op, layer.macs, layer.parameters) == (other.op, other.macs, other.parameters)
        assert all(other.facts[key] == value for key, value in layer.facts.items())
    assert onnx_graph.parameters(proto)[0] == sum(tensor.numel() for tensor in net.parameters())


def test_parameters_are_counted_in_their_own_width():
    proto = files.chain()
    count = 3 * 16 * 16 * 9 + 64
    assert onnx_graph.parameters(proto) == (count, 4 * count)
    proto.graph.initializer.append(numpy_helper.from_array(np.zeros((10, 10), np.int8), "q"))
    assert onnx_graph.parameters(proto) == (count + 100, 4 * count + 100)


# -- inputs and files ---------------------------------------------------------------------------------


def test_inputs_without_a_length_are_dynamic_and_weights_are_no_inputs():
    proto = files.chain()
    proto.graph.input.append(helper.make_tensor_value_info("ids", onnx.TensorProto.INT64, [0, 7]))
    proto.graph.input.append(helper.make_tensor_value_info("wf", onnx.TensorProto.FLOAT, [16, 4]))
    assert onnx_graph.inputs(proto) == [
        InputSpec(name="image", shape=(None, 16, 8, 8), dtype="float32"),
        InputSpec(name="ids", shape=(None, 7), dtype="int64"),
    ]


def test_what_the_user_declares_fills_what_the_file_leaves_open():
    own = [InputSpec(name="x", shape=(None, 3, None)), InputSpec(name="ids", shape=(1, None), dtype="int64")]
    given = [InputSpec(name="ids", shape=(None, 5)), InputSpec(name="x", shape=(None, 3, 9))]
    assert onnx_graph.declared(own, given) == [
        InputSpec(name="x", shape=(None, 3, 9)),
        InputSpec(name="ids", shape=(1, 5), dtype="int64"),
    ]
    assert onnx_graph.declared(own, ()) == own
    nameless = [InputSpec(name="input", shape=(2, 3, 9))]
    assert onnx_graph.declared(own[:1], nameless) == [InputSpec(name="x", shape=(2, 3, 9))]
    for wrong in (InputSpec(name="x", shape=(None, 4, 9)), InputSpec(name="x", shape=(None, 3))):
        with pytest.raises(UserError, match="does not fit the model"):
            onnx_graph.declared(own, [wrong])
    with pytest.raises(UserError, match="no input 'y'"):
        onnx_graph.declared(own, [InputSpec(name="y", shape=(1,))])


def test_opset_is_the_standard_one_whatever_else_is_imported():
    proto = files.chain(opset=15)
    proto.opset_import.append(helper.make_opsetid("com.microsoft", 99))
    assert onnx_graph.opset(proto) == 15


def test_versions_are_told_before_the_checker_speaks(tmp_path):
    with pytest.raises(UserError) as caught:
        onnx_graph.load(files.saved(files.chain(ir=99), tmp_path / "m.onnx"), 10)
    assert caught.value.why == "It has IR version 99, the runtime reads up to 10."
    with pytest.raises(UserError) as caught:
        onnx_graph.load(files.saved(files.chain(ir=11), tmp_path / "m.onnx"), 10)
    assert "IR version 11" in caught.value.why
    assert onnx_graph.load(files.saved(files.chain(ir=10), tmp_path / "m.onnx"), 10).ir_version == 10


def test_a_damaged_file_is_refused_in_one_line(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x07\xff\xff")
    with pytest.raises(UserError, match="not a valid ONNX model") as caught:
        onnx_graph.load(path, 10)
    assert "\n" not in caught.value.why

"""``layout.align_channels``: odd channel counts are filled up exactly, and left alone where that is not exact."""

from __future__ import annotations

import pytest
from engine_helpers import tiny

from workbench.engines.base import InvalidResult

torch = pytest.importorskip("torch")

import onnx_files as files  # noqa: E402
from tiny_nets import OddChannels  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

from workbench.core.config import Config  # noqa: E402
from workbench.core.model import resolve_model  # noqa: E402
from workbench.engines import torch_align, torch_fold, torch_layers  # noqa: E402
from workbench.study.runner import Subject  # noqa: E402

IMAGE = (2, 3, 8, 8)


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(3)


def outputs(model: nn.Module, image: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        return model.double()(image.double())


def settled(model: nn.Module) -> nn.Module:
    """Evaluation mode, with batch norms that do something."""
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.running_mean, -1, 1)
            nn.init.uniform_(module.running_var, 0.5, 2)
            nn.init.uniform_(module.weight, 0.5, 2)
            nn.init.uniform_(module.bias, -1, 1)
    return model.eval()


def aligned(model: nn.Module, block: int = 16) -> tuple[nn.Module, torch_align.Alignment]:
    """Align, and hold the result against the original: outputs, names of layers, and the original itself."""
    image = torch.randn(IMAGE)
    settled(model)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    result, done = torch_align.align_channels(model, block, [image])
    assert (result is model) == (not done.padded)
    assert torch_align.alignable(model, block) == list(done.padded)
    assert {name: tensor.shape for name, tensor in model.state_dict().items()} == {
        name: tensor.shape for name, tensor in before.items()
    }
    assert all(torch.equal(before[name], tensor) for name, tensor in model.state_dict().items())
    names = [
        [layer.name for layer in torch_layers.trace(net, lambda net=net: net(image))[0]] for net in (model, result)
    ]
    assert names[0] == names[1]
    one, other = outputs(model, image), outputs(result, image)
    assert float((one - other).abs().max()) <= 1e-12 * float(one.abs().max())
    model.float()
    return result.float(), done


@pytest.mark.parametrize(("block", "widths"), [(16, (16, 32, 64)), (32, (32, 32, 64)), (64, (64, 64, 64))])
def test_13_30_and_50_channels_become_whole_blocks(block, widths):
    result, done = aligned(OddChannels(), block)
    one, two, three = widths
    assert done.padded == {"stem": (13, one), "same": (13, one), "wide": (30, two), "last": (50, three)}
    assert (result.stem.out_channels, result.norm.num_features, result.same.in_channels) == (one, one, one)
    assert (result.depthwise.groups, result.depthwise.weight.shape[0], result.last.in_channels) == (two, two, two)
    assert result.fc.in_features == result.fc.weight.shape[1] == three * 4
    assert result.same.bias is None
    assert set(done.changed) == {"stem", "same", "norm", "wide", "depthwise", "last", "fc"}
    said = torch_align.in_words(block, done)
    assert said == [
        f"layout.align_channels={block} filled up channels of 4 layers: stem 13→{one}, same 13→{one}, "
        f"wide 30→{two}, last 50→{three}."
    ]


class Tail(nn.Module):
    """13 channels, and a way from them to the output that the test chooses."""

    def __init__(self, tail, out: nn.Module | None = None) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 13, 3)
        self.tail = tail
        self.out = out if out is not None else nn.Conv2d(13, 16, 1)

    def forward(self, x):
        return self.tail(self, torch.relu(self.conv(x)))


@pytest.mark.parametrize(
    ("tail", "out"),
    [
        (lambda net, x: net.out(functional.max_pool2d(x, 2)), None),
        (lambda net, x: net.out(functional.relu6(x) * 0.5), None),
        (lambda net, x: net.out(x + x * x), None),
        (lambda net, x: net.out(functional.interpolate(x, scale_factor=2)), None),
        (lambda net, x: net.out(x.mean((2, 3), keepdim=True)), None),
        (lambda net, x: net.out(x.mean([2, 3])), nn.Linear(13, 4)),
        (lambda net, x: net.out(x.flatten(1)), nn.Linear(13 * 36, 4)),
        (lambda net, x: net.out(x.view(x.size(0), -1)), nn.Linear(13 * 36, 4)),
        (lambda net, x: net.out(x.reshape(x.shape[0], -1)), nn.Linear(13 * 36, 4)),
        (lambda net, x: net.out(x), nn.Sequential(nn.Flatten(), nn.Dropout(), nn.Linear(13 * 36, 4))),
        (lambda net, x: net.out(x), nn.Sequential(nn.ZeroPad2d(1), nn.Hardswish(), nn.Conv2d(13, 16, 3))),
    ],
)
def test_zeros_stay_zeros_on_these_ways(tail, out):
    _, done = aligned(Tail(tail, out))
    assert done.padded == {"conv": (13, 16)} and done.left == {}


@pytest.mark.parametrize(
    ("tail", "out", "why"),
    [
        (lambda net, x: x, None, "they are the model's output"),
        (lambda net, x: net.out(torch.sigmoid(x)), None, "they flow into sigmoid"),
        (lambda net, x: net.out(x + 1), None, "they flow into add"),
        (lambda net, x: net.out(torch.cat([x, x], 1)), nn.Conv2d(26, 16, 1), "they flow into cat"),
        (lambda net, x: net.out(functional.pad(x, (1, 1, 1, 1), value=1.0)), None, "they flow into pad"),
        (lambda net, x: net.out(x.flatten(1)[:, :7]), nn.Linear(7, 4), "they flow into getitem"),
        (lambda net, x: net.out(x.permute(0, 2, 3, 1)), nn.Linear(13, 4), "they flow into permute"),
        (lambda net, x: net.out(x), nn.Conv2d(13, 13, 3, groups=13, padding=1), "they are the model's output"),
        (lambda net, x: net.out(x), nn.Conv2d(13, 26, 3, groups=13), "out has groups"),
        (lambda net, x: net.out(net.out(x)), nn.Conv2d(13, 13, 1), "they flow into out"),
        (lambda net, x: net.out(x), nn.Conv2d(13, 16, 1).requires_grad_(False).double().float(), ""),
        (lambda net, x: net.out(x), nn.Softmax(1), "they flow into out"),
        (lambda net, x: net.out(x), nn.Hardtanh(1.0, 2.0), "they flow into out"),
        (lambda net, x: net.out(x), nn.InstanceNorm2d(13), "they flow into out"),
    ],
)
def test_where_it_would_not_be_exact_the_channels_stay(tail, out, why):
    _, done = aligned(Tail(tail, out))
    assert done.left.get("conv", "") == why
    assert ("conv" in done.padded) == (not why)


def test_widths_that_are_whole_blocks_already_change_nothing():
    net = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.Flatten(), nn.Linear(32 * 16, 3))
    _, done = aligned(net)
    assert done == torch_align.Alignment({}, [], {})
    assert "changes nothing" in torch_align.in_words(16, done)[0]
    assert list(aligned(net, 32)[1].padded) == ["0"]


def test_what_fx_cannot_follow_is_left_alone():
    class Deciding(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 13, 3)

        def forward(self, x):
            return self.conv(x) if x.sum() > 0 else self.conv(-x)

    _, done = aligned(Deciding())
    assert done.padded == {}


def test_folded_padding_comes_first():
    net = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.Conv2d(3, 13, 3, stride=2), nn.ReLU(), nn.Conv2d(13, 16, 1))
    image = torch.randn(IMAGE)
    folded, _ = torch_fold.fold_padding(net.eval(), [image])
    result, done = torch_align.align_channels(folded, 16, [image])
    assert done.padded == {"1": (13, 16)}
    assert float((outputs(net, image) - outputs(result, image)).abs().max()) <= 1e-12


def test_a_wrong_rewrite_is_refused(monkeypatch):
    right = torch_align._widen

    def ones(module, name, axis, extra, value=0.0):
        right(module, name, axis, extra, 1.0)

    monkeypatch.setattr(torch_align, "_widen", ones)
    with pytest.raises(InvalidResult, match=r"layout\.align_channels changes the outputs by .* and was refused"):
        torch_align.align_channels(settled(OddChannels()), 16, [torch.randn(IMAGE)])


# -- in a worker ------------------------------------------------------------------------------------


@pytest.mark.engine
@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("engine", ["torch", "onnxruntime"])
def test_a_trial_says_what_was_filled_up_and_int8_runs_on_it(measure, engine):
    net = tiny("OddChannels", "1x3x8x8")
    trial = measure(net, engine=engine, precision="int8", layout__align_channels=16)
    assert (trial.status, trial.reason) == ("ok", "")
    assert "same" in trial.rewritten["layout.align_channels"]
    assert any("stem 13→16" in text for text in trial.warnings)
    assert {layer.facts["oc"] for layer in trial.layers if layer.op == "conv2d"} == {16, 32, 64}
    assert trial.proof.int8_kernels == trial.proof.expected_int8 == 6


@pytest.mark.engine
@pytest.mark.usefixtures("nothing_left")
def test_an_onnx_file_says_that_the_knob_has_no_effect(runner, tmp_path):
    subject = Subject(resolve_model(str(files.saved(files.chain(), tmp_path / "chain.onnx"))))
    knobs = Config({"engine": "onnxruntime", "layout.align_channels": 16, "runtime.threads": 1})
    trial = runner.measure(subject, knobs, runs=3)
    assert trial.status == "ok" and trial.rewritten == {}
    assert any("no effect on an .onnx file" in text for text in trial.warnings)

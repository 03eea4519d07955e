"""The exact rewrite ``layout.align_channels``: odd channel counts are filled up with zeros to a whole number of blocks.

Vector kernels work on 16, 32 or 64 channels at once and have slower code for what is left over. Filters, biases and
normalization of the added channels are zero, so that they stay zero through everything with f(0) = 0, and the weights
that read them are zero, too. The modules are changed in a copy of the user's model and keep their names; FX only tells
how channels flow. Where they flow through anything that is not known to be exact (``cat``, a sigmoid, the model's
output, …) they keep their number. The result is checked in float64 on the user's own input.
"""

from __future__ import annotations

import copy
import operator
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import fx, nn
from torch.nn import functional

from workbench.engines.torch_fold import trace, verify

BLOCK = 16
"""Channels that one 512-bit register holds as FP32, and the least that all kernels of oneDNN are made for."""
_MOST_NAMED = 4

_ZERO_STAYS_ZERO: tuple[type[nn.Module], ...] = (
    nn.ReLU, nn.ReLU6, nn.LeakyReLU, nn.ELU, nn.SiLU, nn.GELU, nn.Hardswish, nn.Mish, nn.Tanh, nn.Identity,
    nn.Dropout, nn.Dropout2d, nn.MaxPool2d, nn.AvgPool2d, nn.AdaptiveAvgPool2d, nn.AdaptiveMaxPool2d,
    nn.ZeroPad2d, nn.Upsample, nn.UpsamplingNearest2d, nn.UpsamplingBilinear2d,
)  # fmt: skip
_ZERO_STAYS_ZERO_FUNCTIONS = (
    torch.relu, functional.relu, functional.relu6, functional.leaky_relu, functional.elu, functional.silu,
    functional.gelu, functional.hardswish, functional.mish, torch.tanh, functional.dropout, functional.dropout2d,
    functional.max_pool2d, functional.avg_pool2d, functional.adaptive_avg_pool2d, functional.adaptive_max_pool2d,
    functional.interpolate,
)  # fmt: skip
_ZERO_STAYS_ZERO_METHODS = ("relu", "relu_", "tanh", "contiguous", "detach", "clone")
_SUMS = (operator.add, operator.iadd, torch.add, operator.sub, operator.isub, torch.sub)
_PRODUCTS = (operator.mul, operator.imul, torch.mul)


@dataclass
class _Lane:
    """Tensors whose channels are the same ones: all are filled up, or none.

    Attributes:
        writers, readers: convolutions that make and take them.
        through: depthwise convolutions and batch norms in between.
        flat: linear layers behind a flatten.
        obstacle: why the lane must keep its width; empty where nothing stands in the way.
    """

    writers: list[str] = field(default_factory=list)
    readers: list[str] = field(default_factory=list)
    through: list[str] = field(default_factory=list)
    flat: list[str] = field(default_factory=list)
    obstacle: str = ""

    def join(self, other: _Lane) -> None:
        """Take over what *other* holds."""
        for name in ("writers", "readers", "through", "flat"):
            getattr(self, name).extend(getattr(other, name))
        self.obstacle = self.obstacle or other.obstacle


@dataclass(frozen=True)
class Alignment:
    """What was done.

    Attributes:
        padded: convolution that makes them → channels before and after.
        changed: all layers that were changed.
        left: convolution with an odd number of channels that keep it → why.
    """

    padded: dict[str, tuple[int, int]]
    changed: list[str]
    left: dict[str, str]


def alignable(model: nn.Module, block: int) -> list[str]:
    """Return the paths of the convolutions whose output channels could be filled up to a multiple of *block*."""
    modules = dict(model.named_modules())
    return [path for lane in _lanes(model) if _grows(lane, modules, block) for path in lane.writers]


def align_channels(model: nn.Module, block: int, example: Sequence[torch.Tensor]) -> tuple[nn.Module, Alignment]:
    """Return a copy of *model* with channel counts that are multiples of *block*, and what was done.

    Args:
        model: in evaluation mode; it is not changed, and returned itself where nothing can be filled up.
        example: inputs for the check.

    Raises:
        InvalidResult: the rewritten model does not compute the same.
    """
    lanes = _lanes(model)
    aligned = copy.deepcopy(model)
    modules: dict[str, Any] = dict(aligned.named_modules())
    padded: dict[str, tuple[int, int]] = {}
    changed: list[str] = []
    left: dict[str, str] = {}
    for lane in lanes:
        if not _grows(lane, modules, block):
            odd = [path for path in lane.writers if modules[path].out_channels % block]
            left |= dict.fromkeys(odd, lane.obstacle or "its channels differ in number")
            continue
        width = modules[lane.writers[0]].out_channels
        extra = -width % block
        padded |= dict.fromkeys(lane.writers, (width, width + extra))
        for path in (*lane.writers, *lane.readers, *lane.through, *lane.flat):
            changed += [] if path in changed else [path]
        for path in lane.writers:
            _widen_outputs(modules[path], extra)
        for path in lane.through:
            _widen_through(modules[path], extra)
        for path in lane.readers:
            _widen(modules[path], "weight", 1, extra)
            modules[path].in_channels += extra
        for path in lane.flat:
            each = modules[path].in_features // width  # values per channel, which lie next to each other
            _widen(modules[path], "weight", 1, extra * each)
            modules[path].in_features += extra * each
    done = Alignment(padded, changed, left)
    if not padded:
        return model, done
    verify(model, aligned, example, "layout.align_channels")
    return aligned, done


def in_words(block: int, done: Alignment) -> list[str]:
    """Return what the user should hear."""
    said = []
    if done.padded:
        named = [f"{path} {before}→{after}" for path, (before, after) in done.padded.items()]
        said.append(f"layout.align_channels={block} filled up channels of {len(named)} layers: {_few(named)}.")
    elif not done.left:
        said.append(f"layout.align_channels={block} changes nothing: no convolution has an odd number of channels.")
    else:
        said.append(f"layout.align_channels={block} changes nothing.")
    if done.left:
        kept = _few([f"{path} ({why})" for path, why in done.left.items()])
        said.append(f"Channels that layout.align_channels leaves odd: {kept}.")
    return said


def _few(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _grows(lane: _Lane, modules: dict[str, nn.Module], block: int) -> bool:
    """Whether a lane is to be filled up: nothing stands in the way, and its width is odd."""
    widths = {int(modules[path].out_channels) for path in lane.writers}  # type: ignore[arg-type]
    if lane.obstacle or len(widths) != 1:
        return False
    width = widths.pop()
    return width % block != 0 and all(int(modules[path].in_features) % width == 0 for path in lane.flat)  # type: ignore[arg-type]


# -- how channels flow ------------------------------------------------------------------------------


def _lanes(model: nn.Module) -> list[_Lane]:
    traced = trace(model)
    if traced is None:
        return []
    modules = dict(model.named_modules(remove_duplicate=False))
    calls = Counter(id(modules[str(node.target)]) for node in traced.graph.nodes if node.op == "call_module")
    lanes: dict[fx.Node, _Lane] = {}
    for node in traced.graph.nodes:
        _follow(node, lanes, modules, calls)
    return list({id(lane): lane for lane in lanes.values() if lane.writers}.values())


def _follow(node: fx.Node, lanes: dict[fx.Node, _Lane], modules: dict[str, nn.Module], calls: Counter[int]) -> None:
    """Put what *node* makes into a lane, and note what it does with the lanes that it reads."""
    sources = node.all_input_nodes
    module = modules[str(node.target)] if node.op == "call_module" else None
    path = str(node.target)
    again = module is not None and calls[id(module)] > 1
    if type(module) is nn.Conv2d and not again and len(sources) == 1:
        _convolve(node, module, lanes)
    elif type(module) is nn.BatchNorm2d and not again and module.running_mean is not None:
        lanes[sources[0]].through.append(path)
        lanes[node] = lanes[sources[0]]
    elif _hands_zero_on(node, module):
        lanes[node] = lanes[sources[0]]
    elif node.op == "call_function" and node.target in (*_SUMS, *_PRODUCTS) and _of_tensors(node):
        _tie(lanes, node, sources)
    elif _is_flat(node, module):
        lanes[node] = lanes[sources[0]]
        for user in node.users:
            _flattened(user, lanes[node], modules, calls)
    elif _only_reads_batch(node) or (type(module) is nn.Linear and path in lanes[sources[0]].flat):
        lanes[node] = _Lane()
    else:
        what = path if module is not None else getattr(node.target, "__name__", path)
        why = "they are the model's output" if node.op == "output" else f"they flow into {what}"
        for source_node in sources:
            lanes[source_node].obstacle = lanes[source_node].obstacle or why
        lanes[node] = _Lane(obstacle=f"they come from {what}")


def _convolve(node: fx.Node, conv: nn.Conv2d, lanes: dict[fx.Node, _Lane]) -> None:
    path, source = str(node.target), lanes[node.all_input_nodes[0]]
    if conv.groups == conv.in_channels == conv.out_channels > 1:
        source.through.append(path)
        lanes[node] = source
        return
    lanes[node] = _Lane(writers=[path])
    if conv.groups == 1:
        source.readers.append(path)
    else:
        source.obstacle = source.obstacle or f"{path} has groups"
        lanes[node].obstacle = f"{path} has groups"


def _hands_zero_on(node: fx.Node, module: nn.Module | None) -> bool:
    """Whether *node* makes zeros of zeros, channel by channel."""
    if len(node.all_input_nodes) != 1:
        return False
    if module is not None:
        if isinstance(module, nn.Hardtanh) and type(module) in (nn.Hardtanh, nn.ReLU6):
            return bool(module.min_val <= 0 <= module.max_val)
        return type(module) in _ZERO_STAYS_ZERO
    if node.op == "call_function":
        return node.target in _ZERO_STAYS_ZERO_FUNCTIONS
    if node.op == "call_method" and node.target == "mean":
        return _over_area(node) and node.kwargs.get("keepdim") is True
    return node.op == "call_method" and node.target in _ZERO_STAYS_ZERO_METHODS


def _over_area(mean: fx.Node) -> bool:
    axes = mean.args[1] if len(mean.args) == 2 else mean.kwargs.get("dim")
    return isinstance(axes, (tuple, list)) and {axis % 4 for axis in axes if isinstance(axis, int)} == {2, 3}


def _of_tensors(node: fx.Node) -> bool:
    """Whether a sum or product takes two tensors, or scales one: a number that is added makes no zeros of zeros."""
    if node.kwargs or len(node.args) != 2:
        return False
    tensors = [isinstance(value, fx.Node) for value in node.args]
    return all(tensors) or (node.target in _PRODUCTS and any(tensors))


def _tie(lanes: dict[fx.Node, _Lane], node: fx.Node, sources: Sequence[fx.Node]) -> None:
    """Make one lane of all that flow into *node*."""
    first = lanes[sources[0]]
    for source in sources[1:]:
        other = lanes[source]
        if other is not first:
            first.join(other)
            for known, lane in lanes.items():
                if lane is other:
                    lanes[known] = first
    lanes[node] = first


def _is_flat(node: fx.Node, module: nn.Module | None) -> bool:
    """Whether *node* lays all values of a channel side by side, channel after channel, or takes their mean."""
    rest = tuple(node.args[1:])
    if type(module) is nn.Flatten:
        return (module.start_dim, module.end_dim) == (1, -1)
    if node.op == "call_function" and node.target is torch.flatten:
        return (rest or (node.kwargs.get("start_dim"),)) in ((1,), (1, -1))
    if node.op != "call_method":
        return False
    if node.target == "flatten":
        return (rest or (node.kwargs.get("start_dim"),)) in ((1,), (1, -1))
    if node.target == "mean":
        return _over_area(node) and not node.kwargs.get("keepdim")
    kept = len(rest) == 2 and isinstance(rest[0], fx.Node) and bool(rest[1] == -1)
    return node.target in ("view", "reshape") and kept


def _flattened(user: fx.Node, lane: _Lane, modules: dict[str, nn.Module], calls: Counter[int]) -> None:
    """Note what reads a flattened lane; dropout aside, only a linear layer can be told where the channels lie."""
    module = modules[str(user.target)] if user.op == "call_module" else None
    if type(module) in (nn.Dropout, nn.Identity):
        for behind in user.users:
            _flattened(behind, lane, modules, calls)
    elif type(module) is nn.Linear and calls[id(module)] == 1:
        lane.flat.append(str(user.target))
    else:
        lane.obstacle = lane.obstacle or f"they flow into {user.name}"


def _only_reads_batch(node: fx.Node) -> bool:
    """Whether *node* asks for the number of samples, as ``x.view(x.size(0), -1)`` does."""
    if node.op == "call_method" and node.target == "size":
        return tuple(node.args[1:]) == (0,)
    if node.op == "call_function" and node.target is getattr and node.args[1] == "shape":
        return all(user.target is operator.getitem and user.args[1] == 0 for user in node.users)
    first = node.op == "call_function" and node.target is operator.getitem and bool(node.args[1] == 0)
    return first and _of_shape(node)


def _of_shape(node: fx.Node) -> bool:
    source = node.args[0]
    return isinstance(source, fx.Node) and source.target is getattr and source.args[1] == "shape"


# -- filling up -------------------------------------------------------------------------------------


def _widen_outputs(conv: Any, extra: int) -> None:
    _widen(conv, "weight", 0, extra)
    _widen(conv, "bias", 0, extra)
    conv.out_channels += extra


def _widen_through(module: Any, extra: int) -> None:
    """Fill up what handles channels one by one: a depthwise convolution, or a batch norm that then adds nothing."""
    _widen(module, "weight", 0, extra)
    _widen(module, "bias", 0, extra)
    if isinstance(module, nn.Conv2d):
        module.in_channels += extra
        module.out_channels += extra
        module.groups += extra
    else:
        _widen(module, "running_mean", 0, extra)
        _widen(module, "running_var", 0, extra, 1.0)
        module.num_features += extra


def _widen(module: nn.Module, name: str, axis: int, extra: int, value: float = 0.0) -> None:
    old = getattr(module, name)
    if old is None:
        return
    shape = list(old.shape)
    shape[axis] = extra
    new = torch.cat([old.detach(), old.new_full(shape, value, requires_grad=False).detach()], axis)
    make: Callable[..., Any] = nn.Parameter if isinstance(old, nn.Parameter) else torch.Tensor.contiguous
    setattr(module, name, make(new))

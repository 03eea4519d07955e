"""The exact rewrite ``graph.fold_padding``: separate zero padding moves into the convolution behind it.

A padding layer of its own costs a pass over memory and breaks fusion and quantization of what follows.
Symmetric padding becomes the convolution's; asymmetric padding becomes symmetric by growing the kernel with
zero rows and columns. The arithmetic is the same, which is checked in float64 on the user's own input.
Used by the PyTorch engines and by the export to ONNX.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx, nn
from torch.nn import functional

from workbench.engines.base import InvalidResult

TOLERANCE = 1e-12
"""Largest allowed difference, relative to the largest output, in float64."""


@dataclass
class _Found:
    """A convolution, and the padding in front of it if there is one (left, right, top, bottom)."""

    conv: fx.Node
    path: str
    pad: fx.Node | None = None
    amounts: tuple[int, int, int, int] = (0, 0, 0, 0)


def foldable(model: nn.Module) -> list[str]:
    """Return the paths of the convolutions that could take over the padding in front of them."""
    traced = trace(model)
    return [found.path for found in _find(traced, model) if found.pad] if traced is not None else []


def fold_padding(model: nn.Module, example: Sequence[torch.Tensor]) -> tuple[nn.Module, list[str]]:
    """Return a copy of *model* with padding folded, and the paths of the convolutions that changed.

    Args:
        model: in evaluation mode; it is not changed.
        example: inputs for the check.

    Raises:
        InvalidResult: the rewritten model does not compute the same.
    """
    traced = trace(copy.deepcopy(model))
    places = _find(traced, model) if traced is not None else []
    if traced is None or not any(place.pad for place in places):
        return model, []
    for place in places:
        _apply(traced, model, place)
    traced.graph.eliminate_dead_code()
    traced.recompile()
    traced.delete_all_unused_submodules()
    folded = traced.eval()
    verify(model, folded, example, "graph.fold_padding")
    return folded, [place.path for place in places if place.pad]


def trace(model: nn.Module) -> fx.GraphModule | None:
    """Return the graph of *model*, None where FX cannot follow it."""
    try:
        return fx.symbolic_trace(model)
    except Exception:  # anything a user's forward does to a proxy; then there is nothing to fold
        return None


def _find(traced: fx.GraphModule, model: nn.Module) -> list[_Found]:
    # Of the user's model, not the traced one: there a Conv2d whose forward was traced through is a bare module.
    modules = dict(model.named_modules(remove_duplicate=False))
    calls = [(node, path) for node in traced.graph.nodes if (path := _conv_path(node, modules))]
    count = Counter(path for _, path in calls)
    found = []
    for node, path in calls:
        pad = node.args[0] if node.args else None
        amounts = _amounts(pad, modules) if isinstance(pad, fx.Node) and len(pad.users) == 1 else None
        # The kernel may grow, which every other call and every other reader of the weight would feel.
        alone = count[path] == 1 and not _read_elsewhere(traced, path, node)
        if amounts and any(amounts) and alone and _fits(node, modules, amounts):
            found.append(_Found(node, path, pad, amounts))
        elif node.op == "call_function":
            # A sub-class of Conv2d that was traced through becomes a module again and keeps its name.
            found.append(_Found(node, path))
    return found


def _read_elsewhere(traced: fx.GraphModule, path: str, conv: fx.Node) -> bool:
    reads = [n for n in traced.graph.nodes if n.op == "get_attr" and str(n.target).rpartition(".")[0] == path]
    return any(user is not conv for read in reads for user in read.users)


def _amounts(node: fx.Node, modules: dict[str, nn.Module]) -> tuple[int, int, int, int] | None:
    """Return left, right, top, bottom of a zero padding, None for anything else."""
    if node.op == "call_module":
        module = modules[str(node.target)]
        if isinstance(module, nn.ZeroPad2d) or (type(module) is nn.ConstantPad2d and module.value == 0):
            left, right, top, bottom = module.padding
            return (left, right, top, bottom) if min(module.padding) >= 0 else None
        return None
    if node.op != "call_function" or node.target is not functional.pad:
        return None
    arguments = dict(zip(("input", "pad", "mode", "value"), node.args, strict=False)) | dict(node.kwargs)
    amounts: Any = arguments.get("pad")
    if arguments.get("mode", "constant") != "constant" or arguments.get("value") not in (None, 0, 0.0):
        return None
    if not isinstance(amounts, (tuple, list)) or not all(isinstance(n, int) and n >= 0 for n in amounts):
        return None
    padded = [*amounts, 0, 0, 0, 0][:4]
    return None if any(amounts[4:]) else (padded[0], padded[1], padded[2], padded[3])


def _conv_path(node: fx.Node, modules: dict[str, nn.Module]) -> str:
    """Return the path of the Conv2d that *node* runs: the module itself, or the one whose weight it uses."""
    if node.op == "call_module" and type(modules[str(node.target)]) is nn.Conv2d:
        return str(node.target)
    if node.op == "call_function" and node.target in (functional.conv2d, torch.conv2d) and len(node.args) > 1:
        weight = node.args[1]
        if isinstance(weight, fx.Node) and weight.op == "get_attr":
            path, _, attribute = str(weight.target).rpartition(".")
            if attribute == "weight" and isinstance(modules.get(path), nn.Conv2d):
                return path
    return ""


def _settings(node: fx.Node, modules: dict[str, nn.Module]) -> dict[str, Any] | None:
    """Return stride, padding, dilation and groups as the node uses them."""
    if node.op == "call_module":
        module: Any = modules[str(node.target)]
        if module.padding_mode != "zeros":
            return None
        return {k: getattr(module, k) for k in ("stride", "padding", "dilation", "groups")}
    names = ("input", "weight", "bias", "stride", "padding", "dilation", "groups")
    given = dict(zip(names, node.args, strict=False)) | dict(node.kwargs)
    return {
        "stride": given.get("stride", 1), "padding": given.get("padding", 0),
        "dilation": given.get("dilation", 1), "groups": given.get("groups", 1),
    }  # fmt: skip


def _pair(value: Any) -> tuple[int, int] | None:
    if isinstance(value, int):
        return value, value
    if isinstance(value, (tuple, list)) and all(isinstance(n, int) for n in value):
        return (value[0], value[-1])
    return None  # "same" and "valid" are words; proxies are unknown


def _fits(node: fx.Node, modules: dict[str, nn.Module], amounts: tuple[int, int, int, int]) -> bool:
    settings = _settings(node, modules)
    if settings is None or not isinstance(settings["groups"], int):
        return False
    pairs = [_pair(settings[key]) for key in ("stride", "padding", "dilation")]
    if any(pair is None for pair in pairs):
        return False
    down, right = pairs[2] or (1, 1)
    # Zeros can be put between taps only at whole steps of the dilation.
    return (amounts[3] - amounts[2]) % down == 0 and (amounts[1] - amounts[0]) % right == 0


def _apply(traced: fx.GraphModule, model: nn.Module, place: _Found) -> None:
    modules = dict(model.named_modules(remove_duplicate=False))
    settings = _settings(place.conv, modules)
    old: Any = modules[place.path]
    assert settings is not None
    pad = _pair(settings["padding"]) or (0, 0)
    dilation = _pair(settings["dilation"]) or (1, 1)
    left, right, top, bottom = place.amounts
    weight = functional.pad(
        old.weight.detach(),
        (
            max(right - left, 0) // dilation[1], max(left - right, 0) // dilation[1],
            max(bottom - top, 0) // dilation[0], max(top - bottom, 0) // dilation[0],
        ),
    )  # fmt: skip
    new = nn.Conv2d(
        old.in_channels, old.out_channels, (weight.shape[2], weight.shape[3]), settings["stride"],
        (pad[0] + max(top, bottom), pad[1] + max(left, right)), dilation, settings["groups"],
        bias=old.bias is not None, dtype=weight.dtype,
    )  # fmt: skip
    with torch.no_grad():
        new.weight.copy_(weight)
        if old.bias is not None:
            new.bias.copy_(old.bias)  # type: ignore[union-attr]
    _replace(traced, place.path, new.eval())
    with traced.graph.inserting_before(place.conv):
        source = place.pad.args[0] if place.pad else place.conv.args[0]
        fresh = traced.graph.call_module(place.path, (source,))
        # Where the module stands in the user's model, for names.
        fresh.meta = dict(place.conv.meta)
    place.conv.replace_all_uses_with(fresh)
    traced.graph.erase_node(place.conv)
    if place.pad:
        traced.graph.erase_node(place.pad)


def _replace(root: nn.Module, path: str, module: nn.Module) -> None:
    parent, _, name = path.rpartition(".")
    setattr(root.get_submodule(parent), name, module)


def verify(before: nn.Module, after: nn.Module, example: Sequence[torch.Tensor], knob: str) -> None:
    """Hold a rewrite against the original, in float64.

    Raises:
        InvalidResult: an output differs; the sentence names *knob*.
    """
    inputs = [tensor.double() if tensor.is_floating_point() else tensor for tensor in example]
    with torch.no_grad():
        expected = _leaves(copy.deepcopy(before).double()(*inputs))
        actual = _leaves(copy.deepcopy(after).double()(*inputs))
    for one, other in zip(expected, actual, strict=True):
        if one.shape != other.shape or not torch.is_floating_point(one):
            difference, largest = float(not torch.equal(one, other)), 1.0
        else:
            difference, largest = float((one - other).abs().max()), float(one.abs().max())
        if not difference <= TOLERANCE * max(largest, 1e-30):
            raise InvalidResult(f"{knob} changes the outputs by {difference:.2g} of {largest:.2g} and was refused")


def _leaves(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in _leaves(item)]
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in _leaves(item)]
    return []

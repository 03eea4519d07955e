"""The call sites of a PyTorch model, in execution order: what every table of layers is keyed by.

Module identity is not a call site: one ReLU object called three times is three layers. Used by the
PyTorch engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any, TypeAlias

import torch
from torch import nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakIdKeyDictionary

from workbench.core.trial import Layer
from workbench.engines.callsites import CallSites

_FUNCTIONS: dict[Any, str] = {
    functional.conv1d: "conv",
    functional.conv2d: "conv",
    functional.conv3d: "conv",
    functional.conv_transpose1d: "conv",
    functional.conv_transpose2d: "conv",
    functional.conv_transpose3d: "conv",
    functional.linear: "matmul",
    torch.matmul: "matmul",
    torch.Tensor.matmul: "matmul",
    torch.Tensor.__matmul__: "matmul",
    torch.bmm: "matmul",
    torch.Tensor.bmm: "matmul",
    torch.mm: "matmul",
    torch.addmm: "matmul",
}


Seen: TypeAlias = Callable[[str, torch.Tensor], None]

_WITH_WEIGHTS = (nn.modules.conv._ConvNd, nn.Linear)
_GETTERS = {torch.Tensor.detach, torch.Tensor.contiguous, torch.Tensor.__getitem__}


def function_name(func: Any) -> str:
    """Return the short name of a function or method: ``add``, ``flatten``."""
    return plain_name(getattr(func, "__name__", "op"))


def plain_name(name: str) -> str:
    """Strip underscores and the marks of in-place and reflected operators: ``__iadd__`` becomes ``add``."""
    name = name.strip("_")
    return {"iadd": "add", "radd": "add", "imul": "mul", "rmul": "mul"}.get(name, name)


class _Recorder(TorchFunctionMode):
    """Watches one run: what is called, and which named tensor flows where.

    Names hang on the tensor objects themselves, so that an in-place ReLU renames what leaves it.
    """

    def __init__(self, inputs: Mapping[str, torch.Tensor], seen: Seen | None) -> None:
        super().__init__()
        self.layers: list[Layer] = []
        self.sites = CallSites()
        self.stack: list[tuple[str, nn.Module]] = []
        self._seen = seen
        self._names: Any = WeakIdKeyDictionary()
        for name, tensor in inputs.items():
            self._name(tensor, f"input:{name}")

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        inputs = self.names((args, kwargs))
        result = func(*args, **kwargs)
        leaf = bool(self.stack) and _is_leaf(self.stack[-1][1])
        output = _first_tensor(result)
        if leaf or output is None:
            return result
        if func in _GETTERS:
            if inputs and output not in self._names:
                self._names[output] = inputs[0]
        elif output.is_floating_point():
            kind, op = _FUNCTIONS.get(func, ""), function_name(func)
            path, module = self.stack[-1] if self.stack else ("", None)
            if not kind or not isinstance(module, _WITH_WEIGHTS):
                # In a sub-class of Conv2d with a child of its own (padding, say) the layer is the module.
                path = ".".join(part for part in (path, op) if part)
            self._add(path, op, kind, (args, kwargs), result, inputs)
        return result

    def _add(self, path: str, op: str, kind: str, arguments: Any, result: Any, inputs: list[str]) -> None:
        args, kwargs = arguments
        tensors = [value for value in args if isinstance(value, torch.Tensor)]
        output = _first_tensor(result)
        assert output is not None
        facts: dict[str, int] = {}
        if kind == "conv" and len(tensors) > 1:
            facts = _conv_facts(tensors[0], tensors[1], output)
        elif kind == "matmul" and tensors:
            facts = _product_facts(tensors[-2 if op == "addmm" else 0], output)
        layer = Layer(
            name=self.sites.name(path), op=op, kind=kind, facts=facts, macs=_macs(kind, facts),
            output_shape=list(output.shape), inputs=inputs, clamp=_function_clamp(op, args, kwargs),
        )  # fmt: skip
        self._leaves(layer, result)

    def _leaves(self, layer: Layer, result: Any) -> None:
        self.layers.append(layer)
        for tensor in _tensors(result):
            self._name(tensor, f"{layer.name}:out")

    def _name(self, tensor: torch.Tensor, name: str) -> None:
        self._names[tensor] = name
        if self._seen is not None and tensor.is_floating_point():
            self._seen(name, tensor)

    def names(self, values: Any) -> list[str]:
        """Return the names of the known tensors in nested arguments."""
        return [self._names[tensor] for tensor in _tensors(values) if tensor in self._names]

    def enter(self, path: str, module: nn.Module) -> Callable[..., None]:
        """Return the hook that notes the module being entered."""
        return lambda *_: self.stack.append((path, module))

    def leave(self, path: str, module: nn.Module) -> Callable[..., None]:
        """Return the hook that records a leaf module's call."""

        def hook(_: nn.Module, args: Any, kwargs: Any, result: Any) -> None:
            self.stack.pop()
            if _is_leaf(module):
                kind, facts = _module_facts(module, args, result)
                output = _first_tensor(result)
                layer = Layer(
                    name=self.sites.name(path), op=type(module).__name__.lower(), kind=kind, facts=facts,
                    macs=_macs(kind, facts), parameters=sum(p.numel() for p in module.parameters()),
                    output_shape=list(output.shape) if output is not None else [],
                    inputs=self.names((args, kwargs)), clamp=_module_clamp(module),
                )  # fmt: skip
                self._leaves(layer, result)

        return hook


def _is_leaf(module: nn.Module) -> bool:
    """Whether a module is one call site: torch's own without children, as FX sees it. A user's is looked into."""
    return type(module).__module__.startswith(("torch.nn", "torch.ao.nn")) and not any(True for _ in module.children())


def trace(
    model: nn.Module, run: Callable[[], Any], inputs: Mapping[str, torch.Tensor] | None = None, seen: Seen | None = None
) -> tuple[list[Layer], Any]:
    """Run the model once and return its call sites in execution order, and the output.

    Args:
        model: module whose sub-modules are watched.
        run: calls the model.
        inputs: the very tensors that *run* passes, by the names of the model's inputs.
        seen: gets every floating-point tensor with its canonical name, at the moment it comes to be; the
            next operation may overwrite it.
    """
    recorder = _Recorder(inputs or {}, seen)
    handles = []
    for path, module in model.named_modules(remove_duplicate=True):
        if path and not isinstance(module, torch.jit.ScriptModule):  # which takes no hooks
            handles.append(module.register_forward_pre_hook(recorder.enter(path, module)))
            handles.append(module.register_forward_hook(recorder.leave(path, module), with_kwargs=True))
    try:
        with torch.inference_mode(), recorder:
            output = run()
    finally:
        for handle in handles:
            handle.remove()
    return recorder.layers, output


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _tensors(item)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _tensors(item)


def _module_clamp(module: nn.Module) -> tuple[float | None, float | None] | None:
    if isinstance(module, nn.Hardtanh):  # ReLU6 is one
        return float(module.min_val), float(module.max_val)
    return (0.0, None) if isinstance(module, nn.ReLU) else None


def _function_clamp(op: str, args: Any, kwargs: Any) -> tuple[float | None, float | None] | None:
    if op == "relu":
        return 0.0, None
    if op == "relu6":
        return 0.0, 6.0
    if op in ("hardtanh", "clamp", "clip"):
        default = (-1.0, 1.0) if op == "hardtanh" else (None, None)
        names = ("min_val", "max_val") if op == "hardtanh" else ("min", "max")
        bounds = [
            args[i + 1] if len(args) > i + 1 else kwargs.get(names[i], default[i]) for i in range(2)
        ]  # fmt: skip
        if all(bound is None or isinstance(bound, (int, float)) for bound in bounds):
            low, high = (None if bound is None else float(bound) for bound in bounds)
            return low, high
    return None


def _first_tensor(value: Any) -> torch.Tensor | None:
    if isinstance(value, torch.Tensor):
        return value
    if isinstance(value, (tuple, list)) and value:
        return _first_tensor(value[0])
    return None


def _module_facts(module: nn.Module, args: Any, result: Any) -> tuple[str, dict[str, int]]:
    source, output = _first_tensor(args), _first_tensor(result)
    if source is None or output is None:
        return "", {}
    if isinstance(module, (nn.modules.conv._ConvNd)):
        return "conv", _conv_facts(source, module.weight, output, module.groups)
    if isinstance(module, nn.Linear):
        return "matmul", _product_facts(source, output)
    if isinstance(module, (nn.LSTM, nn.GRU)):
        directions = 2 if module.bidirectional else 1
        steps = source.shape[1 if module.batch_first else 0] if source.dim() == 3 else source.shape[0]
        return "rnn", {
            "gates": 4 if isinstance(module, nn.LSTM) else 3, "in": module.input_size,
            "hidden": module.hidden_size, "parts": module.num_layers * directions,
            "steps": steps, "directions": directions,
            "weights": sum(p.numel() for n, p in module.named_parameters() if n.startswith("weight")),
        }  # fmt: skip
    return "", {}


def _conv_facts(source: torch.Tensor, weight: torch.Tensor, output: torch.Tensor, groups: int = 0) -> dict[str, int]:
    facts = {
        "mb": source.shape[0], "ic": source.shape[1], "oc": output.shape[1], "iw": source.shape[-1],
        "ow": output.shape[-1], "kw": weight.shape[-1], "g": groups or max(source.shape[1] // weight.shape[1], 1),
        "outputs": output.numel(), "points": prod(output.shape[2:]), "taps": prod(weight.shape[2:]),
    }  # fmt: skip
    if source.dim() >= 4:
        facts |= {"ih": source.shape[-2], "oh": output.shape[-2], "kh": weight.shape[-2]}
    return facts


def _product_facts(left: torch.Tensor, output: torch.Tensor) -> dict[str, int]:
    return {"m": prod(left.shape[:-1]), "k": left.shape[-1], "n": output.shape[-1], "outputs": output.numel()}


def _macs(kind: str, facts: dict[str, int]) -> int:
    if kind == "conv":
        inner = facts["ic"] // facts["g"] * facts["taps"]
        return facts["mb"] * facts["points"] * facts["oc"] * inner
    if kind == "matmul":
        return facts["m"] * facts["k"] * facts["n"]
    if kind == "rnn":
        return facts["steps"] * facts["weights"]
    return 0

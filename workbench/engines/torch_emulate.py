"""A PyTorch model whose quantization can be switched layer by layer, in FP32. Used by the PyTorch engines."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from workbench.core.config import Config
from workbench.core.dataflow import Dataflow
from workbench.core.trial import TensorRange
from workbench.engines import torch_layers
from workbench.engines.base import Emulator, Feed, Weight
from workbench.engines.torch_quantize import weight_observer
from workbench.engines.torch_values import to_numpy


class TorchEmulator(Emulator):
    """Runs a copy of the model; activations go through their levels in place, weights are exchanged.

    Args:
        scales: activations with the scale that the built model has.
        planned: layers that run in INT8.
        inputs: names of the model's inputs, in order.
    """

    def __init__(
        self,
        model: nn.Module,
        config: Config,
        flow: Dataflow,
        scales: Sequence[TensorRange],
        planned: Collection[str],
        inputs: Sequence[str],
    ) -> None:
        self._model = copy.deepcopy(model)
        self._flow = flow
        self._scales = {entry.tensor: entry for entry in scales}
        self._inputs = inputs
        self._signed = any(entry.min < 0 and entry.zero_point == 0 for entry in scales)
        modules = dict(self._model.named_modules())
        self._weights: dict[str, tuple[nn.Module, torch.Tensor, torch.Tensor]] = {}
        for name in planned:
            module = modules.get(name.partition("#")[0])
            if module is not None and isinstance(getattr(module, "weight", None), torch.Tensor):
                kept: Any = module.weight
                self._weights[name] = (module, kept.data, _through_levels(module, config, self._factor(name, modules)))

    def _factor(self, name: str, modules: Mapping[str, nn.Module]) -> torch.Tensor | None:
        """Return what a folded batch norm multiplies the weight's output channels with."""
        behind = self._flow.producer(self._flow.folded(f"{name}:out"))
        norm = modules.get(behind.name.partition("#")[0]) if behind else None
        if isinstance(norm, nn.modules.batchnorm._BatchNorm) and norm.running_var is not None:
            gain = norm.weight if norm.weight is not None else torch.ones_like(norm.running_var)
            return (gain / torch.sqrt(norm.running_var + norm.eps)).detach()
        return None

    def run(self, feed: Feed, layers: Collection[str], tensors: Collection[str]) -> tuple[dict[str, np.ndarray], Any]:
        """See :meth:`workbench.engines.base.Emulator.run`."""
        active: set[str] = set()
        for name in layers:
            inputs, output = self._flow.around(name, self._scales)
            active.update((*inputs, output))
        for name, (module, plain, quantized) in self._weights.items():
            module.weight.data = quantized if name in layers else plain
        values: dict[str, np.ndarray] = {}

        def seen(name: str, tensor: torch.Tensor) -> None:
            if name in active and (entry := self._scales.get(name)) is not None:
                tensor.copy_(self._levels(tensor, entry))
            if name in tensors:
                values[name] = tensor.detach().clone().numpy()

        given = {name: torch.from_numpy(np.array(feed[name])) for name in self._inputs}
        _, output = torch_layers.trace(self._model, lambda: self._model(*given.values()), given, seen)
        return values, to_numpy(output)

    def _levels(self, tensor: torch.Tensor, entry: TensorRange) -> torch.Tensor:
        assert entry.scale is not None and entry.zero_point is not None
        # All 256 levels, also under 7 bit: a kernel clamps to the type, not to what calibration expected.
        low, high = (-128, 127) if self._signed else (0, 255)
        return torch.fake_quantize_per_tensor_affine(tensor, entry.scale, entry.zero_point, low, high)


def _through_levels(module: nn.Module, config: Config, factor: torch.Tensor | None) -> torch.Tensor:
    """Return the weight as INT8 holds it; a batch norm is folded in before and taken out again."""
    plain: torch.Tensor = module.weight.data  # type: ignore[assignment]
    if factor is not None:
        safe = torch.where(factor == 0, torch.ones_like(factor), factor)
        shaped = safe.reshape(-1, *[1] * (plain.dim() - 1))
        transposed = isinstance(module, nn.modules.conv._ConvTransposeNd)
        shaped = shaped.transpose(0, 1) if transposed else shaped
        return _round(module, config, plain * shaped) / shaped
    return _round(module, config, plain)


def _round(module: nn.Module, config: Config, weight: torch.Tensor) -> torch.Tensor:
    transposed = isinstance(module, nn.modules.conv._ConvTransposeNd)
    observer = weight_observer(config, False if transposed else None)()
    observer(weight)
    scale, zero_point = observer.calculate_qparams()
    if scale.numel() > 1:
        return torch.fake_quantize_per_channel_affine(weight, scale, zero_point.to(torch.int32), 0, -128, 127)
    return torch.fake_quantize_per_tensor_affine(weight, float(scale), int(zero_point), -128, 127)


def weight_facts(weight: torch.Tensor, bias: torch.Tensor | None) -> Weight:
    """Return a quantized weight (int8, per tensor or per channel of axis 0) as numpy arrays."""
    per_channel = weight.qscheme() in (torch.per_channel_affine, torch.per_channel_symmetric)
    scale = weight.q_per_channel_scales() if per_channel else torch.tensor([weight.q_scale()])
    rows = weight.shape[0]
    return Weight(
        levels=weight.int_repr().reshape(rows, -1).numpy(),
        scale=scale.double().numpy(),
        values=weight.dequantize().reshape(rows, -1).numpy(),
        bias=None if bias is None else bias.detach().double().numpy(),
    )

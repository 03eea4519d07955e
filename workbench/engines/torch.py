"""Stock PyTorch on the CPU: eager, frozen and optimized graphs; FP32, BF16, static and dynamic INT8."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from workbench.core.dataflow import Dataflow
from workbench.core.distribution import Distribution
from workbench.core.model import ModelReference
from workbench.core.ranges import NoRange, Ranges
from workbench.core.trial import TensorRange
from workbench.engines import torch_emulate, torch_quantize
from workbench.engines.base import Feed, InvalidResult, Plan, Weight
from workbench.engines.torch_common import (
    TorchEngine,
    parameter_bytes,
    traced_and_frozen,
    why_not_static,
)
from workbench.engines.torch_values import first_line
from workbench.errors import UserError

LATE = ("torch.fx.experimental.symbolic_shapes", "torch._inductor.sizevars")
"""What FX imports when it first traces, for more than a second; a warm parent has it beforehand."""


class _InBfloat16(nn.Module):
    """Casts floating inputs to BF16 and runs the model in it; the cast is part of what is timed."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = copy.deepcopy(model).to(torch.bfloat16)

    def forward(self, *inputs: torch.Tensor) -> Any:
        return self.model(*[x.to(torch.bfloat16) if x.is_floating_point() else x for x in inputs])


class Engine(TorchEngine):
    """Engine ``torch``."""

    def load(self, model: ModelReference) -> None:
        super().load(model)
        torch.backends.mkldnn.enabled = self.config.flag("runtime.onednn")  # type: ignore[assignment]
        self._grad = self.config.flag("graph.grad")
        self._prepared: torch_quantize.Prepared | None = None
        self._converted: torch.fx.GraphModule | None = None
        if "int8" in self.config.precision:
            torch.backends.quantized.engine = self.config.text("quantization.backend")
            if self.script or model.format == "pt2":
                raise UserError(
                    f"{model.name} cannot be quantized.",
                    "TorchScript and exported programs have no modules that FX could replace.",
                    "Give the model as FILE.py:callable with --weights, or use precision=fp32.",
                )

    def prepare(self, feed: Feed) -> None:
        self._prepared = torch_quantize.prepare(
            self.source,
            self.config,
            pinned=self.pinned(self._layers),
            flow=Dataflow(self._layers),
            inputs=[spec.name for spec in self.input_specs()],
            scheme=self.scheme,
        )

    def calibrate(self, distributions: Mapping[str, Distribution]) -> None:
        assert self._prepared is not None
        self.ranges = Ranges(distributions, Dataflow(self._layers), self.config, self.scheme)
        self.ranges.place(self._prepared.groups())
        try:
            self._prepared.use(self.ranges)
        except NoRange as error:
            raise InvalidResult(str(error)) from error

    def quantized(self) -> list[TensorRange]:
        if self._prepared is None or self._converted is None:
            return []
        return self._prepared.read_back(self._converted, self.scheme)

    def build(self, feed: Feed) -> Plan:
        assert self.original is not None
        plan = Plan()
        model: nn.Module = self.source
        precision = self.config.precision
        if precision == "bf16":
            if self.script:
                raise UserError("A TorchScript model cannot be moved to BF16 here.", "", "Use FILE.py:callable.")
            model = _InBfloat16(model).eval()
        elif precision == "int8":
            assert self._prepared is not None
            plan = self._static_plan()
            model = self._converted = self._prepared.convert()
        elif precision == "int8-dynamic":
            plan = self._dynamic_plan()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                model = torch.ao.quantization.quantize_dynamic(
                    copy.deepcopy(model), {nn.Linear, nn.LSTM, nn.GRU}, dtype=torch.qint8
                )
        elif not self.script:
            model = copy.deepcopy(model)
        if "int8" in precision and not plan.int8:
            reasons = "; ".join(f"{name}: {why}" for name, why in list(plan.kept.items())[:3])
            raise InvalidResult(f"No layer can run in {precision}. {reasons}".strip())
        if self.config.flag("layout.channels_last") and not self.script:
            model = model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._bytes = parameter_bytes(model)
        self._unstaged, self._example = model, self.laid_out(feed)
        self.built = self._staged(model, self._example)
        return plan

    def weights(self, plan: Plan) -> dict[str, Weight]:
        found = {}
        modules = dict(self._converted.named_modules()) if self._converted is not None else {}
        for name in plan.int8:
            module = modules.get(name.partition("#")[0])
            if module is not None and callable(getattr(module, "weight", None)):
                bias: Any = module.bias
                found[name] = torch_emulate.weight_facts(module.weight(), bias() if callable(bias) else None)
        return found

    def _staged(self, model: nn.Module, example: list[torch.Tensor]) -> nn.Module:
        mode = self.config.text("graph.mode")
        if mode == "eager":
            return model
        try:
            frozen = traced_and_frozen(model, example)
            if mode == "frozen":
                return frozen
            with torch.no_grad():
                return torch.jit.optimize_for_inference(frozen)
        except Exception as error:
            raise UserError(
                "The model cannot be traced.",
                f"{type(error).__name__}: {first_line(error)}",
                "Use graph.mode=eager.",
            ) from error

    def _static_plan(self) -> Plan:
        plan, pinned = Plan(), self.pinned(self._layers)
        for layer in self._layers:
            if not layer.kind:
                continue
            reason = "kept in FP32 by the config" if layer.name in pinned else why_not_static(layer)
            if reason:
                plan.kept[layer.name] = reason
            else:
                plan.int8.append(layer.name)
        return plan

    def _dynamic_plan(self) -> Plan:
        plan = Plan()
        for layer in self._layers:
            if layer.op in ("linear", "lstm", "gru") and "." + layer.op != layer.name[-len(layer.op) - 1 :]:
                plan.int8.append(layer.name)
            elif layer.kind:
                plan.kept[layer.name] = "dynamic INT8 quantizes Linear, LSTM and GRU modules only"
        return plan

    def model_bytes(self) -> int | None:
        return self._bytes

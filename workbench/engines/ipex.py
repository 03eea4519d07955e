"""Intel Extension for PyTorch: FP32, BF16 and static INT8. The project has ended with 2.8; it is still
the fastest PyTorch path on many CPUs.
"""

from __future__ import annotations

import contextlib
import copy
import json
import logging
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.ao.quantization import QConfig, QConfigMapping

# IPEX prints an advertisement for CUDA machines and a dispatcher warning at import; neither is the user's.
logging.getLogger("IPEX").setLevel(logging.ERROR)

import intel_extension_for_pytorch as ipex  # noqa: E402
from intel_extension_for_pytorch.quantization import convert, prepare  # noqa: E402

from workbench.core.dataflow import Dataflow  # noqa: E402
from workbench.core.distribution import Distribution  # noqa: E402
from workbench.core.model import ModelReference  # noqa: E402
from workbench.core.ranges import NoRange, Ranges  # noqa: E402
from workbench.core.scales import scale_of  # noqa: E402
from workbench.core.trial import Layer, TensorRange  # noqa: E402
from workbench.engines import ipex_graph  # noqa: E402
from workbench.engines.base import Feed, Identity, InvalidResult, Plan, Weight  # noqa: E402
from workbench.engines.follow import Follower  # noqa: E402
from workbench.engines.torch_common import (  # noqa: E402
    TorchEngine,
    parameter_bytes,
    traced_and_frozen,
    why_not_static,
)
from workbench.engines.torch_layers import plain_name  # noqa: E402
from workbench.engines.torch_quantize import activation_observer, weight_observer  # noqa: E402
from workbench.engines.torch_values import first_line  # noqa: E402
from workbench.errors import UserError  # noqa: E402

# Fusion into INT8 kernels happens in the first two runs of a frozen graph.
_FUSING_RUNS = 2
_HANDS_ON = ("pool", "flatten", "reshape", "view", "permute", "transpose", "dropout", "identity", "squeeze")
_INT8 = ("torch.quint8", "torch.qint8")
_PARTS = ("getitem", "contiguous", "detach")  # the same values, or some of them


class Engine(TorchEngine):
    """Engine ``ipex``."""

    def load(self, model: ModelReference) -> None:
        super().load(model)
        if self.script or model.format == "pt2":
            raise UserError(
                f"{model.name} cannot be optimized by IPEX.",
                "It needs an nn.Module written in Python; TorchScript and exported programs are not.",
                "Use engine=torch, or give the model as FILE.py:callable with --weights.",
            )
        self._prepared: Any = None
        self._qconf: dict[str, Any] = {}
        self._unfused: torch._C.Graph | None = None
        self._read_back: list[TensorRange] = []

    # -- INT8 ---------------------------------------------------------------------------------------

    def _mapping(self) -> QConfigMapping:
        return QConfigMapping().set_global(
            QConfig(activation=activation_observer(self.scheme), weight=weight_observer(self.config))
        )

    def prepare(self, feed: Feed) -> None:
        example = tuple(self.laid_out(feed))
        try:
            with torch.no_grad():
                # In place, on a copy of our own: IPEX would copy the model at every step.
                copied = copy.deepcopy(self.source)
                self._prepared = prepare(copied, self._mapping(), example_inputs=example, inplace=True)
        except Exception as error:
            raise UserError(
                "IPEX cannot prepare this model for INT8.",
                first_line(error),
                "Try engine=torch precision=int8.",
            ) from error
        with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
            self._prepared(*example)  # one run, for the weights' scales and to learn which tensors there are
            file = Path(folder) / "qconf.json"
            self._prepared.save_qconf_summary(str(file))
            self._qconf = json.loads(file.read_text(encoding="utf-8"))

    def calibrate(self, distributions: Mapping[str, Distribution]) -> None:
        flow = Dataflow(self._layers)
        self.ranges = Ranges(distributions, flow, self.config, self.scheme)
        places = self._places(flow)
        groups = self._groups(places)
        self.ranges.place(groups)
        try:
            for name in self._plan().int8:  # it quantizes what a layer takes, which tells nothing of whether it ran
                self.ranges.seen(f"{name}:out")
            self._use_ranges(places, groups)
        except NoRange as error:
            raise InvalidResult(str(error)) from error

    def _groups(self, places: Mapping[int, str]) -> list[list[str]]:
        """Return the tensors that share a scale, in the order of execution.

        A pooling or reshaping kernel hands the levels of its input on, so what it puts out must keep the
        input's scale: another one would be read as another value, without a word from IPEX.
        """
        owner = {name: name for name in places.values()}
        for op in self._operations():
            kind = op["op_type"].lower()
            if any(mark in kind for mark in _HANDS_ON) and op["input_tensor_infos"] and op["output_tensor_infos"]:
                first, out = op["input_tensor_infos"][0], op["output_tensor_infos"][0]
                source, target = (places.get(info["id"]) if info else None for info in (first, out))
                if source and target:
                    owner[target] = owner[source]
        groups: dict[str, list[str]] = {}
        for name, first in owner.items():
            groups.setdefault(first, []).append(name)
        return list(groups.values())

    def _use_ranges(self, places: Mapping[int, str], groups: Sequence[Sequence[str]]) -> None:
        """Write a scale to every place where a tensor's id occurs: at its producer and at each consumer."""
        assert self.ranges is not None
        scales: dict[str, tuple[float, int]] = {}
        for group in groups:
            low, high, _ = self.ranges.of(group)
            scales.update(dict.fromkeys(group, scale_of(low, high, self.scheme)))
        for op in self._operations():
            for info in [*op["input_tensor_infos"], *op["output_tensor_infos"]]:
                if info and (name := places.get(info["id"])) is not None:
                    info["scale"], info["zero_point"] = [scales[name][0]], [scales[name][1]]

    def _lstm_in_int8(self) -> bool:
        """Below VNNI the LSTM falls back to an FP32 kernel between quantizers, which only costs accuracy."""
        return self.config.text("target_isa") in ("avx512_vnni", "amx_int8")

    def _operations(self) -> list[dict[str, Any]]:
        return [op for part in self._qconf.values() for op in part["q_op_infos"].values()]

    def _in_fp32(self) -> set[str]:
        """Return the call sites that IPEX must leave alone, though it could quantize them."""
        slow = () if self._lstm_in_int8() else (layer.name for layer in self._layers if layer.op == "lstm")
        return {*self.pinned(self._layers), *slow}

    def _places(self, flow: Dataflow) -> dict[int, str]:
        """Return the canonical name of each tensor that is quantized, by IPEX's id for it.

        Call sites that stay in FP32 are kept in it here, where they are met.

        Raises:
            InvalidResult: IPEX quantizes a tensor that is not found in the model.
        """
        everything = [op for part in self._qconf.values() for op in part["nonq_op_infos"].values()]
        everything += self._operations()
        everything = [op for op in everything if any(op["output_tensor_infos"])]
        # Ids are given in the order of execution, over all modules and both kinds of operations.
        everything.sort(key=lambda op: min(info["id"] for info in op["output_tensor_infos"] if info))
        modules = {op["fqn"] for op in everything if op["op_type"].startswith("<class")}
        follower, names, parameters = Follower(flow), dict[int, str](), set[int]()
        kept = self._in_fp32()
        for op in everything:
            ids = [info["id"] for info in op["input_tensor_infos"] if info]
            arriving = [names[number] for number in ids if number in names]
            path = op["fqn"] if op["op_type"].startswith("<class") else ""
            layer = follower.meet(_short(op["op_type"]), arriving, path)
            if (layer.name if layer else path) in kept:
                _keep_in_fp32(op)
            if layer is None:
                if arriving and _short(op["op_type"]) in _PARTS:
                    names.update({info["id"]: arriving[0] for info in op["output_tensor_infos"] if info})
                continue
            unknown = [number for number in ids if number not in names]
            rest = [flow.trunk(tensor) for tensor in layer.inputs if flow.trunk(tensor) not in arriving]
            if len(unknown) == len(rest):
                names.update(zip(unknown, rest, strict=True))
            elif not rest:
                parameters.update(unknown)
            tensor = f"{layer.name}:out"
            taker = flow.only_consumer(tensor)
            if taker is None or taker.name not in modules or flow.folded(tensor) == tensor:
                tensor = flow.trunk(tensor)  # a batch norm that is still there was not folded
            names.update({info["id"]: tensor for info in op["output_tensor_infos"] if info})
        places = {}
        for op in self._operations():
            for number in _quantized_ids(op):
                if number not in names and number not in parameters:
                    what = op["fqn"] or _short(op["op_type"])
                    raise InvalidResult(f"IPEX quantizes a tensor at {what} that is not found in the model.")
                if number in names:
                    places[number] = names[number]
        return places

    def quantized(self) -> list[TensorRange]:
        return self._read_back

    def _quantized(self) -> nn.Module:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "qconf.json"
            file.write_text(json.dumps(self._qconf), encoding="utf-8")
            self._prepared.load_qconf_summary(qconf_summary=str(file))
        prepared, self._prepared = self._prepared, None
        return convert(prepared, inplace=True)

    # -- building -----------------------------------------------------------------------------------

    def build(self, feed: Feed) -> Plan:
        assert self.original is not None
        plan = Plan()
        example = self.laid_out(feed)
        precision = self.config.precision
        if precision == "int8":
            plan = self._plan()
            if not plan.int8:
                raise InvalidResult("IPEX would quantize no layer of this model.")
            model = self._quantized()
        else:
            dtype = torch.bfloat16 if precision == "bf16" else torch.float32
            source = copy.deepcopy(self.source)
            if self.config.flag("layout.channels_last"):
                source = source.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
            try:
                model = ipex.optimize(source, dtype=dtype, inplace=True)
            except Exception as error:
                raise UserError(f"IPEX cannot optimize this model for {precision}.", first_line(error)) from error
        self._bytes = parameter_bytes(model)
        self._autocast = precision == "bf16"
        self._unstaged, self._example = model, example
        if self.config["graph.mode"] == "eager":
            self.built = model
            return plan
        try:
            with self.casting():
                self.built = traced_and_frozen(model, example)
                if precision == "int8":
                    flow = Dataflow(self._layers)
                    names = [spec.name for spec in self.input_specs()]
                    self._unfused = self.built.graph.copy()
                    found = ipex_graph.scales(self._unfused, flow, names)
                    self._read_back = ipex_graph.tensor_ranges(found, flow, self.scheme)
                with torch.no_grad():
                    for _ in range(_FUSING_RUNS):
                        self.built(*example)
        except Exception as error:
            raise UserError(
                "The model cannot be traced.",
                f"{type(error).__name__}: {first_line(error)}",
                "Use engine=torch.",
            ) from error
        return plan

    def weights(self, plan: Plan) -> dict[str, Weight]:
        if self._unfused is None:
            return {}
        names = [spec.name for spec in self.input_specs()]
        found = ipex_graph.weights(self._unfused, Dataflow(self._layers), names)
        return {name: found[name] for name in plan.int8 if name in found}

    def release_original(self) -> None:
        super().release_original()
        self._unfused = None

    def casting(self) -> contextlib.AbstractContextManager[Any]:
        return torch.autocast("cpu", dtype=torch.bfloat16) if self._autocast else contextlib.nullcontext()

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        # no_grad and not inference_mode: fused INT8 partitions write into tensors that they keep.
        with (
            torch.no_grad(),
            self.casting() if self.config["graph.mode"] == "eager" else contextlib.nullcontext(),
        ):
            yield

    def _plan(self) -> Plan:
        plan, pinned = Plan(), self.pinned(self._layers)
        listed = {op["fqn"] for op in self._operations()}
        for layer in self._layers:
            if not layer.kind:
                continue
            if layer.name in pinned:
                plan.kept[layer.name] = "kept in FP32 by the config"
            elif layer.op == "lstm" and layer.name.split("#")[0] in listed:
                if self._lstm_in_int8():
                    plan.int8.append(layer.name)
                else:
                    plan.kept[layer.name] = "IPEX has no INT8 LSTM kernel below avx512_vnni; kept in FP32"
            elif reason := why_not_static(layer):
                plan.kept[layer.name] = reason
            else:
                plan.int8.append(layer.name)
        return plan

    def model_bytes(self) -> int | None:
        return self._bytes

    def unquantizable(self, layers: Sequence[Layer]) -> dict[str, str]:
        return {name: why for name, why in super().unquantizable(layers).items() if "LSTM" not in why}

    # -- proof --------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _verbose(self) -> Iterator[None]:
        # IPEX carries an oneDNN of its own beside torch's; both are asked to speak.
        with super()._verbose(), ipex.verbose(ipex.VERBOSE_ON if hasattr(ipex, "VERBOSE_ON") else 1):
            yield

    def identity(self) -> Identity:
        identity = super().identity()
        identity.engine_version = str(ipex.__version__)
        identity.quantized_engine = None
        return identity


def _quantized_ids(op: Mapping[str, Any]) -> list[int]:
    """Return IPEX's ids of the activations that an operation takes or gives in 8 bit."""
    inputs = [info for info in op["input_tensor_infos"] if info and info.get("force_dtype") in _INT8]
    outputs = [info for info in op["output_tensor_infos"] if info and info.get("inf_dtype") in _INT8]
    return [info["id"] for info in [*inputs, *outputs] if info.get("scale")]


def _keep_in_fp32(op: dict[str, Any]) -> None:
    """Force the inputs to FP32; what hands its levels on (a flatten, say) must not promise levels either."""
    for info in [*op["input_tensor_infos"], *op.get("weight_tensor_infos", [])]:
        if info:
            info["force_dtype" if "force_dtype" in info else "inf_dtype"] = "torch.float32"
    if any(mark in op["op_type"].lower() for mark in _HANDS_ON):
        for info in op["output_tensor_infos"]:
            if info:
                info["inf_dtype"] = "torch.float32"


def _short(op_type: str) -> str:
    """Turn ``<method 'add' of 'torch._C.TensorBase' objects>`` into ``add``."""
    match = re.match(r"<(?:built-in method|built-in function|method|function) '?([\w.]+)", op_type)
    return plain_name(match[1].rsplit(".", 1)[-1]) if match else op_type

"""The exported model in its engine."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.outputs import flatten_outputs
from workbench.onsite.c_output import captured_stdout
from workbench.onsite.golden import golden
from workbench.onsite.start import Bundle, check_files

INT8_OPERATORS = (
    "QLinearConv", "QLinearMatMul", "QGemm", "ConvInteger", "MatMulInteger", "MatMulIntegerToFloat",
    "DynamicQuantizeMatMul", "DynamicQuantizeLSTM",
)  # fmt: skip

_FUSED = 3
"""Runs after which TorchScript has fused its graph; the first ones differ in the last bit."""


class Model:
    """The exported model; the leading axis of everything that goes in and comes out is the batch."""

    def __init__(self, bundle: Bundle, role: str) -> None:
        self.runtime = bundle["runtime"]
        self.inputs: list[str] = bundle["inputs"]
        self.fixed_batch: int = bundle["fixed_batch"]
        self.path = bundle.folder / bundle["model"][role]

    def bind(self, feed: dict[str, Any]) -> Callable[[], Any]:
        """Return a function that runs the model on *feed*."""
        raise NotImplementedError

    def running(self) -> contextlib.AbstractContextManager[Any]:
        """Surround every call of a bound function, once per group of runs."""
        return contextlib.nullcontext()

    def outputs(self, raw: Any) -> list[tuple[str, Any]]:
        """Return what came out as named arrays."""
        raise NotImplementedError

    def int8_kernels(self, feed: dict[str, Any]) -> int:
        """Run once and count the INT8 convolutions, products and recurrent layers that ran."""
        raise NotImplementedError

    def __call__(self, feed: Any) -> list[tuple[str, Any]]:
        rows = len(next(iter(feed.values())))
        missing = max(self.fixed_batch - rows, 0)
        if missing:  # a model made for one batch size gets copies of the last row, which are cut off again
            feed = {name: np.concatenate([a, np.repeat(a[-1:], missing, axis=0)]) for name, a in feed.items()}
        with self.running():
            found = self.outputs(self.bind(feed)())
        return [(name, array[:rows]) for name, array in found] if missing else found


class TorchModel(Model):
    """TorchScript, in stock PyTorch or with IPEX."""

    def __init__(self, bundle: Bundle, role: str) -> None:
        super().__init__(bundle, role)
        import torch

        self.torch = torch
        self.ipex = None
        if bundle["engine"] == "ipex":
            import intel_extension_for_pytorch as ipex

            self.ipex = ipex
        if self.runtime["threads"] > 0:
            torch.set_num_threads(self.runtime["threads"])
        with contextlib.suppress(RuntimeError):  # already set by the first of two models
            torch.set_num_interop_threads(self.runtime["interop_threads"])
        torch.set_flush_denormal(self.runtime["flush_denormals"])
        if self.runtime["quantized_engine"]:
            torch.backends.quantized.engine = self.runtime["quantized_engine"]
        torch.backends.mkldnn.enabled = self.runtime["onednn"]
        self.module = torch.jit.load(str(self.path))
        if self.runtime["graph_mode"] == "optimized" and role == "model":
            with torch.no_grad():  # only in memory: what this makes cannot be saved and loaded again
                self.module = torch.jit.optimize_for_inference(self.module)

    def bind(self, feed: dict[str, Any]) -> Callable[[], Any]:
        torch, module = self.torch, self.module
        tensors = []
        for name in self.inputs:
            tensor = torch.from_numpy(feed[name])
            last = self.runtime["channels_last"] and tensor.dim() == 4
            tensors.append(tensor.clone(memory_format=torch.channels_last if last else torch.contiguous_format))
        if len(tensors) == 1:
            only = tensors[0]
            return lambda: module(only)
        return lambda: module(*tensors)

    def running(self) -> contextlib.AbstractContextManager[Any]:
        # Fused IPEX graphs write into tensors that they keep: no inference mode there.
        return self.torch.no_grad() if self.ipex else self.torch.inference_mode()

    def outputs(self, raw: Any) -> list[tuple[str, Any]]:
        return flatten_outputs(self._numpy(raw))

    def _numpy(self, value: Any) -> Any:
        if isinstance(value, self.torch.Tensor):
            value = value.detach()
            return (value.float() if value.dtype == self.torch.bfloat16 else value).numpy()
        if isinstance(value, dict):
            return {key: self._numpy(part) for key, part in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._numpy(part) for part in value]
        return value

    def int8_kernels(self, feed: dict[str, Any]) -> int:
        run, onednn = self.bind(feed), self.torch.backends.mkldnn
        with self.running():
            too = self.ipex.verbose(1) if self.ipex else contextlib.nullcontext()
            with captured_stdout() as told, onednn.verbose(onednn.VERBOSE_ON), too:
                run()
        lines = [line.split(",") for line in told[0].splitlines() if ",exec,cpu," in line]
        kinds = ("convolution", "deconvolution", "inner_product", "matmul", "rnn")
        count = sum(
            any(part in kinds for part in line[4:7]) and any("src:u8" in part or "src:s8" in part or
                "src_layer:u8" in part or "src_u8" in part or "src_s8" in part for part in line)
            for line in lines
        )  # fmt: skip
        if count:
            return count
        # fbgemm tells nothing; its operators do.
        with self.running(), self.torch.autograd.profiler.profile() as profile:
            run()
        names = [event.name for event in profile.function_events]
        return sum(name.startswith(("quantized::conv", "quantized::linear", "quantized::lstm")) for name in names)


class OnnxModel(Model):
    """An ONNX file in ONNX Runtime, which optimizes it for this CPU while loading."""

    def __init__(self, bundle: Bundle, role: str) -> None:
        super().__init__(bundle, role)
        import onnxruntime

        self.ort = onnxruntime
        self.session = self._session()

    def _session(self, profile: str = "") -> Any:
        options, runtime = self.ort.SessionOptions(), self.runtime
        options.intra_op_num_threads = max(runtime["threads"], 0)
        options.inter_op_num_threads = runtime["interop_threads"]
        if runtime["interop_threads"] > 1:
            options.execution_mode = self.ort.ExecutionMode.ORT_PARALLEL
        options.log_severity_level = 3
        for pool in ("intra", "inter"):
            options.add_session_config_entry(f"session.{pool}_op.allow_spinning", "1" if runtime["spin"] else "0")
        if runtime["flush_denormals"]:
            options.add_session_config_entry("session.set_denormal_as_zero", "1")
        options.add_session_config_entry("optimization.disable_specified_optimizers", "WeightBiasQuantization")
        levels = self.ort.GraphOptimizationLevel
        level = {"all": "ORT_ENABLE_ALL", "extended": "ORT_ENABLE_EXTENDED", "basic": "ORT_ENABLE_BASIC"}
        name = level.get(runtime["graph_optimization"], "ORT_DISABLE_ALL")
        options.graph_optimization_level = getattr(levels, name)
        if profile:
            options.enable_profiling, options.profile_file_prefix = True, profile
        return self.ort.InferenceSession(str(self.path), options, providers=["CPUExecutionProvider"])

    def bind(self, feed: dict[str, Any]) -> Callable[[], Any]:
        session, arrays = self.session, dict(feed)
        return lambda: session.run(None, arrays)

    def outputs(self, raw: Any) -> list[tuple[str, Any]]:
        return list(zip((value.name for value in self.session.get_outputs()), raw, strict=True))

    def int8_kernels(self, feed: dict[str, Any]) -> int:
        with tempfile.TemporaryDirectory() as folder:
            session = self._session(str(Path(folder) / "profile"))
            session.run(None, dict(feed))
            events = json.loads(Path(session.end_profiling()).read_text(encoding="utf-8"))
        ran = {event["name"] for event in events if event.get("args", {}).get("op_name") in INT8_OPERATORS}
        return len({name.removesuffix("_kernel_time") for name in ran if name.endswith("_kernel_time")})


def load(bundle: Bundle, role: str = "model") -> Model:
    """Return the model, or the FP32 original (role ``fp32``), ready to answer.

    Raises:
        UserError: its file is not what was exported.
    """
    file = bundle["model"][role]
    check_files(bundle, [name for name in bundle["files"] if name == file or name.startswith(f"{file}.")])
    model: Model = (OnnxModel if bundle["engine"] == "onnxruntime" else TorchModel)(bundle, role)
    feed = golden(bundle)[0][0]
    for _ in range(_FUSED):
        model(feed)
    return model

"""What the two PyTorch engines share: loading, feeding, running, proving and reading back."""

from __future__ import annotations

import contextlib
import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.autograd.profiler import profile

from workbench.core.config import Config
from workbench.core.dataflow import Dataflow
from workbench.core.distribution import Collector, Distribution
from workbench.core.model import InputSpec, ModelReference
from workbench.core.trial import Exported, Kernel, Layer
from workbench.engines import kernels, onnx_export, torch_align, torch_emulate, torch_fold, torch_layers, torch_load
from workbench.engines.base import Emulator, Engine, Feed, Identity, Plan
from workbench.engines.layout import laid_out
from workbench.engines.torch_values import first_line, to_numpy
from workbench.errors import UserError, nearest
from workbench.onsite.c_output import captured_stdout

_COPIED = ("numpy", "onnx", "opencv-python-headless")


class TorchEngine(Engine):
    """Stock PyTorch's way of loading, feeding and proving; sub-classes build the model."""

    original: nn.Module | None
    built: Callable[..., Any]

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._inputs: list[torch.Tensor] = []
        self._grad = False
        self._layers: list[Layer] = []
        self._model: ModelReference | None = None
        self._source: nn.Module | None = None
        self._unstaged: nn.Module | None = None  # what was built, before it was traced
        self._example: list[torch.Tensor] = []

    # -- loading ------------------------------------------------------------------------------------

    def configure(self) -> None:
        if (threads := self.config.number("runtime.threads")) > 0:
            torch.set_num_threads(threads)
        torch.set_num_interop_threads(self.config.number("runtime.interop_threads"))
        if self.config.flag("runtime.flush_denormals") and not torch.set_flush_denormal(True):
            raise UserError("This CPU cannot flush denormals.", "", "Set runtime.flush_denormals=false.")

    def stay_single(self) -> None:
        torch.set_num_threads(1)

    def load(self, model: ModelReference) -> None:
        torch.manual_seed(0)
        self._model = model
        self.original = torch_load.load(model)
        self._rewritten: dict[str, list[str]] = {}
        self._notes: list[str] = []

    @property
    def script(self) -> bool:
        """Whether the model is TorchScript: it has no Python graph to quantize."""
        return isinstance(self.original, torch.jit.ScriptModule)

    def input_specs(self) -> Sequence[InputSpec]:
        assert self._model is not None
        if not self._model.inputs:
            raise UserError(
                f"{self._model.name} does not say what it wants to be fed.",
                "A PyTorch model carries no input shapes.",
                "Add --input SHAPE, for example --input 1x3x224x224.",
            )
        return self._model.inputs

    def trace_layers(self, feed: Feed) -> list[Layer]:
        assert self.original is not None
        args = self.tensors(feed)
        shapes = ", ".join(f"{name} {'x'.join(map(str, array.shape))} {array.dtype}" for name, array in feed.items())
        try:
            self._layers = self._traced(self.original, args)
        except Exception as error:
            raise UserError(
                f"The model refuses the input {shapes}.",
                f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}",
                "Give the shape that it wants with --input, and preprocessing that makes it.",
            ) from error
        self._check_layer_names()
        if self.config.flag("graph.fold_padding"):
            self._fold_padding(args)
        if block := self.config.number("layout.align_channels"):
            self._align_channels(block, args)
        return self._layers

    def _fold_padding(self, args: Sequence[torch.Tensor]) -> None:
        """Rewrite what is built; the original stays the reference."""
        self._refuse_script("graph.fold_padding")
        model, changed = torch_fold.fold_padding(self.source, args)
        self._rewrite("graph.fold_padding", model, changed, args)

    def _align_channels(self, block: int, args: Sequence[torch.Tensor]) -> None:
        self._refuse_script("layout.align_channels")
        model, done = torch_align.align_channels(self.source, block, args)
        self._rewrite("layout.align_channels", model, done.changed, args)
        self._notes += torch_align.in_words(block, done)

    def _refuse_script(self, knob: str) -> None:
        if self.script:
            raise UserError(
                f"{knob} cannot rewrite a TorchScript model.",
                "It has no Python modules to replace.",
                "Give the model as FILE.py:callable.",
            )

    def _rewrite(self, knob: str, model: nn.Module, changed: list[str], args: Sequence[torch.Tensor]) -> None:
        if changed:
            self._rewritten[knob] = changed
            self._source = model
            self._layers = self._traced(model, args)

    def _traced(
        self, model: nn.Module, args: Sequence[torch.Tensor], seen: torch_layers.Seen | None = None
    ) -> list[Layer]:
        inputs = dict(zip((spec.name for spec in self.input_specs()), args, strict=True))
        return torch_layers.trace(model, lambda: model(*args), inputs, seen)[0]

    def observe(self, feeds: Iterable[Feed]) -> dict[str, Distribution]:
        """Watch every call site of the model that is built; what is folded away differs from engine to engine."""
        collectors = defaultdict[str, Collector](Collector)

        def seen(name: str, tensor: torch.Tensor) -> None:
            collectors[name].add(tensor.numpy())

        for feed in feeds:
            self._traced(self.source, self.tensors(feed), seen)
        return {name: collector.result() for name, collector in collectors.items()}

    @property
    def source(self) -> nn.Module:
        """The model to build from: the original, or its exact rewrite."""
        assert self.original is not None
        return self._source if self._source is not None else self.original

    @property
    def rewritten(self) -> dict[str, list[str]]:
        return self._rewritten

    @property
    def notes(self) -> list[str]:
        return self._notes

    def rewrites(self, feed: Feed) -> dict[str, list[str]]:
        assert self.original is not None
        if self.script:
            return {}
        found = {
            "graph.fold_padding": torch_fold.foldable(self.original),
            "layout.align_channels": torch_align.alignable(self.original, torch_align.BLOCK),
        }
        return {knob: places for knob, places in found.items() if places}

    def export(self, feed: Feed, folder: str) -> Exported:
        path, golden, notes = onnx_export.export(self.source, self.input_specs(), feed, Path(folder))
        return Exported(
            path=str(path),
            golden=str(golden),
            layers=self._layers,
            rewritten=self._rewritten,
            notes=[*self._notes, *notes],
        )

    def save(self, folder: str) -> dict[str, str]:
        # Traced anew from what was built: the form that runs here may have been optimized for this machine.
        assert self.original is not None
        assert self._unstaged is not None
        try:
            with self.casting():
                frozen = self.config["graph.mode"] != "eager"
                model = traced_and_frozen(self._unstaged, self._example, freeze=frozen)
            fp32 = traced_and_frozen(self.original, [tensor.contiguous() for tensor in self._example])
        except Exception as error:
            raise UserError(
                "The model cannot be traced, and only traced models run without their source.",
                f"{type(error).__name__}: {first_line(error)}",
                "Use engine=onnxruntime.",
            ) from error
        files = {"model": "model.pt", "fp32": "model_fp32.pt"}
        for role, module in (("model", model), ("fp32", fp32)):
            # By way of memory: PyTorch's own writer says of a full disk that a position is unexpected.
            content = io.BytesIO()
            torch.jit.save(module, content)
            (Path(folder) / files[role]).write_bytes(content.getbuffer())
        return files

    def casting(self) -> contextlib.AbstractContextManager[Any]:
        """Surround tracing with what the engine's precision needs."""
        return contextlib.nullcontext()

    def _check_layer_names(self) -> None:
        assert self.original is not None
        names = [layer.name for layer in self._layers]
        modules = {path for path, _ in self.original.named_modules()}
        for name in self.config.layers:
            if name not in names:
                raise UserError(
                    f"There is no layer '{name}' that can be quantized.",
                    nearest(name, names) or "A TorchScript model shows no layers.",
                    "`workbench inspect` lists them.",
                )
            if "#" in name and name.partition("#")[0] in modules:
                raise UserError(
                    f"'{name}' is a later call of one module.",
                    "These engines can keep a module in FP32 only in all its calls.",
                    f"Use '{name.split('#')[0]}'.",
                )

    # -- feeding and running ------------------------------------------------------------------------

    def tensors(self, feed: Feed) -> list[torch.Tensor]:
        """Return the arrays as tensors in the order of the model's inputs."""
        return [torch.from_numpy(np.ascontiguousarray(feed[spec.name])) for spec in self.input_specs()]

    def bind(self, feed: Feed) -> Callable[[], Any]:
        self._inputs = self.laid_out(feed)
        built, inputs = self.built, self._inputs
        if len(inputs) == 1:
            only = inputs[0]
            return lambda: built(only)
        return lambda: built(*inputs)

    def laid_out(self, feed: Feed) -> list[torch.Tensor]:
        """Return the tensors in the memory order and at the alignment that the config asks for."""
        aligned, last = self.config.flag("layout.aligned_input"), self.config.flag("layout.channels_last")
        arrays = [feed[spec.name] for spec in self.input_specs()]
        return [
            torch.from_numpy(laid_out(array, aligned=aligned, channels_last=last and array.ndim == 4))
            for array in arrays
        ]

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        with contextlib.nullcontext() if self._grad else torch.inference_mode():
            yield

    def reference(self, feed: Feed) -> Any:
        assert self.original is not None
        with torch.inference_mode(), torch.backends.mkldnn.flags(enabled=True):
            return self.original(*self.tensors(feed))

    def outputs(self, raw: Any) -> Any:
        return to_numpy(raw)

    def release_original(self) -> None:
        self.original = self._source = self._unstaged = None

    # -- proof and reading back ---------------------------------------------------------------------

    @contextlib.contextmanager
    def _verbose(self) -> Iterator[None]:
        with torch.backends.mkldnn.verbose(torch.backends.mkldnn.VERBOSE_ON):
            yield

    def emulator(self, plan: Plan) -> Emulator | None:
        if self.script:
            return None
        names = [spec.name for spec in self.input_specs()]
        flow = Dataflow(self._layers)
        return torch_emulate.TorchEmulator(self.source, self.config, flow, self.quantized(), plan.int8, names)

    def prove(self, run: Callable[[], Any], layers: Sequence[Layer]) -> list[Kernel]:
        with captured_stdout() as captured, self._verbose(), self.running():
            run()
        primitives = kernels.parse_onednn(captured[0])
        if kernels.covers(primitives, layers):
            return kernels.match(primitives, [], layers)
        # Not torch.profiler, which imports the compiler for more than a second and records the same.
        with self.running(), profile(record_shapes=True, use_kineto=True) as profiler:
            run()
        events = [
            kernels.Event(event.name(), event.shapes(), event.dtypes(), event.start_ns(), event.duration_ns())
            for event in profiler.kineto_results.events()
            if kernels.is_relevant(event.name())
        ]
        return kernels.match(primitives, kernels.read_events(events), layers)

    def identity(self) -> Identity:
        return Identity(
            threads=torch.get_num_threads(),
            interop_threads=torch.get_num_interop_threads(),
            engine_version=str(torch.__version__),
            torch_version=str(torch.__version__),
            isa=torch.backends.cpu.get_cpu_capability(),
            grad=self._grad,
            flush_denormals=bool((torch.tensor([1e-310], dtype=torch.float64) * 1).item() == 0.0),
            quantized_engine=torch.backends.quantized.engine if "int8" in self.config.precision else None,
        )

    def input_facts(self) -> tuple[int, list[int]]:
        if not self._inputs:
            return 0, []
        pointer = self._inputs[0].data_ptr()
        return min(pointer & -pointer, 4096), list(self._inputs[0].stride())

    def parameter_count(self) -> int:
        assert self.original is not None
        return sum(parameter.numel() for parameter in self.original.parameters())

    def unquantizable(self, layers: Sequence[Layer]) -> dict[str, str]:
        if self.script:
            return {"*": "a TorchScript model has no Python graph; give the model as FILE.py:callable"}
        return {layer.name: reason for layer in layers if layer.kind and (reason := why_not_static(layer))}

    def pinned(self, layers: Sequence[Layer]) -> set[str]:
        """Return the call sites that the user keeps in FP32: a module in all its calls, a function in one."""
        assert self.original is not None
        wanted = {name for name, precision in self.config.layers.items() if precision == "fp32"}
        modules = {path for path, _ in self.original.named_modules()} & wanted
        return {layer.name for layer in layers if layer.name in wanted or layer.name.partition("#")[0] in modules}


_STATIC = {"conv1d", "conv2d", "conv3d", "convtranspose1d", "convtranspose2d", "convtranspose3d", "linear"}


def why_not_static(layer: Layer) -> str:
    """Return why static INT8 leaves a compute layer alone, or an empty string where it does not."""
    if layer.kind == "rnn":
        return f"{layer.op.upper()} stays in FP32 under static INT8; precision=int8-dynamic quantizes it"
    if layer.op not in _STATIC:
        return "a product of two activations (or a functional call); kept in FP32"
    return ""


def traced_and_frozen(
    module: nn.Module, example: Sequence[torch.Tensor], *, freeze: bool = True
) -> torch.jit.ScriptModule:
    """Trace *module* on *example* and *freeze* it; TorchScript is not traced again."""
    with torch.no_grad():
        if isinstance(module, torch.jit.ScriptModule):
            return torch.jit.freeze(module) if freeze else module
        # strict=False: models that return a dict of tensors are common and harmless here.
        traced = torch.jit.trace(module, tuple(example), strict=False, check_trace=False)
        return torch.jit.freeze(traced) if freeze else traced


def parameter_bytes(module: Any) -> int | None:
    """Return the bytes of a module's parameters, buffers and packed weights."""
    if not isinstance(module, nn.Module):
        return None
    total = sum(tensor.numel() * tensor.element_size() for tensor in [*module.parameters(), *module.buffers()])
    for child in module.modules():
        weight = getattr(child, "weight", None)
        if callable(weight):  # quantized modules hold packed weights behind a method
            with contextlib.suppress(Exception):
                total += weight().numel()
    return total

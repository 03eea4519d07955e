"""ONNX Runtime on the CPU: FP32, static INT8 (QDQ or QOperator) and dynamic INT8.

Works on ONNX files; a PyTorch model is exported to one by a worker of its own beforehand, so that no
torch lives in the process that is measured.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort

from workbench.core.config import Config
from workbench.core.dataflow import Dataflow
from workbench.core.distribution import Collector, Distribution
from workbench.core.model import InputSpec, ModelReference
from workbench.core.ranges import NoRange, Ranges
from workbench.core.scales import Scheme, range_of
from workbench.core.trial import Exported, Kernel, Layer, TensorRange
from workbench.engines import (
    kernels,
    onnx_denormals,
    onnx_emulate,
    onnx_fold,
    onnx_graph,
    onnx_profile,
    onnx_quantize,
    os_threads,
)
from workbench.engines.base import Emulator, Feed, Identity, InvalidResult, Plan, Weight
from workbench.engines.base import Engine as Base
from workbench.engines.layout import laid_out
from workbench.errors import UserError, nearest

_LEVELS = {
    "all": ort.GraphOptimizationLevel.ORT_ENABLE_ALL,
    "extended": ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "basic": ort.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "disabled": ort.GraphOptimizationLevel.ORT_DISABLE_ALL,
}
_NEWEST_IR = 10
_PROFILED_RUNS = 3
_EXPORT_TOLERANCE = 1e-3
_FUSED = ("relu", "relu6", "hardtanh", "clip", "clamp")  # and whatever else, by order and shape


class Engine(Base):
    """Engine ``onnxruntime``."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._single = False
        self._original: ort.InferenceSession | None = None
        self._built: ort.InferenceSession | None = None
        self._inputs: dict[str, np.ndarray] = {}
        self._threads = 1
        self._exported: Exported | None = None
        self._folded: list[str] = []
        self._prepared: onnx.ModelProto | None = None
        self._labels: dict[str, str] = {}
        self._quantized: onnx.ModelProto | None = None
        self._ranges: dict[str, tuple[float, float]] = {}

    # -- loading ------------------------------------------------------------------------------------

    def configure(self) -> None:
        # A folder of its own: what the process that this one was forked from has written stays where it is.
        self._work = Path(tempfile.mkdtemp(prefix="workbench-"))
        self._single, self._original = False, None

    def stay_single(self) -> None:
        self._work = Path(tempfile.mkdtemp(prefix="workbench-"))
        self._single = True

    def close(self) -> None:
        shutil.rmtree(self._work, ignore_errors=True)

    def adopt(self, exported: Exported) -> None:
        self._exported = exported

    def load(self, model: ModelReference) -> None:
        if model.format != "onnx":
            raise UserError(f"{model.name} is not an ONNX model.", "", "Export it to ONNX.")
        self._path, self._declared = Path(model.path), model.inputs
        self._proto = onnx_graph.load(self._path, _newest_ir())
        if onnx_graph.name_nodes(self._proto):
            self._path = self._work / "named.onnx"
            onnx.save(self._proto, self._path)
        if self.config.precision != "fp32" and onnx_graph.opset(self._proto) < 13:
            raise UserError(
                f"{model.name} has opset {onnx_graph.opset(self._proto)}, which is too old to quantize well.",
                "Per-channel scales and most fusions need opset 13 or newer.",
                "Export it again with opset 13 or newer.",
            )
        self._fp32()
        self._bytes = onnx_graph.parameters(self._proto)[1]
        if self._exported:
            self._check_export(Path(self._exported.golden))

    def _check_export(self, golden: Path) -> None:
        """Hold the exported file against the outputs of the model that it was made from."""
        with np.load(golden) as arrays:
            feed = {name.removeprefix("in."): arrays[name] for name in arrays.files if name.startswith("in.")}
            expected = [arrays[f"out.{i}"] for i in range(sum(name.startswith("out.") for name in arrays.files))]
        for one, other in zip(expected, self._fp32().run(None, feed), strict=True):
            largest = float(np.max(np.abs(one), initial=0.0))
            difference = float(np.max(np.abs(one - other), initial=0.0)) if one.shape == other.shape else np.inf
            if not difference <= _EXPORT_TOLERANCE * max(largest, 1e-6):
                raise InvalidResult(f"the export to ONNX changed the outputs by {difference:.2g} of {largest:.2g}")

    def input_specs(self) -> Sequence[InputSpec]:
        return onnx_graph.declared(onnx_graph.inputs(self._proto), self._declared)

    def _asked_threads(self) -> int:
        """Return the threads to ask for; 0 leaves it to the runtime."""
        return 1 if self._single else max(self.config.number("runtime.threads"), 0)

    def _options(self, *, plain: bool = False, profile: bool = False) -> ort.SessionOptions:
        config, options = self.config, ort.SessionOptions()
        options.intra_op_num_threads = self._asked_threads()
        options.inter_op_num_threads = config.number("runtime.interop_threads")
        if config.number("runtime.interop_threads") > 1:
            options.execution_mode = ort.ExecutionMode.ORT_PARALLEL
        options.log_severity_level = 3
        spin = "1" if config.flag("runtime.spin") else "0"
        options.add_session_config_entry("session.intra_op.allow_spinning", spin)
        options.add_session_config_entry("session.inter_op.allow_spinning", spin)
        if config.flag("runtime.flush_denormals"):
            options.add_session_config_entry("session.set_denormal_as_zero", "1")
        # It quantizes the weights of layers between quantized ones, also of those kept in FP32 by the config.
        options.add_session_config_entry("optimization.disable_specified_optimizers", "WeightBiasQuantization")
        options.graph_optimization_level = _LEVELS["all" if plain else config.text("runtime.graph_optimization")]
        if profile:
            options.enable_profiling = True
            options.profile_file_prefix = str(self._work / "profile")
        return options

    def _fp32(self) -> ort.InferenceSession:
        """Return a session of the original, made when it is first needed in a process."""
        if self._original is None:
            self._original = self._session(self._path, plain=True)
        return self._original

    def _session(self, path: Path, *, plain: bool = False, profile: bool = False) -> ort.InferenceSession:
        try:
            return ort.InferenceSession(
                str(path), self._options(plain=plain, profile=profile), providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            raise UserError(
                f"ONNX Runtime cannot load {path.name}.",
                str(error).strip().splitlines()[0],
                "Check the operators and the opset that it was exported with.",
            ) from error

    # -- layers -------------------------------------------------------------------------------------

    def trace_layers(self, feed: Feed) -> list[Layer]:
        if self.config.flag("graph.fold_padding") and not self._exported:
            self._fold_padding(feed)
        self._names = self._node_names()
        found = onnx_graph.layers(self._proto, self._shapes(feed), self._names)
        self._layers = [layer for layer, _ in found]
        self._nodes = {layer.name: [node.name] for layer, node in found if layer.kind}
        if self._exported:
            self._layers, self._nodes = onnx_graph.called_by_user(found, self._exported.layers)
        names = [layer.name for layer in self._layers]
        for name in self.config.layers:
            if name not in names:
                raise UserError(
                    f"There is no layer '{name}' that can be quantized.",
                    nearest(name, names),
                    "`workbench inspect` lists them.",
                )
        return self._layers

    def _node_names(self) -> dict[str, str]:
        known = self._exported.layers if self._exported else []
        return onnx_graph.node_names(self._proto, {layer.name.partition("#")[0] for layer in known})

    def _fold_padding(self, feed: Feed) -> None:
        self._proto, self._folded = onnx_fold.fold(self._proto, lambda names: self._values(feed, names))
        if self._folded:
            self._path = self._work / "folded.onnx"
            onnx.save(self._proto, self._path)

    @property
    def rewritten(self) -> dict[str, list[str]]:
        if self._exported:
            return self._exported.rewritten
        return {"graph.fold_padding": self._folded} if self._folded else {}

    @property
    def notes(self) -> list[str]:
        if not self._exported and self.config.number("layout.align_channels"):
            return [
                "layout.align_channels has no effect on an .onnx file: channels are filled up in the PyTorch model "
                "that a file is exported from."
            ]
        return []

    def rewrites(self, feed: Feed) -> dict[str, list[str]]:
        found = [conv.name for _, conv in onnx_fold.foldable(self._proto)]
        return {"graph.fold_padding": found} if found else {}

    def _shapes(self, feed: Feed) -> dict[str, tuple[int, ...]]:
        """Run once with every value of the graph as an output: true shapes, whatever the file says."""
        names = [name for node in self._proto.graph.node for name in node.output if name]
        shapes = {name: tuple(np.shape(value)) for name, value in self._values(feed, names).items()}
        return {**shapes, **{name: tuple(array.shape) for name, array in feed.items()}}

    def _values(self, feed: Feed, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Return values inside the graph on *feed*."""
        try:
            session = self._watching(self._proto, names)
            names = [value.name for value in session.get_outputs()]
            values = session.run(names, dict(feed))
        except Exception as error:
            shown = ", ".join(f"{name} {'x'.join(map(str, a.shape))} {a.dtype}" for name, a in feed.items())
            raise UserError(
                f"The model refuses the input {shown}.",
                str(error).strip().splitlines()[0],
                "Give data or --input that fits the model's inputs.",
            ) from error
        return {**feed, **dict(zip(names, values, strict=True))}

    def _watching(self, proto: onnx.ModelProto, names: Sequence[str]) -> ort.InferenceSession:
        """Return a session of *proto* that gives the values *names* out, too."""
        model = onnx.ModelProto()
        model.CopyFrom(proto)
        known = {value.name for value in [*model.graph.output, *model.graph.input]}
        wanted = [name for name in dict.fromkeys(names) if name not in known]
        model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in wanted)
        options = ort.SessionOptions()
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = self._asked_threads()
        options.log_severity_level = 4
        return ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])

    # -- building -----------------------------------------------------------------------------------

    @property
    def scheme(self) -> Scheme:
        # ONNX Runtime reduces the weights, never the activations, and keeps signed activations affine.
        return Scheme(signed=self.config.resolved().get("quantization.activation") == "qint8")

    def _prepare(self) -> onnx.ModelProto:
        """Return the pre-processed graph that everything is quantized from."""
        if self._prepared is None:
            self._prepared = onnx_quantize.preprocessed(self._path)
            self._labels = self._labelled(self._prepared)
        return self._prepared

    def _quantized_model(self) -> onnx.ModelProto:
        assert self._quantized is not None
        return self._quantized

    def _labelled(self, model: onnx.ModelProto) -> dict[str, str]:
        """Return the canonical names of *model*'s values; what was folded away is looked through.

        What the runtime's own rewrites put in (parts of a hard-swish, say) goes by its own name.
        """
        flow, names = Dataflow(self._layers), self._tensor_names()
        weights = {tensor.name for tensor in model.graph.initializer}
        nodes = [node for node in model.graph.node if node.op_type != "Constant"]
        values = [*(value.name for value in model.graph.input), *(o for node in nodes for o in node.output if o)]
        return {
            value: flow.trunk(names[value]) if value in names else value for value in values if value not in weights
        }

    def _tensor_names(self) -> dict[str, str]:
        """Return the canonical name of every value of the graph as it was loaded."""
        if self._exported:
            return onnx_graph.met_names(self._proto, self._names, Dataflow(self._layers))
        return onnx_graph.tensor_names(self._proto, self._names)

    def observe(self, feeds: Iterable[Feed]) -> dict[str, Distribution]:
        """Watch every value of the pre-processed graph, sample by sample (B48)."""
        model, labels = self._prepare(), self._labels
        collectors = defaultdict[str, Collector](Collector)
        session: ort.InferenceSession | None = None
        for feed in feeds:
            session = session or self._watching(model, list(labels))
            names = [value.name for value in session.get_outputs()]
            values = {**feed, **dict(zip(names, session.run(names, dict(feed)), strict=True))}
            for name, value in values.items():
                if name in labels and np.issubdtype(np.asarray(value).dtype, np.floating):
                    collectors[labels[name]].add(np.asarray(value))
        return {name: collector.result() for name, collector in collectors.items()}

    def prepare(self, feed: Feed) -> None:
        self._prepare()

    def calibrate(self, distributions: Mapping[str, Distribution]) -> None:
        labels = self._labels
        self.ranges = Ranges(distributions, Dataflow(self._layers), self.config, self.scheme)
        self._ranges, unknown = {}, {}
        for value, tensor in labels.items():
            try:
                self._ranges[value] = self.ranges.of([tensor])[:2]
            except NoRange as error:
                unknown[value] = str(error)
        if not (unknown or self.config.fixes):
            return
        # What gets a scale is only known afterwards, so a first pass with what is known finds it out.
        trial = self._statically({**dict.fromkeys(unknown, (0.0, 1.0)), **self._ranges})
        placed = [value for value in onnx_quantize.scales(trial) if value in labels]
        for value in placed:
            if value in unknown:
                raise InvalidResult(unknown[value])
        self.ranges.place([[labels[value]] for value in placed])
        self._ranges |= {value: self.ranges.of([labels[value]])[:2] for value in placed}

    def _statically(self, ranges: Mapping[str, tuple[float, float]]) -> onnx.ModelProto:
        kept = [node for name in self._plan().kept for node in self._nodes.get(name, ())]
        # What carries no weights is kept out, too, where the config names it: a concatenation, say.
        pinned = {f"{name}:out" for name, precision in self.config.layers.items() if precision == "fp32"}
        sites = self._tensor_names()
        kept += [node.name for node in self._proto.graph.node if sites.get(node.output[0]) in pinned]
        excluded = onnx_quantize.nodes_called(kept, self._prepare())
        return onnx_quantize.quantize(self._prepare(), self.config, ranges, excluded, self._reduced())

    def quantized(self) -> list[TensorRange]:
        if self.config.precision != "int8":
            return []
        found = onnx_quantize.scales(self._quantized_model())
        result, known = [], Dataflow(self._layers).tensors
        for value, tensor in self._labels.items():
            if value in found and tensor in known:
                scale, zero_point = found[value]
                low, high = range_of(scale, zero_point, self.scheme)
                result.append(TensorRange(tensor=tensor, min=low, max=high, scale=scale, zero_point=zero_point))
        return result

    def emulator(self, plan: Plan) -> Emulator | None:
        proto, built = self._prepare(), self._quantized_model()
        labels, found = self._labels, onnx_quantize.scales(built)
        scales = {value: found[value] for value in labels if value in found}
        flow = Dataflow(self._layers)
        return onnx_emulate.OnnxEmulator(proto, built, scales, labels, flow, self._nodes, self.outputs)

    def weights(self, plan: Plan) -> dict[str, Weight]:
        found = onnx_emulate.weights(self._quantized_model(), self._prepare(), self._nodes)
        return {name: found[name] for name in plan.int8 if name in found}

    def build(self, feed: Feed) -> Plan:
        plan, precision = Plan(), self.config.precision
        target = self._path
        if "int8" in precision:
            target = self._work / "built.onnx"
            plan = self._plan()
            if not plan.int8:
                reasons = "; ".join(f"{name}: {why}" for name, why in list(plan.kept.items())[:3])
                raise InvalidResult(f"No layer can run in {precision}. {reasons}".strip())
            if precision == "int8":
                self._quantized = self._statically(self._ranges)
                onnx.save(self._quantized, target)
            else:
                kept = [node for name in plan.kept for node in self._nodes.get(name, ())]
                excluded = onnx_quantize.nodes_called(kept, self._prepare())
                onnx_quantize.quantize_dynamically(self._prepare(), target, self.config, excluded, self._reduced())
                self._quantized = onnx.load(target)
            self._bytes = onnx_graph.parameters(self._quantized)[1]
        self._built_path = target
        self._built, started = os_threads.counted(lambda: self._session(target))
        # The runtime does not tell its threads. The one that calls it takes part in either pool.
        others = self.config.number("runtime.interop_threads") - 1
        asked = max(self.config.number("runtime.threads"), 1)
        self._threads = asked if started is None else started - others + 1
        return plan

    def save(self, folder: str) -> dict[str, str]:
        files = {"model": "model.onnx", "fp32": "model_fp32.onnx"}
        for path, name in ((self._built_path, files["model"]), (self._path, files["fp32"])):
            model = onnx.load(path)
            apart = model.ByteSize() >= onnx.checker.MAXIMUM_PROTOBUF
            onnx.save(model, str(Path(folder) / name), save_as_external_data=apart, location=f"{name}.data")
        return files

    def _reduced(self) -> bool:
        return self.config.text("quantization.range") == "reduced"

    def _plan(self) -> Plan:
        plan, precision = Plan(), self.config.precision
        kinds = {"conv", "matmul"} if precision == "int8" else {"matmul", "rnn"}
        # Dynamic INT8 quantizes weights, and leaves a product of two activations alone.
        free = onnx_graph.products_without_weights(self._prepare()) if precision == "int8-dynamic" else ()
        for layer in self._layers:
            if not layer.kind:
                continue
            if self.config.layers.get(layer.name) == "fp32":
                plan.kept[layer.name] = "kept in FP32 by the config"
            elif layer.kind not in kinds or layer.op.startswith(("convtranspose", "gru")):
                plan.kept[layer.name] = f"ONNX Runtime has no {precision} kernel for {layer.op}"
            elif any(node in free for node in self._nodes.get(layer.name, ())):
                plan.kept[layer.name] = "a product of two activations; dynamic INT8 is for weights"
            else:
                plan.int8.append(layer.name)
        return plan

    # -- running ------------------------------------------------------------------------------------

    def bind(self, feed: Feed) -> Callable[[], Any]:
        aligned = self.config.flag("layout.aligned_input")
        self._inputs = {name: laid_out(array, aligned=aligned) for name, array in feed.items()}
        session, inputs = self._built, self._inputs
        assert session is not None
        return lambda: session.run(None, inputs)

    def reference(self, feed: Feed) -> Any:
        return self._fp32().run(None, dict(feed))

    def outputs(self, raw: Any) -> Any:
        values = [np.asarray(value) for value in raw]
        return values[0] if len(values) == 1 else dict(zip(self._output_names(), values, strict=True))

    def _output_names(self) -> list[str]:
        return [value.name for value in self._proto.graph.output]

    def release_original(self) -> None:
        self._original = self._prepared = self._quantized = None

    # -- proof --------------------------------------------------------------------------------------

    def prove(self, run: Callable[[], Any], layers: Sequence[Layer]) -> list[Kernel]:
        """Profile a second session of the very same file with the same options."""
        session = self._session(self._built_path, profile=True)
        for _ in range(_PROFILED_RUNS):
            session.run(None, self._inputs)
        profile = Path(session.end_profiling())
        return kernels.match(onnx_profile.last_run(profile, _PROFILED_RUNS, self._sites()), [], layers)

    def _sites(self) -> dict[str, str]:
        """Return the layer of a kernel by the name of its node, or of the value that leaves it with its activation."""
        flow = Dataflow(self._layers)
        sites = {node: layer for layer, nodes in self._nodes.items() for node in nodes}
        ends = {f"{name}:out": layer for layer in self._nodes for name in flow.group(flow.layers[layer], _FUSED)}
        return {**{value: ends[tensor] for value, tensor in self._tensor_names().items() if tensor in ends}, **sites}

    def identity(self) -> Identity:
        return Identity(
            threads=self._threads,
            interop_threads=self.config.number("runtime.interop_threads"),
            engine_version=ort.__version__,
            torch_version=None,
            isa="",
            flush_denormals=onnx_denormals.flushed(self._options()),
        )

    def input_facts(self) -> tuple[int, list[int]]:
        if not self._inputs:
            return 0, []
        first = next(iter(self._inputs.values()))
        pointer = first.ctypes.data
        return min(pointer & -pointer, 4096), [stride // first.itemsize for stride in first.strides]

    def parameter_count(self) -> int:
        return onnx_graph.parameters(self._proto)[0]

    def model_bytes(self) -> int | None:
        return self._bytes

    def unquantizable(self, layers: Sequence[Layer]) -> dict[str, str]:
        return {
            layer.name: f"ONNX Runtime has no static INT8 kernel for {layer.op}"
            for layer in layers
            if layer.kind == "rnn" or layer.op.startswith("convtranspose")
        }


def _newest_ir() -> int:
    """Return the newest IR version; the runtime has no function for it, onnx's own is an upper bound."""
    return max(_NEWEST_IR, int(onnx.IR_VERSION))

"""Presets in plain words: a few knobs for a kind of machine, model or aim, with the reason and the evidence.

One table; ``--preset``, ``workbench presets`` and the window's menu are made from it. A preset turns some knobs and
leaves the rest, so it is a start to measure from, not an answer. All figures are medians in ms of batch 1 at 224 × 224
on two cores (AMD EPYC with AVX-512 VNNI, unless said otherwise); what counts is how they stand to each other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from workbench.core.config import Config
from workbench.core.knobs import BY_KEY, Value
from workbench.errors import UserError, nearest

SMALL_MB = 5.0
_FEW = 4
_VNNI = ("avx512_vnni", "avx_vnni", "amx_int8")
_BF16 = ("avx512_bf16", "amx_bf16")


@dataclass(frozen=True)
class Situation:
    """What is known of machine and model; ``None`` or empty means that it is not.

    Attributes:
        isa: instruction sets by our names.
        cores: physical cores that may be used.
        model_mb: size of the parameters in FP32, in MB.
        kinds: kinds of layers (``conv``, ``matmul``, ``rnn``).
        outputs: shapes of the model's outputs.
    """

    isa: Collection[str] = ()
    cores: int | None = None
    model_mb: float | None = None
    kinds: Collection[str] = ()
    outputs: Collection[tuple[int, ...]] = ()


@dataclass(frozen=True)
class Preset:
    """Some knobs that belong together.

    Attributes:
        name: for ``--preset``.
        title: in plain words.
        reason: why these knobs.
        evidence: what was measured, or seen in the field.
        engines: those that it is for, best first.
        knobs: what it turns; what an engine does not have is left out for it.
        own: what it turns for one engine only.
        fits: whether it suits a situation; None where only the user can know, or too little is known.
    """

    name: str
    title: str
    reason: str
    evidence: str
    engines: tuple[str, ...]
    knobs: Mapping[str, Value]
    own: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    fits: Callable[[Situation], bool | None] = lambda _: None

    def changes(self, engine: str) -> dict[str, Value]:
        """Return the knobs that this turns for *engine*, its precision first.

        Raises:
            UserError: it is not for that engine.
        """
        if engine not in self.engines:
            raise UserError(
                f"Preset '{self.name}' is not for engine '{engine}'.",
                f"It is for {', '.join(self.engines)}.",
                f"Set engine={self.engines[0]}, or choose another preset.",
            )
        wanted = {"engine": engine, **self.knobs, **self.own.get(engine, {})}
        target = Config({key: wanted[key] for key in ("engine", "precision") if key in wanted})
        return {key: value for key, value in wanted.items() if key == "precision" or not target.applies(BY_KEY[key])}

    def applied(self, config: Config, engines: Collection[str] = ()) -> Config:
        """Return *config* with this laid over it; its engine stays where the preset is for it.

        Args:
            engines: those that can be used; all by default.

        Raises:
            UserError: none of its engines can be used, or the rest of *config* does not go with it.
        """
        able = config.engine in self.engines and (not engines or config.engine in engines)
        chosen = config.engine if able else self.engine(engines)
        return config.changed(self.changes(chosen))

    def engine(self, usable: Collection[str] = ()) -> str:
        """Return the best of its engines among *usable* ones (all by default).

        Raises:
            UserError: there is none.
        """
        for engine in self.engines:
            if not usable or engine in usable:
                return engine
        raise UserError(f"Preset '{self.name}' needs {' or '.join(self.engines)}.", "None of them can be used here.")


def _few_cores(now: Situation) -> bool | None:
    return None if now.cores is None else now.cores <= _FEW


def _without_vnni(now: Situation) -> bool | None:
    return not set(_VNNI) & set(now.isa) if now.isa else None


def _small(now: Situation) -> bool | None:
    return None if now.model_mb is None else now.model_mb < SMALL_MB


def _large(now: Situation) -> bool | None:
    return None if now.model_mb is None else now.model_mb >= SMALL_MB


def _recurrent(now: Situation) -> bool | None:
    return "rnn" in now.kinds if now.kinds else None


def _detector(now: Situation) -> bool | None:
    """Several outputs, or rows of figures for each place: boxes beside scores."""
    if not now.outputs or not now.kinds:
        return None
    return "conv" in now.kinds and (len(now.outputs) > 1 or any(len(shape) == 3 for shape in now.outputs))


def _with_bf16(now: Situation) -> bool | None:
    return bool(set(_BF16) & set(now.isa)) if now.isa else None


_FAST_GRAPH: Mapping[str, Value] = {
    "graph.mode": "frozen", "graph.fold_padding": True, "layout.channels_last": True,
}  # fmt: skip

PRESETS: tuple[Preset, ...] = (
    Preset(
        "few-cores",
        "Few cores",
        "Up to four cores: one thread per physical core and none beside them, and INT8, because nothing else gets more "
        "arithmetic out of a core.",
        "ResNet-18, IPEX INT8: 4.7 with 2 threads on 2 cores, 5.8 to 6.2 with 4, 8.8 with 1. FP32: 17.5.",
        ("ipex", "onnxruntime", "torch"),
        {**_FAST_GRAPH, "precision": "int8", "runtime.threads": 0, "runtime.interop_threads": 1},
        own={"torch": {"graph.mode": "eager", "layout.channels_last": False}},
        fits=_few_cores,
    ),
    Preset(
        "old-cpu",
        "Old CPU",
        "AVX2 without VNNI: INT8 gains less, and pairs of products overflow 16 bits unless activations keep to 7 bits.",
        "ResNet-18, IPEX INT8: 9.2 when limited to AVX2, 4.6 with VNNI; FP32 17.5 on both. EfficientNet-Lite0 on a CPU "
        "without VNNI: 7.6 in INT8, 9.1 in FP32, ONNX Runtime both.",
        ("onnxruntime", "ipex", "torch"),
        {**_FAST_GRAPH, "precision": "int8", "target_isa": "avx2", "quantization.range": "reduced"},
        own={"torch": {"graph.mode": "eager", "layout.channels_last": False}},
        fits=_without_vnni,
    ),
    Preset(
        "slow-memory",
        "Slow memory",
        "One memory channel, or a large model at batch 1: the time goes into reading weights, and INT8 weights are a "
        "quarter of the bytes.",
        "MLP 256-1024-1024-512-10, which reads every weight once, IPEX: 0.16 in FP32, 0.10 in BF16, 0.04 in INT8.",
        ("onnxruntime", "ipex", "torch"),
        {**_FAST_GRAPH, "precision": "int8", "quantization.per_channel": True},
        own={"torch": {"graph.mode": "eager", "layout.channels_last": False}},
        fits=_large,
    ),
    Preset(
        "small-model",
        "Model under 5 MB",
        "Small layers end before INT8 has paid for converting to and from it, so that accuracy is given away for "
        "nothing: FP32 with the graph optimized as a whole. Measure INT8 beside it before you take it.",
        "digits-cnn on a CPU without VNNI, ONNX Runtime, one thread: 0.139 in FP32, 0.130 in INT8, no difference "
        "shown.",
        ("onnxruntime", "torch", "ipex"),
        {
            "precision": "fp32", "graph.mode": "optimized", "graph.fold_padding": True, "layout.channels_last": True,
            "runtime.graph_optimization": "all",
        },
        own={"ipex": {"graph.mode": "frozen"}},
        fits=_small,
    ),
    Preset(
        "recurrent",
        "Recurrent net",
        "LSTM and GRU multiply small matrices step by step: their weights in INT8 are what helps, and static INT8 "
        "leaves recurrent layers in FP32 on most engines.",
        "LSTM 64→256×2, 50 steps: 1.18 in FP32 and 0.83 in INT8 by ONNX Runtime; 1.33 in FP32 by PyTorch.",
        ("onnxruntime", "torch"),
        {"precision": "int8-dynamic", "graph.mode": "eager"},
        fits=_recurrent,
    ),
    Preset(
        "detector",
        "Object detector",
        "Boxes and scores differ in size: under one scale the scores become zero. Ranges of all values that occur, one "
        "scale per channel; then keep the layers in FP32 that `workbench layers` names.",
        "Detectors that return only zero scores after quantization are a usual complaint (microsoft/onnxruntime#14233, "
        "ultralytics/ultralytics#1695); the sample `boxes` shows and mends it.",
        ("onnxruntime", "ipex", "torch"),
        {
            **_FAST_GRAPH, "precision": "int8", "quantization.per_channel": True, "calibration.observer": "minmax",
            "quantization.clamp_ranges": True,
        },
        own={"torch": {"graph.mode": "eager", "layout.channels_last": False}},
        fits=_detector,
    ),
    Preset(
        "safe-fp32",
        "Safety-critical: FP32",
        "No number is rounded to anything coarser than in the original; only exact rewrites and a frozen graph.",
        "EfficientNet-Lite0: 20.5 as written; with padding folded and the graph frozen 8.8 by PyTorch and 6.3 by IPEX; "
        "in float64 the outputs agree to 1e-12.",
        ("torch", "ipex", "onnxruntime"),
        {**_FAST_GRAPH, "precision": "fp32", "runtime.flush_denormals": False},
    ),
    Preset(
        "balanced-bf16",
        "Balanced: BF16",
        "Half the bytes with FP32's range: no calibration and next to no loss, where the CPU has BF16 instructions.",
        "ResNet-18, IPEX: 9.7 in BF16, 17.5 in FP32, 4.7 in INT8. LSTM: 0.91 in PyTorch's BF16, 1.33 in FP32.",
        ("ipex", "torch"),
        {**_FAST_GRAPH, "precision": "bf16"},
        fits=_with_bf16,
    ),
    Preset(
        "lowest-tail",
        "Lowest tail",
        "For a deadline that must never be missed: idle threads sleep instead of spinning, which costs some median and "
        "takes the worst case away.",
        "ResNet-18, IPEX INT8, 2,000 runs, passive against default: median 6.2 to 6.6 against 4.7, P99 9.7 to 10 "
        "against 11.5 to 13, slowest run 13 to 15 against 102 to 149.",
        ("ipex", "torch", "onnxruntime"),
        {"runtime.wait_policy": "passive", "runtime.spin": False, "runtime.interop_threads": 1, "runtime.threads": 0},
    ),
)  # fmt: skip

BY_NAME: Mapping[str, Preset] = {preset.name: preset for preset in PRESETS}


def find(name: str) -> Preset:
    """Return the preset called *name*.

    Raises:
        UserError: there is none.
    """
    if name not in BY_NAME:
        raise UserError(f"There is no preset '{name}'.", nearest(name, BY_NAME), "`workbench presets` lists them.")
    return BY_NAME[name]

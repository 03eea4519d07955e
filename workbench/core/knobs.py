"""The one table of knobs.

Command line help, config validation, the window's form, the search space and the documentation are
all read from :data:`KNOBS`. A knob is one entry here and the code in the engine (or in the launcher)
that obeys it; nothing lists knobs a second time.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Value: TypeAlias = bool | int | float | str
Scope: TypeAlias = Literal["process", "engine", "run"]

ENGINES = ("torch", "ipex", "onnxruntime")
PRECISIONS = ("fp32", "bf16", "int8", "int8-dynamic")
_INT8 = ("int8", "int8-dynamic")
_PYTORCH = ("torch", "ipex")
_ORT = ("onnxruntime",)


@dataclass(frozen=True)
class Knob:
    """One thing that can be turned.

    Attributes:
        key: dotted key in the TOML file and for ``--set``.
        default: value where nothing is said; its type is the knob's type.
        help: one line for people.
        choices: the allowed values, where they are few.
        minimum, maximum: allowed range of a number, inclusive.
        unit: what a number counts.
        engines, precisions: the knob exists only for these.
        scope: ``process`` – needs a fresh process; ``engine`` – needs the model rebuilt;
            ``run`` – changes what is fed.
        engine_defaults: defaults that differ for one engine.
        read_back: where the record shows what really happened.
    """

    key: str
    default: Value
    help: str
    choices: tuple[Value, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    engines: tuple[str, ...] = ENGINES
    precisions: tuple[str, ...] = PRECISIONS
    scope: Scope = "engine"
    engine_defaults: Mapping[str, Value] = field(default_factory=dict)
    read_back: str = ""

    def default_for(self, engine: str) -> Value:
        """Return the default under *engine*."""
        return self.engine_defaults.get(engine, self.default)

    @property
    def kind(self) -> type[Value]:
        """The Python type of the value."""
        return type(self.default)


KNOBS: tuple[Knob, ...] = (
    Knob("engine", "torch", "What executes the model.", ENGINES, scope="process", read_back="effective"),
    Knob("precision", "fp32", "Number format of the heavy layers.", PRECISIONS, read_back="proof counts"),
    Knob(
        "graph.mode",
        "eager",
        "How the graph is prepared: as written, traced and frozen, or optimized for inference.",
        ("eager", "frozen", "optimized"),
        engines=_PYTORCH,
        engine_defaults={"ipex": "frozen"},
        read_back="proof kernels",
    ),
    Knob(
        "graph.grad",
        False,
        "Leave gradients on: only to show what that costs.",
        engines=("torch",),
        precisions=("fp32",),
        read_back="effective.grad",
    ),
    Knob(
        "graph.fold_padding",
        False,
        "Move separate zero padding into the convolution behind it; exact, checked in float64.",
        read_back="layers",
    ),
    Knob(
        "layout.channels_last",
        False,
        "Keep images as NHWC in memory, the order that vector kernels read.",
        engines=_PYTORCH,
        engine_defaults={"ipex": True},
        read_back="effective.input_strides",
    ),
    Knob(
        "layout.align_channels",
        0,
        "Fill the channels of convolutions up with zeros to a multiple of this, the kernels' block; exact, checked in "
        "float64. Not for .onnx files.",
        (0, 16, 32, 64),
        minimum=0,
        maximum=64,
        read_back="layers, warnings",
    ),
    Knob(
        "layout.aligned_input",
        True,
        "Start the input on a 64-byte boundary; off shifts it by 4 bytes to show what that costs.",
        scope="run",
        read_back="effective.input_alignment",
    ),
    Knob(
        "calibration.observer",
        "histogram",
        "How the range of a tensor is derived from what calibration saw.",
        ("minmax", "moving-average", "histogram", "percentile", "entropy"),
        precisions=("int8",),
        engine_defaults={"onnxruntime": "minmax"},
        read_back="tensors",
    ),
    Knob(
        "calibration.decay",
        0.999,
        "Weight of the past for the moving average.",
        minimum=0.0,
        maximum=0.999999,
        precisions=("int8",),
        read_back="tensors",
    ),
    Knob(
        "calibration.percentile",
        99.9,
        "Share of values that a percentile range keeps.",
        minimum=50.0,
        maximum=100.0,
        unit="%",
        precisions=("int8",),
        read_back="tensors",
    ),
    Knob(
        "calibration.samples",
        100,
        "How many samples calibration may use.",
        minimum=1,
        maximum=100000,
        unit="samples",
        precisions=("int8",),
        read_back="data.calibration",
    ),
    Knob(
        "quantization.range",
        "auto",
        "Full 8 bit, or activations reduced to 7 bit so that int16 pair sums cannot overflow; auto follows target_isa.",
        ("auto", "full", "reduced"),
        precisions=_INT8,
        read_back="config, tensors",
    ),
    Knob(
        "quantization.clamp_ranges",
        True,
        "Cut the range of a tensor to what the next operation (ReLU, ReLU6, clamp) lets through.",
        precisions=("int8",),
        read_back="tensors",
    ),
    Knob(
        "quantization.per_channel",
        True,
        "One weight scale per output channel instead of one per tensor.",
        precisions=_INT8,
        read_back="tensors",
    ),
    Knob(
        "quantization.backend",
        "onednn",
        "Kernel library of PyTorch's quantized operators.",
        ("onednn", "x86", "fbgemm"),
        engines=("torch",),
        precisions=_INT8,
        read_back="effective.quantized_engine",
    ),
    Knob(
        "quantization.activation",
        "quint8",
        "Activations as unsigned (affine) or signed (symmetric) 8 bit.",
        ("quint8", "qint8"),
        engines=("ipex", "onnxruntime"),
        precisions=("int8",),
        read_back="tensors",
    ),
    Knob(
        "quantization.weight",
        "qint8",
        "Weights as signed (symmetric) or unsigned 8 bit.",
        ("qint8", "quint8"),
        engines=_ORT,
        precisions=_INT8,
        read_back="proof kernels",
    ),
    Knob(
        "quantization.format",
        "qdq",
        "Quantize-dequantize pairs that the runtime fuses, or quantized operators written out.",
        ("qdq", "qoperator"),
        engines=_ORT,
        precisions=("int8",),
        read_back="proof kernels",
    ),
    Knob(
        "target_isa",
        "host",
        "Preview of another machine: its instruction set decides the quantized range; latencies stay this CPU's.",
        ("host", "avx2", "avx512", "avx512_vnni", "avx_vnni", "amx_int8"),
        precisions=_INT8,
        read_back="config",
    ),
    Knob(
        "runtime.threads",
        0,
        "Threads inside one operation; 0 = physical cores that may be used, -1 = the library's own choice.",
        minimum=-1,
        maximum=1024,
        scope="process",
        read_back="effective.threads",
    ),
    Knob(
        "runtime.interop_threads",
        1,
        "Threads between independent operations.",
        minimum=1,
        maximum=1024,
        scope="process",
        read_back="effective.interop_threads",
    ),
    Knob(
        "runtime.affinity",
        "",
        "CPUs that the worker may use, like 0-3,8; empty = all that may be used.",
        scope="process",
        read_back="effective.affinity",
    ),
    Knob(
        "runtime.numa_node",
        -1,
        "Use only the CPUs and the memory of this NUMA node; -1 = any.",
        minimum=-1,
        maximum=1023,
        scope="process",
        read_back="effective.affinity, effective.memory_node",
    ),
    Knob(
        "runtime.onednn",
        True,
        "Let stock PyTorch use oneDNN kernels.",
        engines=("torch",),
        scope="process",
        read_back="proof kernels",
    ),
    Knob(
        "runtime.openmp",
        "gomp",
        "OpenMP runtime: the wheel's own, or Intel's (preloaded).",
        ("gomp", "iomp"),
        engines=_PYTORCH,
        scope="process",
        read_back="effective.openmp_active",
    ),
    Knob(
        "runtime.wait_policy",
        "default",
        "What idle OpenMP threads do: active spins (better median), passive sleeps (better neighbours).",
        ("default", "active", "passive"),
        engines=_PYTORCH,
        scope="process",
        read_back="effective.environment",
    ),
    Knob(
        "runtime.spin",
        True,
        "Idle threads of ONNX Runtime wait busily: better median, worse for everything else on the machine.",
        engines=_ORT,
        scope="process",
        read_back="config",
    ),
    Knob(
        "runtime.graph_optimization",
        "all",
        "How far ONNX Runtime rewrites the graph when it loads it.",
        ("all", "extended", "basic", "disabled"),
        engines=_ORT,
        read_back="proof kernels",
    ),
    Knob(
        "runtime.allocator",
        "system",
        "Memory allocator, preloaded where it is not the system's.",
        ("system", "jemalloc", "tcmalloc"),
        scope="process",
        read_back="effective.allocator",
    ),
    Knob(
        "runtime.isa_limit",
        "none",
        "Preview of an older CPU: forbid newer instructions.",
        ("none", "avx2", "avx512"),
        engines=_PYTORCH,
        scope="process",
        read_back="effective.isa",
    ),
    Knob(
        "runtime.flush_denormals",
        False,
        "Treat numbers below 1e-38 as zero; they are slow on some CPUs.",
        scope="process",
        read_back="effective.flush_denormals",
    ),
    Knob("run.batch", 1, "Samples per run.", minimum=1, maximum=4096, scope="run", read_back="effective"),
)


def markdown() -> str:
    """Return the table of knobs for the documentation; ``python -m workbench.core.knobs`` prints it."""
    rows = [
        "# Knobs",
        "",
        "Made from the knob table by `python -m workbench.core.knobs`. Keys are those of the TOML file and of",
        "`--set KEY=VALUE`. *Scope* says what a change costs: a fresh process, a rebuilt model, or nothing.",
        "",
        "| key | values | default | applies to | scope | what it does | read back in |",
        "|---|---|---|---|---|---|---|",
    ]
    for knob in KNOBS:
        values = " \\| ".join(str(choice) for choice in knob.choices) or _bounds(knob)
        default = _shown(knob.default)
        default += "".join(f"; {engine}: {_shown(value)}" for engine, value in knob.engine_defaults.items())
        applies = [] if knob.engines == ENGINES else ["engine " + ", ".join(knob.engines)]
        applies += [] if knob.precisions == PRECISIONS else ["precision " + ", ".join(knob.precisions)]
        cells = [f"`{knob.key}`", values, default, "; ".join(applies) or "all", knob.scope, knob.help, knob.read_back]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def _shown(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value) if value != "" else "empty"


def _bounds(knob: Knob) -> str:
    if knob.kind is bool:
        return "true \\| false"
    if knob.minimum is None or knob.maximum is None:
        return "text"
    return f"{knob.minimum:g} to {knob.maximum:g}" + (f" {knob.unit}" if knob.unit else "")


BY_KEY: Mapping[str, Knob] = {knob.key: knob for knob in KNOBS}


if __name__ == "__main__":
    sys.stdout.write(markdown())

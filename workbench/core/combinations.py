"""Combinations of knobs that cannot work, whatever the model. Used by :mod:`workbench.core.config`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.core.config import Config

FORBIDDEN: tuple[tuple[Callable[[Config], bool], str, str], ...] = (
    (
        lambda c: c.engine == "ipex" and c["graph.mode"] == "optimized",
        "graph.mode=optimized does not exist for engine ipex: it is stock PyTorch's own optimizer.",
        "Use graph.mode=frozen.",
    ),
    (
        lambda c: c.engine == "ipex" and c.precision == "int8" and c["graph.mode"] != "frozen",
        "engine=ipex precision=int8 needs graph.mode=frozen: its INT8 kernels are put in when the graph is frozen.",
        "Leave graph.mode out, or set it to frozen.",
    ),
    (
        lambda c: c.engine == "onnxruntime" and c.precision == "bf16",
        "engine=onnxruntime has no BF16 on CPUs.",
        "Use engine=ipex or engine=torch for BF16.",
    ),
    (
        lambda c: (
            c.engine == "onnxruntime"
            and c.precision == "int8"
            and c["quantization.format"] == "qoperator"
            and c["quantization.activation"] == "qint8"
            and c["quantization.weight"] == "qint8"
        ),
        "quantization.format=qoperator with signed activations and signed weights computes wrong results on x86.",
        "Use quantization.format=qdq, or quantization.activation=quint8.",
    ),
    (
        lambda c: (
            c.engine == "onnxruntime"
            and c.precision == "int8"
            and c["quantization.activation"] == "qint8"
            and c["quantization.weight"] == "quint8"
        ),
        "ONNX Runtime has no kernels for signed activations with unsigned weights.",
        "Use quantization.weight=qint8, or quantization.activation=quint8.",
    ),
    (
        lambda c: (
            c.engine == "onnxruntime"
            and c.precision == "int8"
            and c["quantization.range"] == "full"
            and c.flag("quantization.per_channel")
            and c["quantization.weight"] == "qint8"
            and c["target_isa"] in ("avx2", "avx512")
        ),
        "Full-range per-channel INT8 overflows 16-bit sums on a target without VNNI.",
        "Leave quantization.range at auto, or set quantization.weight=quint8.",
    ),
    (
        lambda c: (
            c.engine == "torch"
            and c.precision == "int8-dynamic"
            and "quantization.range" in c.given
            and c["quantization.range"] == "full"
        ),
        "PyTorch's dynamic kernels always use the reduced range.",
        "Leave quantization.range out.",
    ),
    (
        lambda c: c.engine == "ipex" and c.precision == "int8-dynamic",
        "engine=ipex has no dynamic INT8 here.",
        "Use engine=torch precision=int8-dynamic, or precision=int8.",
    ),
    (
        lambda c: c.flag("graph.grad") and c["graph.mode"] != "eager",
        "graph.grad=true only exists in graph.mode=eager: a frozen graph has no gradients.",
        "Set graph.mode=eager or graph.grad=false.",
    ),
    (
        lambda c: (
            c.engine == "torch"
            and "int8" in c.precision
            and not c.flag("runtime.onednn")
            and c["quantization.backend"] == "onednn"
        ),
        "quantization.backend=onednn cannot run with runtime.onednn=false.",
        "Set runtime.onednn=true, or quantization.backend=fbgemm.",
    ),
    (
        lambda c: c.text("runtime.affinity") != "" and c.number("runtime.numa_node") >= 0,
        "runtime.affinity and runtime.numa_node both choose the CPUs.",
        "Set one of them.",
    ),
    (
        lambda c: bool(c.layers) and c.precision not in ("int8", "bf16"),
        "Layer precisions mean something only under precision int8 or bf16.",
        "Set precision=int8, or leave the [layers] table out.",
    ),
    (
        lambda c: c.precision == "bf16" and bool(c.layers),
        "Keeping single layers out of BF16 is not possible with these engines.",
        "Use precision=int8 for layer precisions.",
    ),
    (
        lambda c: (
            any(value != "fp32" for value in c.layers.values())
            and c.precision == "int8"
            and any(value == "bf16" for value in c.layers.values())
        ),
        "A BF16 layer inside an INT8 model is not possible with these engines.",
        'Use precision = "fp32" for that layer.',
    ),
    (
        lambda c: bool(c.fixes) and c.precision != "int8",
        "Ranges fixed by hand mean something only under precision int8.",
        "Set precision=int8, or leave the [fixes] table out.",
    ),
)
"""When, what is wrong, and what to do about it."""

"""What ran: oneDNN's verbose lines and profiler events, read into records and matched to call sites.

Neither source carries module names, so records meet layers by order of execution and by the numbers
that both know (channels, sizes); what fits nowhere is called ``unmapped``. Records that do carry a name
(ONNX Runtime's) meet that layer. Pure Python, used by the engines' proof pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from workbench.core.trial import Kernel, Layer

UNMAPPED = "unmapped"
COMPUTE = ("conv", "matmul", "rnn")
_INT8 = {"u8", "s8", "quint8", "qint8", "unsigned char", "signed char"}
_DTYPES = {"f32": "fp32", "float": "fp32", "bf16": "bf16", "f16": "fp16", "half": "fp16", "double": "fp64"}


@dataclass
class Record:
    """One primitive or operator that ran.

    Attributes:
        kind: ``conv``, ``matmul``, ``rnn``, or ``""`` for what is listed but not counted.
        facts: numbers to compare with :attr:`workbench.core.trial.Layer.facts`.
        layer: call site, where what ran tells its name.
    """

    kind: str
    op: str
    kernel: str
    dtype: str
    ms: float
    facts: dict[str, int] = field(default_factory=dict)
    layer: str = ""


@dataclass
class Event:
    """One operator call seen by the torch profiler; times in ns."""

    name: str
    shapes: Sequence[Sequence[int]]
    dtypes: Sequence[str]
    start: int
    duration: int


def parse_onednn(text: str) -> list[Record]:
    """Read the ``exec`` lines of ``ONEDNN_VERBOSE=1`` (oneDNN 3.x), in order.

    Lines of the graph API repeat the primitives inside them and are left out.
    """
    records = []
    for line in text.splitlines():
        parts = line.strip().split(",")
        if parts[:1] != ["onednn_verbose"] or "exec" not in parts or "graph" in parts[:4]:
            continue
        parts = parts[parts.index("exec") + 1 :]
        if len(parts) < 8:
            continue
        _, op, implementation, _, memory, *_, problem, ms = parts
        kind = {"convolution": "conv", "deconvolution": "conv", "rnn": "rnn"}.get(op, "")
        if op in ("matmul", "inner_product"):
            kind = "matmul"
        records.append(Record(kind, op, implementation, _memory_dtype(memory, kind), _float(ms), _facts(op, problem)))
    return records


def _memory_dtype(memory: str, kind: str) -> str:
    """Return the dtype that the arithmetic is done in: INT8 only where source and weights both are."""
    # The first of a name counts: a recurrent layer's data, not its state, which may stay in FP32.
    names = dict(reversed(re.findall(r"(?:^| )(\w+?)(?:_layer|_iter)?:([a-z0-9]+)", memory)))
    source, weights = names.get("src", ""), names.get("wei", "")
    if kind and source in _INT8 and weights in _INT8:
        return "int8"
    if not kind and names.get("dst", "") in _INT8:
        return "int8"
    name = weights if kind else source or weights
    return str(_DTYPES.get(name, name))


def _facts(op: str, problem: str) -> dict[str, int]:
    if op == "matmul":
        sides = [[int(n) for n in side.split("x") if n.isdigit()] for side in problem.split(":")]
        if len(sides) >= 2 and len(sides[0]) >= 2 and sides[1]:
            return {"m": prod(sides[0][:-1]), "k": sides[0][-1], "n": sides[1][-1]}
        return {}
    found = {key: int(value) for key, value in re.findall(r"([a-z]+)(\d+)", problem)}
    if op == "inner_product":
        inner = found.get("ic", 1) * found.get("ih", 1) * found.get("iw", 1)
        return {"m": found.get("mb", 1), "k": inner, "n": found.get("oc", 0)}
    if op in ("convolution", "deconvolution"):
        found.setdefault("g", 1)
        return {key: found[key] for key in ("g", "mb", "ic", "oc", "ih", "iw", "oh", "ow", "kh", "kw") if key in found}
    if op == "rnn":
        return {"hidden": found["dhc"]} if "dhc" in found else {}
    return {}


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


_OPERATORS = (
    (
        "conv",
        re.compile(
            r"aten::(conv[123]d|_?convolution|conv_transpose[123]d(\.input)?|mkldnn_convolution)$"
            r"|quantized::conv|mkldnn::_conv|(mkldnn_)?prepacked::conv|ipex_prepack::(de)?conv|torch_ipex::(de)?conv"
        ),
    ),
    (
        "matmul",
        re.compile(
            r"aten::(linear|matmul|addmm|mm|bmm|baddbmm|mkldnn_linear|scaled_dot_product_attention)$"
            r"|quantized::linear|mkldnn::_linear|prepacked::linear"
            r"|ipex_prepack::(linear|matmul|mkl_sgemm)|torch_ipex::(\w*linear|ipex_MKLSGEMM)"
        ),
    ),
    (
        "rnn",
        re.compile(r"aten::(lstm|gru|rnn_tanh|rnn_relu|quantized_lstm|quantized_gru)$|torch_ipex::\w*lstm"),
    ),
)
_INNER = re.compile(r"conv|mm$|linear|lstm|gru|rnn")


def is_relevant(name: str) -> bool:
    """Whether :func:`read_events` looks at an operator at all; spares reading the rest's shapes."""
    return bool(_INNER.search(name)) or any(pattern.match(name) for _, pattern in _OPERATORS)


def covers(records: Sequence[Record], layers: Sequence[Layer]) -> bool:
    """Whether every call site has a record."""
    assigned, _ = assign(records, layers)
    return bool(layers) and all(layer.name in assigned for layer in layers if layer.kind)


def read_events(events: Iterable[Event]) -> list[Record]:
    """Turn profiler events into one record per outermost compute operator, in order.

    The kernel's name is that of the innermost operator that did the work.
    """
    ordered = sorted(events, key=lambda event: (event.start, -event.duration))
    records: list[Record] = []
    end = -1
    for event in ordered:
        if event.start < end:
            if _INNER.search(event.name) and records:
                records[-1].kernel = event.name
            continue
        kind = next((kind for kind, pattern in _OPERATORS if pattern.match(event.name)), "")
        if kind:
            end = event.start + event.duration
            facts = _event_facts(kind, event)
            records.append(Record(kind, event.name, event.name, _event_dtype(event), event.duration / 1e6, facts))
    return records


def _event_dtype(event: Event) -> str:
    if re.search(r"quantized(::|_)", event.name) and "fp16" not in event.name:
        return "int8"
    if "sgemm" in event.name.lower():  # Intel's own call in IPEX, which tells the profiler nothing
        return "fp32"
    for dtype in event.dtypes:
        short = dtype.removeprefix("c10::").lower()
        if short in _INT8:
            return "int8"
        if short == "bfloat16":
            return "bf16"
        if short in _DTYPES:
            return _DTYPES[short]
    return ""


def _event_facts(kind: str, event: Event) -> dict[str, int]:
    shapes = [list(shape) for shape in event.shapes]
    facts: dict[str, int] = {}
    if kind == "conv" and shapes and len(shapes[0]) >= 3:
        facts = {"mb": shapes[0][0], "ic": shapes[0][1], "iw": shapes[0][-1]}
        if len(shapes[0]) >= 4:
            facts["ih"] = shapes[0][-2]
        if len(shapes) > 1 and len(shapes[1]) == len(shapes[0]) and "transpose" not in event.name:
            facts |= {
                "oc": shapes[1][0],
                "kw": shapes[1][-1],
                "g": max(shapes[0][1] // max(shapes[1][1], 1), 1),
            }
    elif kind == "matmul":
        left = (
            shapes[1] if event.name.endswith(("addmm", "baddbmm")) and len(shapes) > 1 else shapes[0] if shapes else []
        )
        if len(left) >= 1:
            facts = {"m": prod(left[:-1]), "k": left[-1]}
        if event.name.endswith("::linear") and event.name.startswith("aten") and len(shapes) > 1 and shapes[1]:
            facts["n"] = shapes[1][0]
    return facts


def match(primitives: Sequence[Record], operators: Sequence[Record], layers: Sequence[Layer]) -> list[Kernel]:
    """Match what ran to call sites.

    Args:
        primitives: oneDNN's records; they win, since they name the implementation.
        operators: the profiler's records; they cover what oneDNN did not run.
        layers: call sites in execution order.

    Returns:
        One kernel per covered layer (the parts of a recurrent layer summed), then what is unmapped,
        then what is not compute, each in execution order.
    """
    by_operator, loose_operators = assign(operators, layers)
    # Where operators tell of every call site, a primitive of the other kind belongs to a neighbour of equal shape.
    int8 = {name: parts[0].dtype == "int8" for name, parts in by_operator.items()} if covers(operators, layers) else {}
    by_primitive, loose_primitives = assign(primitives, layers, int8)
    seen_kinds = {record.kind for record in primitives}
    loose = loose_primitives + [record for record in loose_operators if record.kind not in seen_kinds]
    kernels = []
    for layer in layers:
        records = by_primitive.get(layer.name) or by_operator.get(layer.name)
        if records:
            first = records[0]
            ms = sum(record.ms for record in records)
            kernels.append(Kernel(layer=layer.name, op=layer.op, kernel=first.kernel, dtype=first.dtype, ms=ms))
    kernels += [_plain(record) for record in loose]
    kernels += [_plain(record) for record in primitives if not record.kind]
    return kernels


def _plain(record: Record) -> Kernel:
    return Kernel(
        layer=UNMAPPED, op=record.op, kernel=record.kernel, dtype=record.dtype, ms=record.ms, compute=bool(record.kind)
    )


def assign(
    records: Sequence[Record], layers: Sequence[Layer], int8: Mapping[str, bool] | None = None
) -> tuple[dict[str, list[Record]], list[Record]]:
    """Give each record to the call site that it names, else, in order, to the first that it fits and that has room.

    Args:
        int8: call site → whether it runs in INT8, where that is known.

    Returns:
        Records by layer, and those that fit nowhere.
    """
    assigned: dict[str, list[Record]] = {}
    room = {layer.name: layer.facts.get("parts", 1) for layer in layers if layer.kind}
    loose = []
    for record in sorted(records, key=lambda record: not record.layer):  # what has a name takes its room first
        if not record.kind:
            continue
        for layer in layers:
            if record.layer and record.layer != layer.name:
                continue
            if int8 and int8.get(layer.name) is not (record.dtype == "int8"):
                continue
            if room.get(layer.name, 0) > 0 and layer.kind == record.kind and (record.layer or _fits(record, layer)):
                room[layer.name] -= 1
                break
            if layer.kind == "rnn" and _is_gate(record, layer):
                break
        else:
            loose.append(record)
            continue
        assigned.setdefault(layer.name, []).append(record)
    return assigned, loose


def _fits(record: Record, layer: Layer) -> bool:
    return all(layer.facts[key] == value for key, value in record.facts.items() if key in layer.facts)


def _is_gate(record: Record, layer: Layer) -> bool:
    """A recurrent layer may run as many small products, one per step and gate block."""
    facts = layer.facts
    return (
        record.kind == "matmul"
        and record.facts.get("n") == facts["gates"] * facts["hidden"]
        and record.facts.get("k") in (facts["in"], facts["hidden"])
    )

"""The record of one trial: one config measured on one host. Written once, never changed.

The worker fills the parts that only it can know (:class:`Effective`, :class:`Proof`, …), the runner
puts them together, the store keeps them, and every table, panel and report reads them.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from workbench.core.accuracy import Accuracy
from workbench.core.data import DataSource
from workbench.core.latency import Latency
from workbench.core.model import ModelReference

Status = Literal["ok", "failed", "invalid"]


class Kernel(msgspec.Struct, frozen=True, kw_only=True):
    """One primitive that ran in the proof pass.

    Attributes:
        layer: call site, or ``"unmapped"`` where none fits.
        op: the operator as its library calls it.
        kernel: the implementation.
        dtype: what the arithmetic was done in.
        compute: whether it is counted (convolution, product, recurrent) or only listed.
    """

    layer: str
    op: str
    kernel: str
    dtype: str
    ms: float
    compute: bool = True


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What really ran. Counts are layers whose compute primitive ran in that dtype.

    Attributes:
        reference_kernels: layers that ran in an engine's slow reference code.
        expected_int8: layers that the plan wants in INT8.
        missing: planned layers that did not run in INT8.
        kept: layer → why it is not quantized by design.
        notes: what could not be told.
    """

    int8_kernels: int
    bf16_kernels: int
    fp32_kernels: int
    reference_kernels: int
    expected_int8: int
    kernels: list[Kernel]
    missing: list[str] = []
    kept: dict[str, str] = {}
    notes: list[str] = []


class Effective(msgspec.Struct, frozen=True, kw_only=True):
    """Settings read back from the running worker.

    Attributes:
        openmp: OpenMP runtimes that are mapped.
        openmp_active: the one of them that does the work, where that can be told.
        memory_node: NUMA node that memory is taken from; -1 for any.
    """

    threads: int
    interop_threads: int
    affinity: list[int]
    openmp: list[str]
    openmp_active: str | None = None
    memory_node: int = -1
    allocator: list[str]
    engine_version: str
    torch_version: str | None
    python: str
    isa: str
    grad: bool = False
    flush_denormals: bool = False
    quantized_engine: str | None = None
    input_alignment: int = 0
    input_strides: list[int] = []
    environment: dict[str, str] = {}
    packages: dict[str, str] = {}


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """Megabytes (2**20 bytes).

    Attributes:
        peak_rss_mb: highest resident size while only running, from a pass of its own.
        build_peak_rss_mb: highest resident size of the whole worker, calibration included.
        model_mb: size of the parameters as they are held for running.
    """

    peak_rss_mb: float
    build_peak_rss_mb: float
    model_mb: float | None


class TensorRange(msgspec.Struct, frozen=True, kw_only=True):
    """A tensor (canonical name) that the built model quantizes: scale and zero point as read back from it.

    Attributes:
        min, max: lowest and highest value that the scale can hold.
    """

    tensor: str
    min: float
    max: float
    scale: float | None = None
    zero_point: int | None = None


class FixState(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one range fixed by hand.

    Attributes:
        tensor: as the user named it.
        scale, zero_point: read back from the converted model.
        acts_on: the tensor whose scale it is, where the engine has one.
        note: a sentence for people, where there is something to say.
    """

    tensor: str
    state: Literal["applied", "not quantized by this engine", "refused"]
    scale: float | None = None
    zero_point: int | None = None
    acts_on: str | None = None
    note: str = ""


class Layer(msgspec.Struct, frozen=True, kw_only=True):
    """One call site of the model.

    Attributes:
        name: path of the module, ``#2`` and up for its second call and later.
        op: torch's name in lower case.
        kind: family that kernels are matched by; ``""`` for what is not counted as compute.
        facts: numbers that a kernel's own description can be compared with (``ic``, ``oh``, ``m``…).
        macs: multiply-accumulates of one run.
        inputs: canonical names of the tensors that come in (``input:NAME``, ``PRODUCER:out``).
        clamp: what an activation lets through, lowest and highest (None is open); None where it is no clamp.
    """

    name: str
    op: str
    kind: str
    facts: dict[str, int] = {}
    macs: int = 0
    parameters: int = 0
    output_shape: list[int] = []
    inputs: list[str] = []
    clamp: tuple[float | None, float | None] | None = None


class LayerError(msgspec.Struct, frozen=True, kw_only=True):
    """What INT8 costs one layer in accuracy, in dB of signal over error (SQNR), by emulated quantization.

    Attributes:
        layer: call site that runs in INT8.
        tensor: where *own_db* and *accumulated_db* are taken: what leaves the layer's fused group.
        own_db: only this layer in INT8, at its own output.
        accumulated_db: all planned layers in INT8, at this layer's output.
        only_db: only this layer in INT8, at the model's outputs.
        rest_db: all planned layers but this one in INT8, at the model's outputs; None where not scanned.
    """

    layer: str
    tensor: str
    own_db: float
    accumulated_db: float
    only_db: float
    rest_db: float | None = None


class LayerErrors(msgspec.Struct, frozen=True, kw_only=True):
    """The error of every INT8 layer.

    Attributes:
        samples: how many samples the figures are taken over.
        all_db: all planned layers in INT8, at the model's outputs.
        layers: in the order of execution; those that a time budget left out are missing.
        complete: whether every layer was scanned as far as it was asked for.
    """

    samples: int
    all_db: float
    layers: list[LayerError]
    complete: bool = True


class WeightFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The weight of one INT8 layer as it is built.

    Attributes:
        low, high: smallest and largest weight per output channel, in FP32.
        dead: output channels whose weights are all the same.
        overflow: output channels that can leave int16 when two products are added (CPUs without VNNI), in the
            kernel's neighbouring pairs; ``overflow_any`` with any pairing.
        bias_overflow: output channels whose bias does not fit into int32.
    """

    layer: str
    low: list[float]
    high: list[float]
    dead: list[int] = []
    overflow: int = 0
    overflow_any: int = 0
    bias_overflow: int = 0


class Exported(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """An ONNX file made from a PyTorch model; ends an ``export`` job.

    Attributes:
        path: of the ONNX file.
        golden: ``.npz`` with an example's inputs and the original's outputs.
        layers: call sites of the original.
        rewritten: rewrite → layers that it changed.
        notes: what the export may have changed in silence.
    """

    path: str
    golden: str
    layers: list[Layer]
    rewritten: dict[str, list[str]] = {}
    notes: list[str] = []


class DataFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Which data the trial saw."""

    path: str
    calibration: list[str]
    evaluation: list[str]
    rejected: dict[str, str] = {}
    modes: dict[str, int] = {}
    preprocess: dict[str, Any] = {}


class ModelFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Which model was measured.

    Attributes:
        sha256, companions: see :class:`workbench.core.model.ModelReference`.
    """

    path: str
    format: str
    sha256: str
    name: str
    companions: list[str] = []


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """One config measured on one host; the JSON of ``measure --json``.

    Attributes:
        reference, source: what was measured and on which data, so that it can be measured again.
    """

    id: int | None = None
    status: Status
    reason: str = ""
    warnings: list[str] = []
    library_warnings: list[str] = []
    created: str
    model: ModelFacts
    config: dict[str, Any]
    latency: Latency | None = None
    throughput_per_s: float | None = None
    memory: Memory | None = None
    accuracy: Accuracy | None = None
    effective: Effective | None = None
    proof: Proof | None = None
    fixes: list[FixState] = []
    tensors: list[TensorRange] = []
    calibration: str | None = None
    layers: list[Layer] = []
    errors: LayerErrors | None = None
    weights: list[WeightFacts] = []
    data: DataFacts | None = None
    rewritten: dict[str, list[str]] = {}
    phases_s: dict[str, float] = {}
    environment: str = "default"
    host: dict[str, Any] = {}
    noise: dict[str, Any] = {}
    reference: ModelReference | None = None
    source: DataSource | None = None


class Samples(msgspec.Struct, frozen=True, kw_only=True):
    """Raw latencies of a trial in nanoseconds, little-endian int64 bytes, in the order they were taken.

    Attributes:
        warmup: all warm-up runs.
        bursts: kept runs, one entry per burst.
        after_gap: the first run after each gap between bursts, not part of any percentile.
    """

    warmup: bytes
    bursts: list[bytes]
    after_gap: bytes

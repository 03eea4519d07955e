"""Typed MessagePack frames between the parent and a worker: no pickle, nothing on stdout.

A frame is a 4-byte big-endian length and one MessagePack value, decoded into a tagged struct. What
does not fit is a :class:`BadFrame`, never a guess.
"""

from __future__ import annotations

import struct
from typing import Any, BinaryIO

import msgspec

from workbench.core.accuracy import Accuracy
from workbench.core.data import DataSource
from workbench.core.model import InputSpec, ModelReference
from workbench.core.preprocess import Preprocess
from workbench.core.trial import (
    DataFacts,
    Effective,
    Exported,
    FixState,
    Layer,
    LayerErrors,
    Memory,
    Proof,
    TensorRange,
    WeightFacts,
)

MAX_FRAME = 256 * 2**20
_HEADER = struct.Struct(">I")


class BadFrame(Exception):
    """Bytes on the channel that are not a frame of this protocol."""


class Job(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What a worker is to do, once.

    Attributes:
        kind: ``measure``; ``inspect`` (no timing); ``export`` (writes ONNX into *folder*).
        engine_module: module that holds the class ``Engine``.
        config: nested tables of :meth:`workbench.core.config.Config.to_dict`.
        runs: kept runs wanted.
        seconds: upper bound on the time spent in kept runs.
        accuracy: compare the outputs with the FP32 model's on the evaluation samples.
        layer_errors: find what INT8 costs each layer in accuracy.
        sensitivity_s: also scan with all layers but one in INT8, for at most so many seconds in all.
        exported: where the model was exported from; its layers keep their names.
        folder: where an ``export`` job writes; where a ``measure`` job saves what a bundle needs.
    """

    kind: str
    engine_module: str
    model: ModelReference
    config: dict[str, Any]
    data: DataSource | None = None
    preprocess: Preprocess | None = None
    runs: int = 100
    seconds: float = 60.0
    accuracy: bool = True
    layer_errors: bool = False
    sensitivity_s: float | None = None
    exported: Exported | None = None
    folder: str = ""


class Go(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The reader has taken the last burst in: take the next one.

    Attributes:
        keep: False where the burst was disturbed: its runs do not count towards those that are wanted.
    """

    keep: bool = True


class Cancel(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Stop after the current run; what was measured is kept."""


class Progress(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A phase and how far it is; ``total`` 0 means not known."""

    phase: str
    done: int = 0
    total: int = 0


class Notice(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A warning for the record; ``library`` marks what a library said, not we."""

    text: str
    library: bool = False


class WarmedUp(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """All warm-up runs in ns (int64 bytes); ``settled`` tells whether they came to rest."""

    samples: bytes
    settled: bool


class Burst(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Kept runs of one burst in ns (int64 bytes); the first run after the gap is apart."""

    samples: bytes
    after_gap_ns: int


class Measured(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Everything but the samples; ends the job.

    Attributes:
        calibration: the file with the distributions (:mod:`workbench.core.calibration`), None where there is none.
    """

    effective: Effective
    proof: Proof
    memory: Memory
    accuracy: Accuracy | None
    fixes: list[FixState]
    tensors: list[TensorRange]
    layers: list[Layer]
    data: DataFacts | None
    phases_s: dict[str, float]
    rewritten: dict[str, list[str]] = {}
    calibration: str | None = None
    errors: LayerErrors | None = None
    weights: list[WeightFacts] = []
    cancelled: bool = False


class Inspected(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Facts about a model; ends an ``inspect`` job."""

    inputs: list[InputSpec]
    outputs: list[tuple[str, list[int], str]]
    parameters: int
    macs: int
    layers: list[Layer]
    dynamic_axes: dict[str, list[int]]
    not_quantized: dict[str, str]
    rewrites: dict[str, list[str]] = {}
    notes: list[str] = []


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The user must change something; ends the job."""

    what: str
    why: str = ""
    next_step: str = ""


class Invalid(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The job ran and its answer is no (a conversion that did not take, say); ends the job."""

    reason: str


class Broke(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """An exception that nobody expected; ends the job."""

    error: str
    traceback: str


Command = Job | Go | Cancel
Report = Progress | Notice | WarmedUp | Burst | Measured | Inspected | Exported | Refused | Invalid | Broke

_encoder = msgspec.msgpack.Encoder()
_command_decoder = msgspec.msgpack.Decoder(Command)
_report_decoder = msgspec.msgpack.Decoder(Report)


def write(stream: BinaryIO, message: Command | Report) -> None:
    """Write one frame and flush.

    Raises:
        OSError: the other side is gone.
    """
    body = _encoder.encode(message)
    stream.write(_HEADER.pack(len(body)) + body)
    stream.flush()


def read_command(stream: BinaryIO) -> Command | None:
    """Read one frame from the parent; None at the end of the stream."""
    command: Command | None = _read(stream, _command_decoder)
    return command


def read_report(stream: BinaryIO) -> Report | None:
    """Read one frame from the worker; None at the end of the stream."""
    report: Report | None = _read(stream, _report_decoder)
    return report


def _read(stream: BinaryIO, decoder: msgspec.msgpack.Decoder[Any]) -> Any:
    header = _exactly(stream, _HEADER.size)
    if header is None:
        return None
    (length,) = _HEADER.unpack(header)
    if length > MAX_FRAME:
        raise BadFrame(f"a frame of {length} bytes was announced")
    body = _exactly(stream, length)
    if body is None:
        raise BadFrame("the stream ended inside a frame")
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadFrame(str(error)) from error


def _exactly(stream: BinaryIO, count: int) -> bytes | None:
    parts: list[bytes] = []
    missing = count
    while missing:
        part = stream.read(missing)
        if not part:
            if parts:
                raise BadFrame("the stream ended inside a frame")
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)

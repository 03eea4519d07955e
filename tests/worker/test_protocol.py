"""Frames: what goes in comes out, and what is no frame is a BadFrame and nothing else."""

from __future__ import annotations

import io
import random
import struct
import typing

import msgspec
import numpy as np
import pytest
from fake_engine import model
from fake_records import DATA, EXPORTED, FIX, MEMORY, TENSOR, accuracy, effective, layer, proof

from workbench.core.data import DataSource
from workbench.core.model import InputSpec
from workbench.core.preprocess import Preprocess
from workbench.worker import protocol
from workbench.worker.protocol import BadFrame

SPEC = InputSpec(name="image", shape=(None, 3, 8, 8), dtype="uint8")
COMMANDS = [
    protocol.Job(kind="measure", engine_module="m", model=model(), config={}),
    protocol.Job(
        kind="inspect", engine_module="fake_engine", model=model("x", inputs=(SPEC,), trusted=True, weights="/w.pt"),
        config={"precision": "int8", "runtime": {"threads": 2}, "layers": {"conv1": {"precision": "fp32"}}},
        data=DataSource(path="/data", calibration=("a", "b"), labels="/l.csv"),
        preprocess=Preprocess(size=8, mean=(1.0,)), runs=7, seconds=0.5, accuracy=False,
    ),
    protocol.Go(),
    protocol.Cancel(),
]  # fmt: skip
REPORTS = [
    protocol.Progress(phase="timing", done=3, total=4),
    protocol.Notice(text="Grüße, 世界", library=True),
    protocol.WarmedUp(samples=np.arange(9).tobytes(), settled=True),
    protocol.Burst(samples=bytes(range(256)), after_gap_ns=2**40),
    protocol.Measured(
        effective=effective(), proof=proof(), memory=MEMORY, accuracy=accuracy(), fixes=[FIX], tensors=[TENSOR],
        layers=[layer()], data=DATA, phases_s={"loading": 0.25}, cancelled=True,
    ),
    protocol.Measured(
        effective=effective(), proof=proof(), memory=MEMORY, accuracy=None, fixes=[], tensors=[], layers=[], data=None,
        phases_s={},
    ),
    protocol.Inspected(
        inputs=[SPEC], outputs=[("y", [1, 10], "float32")], parameters=5, macs=2**50, layers=[layer()],
        dynamic_axes={"image": [0, 2]}, not_quantized={"fc": "why"}, notes=["n"],
    ),
    EXPORTED,
    protocol.Refused(what="a", why="b", next_step="c"),
    protocol.Invalid(reason="r"),
    protocol.Broke(error="ValueError: x", traceback="File …"),
]  # fmt: skip


def frame(body: bytes, length: int | None = None) -> io.BytesIO:
    return io.BytesIO(struct.pack(">I", len(body) if length is None else length) + body)


def named(message: object) -> str:
    return type(message).__name__


def test_every_kind_of_message_is_tried():
    assert {type(message) for message in COMMANDS} == set(typing.get_args(protocol.Command))
    assert {type(message) for message in REPORTS} == set(typing.get_args(protocol.Report))


@pytest.mark.parametrize("message", COMMANDS, ids=named)
def test_commands_come_out_as_they_went_in(message):
    stream = io.BytesIO()
    protocol.write(stream, message)
    stream.seek(0)
    assert protocol.read_command(stream) == message
    assert protocol.read_command(stream) is None


@pytest.mark.parametrize("message", REPORTS, ids=named)
def test_reports_come_out_as_they_went_in(message):
    stream = io.BytesIO()
    protocol.write(stream, message)
    stream.seek(0)
    assert protocol.read_report(stream) == message
    assert protocol.read_report(stream) is None


class Trickle(io.RawIOBase):
    """Gives a few bytes per read, like a pipe."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def read(self, size: int = -1) -> bytes:
        return self._data.read(min(size, 3))


def test_messages_in_a_row_survive_a_pipe_that_gives_three_bytes_at_a_time():
    stream = io.BytesIO()
    for message in REPORTS:
        protocol.write(stream, message)
    pipe = Trickle(stream.getvalue())
    assert [protocol.read_report(pipe) for _ in REPORTS] == REPORTS
    assert protocol.read_report(pipe) is None


def test_a_frame_cut_off_anywhere_is_bad_and_an_empty_stream_is_the_end():
    stream = io.BytesIO()
    protocol.write(stream, REPORTS[-1])
    whole = stream.getvalue()
    assert protocol.read_report(io.BytesIO()) is None
    for cut in range(1, len(whole)):
        with pytest.raises(BadFrame):
            protocol.read_report(io.BytesIO(whole[:cut]))


def test_a_huge_length_is_refused_before_anything_is_read():
    with pytest.raises(BadFrame, match=f"{2**32 - 1} bytes"):
        protocol.read_report(frame(b"", 2**32 - 1))
    with pytest.raises(BadFrame, match="announced"):
        protocol.read_report(frame(b"", protocol.MAX_FRAME + 1))


def packed(**fields: object) -> bytes:
    return msgspec.msgpack.encode(fields)


# The start of {"type": "Notice", "text": …} and of {"type": "Inspected", "layers": …}.
NOTICE = b"\x82\xa4type\xa6Notice\xa4text"
LAYERS = b"\x82\xa4type\xa9Inspected\xa6layers"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\xc0", id="nil"),
        pytest.param(b"\xc1", id="no MessagePack at all"),
        pytest.param(packed(type="Exploit", phase="x"), id="unknown tag"),
        pytest.param(packed(phase="x"), id="no tag"),
        pytest.param(packed(type="Progress"), id="a field is missing"),
        pytest.param(packed(type="Progress", phase=3), id="a field of another type"),
        pytest.param(packed(type="Go"), id="a command where reports are read"),
        pytest.param(packed(type="Progress", phase="x") + b"\x00", id="bytes behind the value"),
        pytest.param(NOTICE + b"\xa2\xff\xfe", id="text that is no UTF-8"),
        pytest.param(LAYERS + b"\xdd\xff\xff\xff\xff", id="a list of four thousand million that is not there"),
        pytest.param(b"\x83" + NOTICE[1:] + b"\xa1a\xa2zz" + b"\x91" * 100_000 + b"\xc0", id="endless nesting"),
    ],
)
def test_what_is_no_report_is_a_bad_frame(body):
    with pytest.raises(BadFrame):
        protocol.read_report(frame(body))


def test_a_report_where_commands_are_read_is_a_bad_frame():
    with pytest.raises(BadFrame):
        protocol.read_command(frame(packed(type="Progress", phase="x")))


def test_random_bytes_never_raise_anything_but_bad_frame():
    rng = random.Random(1)
    encoded = [msgspec.msgpack.encode(message) for message in REPORTS]
    for number in range(20_000):
        if number % 2:
            body = rng.randbytes(rng.randrange(60))
        else:
            changed = bytearray(rng.choice(encoded))
            for _ in range(rng.randint(1, 5)):
                changed[rng.randrange(len(changed))] = rng.randrange(256)
            body = bytes(changed)
        try:
            protocol.read_report(frame(body))
        except BadFrame as error:
            assert str(error)


def test_random_streams_end_in_none_or_a_bad_frame():
    rng = random.Random(2)
    for _ in range(2_000):
        stream = io.BytesIO(rng.randbytes(rng.randrange(40)))
        with pytest.raises(BadFrame):
            while protocol.read_report(stream) is not None:
                pass
            raise BadFrame  # it came to an end: an empty stream


def test_a_type_without_a_wire_form_is_an_error_before_anything_is_written():
    stream = io.BytesIO()
    with pytest.raises(TypeError):
        protocol.write(stream, msgspec.structs.replace(REPORTS[4], phases_s={"a": object()}))
    assert not stream.getvalue()

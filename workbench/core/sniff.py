"""What a model file really holds, from its bytes alone, before anything loads it.

File extensions lie: a ``.pt`` may be TorchScript, a whole pickled module, bare weights or a saved web
page, and each needs another way to load, or none. Used by :mod:`workbench.core.model`.
"""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path
from typing import IO, Literal

import msgspec

from workbench.core.pickle_scan import BrokenPickleError, globals_wanted, unsafe_globals
from workbench.errors import UserError

FileFormat = Literal["torchscript", "pickle", "pt2", "state-dict", "safetensors", "onnx"]

DESCRIPTIONS: dict[str, str] = {
    "torchscript": "a TorchScript archive",
    "pickle": "a pickled PyTorch object",
    "pt2": "a torch.export archive",
    "state-dict": "a PyTorch state dict (weights without a model)",
    "safetensors": "a safetensors file (weights without a model)",
    "onnx": "an ONNX model",
}

# torch.save(..., _use_new_zipfile_serialization=False) writes this number as a pickle of its own first.
_LEGACY_MAGIC = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
# magic number, protocol version, system info, the object, the list of its storages
_LEGACY_PICKLES = 5
_SAFETENSORS_HEADER_LIMIT = 100_000_000
_COPY_AGAIN = "Copy or download the file again and compare its size with the original."
_EXPORT_AGAIN = "Save the model with torch.jit.save, torch.export.save or torch.onnx.export."

_FOREIGN: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file (Keras?)"),
    (4, b"TFL3", "a TensorFlow Lite model"),
    (0, b"\x93NUMPY", "a NumPy array"),
    (0, b"GGUF", "a GGUF language model"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (0, b"\x7fELF", "a Linux program or library"),
    (0, b"MZ", "a Windows program or library"),
    (257, b"ustar", "a tar archive"),
)


class Contents(msgspec.Struct, frozen=True):
    """What a file holds.

    Attributes:
        format: how it is to be loaded.
        unsafe: globals beyond tensors and containers that loading would import, in the file's order;
            such a file may run code.
    """

    format: FileFormat
    unsafe: tuple[str, ...] = ()


def sniff(path: Path) -> Contents:
    """Find out what the existing file *path* holds.

    Raises:
        UserError: if it is unreadable, empty, damaged, or no model format that the workbench knows; the
            message says what the file really is as far as that can be told.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            if size == 0:
                raise UserError(f"{path} is empty.", "It holds 0 bytes, so saving or copying it failed.", _COPY_AGAIN)
            return _sniff(path, stream, size)
    except OSError as error:
        raise UserError(
            f"{path} cannot be read.", error.strerror or str(error), "Check the file and its permissions."
        ) from error


def _sniff(path: Path, stream: IO[bytes], size: int) -> Contents:
    head = stream.read(512)
    if head.startswith(b"PK\x03\x04"):
        return _sniff_zip(path, stream)
    if head.startswith(_LEGACY_MAGIC):
        stream.seek(0)
        return _pickled(_legacy_globals(path, stream))
    for offset, magic, what in _FOREIGN:
        if head[offset:].startswith(magic):
            raise _no_model(path, what)
    if _is_safetensors(path, stream, size):
        return Contents("safetensors")
    if _looks_like_text(head):
        raise _no_model(path, _kind_of_text(head))
    if _is_onnx(path, stream, size):
        return Contents("onnx")
    if head[0] == 0x80 and size > 1 and head[1] <= 5:
        raise _no_model(path, "a plain Python pickle, not written by torch.save")
    raise _no_model(path, f"unknown binary data (it begins with {head[:8].hex(' ')})")


def _no_model(path: Path, what: str) -> UserError:
    return UserError(
        f"{path} is no model file.",
        f"Its content is {what}, whatever its name says.",
        "Supported are TorchScript (.pt), torch.export (.pt2), ONNX (.onnx), pickled modules (.pt, with "
        "--trust-pickle), and weights together with a model.py:callable.",
    )


def _damaged(path: Path, why: str) -> UserError:
    return UserError(f"{path} is damaged or cut off.", why, _COPY_AGAIN)


# ---- ZIP archives: TorchScript, torch.export, torch.save ------------------------------------------


def _sniff_zip(path: Path, stream: IO[bytes]) -> Contents:
    try:
        archive = zipfile.ZipFile(stream)
    except zipfile.BadZipFile as error:
        raise _damaged(
            path, "It begins like a ZIP archive (as torch.save writes), but the table at its end is missing."
        ) from error
    with archive:
        names = [info.filename for info in archive.infolist()]
        # The prefix folder is named after whatever the file was called when it was saved.
        inner = [name.partition("/")[2] for name in names]
        if any(name.startswith("data/aotinductor/") for name in inner):
            raise UserError(
                f"{path} is a compiled AOTInductor package.",
                "It holds machine code in place of a graph; there is nothing to quantize or tune.",
                "Save the exported program itself with torch.export.save.",
            )
        if "models/model.json" in inner or "serialized_exported_program.json" in [*names, *inner]:
            return Contents("pt2", unsafe_globals(_zip_globals(path, archive)))
        if "constants.pkl" in inner and any(name.startswith("code/") for name in inner):
            return Contents("torchscript")
        if ".data/extern_modules" in inner:
            raise UserError(f"{path} is a torch.package archive.", "These carry their own Python code.", _EXPORT_AGAIN)
        if "data.pkl" in inner:
            return _pickled(_zip_globals(path, archive))
    shown = ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
    raise _no_model(path, f"a ZIP archive holding {shown or 'nothing'}")


def _zip_globals(path: Path, archive: zipfile.ZipFile) -> tuple[str, ...]:
    """Return the globals of all pickles in *archive*, also of those in archives inside it."""
    names = [info.filename for info in archive.infolist()]
    found: dict[str, None] = {}
    for name in names:
        if not name.endswith((".pkl", ".pt")):
            continue
        if names.count(name) > 1:
            # Readers disagree on which of the two counts, so that a scan could see the harmless one only.
            raise _damaged(path, f"It holds the member {name} twice.")
        try:
            with archive.open(name) as member:
                found.update(dict.fromkeys(_member_globals(path, name, member)))
        except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
            raise _damaged(path, f"Its member {name} cannot be read: {error}.") from error
    return tuple(found)


def _member_globals(path: Path, name: str, member: IO[bytes]) -> tuple[str, ...]:
    if name.endswith(".pkl"):
        return _pickle_globals(path, name, member)
    # In a torch.export archive, weights and constants are files of torch.save; torch 2.8 loads them
    # without its own safety net (torch/_export/serde/serialize.py).
    head = member.read(len(_LEGACY_MAGIC))
    member.seek(0)
    if head.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(member) as inner:
            return _zip_globals(path, inner)
    if head.startswith(_LEGACY_MAGIC):
        return _legacy_globals(path, member)
    if not head:
        return ()
    return (f"{name}, which is no file of torch.save",)


def _pickle_globals(path: Path, name: str, stream: IO[bytes]) -> tuple[str, ...]:
    try:
        return globals_wanted(stream)
    except BrokenPickleError as error:
        raise _damaged(path, f"The pickle {name} in it cannot be followed: {error}.") from error


def _legacy_globals(path: Path, stream: IO[bytes]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for number in range(_LEGACY_PICKLES):
        found.update(dict.fromkeys(_pickle_globals(path, f"number {number + 1}", stream)))
    return tuple(found)


def _pickled(names: tuple[str, ...]) -> Contents:
    unsafe = unsafe_globals(names)
    return Contents("pickle" if unsafe else "state-dict", unsafe)


# ---- flat files -----------------------------------------------------------------------------------


def _is_safetensors(path: Path, stream: IO[bytes], size: int) -> bool:
    stream.seek(0)
    prefix = stream.read(9)
    if len(prefix) < 9 or prefix[8:] != b"{":
        return False
    (length,) = struct.unpack("<Q", prefix[:8])
    if not 2 <= length <= _SAFETENSORS_HEADER_LIMIT:
        return False
    if 8 + length > size:
        raise _damaged(path, f"It is a safetensors file whose header alone should take {length:,} bytes.")
    stream.seek(8)
    try:
        header = json.loads(stream.read(length))
        ends = [entry["data_offsets"][1] for key, entry in header.items() if key != "__metadata__"]
        end = 8 + length + max((int(value) for value in ends), default=0)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return False
    if end > size:
        raise _damaged(path, f"Its safetensors header promises {end:,} bytes, but there are {size:,}.")
    return True


def _looks_like_text(head: bytes) -> bool:
    try:
        # The 512 bytes may end in the middle of a character.
        text = head[:-3].decode("utf-8") if len(head) == 512 else head.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return all(character.isprintable() or character in "\r\n\t\f\ufeff" for character in text)


def _kind_of_text(head: bytes) -> str:
    start = head.lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    if start.startswith(b"version https://git-lfs"):
        return "a Git LFS pointer (run 'git lfs pull' to fetch the real file)"
    if start.startswith((b"<!doctype html", b"<html")):
        return "a web page (the download needed a login or another link)"
    return "text"


def _is_onnx(path: Path, stream: IO[bytes], size: int) -> bool:
    """Walk the top-level fields of a protobuf message and see whether they are those of a ModelProto."""
    stream.seek(0)
    seen: set[int] = set()
    while (position := stream.tell()) < size:
        tag = _varint(stream)
        if tag is None or tag >> 3 not in _ONNX_FIELDS or _ONNX_FIELDS[tag >> 3] != tag & 7:
            return False
        value = _varint(stream)
        field = tag >> 3
        if value is None or (field == 1 and not 1 <= value < 1_000_000):
            return False
        if tag & 7 == 2:
            end = stream.tell() + value
            if end > size:
                # Random bytes seldom hold an IR version and then a graph or a producer's name.
                if 1 in seen and (field == 7 or 8 in seen or 7 in seen):
                    raise _damaged(
                        path,
                        f"It is an ONNX model whose part at byte {position:,} should end at byte {end:,}, "
                        f"but there are {size:,}.",
                    )
                return False
            stream.seek(end)
        seen.add(field)
    return {1, 7} <= seen


# onnx.proto3, message ModelProto: field number -> wire type (0 = number, 2 = length and bytes)
_ONNX_FIELDS = {1: 0, 2: 2, 3: 2, 4: 2, 5: 0, 6: 2, 7: 2, 8: 2, 14: 2, 20: 2, 25: 2, 26: 2}


def _varint(stream: IO[bytes]) -> int | None:
    """Read a protobuf number of at most 64 bits; None where there is none."""
    value = 0
    for shift in range(0, 70, 7):
        byte = stream.read(1)
        if not byte:
            return None
        value |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return value
    return None

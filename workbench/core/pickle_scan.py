"""What a pickle would import, found by reading its opcodes and never by unpickling it.

Loading a pickle can run any code, and the only door to that code is a global that the pickle names. So
the list of those names tells tensors in containers (safe) from everything else. Used by
:mod:`workbench.core.sniff` before any engine touches a file.
"""

from __future__ import annotations

import pickletools
import re
from typing import IO, Any

_REBUILD = (
    "_rebuild_parameter",
    "_rebuild_parameter_with_state",
    "_rebuild_qtensor",
    "_rebuild_tensor",
    "_rebuild_tensor_v2",
    "_rebuild_tensor_v3",
    "_rebuild_sparse_tensor",
    "_rebuild_meta_tensor_no_storage",
    "_rebuild_nested_tensor",
    "_rebuild_device_tensor_from_numpy",
    "_rebuild_device_tensor_from_cpu_tensor",
)
_DTYPES = (
    "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 half float16 bfloat16 float float32 double "
    "float64 complex32 complex64 complex128 quint8 qint8 qint32 quint4x2 quint2x4 float8_e4m3fn "
    "float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu"
)
_TORCH_VALUES = (
    "Tensor Size device strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc per_tensor_affine "
    "per_tensor_symmetric per_channel_affine per_channel_symmetric per_channel_affine_float_qparams"
)
# A subset of what torch.load(weights_only=True) admits, so that what passes here also loads there.
_SAFE = frozenset(
    [
        "collections.OrderedDict",
        "collections.Counter",
        "builtins.set",
        "builtins.bytearray",
        "builtins.complex",
        "_codecs.encode",
        "torch.nn.parameter.Parameter",
        "torch.nn.parameter.Buffer",
        "torch.serialization._get_layout",
        "torch.storage.TypedStorage",
        "torch.storage.UntypedStorage",
        "torch.storage._TypedStorage",
        "torch.storage._UntypedStorage",
        "torch._tensor._rebuild_from_type_v2",
        *(f"torch._utils.{name}" for name in _REBUILD),
        *(f"torch.{name}" for name in (_DTYPES + " " + _TORCH_VALUES).split()),
    ]
)
_STORAGE = re.compile(r"torch\.[A-Za-z0-9]+Storage")
_RENAMED = {"__builtin__": "builtins", "copy_reg": "copyreg"}
_MARK = object()
_UNKNOWN = "a name computed at load time"


class BrokenPickleError(ValueError):
    """The bytes are no complete pickle."""


def globals_wanted(stream: IO[bytes]) -> tuple[str, ...]:
    """Return every global that the pickle at *stream*'s position would import, in order, each once.

    Reads up to and including the pickle's STOP opcode and leaves the stream behind it, so that several
    pickles in a row can be walked by calling again.

    Returns:
        Dotted names such as ``"torch.nn.modules.conv.Conv2d"``.

    Raises:
        BrokenPickleError: if the opcodes are cut off, unknown, or use the stack as no pickler would.
    """
    found: dict[str, None] = {}
    stack: list[Any] = []
    memo: dict[int, Any] = {}
    try:
        for opcode, argument, _ in pickletools.genops(stream):
            name = opcode.name
            if name in ("GLOBAL", "INST"):
                module, _, attribute = str(argument).partition(" ")
                found[_dotted(module, attribute)] = None
            elif name == "STACK_GLOBAL":
                module, attribute = stack[-2], stack[-1]
                known = isinstance(module, str) and isinstance(attribute, str)
                found[_dotted(module, attribute) if known else _UNKNOWN] = None
            elif name.startswith("EXT"):
                found[f"copyreg extension {argument}"] = None
            _step(opcode, argument, stack, memo)
    except (ValueError, IndexError, KeyError, OverflowError, AttributeError) as error:
        raise BrokenPickleError(str(error)) from error
    return tuple(found)


def unsafe_globals(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of *names* that are more than tensors, numbers and containers."""
    return tuple(name for name in names if name not in _SAFE and not _STORAGE.fullmatch(name))


def _dotted(module: str, attribute: str) -> str:
    return f"{_RENAMED.get(module, module)}.{attribute}"


def _step(opcode: pickletools.OpcodeInfo, argument: Any, stack: list[Any], memo: dict[int, Any]) -> None:
    """Do to *stack* and *memo* what *opcode* does, keeping strings and forgetting everything else.

    STACK_GLOBAL takes its names from the stack, perhaps by way of the memo; guessing from the strings
    seen last could be fooled by a pickle made for that purpose.
    """
    name = opcode.name
    if name == "MEMOIZE":
        memo[len(memo)] = stack[-1]
        return
    if name in ("PUT", "BINPUT", "LONG_BINPUT"):
        memo[int(argument)] = stack[-1]
        return
    if name in ("GET", "BINGET", "LONG_BINGET"):
        stack.append(memo[int(argument)])
        return
    if name == "DUP":
        stack.append(stack[-1])
        return
    before = opcode.stack_before
    take = len(before)
    if pickletools.markobject in before or (name == "POP" and stack[-1] is _MARK):
        while stack.pop() is not _MARK:
            pass
        take = before.index(pickletools.markobject) if pickletools.markobject in before else 0
    if take > len(stack):
        raise IndexError("stack underflow")
    del stack[len(stack) - take :]
    for kind in opcode.stack_after:
        if kind is pickletools.markobject:
            stack.append(_MARK)
        else:
            text = isinstance(argument, str) and ("UNICODE" in name or "STRING" in name)
            stack.append(argument if text else None)

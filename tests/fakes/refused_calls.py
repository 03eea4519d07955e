"""Takes system calls away from a process and all that it starts, as containers do: they fail with EPERM.

Run by tests in a process of its own: a filter is never lifted again.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

MEMORY_POLICY = (237, 238, 239)
"""mbind, set_mempolicy, get_mempolicy on x86-64: what Docker's own filter refuses."""

_NO_NEW_PRIVS, _SECCOMP, _FILTER = 38, 22, 2
_X86_64 = 0xC000003E
_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def refuse(*calls: int) -> None:
    """Let *calls* fail from now on.

    Raises:
        OSError: another system or processor, or a kernel that takes no filters.
    """
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise OSError(errno.ENOSYS, f"no such filter on {sys.platform}, {platform.machine()}")
    last = len(calls)  # jumps go over what is left of the list, and over the permission
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_JUMP_IF_EQUAL, 0, last + 1, _X86_64),
        (_LOAD, 0, 0, _NUMBER_AT),
        *((_JUMP_IF_EQUAL, last - place, 0, call) for place, call in enumerate(calls)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _FAIL | errno.EPERM),
    ]
    code = b"".join(struct.pack("=HBBI", *line) for line in program)
    libc = ctypes.CDLL(None, use_errno=True)
    found = _Program(len(program), code)
    for arguments in ((_NO_NEW_PRIVS, 1, 0, 0, 0), (_SECCOMP, _FILTER, ctypes.byref(found), 0, 0)):
        if libc.prctl(*arguments):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

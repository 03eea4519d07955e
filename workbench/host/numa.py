"""Binds memory to a NUMA node and tells what is bound: two system calls of Linux, made without a library.

The CPUs of a node alone do not keep memory there: a full node, or pages that another process has cached, lie elsewhere.
Containers often forbid the call, so it is tried, and whoever asked for it is told.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys

_SET, _GET = 238, 239  # numbers on x86-64
_DEFAULT, _BIND = 0, 2
_MOST_NODES = 1024
_WORDS = _MOST_NODES // 64


def bind_memory(node: int) -> str:
    """Take memory for this process from *node* only; -1 lifts that. What is there already stays where it is.

    Returns:
        Why that is not possible; empty where it was done.
    """
    if not _possible():
        return f"{sys.platform} on {platform.machine()} has no such call"
    mask = (ctypes.c_ulong * _WORDS)()
    if node >= 0:
        mask[node // 64] = 1 << node % 64
    mode, pointer, count = (_BIND, ctypes.byref(mask), _MOST_NODES) if node >= 0 else (_DEFAULT, None, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(_SET, mode, pointer, ctypes.c_ulong(count)):
        return os.strerror(ctypes.get_errno())
    return ""


def bound_node() -> int:
    """Return the node that this thread takes its memory from, read back from the kernel; -1 for any."""
    if not _possible():
        return -1
    mode, mask = ctypes.c_int(0), (ctypes.c_ulong * _WORDS)()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(_GET, ctypes.byref(mode), ctypes.byref(mask), ctypes.c_ulong(_MOST_NODES), None, 0):
        return -1
    if mode.value & 0xF != _BIND:
        return -1
    nodes = [number for number in range(_MOST_NODES) if mask[number // 64] >> number % 64 & 1]
    return nodes[0] if len(nodes) == 1 else -1


def _possible() -> bool:
    return sys.platform == "linux" and platform.machine() == "x86_64"

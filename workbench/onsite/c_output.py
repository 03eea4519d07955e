"""What C libraries print, where it tells what ran: oneDNN names its kernels on the real standard output alone."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import tempfile
from collections.abc import Iterator


@contextlib.contextmanager
def captured_stdout() -> Iterator[list[str]]:
    """Collect what is printed to descriptor 1; the list holds the text afterwards."""
    libc = ctypes.CDLL(None) if os.name == "posix" else ctypes.cdll.msvcrt
    captured: list[str] = []
    sys.stdout.flush()
    libc.fflush(None)
    saved = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            yield captured
        finally:
            # C's stdout is buffered once it is no terminal; without this the lines come out too late.
            libc.fflush(None)
            os.dup2(saved, 1)
            os.close(saved)
            file.seek(0)
            captured.append(file.read().decode("utf-8", "replace"))

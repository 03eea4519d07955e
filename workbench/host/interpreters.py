"""Which interpreter is which; used wherever a child may run under another one."""

from __future__ import annotations

import os
import sys


def is_current(interpreter: str) -> bool:
    """Return whether *interpreter* is the one running now.

    Links are not followed: the Python of every virtual environment may be a link to the same file.
    """
    return bool(sys.executable) and os.path.abspath(interpreter) == os.path.abspath(sys.executable)  # noqa: PTH100

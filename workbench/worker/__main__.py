"""Entry of the child process: ``python -m workbench.worker [--cpus LIST]``.

Commands come in on descriptor 0, frames go out on a private copy of descriptor 1; descriptor 1 itself
then points at stderr, so that nothing a library prints can be mistaken for a frame.
"""

from __future__ import annotations

import os
import sys
from typing import BinaryIO


def _channels() -> tuple[BinaryIO, BinaryIO]:
    commands = os.fdopen(os.dup(0), "rb", buffering=0)
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return commands, reports


def main() -> None:
    """Set the affinity before anything is imported, then do the job that comes in."""
    commands, reports = _channels()
    if len(sys.argv) == 3 and sys.argv[1] == "--cpus":
        cpus = [int(cpu) for cpu in sys.argv[2].split(",")]
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, cpus)
        else:
            import psutil

            psutil.Process().cpu_affinity(cpus)
    from workbench.worker.child import serve

    serve(commands, reports)


if __name__ == "__main__":
    main()

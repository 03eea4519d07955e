"""Entry of the child process: ``python -m workbench.worker [--cpus LIST | --warm MODULE]``.

Commands come in on descriptor 0, frames go out on a private copy of descriptor 1; descriptor 1 itself
then points at stderr, so that nothing a library prints can be mistaken for a frame.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from workbench.worker.preparation import Prepared


def _channels() -> tuple[BinaryIO, BinaryIO]:
    commands = os.fdopen(os.dup(0), "rb", buffering=0)
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return commands, reports


def run_worker(cpus: Sequence[int], prepared: Prepared | None = None) -> None:
    """Take the channels, set the affinity before anything else is imported, and do the job that comes in."""
    commands, reports = _channels()
    if cpus:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, cpus)
        else:
            import psutil

            psutil.Process().cpu_affinity(list(cpus))
    from workbench.worker.child import serve

    serve(commands, reports, prepared)


def main() -> None:
    """Read the arguments."""
    option, value = (*sys.argv[1:3], "", "")[:2]
    if option == "--warm":
        from workbench.worker.forking import serve_forks

        serve_forks(value)
    else:
        run_worker([int(cpu) for cpu in value.split(",")] if option == "--cpus" else [])


if __name__ == "__main__":
    main()

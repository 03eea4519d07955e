"""Which threads of the process somebody has started, where a library does not tell its own.

Threads of others come and go meanwhile: those that report progress, or that belong to a session that ends. But on
Linux a thread bears the name of the one that started it until somebody gives it another one.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

_OWN_NAME = Path("/proc/thread-self/comm")
_TASKS = Path("/proc/self/task")
_numbers = itertools.count()


def counted(make: Callable[[], T]) -> tuple[T, int | None]:
    """Return what *make* gives, and how many threads it has started that still run.

    The number is None where the system does not show threads or their names. While *make* runs the calling thread has
    another name.
    """
    name = f"counted-{next(_numbers)}"
    try:
        before = _OWN_NAME.read_text()
        _OWN_NAME.write_text(name)
    except OSError:
        return make(), None
    try:
        made = make()
        return made, sum(_name_of(task) == name for task in _TASKS.iterdir()) - 1
    finally:
        _OWN_NAME.write_text(before.rstrip("\n"))


def _name_of(task: Path) -> str:
    with contextlib.suppress(OSError):  # it has ended
        return (task / "comm").read_text().rstrip("\n")
    return ""

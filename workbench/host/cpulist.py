"""The kernel's notation for sets of CPUs (``0-3,8``), also used by the affinity knob."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from workbench.host._files import read_text

_MOST_CPUS = 8192  # Linux cannot be built for more; guards against "0-999999999" typed by hand


def parse_cpu_list(text: str) -> tuple[int, ...]:
    """Return the CPU numbers in *text*, ascending and without duplicates.

    An empty text is the empty set.

    Raises:
        ValueError: the text is not a list of numbers and ascending ranges.
    """
    cpus: set[int] = set()
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        first_text, dash, last_text = part.partition("-")
        if not first_text.isdecimal() or (dash and not last_text.isdecimal()):
            raise ValueError(f"'{part}' is not a CPU number or a range such as 0-3")
        first = int(first_text)
        last = int(last_text) if dash else first
        if last < first or last >= _MOST_CPUS:
            raise ValueError(f"'{part}' is not an ascending range of CPU numbers below {_MOST_CPUS}")
        cpus.update(range(first, last + 1))
    return tuple(sorted(cpus))


def format_cpu_list(cpus: Iterable[int]) -> str:
    """Return *cpus* in the kernel's notation: ``(0, 1, 2, 8)`` becomes ``0-2,8``."""
    runs: list[list[int]] = []
    for cpu in sorted(set(cpus)):
        if runs and cpu == runs[-1][1] + 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def read_cpu_list(path: Path) -> tuple[int, ...]:
    """Return the CPUs listed in the kernel file *path*; empty if it is missing or unreadable."""
    try:
        return parse_cpu_list(read_text(path) or "")
    except ValueError:
        return ()

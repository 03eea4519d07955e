"""The records of /proc/cpuinfo, for those who need flags, names or clock rates from it.

Used by ``isa`` (flags), ``topology`` (where sysfs has no topology folder, e.g. gVisor), ``noise``
(MHz in virtual machines) and ``machine`` (model and vendor).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.host._files import read_text

Record = dict[str, str]


def read_cpuinfo(root: Path = Path("/")) -> tuple[Record, ...]:
    """Return one dictionary per online CPU; empty where the file is missing (Windows, macOS)."""
    text = read_text(root / "proc" / "cpuinfo")
    if not text:
        return ()
    records = []
    for block in text.split("\n\n"):
        record: Record = {}
        for line in block.splitlines():
            key, colon, value = line.partition(":")
            if colon:
                record[key.strip()] = value.strip()
        if "processor" in record:
            records.append(record)
    return tuple(records)


def number(record: Record, key: str) -> int | None:
    """Return the whole number under *key*, or ``None`` if it is absent or not a number."""
    try:
        return int(record[key])
    except (KeyError, ValueError):
        return None


def common_flags(records: Sequence[Record]) -> frozenset[str]:
    """Return the flags that every CPU has; a thread may be moved to any of them."""
    sets = [frozenset(record["flags"].split()) for record in records if record.get("flags")]
    return frozenset.intersection(*sets) if sets else frozenset()


def megahertz(records: Sequence[Record]) -> dict[int, float]:
    """Return the current clock rate in MHz per CPU number, as far as it is stated."""
    rates: dict[int, float] = {}
    for record in records:
        cpu = number(record, "processor")
        try:
            rate = float(record["cpu MHz"])
        except (KeyError, ValueError):
            continue
        if cpu is not None and rate > 0:
            rates[cpu] = rate
    return rates

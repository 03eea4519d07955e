"""What this process may use of the machine: CPUs, CPU time, memory, and the default thread count.

Counting the CPUs of the machine is how a container with a quota of four ends up 45 times slower:
the affinity mask does not show a quota (ollama/ollama#17916, python/cpython#80235). The defaults of
the thread knobs, the host report and the noise verdict read from here instead.
"""

from __future__ import annotations

import math
import os
from pathlib import Path

import msgspec

from workbench.host import cgroups
from workbench.host._files import read_int, read_text
from workbench.host.cpulist import parse_cpu_list, read_cpu_list
from workbench.host.topology import Topology, online_cpus, read_topology

_MIB = 1024 * 1024


class Throttling(msgspec.Struct, frozen=True):
    """How often the CPU quota stopped this process so far, summed over its group and all parents.

    Attributes:
        count: number of enforcement periods that ended in a stop.
        time_ms: time spent stopped, in ms.
    """

    count: int
    time_ms: float


def usable_cpus(root: Path = Path("/"), topology: Topology | None = None) -> tuple[int, ...]:
    """Return the CPUs this process may run on: affinity mask and cpuset, without the offline ones."""
    online = topology.online if topology else online_cpus(root) or read_topology(root).online
    usable = online
    for allowed in (_affinity(root), cpuset(root)):
        usable = tuple(cpu for cpu in usable if cpu in allowed) or usable
    return usable


def cpuset(root: Path = Path("/")) -> tuple[int, ...]:
    """Return the CPUs that the innermost control group with a cpuset grants; empty where none says."""
    for level in cgroups.levels("cpuset", root):
        names = ("cpuset.cpus.effective",) if level.version == 2 else ("cpuset.effective_cpus", "cpuset.cpus")
        for name in names:
            if cpus := read_cpu_list(level.folder / name):
                return cpus
    return ()


def cpu_quota(root: Path = Path("/")) -> float | None:
    """Return how many CPUs' worth of time the control groups grant; ``None`` if there is no limit.

    The tightest of all levels counts (version 2 ``cpu.max``, version 1 ``cpu.cfs_quota_us``).
    """
    quotas = []
    for level in cgroups.levels("cpu", root):
        if level.version == 2:
            words = (read_text(level.folder / "cpu.max") or "").split()
            quota = _number(words[0]) if words else None
            period = _number(words[1]) if len(words) > 1 else 100_000
        else:
            quota = read_int(level.folder / "cpu.cfs_quota_us")
            period = read_int(level.folder / "cpu.cfs_period_us")
        if quota and period and quota > 0 and period > 0:
            quotas.append(quota / period)
    return min(quotas, default=None)


def throttling(root: Path = Path("/")) -> Throttling | None:
    """Return the counters of CPU quota enforcement, or ``None`` where the kernel keeps none."""
    count, time_ms, known = 0, 0.0, False
    for level in cgroups.levels("cpu", root):
        values = _table(read_text(level.folder / "cpu.stat"))
        if "nr_throttled" not in values:
            continue
        known = True
        count += values["nr_throttled"]
        # Version 2 counts microseconds, version 1 nanoseconds.
        time_ms += values.get("throttled_usec", 0) / 1e3 + values.get("throttled_time", 0) / 1e6
    return Throttling(count, time_ms) if known else None


def memory_total_mb(root: Path = Path("/")) -> int:
    """Return the machine's memory in MiB."""
    for line in (read_text(root / "proc/meminfo") or "").splitlines():
        words = line.split()
        if len(words) >= 2 and words[0] == "MemTotal:" and words[1].isdecimal():
            return int(words[1]) // 1024
    import psutil

    return int(psutil.virtual_memory().total) // _MIB


def memory_limit_mb(root: Path = Path("/")) -> int | None:
    """Return the tightest memory limit of the control groups in MiB; ``None`` if there is none.

    A limit above the machine's memory (version 1 writes 2^63 for "no limit") is none.
    """
    limits = []
    for level in cgroups.levels("memory", root):
        name = "memory.max" if level.version == 2 else "memory.limit_in_bytes"
        value = read_int(level.folder / name)
        if value is not None and value > 0:
            limits.append(value // _MIB)
    tightest = min(limits, default=None)
    return tightest if tightest is not None and tightest < memory_total_mb(root) else None


def usable_physical_cores(root: Path = Path("/"), topology: Topology | None = None) -> int:
    """Return the default number of threads: physical cores this process may use, at least 1.

    Hyper-threads of one core count once, because matrix kernels leave nothing over for the second. P and E cores of a
    hybrid processor count alike: which of them are worth having differs from model to model, so ``advice`` tells how to
    find out. The result never exceeds the whole CPUs of the quota: a thread more would be stopped in every period.

    Args:
        root: the folder that holds ``sys`` and ``proc``.
        topology: the topology if it was read already.
    """
    topology = topology or read_topology(root)
    count = len(topology.one_per_core(usable_cpus(root, topology)))
    quota = cpu_quota(root)
    if quota is not None:
        count = min(count, math.floor(quota + 1e-9))
    return max(count, 1)


def _affinity(root: Path) -> frozenset[int]:
    for line in (read_text(root / "proc/self/status") or "").splitlines():
        key, _, value = line.partition(":")
        if key == "Cpus_allowed_list":
            try:
                return frozenset(parse_cpu_list(value.strip()))
            except ValueError:
                break
    if root != Path("/"):
        return frozenset()  # another machine's files; the system below is this one
    if hasattr(os, "sched_getaffinity"):
        return frozenset(os.sched_getaffinity(0))
    import psutil

    try:
        return frozenset(psutil.Process().cpu_affinity() or ())
    except (AttributeError, psutil.Error, OSError):
        return frozenset()  # macOS has no affinity


def mlock_limit_kb(root: Path = Path("/")) -> int | None:
    """Return how many KiB this process may lock in memory; -1 without a limit, ``None`` where nothing says."""
    for line in (read_text(root / "proc/self/limits") or "").splitlines():
        if line.startswith("Max locked memory"):
            soft = line.removeprefix("Max locked memory").split()[0]
            return int(soft) // 1024 if soft.isdecimal() else -1
    return None


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None  # "max" is no number


def _table(text: str | None) -> dict[str, int]:
    pairs = (line.split() for line in (text or "").splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdecimal()}

"""The single readings that make up a noise snapshot; used by ``noise`` and ``machine`` only.

Every function answers ``None`` or nothing where the platform does not say. Files of /proc and /sys
come first because they can be injected; psutil stands in where they do not exist (Windows).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from workbench.host._files import read_int, read_text
from workbench.host.cpuinfo import megahertz, read_cpuinfo

_TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class CpuTimes(msgspec.Struct, frozen=True):
    """Seconds since boot that a set of CPUs was busy, or taken away by the hypervisor."""

    busy_s: float
    steal_s: float


def governor(root: Path, cpus: Sequence[int]) -> str | None:
    """Return the frequency governor of *cpus*; several are joined with ``+``."""
    return _joined(root, cpus, "scaling_governor")


def driver(root: Path, cpus: Sequence[int]) -> str | None:
    """Return the frequency driver of *cpus*; several are joined with ``+``."""
    return _joined(root, cpus, "scaling_driver")


def clock_rates(root: Path, cpus: Sequence[int]) -> dict[int, float]:
    """Return the current MHz per CPU, from cpufreq or else from /proc/cpuinfo."""
    rates = {}
    for cpu in cpus:
        khz = read_int(_cpu(root, cpu) / "cpufreq/scaling_cur_freq")
        if khz:
            rates[cpu] = khz / 1000
    if rates:
        return rates
    chosen = set(cpus)
    return {cpu: mhz for cpu, mhz in megahertz(read_cpuinfo(root)).items() if cpu in chosen}


def no_turbo(root: Path) -> bool | None:
    """Return whether turbo is off."""
    folder = root / "sys/devices/system/cpu"
    off = read_int(folder / "intel_pstate/no_turbo")
    if off is not None:
        return off != 0
    boost = read_int(folder / "cpufreq/boost")
    return None if boost is None else boost == 0


def thermal_throttles(root: Path, cpus: Sequence[int]) -> int | None:
    """Return how often heat slowed down a core or package of *cpus* since boot."""
    cores, package = [], []
    for cpu in cpus:
        folder = _cpu(root, cpu) / "thermal_throttle"
        cores.append(read_int(folder / "core_throttle_count"))
        package.append(read_int(folder / "package_throttle_count"))
    known = [count for count in cores if count is not None]
    # Each CPU repeats its package's events, so they are not summed.
    packages = [count for count in package if count is not None]
    return sum(known) + max(packages, default=0) if known or packages else None


def load_average(root: Path) -> tuple[float, float, float] | None:
    """Return the load over 1, 5 and 15 minutes."""
    words = (read_text(root / "proc/loadavg") or "").split()
    try:
        return float(words[0]), float(words[1]), float(words[2])
    except (IndexError, ValueError):
        return None


def cpu_times(root: Path, cpus: Sequence[int]) -> CpuTimes | None:
    """Return what *cpus* did since boot, summed."""
    text = read_text(root / "proc/stat")
    wanted = set(cpus)
    if text is None:
        return _psutil_cpu_times(wanted)
    busy = steal = 0
    found = False
    for line in text.splitlines():
        name, *words = line.split() or [""]
        number = name.removeprefix("cpu")
        if not name.startswith("cpu") or not number.isdecimal() or int(number) not in wanted:
            continue
        if len(words) < 7 or not all(word.isdecimal() for word in words):
            continue
        # user nice system idle iowait irq softirq steal; guest time is within user already.
        ticks = [int(word) for word in words]
        busy += ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]
        steal += ticks[7] if len(ticks) > 7 else 0
        found = True
    return CpuTimes(busy / _TICKS_PER_S, steal / _TICKS_PER_S) if found else None


def process_cpu_s(root: Path, pids: Sequence[int]) -> dict[int, float]:
    """Return the CPU time in s of each process, threads included; ended ones are left out."""
    times = {}
    for pid, folder in _processes(root, pids):
        text = read_text(folder / "stat")
        if text is None:
            seconds = None if (root / "proc/stat").exists() else _psutil_process_s(pid)
        else:
            # The name in brackets may hold spaces; utime and stime are fields 14 and 15.
            words = text.rpartition(")")[2].split()
            try:
                seconds = (int(words[11]) + int(words[12])) / _TICKS_PER_S
            except (IndexError, ValueError):
                seconds = None
        if seconds is not None:
            times[pid] = seconds
    return times


def context_switches(root: Path, pids: Sequence[int]) -> tuple[int, int] | None:
    """Return voluntary and involuntary context switches of all threads of *pids* so far."""
    voluntary = forced = 0
    found = False
    for pid, folder in _processes(root, pids):
        tasks = list(folder.glob("task/[0-9]*/status"))
        for status in tasks:
            for line in (read_text(status) or "").splitlines():
                key, _, value = line.partition(":")
                if key == "voluntary_ctxt_switches" and value.strip().isdecimal():
                    voluntary, found = voluntary + int(value), True
                elif key == "nonvoluntary_ctxt_switches" and value.strip().isdecimal():
                    forced, found = forced + int(value), True
        if not tasks and not (root / "proc").exists():
            counts = _psutil_switches(pid)
            if counts:
                voluntary, forced, found = voluntary + counts[0], forced + counts[1], True
    return (voluntary, forced) if found else None


def _joined(root: Path, cpus: Sequence[int], name: str) -> str | None:
    found = (read_text(_cpu(root, cpu) / "cpufreq" / name) for cpu in cpus)
    return "+".join(sorted({value for value in found if value})) or None


def _cpu(root: Path, cpu: int) -> Path:
    return root / f"sys/devices/system/cpu/cpu{cpu}"


def _processes(root: Path, pids: Sequence[int]) -> list[tuple[int, Path]]:
    if not pids:
        return [(os.getpid(), root / "proc/self")]
    return [(pid, root / "proc" / str(pid)) for pid in pids]


def _psutil_cpu_times(wanted: set[int]) -> CpuTimes | None:
    import psutil

    try:
        times = [value for cpu, value in enumerate(psutil.cpu_times(percpu=True)) if cpu in wanted]
    except (psutil.Error, OSError, RuntimeError):
        return None
    names = ("user", "nice", "system", "irq", "softirq")
    busy = sum(float(getattr(value, name, 0.0)) for value in times for name in names)
    return CpuTimes(busy, sum(float(getattr(value, "steal", 0.0)) for value in times)) if times else None


def _psutil_process_s(pid: int) -> float | None:
    import psutil

    try:
        times = psutil.Process(pid).cpu_times()
    except (psutil.Error, OSError):
        return None
    return float(times.user + times.system)


def _psutil_switches(pid: int) -> tuple[int, int] | None:
    import psutil

    try:
        counts = psutil.Process(pid).num_ctx_switches()
    except (psutil.Error, OSError, NotImplementedError):
        return None
    return int(counts.voluntary), int(counts.involuntary)

"""This machine as a table."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.markup import escape

from workbench.host.cpulist import format_cpu_list
from workbench.host.machine import HostInfo
from workbench.tables.common import pairs, table


def show(info: HostInfo) -> RenderableType:
    """This machine."""
    cpu = info.cpu
    shape = f"{_many(cpu.physical_cores, 'core')}, {_many(cpu.logical_cpus, 'thread')}"
    shape += ", P and E cores" if cpu.hybrid else ""
    shape += f", {len(cpu.numa_nodes)} NUMA nodes" if len(cpu.numa_nodes) > 1 else ""
    shape += f", {cpu.packages} sockets" if cpu.packages > 1 else ""
    memory = f"{info.memory_mb:,} MB" + (f", limit {info.memory_limit_mb:,} MB" if info.memory_limit_mb else "")
    rows = [
        ("CPU", f"{escape(cpu.model)} ({shape})"),
        ("instructions", f"{', '.join(cpu.isa) or 'unknown'} (INT8 as on {cpu.int8_level})"),
        (
            "may use",
            f"CPUs {format_cpu_list(info.usable_cpus)}"
            + (f", quota {info.cpu_quota:g} CPUs" if info.cpu_quota else "")
            + f"; {_many(info.default_threads, 'thread')} by default",
        ),
        *(("CPU sets", f"{name}: {format_cpu_list(cpus)}") for name, cpus in info.affinity_presets.items()),
        ("caches", ", ".join(f"{name} {_kib(entry.total_kb)}" for name, entry in cpu.caches.items())),
        ("memory", memory),
        ("clock", _clock(info)),
        ("slowed down", _slowed(info)),
        ("may lock", _lockable(info.mlock_limit_kb)),
        ("runs in", _inside(info)),
        ("system", f"{info.os}" + (f", glibc {info.glibc}" if info.glibc else "")),
        ("not readable", "; ".join(f"{name} ({why})" for name, why in info.unread.items())),
        *(("note", escape(text)) for text in info.warnings),
        *(("steadier", f"{escape(one.text)}\n  {escape(one.command)}") for one in info.advice),
    ]
    if info.recorded:
        rows.insert(0, ("recorded", "another machine, opened from a file"))
    engines = table("engine", "version", "state")
    for engine in info.engines:
        state = "[green]available[/]" if engine.available else f"[red]not available[/]: {escape(engine.reason or '')}"
        engines.add_row(
            engine.name, engine.version or "–", state + (f" [dim]({engine.note})[/]" if engine.note else "")
        )
    return Group(pairs(rows), "", engines)


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _clock(info: HostInfo) -> str:
    low, high = info.mhz or (None, None)
    now = "" if low is None or high is None else f"{low:.0f} to {high:.0f} MHz" if high - low > 1 else f"{high:.0f} MHz"
    turbo = "" if info.turbo is None else f"turbo {'on' if info.turbo else 'off'}"
    parts = (f"governor {info.governor}" if info.governor else "", info.driver or "", turbo, now)
    return ", ".join(part for part in parts if part)


def _slowed(info: HostInfo) -> str:
    heat = "" if info.thermal_throttles is None else f"{info.thermal_throttles:,} times by heat since boot"
    quota = "" if info.quota_throttles is None else f"{info.quota_throttles:,} times by the CPU quota"
    return ", ".join(part for part in (heat, quota) if part)


def _lockable(kib: int | None) -> str:
    return "" if kib is None else "memory without limit" if kib < 0 else f"{_kib(kib)} of memory"


def _inside(info: HostInfo) -> str:
    kind = "" if info.virtual_machine == "unknown" else f" ({info.virtual_machine})"
    machine = info.virtual_machine and f"a virtual machine{kind}"
    container = info.container and f"a container ({info.container})"
    return " and ".join(part for part in (machine, container) if part)


def _kib(size: int) -> str:
    return f"{size / 1024:g} MB" if size >= 1024 else f"{size} KB"

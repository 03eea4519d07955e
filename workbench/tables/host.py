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
    shape = f"{cpu.physical_cores} cores, {cpu.logical_cpus} threads"
    shape += ", P and E cores" if cpu.hybrid else ""
    shape += f", {len(cpu.numa_nodes)} NUMA nodes" if len(cpu.numa_nodes) > 1 else ""
    rows = [
        ("CPU", f"{escape(cpu.model)} ({shape})"),
        ("instructions", f"{', '.join(cpu.isa)} (INT8 as on {cpu.int8_level})"),
        (
            "may use",
            f"CPUs {format_cpu_list(info.usable_cpus)}"
            + (f", quota {info.cpu_quota:g} CPUs" if info.cpu_quota else ""),
        ),
        ("caches", ", ".join(f"{name} {_kib(entry.total_kb)}" for name, entry in cpu.caches.items())),
        ("memory", f"{info.memory_mb:,} MB"),
        ("governor", info.governor or "not visible here"),
        ("system", f"{info.os}" + (f", glibc {info.glibc}" if info.glibc else "")),
    ]
    engines = table("engine", "version", "state")
    for engine in info.engines:
        state = "[green]available[/]" if engine.available else f"[red]not available[/]: {escape(engine.reason or '')}"
        engines.add_row(
            engine.name, engine.version or "–", state + (f" [dim]({engine.note})[/]" if engine.note else "")
        )
    return Group(pairs(rows), "", engines)


def _kib(size: int) -> str:
    return f"{size / 1024:g} MB" if size >= 1024 else f"{size} KB"

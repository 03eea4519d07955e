"""The whole machine in one record: what ``workbench host`` prints and every trial stores.

Its JSON is the contract of ``host --json``. It holds no host name, user name or path, so that a trial can
be shared. Sizes are in MiB unless named ``_kb`` (KiB).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from workbench.host import _counters, limits
from workbench.host._files import read_text
from workbench.host.affinity import affinity_presets
from workbench.host.cpuinfo import Record, common_flags, read_cpuinfo
from workbench.host.engines import TIMEOUT_S, EngineStatus, list_engines
from workbench.host.isa import Isa, int8_level, isa_from_flags
from workbench.host.topology import Cache, Cpu, NumaNode, Topology, read_topology


class CacheSummary(msgspec.Struct, frozen=True):
    """All caches of one kind: size of the largest in KiB, how many there are, KiB together."""

    size_kb: int
    count: int
    total_kb: int


class CpuInfo(msgspec.Struct, frozen=True):
    """The processor.

    Attributes:
        model: marketing name.
        vendor: ``GenuineIntel``, ``AuthenticAMD``, …
        isa: instruction sets, by our names.
        int8_level: what ``target_isa = "host"`` means here.
        physical_cores: cores with at least one online CPU.
        logical_cpus: online CPUs.
        smt: whether hyper-threading is on.
        hybrid: whether there are P and E cores.
        numa_nodes: nodes with their CPUs and memory.
        caches: by name (``L1d``, ``L2``, …).
        packages: number of sockets.
        hypervisor: whether this is a virtual machine that says so.
        isa_unknown: instruction sets the platform cannot answer for.
        isa_note: a sentence on that, or ``None``.
    """

    model: str
    vendor: str
    isa: tuple[str, ...]
    int8_level: str
    physical_cores: int
    logical_cpus: int
    smt: bool
    hybrid: bool
    numa_nodes: tuple[NumaNode, ...]
    caches: dict[str, CacheSummary]
    packages: int = 1
    hypervisor: bool = False
    isa_unknown: tuple[str, ...] = ()
    isa_note: str | None = None


class HostInfo(msgspec.Struct, frozen=True):
    """This machine as far as a measurement depends on it.

    Attributes:
        cpu: the processor.
        usable_cpus: CPUs this process may run on.
        cpu_quota: CPUs' worth of time granted by the container, ``None`` without a limit.
        memory_mb: memory of the machine.
        governor: frequency governor of the usable CPUs.
        os: name and version of the system and its kernel.
        glibc: version of the C library on Linux.
        engines: what can be run, and why not.
        memory_limit_mb: the container's limit, ``None`` without one.
        default_threads: what ``runtime.threads = 0`` means here.
        python: version of the running interpreter.
        topology: each online CPU with its core, package, node and kind.
        topology_source: where that is known from.
        affinity_presets: named CPU sets worth offering; empty where all CPUs are alike.
    """

    cpu: CpuInfo
    usable_cpus: tuple[int, ...]
    cpu_quota: float | None
    memory_mb: int
    governor: str | None
    os: str
    glibc: str | None
    engines: tuple[EngineStatus, ...]
    memory_limit_mb: int | None = None
    default_threads: int = 1
    python: str = ""
    topology: tuple[Cpu, ...] = ()
    topology_source: str = ""
    affinity_presets: dict[str, tuple[int, ...]] = {}


def describe_host(
    refresh: bool = False,
    root: Path = Path("/"),
    *,
    interpreter: str | os.PathLike[str] | None = None,
    with_engines: bool = True,
    timeout_s: float = TIMEOUT_S,
) -> HostInfo:
    """Return everything known about this machine; unknown parts are ``None`` or empty.

    Args:
        refresh: try the engines again instead of believing the cache.
        root: the folder that holds ``sys``, ``proc`` and ``etc``.
        interpreter: Python whose engines are listed; the running one by default.
        with_engines: whether to list engines at all; a trial that only stores the hardware need not.
        timeout_s: longest time in s for trying engines that are not in the cache.
    """
    records = read_cpuinfo(root)
    topology = read_topology(root)
    isa = isa_from_flags(common_flags(records))
    cpu = _cpu_info(records, topology, isa)
    usable = limits.usable_cpus(root, topology)
    engines: tuple[EngineStatus, ...] = ()
    if with_engines:
        engines = list_engines(interpreter, refresh=refresh, timeout_s=timeout_s, cpu_model=cpu.model, isa=isa)
    return HostInfo(
        cpu=cpu,
        usable_cpus=usable,
        cpu_quota=limits.cpu_quota(root),
        memory_mb=limits.memory_total_mb(root),
        governor=_counters.governor(root, usable),
        os=_system(root),
        glibc=_glibc(),
        engines=engines,
        memory_limit_mb=limits.memory_limit_mb(root),
        default_threads=limits.usable_physical_cores(root, topology),
        python=".".join(str(part) for part in sys.version_info[:3]),
        topology=topology.cpus,
        topology_source=topology.source,
        affinity_presets=affinity_presets(topology, usable),
    )


def _cpu_info(records: Sequence[Record], topology: Topology, isa: Isa) -> CpuInfo:
    first = records[0] if records else {}
    return CpuInfo(
        model=first.get("model name") or _windows_model() or "unknown",
        vendor=first.get("vendor_id") or _windows_vendor() or "unknown",
        isa=isa.names,
        int8_level=int8_level(isa.names),
        physical_cores=topology.physical_cores,
        logical_cpus=topology.logical_cpus,
        smt=topology.smt,
        hybrid=topology.hybrid,
        numa_nodes=topology.nodes,
        caches=_summary(topology.caches),
        packages=len(topology.packages),
        hypervisor=isa.hypervisor,
        isa_unknown=isa.unknown,
        isa_note=isa.note or None,
    )


def _summary(caches: Sequence[Cache]) -> dict[str, CacheSummary]:
    sizes: dict[str, list[int]] = {}
    for cache in caches:
        sizes.setdefault(cache.name, []).append(cache.size_kb)
    return {name: CacheSummary(max(each), len(each), sum(each)) for name, each in sizes.items()}


def _windows_model() -> str:
    if sys.platform != "win32":
        return ""
    import winreg

    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"HARDWARE\DESCRIPTION\System\CentralProcessor\0") as key:
            return str(winreg.QueryValueEx(key, "ProcessorNameString")[0]).strip()
    except OSError:
        return ""


def _windows_vendor() -> str:
    # PROCESSOR_IDENTIFIER: "Intel64 Family 6 Model 158 Stepping 9, GenuineIntel"
    return os.environ.get("PROCESSOR_IDENTIFIER", "").rpartition(",")[2].strip()


def _system(root: Path) -> str:
    if sys.platform != "linux":
        import platform  # loads subprocess; Linux answers faster without it

        return f"{platform.system()} {platform.release()} ({platform.version()})"
    text = read_text(root / "etc/os-release") or read_text(root / "usr/lib/os-release") or ""
    fields = dict(line.partition("=")[::2] for line in text.splitlines())
    name = fields.get("PRETTY_NAME", "").strip("\"'") or "Linux"
    return f"{name}, kernel {os.uname().release}"


def _glibc() -> str | None:
    if sys.platform != "linux":
        return None
    try:
        text = os.confstr("CS_GNU_LIBC_VERSION")
    except (ValueError, OSError):
        return None  # musl
    return text.removeprefix("glibc ") if text else None

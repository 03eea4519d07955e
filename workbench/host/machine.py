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

from workbench.host import _counters, advice, isolation, limits
from workbench.host._files import read_text
from workbench.host.advice import Advice
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
        cpuset: CPUs that the control group grants; empty where none says.
        turbo: whether the CPU may go above its base clock.
        driver: frequency driver.
        mhz: lowest and highest current clock rate of the usable CPUs.
        thermal_throttles: times the CPU slowed down because of heat, since boot.
        quota_throttles: times the CPU quota stopped this process's groups.
        quota_throttled_ms: for how long, in ms.
        mlock_limit_kb: KiB that may be locked in memory; -1 without a limit.
        container: kind of container, ``None`` outside of one.
        virtual_machine: kind of virtual machine, ``None`` on the bare machine.
        unread: what cannot be read here → why.
        warnings: what keeps a process from using the machine as its name promises.
        advice: what would make numbers steadier, with the command; never run for the user.
        recorded: whether this is another machine, opened from a file.
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
    cpuset: tuple[int, ...] = ()
    turbo: bool | None = None
    driver: str | None = None
    mhz: tuple[float, float] | None = None
    thermal_throttles: int | None = None
    quota_throttles: int | None = None
    quota_throttled_ms: float | None = None
    mlock_limit_kb: int | None = None
    container: str | None = None
    virtual_machine: str | None = None
    unread: dict[str, str] = {}
    warnings: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    recorded: bool = False


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
        timeout_s: longest time in s for trying engines that are not in the cache; 0 leaves those out.
    """
    records = read_cpuinfo(root)
    topology = read_topology(root)
    isa = isa_from_flags(common_flags(records))
    cpu = _cpu_info(records, topology, isa)
    usable = limits.usable_cpus(root, topology)
    quota = limits.cpu_quota(root)
    threads = limits.usable_physical_cores(root, topology)
    governor, driver = _counters.governor(root, usable), _counters.driver(root, usable)
    turned_off = _counters.no_turbo(root)
    clocks = _counters.clock_rates(root, usable).values()
    throttling = limits.throttling(root)
    engines: tuple[EngineStatus, ...] = ()
    if with_engines:
        engines = list_engines(interpreter, refresh=refresh, timeout_s=timeout_s, cpu_model=cpu.model, isa=isa)
    info = HostInfo(
        cpu=cpu,
        usable_cpus=usable,
        cpu_quota=quota,
        memory_mb=limits.memory_total_mb(root),
        governor=governor,
        os=_system(root),
        glibc=_glibc() if root == Path("/") else None,
        engines=engines,
        memory_limit_mb=limits.memory_limit_mb(root),
        default_threads=threads,
        python=".".join(str(part) for part in sys.version_info[:3]),
        topology=topology.cpus,
        topology_source=topology.source,
        affinity_presets=affinity_presets(topology, usable),
        cpuset=limits.cpuset(root),
        turbo=None if turned_off is None else not turned_off,
        driver=driver,
        mhz=(min(clocks), max(clocks)) if clocks else None,
        thermal_throttles=_counters.thermal_throttles(root, usable),
        quota_throttles=throttling.count if throttling else None,
        quota_throttled_ms=throttling.time_ms if throttling else None,
        mlock_limit_kb=limits.mlock_limit_kb(root),
        container=isolation.container(root),
        virtual_machine=isolation.virtual_machine(root, announced=isa.hypervisor),
        warnings=advice.warnings(topology, usable, quota, threads, isa.names, cpu.int8_level),
        advice=advice.steadier(topology, usable, governor, driver, root),
    )
    return msgspec.structs.replace(info, unread=_unread(info, root))


def _unread(info: HostInfo, root: Path) -> dict[str, str]:
    """Return what is not known, and why."""
    system = "Linux" if (root / "proc").is_dir() else sys.platform
    if system != "Linux":
        reason = f"{system} does not tell"
    elif not (root / "sys/devices/system/cpu").is_dir():
        reason = "/sys cannot be read"
    elif info.virtual_machine:
        reason = "the virtual machine hides it"
    elif info.container:
        reason = "the container hides it"
    else:
        reason = "the kernel does not tell"
    unknown = {
        "governor": info.governor is None,
        "turbo": info.turbo is None,
        "clock rates": info.mhz is None,
        "caches": not info.cpu.caches,
        "thermal throttling": info.thermal_throttles is None,
        "cores and sockets": info.topology_source == "psutil",
        "instruction sets": not info.cpu.isa,
        "locked memory": info.mlock_limit_kb is None,
    }
    found = {name: reason for name, missing in unknown.items() if missing}
    if info.quota_throttles is None:
        found["quota throttling"] = reason if system != "Linux" else "no control group for CPU time can be seen"
    if info.glibc is None:
        found["glibc"] = "another C library" if root == Path("/") and system == "Linux" else "no file holds it"
    return found


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
    kernel = read_text(root / "proc/sys/kernel/osrelease")
    if sys.platform != "linux" and kernel is None:
        import platform  # loads subprocess; Linux answers faster without it

        return f"{platform.system()} {platform.release()} ({platform.version()})"
    text = read_text(root / "etc/os-release") or read_text(root / "usr/lib/os-release") or ""
    fields = dict(line.partition("=")[::2] for line in text.splitlines())
    name = fields.get("PRETTY_NAME", "").strip("\"'") or "Linux"
    return f"{name}, kernel {kernel}" if kernel else name


def _glibc() -> str | None:
    if sys.platform != "linux":
        return None
    try:
        text = os.confstr("CS_GNU_LIBC_VERSION")
    except (ValueError, OSError):
        return None  # musl
    return text.removeprefix("glibc ") if text else None

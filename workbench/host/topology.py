"""How the processor is built: packages, cores, hyper-threads, P and E cores, NUMA nodes, caches.

``limits`` derives the default number of threads from it, the window draws its core picker from it,
and ``affinity`` names the CPU sets worth offering. Sources, best first: Linux sysfs; /proc/cpuinfo (sandboxes
that hide sysfs); the Windows API; bare counts from psutil. Every number of a CPU is the operating
system's, and nothing here assumes that CPU 0…n are alike.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from workbench.host._files import read_int, read_text
from workbench.host.cpuinfo import number, read_cpuinfo
from workbench.host.cpulist import format_cpu_list, parse_cpu_list, read_cpu_list

__all__ = [
    "Cache",
    "Cpu",
    "NumaNode",
    "Topology",
    "format_cpu_list",
    "online_cpus",
    "parse_cpu_list",
    "read_topology",
]

# Favoured cores of one kind differ by up to 10 % (5.8 against 5.5 GHz, X3D 5.75 against 5.25); real
# efficiency cores known from frequencies alone lie at 80 % and below.
_KIND_GAP = 0.85


class Cpu(msgspec.Struct, frozen=True):
    """One logical CPU.

    Attributes:
        id: the operating system's number.
        core: the lowest CPU number on the same physical core, so equal for hyper-threads.
        package: socket number.
        node: NUMA node number.
        kind: ``"P"`` or ``"E"`` on a hybrid processor, otherwise empty.
        max_mhz: highest clock rate in MHz, where known.
    """

    id: int
    core: int
    package: int = 0
    node: int = 0
    kind: str = ""
    max_mhz: float | None = None


class Cache(msgspec.Struct, frozen=True):
    """One cache: its level, kind (``data``, ``instruction``, ``unified``), KiB and who shares it."""

    level: int
    kind: str
    size_kb: int
    cpus: tuple[int, ...]

    @property
    def name(self) -> str:
        """The usual short name: ``L1d``, ``L1i``, ``L2``, …"""
        return f"L{self.level}" + {"data": "d", "instruction": "i"}.get(self.kind, "")


class NumaNode(msgspec.Struct, frozen=True):
    """One NUMA node: number, its online CPUs (none for a memory-only node), memory in MiB."""

    node: int
    cpus: tuple[int, ...]
    memory_mb: int | None = None


class Topology(msgspec.Struct, frozen=True):
    """All online CPUs and how they hang together; *source* says where that is known from."""

    cpus: tuple[Cpu, ...]
    nodes: tuple[NumaNode, ...] = ()
    caches: tuple[Cache, ...] = ()
    source: str = "sysfs"

    @property
    def online(self) -> tuple[int, ...]:
        """Numbers of the online CPUs, ascending."""
        return tuple(cpu.id for cpu in self.cpus)

    @property
    def logical_cpus(self) -> int:
        """Number of online logical CPUs."""
        return len(self.cpus)

    @property
    def physical_cores(self) -> int:
        """Number of physical cores with at least one online CPU."""
        return len({cpu.core for cpu in self.cpus})

    @property
    def packages(self) -> tuple[int, ...]:
        """Socket numbers, ascending."""
        return tuple(sorted({cpu.package for cpu in self.cpus}))

    @property
    def smt(self) -> bool:
        """Whether at least one core has more than one online hyper-thread."""
        return self.logical_cpus > self.physical_cores

    @property
    def hybrid(self) -> bool:
        """Whether there are both performance and efficiency cores."""
        return {"P", "E"} <= {cpu.kind for cpu in self.cpus}

    def one_per_core(self, cpus: Iterable[int] | None = None, kind: str = "") -> tuple[int, ...]:
        """Return the first CPU of every physical core among *cpus* (default: all online).

        With *kind* only cores of that kind count.
        """
        wanted = set(self.online if cpus is None else cpus)
        first: dict[int, int] = {}
        for cpu in self.cpus:
            if cpu.id in wanted and (not kind or cpu.kind == kind):
                first.setdefault(cpu.core, cpu.id)
        return tuple(sorted(first.values()))


def read_topology(root: Path = Path("/")) -> Topology:
    """Return this machine's topology; never raises for missing files, only knows less.

    Args:
        root: the folder that holds ``sys`` and ``proc``; another one in tests.
    """
    online = online_cpus(root)
    if online:
        return _from_kernel(root, online)
    if sys.platform == "win32":
        from workbench.host.windows import processor_topology

        known = processor_topology()
        if known is not None:
            return known
    return _from_counts(*_psutil_counts())


def online_cpus(root: Path = Path("/")) -> tuple[int, ...]:
    """Return the online CPUs as the kernel tells them; empty where it does not (Windows, macOS)."""
    folder = root / "sys/devices/system/cpu"
    online = read_cpu_list(folder / "online")
    if not online:
        names = (path.name.removeprefix("cpu") for path in folder.glob("cpu[0-9]*"))
        online = tuple(sorted(int(name) for name in names if name.isdecimal()))
    if not online:
        numbers = (number(record, "processor") for record in read_cpuinfo(root))
        online = tuple(sorted({cpu for cpu in numbers if cpu is not None}))
    return online


def _from_kernel(root: Path, online: tuple[int, ...]) -> Topology:
    folder = root / "sys/devices/system/cpu"
    nodes = _nodes(root, online)
    node_of = {cpu: node.node for node in nodes for cpu in node.cpus}
    if (folder / f"cpu{online[0]}" / "topology").is_dir():
        cores, packages, source = *_sysfs_cores(folder, online), "sysfs"
    else:
        cores, packages, source = *_cpuinfo_cores(root, online), "cpuinfo"
    mhz: dict[int, float] = {}
    for cpu in online:
        khz = read_int(folder / f"cpu{cpu}/cpufreq/cpuinfo_max_freq")
        if khz:
            mhz[cpu] = khz / 1000
    kinds = _kinds(root, online, mhz)
    cpus = tuple(
        Cpu(cpu, cores[cpu], packages[cpu], node_of.get(cpu, 0), kinds.get(cpu, ""), mhz.get(cpu)) for cpu in online
    )
    return Topology(cpus, nodes, _caches(folder, online), source)


def _sysfs_cores(folder: Path, online: tuple[int, ...]) -> tuple[dict[int, int], dict[int, int]]:
    here = set(online)
    cores: dict[int, int] = {}
    packages: dict[int, int] = {}
    for cpu in online:
        topology = folder / f"cpu{cpu}" / "topology"
        packages[cpu] = max(read_int(topology / "physical_package_id") or 0, 0)
        if cpu in cores:
            continue
        # core_id repeats between dies and packages, so the list of siblings is the safer identity.
        siblings = read_cpu_list(topology / "core_cpus_list") or read_cpu_list(topology / "thread_siblings_list")
        for sibling in {cpu, *siblings} & here:
            cores.setdefault(sibling, cpu)
    return cores, packages


def _cpuinfo_cores(root: Path, online: tuple[int, ...]) -> tuple[dict[int, int], dict[int, int]]:
    records = {number(record, "processor"): record for record in read_cpuinfo(root)}
    first: dict[tuple[int, int], int] = {}
    cores: dict[int, int] = {}
    packages: dict[int, int] = {}
    for cpu in online:
        record = records.get(cpu, {})
        package = packages[cpu] = number(record, "physical id") or 0
        core = number(record, "core id")
        cores[cpu] = cpu if core is None else first.setdefault((package, core), cpu)
    return cores, packages


def _kinds(root: Path, online: tuple[int, ...], mhz: dict[int, float]) -> dict[int, str]:
    here = set(online)
    performance = here & set(read_cpu_list(root / "sys/devices/cpu_core/cpus"))
    efficient = here & {
        *read_cpu_list(root / "sys/devices/cpu_atom/cpus"),
        *read_cpu_list(root / "sys/devices/cpu_lowpower/cpus"),
    }
    if performance and efficient:
        return {cpu: "P" if cpu in performance else "E" for cpu in performance | efficient}
    folder = root / "sys/devices/system/cpu"
    capacity = {cpu: read_int(folder / f"cpu{cpu}/cpu_capacity") or 0 for cpu in online}
    for measure in (capacity, mhz):
        threshold = _split(list(measure.values())) if len(measure) == len(online) else None
        if threshold is not None:
            return {cpu: "P" if measure[cpu] >= threshold else "E" for cpu in online}
    return {}


def _split(values: list[int] | list[float]) -> float | None:
    """Return the lowest value of the faster group, or ``None`` if all belong together."""
    distinct = sorted(set(values))
    if len(distinct) < 2 or distinct[0] <= 0:
        return None
    ratio, upper = min((low / high, float(high)) for low, high in itertools.pairwise(distinct))
    return upper if ratio <= _KIND_GAP else None


def _nodes(root: Path, online: tuple[int, ...]) -> tuple[NumaNode, ...]:
    nodes = []
    here = set(online)
    for folder in (root / "sys/devices/system/node").glob("node[0-9]*"):
        index = folder.name.removeprefix("node")
        if not index.isdecimal():
            continue
        cpus = tuple(cpu for cpu in read_cpu_list(folder / "cpulist") if cpu in here)
        memory = None
        for line in (read_text(folder / "meminfo") or "").splitlines():
            words = line.split()  # "Node 0 MemTotal: 16384 kB"
            if len(words) >= 4 and words[2] == "MemTotal:" and words[3].isdecimal():
                memory = int(words[3]) // 1024
        nodes.append(NumaNode(int(index), cpus, memory))
    return tuple(sorted(nodes, key=lambda node: node.node)) or (NumaNode(0, online),)


def _caches(folder: Path, online: tuple[int, ...]) -> tuple[Cache, ...]:
    here = set(online)
    # Every CPU has the same few caches; listing 256 folders would take longer than all the reading.
    names = sorted({path.name for path in (folder / f"cpu{online[0]}/cache").glob("index[0-9]*")})
    covered: set[tuple[str, int]] = set()
    caches = []
    for cpu in online:
        for name in names:
            index = folder / f"cpu{cpu}/cache/{name}"
            if (name, cpu) in covered:
                continue
            cpus = tuple(c for c in read_cpu_list(index / "shared_cpu_list") if c in here) or (cpu,)
            covered.update((name, sharer) for sharer in cpus)
            level = read_int(index / "level")
            size = _kibibytes(read_text(index / "size") or "")
            if level is None or size is None:
                continue
            kind = (read_text(index / "type") or "unified").lower()
            caches.append(Cache(level, kind, size, cpus))
    return tuple(sorted(caches, key=lambda cache: (cache.level, cache.kind, cache.cpus)))


def _kibibytes(text: str) -> int | None:
    unit = {"K": 1, "M": 1024, "G": 1024 * 1024}.get(text[-1:].upper())
    return int(text[:-1]) * unit if unit and text[:-1].isdecimal() else None


def _psutil_counts() -> tuple[int, int]:
    import psutil  # late: 20 ms that hosts with sysfs need not pay

    logical = psutil.cpu_count() or 1
    return logical, psutil.cpu_count(logical=False) or logical


def _from_counts(logical: int, physical: int) -> Topology:
    """Guess from two counts; hyper-threads are taken as neighbours, as Windows and macOS number them."""
    physical = min(max(physical, 1), logical)
    paired = min(logical - physical, physical)  # cores with two threads come first
    cores = [cpu - cpu % 2 if cpu < 2 * paired else cpu for cpu in range(logical)]
    cpus = tuple(Cpu(cpu, core) for cpu, core in enumerate(cores))
    return Topology(cpus, (NumaNode(0, tuple(range(logical))),), (), "psutil")

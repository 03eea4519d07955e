"""What Windows tells about the processor, in place of the /proc and /sys that it does not have.

Used by ``topology`` (cores, efficiency classes, NUMA nodes, caches) and ``isa`` (features). The parser
works on plain bytes, so that it is tested on every platform; only the two functions that fetch those
bytes need Windows.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator

from workbench.host.topology import Cache, Cpu, NumaNode, Topology

_CORE, _NODE, _CACHE, _PACKAGE, _ALL = 0, 1, 2, 3, 0xFFFF
_CACHE_KINDS = {0: "unified", 1: "instruction", 2: "data"}
_GROUP_SIZE = 64  # a Windows processor group holds at most 64 logical CPUs

# IsProcessorFeaturePresent; there is no number for VNNI, BF16 or AMX.
_FEATURES = {37: "sse4_1", 38: "sse4_2", 39: "avx", 40: "avx2", 41: "avx512f"}


def processor_topology() -> Topology | None:
    """Return the topology as Windows reports it, or ``None`` if it will not say."""
    data = _processor_information()
    return parse_processor_information(data) if data else None


def parse_processor_information(data: bytes) -> Topology | None:
    """Decode the records of ``GetLogicalProcessorInformationEx(RelationAll)``.

    Returns:
        The topology, or ``None`` if the bytes name no core or end within a record.
    """
    cores: list[tuple[int, tuple[int, ...]]] = []
    packages: list[tuple[int, ...]] = []
    nodes: list[NumaNode] = []
    caches: list[Cache] = []
    try:
        for relation, body in _records(data):
            if relation == _CORE:
                cores.append((body[1], _masks(body, 22, 24)))
            elif relation == _PACKAGE:
                packages.append(_masks(body, 22, 24))
            elif relation == _NODE:
                nodes.append(NumaNode(struct.unpack_from("<I", body)[0], _masks(body, 22, 24)))
            elif relation == _CACHE:
                level, size, kind = body[0], *struct.unpack_from("<II", body, 4)
                if kind in _CACHE_KINDS:
                    caches.append(Cache(level, _CACHE_KINDS[kind], size // 1024, _masks(body, 30, 32)))
    except (struct.error, IndexError):
        return None
    if not cores:
        return None
    package_of = {cpu: index for index, cpus in enumerate(packages) for cpu in cpus}
    node_of = {cpu: node.node for node in nodes for cpu in node.cpus}
    classes = {efficiency for efficiency, _ in cores}
    cpus = [
        Cpu(cpu, min(members), package_of.get(cpu, 0), node_of.get(cpu, 0), _kind(efficiency, classes))
        for efficiency, members in cores
        for cpu in members
    ]
    ordered = tuple(sorted(cpus, key=lambda cpu: cpu.id))
    everything = (NumaNode(0, tuple(cpu.id for cpu in ordered)),)
    caches.sort(key=lambda cache: (cache.level, cache.kind, cache.cpus))
    nodes.sort(key=lambda node: node.node)
    return Topology(ordered, tuple(nodes) or everything, tuple(caches), "windows")


def processor_features() -> frozenset[str]:
    """Return the instruction sets Windows can name, as /proc/cpuinfo spells them."""
    if sys.platform != "win32":
        return frozenset()
    import ctypes

    present = ctypes.windll.kernel32.IsProcessorFeaturePresent
    return frozenset(name for code, name in _FEATURES.items() if present(code))


def _kind(efficiency: int, classes: set[int]) -> str:
    # The class rises with performance; with three classes (low-power E cores) only the top one is P.
    if len(classes) < 2:
        return ""
    return "P" if efficiency == max(classes) else "E"


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    offset = 0
    while offset < len(data):
        relation, size = struct.unpack_from("<II", data, offset)
        if size < 8 or offset + size > len(data):
            raise struct.error("record exceeds the buffer")
        yield relation, data[offset + 8 : offset + size]
        offset += size


def _masks(body: bytes, count_at: int, masks_at: int) -> tuple[int, ...]:
    # Windows 10 wrote 0 groups for NUMA nodes and caches, meaning the one mask that follows.
    count = max(struct.unpack_from("<H", body, count_at)[0], 1)
    cpus: list[int] = []
    for index in range(count):
        mask, group = struct.unpack_from("<QH", body, masks_at + 16 * index)
        cpus.extend(group * _GROUP_SIZE + bit for bit in range(_GROUP_SIZE) if mask >> bit & 1)
    return tuple(sorted(cpus))


def _processor_information() -> bytes | None:
    if sys.platform != "win32":
        return None
    import ctypes

    function = ctypes.windll.kernel32.GetLogicalProcessorInformationEx
    size = ctypes.c_ulong(0)
    function(_ALL, None, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    if not size.value or not function(_ALL, buffer, ctypes.byref(size)):
        return None
    return buffer.raw[: size.value]

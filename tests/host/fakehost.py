"""Builds small /sys, /proc and cgroup trees for the tests of the host room."""

from __future__ import annotations

from pathlib import Path

SERVER_FLAGS = (
    "fpu sse4_1 sse4_2 avx f16c fma avx2 avx512f avx512bw avx512dq avx512vl avx512_vnni avx512_bf16 "
    "amx_tile amx_int8 amx_bf16 avx_vnni"
)


def write(root: Path, name: str, text: object) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n")
    return path


def cpu(root: Path, number: int, siblings: str, package: int = 0, core_id: int = 0, max_khz: int | None = None) -> None:
    base = f"sys/devices/system/cpu/cpu{number}"
    write(root, f"{base}/topology/physical_package_id", package)
    write(root, f"{base}/topology/core_id", core_id)
    write(root, f"{base}/topology/core_cpus_list", siblings)
    if max_khz:
        write(root, f"{base}/cpufreq/cpuinfo_max_freq", max_khz)


def cache(root: Path, number: int, index: int, level: int, kind: str, size: str, shared: str) -> None:
    base = f"sys/devices/system/cpu/cpu{number}/cache/index{index}"
    for name, value in (("level", level), ("type", kind), ("size", size), ("shared_cpu_list", shared)):
        write(root, f"{base}/{name}", value)


def cpuinfo(root: Path, count: int, flags: str = SERVER_FLAGS, cores: int | None = None, mhz: float = 3000) -> None:
    blocks = [
        "\n".join(
            (
                f"processor\t: {number}",
                "vendor_id\t: GenuineIntel",
                "model name\t: Imaginary Xeon",
                f"cpu MHz\t\t: {mhz}",
                "physical id\t: 0",
                f"core id\t\t: {number % (cores or count)}",
                f"flags\t\t: {flags}",
            )
        )
        for number in range(count)
    ]
    write(root, "proc/cpuinfo", "\n\n".join(blocks))


def smt_server(root: Path) -> None:
    """Two sockets, two NUMA nodes, 2 × 4 cores, 16 threads; core ids repeat in both sockets."""
    write(root, "sys/devices/system/cpu/online", "0-15")
    for number in range(16):
        core = number % 8
        package = core // 4
        cpu(root, number, f"{core},{core + 8}", package, core % 4, 3_500_000)
        cache(root, number, 0, 1, "Data", "48K", f"{core},{core + 8}")
        cache(root, number, 1, 1, "Instruction", "32K", f"{core},{core + 8}")
        cache(root, number, 3, 3, "Unified", "30M", "0-3,8-11" if package == 0 else "4-7,12-15")
    for node, cpus in enumerate(("0-3,8-11", "4-7,12-15")):
        write(root, f"sys/devices/system/node/node{node}/cpulist", cpus)
        write(root, f"sys/devices/system/node/node{node}/meminfo", f"Node {node} MemTotal: 65536000 kB")
    write(root, "sys/devices/system/node/has_cpu", "0-1")
    cpuinfo(root, 16, cores=8)
    write(root, "proc/meminfo", "MemTotal:       131072000 kB\nMemFree: 5 kB")


def hybrid(root: Path, pmu: bool = True, frequencies: bool = True) -> None:
    """Six P cores with two threads (CPU 0-11) and eight E cores (CPU 12-19)."""
    write(root, "sys/devices/system/cpu/online", "0-19")
    for number in range(20):
        efficient = number >= 12
        siblings = str(number) if efficient else f"{number - number % 2}-{number - number % 2 + 1}"
        # Two favoured P cores are a little faster than the others.
        khz = 3_800_000 if efficient else 5_000_000 if number < 4 else 4_900_000
        cpu(root, number, siblings, max_khz=khz if frequencies else None)
    if pmu:
        write(root, "sys/devices/cpu_core/cpus", "0-11")
        write(root, "sys/devices/cpu_atom/cpus", "12-19")


def affinity(root: Path, cpus: str) -> None:
    write(root, "proc/self/status", f"Name:\tpython\nCpus_allowed:\tff\nCpus_allowed_list:\t{cpus}")


def cgroup2(root: Path, path: str, top: str = "/") -> None:
    write(root, "proc/self/cgroup", f"0::{path}")
    write(
        root,
        "proc/self/mountinfo",
        f"31 23 0:28 {top} /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw",
    )


def cgroup1(root: Path, path: str, top: str = "/") -> None:
    write(root, "proc/self/cgroup", f"4:memory:{path}\n3:cpu,cpuacct:{path}\n1:name=systemd:{path}")
    lines = (
        f"32 31 0:29 {top} /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
        f"35 31 0:32 {top} /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
        "36 31 0:33 / /proc rw - proc proc rw",
    )
    write(root, "proc/self/mountinfo", "\n".join(lines))

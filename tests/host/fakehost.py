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


def numa_server(root: Path) -> None:
    """Two sockets of two NUMA nodes of eight cores, 64 threads, numbered as Linux does: siblings are 32 apart."""
    write(root, "sys/devices/system/cpu/online", "0-63")
    for number in range(64):
        core = number % 32
        cpu(root, number, f"{core},{core + 32}", core // 16, core % 16, 3_800_000)
        write(root, f"sys/devices/system/cpu/cpu{number}/cpufreq/scaling_governor", "powersave")
        write(root, f"sys/devices/system/cpu/cpu{number}/cpufreq/scaling_driver", "intel_pstate")
        write(root, f"sys/devices/system/cpu/cpu{number}/cpufreq/scaling_cur_freq", 2_000_000 + number)
        write(root, f"sys/devices/system/cpu/cpu{number}/thermal_throttle/core_throttle_count", 1)
        write(root, f"sys/devices/system/cpu/cpu{number}/thermal_throttle/package_throttle_count", 3)
        cache(root, number, 2, 2, "Unified", "2M", f"{core},{core + 32}")
    for node in range(4):
        first = node * 8
        write(root, f"sys/devices/system/node/node{node}/cpulist", f"{first}-{first + 7},{first + 32}-{first + 39}")
        write(root, f"sys/devices/system/node/node{node}/meminfo", f"Node {node} MemTotal: 67108864 kB")
    write(root, "sys/devices/system/cpu/intel_pstate/no_turbo", 0)
    write(root, "sys/devices/system/cpu/smt/control", "on")
    cpuinfo(root, 64, cores=32)
    affinity(root, "0-63")
    write(root, "proc/meminfo", "MemTotal:       268435456 kB")
    write(
        root, "proc/self/limits", "Limit  Soft Limit  Hard Limit  Units\nMax locked memory  unlimited  unlimited  bytes"
    )


def xeon_e3(root: Path) -> None:
    """Four cores without hyper-threading and without anything newer than AVX2, on the bare machine."""
    write(root, "sys/devices/system/cpu/online", "0-3")
    for number in range(4):
        cpu(root, number, str(number), core_id=number, max_khz=3_700_000)
        write(root, f"sys/devices/system/cpu/cpu{number}/cpufreq/scaling_governor", "powersave")
        write(root, f"sys/devices/system/cpu/cpu{number}/cpufreq/scaling_driver", "acpi-cpufreq")
    write(root, "sys/devices/system/cpu/cpufreq/boost", 1)
    write(root, "sys/class/dmi/id/sys_vendor", "Imaginary Industrial PCs")
    cpuinfo(root, 4, "sse4_1 sse4_2 avx f16c fma avx2")
    affinity(root, "0-3")
    write(root, "proc/self/limits", "Limit  Soft Limit  Hard Limit  Units\nMax locked memory  65536  65536  bytes")


def container(root: Path) -> None:
    """A container that may use one and a half of a server's CPUs, by version 2 of control groups."""
    smt_server(root)
    affinity(root, "0-15")
    cgroup2(root, "/docker/abc", top="/docker/abc")
    write(root, "sys/fs/cgroup/cpu.max", "150000 100000")
    write(root, "sys/fs/cgroup/cpu.stat", "nr_periods 90\nnr_throttled 7\nthrottled_usec 81000")
    write(root, "sys/fs/cgroup/memory.max", 2 * 1024**3)


def container1(root: Path) -> None:
    """The same by version 1."""
    smt_server(root)
    affinity(root, "0-15")
    cgroup1(root, "/docker/abc")
    for name, value in (("cfs_quota_us", 150000), ("cfs_period_us", 100000)):
        write(root, f"sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.{name}", value)
    write(root, "sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.stat", "nr_throttled 7\nthrottled_time 81000000")


def one_cpu(root: Path) -> None:
    """A cpuset of CPU 1 alone, which the affinity mask of the recorded process does not show."""
    xeon_e3(root)
    cgroup2(root, "/job")
    write(root, "sys/fs/cgroup/job/cpuset.cpus.effective", "1")


def no_sys(root: Path) -> None:
    """Only /proc, as some sandboxes have it."""
    cpuinfo(root, 8, cores=4)
    affinity(root, "0-7")
    write(root, "proc/meminfo", "MemTotal:       16777216 kB")

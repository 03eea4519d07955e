"""Machines that are not here: recorded, opened, and described by the code that describes this one."""

from __future__ import annotations

import sys

import fakehost
import msgspec
import pytest

from workbench.errors import UserError
from workbench.host import recorded
from workbench.host.engines import EngineStatus
from workbench.host.machine import HostInfo, describe_host

SEES = {"governor", "turbo", "clock rates", "caches", "thermal throttling", "locked memory", "quota throttling"}


def reopened(root, tmp_path) -> HostInfo:
    """Record the tree as a machine, and open it from the file alone."""
    place = tmp_path / "host.json"
    recorded.save(recorded.record(root, with_engines=False), place)
    return recorded.describe(recorded.load(place))


# machine → what its files say: packages, cores, threads of the CPU, default number of threads, level of INT8, presets
MACHINES = {
    "numa_server": (
        2,
        32,
        64,
        32,
        "amx_int8",
        {"one-per-core": 32, "node-0": 8, "node-1": 8, "node-2": 8, "node-3": 8},
    ),
    "hybrid": (1, 14, 20, 14, "avx_vnni", {"p-cores": 12, "p-cores-one-thread": 6, "one-per-core": 14}),
    "xeon_e3": (1, 4, 4, 4, "avx2", {}),
    "container": (2, 8, 16, 1, "amx_int8", {"one-per-core": 8, "node-0": 4, "node-1": 4}),
    "container1": (2, 8, 16, 1, "amx_int8", {"one-per-core": 8, "node-0": 4, "node-1": 4}),
    "one_cpu": (1, 4, 4, 1, "avx2", {}),
    "no_sys": (1, 4, 8, 4, "amx_int8", {"one-per-core": 4}),
}


@pytest.fixture(params=MACHINES)
def machine(request, tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    getattr(fakehost, request.param)(root)
    if request.param == "hybrid":
        fakehost.cpuinfo(root, 20, "sse4_1 sse4_2 avx f16c fma avx2 avx_vnni")
        fakehost.affinity(root, "0-19")
    return request.param, reopened(root, tmp_path)


def test_cores_threads_and_presets(machine):
    name, info = machine
    packages, cores, cpus, threads, level, presets = MACHINES[name]
    assert (info.cpu.packages, info.cpu.physical_cores, info.cpu.logical_cpus) == (packages, cores, cpus)
    assert info.default_threads == threads
    assert info.cpu.int8_level == level
    sizes = {preset: len(members) for preset, members in info.affinity_presets.items() if preset != "all"}
    assert sizes == presets
    assert info.recorded and info.glibc is (None if sys.platform != "linux" else info.glibc)
    usable = set(info.usable_cpus)
    assert all(usable.issuperset(members) for members in info.affinity_presets.values())


def test_what_limits_them_is_said(machine):
    name, info = machine
    text = " ".join(info.warnings)
    assert ("1.5 CPUs" in text) == name.startswith("container")
    assert info.cpu_quota == (1.5 if name.startswith("container") else None)
    assert ("Only CPUs 1 of 4" in text) == (name == "one_cpu")
    assert ("no VNNI" in text) == (name in ("xeon_e3", "one_cpu"))
    assert ("NUMA" in text) == (name in ("numa_server", "container", "container1"))
    assert ("E cores gate every parallel region" in text) == (name == "hybrid")


def test_counters_and_what_cannot_be_read(machine):
    name, info = machine
    if name.startswith("container"):
        assert (info.quota_throttles, info.quota_throttled_ms, info.container) == (7, 81.0, "Docker")
    if name == "container":
        assert info.memory_limit_mb == 2048
    if name == "numa_server":
        assert (info.governor, info.driver, info.turbo) == ("powersave", "intel_pstate", True)
        assert info.mhz is not None and info.mhz[0] == 2000.0
        assert (info.thermal_throttles, info.mlock_limit_kb) == (64 + 3, -1)
        assert not info.unread.keys() & (SEES - {"quota throttling"})
        commands = " ".join(one.command for one in info.advice)
        assert "scaling_governor" in commands and "smt/control" in commands and "isolcpus=16-31" in commands
    if name == "xeon_e3":
        assert info.mlock_limit_kb == 64 and info.virtual_machine is None and info.container is None
        assert "lowest clock" in info.advice[0].text
    if name == "hybrid":
        assert any("isolcpus=6,8,10 " in one.command for one in info.advice), "E cores are not what a tail wants"
    if name == "one_cpu":
        assert info.usable_cpus == info.cpuset == (1,)
    if name == "no_sys":
        assert set(info.unread) >= {"governor", "turbo", "caches", "thermal throttling"}
        assert info.unread["governor"] == "/sys cannot be read"
        assert info.topology_source == "cpuinfo"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("proc/self/cgroup", "0::/kubepods/burstable/pod1", "Kubernetes"),
        ("run/.containerenv", "", "Podman"),
        ("run/systemd/container", "systemd-nspawn", "systemd-nspawn"),
        ("proc/version", "Linux version 5.15 Microsoft", "WSL"),
    ],
)
def test_containers_are_recognised(tmp_path, name, text, expected):
    fakehost.xeon_e3(tmp_path)
    fakehost.write(tmp_path, name, text)
    info = describe_host(root=tmp_path, with_engines=False)
    assert info.container == expected


@pytest.mark.parametrize(
    ("flags", "vendor", "expected"),
    [
        ("avx2", "", None),
        ("avx2 hypervisor", "", "unknown"),
        ("avx2 hypervisor", "QEMU", "QEMU"),
        ("avx2", "VMware, Inc.", "VMware"),
    ],
)
def test_virtual_machines_are_recognised(tmp_path, flags, vendor, expected):
    fakehost.cpuinfo(tmp_path, 2, flags)
    fakehost.write(tmp_path, "sys/class/dmi/id/sys_vendor", vendor)
    assert describe_host(root=tmp_path, with_engines=False).virtual_machine == expected


@pytest.mark.skipif(sys.platform != "linux", reason="this system describes itself by functions, not by files")
def test_this_machine_is_the_same_when_it_is_opened_from_its_file(tmp_path):
    here, found = describe_host(with_engines=False), recorded.describe(recorded.record(with_engines=False))
    moving = {"mhz", "thermal_throttles", "quota_throttles", "quota_throttled_ms", "recorded"}
    for name in set(HostInfo.__struct_fields__) - moving:
        assert getattr(found, name) == getattr(here, name), name


def test_engines_are_those_of_the_recorded_machine(tmp_path):
    fakehost.xeon_e3(tmp_path)
    status = EngineStatus("ipex", False, None, "no AVX-512")
    found = recorded.record(tmp_path, with_engines=False)
    found = msgspec.structs.replace(found, engines=(status,), glibc="2.17", python="3.8.1")
    info = recorded.describe(found)
    assert info.engines == (status,) and (info.glibc, info.python) == ("2.17", "3.8.1")
    assert "glibc" not in info.unread


def test_nothing_but_the_machine_is_kept(tmp_path):
    fakehost.container(tmp_path)
    secret = "22 1 8:1 /home/somebody /mnt/private rw - ext4 /dev/sda1 rw"
    mounts = (tmp_path / "proc/self/mountinfo").read_text()
    fakehost.write(tmp_path, "proc/self/mountinfo", f"{secret}\n{mounts}")
    files = recorded.record(tmp_path, with_engines=False).files
    assert "private" not in files["proc/self/mountinfo"] and "cgroup2" in files["proc/self/mountinfo"]
    assert "python" not in files["proc/self/status"]


@pytest.mark.parametrize(
    "content",
    ["no json", "[]", '{"format": 9, "files": {}}', '{"files": {"../escape": "x"}}', '{"files": {"/etc/x": "x"}}'],
)
def test_a_broken_file_is_refused_in_words(tmp_path, content):
    place = tmp_path / "host.json"
    place.write_text(content)
    with pytest.raises(UserError) as refused:
        recorded.describe(recorded.load(place))
    assert refused.value.why
    assert not (tmp_path.parent / "escape").exists()


def test_a_system_without_proc_cannot_be_recorded(tmp_path):
    with pytest.raises(UserError, match="cannot be recorded"):
        recorded.record(tmp_path)


def test_one_core_is_no_cores(tmp_path):
    from rich.console import Console

    from workbench.tables.host import show

    fakehost.cpuinfo(tmp_path, 1, "avx2", cores=1)
    fakehost.affinity(tmp_path, "0")
    screen = Console(width=200)
    with screen.capture() as said:
        screen.print(show(describe_host(root=tmp_path, with_engines=False)))
    assert "(1 core, " in said.get() and "; 1 thread by default" in said.get()

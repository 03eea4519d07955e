from __future__ import annotations

import fakehost
import pytest

from workbench.host import limits

GROUP = "sys/fs/cgroup"


@pytest.fixture
def server(tmp_path):
    fakehost.smt_server(tmp_path)
    fakehost.affinity(tmp_path, "0-15")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "quota"),
    [
        ("400000 100000", 4.0),
        ("max 100000", None),
        ("max", None),
        ("150000 100000", 1.5),
        ("50000", 0.5),
        ("", None),
        ("0 100000", None),
        ("100000 0", None),
        ("nonsense here", None),
    ],
)
def test_quota_of_version_2(server, text, quota):
    fakehost.cgroup2(server, "/job")
    fakehost.write(server, f"{GROUP}/job/cpu.max", text)
    assert limits.cpu_quota(server) == quota


@pytest.mark.parametrize(("micros", "quota"), [(-1, None), (250000, 2.5), ("x", None)])
def test_quota_of_version_1(server, micros, quota):
    fakehost.cgroup1(server, "/docker/abc")
    fakehost.write(server, f"{GROUP}/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", micros)
    fakehost.write(server, f"{GROUP}/cpu,cpuacct/docker/abc/cpu.cfs_period_us", 100000)
    assert limits.cpu_quota(server) == quota


def test_tightest_parent_wins(server):
    fakehost.cgroup2(server, "/a/b/c")
    fakehost.write(server, f"{GROUP}/a/b/c/cpu.max", "max 100000")
    fakehost.write(server, f"{GROUP}/a/b/cpu.max", "800000 100000")
    fakehost.write(server, f"{GROUP}/a/cpu.max", "300000 100000")
    fakehost.write(server, f"{GROUP}/cpu.max", "900000 100000")
    assert limits.cpu_quota(server) == 3.0
    assert limits.usable_physical_cores(server) == 3


def test_container_sees_its_own_group_as_the_mount(server):
    fakehost.cgroup1(server, "/docker/abc", top="/docker/abc")
    fakehost.write(server, f"{GROUP}/cpu,cpuacct/cpu.cfs_quota_us", 200000)
    fakehost.write(server, f"{GROUP}/cpu,cpuacct/cpu.cfs_period_us", 100000)
    assert limits.cpu_quota(server) == 2.0


@pytest.mark.parametrize("path", ["/../../elsewhere", "/host/path/that/is/not/mounted", "/"])
def test_unreachable_group_falls_back_to_the_mount(server, path):
    fakehost.cgroup2(server, path, top="/" if path != "/" else "/docker/abc")
    fakehost.write(server, f"{GROUP}/cpu.max", "600000 100000")
    assert limits.cpu_quota(server) == 6.0


def test_usual_places_without_mountinfo(server):
    fakehost.write(server, f"{GROUP}/cpu.max", "700000 100000")
    assert limits.cpu_quota(server) == 7.0


def test_no_cgroups_at_all(server):
    assert limits.cpu_quota(server) is None
    assert limits.memory_limit_mb(server) is None
    assert limits.throttling(server) is None


def test_mount_point_with_a_space(server):
    fakehost.write(server, "proc/self/cgroup", "0::/")
    fakehost.write(server, "proc/self/mountinfo", "31 23 0:28 / /sys/fs/my\\040groups rw - cgroup2 none rw")
    fakehost.write(server, "sys/fs/my groups/cpu.max", "100000 100000")
    assert limits.cpu_quota(server) == 1.0


def test_threads_default_to_physical_cores(server):
    assert limits.usable_physical_cores(server) == 8
    fakehost.affinity(server, "0-1,8-9")
    assert limits.usable_cpus(server) == (0, 1, 8, 9)
    assert limits.usable_physical_cores(server) == 2


@pytest.mark.parametrize(("quota", "threads"), [(250000, 2), (50000, 1), (199999, 1), (400000, 4), (3200000, 8)])
def test_whole_cpus_of_the_quota_cap_the_default(server, quota, threads):
    fakehost.cgroup2(server, "/")
    fakehost.write(server, f"{GROUP}/cpu.max", f"{quota} 100000")
    assert limits.usable_physical_cores(server) == threads


def test_offline_cpus_are_not_usable(server):
    fakehost.write(server, "sys/devices/system/cpu/online", "0-3")
    assert limits.usable_cpus(server) == (0, 1, 2, 3)


@pytest.mark.parametrize(("usable", "threads"), [("0-19", 14), ("0-11", 6), ("12-15", 4), ("0-1,12", 2)])
def test_p_and_e_cores_count_alike(tmp_path, usable, threads):
    fakehost.hybrid(tmp_path)
    fakehost.affinity(tmp_path, usable)
    assert limits.usable_physical_cores(tmp_path) == threads


def test_memory(server):
    assert limits.memory_total_mb(server) == 128000
    fakehost.cgroup2(server, "/a/b")
    fakehost.write(server, f"{GROUP}/a/b/memory.max", "max")
    fakehost.write(server, f"{GROUP}/a/memory.max", 4 * 1024**3)
    assert limits.memory_limit_mb(server) == 4096


def test_unlimited_memory_of_version_1(server):
    fakehost.cgroup1(server, "/x")
    fakehost.write(server, f"{GROUP}/memory/x/memory.limit_in_bytes", 9223372036854771712)
    assert limits.memory_limit_mb(server) is None


def test_throttling_sums_all_levels(server):
    fakehost.cgroup2(server, "/a/b")
    fakehost.write(server, f"{GROUP}/a/b/cpu.stat", "usage_usec 9\nnr_throttled 3\nthrottled_usec 2500")
    fakehost.write(server, f"{GROUP}/a/cpu.stat", "nr_throttled 2\nthrottled_usec 500\nbroken")
    fakehost.write(server, f"{GROUP}/cpu.stat", "usage_usec 9")
    assert limits.throttling(server) == limits.Throttling(5, 3.0)


def test_throttling_of_version_1_is_in_nanoseconds(server):
    fakehost.cgroup1(server, "/x")
    fakehost.write(server, f"{GROUP}/cpu,cpuacct/x/cpu.stat", "nr_periods 9\nnr_throttled 4\nthrottled_time 7000000")
    assert limits.throttling(server) == limits.Throttling(4, 7.0)


def test_empty_root_still_answers(tmp_path):
    assert limits.usable_cpus(tmp_path)
    assert limits.usable_physical_cores(tmp_path) >= 1
    assert limits.memory_total_mb(tmp_path) > 0

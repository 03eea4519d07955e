from __future__ import annotations

import struct

import fakehost
import pytest

from workbench.host import topology as topology_module
from workbench.host.affinity import affinity_presets
from workbench.host.topology import format_cpu_list, parse_cpu_list, read_topology
from workbench.host.windows import parse_processor_information


@pytest.mark.parametrize(
    ("text", "cpus"),
    [
        ("0-3,8", (0, 1, 2, 3, 8)),
        ("", ()),
        ("5", (5,)),
        (" 3 , 1-2\n", (1, 2, 3)),
        ("1,1,0-1", (0, 1)),
    ],
)
def test_cpu_list_is_parsed(text, cpus):
    assert parse_cpu_list(text) == cpus


@pytest.mark.parametrize("text", ["3-1", "a", "0-", "-1", "1-2-3", "0-999999999", "0x3"])
def test_wrong_cpu_list_is_refused(text):
    with pytest.raises(ValueError, match="not a"):
        parse_cpu_list(text)


@pytest.mark.parametrize("text", ["0-3,8", "", "5", "0,2,4-6"])
def test_cpu_list_survives_a_round_trip(text):
    assert format_cpu_list(parse_cpu_list(text)) == text


def test_smt_server_with_two_nodes(tmp_path):
    fakehost.smt_server(tmp_path)
    found = read_topology(tmp_path)
    assert (found.logical_cpus, found.physical_cores, found.smt, found.hybrid) == (16, 8, True, False)
    assert found.packages == (0, 1)
    assert [node.cpus for node in found.nodes] == [(0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15)]
    assert [node.memory_mb for node in found.nodes] == [64000, 64000]
    assert found.cpus[12].node == 1 and found.cpus[12].core == 4 and found.cpus[12].package == 1
    assert found.cpus[0].max_mhz == 3500
    assert found.one_per_core() == tuple(range(8))
    sizes = {(cache.name, cache.size_kb): 0 for cache in found.caches}
    assert sizes.keys() == {("L1d", 48), ("L1i", 32), ("L3", 30 * 1024)}
    assert sum(cache.name == "L3" for cache in found.caches) == 2
    assert affinity_presets(found, range(16)) == {
        "one-per-core": tuple(range(8)), "node-0": (0, 1, 2, 3), "node-1": (4, 5, 6, 7), "all": tuple(range(16)),
    }  # fmt: skip
    assert affinity_presets(found, range(4)) == {}


def test_offline_siblings_do_not_count(tmp_path):
    fakehost.smt_server(tmp_path)
    fakehost.write(tmp_path, "sys/devices/system/cpu/online", "0-7")
    found = read_topology(tmp_path)
    assert (found.logical_cpus, found.physical_cores, found.smt) == (8, 8, False)
    assert list(affinity_presets(found, found.online)) == ["node-0", "node-1", "all"]


@pytest.mark.parametrize(("pmu", "frequencies"), [(True, False), (False, True), (True, True)])
def test_hybrid_is_recognised(tmp_path, pmu, frequencies):
    fakehost.hybrid(tmp_path, pmu, frequencies)
    found = read_topology(tmp_path)
    assert found.hybrid and found.smt
    assert found.physical_cores == 14
    assert "".join(cpu.kind for cpu in found.cpus) == "P" * 12 + "E" * 8
    assert found.one_per_core(kind="P") == (0, 2, 4, 6, 8, 10)
    presets = affinity_presets(found, found.online)
    assert list(presets) == ["p-cores", "p-cores-one-thread", "one-per-core", "all"]
    assert presets["p-cores"] == tuple(range(12))
    assert affinity_presets(found, range(12, 20)) == {}


def test_capacity_tells_kinds_apart_and_favoured_cores_do_not(tmp_path):
    fakehost.hybrid(tmp_path, pmu=False, frequencies=False)
    for number in range(20):
        capacity = 620 if number >= 12 else 1024 if number < 4 else 1000
        fakehost.write(tmp_path, f"sys/devices/system/cpu/cpu{number}/cpu_capacity", capacity)
    assert "".join(cpu.kind for cpu in read_topology(tmp_path).cpus) == "P" * 12 + "E" * 8
    for number in range(12, 20):
        fakehost.write(tmp_path, f"sys/devices/system/cpu/cpu{number}/cpu_capacity", 950)
    assert not read_topology(tmp_path).hybrid


def test_cpuinfo_stands_in_for_sysfs(tmp_path):
    fakehost.cpuinfo(tmp_path, 8, cores=4)
    found = read_topology(tmp_path)
    assert found.source == "cpuinfo"
    assert (found.logical_cpus, found.physical_cores, found.smt) == (8, 4, True)
    assert found.cpus[5].core == 1


@pytest.mark.parametrize(
    ("logical", "physical", "cores"),
    [
        (4, 4, [0, 1, 2, 3]),
        (4, 2, [0, 0, 2, 2]),
        (5, 4, [0, 0, 2, 3, 4]),
        (2, 0, [0, 0]),
        (1, 4, [0]),
    ],
)
def test_bare_counts_are_the_last_resort(tmp_path, monkeypatch, logical, physical, cores):
    monkeypatch.setattr(topology_module, "_psutil_counts", lambda: (logical, physical))
    found = read_topology(tmp_path)
    assert found.source == "psutil"
    assert [cpu.core for cpu in found.cpus] == cores


def test_broken_files_are_unknown_not_errors(tmp_path):
    fakehost.smt_server(tmp_path)
    base = "sys/devices/system/cpu"
    fakehost.write(tmp_path, f"{base}/cpu3/topology/core_cpus_list", "garbage")
    fakehost.write(tmp_path, f"{base}/cpu3/topology/physical_package_id", "-1")
    fakehost.write(tmp_path, f"{base}/cpu0/cache/index0/size", "big")
    fakehost.write(tmp_path, "sys/devices/system/node/node0/cpulist", "?")
    found = read_topology(tmp_path)
    assert found.logical_cpus == 16
    assert found.nodes[0].cpus == ()


def test_this_machine_answers():
    found = read_topology()
    assert found.logical_cpus >= found.physical_cores >= 1
    assert {cpu for node in found.nodes for cpu in node.cpus} == set(found.online)


def _record(relation: int, body: bytes) -> bytes:
    return struct.pack("<II", relation, 8 + len(body)) + body


def _groups(*masks: int) -> bytes:
    return b"".join(struct.pack("<QH6x", mask, group) for group, mask in enumerate(masks))


def _core(mask: int, efficiency: int) -> bytes:
    return _record(0, struct.pack("<BB20xH", 1, efficiency, 1) + _groups(mask))


def _windows_hybrid() -> bytes:
    cache = struct.pack("<BBHII18xH", 2, 8, 64, 1280 * 1024, 0, 1) + _groups(0b11)
    node = struct.pack("<I18xH", 0, 0) + _groups(0b1111)
    package = struct.pack("<BB20xH", 0, 0, 1) + _groups(0b1111)
    return b"".join(
        (
            _core(0b11, 1),
            _core(0b100, 0),
            _core(0b1000, 0),
            _record(2, cache),
            _record(1, node),
            _record(3, package),
        )
    )


def test_windows_records_are_decoded():
    found = parse_processor_information(_windows_hybrid())
    assert found is not None
    assert [(cpu.id, cpu.core, cpu.kind) for cpu in found.cpus] == [
        (0, 0, "P"),
        (1, 0, "P"),
        (2, 2, "E"),
        (3, 3, "E"),
    ]
    assert found.nodes[0].cpus == (0, 1, 2, 3)
    assert (found.caches[0].name, found.caches[0].size_kb, found.caches[0].cpus) == ("L2", 1280, (0, 1))


def test_windows_core_of_the_second_group():
    body = struct.pack("<BB20xH", 0, 0, 1) + struct.pack("<QH6x", 1, 1)
    found = parse_processor_information(_record(0, body))
    assert found is not None and found.online == (64,)


@pytest.mark.parametrize("data", [b"", b"\0\0", _core(1, 0)[:-8], _record(0, b""), struct.pack("<II", 0, 0)])
def test_damaged_windows_records_give_nothing(data):
    assert parse_processor_information(data) is None

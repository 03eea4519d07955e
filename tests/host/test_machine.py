from __future__ import annotations

import getpass
import json
import platform
import subprocess
import sys
import time
from pathlib import Path

import fakehost
import msgspec
import pytest

from workbench.host.engines import EngineStatus
from workbench.host.machine import HostInfo, describe_host

ROOT = Path(__file__).parents[2]
MODULES = sorted(path.stem for path in (ROOT / "workbench/host").glob("*.py"))


@pytest.fixture(autouse=True)
def engines_known(monkeypatch):
    status = EngineStatus("torch", False, None, "PyTorch is not installed.")
    monkeypatch.setattr("workbench.host.machine.list_engines", lambda *_, **__: (status,))


def test_json_is_the_contract(tmp_path):
    fakehost.smt_server(tmp_path)
    fakehost.affinity(tmp_path, "0-3,8-11")
    fakehost.cgroup2(tmp_path, "/")
    fakehost.write(tmp_path, "sys/fs/cgroup/cpu.max", "250000 100000")
    fakehost.write(tmp_path, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance")
    fakehost.write(tmp_path, "etc/os-release", 'NAME="X"\nPRETTY_NAME="Imaginary Linux 9"')
    info = json.loads(msgspec.json.encode(describe_host(root=tmp_path)))
    assert {
        "cpu", "usable_cpus", "cpu_quota", "memory_mb", "governor", "os", "glibc", "engines",
    } <= info.keys()  # fmt: skip
    cpu = info["cpu"]
    assert {
        "model", "vendor", "isa", "physical_cores", "logical_cpus", "smt", "hybrid", "numa_nodes", "caches",
    } <= cpu.keys()  # fmt: skip
    assert (cpu["model"], cpu["vendor"]) == ("Imaginary Xeon", "GenuineIntel")
    assert (cpu["physical_cores"], cpu["logical_cpus"], cpu["smt"], cpu["hybrid"]) == (8, 16, True, False)
    assert cpu["int8_level"] == "amx_int8"
    assert cpu["caches"]["L3"] == {"size_kb": 30720, "count": 2, "total_kb": 61440}
    assert len(cpu["numa_nodes"]) == 2
    assert info["usable_cpus"] == [0, 1, 2, 3, 8, 9, 10, 11]
    assert (info["cpu_quota"], info["default_threads"], info["memory_mb"]) == (2.5, 2, 128000)
    assert info["governor"] == "performance"
    if sys.platform == "linux":
        assert info["os"].startswith("Imaginary Linux 9")
    assert {"name", "available", "version", "reason"} <= info["engines"][0].keys()


def test_record_survives_json():
    info = describe_host()
    assert msgspec.json.decode(msgspec.json.encode(info), type=HostInfo) == info


def test_nothing_is_known(tmp_path):
    info = describe_host(root=tmp_path)
    assert info.cpu.logical_cpus >= 1
    assert info.cpu_quota is None and info.governor is None


def test_no_names_of_people_or_machines():
    text = msgspec.json.encode(describe_host()).decode()
    for name in (platform.node(), getpass.getuser(), str(Path.home())):
        if len(name) > 4:
            assert name not in text


def test_warm_answer_is_quick(tmp_path):
    fakehost.smt_server(tmp_path)
    describe_host(root=tmp_path)
    fastest = 1.0
    for _ in range(5):
        started = time.perf_counter()
        describe_host(root=tmp_path)
        fastest = min(fastest, time.perf_counter() - started)
    assert fastest < 0.1


def test_the_room_loads_no_heavy_library():
    names = ", ".join(f"workbench.host.{name}" for name in MODULES if name != "__init__")
    heavy = ("torch", "numpy", "onnxruntime", "intel_extension_for_pytorch", "PySide6", "cv2")
    code = f"import sys, {names}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

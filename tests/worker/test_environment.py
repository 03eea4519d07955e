"""What a worker is started with follows from the config, never from the shell it happens to be started in."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.config import Config
from workbench.errors import UserError
from workbench.host.limits import usable_cpus, usable_physical_cores
from workbench.host.topology import Cpu, NumaNode, Topology
from workbench.worker import environment
from workbench.worker.environment import surroundings

CPUS = usable_cpus()
SHELL = {"PATH": "/bin", "HOME": "/home/someone", "PYTHONPATH": "/lib/mine"}


def around(shell=None, **knobs):
    return surroundings(Config(dict(knobs)), {**SHELL, **(shell or {})})


def refused(**knobs) -> UserError:
    with pytest.raises(UserError) as caught:
        around(**knobs)
    return caught.value


def test_by_default_there_are_as_many_threads_as_physical_cores_and_no_pinning():
    result = around()
    assert result.threads == usable_physical_cores()
    assert result.variables["OMP_NUM_THREADS"] == str(usable_physical_cores())
    assert result.cpus == ()


def test_a_thread_count_is_passed_on_and_minus_one_leaves_it_to_the_library():
    assert around(**{"runtime.threads": 3}).variables["OMP_NUM_THREADS"] == "3"
    result = around(**{"runtime.threads": -1})
    assert result.threads == -1
    assert "OMP_NUM_THREADS" not in result.variables


def test_affinity_is_a_list_of_cpus_and_decides_the_default_threads():
    result = around(**{"runtime.affinity": str(CPUS[0])})
    assert result.cpus == (CPUS[0],)
    assert result.threads == 1
    assert around(**{"runtime.affinity": str(CPUS[0]), "runtime.threads": 4}).threads == 4


@pytest.mark.parametrize("text", ["4096", "0-4096", "0,4096"])
def test_a_cpu_that_does_not_exist_is_named(text):
    error = refused(**{"runtime.affinity": text})
    assert "4096" in error.what
    assert "may use" in error.why
    assert "runtime.affinity" in error.next_step


@pytest.mark.parametrize("text", ["a", "0-", "3-1", "0;1", ",", "-1", "1.5"])
def test_text_that_is_no_list_of_cpus_is_refused(text):
    error = refused(**{"runtime.affinity": text})
    assert f"'{text}'" in error.what or "names no CPU" in error.what


@pytest.fixture
def two_nodes(monkeypatch):
    """Two nodes of four CPUs with two threads per core, of which 0-3 and 6 may be used."""
    cpus = tuple(Cpu(id=n, core=n // 2 * 2, package=n // 4, node=n // 4) for n in range(8))
    nodes = (NumaNode(0, (0, 1, 2, 3), 1000), NumaNode(1, (4, 5, 6, 7), 1000), NumaNode(2, (5,), 10))
    topology = Topology(cpus=cpus, nodes=nodes, caches=(), source="a test")
    monkeypatch.setattr(environment, "read_topology", lambda: topology)
    monkeypatch.setattr(environment, "usable_cpus", lambda: (0, 1, 2, 3, 6))
    monkeypatch.setattr(environment, "usable_physical_cores", lambda: 3)


def test_a_numa_node_stands_for_its_usable_cpus(two_nodes):
    assert around(**{"runtime.numa_node": 0}).cpus == (0, 1, 2, 3)
    assert around(**{"runtime.numa_node": 0}).threads == 2
    assert around(**{"runtime.numa_node": 1}).cpus == (6,)
    assert around(**{"runtime.numa_node": 1}).threads == 1


def test_a_numa_node_that_is_not_there_or_not_usable_is_refused(two_nodes):
    assert "no NUMA node 7" in refused(**{"runtime.numa_node": 7}).what
    assert "0, 1, 2" in refused(**{"runtime.numa_node": 7}).why
    assert "node 2 may be used" in refused(**{"runtime.numa_node": 2}).what


def test_threads_of_a_pinned_worker_are_its_cores_but_not_more_than_the_quota(two_nodes):
    assert around(**{"runtime.affinity": "0-3"}).threads == 2
    assert around(**{"runtime.affinity": "0-3,6"}).threads == 3


@pytest.mark.parametrize(
    "variable",
    [
        "OMP_NUM_THREADS", "OMP_WAIT_POLICY", "OMP_PROC_BIND", "KMP_AFFINITY", "KMP_BLOCKTIME", "GOMP_SPINCOUNT",
        "GOMP_CPU_AFFINITY", "MKL_NUM_THREADS", "ONEDNN_MAX_CPU_ISA", "DNNL_VERBOSE", "ATEN_CPU_CAPABILITY",
        "FBGEMM_ENABLE_INSTRUCTIONS", "LD_PRELOAD", "TORCH_LOGS", "OPENBLAS_NUM_THREADS", "TORCHINDUCTOR_MAX_AUTOTUNE",
    ],
)  # fmt: skip
def test_what_the_shell_sets_does_not_turn_a_knob(variable):
    assert around({variable: "77"}).variables.get(variable) != "77"


def test_what_was_left_behind_is_said_where_somebody_meant_something_by_it():
    assert around({"OMP_NUM_THREADS": "77", "LD_PRELOAD": "x"}).notes == ()
    (note,) = around({"KMP_BLOCKTIME": "1", "GOMP_SPINCOUNT": "9"}).notes
    assert "GOMP_SPINCOUNT, KMP_BLOCKTIME of this shell did not reach the worker" in note
    assert "KMP_BLOCKTIME would have no effect anyway under libgomp" in note
    (note,) = around({"GOMP_SPINCOUNT": "9"}).notes
    assert "libgomp" not in note


def test_kmp_variables_under_intels_runtime_are_not_called_useless(monkeypatch):
    monkeypatch.setattr(environment, "find_library", lambda name: Path(f"/lib/{name}.so"))
    (note,) = around({"KMP_BLOCKTIME": "1"}, **{"runtime.openmp": "iomp"}).notes
    assert "did not reach" in note and "no effect" not in note


def test_the_rest_of_the_shell_is_passed_on():
    assert SHELL.items() <= around().variables.items()
    assert around().variables["PYTHONUNBUFFERED"] == "1"
    assert around().variables["OPENBLAS_NUM_THREADS"] == "1"
    assert around().variables["TORCHINDUCTOR_COMPILE_THREADS"] == "1"


def test_the_own_environment_is_the_default(monkeypatch):
    monkeypatch.setenv("WORKBENCH_SOMETHING", "yes")
    monkeypatch.setenv("KMP_BLOCKTIME", "1")
    variables = surroundings(Config()).variables
    assert variables["WORKBENCH_SOMETHING"] == "yes"
    assert "KMP_BLOCKTIME" not in variables


@pytest.mark.parametrize(
    ("limit", "onednn", "aten", "others"),
    [("avx2", "AVX2", "avx2", "AVX2"), ("avx512", "AVX512_CORE", "avx512", "AVX512"), ("none", None, None, None)],
)
def test_an_isa_limit_reaches_every_library_that_has_kernels(limit, onednn, aten, others):
    variables = around(**{"runtime.isa_limit": limit}).variables
    assert variables.get("ONEDNN_MAX_CPU_ISA") == onednn
    assert variables.get("ATEN_CPU_CAPABILITY") == aten
    assert variables.get("MKL_ENABLE_INSTRUCTIONS") == variables.get("FBGEMM_ENABLE_INSTRUCTIONS") == others


@pytest.mark.parametrize(("policy", "said"), [("default", None), ("active", "active"), ("passive", "passive")])
def test_a_wait_policy_is_a_variable(policy, said):
    assert around(**{"runtime.wait_policy": policy}).variables.get("OMP_WAIT_POLICY") == said


@pytest.mark.parametrize(
    ("knob", "value", "command"),
    [
        ("runtime.openmp", "iomp", "pip install 'inference-workbench[iomp]'"),
        ("runtime.allocator", "jemalloc", "apt install libjemalloc2"),
        ("runtime.allocator", "tcmalloc", "apt install libtcmalloc-minimal4"),
    ],
)
def test_a_library_that_is_not_there_is_refused_with_the_command_that_brings_it(monkeypatch, knob, value, command):
    monkeypatch.setattr(environment, "find_library", lambda name: None)
    error = refused(**{knob: value})
    assert f"{knob}={value}" in error.what
    assert command in error.next_step


def test_libraries_are_preloaded_in_place_of_what_the_shell_preloads(monkeypatch):
    monkeypatch.setattr(environment, "find_library", lambda name: Path(f"/lib/{name}.so"))
    result = around({"LD_PRELOAD": "/evil.so"}, **{"runtime.openmp": "iomp", "runtime.allocator": "jemalloc"})
    assert result.variables["LD_PRELOAD"] == "/lib/iomp.so:/lib/jemalloc.so"
    assert "LD_PRELOAD" not in around({"LD_PRELOAD": "/evil.so"}).variables

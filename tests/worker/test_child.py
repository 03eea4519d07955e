"""What the child cannot have it tells, and goes on without."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from workbench.core.trial import Trial
from workbench.host.limits import usable_cpus
from workbench.host.topology import read_topology
from workbench.study.store import Store

CONFINED = """
import sys
import msgspec
from fake_engine import MODULES, model
from refused_calls import MEMORY_POLICY, refuse
from workbench.core.config import Config
from workbench.host.machine import describe_host
from workbench.study.runner import Runner, Subject
from workbench.study.store import Store
try:
    refuse(*MEMORY_POLICY)
except OSError as error:
    sys.exit(f"no filter: {error}")
runner = Runner(Store(sys.argv[1]), modules=MODULES, host=describe_host(with_engines=False))
trial = runner.measure(Subject(model()), Config({"runtime.numa_node": int(sys.argv[2])}), runs=5)
sys.stdout.buffer.write(msgspec.json.encode(trial))
"""
"""Measures in a process that is confined as in a container, and so is its worker."""


@pytest.mark.usefixtures("nothing_left")
def test_where_memory_may_not_be_bound_only_the_cpus_are_and_the_trial_says_why(tmp_path):
    nodes = {node.node: sorted(set(node.cpus) & set(usable_cpus())) for node in read_topology().nodes}
    number = next((number for number, cpus in nodes.items() if cpus), None)
    if number is None:
        pytest.skip("this machine shows no NUMA node")
    command = [sys.executable, "-c", CONFINED, str(tmp_path / "s.sqlite"), str(number)]
    done = subprocess.run(command, capture_output=True, timeout=100, check=False)
    if done.stderr.startswith(b"no filter"):
        pytest.skip(f"system calls cannot be refused here: {done.stderr.decode()}")
    assert done.returncode == 0, done.stderr.decode()
    trial = msgspec.json.decode(done.stdout, type=Trial)
    assert (trial.status, trial.reason, trial.latency.n) == ("ok", "", 5)
    assert (
        f"Memory could not be bound to NUMA node {number} (Operation not permitted): only the CPUs are; memory may lie "
        "elsewhere."
    ) in trial.warnings
    assert trial.effective.affinity == nodes[number] and trial.effective.memory_node == -1
    assert Store(str(tmp_path / "s.sqlite"), create=False).trial(1) == trial

"""Out of what the system grants, in real workers: the trial says of what, and the next one is unaffected."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import psutil
import pytest
from control_groups import control_group
from fake_engine import MODULES, model

from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.host import limits, noise
from workbench.study.runner import Listener, Runner, Subject
from workbench.study.store import Store

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def measure(store, this_host):
    """Measure a behaviour of the fake."""
    runner = Runner(store, modules=MODULES, host=this_host)
    return lambda behaviour="", **options: runner.measure(Subject(model(behaviour)), Config(), runs=12, **options)


def said_of_quota(trial: Trial) -> list[str]:
    return [text for text in trial.warnings if "quota" in text or "CPU limit" in text]


def test_a_cpu_quota_that_stops_the_runs_is_told(measure, monkeypatch, tmp_path):
    """By the files of a container, whose counters rise while samples are taken."""
    file = tmp_path / "sys/fs/cgroup/cpu.stat"
    file.parent.mkdir(parents=True)
    file.write_text("nr_throttled 7\nthrottled_usec 81000\n")
    monkeypatch.setattr(noise, "throttling", lambda _: limits.throttling(tmp_path))
    stopped = Listener(burst=lambda _: file.write_text("nr_throttled 10\nthrottled_usec 201000\n"))
    trial = measure(listener=stopped)
    assert trial.status == "ok" and trial.noise["before"]["quota_throttles"] == 0
    assert (trial.noise["quota_throttles"], trial.noise["quota_throttled_ms"]) == (3, 120.0)
    assert said_of_quota(trial) == [
        "Throttled by quota: the container's CPU limit stopped this process 3 times (120 ms); P99 and the maximum "
        "cannot be trusted."
    ]
    assert not said_of_quota(measure())


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process")
@pytest.mark.parametrize(
    ("behaviour", "kind", "words"),
    [
        ("sleep=0.3@load+hog=8192@build", "RLIMIT_AS", "not enough memory for this job; lower run.batch"),
        ("sleep=0.3@load+spin=60@build", "RLIMIT_CPU", "ended by SIGXCPU: the CPU time that it may use"),
    ],
)
def test_a_limit_of_the_process_fails_the_trial_and_no_other(measure, store, behaviour, kind, words):
    import resource

    workers = []

    def tighten(phase, *_):
        if phase == "loading":
            worker = psutil.Process(workers[0].pid)
            used = worker.memory_info().vms if kind == "RLIMIT_AS" else sum(worker.cpu_times()[:2])
            more = 200 * 2**20 if kind == "RLIMIT_AS" else 1
            limit = getattr(resource, kind)
            _, most = resource.prlimit(worker.pid, limit)
            resource.prlimit(worker.pid, limit, (int(used) + more, most))

    bad = measure(behaviour, listener=Listener(started=workers.append, progress=tighten))
    assert bad.status == "failed" and words in bad.reason and bad.latency is None
    good = measure()
    assert good.status == "ok" and good.latency.n == 12
    assert msgspec.json.encode(store.trials()) == msgspec.json.encode([bad, good])


CONFINED = """
import os
import sys
from pathlib import Path
import msgspec
from control_groups import ControlGroup
from fake_engine import MODULES, model
from workbench.core.config import Config
from workbench.host.machine import describe_host
from workbench.study.runner import Listener, Runner, Subject
from workbench.study.store import Store
cpu, memory = (ControlGroup(Path(folder)) for folder in sys.argv[2:4])
cpu.join(os.getpid())
memory.join(os.getpid())
runner = Runner(Store(sys.argv[1]), modules=MODULES, host=describe_host(with_engines=False))
def measure(behaviour, **listener):
    return runner.measure(Subject(model(behaviour)), Config(), runs=12, seconds=5.0, listener=Listener(**listener))
throttled = measure("spin=0.02@run", progress=lambda phase, *_: phase == "timing" and cpu.limit_cpus(0.25))
cpu.limit_cpus(None)
memory.limit_memory(int(sys.argv[4]))
killed = measure("hog=4096@build")
clean = measure("spin=0.02@run")
sys.stdout.buffer.write(msgspec.json.encode([throttled, killed, clean]))
"""
"""Measures three times in control groups: out of CPU time, out of memory, and with nothing amiss."""


@pytest.mark.skipif(sys.platform != "linux", reason="control groups")
def test_control_groups_stop_and_kill_what_they_must_and_the_next_run_is_unaffected(tmp_path):
    groups = [group for name in ("cpu", "memory") if (group := control_group(name))]
    try:
        if len(groups) < 2:
            pytest.skip("no control groups can be made here")
        place = str(tmp_path / "s.sqlite")
        command = [sys.executable, "-c", CONFINED, place, *(str(group.folder) for group in groups), str(400 * 2**20)]
        done = subprocess.run(command, capture_output=True, timeout=100, check=False)
    finally:
        for group in groups:
            group.remove()
    assert done.returncode == 0, done.stderr.decode()
    throttled, killed, clean = trials = msgspec.json.decode(done.stdout, type=list[Trial])
    assert throttled.status == "ok" and throttled.noise["quota_throttles"] > 0
    assert any(text.startswith("Throttled by quota") and "P99" in text for text in said_of_quota(throttled))
    assert killed.status == "failed" and killed.latency is None
    assert "ended by SIGKILL" in killed.reason and "memory ran out" in killed.reason and "run.batch" in killed.reason
    assert clean.status == "ok" and not said_of_quota(clean) and clean.latency.n == 12
    assert clean.noise["quota_throttles"] == 0
    assert Store(place, create=False).trials() == trials

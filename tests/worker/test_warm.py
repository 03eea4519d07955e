"""Workers forked from warm parents: the same as spawned ones in all but speed, whatever dies. With a fake engine."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import msgspec
import psutil
import pytest
from endings import alive, wait_until
from fake_engine import model

from workbench.host.limits import usable_cpus
from workbench.worker import warm
from workbench.worker.environment import Surroundings
from workbench.worker.launcher import Worker
from workbench.worker.protocol import Burst, Job, Measured, Progress
from workbench.worker.warm import WarmPool, WarmStartError

pytestmark = [
    pytest.mark.usefixtures("nothing_left"),
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks with descriptors"),
]


@pytest.fixture(scope="module")
def shared(variables):
    """A pool whose parent for the fake was started before any test looks for processes left behind."""
    with WarmPool() as pool:
        assert Worker(Surroundings(variables), pool=pool).run(job()).end == "finished"
        yield pool


class Ran:
    """What a job said, and from which processes."""

    def __init__(self, outcome, reports, pid, parent, seconds):
        self.outcome = outcome
        self.reports = reports
        self.pid = pid
        self.parent = parent
        self.seconds = seconds


@pytest.fixture
def run(variables, shared):
    def run(behaviour="", *, pool=shared, cpus=(), env=None, on_report=lambda *_: None, silence_s=60.0, **fields):
        worker = Worker(Surroundings({**variables, **(env or {})}, cpus), silence_s=silence_s, pool=pool)
        reports, parents = [], []

        def hear(report):
            reports.append(report)
            if not parents:
                with contextlib.suppress(psutil.NoSuchProcess):  # a child that breaks may be gone by now
                    parents.append(psutil.Process(worker.pid).ppid())
            on_report(worker, report)

        start = time.monotonic()
        outcome = worker.run(job(behaviour, **fields), hear)
        return Ran(outcome, reports, worker.pid, next(iter(parents), None), time.monotonic() - start)

    return run


def job(behaviour: str = "", **fields) -> Job:
    defaults = {"kind": "measure", "engine_module": "fake_engine", "config": {}, "runs": 12, "seconds": 5.0}
    return Job(model=model(behaviour), **{**defaults, **fields})


def descriptors(pid: int | str = "self") -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def at(phase: str, action):
    """Do *action* once, with the worker, when it reports that it entered a phase."""
    done = []

    def on_report(worker, report):
        if isinstance(report, Progress) and report.phase == phase and not done:
            done.append(True)
            action(worker)

    return on_report


# -- the same, only faster ------------------------------------------------------------------------------


def test_every_job_gets_a_process_of_its_own_from_one_parent(run):
    one, other = run(), run()
    assert one.outcome.end == other.outcome.end == "finished"
    assert one.pid != other.pid
    assert one.parent == other.parent != os.getpid()
    assert not alive(one.pid)
    assert alive(one.parent)


def test_a_forked_worker_reports_what_a_spawned_one_does(run, shared):
    knobs = {"precision": "int8", "runtime": {"threads": 2, "flush_denormals": True}}
    forked, spawned = (run("warn=careful@load", pool=pool, config=knobs, runs=30) for pool in (shared, None))
    assert spawned.parent == os.getpid() != forked.parent
    differ = ("phases_s", "memory")
    one, other = (
        {k: v for k, v in msgspec.to_builtins(ran.outcome.result).items() if k not in differ}
        for ran in (forked, spawned)
    )
    assert one == other
    assert one["proof"]["int8_kernels"] == 2
    said = [[type(report).__name__ for report in ran.reports] for ran in (forked, spawned)]
    assert said[0] == said[1]
    taken = [sum(len(r.samples) for r in ran.reports if isinstance(r, Burst)) for ran in (forked, spawned)]
    assert taken == [30 * 8, 30 * 8]


def test_inspections_and_chatter_work_too(run):
    ran = run("chatter=1@load", kind="inspect")
    assert ran.outcome.end == "finished"
    assert ran.outcome.result.parameters == 6
    assert any("hello" in line for line in ran.outcome.log)


def test_environment_affinity_and_threads_are_the_jobs_own(run, variables):
    cpus = usable_cpus()
    with WarmPool() as pool:
        env = {"OMP_NUM_THREADS": "3", "KMP_BLOCKTIME": "1"}
        ran = run(pool=pool, env=env, cpus=cpus[-1:], config={"runtime": {"threads": 3}})
        effective = ran.outcome.result.effective
        assert effective.affinity == [cpus[-1]]
        assert effective.threads == 3
        assert effective.environment["OMP_NUM_THREADS"] == "3"
        assert effective.environment["KMP_BLOCKTIME"] == "1"
        # The parent's own mask is untouched: the next child may use all CPUs.
        again = run(pool=pool, env=env)
        assert again.parent == ran.parent
        assert again.outcome.result.effective.affinity == list(cpus)


def test_another_environment_gets_another_parent(run):
    with WarmPool() as pool:
        one = run(pool=pool)
        other = run(pool=pool, env={"OMP_NUM_THREADS": "1"})
        assert one.parent != other.parent
        assert "OMP_NUM_THREADS" not in one.outcome.result.effective.environment or (
            one.outcome.result.effective.environment["OMP_NUM_THREADS"] != "1"
        )
        assert other.outcome.result.effective.environment["OMP_NUM_THREADS"] == "1"


# -- children that end badly ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("segv@run3", "SIGSEGV"),
        ("abort@build", "SIGABRT"),
        ("exit=3@load", "exited with code 3"),
        ("systemexit=4@load", "exited with code 4"),
        ("value-error=odd@load", "ValueError: odd"),
    ],
)
def test_a_child_that_breaks_is_worded_as_if_it_had_been_spawned(run, behaviour, words):
    forked, spawned = run(behaviour), run(behaviour, pool=None)
    assert forked.outcome.end == spawned.outcome.end == "crashed"
    assert words in forked.outcome.reason
    assert forked.outcome.reason == spawned.outcome.reason
    assert run().outcome.end == "finished"


def test_a_child_that_is_killed_is_worded_and_the_pool_goes_on(run):
    ran = run("hang@run3", on_report=at("warming up", lambda worker: os.kill(worker.pid, signal.SIGKILL)))
    assert ran.outcome.end == "crashed"
    assert "SIGKILL" in ran.outcome.reason
    after = run()
    assert after.outcome.end == "finished"
    assert after.parent == ran.parent


def test_a_hanging_child_is_found_out_and_the_pool_goes_on(run):
    ran = run("hang-in-c@run3", silence_s=1.0)
    assert ran.outcome.end == "hung"
    assert not alive(ran.pid)
    assert run().parent == ran.parent


@pytest.mark.parametrize("behaviour", ["hang@run4", "hang-in-c@run4", "sleep=0.05@run"])
def test_a_cancel_ends_the_child_within_two_seconds(run, behaviour):
    asked = []

    def cancel(worker):
        def later():
            time.sleep(0.3)
            asked.append(time.monotonic())
            worker.cancel()

        threading.Thread(target=later).start()

    ran = run(behaviour, on_report=at("warming up", cancel), runs=100_000)
    assert time.monotonic() - asked[0] < 2.5
    assert ran.outcome.end == "cancelled"
    assert not alive(ran.pid)
    assert run().parent == ran.parent


def test_what_a_child_leaves_behind_is_killed_with_it(run, tmp_path):
    file = tmp_path / "pid"
    ran = run(f"spawn={file}@load")
    assert ran.outcome.end == "finished"
    assert wait_until(lambda: not alive(int(file.read_text())))


# -- parents that end -----------------------------------------------------------------------------------------


def test_a_parent_that_died_between_jobs_is_replaced(run):
    with WarmPool() as pool:
        first = run(pool=pool)
        os.kill(first.parent, signal.SIGKILL)
        assert wait_until(lambda: not alive(first.parent))
        second = run(pool=pool)
        assert second.outcome.end == "finished"
        assert second.parent not in (first.parent, os.getpid())


def test_a_parent_that_dies_under_a_job_costs_that_job_at_most(run):
    with WarmPool() as pool:

        def shoot(worker):
            os.kill(psutil.Process(worker.pid).ppid(), signal.SIGKILL)

        ran = run("sleep=0.01@run", pool=pool, on_report=at("warming up", shoot))
        assert ran.outcome.end in ("finished", "crashed")
        if ran.outcome.end == "crashed":
            assert ran.outcome.reason
        assert wait_until(lambda: not alive(ran.pid))
        after = run(pool=pool)
        assert after.outcome.end == "finished"
        assert after.parent not in (ran.parent, os.getpid())


def test_a_parent_that_stopped_answering_is_given_up(run, monkeypatch):
    with WarmPool() as pool:
        first = run(pool=pool)
        os.kill(first.parent, signal.SIGSTOP)
        monkeypatch.setattr(warm, "FORK_S", 0.5)
        ran = run(pool=pool)
        assert ran.outcome.end == "finished"
        assert ran.parent == os.getpid()
        assert not alive(first.parent)
        assert run(pool=pool).parent not in (first.parent, os.getpid())


def test_closing_leaves_no_process(variables):
    before = set(psutil.Process().children(recursive=True))
    pool = WarmPool()
    for number in (1, 2):
        worker = Worker(Surroundings({**variables, "OMP_NUM_THREADS": str(number)}), pool=pool)
        assert worker.run(job()).end == "finished"
    parents = set(psutil.Process().children(recursive=True)) - before
    assert len(parents) == 2
    pool.close()
    assert not any(alive(process.pid) for process in parents)
    pool.close()


def test_the_fifth_environment_ends_the_parent_that_was_not_used_for_longest(run):
    with WarmPool() as pool:
        one, two, three, four, again, five = (
            run(pool=pool, env={"OMP_NUM_THREADS": number}, runs=1).parent for number in "123415"
        )
        assert again == one
        assert len({one, two, three, four, five}) == 5
        assert [alive(parent) for parent in (one, two, three, four, five)] == [True, False, True, True, True]
        assert run(pool=pool, env={"OMP_NUM_THREADS": "2"}, runs=1).parent not in (one, two, three, four, five)
        assert [alive(parent) for parent in (one, three, four, five)] == [True, False, True, True]


def test_nothing_outlives_a_workbench_that_is_killed(variables, tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(
        textwrap.dedent("""
        import os, sys, psutil
        from fake_engine import model
        from workbench.worker.environment import Surroundings
        from workbench.worker.launcher import Worker
        from workbench.worker.protocol import Job, Progress
        from workbench.worker.warm import WarmPool

        def tell(report):
            if isinstance(report, Progress) and report.phase == "warming up":
                print(worker.pid, psutil.Process(worker.pid).ppid(), flush=True)

        with WarmPool() as pool:
            worker = Worker(Surroundings(dict(os.environ)), pool=pool)
            worker.run(Job(kind="measure", engine_module="fake_engine", model=model("hang@run3"), config={}), tell)
        """)
    )
    process = subprocess.Popen([sys.executable, str(script)], env=variables, stdout=subprocess.PIPE, text=True)
    pids = [int(text) for text in process.stdout.readline().split()]
    assert len(pids) == 2
    assert all(map(alive, pids))
    process.kill()
    process.wait()
    process.stdout.close()
    assert wait_until(lambda: not any(map(alive, pids)))


# -- no warm start -----------------------------------------------------------------------------------------


def test_a_module_that_does_not_import_fails_as_it_does_without_a_pool(run, variables):
    with WarmPool() as pool:
        with pytest.raises(WarmStartError):
            pool.start(sys.executable, "no_such_engine", variables, ())
        forked, spawned = (run(pool=p, engine_module="no_such_engine") for p in (pool, None))
    assert forked.outcome.end == spawned.outcome.end == "crashed"
    assert forked.outcome.reason == spawned.outcome.reason
    assert "no_such_engine" in forked.outcome.reason


def test_an_interpreter_that_is_not_there_is_no_warm_start(variables):
    before = descriptors()
    with WarmPool() as pool, pytest.raises(WarmStartError):
        pool.start("/no/such/python", "fake_engine", variables, ())
    assert descriptors() == before


def test_where_forking_is_not_possible_workers_are_spawned(run, monkeypatch):
    monkeypatch.setattr(warm, "supported", lambda: False)
    with WarmPool() as pool:
        ran = run(pool=pool)
    assert ran.outcome.end == "finished"
    assert ran.parent == os.getpid()


def test_a_second_worker_at_the_same_time_is_spawned(run):
    inner = []
    outer = run("sleep=0.01@run", on_report=at("warming up", lambda _: inner.append(run())))
    assert outer.outcome.end == inner[0].outcome.end == "finished"
    assert inner[0].parent == os.getpid() != outer.parent
    assert run().parent == outer.parent


def test_cancelling_gives_up_a_parent_that_imports_for_minutes(variables, tmp_path):
    (tmp_path / "slow_engine.py").write_text("import time\ntime.sleep(600)\n")
    slow = {**variables, "PYTHONPATH": os.pathsep.join((str(tmp_path), variables["PYTHONPATH"]))}
    before = set(psutil.Process().children(recursive=True))
    with WarmPool() as pool:
        worker = Worker(Surroundings(slow), pool=pool)
        outcomes = []
        thread = threading.Thread(target=lambda: outcomes.append(worker.run(job(engine_module="slow_engine"))))
        thread.start()
        assert wait_until(lambda: len(set(psutil.Process().children(recursive=True)) - before) == 1)
        worker.cancel()
        thread.join(20.0)
        assert [outcome.end for outcome in outcomes] == ["cancelled"]


# -- descriptors ---------------------------------------------------------------------------------------------


def test_twenty_forks_leave_no_descriptor_in_either_process(run):
    first = run(runs=1)
    ours, parents = descriptors(), descriptors(first.parent)
    for _ in range(20):
        ran = run(runs=1)
        assert isinstance(ran.outcome.result, Measured)
        assert ran.parent == first.parent
    assert descriptors() == ours
    assert descriptors(first.parent) == parents


def test_a_child_holds_nothing_of_the_parents(run):
    """Its own three, the null device behind 0, and what Python opens; no socket to the launcher."""
    kinds = []

    def look(worker):
        links = Path(f"/proc/{worker.pid}/fd").iterdir()
        kinds.extend(str(link.readlink()).partition(":")[0] for link in links)

    ran = run("hang@run3", on_report=at("warming up", lambda worker: (look(worker), worker.cancel())))
    assert ran.outcome.end == "cancelled"
    assert kinds
    assert "socket" not in kinds

"""Workers forked from a parent that holds the subject: what is prepared once, and when it must not be. Fake engine."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import msgspec
import psutil
import pytest
from fake_engine import model

from workbench.worker.environment import Surroundings
from workbench.worker.launcher import Worker
from workbench.worker.protocol import Burst, Job, Notice, Progress
from workbench.worker.warm import WarmPool, likeness

pytestmark = [
    pytest.mark.usefixtures("nothing_left"),
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks with descriptors"),
]


@pytest.fixture
def may_stay(shared):
    """The pool's parents outlive a test, the one that holds a subject, too."""
    return lambda: set(psutil.Process().children(recursive=True))


@pytest.fixture(scope="module")
def shared(variables):
    with WarmPool(subjects=True) as pool:
        yield pool


@pytest.fixture
def run(variables, shared):
    def run(behaviour="", *, high=None, pool=shared, on_report=lambda *_: None, config=None, **fields):
        fixes = {} if high is None else {"fixes": {"conv:out": {"min": 0.0, "max": high}}}
        job = Job(
            kind="measure", engine_module="fake_engine", runs=12, seconds=5.0,
            model=model(behaviour, **fields), config={"precision": "int8", **(config or {}), **fixes},
        )  # fmt: skip
        worker = Worker(Surroundings(variables), pool=pool)
        reports = []
        outcome = worker.run(job, lambda report: (reports.append(report), on_report(worker, report))[0])
        return outcome, reports

    return run


def loads(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


# -- what is shared --------------------------------------------------------------------------------------


def test_trials_that_differ_in_their_fixes_load_once_and_apply_their_own(run, tmp_path):
    tally = tmp_path / "loads"
    scales = []
    for high in (None, 2.0, 4.0):
        outcome, _ = run(f"tally={tally}@load+tally={tally}@prepare", high=high)
        assert outcome.end == "finished"
        scales.append(next(t.scale for t in outcome.result.tensors if t.tensor == "conv:out"))
        assert [fix.state for fix in outcome.result.fixes] == (["applied"] if high else [])
    assert loads(tally) == 2
    assert scales[2] == pytest.approx(2 * scales[1])
    assert scales[0] not in scales[1:]


def test_such_a_worker_reports_what_a_spawned_one_does(run):
    knobs = {"runtime": {"threads": 2, "flush_denormals": True}}
    answers = []
    for pool in ({}, {}, {"pool": None}):  # the first prepares, the second finds it prepared
        outcome, reports = run("warn=careful@load", high=3.0, config=knobs, **pool)
        assert any(isinstance(report, Notice) and "careful" in report.text for report in reports)
        told = msgspec.to_builtins(outcome.result)
        answers.append({name: value for name, value in told.items() if name not in ("phases_s", "memory")})
        assert sum(len(report.samples) for report in reports if isinstance(report, Burst)) == 12 * 8
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["proof"]["int8_kernels"] == 2


def test_phases_that_did_not_happen_in_this_trial_have_no_time(run):
    run("", high=2.0)
    outcome, reports = run("", high=2.5)
    assert "loading" not in outcome.result.phases_s
    assert outcome.result.phases_s.keys() >= {"calibrating", "building", "timing"}
    assert "loading" not in [report.phase for report in reports if isinstance(report, Progress)]


# -- what is not -----------------------------------------------------------------------------------------


def test_another_knob_or_another_model_is_prepared_anew(run, tmp_path):
    tally = tmp_path / "loads"
    run(f"tally={tally}@load")
    run(f"tally={tally}@load", config={"layers": {"fc": {"precision": "fp32"}}})
    assert loads(tally) == 2
    run(f"tally={tally}@load", sha256="1" * 64)
    assert loads(tally) == 3


def test_a_file_that_has_changed_is_read_anew(run, tmp_path):
    file, tally = tmp_path / "model.pt", tmp_path / "loads"
    file.write_text("one")
    fields = {"path": str(file)}
    run(f"tally={tally}@load", **fields)
    run(f"tally={tally}@load", high=2.0, **fields)
    assert loads(tally) == 1
    file.write_text("another")
    outcome, _ = run(f"tally={tally}@load", high=2.5, **fields)
    assert (outcome.end, loads(tally)) == ("finished", 2)


def test_without_int8_nothing_is_kept(run, tmp_path):
    tally = tmp_path / "loads"
    for _ in range(2):
        assert run(f"tally={tally}@load", config={"precision": "fp32"})[0].end == "finished"
    assert loads(tally) == 2


def test_a_pool_keeps_subjects_only_where_it_is_asked_to(run, tmp_path):
    tally = tmp_path / "loads"
    with WarmPool() as pool:
        for high in (2.0, 3.0):
            run(f"tally={tally}@load", high=high, pool=pool)
    assert loads(tally) == 2


def test_a_model_that_starts_threads_is_loaded_in_each_worker(run, tmp_path):
    tally = tmp_path / "loads"
    for high in (2.0, 3.0):
        assert run(f"thread@load+tally={tally}@load", high=high)[0].end == "finished"
    assert loads(tally) == 3  # once in vain


@pytest.mark.parametrize(("behaviour", "end"), [("refuse@load", "refused"), ("exit=3@prepare", "crashed")])
def test_what_cannot_be_prepared_is_told_by_the_worker_as_ever(run, tmp_path, behaviour, end):
    tally = tmp_path / "loads"
    kept, spawned = run(f"tally={tally}@load+{behaviour}")[0], run(behaviour, pool=None)[0]
    assert kept.end == spawned.end == end
    assert kept.reason == spawned.reason
    before = loads(tally)
    run(f"tally={tally}@load+{behaviour}", high=2.0)
    assert loads(tally) == before + 1  # it is not tried again


def test_likeness():
    job = Job(kind="measure", engine_module="fake_engine", model=model(), config={"precision": "int8"})
    fixed = msgspec.structs.replace(job, config={**job.config, "fixes": {"conv:out": {"min": 0.0, "max": 1.0}}})
    assert likeness(job) == likeness(fixed)
    assert likeness(msgspec.structs.replace(job, runs=7, accuracy=False, layer_errors=True)) == likeness(job)
    other = {"quantization": {"range": "full"}}
    assert likeness(msgspec.structs.replace(job, config={**job.config, **other})) != likeness(job)
    assert likeness(msgspec.structs.replace(job, kind="inspect")) is None


# -- endings ---------------------------------------------------------------------------------------------


def test_a_cancel_while_the_subject_is_prepared_ends_at_once(variables, tmp_path):
    begun = tmp_path / "begun"
    job = Job(
        kind="measure", engine_module="fake_engine", model=model(f"mark={begun}@load+hang@load"),
        config={"precision": "int8"},
    )  # fmt: skip
    with WarmPool(subjects=True) as pool:
        worker, outcomes = Worker(Surroundings(variables), pool=pool), []
        thread = threading.Thread(target=lambda: outcomes.append(worker.run(job)))
        thread.start()
        while not begun.exists():
            time.sleep(0.01)
        worker.cancel()
        thread.join(5.0)
        assert [outcome.end for outcome in outcomes] == ["cancelled"]


def test_who_has_no_use_for_the_rest_kills_the_worker_at_once(run):
    asked = []

    def kill(worker, report):
        if isinstance(report, Progress) and report.phase == "warming up":
            asked.append(time.monotonic())
            worker.cancel(at_once=True)

    outcome, _ = run("hang-in-c@run3", on_report=kill)
    assert outcome.end == "cancelled"
    assert outcome.result is None
    assert run("")[0].end == "finished"


def test_closing_ends_the_parent_of_the_subject_too(variables):
    before = set(psutil.Process().children(recursive=True))
    pool = WarmPool(subjects=True)
    job = Job(kind="measure", engine_module="fake_engine", model=model(), config={"precision": "int8"}, runs=3)
    assert Worker(Surroundings(variables), pool=pool).run(job).end == "finished"
    started = set(psutil.Process().children(recursive=True)) - before
    assert len(started) == 2
    pool.close()
    _, alive = psutil.wait_procs(started, timeout=3.0)
    assert not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]

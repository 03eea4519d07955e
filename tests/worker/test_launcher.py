"""Every way a worker can end, in words; and that none is left behind. With an engine that is a fake."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from endings import alive, wait_until
from fake_engine import model

from workbench.core.data import DataSource
from workbench.worker.environment import Surroundings
from workbench.worker.launcher import Worker, ending_in_words, log_tail
from workbench.worker.protocol import Burst, Inspected, Job, Measured, Notice, Progress, Refused, WarmedUp

pytestmark = [
    pytest.mark.usefixtures("nothing_left"),
    pytest.mark.skipif(sys.platform == "win32", reason="signals"),
]
CANCELLED_WITHIN_S = 2.0


def job(behaviour: str = "", **fields) -> Job:
    defaults = {"kind": "measure", "engine_module": "fake_engine", "config": {}, "runs": 12, "seconds": 5.0}
    return Job(model=model(behaviour), **{**defaults, **fields})


def worker(**options) -> Worker:
    return Worker(Surroundings(dict(os.environ)), **{"silence_s": 60.0, **options})


def run(behaviour: str = "", **fields):
    """Run a job and return its outcome and all reports."""
    reports = []
    return worker().run(job(behaviour, **fields), reports.append), reports


# -- good endings -----------------------------------------------------------------------------------


def test_a_measurement_ends_finished_with_all_its_reports():
    outcome, reports = run("sleep=0.001@run")
    assert (outcome.end, outcome.reason) == ("finished", "")
    assert isinstance(outcome.result, Measured)
    phases = list(dict.fromkeys(report.phase for report in reports if isinstance(report, Progress)))
    assert phases[:4] == ["importing the engine", "loading", "reading data", "tracing"]
    assert phases[4:7] == ["building", "warming up", "timing"]
    bursts = [report for report in reports if isinstance(report, Burst)]
    taken = np.concatenate([np.frombuffer(burst.samples, np.int64) for burst in bursts])
    assert taken.size == 12
    assert taken.min() >= 1_000_000
    (warm,) = [report for report in reports if isinstance(report, WarmedUp)]
    assert len(warm.samples) % 8 == 0
    assert len(warm.samples) >= 3 * 8
    assert outcome.result.effective.affinity
    assert outcome.result.data is None
    assert outcome.result.accuracy is None
    assert outcome.result.phases_s.keys() >= {"loading", "building", "warming up", "timing", "proving"}


def test_an_inspection_ends_finished_without_a_single_timed_run():
    outcome, reports = run("exit=3@run", kind="inspect")
    assert outcome.end == "finished"
    assert isinstance(outcome.result, Inspected)
    assert (outcome.result.parameters, outcome.result.macs) == (6, 20)
    assert outcome.result.dynamic_axes == {"x": [0, 1]}
    assert not any(isinstance(report, (Burst, WarmedUp)) for report in reports)


def test_megabytes_on_stdout_never_disturb_the_frames():
    outcome, reports = run("chatter=2@load+chatter=1@run2+chatter=1@prove")
    assert outcome.end == "finished"
    assert sum(len(report.samples) for report in reports if isinstance(report, Burst)) == 12 * 8
    assert any("hello" in line for line in outcome.log)


def test_warnings_of_libraries_arrive_marked_and_once():
    _, reports = run("warn=strange model@load+warn=strange model@run1")
    said = [report for report in reports if isinstance(report, Notice)]
    assert [(notice.text, notice.library) for notice in said] == [("UserWarning: strange model", True)]


def test_the_child_runs_nothing_while_the_reader_holds_it_between_bursts(tmp_path):
    tally = tmp_path / "runs"
    held = []

    def hold(report):
        if isinstance(report, Burst):
            before = tally.stat().st_size
            time.sleep(0.3)
            held.append((before, tally.stat().st_size))

    outcome = worker().run(job(f"sleep=0.06@run+tally={tally}@run", runs=10), hold)
    assert outcome.end == "finished"
    assert len(held) == 2
    assert all(before == after for before, after in held)
    assert held[1][0] == held[0][0] + 6  # the run after the gap, and five


def test_runs_of_a_burst_that_does_not_count_are_taken_anew():
    reports = []

    def hear(report):
        reports.append(report)
        return not (isinstance(report, Burst) and sum(isinstance(one, Burst) for one in reports) == 1)

    assert worker().run(job("sleep=0.06@run", runs=10), hear).end == "finished"
    assert [len(report.samples) // 8 for report in reports if isinstance(report, Burst)] == [5, 5, 5]


# -- bad endings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behaviour", "end", "words"),
    [
        ("abort@run", "crashed", "ended by SIGABRT: a library gave up"),
        ("segv@load", "crashed", "ended by SIGSEGV: a library crashed"),
        ("exit=3@run", "crashed", "exited with code 3 before it had a result"),
        ("exit=0@trace", "crashed", "exited with code 0 before it had a result"),
        ("systemexit=0@load", "crashed", "exited with code 0 before it had a result"),
        ("systemexit=4@run", "crashed", "exited with code 4 before it had a result"),
        ("garbage@run", "garbage", "something that is not a report"),
        ("value-error=no such thing@build", "crashed", "ValueError: no such thing"),
        ("unsendable", "crashed", "TypeError"),
        ("refuse@load", "refused", "The fake does not like it."),
        ("memory-error@run", "crashed", "the worker failed: there is not enough memory for this job; lower run.batch"),
        ("value-error=DefaultCPUAllocator: can't allocate memory@run", "crashed", "not enough memory for this job"),
        ("invalid@build", "invalid", "the fake did something else"),
    ],
)
def test_every_ending_has_its_words(behaviour, end, words):
    outcome, _ = run(behaviour)
    assert outcome.end == end
    assert words in outcome.reason
    assert "Traceback" not in outcome.reason


def test_a_refusal_carries_all_three_parts():
    outcome, _ = run("refuse@trace")
    assert outcome.result == Refused(
        what="The fake does not like it.", why="It is only a fake.", next_step="Use a real one."
    )


def test_an_exception_keeps_its_traceback_beside_the_reason():
    outcome, _ = run("value-error@run")
    assert "fake_engine.py" in outcome.traceback
    assert outcome.traceback.rstrip().endswith("ValueError: a bug of the fake")


def test_an_engine_that_cannot_be_imported_is_a_crash_with_its_name():
    outcome, _ = run(engine_module="no_such_engine")
    assert outcome.end == "crashed"
    assert "No module named 'no_such_engine'" in outcome.reason


def test_a_job_that_is_no_config_is_refused():
    outcome, _ = run(config={"precision": "int5"})
    assert outcome.end == "refused"
    assert "'int5' is not a value of precision" in outcome.reason


def test_data_that_does_not_exist_is_refused(tmp_path):
    outcome, _ = run(data=DataSource(path=str(tmp_path / "nothing.npy")))
    assert outcome.end == "refused"
    assert "nothing.npy" in outcome.reason


def test_silence_is_called_hung_and_ended():
    start = time.monotonic()
    outcome = worker(silence_s=1.0).run(job("hang@load"))
    assert (outcome.end, outcome.reason) == ("hung", "the worker said nothing for 1 s and was killed")
    assert time.monotonic() - start < 6


def test_a_kill_from_outside_in_the_middle_of_timing_names_the_signal():
    process = worker()
    bursts = []

    def kill(report):
        if isinstance(report, Burst):
            bursts.append(report)
            os.kill(process.pid, signal.SIGKILL)

    outcome = process.run(job("sleep=0.002@run", runs=100_000), kill)
    assert outcome.end == "crashed"
    assert "SIGKILL" in outcome.reason
    assert "killed from outside" in outcome.reason
    assert len(bursts) == 1


def test_a_line_of_megabytes_does_not_end_up_in_memory_or_in_the_log():
    outcome, _ = run("long-line=8@load+exit=3@load")
    assert outcome.end == "crashed"
    assert len(log_tail(outcome.log)) < 20_000


# -- cancel -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behaviour", "phase", "config"),
    [
        pytest.param("hang@load", "loading", {}, id="hung while loading"),
        pytest.param("sleep=0.3@load", "loading", {}, id="while loading"),
        pytest.param("sleep=0.1@calibrate", "calibrating", {"precision": "int8"}, id="while calibrating"),
        pytest.param("hang@calibrate", "calibrating", {"precision": "int8"}, id="hung while calibrating"),
        pytest.param("hang@run1", "warming up", {}, id="hung in a run"),
        pytest.param("hang-in-c@run1", "warming up", {}, id="hung in C with the interpreter's lock"),
        pytest.param("sleep=0.005@run", "timing", {}, id="while timing"),
        pytest.param("hang@prove", "proving", {}, id="hung in the proof"),
    ],
)
def test_cancel_ends_the_job_within_two_seconds(behaviour, phase, config):
    process = worker()
    asked = []

    def cancel(report):
        if isinstance(report, Progress) and report.phase == phase and not asked:
            asked.append(time.monotonic())
            process.cancel()

    outcome = process.run(job(behaviour, runs=1_000_000 if phase == "timing" else 12, config=config), cancel)
    took = time.monotonic() - asked[0]
    assert outcome.end == "cancelled"
    assert took < CANCELLED_WITHIN_S


def test_cancel_during_timing_keeps_what_was_measured_until_then():
    process = worker()
    reports = []

    def cancel(report):
        reports.append(report)
        if isinstance(report, Burst):
            process.cancel()

    outcome = process.run(job("sleep=0.002@run", runs=1_000_000, seconds=1e6), cancel)
    assert outcome.end == "cancelled"
    assert isinstance(outcome.result, Measured)
    assert outcome.result.cancelled
    assert outcome.result.proof.kernels == []
    assert sum(isinstance(report, Burst) for report in reports) == 1


def test_cancel_from_another_thread_and_twice_does_no_harm():
    process = worker()
    timing = threading.Event()
    outcomes = []

    def listen(report):
        if isinstance(report, Burst):
            timing.set()

    thread = threading.Thread(
        target=lambda: outcomes.append(process.run(job("sleep=0.002@run", runs=1_000_000, seconds=1e6), listen))
    )
    thread.start()
    assert timing.wait(20)
    process.cancel()
    process.cancel()
    thread.join(CANCELLED_WITHIN_S + 1)
    assert not thread.is_alive()
    assert outcomes[0].end == "cancelled"


def test_cancel_before_the_start_starts_nothing():
    process = worker()
    process.cancel()
    outcome = process.run(job())
    assert outcome.end == "cancelled"
    assert process.pid is None


# -- nothing is left --------------------------------------------------------------------------------


def test_no_thread_is_left_after_any_ending():
    before = threading.active_count()
    for behaviour in ("", "abort@run", "refuse@load"):
        run(behaviour)
    assert wait_until(lambda: threading.active_count() <= before, 5)


def test_a_listener_that_raises_leaves_no_worker():
    process = worker()

    def fail(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        process.run(job("hang@load"), fail)
    assert not alive(process.pid)


@pytest.mark.parametrize("ending", ["", "+exit=3@build", "+hang@build"])
def test_what_a_library_has_started_ends_with_the_worker(tmp_path, ending):
    note = tmp_path / "pid"
    outcome = worker(silence_s=1.5).run(job(f"spawn={note}@load{ending}"))
    assert outcome.end == {"": "finished", "+exit=3@build": "crashed", "+hang@build": "hung"}[ending]
    assert wait_until(lambda: not alive(int(note.read_text())), 5)


def test_a_fork_that_keeps_the_channel_open_does_not_hide_a_crash(tmp_path):
    note = tmp_path / "pid"
    outcome = worker(silence_s=8.0).run(job(f"fork={note}@load+segv@load"))
    assert outcome.end == "crashed"
    assert "SIGSEGV" in outcome.reason
    assert wait_until(lambda: not alive(int(note.read_text())), 5)


PARENT = """
    import os, sys
    from fake_engine import model
    from workbench.worker.environment import Surroundings
    from workbench.worker.launcher import Worker
    from workbench.worker.protocol import Job, Progress

    worker = Worker(Surroundings(dict(os.environ)))
    def say(report):
        if isinstance(report, Progress):
            print(worker.pid, report.phase, flush=True)
    job = Job(kind="measure", engine_module="fake_engine", model=model(sys.argv[1]), config={}, runs=10**8, seconds=1e6)
    worker.run(job, say)
"""


@pytest.mark.parametrize(("behaviour", "phase"), [("sleep=0.01@run", "timing"), ("hang@load", "loading")])
def test_a_child_whose_parent_dies_ends_by_itself(tmp_path: Path, behaviour, phase):
    script = tmp_path / "parent.py"
    script.write_text(textwrap.dedent(PARENT))
    with subprocess.Popen([sys.executable, str(script), behaviour], stdout=subprocess.PIPE, text=True) as parent:
        pid, said = 0, ""
        while said != phase:
            number, _, said = parent.stdout.readline().strip().partition(" ")
            pid = int(number)
        assert alive(pid)
        parent.kill()
    assert wait_until(lambda: not alive(pid), 10)


# -- words ------------------------------------------------------------------------------------------


def test_exit_codes_in_words():
    assert "SIGILL: a library used an instruction that this CPU does not have" in ending_in_words(-signal.SIGILL)
    assert "SIGTERM: a signal ended it" in ending_in_words(-signal.SIGTERM)
    assert "signal 250" in ending_in_words(-250)
    assert ending_in_words(1) == "the worker exited with code 1 before it had a result"


def test_the_tail_of_a_log_leaves_empty_lines_out():
    assert log_tail(["a", "", "b", "  ", "c"], 2) == "b\nc"

"""The timing loop against a clock that only runs when told to; and the counting of kernels."""

from __future__ import annotations

import gc
import itertools

import numpy as np
import pytest
from fake_records import kernel

from workbench.engines.base import Plan
from workbench.worker.measure import Timer
from workbench.worker.measurement import count

MS = 1_000_000


@pytest.fixture(scope="module", autouse=True)
def frozen():
    """The loop collects garbage; in a process that has imported torch for other tests that takes long."""
    gc.freeze()
    yield
    gc.unfreeze()
    gc.enable()


class Machine:
    """A function that takes as long as it is told to, and the clock that shows it."""

    def __init__(self, durations, cancel_after: int | None = None) -> None:
        self.now = 7
        self.runs = 0
        self.collecting: list[bool] = []
        self.bursts: list[np.ndarray] = []
        self.gaps: list[int] = []
        self.disturbed: set[int] = set()
        self._durations = iter(durations)
        self._cancel_after = cancel_after
        self.timer = Timer(self.run, self.cancelled, lambda: self.now)

    def run(self) -> None:
        self.collecting.append(gc.isenabled())
        self.now += next(self._durations)
        self.runs += 1

    def cancelled(self) -> bool:
        return self._cancel_after is not None and self.runs >= self._cancel_after

    def hand_over(self, burst) -> bool:
        self.collecting.append(not gc.isenabled())
        self.bursts.append(np.frombuffer(burst.samples, np.int64))
        self.gaps.append(burst.after_gap_ns)
        self.now += 10_000 * MS  # the reader takes its time, which counts nowhere
        return len(self.bursts) not in self.disturbed

    def take(self, runs: int, seconds: float = 1e6) -> int:
        return self.timer.bursts(runs, seconds, self.hand_over)


def steady(ms: float):
    return itertools.repeat(round(ms * MS))


def test_a_burst_that_does_not_count_is_taken_anew() -> None:
    machine = Machine(steady(60))
    machine.disturbed = {1, 3}
    assert machine.take(10) == 10
    assert [burst.size for burst in machine.bursts] == [5, 5, 5, 5]
    endless = Machine(steady(60))
    endless.disturbed = set(range(100))
    assert endless.take(10, seconds=1.0) == 0 and len(endless.bursts) == 4, "time spent counts all the same"


# -- bursts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ms", "size"),
    [
        pytest.param(1, 250, id="a quarter of a second of short runs"),
        pytest.param(7, 36, id="the run that crosses the quarter belongs to it"),
        pytest.param(60, 5, id="five runs are longer than a quarter of a second"),
        pytest.param(400, 5, id="five runs of a slow model"),
    ],
)
def test_a_burst_is_a_quarter_of_a_second_or_five_runs(ms, size):
    machine = Machine(steady(ms))
    assert machine.take(3 * size) == 3 * size
    assert [len(burst) for burst in machine.bursts] == [size] * 3
    assert set(np.concatenate(machine.bursts)) == {ms * MS}


def test_the_first_run_after_a_gap_is_kept_apart():
    machine = Machine(itertools.cycle([99 * MS, *[50 * MS] * 5]))
    machine.take(15)
    assert machine.gaps == [99 * MS] * 3
    assert set(np.concatenate(machine.bursts)) == {50 * MS}
    assert machine.runs == 18


def test_samples_keep_their_order_and_value():
    durations = [int(n) for n in np.random.default_rng(4).integers(1, 80 * MS, 200)]
    machine = Machine(durations)
    machine.take(100)
    again = []
    for gap, burst in zip(machine.gaps, machine.bursts, strict=True):
        again += [gap, *burst]
    assert again == durations[: len(again)]
    assert sum(len(burst) for burst in machine.bursts) == 100


@pytest.mark.parametrize("runs", [1, 4, 5, 6, 251])
def test_exactly_as_many_runs_are_kept_as_asked_for(runs):
    machine = Machine(steady(1))
    assert machine.take(runs) == runs
    assert sum(len(burst) for burst in machine.bursts) == runs


def test_no_burst_starts_once_the_seconds_are_spent():
    machine = Machine(steady(10))
    assert machine.take(100_000, seconds=0.6) == 75  # three bursts of 25: 0.25, 0.5, 0.75 s
    assert len(machine.bursts) == 3


def test_one_slow_run_is_a_sample_like_any_other():
    machine = Machine(itertools.chain([MS] * 10, [100 * MS], steady(1)))
    machine.take(300)
    samples = np.concatenate(machine.bursts)
    assert samples.max() == 100 * MS
    assert len(samples) == 300


def test_garbage_is_collected_between_bursts_and_never_in_one():
    machine = Machine(steady(60))
    machine.take(20)
    assert not any(machine.collecting)
    assert gc.isenabled()


def test_collecting_is_back_on_after_a_run_that_raises():
    machine = Machine([MS] * 3)  # then StopIteration
    with pytest.raises(StopIteration):
        machine.take(10)
    assert gc.isenabled()


def test_a_cancel_hands_over_what_was_taken_so_far():
    machine = Machine(steady(1), cancel_after=31)
    assert machine.take(1000) == 30
    assert [len(burst) for burst in machine.bursts] == [30]


def test_a_cancel_right_after_the_gap_run_hands_nothing_over():
    machine = Machine(steady(1), cancel_after=1)
    assert machine.take(1000) == 0
    assert machine.bursts == []


def test_a_cancel_before_the_start_runs_nothing():
    machine = Machine(steady(1), cancel_after=0)
    assert machine.take(1000) == 0
    assert machine.runs == 0


# -- warm-up ----------------------------------------------------------------------------------------


def test_the_warm_up_ends_when_two_windows_agree_and_keeps_every_run():
    machine = Machine(itertools.chain([900 * MS, 40 * MS, 30 * MS], steady(20)))
    report = machine.timer.warm_up()
    samples = np.frombuffer(report.samples, np.int64)
    assert report.settled
    assert list(samples[:3]) == [900 * MS, 40 * MS, 30 * MS]
    assert len(samples) == machine.runs == 9  # windows of three: 40, then 20 and 20


def test_a_warm_up_that_never_rests_says_so():
    machine = Machine(MS * 2**n for n in itertools.count())
    report = machine.timer.warm_up()
    assert not report.settled
    assert len(report.samples) == machine.runs * 8
    assert sum(np.frombuffer(report.samples, np.int64)[:-1]) < 30_000 * MS


def test_a_cancel_ends_the_warm_up():
    machine = Machine(steady(1), cancel_after=2)
    report = machine.timer.warm_up()
    assert not report.settled
    assert machine.runs == 2


# -- proof against plan -----------------------------------------------------------------------------


def test_one_kernel_per_planned_layer_is_a_full_proof():
    proof = count([kernel("conv"), kernel("fc"), kernel("head", "fp32")], Plan(["conv", "fc"], {"head": "pinned"}))
    assert (proof.int8_kernels, proof.fp32_kernels, proof.bf16_kernels, proof.expected_int8) == (2, 1, 0, 2)
    assert proof.missing == []
    assert proof.kept == {"head": "pinned"}
    assert proof.notes == []


def test_a_planned_layer_that_ran_in_fp32_is_named():
    proof = count([kernel("conv"), kernel("fc", "fp32")], Plan(["conv", "fc"]))
    assert proof.int8_kernels == 1
    assert proof.missing == ["fc"]


def test_a_planned_layer_that_nothing_is_known_of_is_named():
    assert count([kernel("conv")], Plan(["conv", "fc"])).missing == ["fc"]


def test_an_unmapped_int8_kernel_may_be_one_of_the_missing_layers_but_only_one():
    loose = kernel("unmapped", op="convolution")
    proof = count([kernel("conv"), loose], Plan(["conv", "a", "b"]))
    assert proof.int8_kernels == 2
    assert len(proof.missing) == 1


def test_work_that_is_no_compute_is_listed_but_not_counted():
    kernels = [
        kernel("conv"),
        kernel("unmapped", op="reorder", compute=False),
        kernel("unmapped", op="pooling", dtype="fp32", compute=False),
    ]
    proof = count(kernels, Plan(["conv"]))
    assert (proof.int8_kernels, proof.fp32_kernels) == (1, 0)
    assert proof.kernels == kernels


def test_slow_reference_code_is_counted_by_its_name():
    assert count([kernel(name="ref:any"), kernel("fc", name="jit:avx2")], Plan()).reference_kernels == 1


def test_nothing_known_is_a_note_and_no_proof():
    proof = count([], Plan(["conv"]))
    assert proof.int8_kernels == 0
    assert proof.missing == ["conv"]
    assert proof.notes

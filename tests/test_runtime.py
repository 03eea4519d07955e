"""The production loop and the drift monitor, with models and clocks made here."""

from __future__ import annotations

import math
import threading
import time

import numpy as np
import pytest

from workbench.runtime import DriftMonitor, InputStatistics, Loop, as_record, distances, divergence, shares_in

RNG = np.random.default_rng(0)


def prepare(frame):
    if frame == "broken":
        raise ValueError("no picture")
    return {"x": np.full((1, 2), float(frame), np.float32)}


def doubled(feed):
    return [("y", feed["x"] * 2)]


class Clock:
    """Moves only when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


def gone(names=("reader", "preprocessing")) -> bool:
    """Wait for the loop's threads to end."""
    end = time.monotonic() + 5
    while threads() & set(names) and time.monotonic() < end:
        time.sleep(0.01)
    return not threads() & set(names)


def test_every_frame_is_answered_once_and_in_order_whatever_takes_how_long():
    pauses = RNG.uniform(0, 0.002, 300)

    def slowly(frame):
        time.sleep(pauses[(frame * 7) % 300])
        return prepare(frame)

    def infer(feed):
        time.sleep(pauses[len(feed["x"])])
        return doubled(feed)

    loop = Loop(infer, slowly, batches=(1, 2, 4), depth=3)
    results = list(loop.run(range(300)))
    assert [result.number for result in results] == list(range(300))
    assert all(result.outputs[0][1].tolist() == [[2.0 * result.frame] * 2] for result in results)
    counters = loop.counters
    assert (counters.read, counters.answered, counters.failed, counters.late) == (300, 300, 0, 0)
    assert sum(size * count for size, count in counters.batches.items()) == 300
    assert as_record(counters)["counters"]["read"] == 300
    assert gone()


def test_the_source_waits_where_inference_is_slower():
    read, ahead = [], []

    def source():
        for number in range(60):
            read.append(number)
            yield number

    def infer(feed):
        time.sleep(0.005)
        return doubled(feed)

    answered = 0
    for _ in Loop(infer, prepare, depth=4).run(source()):
        answered += 1
        ahead.append(len(read) - answered)
    assert answered == 60
    # Two queues of four, and one frame in the hand of each of the three.
    assert max(ahead) <= 4 + 4 + 3


def test_a_frame_that_cannot_be_prepared_or_inferred_is_an_answer_with_an_error():
    def infer(feed):
        if 3.0 in feed["x"]:
            raise RuntimeError("no such kernel")
        return doubled(feed)

    loop = Loop(infer, prepare)
    results = list(loop.run([1, "broken", 3, 4]))
    assert [result.error for result in results] == ["", "ValueError: no picture", "RuntimeError: no such kernel", ""]
    assert [bool(result.outputs) for result in results] == [True, False, False, True]
    assert loop.counters.failed == 2 and loop.counters.answered == 4


def test_stopping_answers_what_was_read_and_reads_no_more():
    loop = Loop(doubled, prepare, depth=2)
    numbers = []
    for result in loop.run(iter(int, 1)):  # without an end
        numbers.append(result.number)
        if len(numbers) == 10:
            loop.stop()
    assert numbers == list(range(loop.counters.read)) and len(numbers) >= 10
    assert gone()


def test_who_walks_away_leaves_no_threads():
    answers = Loop(doubled, prepare, depth=2).run(iter(int, 1))
    next(answers)
    answers.close()
    assert gone()


def test_a_source_that_breaks_is_told_after_the_frames_before_it():
    def source():
        yield 1
        yield 2
        raise OSError("camera unplugged")

    results = []
    with pytest.raises(OSError, match="unplugged"):
        for result in Loop(doubled, prepare).run(source()):
            results.append(result.number)
    assert results == [0, 1]


def test_late_answers_are_counted():
    clock = Clock()

    def infer(feed):
        clock.now += 0.008 if 2.0 in feed["x"] else 0.001
        return doubled(feed)

    turn = threading.Semaphore()

    def one_by_one():
        for frame in (1, 2, 3):
            turn.acquire()
            yield frame

    loop, late = Loop(infer, prepare, deadline_ms=5, depth=1, clock=clock), []
    for result in loop.run(one_by_one()):
        late.append(result.late)
        turn.release()
    assert late == [False, True, False] and loop.counters.late == 1


def loop_that_took(times: dict[int, float], deadline_ms: float | None) -> Loop:
    loop = Loop(doubled, prepare, batches=(1, 2, 4, 8), deadline_ms=deadline_ms)
    for size, seconds in times.items():
        loop._learn(size, seconds)
    return loop


@pytest.mark.parametrize(
    ("deadline_ms", "waiting", "age_s", "size"),
    [
        (None, 8, 9.0, 8),  # nobody waits: throughput
        (None, 3, 0.0, 2),
        (20, 8, 0.0, 4),  # 8 take 24 ms
        (20, 8, 0.010, 1),  # 10 ms left: 2 take 11 ms
        (20, 1, 0.0, 1),
        (20, 8, 0.050, 8),  # late anyway: get through the queue
        (20, 3, 0.050, 2),
    ],
)
def test_the_batch_follows_load_and_deadline(deadline_ms, waiting, age_s, size):
    loop = loop_that_took({1: 0.010, 2: 0.011, 4: 0.016, 8: 0.024}, deadline_ms)
    assert loop.choose(waiting, age_s) == size


def test_a_batch_that_was_never_run_is_expected_to_share_nothing():
    loop = loop_that_took({1: 0.010}, 25)
    assert loop.choose(8, 0.0) == 2
    loop._learn(2, 0.012)
    loop._learn(4, 0.014)
    assert loop.choose(8, 0.0) == 4


def test_the_warm_up_runs_every_batch_size():
    sizes = []
    loop = Loop(lambda feed: sizes.append(len(feed["x"])) or doubled(feed), prepare, batches=(4, 1))
    loop.warm_up(prepare(1), runs=2)
    assert sizes == [1, 1, 4, 4] and loop.counters.answered == 0


def test_batches_without_a_single_one_are_refused():
    with pytest.raises(ValueError, match="batch of 1"):
        Loop(doubled, prepare, batches=(2, 4))


# -- drift ------------------------------------------------------------------------------------------


def scores(feed):
    return [("scores", feed["x"].mean(axis=(1, 2), keepdims=False)[:, None] * np.array([[1.0, -1.0]]))]


def pictures(count: int, brightness: float = 1.0, seed: int = 1):
    rng = np.random.default_rng(seed)
    return [{"x": (rng.normal(0.5, 0.2, (1, 8, 8)) * brightness).astype(np.float32)} for _ in range(count)]


def watched(candidate, feeds, **options):
    records: list[dict] = []
    known = {"x": InputStatistics.of([feed["x"] for feed in pictures(30, seed=2)])}
    monitor = DriftMonitor(scores, known, records.append, **{"every": 5, "window": 10, **options})
    for number, feed in enumerate(feeds):
        monitor.see(number, feed, candidate(feed))
    return monitor, records


def test_normal_pictures_are_quiet_and_dark_ones_alarm():
    monitor, records = watched(scores, pictures(60))
    assert monitor.verdict == "stable"
    told = [record["verdict"] for record in records if "verdict" in record]
    assert told == ["filling", "filling", *["stable"] * 10]  # the inputs' window is full after ten frames
    assert records[-1]["inputs"]["x"] < 0.05 and records[-1]["kl"] == 0.0 and records[-1]["cosine"] == pytest.approx(1)
    monitor, records = watched(scores, [*pictures(20), *pictures(20, brightness=0.3)])
    assert monitor.verdict == "alarm"
    changes = [(record["was"], record["now"]) for record in records if "now" in record]
    assert changes[0] == ("filling", "stable") and changes[-1][1] == "alarm"


def test_outputs_that_leave_fp32_alarm():
    def wrong(feed):
        return [(name, -3 * array) for name, array in scores(feed)]

    monitor, records = watched(wrong, pictures(20), every=1)
    assert monitor.verdict == "alarm" and records[0]["kl"] > 0.15 and records[0]["cosine"] < 0


def test_values_that_are_not_finite_alarm():
    monitor, records = watched(lambda feed: [("scores", np.full((1, 2), np.nan))], pictures(10), every=1)
    assert monitor.verdict == "alarm" and records[0]["kl"] == math.inf


def test_the_limits_can_be_set():
    def off(feed):
        return [(name, array * 0.2) for name, array in scores(feed)]

    assert watched(off, pictures(20), every=1)[0].verdict == "watch"
    assert watched(off, pictures(20), every=1, stable=0.2, alarm=0.4)[0].verdict == "stable"
    # A model that was exported so far from FP32 has not drifted.
    assert watched(off, pictures(20), every=1, normal={"kl": 0.1})[0].verdict == "stable"
    with pytest.raises(ValueError, match="below alarm"):
        DriftMonitor(None, {}, print, stable=0.2, alarm=0.1)


def test_distances_of_outputs_that_are_no_scores_are_angles():
    kl, similar = distances([("map", np.ones((1, 3, 4)))], [("map", np.ones((1, 3, 4)) * 2)])
    assert kl is None and similar == pytest.approx(1.0)


def test_histograms_hold_every_value():
    known = InputStatistics.of([np.arange(16.0)])
    assert known.shares == pytest.approx([1 / 16] * 16)
    assert shares_in(known.edges, np.array([-100.0, 100.0])).tolist() == [0.5, *[0] * 14, 0.5]
    assert divergence(np.asarray(known.shares), np.asarray(known.shares)) == 0
    with pytest.raises(ValueError, match="no finite value"):
        InputStatistics.of([np.array([np.nan])])

"""A sweep: what one knob does to the median and to the tail, value by value.

The best median and the best tail are often different settings, so both are compared and recommended apart. Every
value is measured in several fresh processes. They go in rounds, each through the baseline and all values, every other
one backwards, so that a machine that slowly warms up favours none. The study keeps which trials made up a sweep. Used
by ``sweep`` and by the window.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Literal

import msgspec
import numpy as np

from workbench.core.config import Config, converted, knob_named
from workbench.core.knobs import Knob, Value
from workbench.core.latency import P99_LEAST, join, percentile
from workbench.core.significance import ratio
from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.study.runner import Listener, Runner, Subject
from workbench.study.store import Store, bursts_of

PROCESSES = 3
THOROUGH_PROCESSES = 5
RUNS = 300
SECONDS = 10.0
"""Most time for the kept runs of a process: up to 100 ms each, the tail is known, too."""
KNEE_GAIN = 0.10
"""A doubling that brings less throughput than this is not worth it."""
SCALING = ("runtime.threads", "run.batch")
"""Knobs of which more shall bring more throughput: those with a knee."""
BATCH = "run.batch"
_KIND = "sweep"
_MS = 1e-6

Verdict = Literal["baseline", "faster", "slower", "same", "unknown"]


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """One value, over all its processes.

    Attributes:
        value: of the knob; a text that is no value of it stands as it was given.
        trial: the first good one, with its accuracy; the failed one where none is good; None where none was taken.
        trials: numbers of all good ones.
        reason: why it could not be measured, or not to the end.
        p50_ms, p99_ms, max_ms: over all kept runs of all processes; P99 from 100 runs a process up.
        item_ms: p50 per sample of a batch.
        throughput_per_s: samples per second, by the mean.
        peak_rss_mb: the most that a process held while only running, MiB.
        ratio_vs_baseline: p50 over the baseline's, below 1 is faster; of a swept batch p50 *per sample*.
        ci95: its 95 % interval over processes.
        verdict: of the median.
        tail_ratio, tail_ci95, tail_verdict: the same for the P99 of a *run*, also of a swept batch: every sample
            waits for its whole batch.
    """

    value: Value
    trial: Trial | None = None
    trials: list[int] = []
    reason: str = ""
    p50_ms: float | None = None
    p99_ms: float | None = None
    max_ms: float | None = None
    item_ms: float | None = None
    throughput_per_s: float | None = None
    peak_rss_mb: float | None = None
    ratio_vs_baseline: float | None = None
    ci95: tuple[float, float] | None = None
    verdict: Verdict = "unknown"
    tail_ratio: float | None = None
    tail_ci95: tuple[float, float] | None = None
    tail_verdict: Verdict = "unknown"


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """What to set.

    Attributes:
        verdict: ``better`` – *value* is shown to be faster than the baseline, and of threads and batches that are as
            fast it is the smallest; ``keep`` – all others are shown to be
            slower; ``same`` – no difference shown for the better; ``unknown`` – nothing was compared.
        value: the value to take; None where nothing is advised.
        ratio, ci95: its time over the baseline's.
    """

    verdict: Literal["better", "keep", "same", "unknown"]
    value: Value | None = None
    ratio: float | None = None
    ci95: tuple[float, float] | None = None


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """A sweep as far as it has come, and as the study keeps it.

    Attributes:
        created: when it was begun, ISO 8601.
        knob: key of what was swept.
        processes: per value, where nothing ends it.
        finished: whether it came to its end.
        baseline: the config as it was, which each value is compared with.
        points: in the order asked for; the baseline is among them where its value was asked for.
        knee: see :func:`knee_of`; None for knobs without one, and where more still brings more.
        for_median, for_tail: recommendations.
    """

    created: str
    knob: str
    processes: int
    finished: bool
    baseline: Point
    points: list[Point]
    knee: Value | None = None
    for_median: Advice = Advice(verdict="unknown")
    for_tail: Advice = Advice(verdict="unknown")


def sweeps(store: Store, known: Iterable[Trial] = ()) -> list[Sweep]:
    """Return the sweeps of a study, oldest first.

    Args:
        known: trials that were read already.
    """
    trials = {trial.id: trial for trial in known}

    def revived(record: dict[str, Any]) -> Sweep:
        parts = (record["baseline"], *record["points"])
        numbers = [part.pop("trial") for part in parts]
        found = msgspec.convert(record, Sweep)
        points = [
            msgspec.structs.replace(point, trial=None if number is None else trials.get(number) or store.trial(number))
            for point, number in zip((found.baseline, *found.points), numbers, strict=True)
        ]
        return msgspec.structs.replace(found, baseline=points[0], points=points[1:])

    return [revived(record) for record in store.series(_KIND)]


def sweep(
    runner: Runner,
    store: Store,
    subject: Subject,
    base: Config,
    key: str,
    values: Sequence[Value],
    *,
    processes: int = PROCESSES,
    runs: int = RUNS,
    seconds: float = SECONDS,
    accuracy: bool = True,
    listener: Listener | None = None,
    on_process: Callable[[int, int, Value], None] = lambda *_: None,
    on_change: Callable[[Sweep], None] = lambda _: None,
) -> Sweep:
    """Measure *base* and it with each value of a knob; after each process the study knows the sweep so far.

    Args:
        key: of the knob.
        values: as of :func:`workbench.study.sweep_values.values_of`.
        processes: fresh processes per value, at least 1.
        runs, seconds: kept runs per process, and the most time they may take.
        accuracy: compare the first process of each value with FP32.
        on_process: gets number, total and value before each process.
        on_change: gets the sweep whenever there is more to it.

    Returns:
        The sweep. A value that cannot be set or measured is listed with the reason; with a baseline that cannot be
        measured nothing is compared.

    Raises:
        UserError: model or data are not usable, or none of the values can be set.
    """
    knob = knob_named(key)
    baseline = _Line(base[key], base)
    lines = [_line(base, knob, value, baseline) for value in values]
    measured = [baseline, *(line for line in lines if line is not baseline and line.config is not None)]
    if len(measured) == 1:
        raise UserError(
            f"None of the values of {key} can be compared.",
            next((line.reason for line in lines if line.reason), ""),
            "Give others.",
        )
    created, kept = datetime.now(timezone.utc).isoformat(timespec="seconds"), None
    total = processes * len(measured)
    found: Sweep | None = None
    for number in range(total):
        turn, place = divmod(number, len(measured))
        line = measured[place if turn % 2 == 0 else -1 - place]
        if line.reason:
            continue
        on_process(number + 1, total, line.value)
        try:
            assert line.config is not None
            trial = runner.measure(
                subject, line.config, runs=runs, seconds=seconds, accuracy=accuracy and not line.trials,
                listener=listener,
            )  # fmt: skip
        except UserError as error:
            if line is baseline and not line.trials:
                raise
            line.reason = f"{error.what} {error.why}".strip()
        else:
            line.take(trial, bursts_of(store.samples(trial.id)) if trial.id is not None else [])
        for each in measured if line is baseline else [line]:
            each.point = _point(key, each, baseline)
        found = _put_together(key, baseline, lines, values, created, processes)
        on_change(found)
        kept = store.put_series(_KIND, _brief(found), kept)
        if not baseline.trials:
            break
    assert found is not None
    found = msgspec.structs.replace(found, finished=True)
    on_change(found)
    store.put_series(_KIND, _brief(found), kept)
    return found


@dataclass
class _Line:
    """What was taken of one value.

    Attributes:
        config: None where the value cannot be set.
        trials, samples: good trials, and each one's bursts (ns).
        failed: the trial that ended it.
        point: what follows from that and from the baseline.
    """

    value: Value
    config: Config | None
    reason: str = ""
    trials: list[Trial] = field(default_factory=list)
    samples: list[list[np.ndarray]] = field(default_factory=list)
    failed: Trial | None = None
    point: Point = field(init=False)

    def __post_init__(self) -> None:
        self.point = Point(value=self.value, reason=self.reason)

    def take(self, trial: Trial, bursts: list[np.ndarray]) -> None:
        if trial.status == "ok" and bursts:
            self.trials.append(trial)
            self.samples.append(bursts)
        else:
            self.failed, self.reason = trial, trial.reason or "nothing was timed"

    def has_tail(self) -> bool:
        return bool(self.samples) and min(join(bursts).size for bursts in self.samples) >= P99_LEAST

    def per_item(self) -> list[list[np.ndarray]]:
        batch = self.config.number(BATCH) if self.config else 1
        return [[burst // batch for burst in bursts] for bursts in self.samples]


def _line(base: Config, knob: Knob, value: Value, baseline: _Line) -> _Line:
    """Return where a value's trials go: to the baseline's where it is that."""
    try:
        config = base.changed({knob.key: converted(knob, value)})
    except UserError as error:
        return _Line(value, None, f"{error.what} {error.why}".strip())
    return baseline if config.to_dict() == base.to_dict() else _Line(value, config)


def _put_together(
    key: str, baseline: _Line, lines: Sequence[_Line], values: Sequence[Value], created: str, processes: int
) -> Sweep:
    """Make a sweep of what was judged; *lines* belong to *values*."""
    start = baseline.point
    points = [msgspec.structs.replace(line.point, value=value) for line, value in zip(lines, values, strict=True)]
    knee = None
    if key in SCALING:
        speeds = {point.value: 1.0 / point.item_ms for point in (start, *points) if point.item_ms}
        knee = knee_of([(int(value), speed) for value, speed in speeds.items() if int(value) > 0])
    return Sweep(
        created=created, knob=key, processes=processes, finished=False, baseline=start, points=points, knee=knee,
        for_median=_advice(key, start, [(each, each.verdict, each.ratio_vs_baseline, each.ci95) for each in points]),
        for_tail=_advice(key, start, [(each, each.tail_verdict, each.tail_ratio, each.tail_ci95) for each in points]),
    )  # fmt: skip


def _point(key: str, line: _Line, baseline: _Line) -> Point:
    first = line.trials[0] if line.trials else line.failed
    point = Point(value=line.value, trial=first, reason=line.reason, trials=[each.id or 0 for each in line.trials])
    if not line.samples or line.config is None:
        return point
    samples = join([burst for bursts in line.samples for burst in bursts])
    batch, p50_ms = line.config.number(BATCH), percentile(samples, 50) * _MS
    point = msgspec.structs.replace(
        point,
        p50_ms=p50_ms,
        p99_ms=percentile(samples, 99) * _MS if line.has_tail() else None,
        max_ms=float(samples.max()) * _MS,
        item_ms=p50_ms / batch,
        throughput_per_s=batch / (float(samples.mean()) * _MS) * 1000.0,
        peak_rss_mb=max((each.memory.peak_rss_mb for each in line.trials if each.memory), default=None),
    )
    if line is baseline:
        one: dict[str, Any] = {"ratio_vs_baseline": 1.0, "ci95": (1.0, 1.0), "verdict": "baseline"}
        if line.has_tail():
            one |= {"tail_ratio": 1.0, "tail_ci95": (1.0, 1.0), "tail_verdict": "baseline"}
        return msgspec.structs.replace(point, **one)
    if not baseline.samples:
        return point
    sides = (line.per_item(), baseline.per_item()) if key == BATCH else (line.samples, baseline.samples)
    found = ratio(*sides)
    point = msgspec.structs.replace(
        point, ratio_vs_baseline=found.ratio, ci95=found.ci95, verdict=_verdict(found.verdict)
    )
    if line.has_tail() and baseline.has_tail():
        found = ratio(line.samples, baseline.samples, percent=99)
        point = msgspec.structs.replace(
            point, tail_ratio=found.ratio, tail_ci95=found.ci95, tail_verdict=_verdict(found.verdict)
        )
    return point


def _verdict(verdict: str) -> Verdict:
    return "faster" if verdict == "a" else "slower" if verdict == "b" else "same"


_Found = tuple[Point, Verdict, float | None, tuple[float, float] | None]


def _advice(key: str, baseline: Point, found: Sequence[_Found]) -> Advice:
    judged = [each for each in found if each[1] in ("faster", "slower", "same")]
    if not judged:
        return Advice(verdict="unknown")
    faster = [each for each in judged if each[1] == "faster"]
    if faster:
        point, _, value, ci95 = _best(key, faster)
        return Advice(verdict="better", value=point.value, ratio=value, ci95=ci95)
    if all(verdict == "slower" for _, verdict, _, _ in judged):
        return Advice(verdict="keep", value=baseline.value)
    return Advice(verdict="same")


def _best(key: str, faster: Sequence[_Found]) -> _Found:
    """Return the fastest; where more costs more, the smallest of those that lie within the fastest one's interval."""
    best = min(faster, key=lambda each: each[2] or math.inf)
    if key not in SCALING or best[3] is None:
        return best
    as_fast = [each for each in faster if (each[2] or math.inf) <= best[3][1] and int(each[0].value) > 0]
    return min(as_fast, key=lambda each: int(each[0].value), default=best)


def knee_of(points: Iterable[tuple[float, float]]) -> Value | None:
    """Return the knee of throughput over threads or batch.

    It is the smallest value from which no larger one that was tried brings :data:`KNEE_GAIN` more per doubling: with
    a throughput T at the value x, all y > x have T(y) / T(x) < (1 + gain) ^ log2(y / x). Unlike the largest distance
    from a chord (Kneedle, Satopää et al. 2011) it says the same whatever else was tried, and one bad value in the
    middle does not end it.

    Args:
        points: value above 0, throughput in any unit.

    Returns:
        The value; None where even the largest one still brought more.
    """
    rising = sorted(points)
    for place, (value, speed) in enumerate(rising[:-1]):
        if all(more / speed < (1.0 + KNEE_GAIN) ** math.log2(larger / value) for larger, more in rising[place + 1 :]):
            return value
    return None


def _brief(found: Sweep) -> dict[str, Any]:
    """Return a sweep as it is written down: with trials' numbers instead of the records."""
    points = (found.baseline, *found.points)
    bare = [msgspec.structs.replace(point, trial=None) for point in points]
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(found, baseline=bare[0], points=bare[1:]))
    for record, point in zip((plain["baseline"], *plain["points"]), points, strict=True):
        record["trial"] = point.trial.id if point.trial else None
    return plain

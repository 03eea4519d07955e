"""The production loop: frames in, answers out, in order, within a deadline, watched for drift.

A bundle carries this file along as it is (``from workbench.runtime import Loop``); it needs nothing but numpy.

::

    reader ─► queue ─► preprocessing ─► queue ─► batches ─► inference ─► results, in the order of the frames
    (thread)           (thread)                  (the caller's thread)

The queues are bounded: where inference is slower than the source, the source waits. No frame is dropped and none
overtakes another; a frame that cannot be prepared or inferred becomes a result with an error.
"""

from __future__ import annotations

import contextlib
import math
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

import numpy as np

from workbench.core.outputs import cosine, is_scores, kl_divergence, numbers

Feed: TypeAlias = Mapping[str, np.ndarray]
Outputs: TypeAlias = Sequence[tuple[str, np.ndarray]]
Infer: TypeAlias = Callable[[Feed], Outputs]

STABLE = 0.05
"""Divergence (KL, nats) below which nothing has drifted."""
ALARM = 0.15
"""Divergence above which somebody must look."""
BINS = 16
"""Levels that the inputs' histograms are compared in: few, so that a handful of pictures fills them."""

_END = object()
_LATEST = 0.2  # weight of the newest time in the running estimate for a batch size


@dataclass(frozen=True)
class Result:
    """What became of one frame.

    Attributes:
        number: from 0, in the order of the source.
        frame: as the source gave it.
        outputs: named arrays of this frame alone; empty where there is an *error*.
        age_ms: from being read to being answered.
        batch: how many frames were inferred together.
        late: *age_ms* exceeds the deadline.
    """

    number: int
    frame: Any
    outputs: list[tuple[str, np.ndarray]] = field(default_factory=list)
    error: str = ""
    age_ms: float = 0.0
    batch: int = 0
    late: bool = False


@dataclass
class Counters:
    """How many frames were read, answered, answered too late and lost to an error; how many batches of each size."""

    read: int = 0
    answered: int = 0
    late: int = 0
    failed: int = 0
    batches: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Waiting:
    number: int
    frame: Any
    read_at: float
    feed: Feed | None = None
    error: str = ""


class Loop:
    """Reads, prepares and infers frames.

    Args:
        infer: runs the model on a feed whose leading axis is the batch; every output's leading axis must be it, too.
        prepare: turns a frame into a feed with a leading axis of 1.
        batches: batch sizes that the model may be run with, 1 among them.
        deadline_ms: age at which an answer is late; None for none.
        depth: how many frames may wait in each queue.
        monitor: sees every frame with its outputs.
        clock: seconds, monotonic.
    """

    def __init__(
        self,
        infer: Infer,
        prepare: Callable[[Any], Feed],
        *,
        batches: Sequence[int] = (1,),
        deadline_ms: float | None = None,
        depth: int = 8,
        monitor: DriftMonitor | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if 1 not in batches:
            raise ValueError("a batch of 1 must be possible: frames may come one by one")
        self.counters = Counters()
        self._infer = infer
        self._prepare = prepare
        self._batches = sorted(set(batches))
        self._deadline_s = None if deadline_ms is None else deadline_ms / 1000
        self._depth = depth
        self._monitor = monitor
        self._clock = clock
        self._took: dict[int, float] = {}
        self._stopped = threading.Event()
        self._abandoned = threading.Event()

    def warm_up(self, feed: Feed, runs: int = 10) -> None:
        """Run every batch size on copies of one prepared frame, so that the first real frame finds all in place."""
        for size in self._batches:
            many = _stacked([feed] * size)
            for _ in range(runs):
                start = self._clock()
                self._infer(many)
                self._learn(size, self._clock() - start)

    def stop(self) -> None:
        """Read no more frames; those that were read are still answered. May be called from any thread or signal."""
        self._stopped.set()

    def run(self, frames: Iterable[Any]) -> Iterator[Result]:
        """Answer every frame, in order.

        Raises:
            Exception: whatever *frames* raised, after all frames before it were answered.
        """
        read: queue.Queue[Any] = queue.Queue(self._depth)
        ready: queue.Queue[Any] = queue.Queue(max(self._depth, self._batches[-1]))
        broken: list[BaseException] = []
        for body, name in (
            (lambda: self._read(frames, read, broken), "reader"),
            (lambda: self._make_ready(read, ready), "preprocessing"),
        ):
            threading.Thread(target=body, name=name, daemon=True).start()
        try:
            yield from self._answers(ready)
        finally:
            # Who stops to listen in the middle must not leave threads waiting for room in a queue.
            self._abandoned.set()
            self._stopped.set()
        if broken:
            raise broken[0]

    # -- threads ------------------------------------------------------------------------------------

    def _read(self, frames: Iterable[Any], read: queue.Queue[Any], broken: list[BaseException]) -> None:
        try:
            source = iter(frames)
            while not self._stopped.is_set():
                try:
                    frame = next(source)
                except StopIteration:
                    break
                self._hand_on(read, _Waiting(self.counters.read, frame, self._clock()))
                self.counters.read += 1
        except Exception as error:
            broken.append(error)
        self._hand_on(read, _END)

    def _make_ready(self, read: queue.Queue[Any], ready: queue.Queue[Any]) -> None:
        while (waiting := self._next(read)) is not _END:
            try:
                made = _Waiting(waiting.number, waiting.frame, waiting.read_at, self._prepare(waiting.frame))
            except Exception as error:
                made = _Waiting(waiting.number, waiting.frame, waiting.read_at, error=_worded(error))
            self._hand_on(ready, made)
        self._hand_on(ready, _END)

    def _hand_on(self, target: queue.Queue[Any], item: Any) -> None:
        while not self._abandoned.is_set():
            with contextlib.suppress(queue.Full):
                target.put(item, timeout=0.1)
                return

    def _next(self, source: queue.Queue[Any]) -> Any:
        while not self._abandoned.is_set():
            with contextlib.suppress(queue.Empty):
                return source.get(timeout=0.1)
        return _END

    # -- inference ----------------------------------------------------------------------------------

    def _answers(self, ready: queue.Queue[Any]) -> Iterator[Result]:
        held: deque[_Waiting] = deque()
        ended = False
        while held or not ended:
            if not held:
                item = self._next(ready)
                if item is _END:
                    return
                held.append(item)
            with contextlib.suppress(queue.Empty):
                while not ended and len(held) < self._batches[-1]:
                    item = ready.get_nowait()
                    ended = item is _END
                    if not ended:
                        held.append(item)
            yield from self._answer(held)

    def _answer(self, held: deque[_Waiting]) -> Iterator[Result]:
        """Answer the first frames of *held*, and take them out of it."""
        if held[0].feed is None:
            self.counters.failed += 1
            yield self._result(held.popleft(), [], 0)
            return
        usable = next((i for i, waiting in enumerate(held) if waiting.feed is None), len(held))
        size = self.choose(usable, self._clock() - held[0].read_at)
        batch = [held.popleft() for _ in range(size)]
        start = self._clock()
        try:
            parts = _parted(self._infer(_stacked([waiting.feed for waiting in batch if waiting.feed])), size)
        except Exception as error:
            self.counters.failed += size
            for waiting in batch:
                yield self._result(
                    _Waiting(waiting.number, waiting.frame, waiting.read_at, error=_worded(error)), [], 0
                )
            return
        self._learn(size, self._clock() - start)
        self.counters.batches[size] = self.counters.batches.get(size, 0) + 1
        for waiting, outputs in zip(batch, parts, strict=True):
            yield self._result(waiting, outputs, size)
            if self._monitor is not None and waiting.feed is not None:
                self._monitor.see(waiting.number, waiting.feed, outputs)

    def _result(self, waiting: _Waiting, outputs: list[tuple[str, np.ndarray]], size: int) -> Result:
        age = self._clock() - waiting.read_at
        late = self._deadline_s is not None and age > self._deadline_s
        self.counters.answered += 1
        self.counters.late += late
        return Result(waiting.number, waiting.frame, outputs, waiting.error, age * 1000, size, late)

    def choose(self, waiting: int, age_s: float) -> int:
        """Return how many of *waiting* frames to infer together, the oldest of which is *age_s* old.

        The largest batch that keeps the oldest frame's deadline; where none does, the batch that gets through the
        queue fastest: what is late already is not helped by making the rest late, too.
        """
        possible = [size for size in self._batches if size <= waiting]
        if self._deadline_s is None:
            return possible[-1]
        in_time = [size for size in possible if age_s + self._expected(size) <= self._deadline_s]
        return in_time[-1] if in_time else min(possible, key=lambda size: self._expected(size) / size)

    def _expected(self, size: int) -> float:
        """Return the seconds a batch is expected to take; a size that was never run, as if nothing were shared."""
        if size in self._took:
            return self._took[size]
        nearest = min(self._took, key=lambda known: abs(known - size), default=None)
        return 0.0 if nearest is None else self._took[nearest] * size / nearest

    def _learn(self, size: int, seconds: float) -> None:
        known = self._took.get(size)
        self._took[size] = seconds if known is None else known + _LATEST * (seconds - known)


def _worded(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _stacked(feeds: Sequence[Feed]) -> Feed:
    if len(feeds) == 1:
        return feeds[0]
    return {name: np.concatenate([feed[name] for feed in feeds]) for name in feeds[0]}


def _parted(outputs: Outputs, size: int) -> list[list[tuple[str, np.ndarray]]]:
    """Give each frame its rows; a batch of one keeps whatever shape the model gives."""
    if size == 1:
        return [list(outputs)]
    return [[(name, array[i : i + 1]) for name, array in outputs] for i in range(size)]


# -- drift ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class InputStatistics:
    """How the values of one input were spread during calibration.

    Attributes:
        edges: of :data:`BINS` bins, ascending; values outside count in the first or last one.
        shares: of the values per bin, adding up to 1.
    """

    edges: list[float]
    shares: list[float]

    @classmethod
    def of(cls, arrays: Iterable[np.ndarray]) -> InputStatistics:
        """Return the statistics of all values of *arrays*, in bins of equal width.

        Raises:
            ValueError: there is not one finite value.
        """
        values = np.concatenate([np.asarray(array, np.float64).ravel() for array in arrays])
        values = values[np.isfinite(values)]
        if not values.size:
            raise ValueError("the inputs hold no finite value")
        edges = np.linspace(values.min(), values.max() if values.max() > values.min() else values.min() + 1.0, BINS + 1)
        return cls([float(edge) for edge in edges], [float(share) for share in shares_in(edges, values)])


def shares_in(edges: Sequence[float] | np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the share of *values* in each bin, shape (bins,); what lies outside counts in the outermost ones."""
    inner = np.asarray(edges)[1:-1]
    counts = np.bincount(np.searchsorted(inner, values.ravel(), side="right"), minlength=len(edges) - 1)
    return np.asarray(counts / max(counts.sum(), 1))


def divergence(reference: np.ndarray, candidate: np.ndarray) -> float:
    """Return KL(reference ‖ candidate) of two histograms, in nats; empty bins count as one value in 10,000."""
    p, q = (np.maximum(np.asarray(side, np.float64), 1e-4) for side in (reference, candidate))
    p, q = p / p.sum(), q / q.sum()
    return float((p * np.log(p / q)).sum())


class DriftMonitor:
    """Watches whether the model still sees what it was calibrated for, and still says what FP32 would say.

    Args:
        reference: runs the FP32 model; None watches the inputs alone.
        statistics: per input, from calibration; empty watches the outputs alone.
        write: gets one JSON-able record per check, and one more whenever the verdict changes.
        every: every so many frames are also run through FP32. It costs that frame's time in FP32.
        window: over how many checks (outputs) and frames (inputs) the figures are averaged.
        stable, alarm: divergence in nats below which all is well, and above which the verdict is "alarm".
        normal: what was seen at the export, on data of the same kind: ``kl`` and ``cosine`` of the outputs, and per
            input the divergence of held-out samples from the calibration's. Only what exceeds it has drifted.

    Until a window is full the verdict is "filling": a few frames show themselves, not the source.
    """

    def __init__(
        self,
        reference: Infer | None,
        statistics: Mapping[str, InputStatistics],
        write: Callable[[dict[str, Any]], None],
        *,
        every: int = 100,
        window: int = 20,
        stable: float = STABLE,
        alarm: float = ALARM,
        normal: Mapping[str, float] | None = None,
    ) -> None:
        if not 0 < stable < alarm or every < 1 or window < 1:
            raise ValueError("stable must be above 0 and below alarm; every and window at least 1")
        self._reference = reference
        self._statistics = dict(statistics)
        self._write = write
        self._every = every
        self._limits = stable, alarm
        self._normal = dict(normal or {})
        self._inputs: dict[str, deque[np.ndarray]] = {name: deque(maxlen=window) for name in statistics}
        self._kl: deque[float] = deque(maxlen=window)
        self._cosine: deque[float] = deque(maxlen=window)
        self.verdict = "filling"

    def see(self, number: int, feed: Feed, outputs: Outputs) -> None:
        """Take one frame with its outputs in; every so often also ask FP32."""
        for name, known in self._statistics.items():
            self._inputs[name].append(shares_in(known.edges, np.asarray(feed[name], np.float64)))
        if number % self._every:
            return
        if self._reference is not None:
            kl, similar = distances(self._reference(feed), outputs)
            self._cosine.append(similar)
            if kl is not None:
                self._kl.append(kl)
        self._judge(number)

    def _judge(self, number: int) -> None:
        """Write a record of where things stand."""
        record: dict[str, Any] = {"drift": number}
        excess = []
        if self._kl:
            record["kl"] = float(np.mean(self._kl))
        if self._cosine:
            record["cosine"] = float(np.mean(self._cosine))
        if len(self._cosine) == self._cosine.maxlen:
            # Outputs that are no class scores have no divergence: the angle tells.
            excess.append(
                record["kl"] - self._normal.get("kl", 0.0)
                if self._kl
                else self._normal.get("cosine", 1.0) - record["cosine"]
            )
        for name, known in self._statistics.items():
            seen = self._inputs[name]
            moved = divergence(np.asarray(known.shares), np.mean(seen, axis=0))
            record.setdefault("inputs", {})[name] = moved
            if len(seen) == seen.maxlen:
                excess.append(moved - self._normal.get(name, 0.0))
        record["verdict"] = verdict = self._verdict(excess)
        self._write(record)
        if verdict != self.verdict:
            self._write({"drift": number, "was": self.verdict, "now": verdict})
            self.verdict = verdict

    def _verdict(self, excess: Sequence[float]) -> str:
        if not excess:
            return "filling"
        stable, alarm = self._limits
        worst = max(excess)
        return "stable" if worst < stable else "alarm" if worst > alarm else "watch"


def distances(reference: Outputs, candidate: Outputs) -> tuple[float | None, float]:
    """Return the KL divergence of the first class scores (None without such) and the worst leaf's cosine.

    Values that are not finite are as far away as can be.
    """
    if not all(np.isfinite(numbers(array)).all() for _, array in [*reference, *candidate]):
        return math.inf, -1.0
    ours, theirs = ([(name, numbers(array)) for name, array in side] for side in (reference, candidate))
    scores = next((i for i, (_, array) in enumerate(reference) if is_scores(array)), None)
    kl = None if scores is None else kl_divergence(ours[scores][1], theirs[scores][1])
    return kl, min((cosine(a, b) for (_, a), (_, b) in zip(ours, theirs, strict=True)), default=1.0)


def as_record(counters: Counters) -> dict[str, Any]:
    """Return the counters as a JSON-able record."""
    return {"counters": {**asdict(counters), "batches": {str(k): v for k, v in counters.batches.items()}}}

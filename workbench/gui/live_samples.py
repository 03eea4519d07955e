"""The samples of one run while they come in: what the latency panel draws, without any Qt.

Every sample is kept twice: in the order taken, and sorted. A burst is merged into the sorted ones in about
half a millisecond at 200,000 samples, after which every percentile, every count of missed deadlines and
a histogram with *any* bins are look-ups. So bins may adapt to the data, to a baseline behind it or to a log
axis with each burst, and dragging the deadline costs nothing.

Percentiles are by nearest rank and the verdict in the words of :mod:`workbench.core.latency`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core import latency, trial

MOST_POINTS = 20_000
"""A timeline of more samples is thinned to so many points."""
MOST_BINS = 120
_LEAST_BINS = 24
_DRIFT_SAMPLES = 60_000
_MS = 1e-6
_LEAST_MS = 1e-4
"""What a log axis shows a sample of zero as: a tenth of a microsecond."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Statistics:
    """What the table shows; times in ms. Everything but *n* is None without samples.

    Attributes:
        p99_ms: None below 100 samples.
        missed: samples above the deadline, None without one.
        per_second: runs times batch.
    """

    n: int = 0
    mean_ms: float | None = None
    p50_ms: float | None = None
    p90_ms: float | None = None
    p99_ms: float | None = None
    max_ms: float | None = None
    missed: int | None = None
    per_second: float | None = None


class _Growing:
    """An int64 array that doubles its room when it is full."""

    def __init__(self, capacity: int) -> None:
        self._room = np.empty(max(capacity, 1), np.int64)
        self.n = 0

    @property
    def view(self) -> Ints:
        return self._room[: self.n]

    def append(self, values: Ints) -> None:
        end = self.n + values.size
        if end > self._room.size:
            room = np.empty(max(end, 2 * self._room.size), np.int64)
            room[: self.n] = self.view
            self._room = room
        self._room[self.n : end] = values
        self.n = end


class LiveSamples:
    """Samples of one run, in nanoseconds.

    Attributes:
        warmup: the warm-up runs; in no figure.
        settled: whether the warm-up came to rest; True as long as nobody knows better.
    """

    def __init__(self, capacity: int = 8192) -> None:
        self._taken = _Growing(capacity)
        self._sorted = _Growing(capacity)
        self._gaps = _Growing(64)
        self._gap_at = _Growing(64)
        self._total = 0
        self._stretch = 0
        self._extremes = _Growing(64)
        self.warmup: Ints = np.empty(0, np.int64)
        self.settled = True

    @classmethod
    def of(cls, stored: trial.Samples | None, *, settled: bool = True) -> LiveSamples:
        """Return the stored samples of a finished trial."""
        live = cls()
        live.settled = settled
        if stored is None:
            return live
        live.warm_up(np.frombuffer(stored.warmup, np.int64))
        bursts = [np.frombuffer(burst, np.int64) for burst in stored.bursts]
        gaps = np.frombuffer(stored.after_gap, np.int64)
        starts = np.cumsum([0, *(burst.size for burst in bursts)], dtype=np.int64)
        live._gaps.append(gaps)
        live._gap_at.append(starts[np.minimum(np.arange(gaps.size), starts.size - 1)])
        live.add(latency.join(bursts))
        return live

    @property
    def n(self) -> int:
        """How many samples were kept."""
        return self._taken.n

    @property
    def values(self) -> Ints:
        """The kept samples in the order taken."""
        return self._taken.view

    @property
    def ordered(self) -> Ints:
        """The kept samples from the smallest to the largest."""
        return self._sorted.view

    @property
    def gaps(self) -> tuple[Ints, Ints]:
        """The first runs after each gap, and the kept sample that each came before."""
        return self._gap_at.view, self._gaps.view

    def warm_up(self, samples: npt.ArrayLike) -> None:
        """Take the warm-up runs."""
        self.warmup = np.asarray(samples, np.int64).ravel()

    def add(self, burst: npt.ArrayLike, after_gap: int | None = None) -> None:
        """Take a burst of kept samples.

        Args:
            burst: ns, in the order taken.
            after_gap: the run before it, first after the gap, which counts nowhere.
        """
        new = np.asarray(burst, np.int64).ravel()
        if after_gap is not None:
            self._gaps.append(np.array([after_gap], np.int64))
            self._gap_at.append(np.array([self.n], np.int64))
        self._total += int(new.sum())
        self._taken.append(new)
        self._sorted.append(np.sort(new))
        # Two sorted stretches: a stable sort of integers merges them and compares nothing else.
        self._sorted.view.sort(kind="stable")

    def percentile(self, percent: float) -> int:
        """Return the nearest-rank percentile in ns; there must be samples."""
        rank = max(0, math.ceil(round(percent * self.n, 6) / 100) - 1)
        return int(self.ordered[rank])

    def above(self, ms: float) -> int:
        """Return how many samples are above *ms*."""
        limit = round(min(max(ms, 0.0) / _MS, 2.0**62))
        return self.n - int(np.searchsorted(self.ordered, limit, side="right"))

    def statistics(self, deadline_ms: float | None = None, batch: int = 1) -> Statistics:
        """Return the figures of the table."""
        if not self.n:
            return Statistics(missed=None if deadline_ms is None else 0)
        mean = self._total / self.n * _MS
        return Statistics(
            n=self.n,
            mean_ms=mean,
            p50_ms=self.percentile(50) * _MS,
            p90_ms=self.percentile(90) * _MS,
            p99_ms=self.percentile(99) * _MS if self.n >= latency.P99_LEAST else None,
            max_ms=int(self.ordered[-1]) * _MS,
            missed=None if deadline_ms is None else self.above(deadline_ms),
            per_second=1000.0 * batch / mean if mean > 0 else None,
        )

    def verdict(self) -> tuple[bool, str]:
        """Return whether the run may be trusted so far, and why in words."""
        if not self.n:
            return False, "no samples"
        # Of very many samples every k-th tells the drift just as well.
        some = self.values[:: max(1, self.n // _DRIFT_SAMPLES)]
        return latency.verdict(
            self.percentile(50), self.percentile(90), int(self.ordered[-1]),
            change=latency.drift([some]), settled=self.settled, n=self.n,
        )  # fmt: skip

    def top_ms(self) -> float:
        """Return a latency that nearly all samples are below, so that one spike does not flatten a plot."""
        if not self.n:
            return 0.0
        p50, p99 = self.percentile(50), self.percentile(99)
        return min(int(self.ordered[-1]), max(1.25 * p99, 2 * p99 - p50)) * _MS

    def counts(self, edges: Floats) -> Ints:
        """Return how many samples lie in each bin of *edges* (ms, rising); what is below counts in the first."""
        if edges.size < 2:
            return np.empty(0, np.int64)
        places = np.searchsorted(self.ordered, np.ceil(edges / _MS).astype(np.int64))
        places[0] = 0
        return np.diff(places)

    def timeline(self, most: int = MOST_POINTS) -> tuple[Floats, Floats]:
        """Return run numbers and latencies in ms.

        Of more than *most* samples, the smallest and the largest of each stretch; a stretch is a power of two
        long, so that those which are complete need not be looked at again.
        """
        if self.n <= most:
            return np.arange(self.n, dtype=np.float64), in_ms(self.values)
        stretch = 1 << (2 * (self.n - 1) // most).bit_length()
        if stretch != self._stretch:
            self._stretch, self._extremes = stretch, _Growing(most)
        done = self._extremes.n // 2 * stretch
        whole = self.n // stretch * stretch
        self._extremes.append(_extremes(self.values[done:whole].reshape(-1, stretch)) + done)
        positions = self._extremes.view
        if whole < self.n:
            positions = np.concatenate([positions, _extremes(self.values[None, whole:]) + whole])
        return positions.astype(np.float64), in_ms(self.values[positions])


def _extremes(rows: Ints) -> Ints:
    """Return where each row has its smallest and its largest value, in the order they occur."""
    ends = np.stack([rows.argmin(axis=1), rows.argmax(axis=1)], axis=1)
    starts = np.arange(rows.shape[0], dtype=np.int64)[:, None] * rows.shape[1]
    flat: Ints = (np.sort(ends, axis=1) + starts).ravel()
    return flat


def in_ms(ns: Ints) -> Floats:
    """Return nanoseconds as milliseconds."""
    ms: Floats = np.multiply(ns, _MS, dtype=np.float64)
    return ms


def bin_edges(shown: Sequence[LiveSamples], *, log: bool = False, most: int = MOST_BINS) -> Floats:
    """Return edges (ms) of bins that suit the first of *shown* and reach over all of them.

    Widths are 1, 2 or 5 times a power of ten (on a log axis: of its exponent) and edges are multiples of
    them, so that bins stay where they are while samples come in. Without a log axis the few runs far out
    are left out (see :meth:`LiveSamples.top_ms`).
    """
    full = [samples for samples in shown if samples.n]
    if not full:
        return np.empty(0)
    low = min(int(samples.ordered[0]) for samples in full) * _MS
    high = max(int(samples.ordered[-1]) * _MS if log else samples.top_ms() for samples in full)
    quarter, three = full[0].percentile(25) * _MS, full[0].percentile(75) * _MS
    if log:
        low, high, quarter, three = (math.log10(max(value, _LEAST_MS)) for value in (low, high, quarter, three))
    span = high - low
    least = 1e-3 if log else max(abs(high) * 1e-3, _LEAST_MS)
    width = 2 * (three - quarter) / full[0].n ** (1 / 3)
    width = nice(min(max(width, span / most, least), max(span / _LEAST_BINS, least)))
    if span / width > most:
        width = nice(width * 1.01)
    first, last = math.floor(low / width + 1e-9), math.floor(high / width + 1e-9) + 1
    edges: Floats = np.multiply(np.arange(first, last + 1), width, dtype=np.float64)
    if log:
        np.power(10.0, edges, out=edges)
    return edges


def nice(width: float) -> float:
    """Return the next 1, 2 or 5 times a power of ten from *width* up."""
    power = 10.0 ** math.floor(math.log10(width))
    return next((step * power for step in (1, 2, 5) if step * power >= width * (1 - 1e-9)), 10 * power)


def logarithms(ms: npt.ArrayLike) -> Floats:
    """Return log10 of latencies in ms; zero and below become the least that a log axis shows."""
    return np.log10(np.maximum(np.asarray(ms, np.float64), _LEAST_MS))

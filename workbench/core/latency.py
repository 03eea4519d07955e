"""Statistics of latency samples: percentiles, warm-up, drift, and whether a run may be trusted.

Pure arithmetic over ``int64`` nanoseconds; the worker feeds it, trials store its result, every table and
plot shows it. Whether two configs differ is decided in :mod:`workbench.core.significance`.

Percentile rule: *nearest rank*. The p-th percentile of n samples is the ⌈p·n/100⌉-th smallest one, so
every figure shown is a run that really happened; p50 of an even count is the lower of the middle two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.int64]

P99_LEAST = 100
"""Below so many samples P99 would be the maximum under another name, and is not given."""
DRIFT_LIMIT = 0.05
"""A change of the median from the first to the last third of a run above this marks it unstable."""
SPREAD_LIMIT = 1.25
"""p90 / p50 above this marks a run noisy."""
SPIKE = 5.0
"""A worst case of so many medians is named in the verdict, but does not make a run unstable."""

_MS = 1e-6


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """Summary of one trial's kept samples; times in ms.

    Attributes:
        n: kept samples. With 0 of them every time is 0.0 and *noise* says so.
        warmup_n: samples of the warm-up, which count nowhere else.
        p99_ms: ``None`` below 100 samples.
        stable: warm-up settled, drift within 5 %, and p90 within 1.25 × p50.
        samples_file: where every sample is kept, filled in by whoever stores it.
        deadline_ms: the deadline the runs were held against, if any.
        missed: kept samples above the deadline; ``None`` without a deadline.
        after_gap_ms: median of the first runs after a gap between bursts; they are in no other figure.
        drift: relative change of the median from the first to the last third.
        noise: the verdict in words.
    """

    n: int
    warmup_n: int
    mean_ms: float
    p50_ms: float
    p90_ms: float
    p99_ms: float | None
    max_ms: float
    stable: bool
    samples_file: str | None = None
    min_ms: float = 0.0
    deadline_ms: float | None = None
    missed: int | None = None
    after_gap_ms: float | None = None
    drift: float = 0.0
    noise: str = ""


def percentile(samples: npt.ArrayLike, percent: int) -> float:
    """Return the nearest-rank percentile of *samples*, in their own unit.

    Args:
        samples: one-dimensional, at least one value, any order.
        percent: whole number from 1 to 100.
    """
    values = np.asarray(samples)
    if values.size == 0:
        raise ValueError("no samples")
    # Whole-number arithmetic: 0.07 * 100 is 7.000000000000001 and would pick the next rank.
    rank = max(0, -(-percent * values.size // 100) - 1)
    return float(np.partition(values, rank)[rank])


def drift(bursts: Sequence[npt.ArrayLike]) -> float:
    """Return by which fraction the median of the last third differs from that of the first third.

    Below nine samples the answer is 0.0: three runs a side are the least worth comparing.
    """
    samples = join(bursts)
    third = samples.size // 3
    if third < 3:
        return 0.0
    first = percentile(samples[:third], 50)
    return percentile(samples[-third:], 50) / first - 1.0 if first > 0 else 0.0


def summarize(
    bursts: Sequence[npt.ArrayLike],
    warmup: npt.ArrayLike,
    after_gap: npt.ArrayLike,
    deadline_ms: float | None = None,
    *,
    settled: bool = True,
    samples_file: str | None = None,
) -> Latency:
    """Summarise a trial.

    Args:
        bursts: kept samples in ns, burst by burst, in the order measured.
        warmup: samples of the warm-up, ns; only counted.
        after_gap: the first run after each gap, ns; kept apart from all percentiles.
        deadline_ms: a run above it is a miss.
        settled: whether the warm-up ended because it agreed (:attr:`WarmUp.settled`).
        samples_file: name of the file that keeps every sample.
    """
    samples = join(bursts)
    gap = np.asarray(after_gap)
    # One sample of zero stands in where there is none, so that every figure is 0.0.
    values = samples if samples.size else np.zeros(1, np.int64)
    p50, p90 = percentile(values, 50), percentile(values, 90)
    worst, change = int(values.max()), drift(bursts)
    stable, noise = False, "no samples"
    if samples.size:
        stable, noise = verdict(p50, p90, worst, change=change, settled=settled, n=samples.size)
    return Latency(
        n=int(samples.size),
        warmup_n=int(np.asarray(warmup).size),
        mean_ms=float(values.mean()) * _MS,
        p50_ms=p50 * _MS,
        p90_ms=p90 * _MS,
        p99_ms=percentile(samples, 99) * _MS if samples.size >= P99_LEAST else None,
        max_ms=worst * _MS,
        stable=stable,
        samples_file=samples_file,
        min_ms=int(values.min()) * _MS,
        deadline_ms=deadline_ms,
        missed=None if deadline_ms is None else int(np.count_nonzero(samples > round(deadline_ms / _MS))),
        after_gap_ms=percentile(gap, 50) * _MS if gap.size else None,
        drift=change,
        noise=noise,
    )


def join(bursts: Sequence[npt.ArrayLike]) -> Samples:
    """Return all bursts as one ``int64`` array in the order measured; empty for none."""
    arrays = [np.asarray(burst, dtype=np.int64).ravel() for burst in bursts]
    return np.concatenate(arrays) if arrays else np.empty(0, np.int64)


def verdict(p50: float, p90: float, worst: int, *, change: float, settled: bool, n: int) -> tuple[bool, str]:
    """Say whether a run may be trusted.

    Args:
        p50: median, in the samples' own unit, as are *p90* and *worst*.
        change: relative change of the median from the first to the last third.
        settled: whether the warm-up came to rest.
        n: samples.

    Returns:
        Whether it is stable, and why (not) in words.
    """
    faults = []
    if not settled:
        faults.append("the warm-up did not settle")
    if abs(change) > DRIFT_LIMIT:
        faults.append(f"drifting: the last third is {abs(change):.0%} {'slower' if change > 0 else 'faster'}")
    if p90 > SPREAD_LIMIT * p50:
        faults.append(f"noisy: one run in ten takes {p90 / max(p50, 1.0):.2f}× the median or more")
    words = "; ".join(faults) or ("quiet" if n >= 9 else "quiet as far as a handful of samples can tell")
    if worst > SPIKE * p50:
        words += f"; worst run {worst / max(p50, 1.0):.0f}× the median"
    return not faults, words


class WarmUp:
    """Decides when the warm-up is over, from the runs' own times alone.

    Runs are gathered into windows of at least :attr:`WINDOW_RUNS` runs and :attr:`WINDOW_NS` of running
    time. The warm-up ends *settled* when the medians of two consecutive windows differ by at most
    :attr:`TOLERANCE`, and *unsettled* after :attr:`max_runs` runs or :attr:`max_seconds` of running
    time, whichever comes first, but never before three runs. The clock is the sum of the samples, so
    the same samples always give the same answer.
    """

    WINDOW_RUNS = 3
    WINDOW_NS = 50_000_000
    TOLERANCE = 0.05
    LEAST_RUNS = 3

    def __init__(self, max_runs: int = 20_000, max_seconds: float = 30.0) -> None:
        self.max_runs = max_runs
        self.max_seconds = max_seconds
        self._samples: list[int] = []
        self._window: list[int] = []
        self._elapsed = 0
        self._window_elapsed = 0
        self._previous: float | None = None
        self._settled = False

    def add(self, ns: int) -> None:
        """Take one run's time in nanoseconds."""
        self._samples.append(ns)
        self._window.append(ns)
        self._elapsed += ns
        self._window_elapsed += ns
        if len(self._window) < self.WINDOW_RUNS or self._window_elapsed < self.WINDOW_NS:
            return
        median = percentile(self._window, 50)
        if self._previous is not None and abs(median - self._previous) <= self.TOLERANCE * self._previous:
            self._settled = True
        self._previous = median
        self._window = []
        self._window_elapsed = 0

    @property
    def settled(self) -> bool:
        """Whether two consecutive windows agreed."""
        return self._settled

    @property
    def done(self) -> bool:
        """Whether to stop warming up, settled or not."""
        runs = len(self._samples)
        spent = runs >= self.max_runs or self._elapsed >= self.max_seconds * 1e9
        return self._settled or (spent and runs >= self.LEAST_RUNS)

    @property
    def samples(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """All warm-up samples so far, ns: excluded from the result, but stored."""
        return np.asarray(self._samples, np.int64)

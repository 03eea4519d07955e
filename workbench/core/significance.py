"""Is A faster than B, or is it luck? The interval and verdict of ``compare``, ``ladder`` and ``sweep``.

The unit is the *process*: where memory lands differs from process to process and moves the median more
than thousands of runs inside one process can tell. So the figure compared is the mean of the logarithms
of the processes' medians, and the 95 % interval of the ratio is the hull of two intervals:

* a bootstrap over processes, then over bursts within each (percentiles of 2,000 seeded draws): follows
  skewed and uneven data, but is far too narrow for a handful of processes (two allow four draws);
* Welch's t-interval on the processes' log-medians: honest about a handful, for it knows nothing of the
  runs inside a process and pays for the few degrees of freedom.

Processes are not paired, although they were interleaved: a common slow change of the machine then widens
the interval, while pairing would halve the degrees of freedom.

Below three processes a side the data cannot show how much processes differ: two that fell into the same
of two memory layouts look exact. There the interval reaches at least :data:`PROCESS_SPREAD` to each side
(with one process it is added to the bootstrap over bursts), so ``--quick`` can show only differences
larger than what luck was seen to do. An effect below :data:`LEAST_EFFECT` is called ``same`` even if it is
certain: it would not survive a reboot.

The tail is compared in the same way, by the processes' 99th percentiles. It differs more between processes than the
median does (:data:`TAIL_SPREAD`), and a block of bursts needs so many runs that its own 99th percentile is not just
its maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from workbench.core.latency import join, percentile

PROCESS_SPREAD = 0.15
"""In log units: a little above the widest seen between processes of one config (4.4 to 5.0 ms)."""
TAIL_SPREAD = 0.5
"""The same for percentiles above the median: P99 of one config went from 8.4 to 14.1 ms."""
LEAST_EFFECT = 0.01
"""The smallest relative difference that is called one."""

_DRAWS = 2000
_BLOCKS = 32
_LOG_T = np.log([12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281])

Floats = npt.NDArray[np.float64]
Process = Sequence[npt.ArrayLike]
"""One process: its bursts, each one-dimensional, ns."""


class Ratio(msgspec.Struct, frozen=True, kw_only=True):
    """How the latency of A compares with that of B.

    Attributes:
        ratio: p50(A) / p50(B), or of another percentile; geometric mean over processes; below 1 means that A is faster.
        lo: lower end of the 95 % interval of the ratio.
        hi: upper end.
        verdict: ``a`` (A is faster), ``b`` (B is faster) or ``same`` (no difference shown).
        processes: processes per side, the smaller count of the two.
        text: the verdict in words.
    """

    ratio: float
    lo: float
    hi: float
    verdict: Literal["a", "b", "same"]
    processes: int
    text: str

    @property
    def ci95(self) -> tuple[float, float]:
        """The interval as the JSON contract has it."""
        return (self.lo, self.hi)


def ratio(a: Sequence[Process], b: Sequence[Process], *, percent: int = 50, seed: int = 0) -> Ratio:
    """Compare two configs measured in several fresh processes each.

    Args:
        a: processes of A; each a list of bursts; each burst samples in ns.
        b: processes of B.
        percent: the percentile that is compared, a whole number from 50 to 99.
        seed: of the bootstrap; the same data and seed always give the same answer.

    Raises:
        ValueError: a side without processes, a process without samples, or a median of zero.
    """
    rng = np.random.default_rng(seed)
    logs_a, logs_b = _logs(a, percent), _logs(b, percent)
    center = float(logs_a.mean() - logs_b.mean())
    count = min(len(logs_a), len(logs_b))
    spread = PROCESS_SPREAD if percent <= 50 else TAIL_SPREAD
    draws = _bootstrap(a, logs_a, percent, rng) - _bootstrap(b, logs_b, percent, rng)
    low, high = (float(value) for value in np.quantile(draws, (0.025, 0.975)))
    low, high = min(low, center), max(high, center)
    if count == 1:
        low, high = low - spread, high + spread
    else:
        half = _welch_half_width(logs_a, logs_b)
        if count == 2:
            half = max(half, spread)
        low, high = min(low, center - half), max(high, center + half)
    verdict = _verdict(center, low, high)
    value, lo, hi = (float(np.exp(x)) for x in (center, low, high))
    text = _words(value, lo, hi, verdict, count)
    return Ratio(ratio=value, lo=lo, hi=hi, verdict=verdict, processes=count, text=text)


def _verdict(center: float, low: float, high: float) -> Literal["a", "b", "same"]:
    if abs(center) < np.log1p(LEAST_EFFECT):
        return "same"
    return "a" if high < 0 else "b" if low > 0 else "same"


def _words(value: float, lo: float, hi: float, verdict: str, processes: int) -> str:
    span = f"95 % interval {lo:.3f} to {hi:.3f}, {processes} process{'es' if processes > 1 else ''} each"
    if verdict == "same":
        return f"no difference shown: A takes {value:.3f}× as long as B ({span})"
    side, factor = ("A", 1 / value) if verdict == "a" else ("B", value)
    return f"{side} is {factor:.2f}× as fast ({span})"


def _logs(side: Sequence[Process], percent: int) -> Floats:
    """Return the logarithm of a percentile of each process."""
    if not side:
        raise ValueError("a side has no processes")
    found = [percentile(join(process), percent) for process in side]
    if min(found) <= 0:
        raise ValueError("a process has a median of zero")
    return np.log(np.asarray(found, np.float64))


def _bootstrap(side: Sequence[Process], logs: Floats, percent: int, rng: np.random.Generator) -> Floats:
    """Draw the mean log-percentile of a side: processes with replacement, then bursts within each.

    A redraw of bursts moves a process by the change of the mean of its bursts' log-percentiles, which needs
    no percentile over pooled samples and is therefore quick.
    """
    count = len(side)
    table = np.empty((count, _DRAWS))
    for row, (process, log) in enumerate(zip(side, logs, strict=True)):
        blocks = _block_logs(process, percent)
        picks = rng.integers(0, blocks.size, (_DRAWS, blocks.size))
        table[row] = log + blocks[picks].mean(axis=1) - blocks.mean()
    chosen = rng.integers(0, count, (count, _DRAWS))
    # Columns are shuffled too, so that one process drawn twice brings two different draws of bursts.
    columns = rng.integers(0, _DRAWS, (count, _DRAWS))
    drawn: Floats = table[chosen, columns].mean(axis=0)
    return drawn


def _block_logs(process: Process, percent: int) -> Floats:
    """Return log-percentiles of bursts; many bursts are joined into neighbouring blocks.

    Blocks cost less, and keep slow changes together that single bursts would wrongly average away.
    """
    bursts = [burst for burst in (np.asarray(raw, np.int64).ravel() for raw in process) if burst.size]
    least = 1 if percent <= 50 else -(-100 // (100 - percent))
    most = max(min(_BLOCKS, sum(burst.size for burst in bursts) // least), 1)
    step = -(-len(bursts) // most)
    blocks = [join(bursts[start : start + step]) for start in range(0, len(bursts), step)]
    return np.log([max(percentile(block, percent), 1.0) for block in blocks])


def _welch_half_width(a: Floats, b: Floats) -> float:
    """Return half the width of Welch's 95 % interval for the difference of two means (log units)."""
    parts = np.array([a.var(ddof=1) / a.size, b.var(ddof=1) / b.size])
    total = float(parts.sum())
    if total <= 0:
        return 0.0
    freedom = total**2 / float((parts**2 / np.array([a.size - 1, b.size - 1])).sum())
    return t_quantile(freedom) * float(np.sqrt(total))


def t_quantile(freedom: float) -> float:
    """Return Student's two-sided 95 % quantile for *freedom* ≥ 1 degrees, which need not be whole.

    Up to ten the table is interpolated in the logarithm (at most 3 % off, on the wide side); above, four
    terms of the Cornish-Fisher series are exact to four digits.
    """
    if freedom <= 10:
        return float(np.exp(np.interp(1 / max(freedom, 1.0), 1 / np.arange(10, 0, -1), _LOG_T[::-1])))
    z = 1.959964
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3

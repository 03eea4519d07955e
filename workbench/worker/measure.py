"""The timing loop: warm-up until it rests, then bursts, each handed over in a gap. Child side.

Pure of engines and processes, so that a fake clock can drive it.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from workbench.core.latency import WarmUp
from workbench.worker.protocol import Burst, WarmedUp

BURST_NS = 250_000_000
BURST_RUNS = 5

Clock = Callable[[], int]


class Timer:
    """Times one function.

    Args:
        run: what is timed.
        cancelled: asked between runs; true ends the measurement early.
        clock: nanoseconds, monotonic.
    """

    def __init__(
        self, run: Callable[[], Any], cancelled: Callable[[], bool], clock: Clock = time.perf_counter_ns
    ) -> None:
        self._run = run
        self._cancelled = cancelled
        self._clock = clock

    def _once(self) -> int:
        start = self._clock()
        self._run()
        return self._clock() - start

    def warm_up(self) -> WarmedUp:
        """Run until two consecutive windows agree, or the judge gives up."""
        judge, samples = WarmUp(), []
        while not judge.done and not self._cancelled():
            samples.append(self._once())
            judge.add(samples[-1])
        return WarmedUp(samples=np.array(samples, np.int64).tobytes(), settled=judge.settled)

    def bursts(self, runs: int, seconds: float, hand_over: Callable[[Burst], bool]) -> int:
        """Take kept runs in bursts of a quarter of a second or five runs, whichever is longer.

        Garbage collection is off inside a burst. The first run after a gap is kept apart.

        Args:
            runs: kept runs wanted.
            seconds: no new burst starts once so much time was spent in kept runs.
            hand_over: gets each burst, returns when the reader is ready for the next, and tells whether it counts.

        Returns:
            Kept runs taken.
        """
        taken, spent = 0, 0
        # What exists by now stays: without this each collection below walks all of torch (0.2 s).
        gc.collect()
        gc.freeze()
        while taken < runs and spent < seconds * 1e9 and not self._cancelled():
            room = np.empty(min(runs - taken, 100_000), np.int64)
            gc.collect()
            gc.disable()
            try:
                first = self._once()
                count, total = 0, 0
                while count < len(room) and not self._cancelled():
                    duration = self._once()
                    room[count] = duration
                    count += 1
                    total += duration
                    if total >= BURST_NS and count >= BURST_RUNS:
                        break
            finally:
                gc.enable()
            spent += total
            if count and hand_over(Burst(samples=room[:count].tobytes(), after_gap_ns=first)):
                taken += count
        return taken

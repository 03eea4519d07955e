"""Watches the machine around one trial: before its runs, and while they are taken. Used by the runner.

The counters are read when the worker reports a phase, while it is alive, so that its own work is not somebody else's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from workbench.host import noise


class Disturbance:
    """What disturbed a trial.

    Args:
        cpus: those that the worker runs on; None for all that may be used.
        own: returns the processes that belong to the measurement.
    """

    def __init__(self, cpus: Sequence[int] | None, own: Callable[[], Sequence[int]]) -> None:
        self._cpus = cpus
        self._own = own
        self._idle: noise.NoiseSnapshot | None = None
        self._before: noise.NoiseSnapshot | None = None
        self._after: noise.NoiseSnapshot | None = None

    def phase(self, name: str) -> None:
        """Take note of a phase that the worker begins."""
        if name == "warming up":
            self._before = self._snapshot()
        elif self._before is None:
            self._idle = self._idle or self._snapshot()
        elif self._after is None and name != "timing":
            self._after = self._snapshot()

    def _snapshot(self) -> noise.NoiseSnapshot:
        return noise.snapshot(cpus=self._cpus, pids=self._own())

    def warnings(self) -> list[str]:
        """Return in words what disturbed the samples, or else what was wrong before the first of them."""
        if self._before is None or self._after is None:
            return []
        during = noise.noise_warnings(self._before, self._after)
        return during or (noise.warnings_before(self._idle, self._before) if self._idle else [])

    def difference(self) -> dict[str, Any]:
        """Return how the machine's counters moved while samples were taken, and before (under ``before``)."""
        if self._before is None or self._after is None:
            return {}
        moved: dict[str, Any] = msgspec.to_builtins(noise.difference(self._before, self._after))
        if self._idle is not None:
            moved["before"] = msgspec.to_builtins(noise.difference(self._idle, self._before))
        return moved

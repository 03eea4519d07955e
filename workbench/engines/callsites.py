"""Names of call sites: one module called three times is three layers."""

from __future__ import annotations

from collections import Counter


class CallSites:
    """Gives each call of a name its own: ``relu``, ``relu#2``, ``relu#3``."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def name(self, base: str) -> str:
        """Return the name of the next call of *base*."""
        self._seen[base] += 1
        return base if self._seen[base] == 1 else f"{base}#{self._seen[base]}"

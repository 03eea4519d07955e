"""Numbers as the window's tables show them: as everywhere else."""

from workbench.core.figures import (
    DASH,
    count,
    decibels,
    decimals,
    factor,
    finite,
    local_time,
    milliseconds,
    quotient,
    rate,
    share,
    significant,
)

__all__ = [
    "DASH", "count", "decibels", "decimals", "factor", "finite", "local_time", "milliseconds", "quotient", "rate",
    "share", "significant",
]  # fmt: skip

"""Numbers as the window and the report show them; what is missing or not finite is a dash everywhere."""

from __future__ import annotations

import math
from datetime import datetime

from workbench.core.accuracy import SQNR_CAP

DASH = "–"


def finite(value: float | None) -> float | None:
    """Return *value* where it is a number to show, else None."""
    return value if value is not None and math.isfinite(value) else None


def milliseconds(value: float | None) -> str:
    """Return a latency with three or four digits: 0.0412, 4.31, 52.7, 1,250."""
    value = finite(value)
    if value is None:
        return DASH
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    return f"{value:.{4 if size < 0.1 else 3 if size < 1 else 2 if size < 10 else 1}f}"


def count(value: int | None) -> str:
    """Return a whole number with separators."""
    return DASH if value is None else f"{value:,}"


def rate(value: float | None) -> str:
    """Return runs per second."""
    value = finite(value)
    if value is None:
        return DASH
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def factor(value: float | None) -> str:
    """Return a ratio: 9.2×, 0.87×, 140×."""
    value = finite(value)
    if value is None:
        return DASH
    return f"{value:,.0f}×" if value >= 100 else f"{value:.1f}×" if value >= 10 else f"{value:.2f}×"


def quotient(over: float | None, under: float | None) -> float | None:
    """Return over / under, None where it is not a number."""
    over, under = finite(over), finite(under)
    return over / under if over is not None and under else None


def share(value: float | None, digits: int = 1) -> str:
    """Return a share as a percentage."""
    value = finite(value)
    return DASH if value is None else f"{value:.{digits}%}"


def decimals(value: float | None, digits: int = 4) -> str:
    """Return a number with a fixed count of decimals, as cosines are."""
    value = finite(value)
    return DASH if value is None else f"{value:.{digits}f}"


def decibels(value: float | None) -> str:
    """Return a signal over an error."""
    # At the cap outputs are equal bit by bit, or FP32 gave nothing but zeros.
    if value is not None and abs(value) >= SQNR_CAP:
        return "∞" if value > 0 else "−∞"
    return decimals(value, 1)


def significant(value: float | None, digits: int = 3) -> str:
    """Return a number with so many significant digits."""
    value = finite(value)
    return DASH if value is None else f"{value:.{digits}g}"


def local_time(created: str, *, full: bool = False) -> str:
    """Return a record's time stamp in this machine's time zone; what is none comes back as it is."""
    try:
        moment = datetime.fromisoformat(created).astimezone()
    except ValueError:
        return created
    return moment.strftime("%Y-%m-%d %H:%M:%S" if full else "%m-%d %H:%M")

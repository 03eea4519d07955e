"""What the search field of the trials understands: words, and comparisons like ``p50<3`` or ``cosine>=0.97``.

All parts must match. A word matches anywhere in a row, in its reason and in its note; ``star`` (or ``★``)
matches trials with a star, and ``engine:ipex`` looks into one column only.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from workbench.core.trial import Trial
from workbench.gui.language import said
from workbench.study.mark import Mark

Matches = Callable[[Trial, Mark], bool]

_COMPARISON = re.compile(r"(\w+)(<=|>=|<|>|=)(-?\d+(?:\.\d*)?|-?\.\d+)$")
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq,
}  # fmt: skip


class Searchable(Protocol):
    """What is needed to know of a column."""

    @property
    def key(self) -> str:
        """Its name in comparisons."""

    @property
    def value(self) -> Callable[[Trial, Mark], Any]:
        """What is compared."""

    @property
    def text(self) -> Callable[[Trial, Mark], str]:
        """What is shown and so can be found."""


def parse_filter(text: str, columns: Sequence[Searchable]) -> Matches:
    """Return a function that tells whether a trial matches *text*; an empty text matches everything."""
    known = {column.key: column for column in columns}
    parts = [_part(word, known) for word in text.casefold().split()]
    return lambda trial, mark: all(part(trial, mark) for part in parts)


def _part(word: str, known: dict[str, Searchable]) -> Matches:
    if word in ("star", "★", "*"):
        return lambda _, mark: mark.star
    comparison = _COMPARISON.match(word)
    if comparison and comparison[1] in known:
        column, compare, limit = known[comparison[1]], _OPERATORS[comparison[2]], float(comparison[3])

        def holds(trial: Trial, mark: Mark) -> bool:
            value = column.value(trial, mark)
            return isinstance(value, (int, float)) and compare(value, limit)

        return holds
    key, colon, rest = word.partition(":")
    if colon and key in known:
        return lambda trial, mark: rest in known[key].text(trial, mark).casefold()

    def found(trial: Trial, mark: Mark) -> bool:
        return word in said(trial.reason).casefold() or any(
            word in column.text(trial, mark).casefold() for column in known.values()
        )

    return found

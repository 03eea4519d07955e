"""The two kinds of failure a person can meet: something they can change, and a bug of ours.

Every room raises :class:`UserError` for the first kind; anything else that escapes is the second.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """The user must change something; shown without a traceback, exit code 2.

    Args:
        what: what happened, one sentence.
        why: the cause, as far as it is known; may be empty.
        next_step: what the user can do about it; may be empty.
    """

    def __init__(self, what: str, why: str = "", next_step: str = "") -> None:
        super().__init__(what, why, next_step)
        self.what = what
        self.why = why
        self.next_step = next_step

    def __str__(self) -> str:
        return "\n".join(part for part in (self.what, self.why, self.next_step) if part)


def nearest(word: str, known: Iterable[str], count: int = 3) -> str:
    """Return ``"Did you mean 'a' or 'b'?"`` for the entries of *known* closest to *word*.

    Falls back to listing what is known where nothing is close, so that the answer always helps.
    """
    known = list(known)
    close = difflib.get_close_matches(word, known, n=count, cutoff=0.5)
    if close:
        return "Did you mean " + " or ".join(f"'{name}'" for name in close) + "?"
    shown = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
    return f"Known: {shown}." if known else ""

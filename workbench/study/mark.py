"""What people say about a trial. The store keeps it, the window shows and changes it."""

from __future__ import annotations

import msgspec


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What people say about a trial, which is no part of its record.

    Attributes:
        star: worth keeping in sight.
        note: free text.
        deleted: hidden; the record stays, so that it can be undone.
    """

    star: bool = False
    note: str = ""
    deleted: bool = False

"""What verbs print on stdout: one JSON document for scripts, or something drawn for people."""

from __future__ import annotations

import sys
from typing import Any


def print_json(record: Any) -> None:
    """Print a record as the one JSON document of a verb."""
    import msgspec

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n")


def console() -> Any:
    """Return a screen for tables."""
    from rich.console import Console

    screen = Console()
    # A pipe has no width of its own; 80 columns would fold every table in a log file.
    return screen if screen.is_terminal else Console(width=110)

"""Where the traceback of a bug of ours is kept, so that the user can send it. Used by command line and window."""

from __future__ import annotations

import sys
from datetime import datetime

from workbench import __version__, paths


def write_log(text: str) -> str:
    """Keep a traceback; return the file, or the text itself where no file can be written."""
    try:
        folder = paths.user_cache() / "logs"
        folder.mkdir(parents=True, exist_ok=True)
        place = folder / f"{datetime.now():%Y%m%d-%H%M%S}.log"
        place.write_text(f"workbench {__version__}\n{' '.join(sys.argv)}\n\n{text}", encoding="utf-8")
    except OSError:
        return text
    return str(place)

"""How Python itself runs below a window: it must not hold the event loop back. Used by the application alone."""

from __future__ import annotations

import gc
import sys

_SWITCH_S = 0.0005
"""How long another thread may keep the interpreter's lock while the event loop asks for it. Painting takes and gives
the lock at each call into Qt; with the usual 5 ms a frame beside a busy thread takes a quarter of a second."""


def begin() -> None:
    """Prepare for the event loop.

    Imports and panels make hundreds of thousands of objects that stay; looking through all of them for garbage, over
    and over, takes a third of the time. So nothing is collected before :func:`settle`.
    """
    sys.setswitchinterval(_SWITCH_S)
    gc.disable()


def settle() -> None:
    """Leave all that is there now to itself, and collect what becomes garbage from here on."""
    gc.freeze()
    gc.enable()

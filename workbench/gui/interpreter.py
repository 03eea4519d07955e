"""How Python itself runs below a window: it must not hold the event loop back. Used by the application alone."""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QCoreApplication, QTimer

_SWITCH_S = 0.0005
"""How long another thread may keep the interpreter's lock while the event loop asks for it. Painting takes and gives
the lock at each call into Qt; with the usual 5 ms a frame beside a busy thread takes a quarter of a second."""
_COLLECT_MS = 200


def begin() -> None:
    """Prepare for the event loop.

    Imports and panels make hundreds of thousands of objects that stay; looking through all of them for garbage, over
    and over, takes a third of the time. So nothing is collected before :func:`settle`.
    """
    sys.setswitchinterval(_SWITCH_S)
    gc.disable()


def settle() -> None:
    """Leave all that is there now to itself, and collect what becomes garbage from here on.

    The event loop does so: Python's own collection runs in whatever thread makes objects, and one that finds a QObject
    ends it there. Its destructor holds a lock of Qt while it waits for the interpreter's, and the event loop may hold
    that one while it waits for Qt's.
    """
    gc.freeze()
    timer = QTimer(QCoreApplication.instance(), interval=_COLLECT_MS)
    timer.timeout.connect(collect_due)
    timer.start()


def collect_due() -> None:
    """Collect what Python would by now have collected by itself."""
    due = [
        age for age, (count, most) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)) if count > most
    ]
    if due:
        gc.collect(due[-1])

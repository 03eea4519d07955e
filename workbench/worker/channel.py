"""The child's end of the channel: commands in, reports out, and what libraries warn of. Child side."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
import warnings
from collections.abc import Iterator
from typing import Any, BinaryIO

from workbench.worker import protocol
from workbench.worker.protocol import Go, Notice, Progress

_MOST_NOTICES = 50
_ORPHAN_GRACE_S = 5.0


class Cancelled(Exception):
    """The parent asked to stop before anything worth keeping was measured."""


class Channel:
    """The child's end: a thread reads commands, so that asking for a cancel costs the loop nothing."""

    def __init__(self, commands: BinaryIO, reports: BinaryIO) -> None:
        self._commands = commands
        self._reports = reports
        self._lock = threading.Lock()
        self._go = threading.Semaphore(0)
        self._keep = True
        self._cancel = threading.Event()
        self._notices: set[str] = set()

    def listen(self) -> None:
        """Start to read commands in the background."""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                command = protocol.read_command(self._commands)
            except (protocol.BadFrame, OSError):
                command = None
            if isinstance(command, Go):
                self._keep = command.keep
                self._go.release()
                continue
            # A cancel, or the parent is gone: either way the wait for its go must end.
            self._cancel.set()
            self._go.release()
            if command is None:
                # Nobody is left to kill a child that hangs.
                time.sleep(_ORPHAN_GRACE_S)
                os._exit(1)

    def cancelled(self) -> bool:
        """Whether the parent wants the job to end."""
        return self._cancel.is_set()

    def send(self, report: protocol.Report) -> None:
        """Send one report."""
        with self._lock:
            protocol.write(self._reports, report)

    def notice(self, text: str, *, library: bool = False) -> None:
        """Send a warning once."""
        text = text.strip()
        if text and text not in self._notices and len(self._notices) < _MOST_NOTICES:
            self._notices.add(text)
            self.send(Notice(text=text, library=library))

    def progress(self, phase: str, done: int = 0, total: int = 0) -> None:
        """Tell how far a phase is.

        Raises:
            Cancelled: the parent asked to stop.
        """
        if self.cancelled():
            raise Cancelled
        self.send(Progress(phase=phase, done=done, total=total))

    def hand_over(self, burst: protocol.Burst) -> bool:
        """Send a burst and wait until the reader is ready for the next.

        Returns:
            Whether the burst counts.
        """
        self.send(burst)
        self._go.acquire()
        return self._keep


class Notes:
    """Stands in for the channel where nobody listens yet: what there is to say is kept."""

    def __init__(self) -> None:
        self._notices: list[Notice] = []

    def notice(self, text: str, *, library: bool = False) -> None:
        """Keep a warning."""
        self._notices.append(Notice(text=text, library=library))

    def progress(self, phase: str, done: int = 0, total: int = 0) -> None:
        """Say nothing."""

    def hand_on(self, channel: Channel) -> None:
        """Send what was kept."""
        for notice in self._notices:
            channel.notice(notice.text, library=notice.library)


class Phases:
    """Tells each phase of a job as it begins, and keeps how long it took.

    Attributes:
        seconds: by phase.
    """

    def __init__(self, told: Channel | Notes) -> None:
        self._told = told
        self.seconds: dict[str, float] = {}

    @contextlib.contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Surround a phase; one that breaks off has no time."""
        self._told.progress(name)
        start = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - start, 4)


class _Collect(logging.Handler):
    def __init__(self, told: Channel | Notes) -> None:
        super().__init__(logging.WARNING)
        self._told = told

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(Exception):
            self._told.notice(f"{record.name}: {record.getMessage()}", library=True)


def watch_warnings(told: Channel | Notes) -> None:
    """Pass on from now on what libraries warn of and log, and to nobody else."""

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if not issubclass(category, (DeprecationWarning, PendingDeprecationWarning, FutureWarning)):
            told.notice(f"{category.__name__}: {' '.join(str(message).split())}"[:500], library=True)

    warnings.showwarning = show
    root = logging.getLogger()
    for handler in root.handlers[:]:
        if isinstance(handler, _Collect):
            root.removeHandler(handler)
    root.addHandler(_Collect(told))

"""Warm parents: processes that have imported an engine and run nothing, and fork fresh workers (Linux).

Importing an engine takes seconds, more than many trials. A parent per interpreter, engine and set of process
variables pays that once; every trial still gets a process of its own, whose threads, caches and memory are
untouched. Forking is only safe before any thread was started, hence "run nothing". Elsewhere workers are
spawned.

:class:`WarmPool` is the launcher's side. The parent's side is :mod:`workbench.worker.forking`: over a socket on
descriptor 0 it gets the three descriptors of a new worker, answers with the process id, and later with how the
worker ended.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import BinaryIO

NUMBER = struct.Struct(">q")
START_S = 120.0
"""A parent that has not imported its engine after so long is given up."""
FORK_S = 10.0
"""A parent that has not forked after so long is given up, too."""
_MOST_PARENTS = 4


class WarmStartError(Exception):
    """A warm parent could not be started; the caller spawns instead."""


def supported() -> bool:
    """Whether this platform can fork and pass descriptors."""
    return sys.platform == "linux"


class ForkedProcess:
    """A worker forked by a warm parent, with the part of ``subprocess.Popen`` that the launcher uses."""

    def __init__(self, parent: _WarmParent, cpus: Sequence[int]) -> None:
        command_read, command_write = os.pipe()
        report_read, report_write = os.pipe()
        log_read, log_write = os.pipe()
        theirs = (command_read, report_write, log_write)
        self._parent = parent
        self.returncode: int | None = None
        try:
            self.pid = parent.fork(theirs, cpus)
        except BaseException:
            for descriptor in (command_write, report_read, log_read):
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        self.stdin: BinaryIO = os.fdopen(command_write, "wb")
        self.stdout: BinaryIO = os.fdopen(report_read, "rb")
        self.stderr: BinaryIO = os.fdopen(log_read, "rb")

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        if self.returncode is None:
            self.returncode = self._parent.ended(0.0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end.

        Raises:
            subprocess.TimeoutExpired: it still runs after *timeout* seconds.
        """
        if self.returncode is None:
            self.returncode = self._parent.ended(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("worker", timeout or 0.0)
        return self.returncode

    def kill(self) -> None:
        """Kill it."""
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)


class _WarmParent:
    def __init__(self, python: str, module: str, variables: Mapping[str, str]) -> None:
        ours, theirs = socket.socketpair()
        self._socket = ours
        self._lock = threading.Lock()
        try:
            self._process = subprocess.Popen(
                [python, "-m", "workbench.worker", "--warm", module],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=dict(variables),
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            raise WarmStartError(str(error)) from error
        finally:
            theirs.close()
        self._module = module
        self.busy = self.ready = False

    def wait_until_ready(self) -> None:
        """Wait for the import of the engine."""
        self.ready = self._receive(START_S) is not None
        if not self.ready:
            raise WarmStartError(f"no warm parent for {self._module}")

    def kill(self) -> None:
        self._process.kill()

    def alive(self) -> bool:
        return self._process.poll() is None

    def fork(self, descriptors: Sequence[int], cpus: Sequence[int]) -> int:
        text = ",".join(map(str, cpus)) or "-"
        try:
            socket.send_fds(self._socket, [text.encode()], list(descriptors))
            pid = self._receive(FORK_S)
        except OSError as error:
            raise WarmStartError(str(error)) from error
        if pid is None:
            raise WarmStartError("the warm parent does not answer")
        self.busy = True
        return pid

    def ended(self, timeout: float | None) -> int | None:
        """Return how the running child ended, None if it has not within *timeout* seconds."""
        with self._lock:
            if not self.busy:
                return 0
            code = self._receive(timeout)
            if code is not None:
                self.busy = False
            elif not self.alive():
                self.busy = False
                return -int(signal.SIGKILL)
            return code

    def _receive(self, timeout: float | None) -> int | None:
        ready, _, _ = select.select([self._socket], [], [], timeout)
        if not ready:
            return None
        data = self._socket.recv(NUMBER.size, socket.MSG_WAITALL)
        return int(NUMBER.unpack(data)[0]) if len(data) == NUMBER.size else None

    def close(self) -> None:
        self._socket.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
            return
        self._process.kill()
        self._process.wait()


_Key = tuple[str, str, frozenset[tuple[str, str]]]
"""Interpreter, module of the engine, and variables of the process."""


class WarmPool:
    """Keeps warm parents and starts workers from them; a context manager that ends them."""

    def __init__(self) -> None:
        self._parents: dict[_Key, _WarmParent] = {}
        self._cancelled = False

    def start(self, python: str, module: str, variables: Mapping[str, str], cpus: Sequence[int]) -> ForkedProcess:
        """Return a fresh worker.

        Raises:
            WarmStartError: spawn one instead.
        """
        if not supported():
            raise WarmStartError("this platform cannot fork")
        if self._cancelled:
            raise WarmStartError("cancelled")
        key = (python, module, frozenset(variables.items()))
        parent = self._parents.get(key)
        if parent is not None and not parent.alive():
            self._parents.pop(key).close()
            parent = None
        if parent is None:
            while len(self._parents) >= _MOST_PARENTS:  # each holds half a gigabyte
                self._parents.pop(next(iter(self._parents))).close()
            parent = self._parents[key] = _WarmParent(python, module, variables)
            self._wait_for(key, parent)
        if parent.busy:  # it waits for its one child
            raise WarmStartError("the warm parent is busy")
        try:
            return ForkedProcess(parent, cpus)
        except WarmStartError:
            # A late answer would be taken for the next one's.
            self._parents.pop(key).close()
            raise

    def _wait_for(self, key: _Key, parent: _WarmParent) -> None:
        try:
            if self._cancelled:
                raise WarmStartError("cancelled")
            parent.wait_until_ready()
        except WarmStartError:
            self._parents.pop(key).close()
            raise

    def cancel(self) -> None:
        """Start no more parents and give up one that is importing its engine, which takes seconds; from any thread."""
        self._cancelled = True
        self.give_up()

    def give_up(self) -> None:
        """Give up a parent that is importing its engine; from any thread."""
        for parent in list(self._parents.values()):
            if not parent.ready:
                parent.kill()

    def close(self) -> None:
        """End all parents."""
        for parent in self._parents.values():
            parent.close()
        self._parents.clear()

    def __enter__(self) -> WarmPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

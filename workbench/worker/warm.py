"""Warm parents: processes that have imported an engine and run nothing, and fork fresh workers (Linux).

Importing an engine takes seconds, more than many trials. A parent per interpreter, engine and set of process
variables pays that once; every trial still gets a process of its own, whose threads, caches and memory are
untouched. Forking is only safe before any thread was started, hence "run nothing". Elsewhere workers are
spawned.

Where trials of one subject follow each other that differ in their fixes alone, a pool may also keep that subject:
a parent, forked from the engine's, that has loaded model and data and prepared them on one thread, up to where the
fixes come in. What such workers share beyond the engine is the FP32 model and what was read from it; what is timed
is built in each.

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
import time
from collections.abc import Callable, Mapping, Sequence
from typing import BinaryIO

import msgspec

from workbench.worker import protocol
from workbench.worker.protocol import Job

NUMBER = struct.Struct(">q")
START_S = 120.0
"""A parent that has not imported its engine, or prepared its subject, after so long is given up."""
FORK_S = 10.0
"""A parent that has not forked after so long is given up, too."""
_MOST_PARENTS = 4
_LOOK_S = 0.05
_LEAVE_S = 1.0

Cancelled = Callable[[], bool]


class WarmStartError(Exception):
    """A warm parent could not be started; the caller spawns instead."""


def supported() -> bool:
    """Whether this platform can fork and pass descriptors."""
    return sys.platform == "linux"


def likeness(job: Job) -> bytes | None:
    """Return what jobs have in common that differ in their fixes and in what is done after building alone.

    None for a job that nothing worth keeping is prepared for.
    """
    if job.kind != "measure" or job.config.get("precision") != "int8":
        return None
    config = {name: table for name, table in job.config.items() if name != "fixes"}
    alike = msgspec.structs.replace(
        job, config=config, runs=0, seconds=0.0, accuracy=True, layer_errors=False, sensitivity_s=None, folder=""
    )
    return msgspec.msgpack.encode(alike, order="deterministic")


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
    """The launcher's end of a parent.

    Args:
        control: the socket to it.
        pid: its process.
        process: the same, where it is a child of this process.
    """

    def __init__(self, control: socket.socket, pid: int, process: subprocess.Popen[bytes] | None = None) -> None:
        self._socket = control
        self._pid = pid
        self._process = process
        self._lock = threading.Lock()
        self._ready = False
        self._started = time.monotonic()
        self.busy = False

    @classmethod
    def spawned(cls, python: str, module: str, variables: Mapping[str, str]) -> _WarmParent:
        """Start a parent that imports *module*."""
        ours, theirs = socket.socketpair()
        try:
            process = subprocess.Popen(
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
        return cls(ours, process.pid, process)

    def branch(self, job: Job) -> _WarmParent:
        """Fork a parent that prepares *job*."""
        ours, theirs = socket.socketpair()
        try:
            pid = self._ask(b"-", [theirs.fileno()])
            with ours.makefile("wb") as stream:
                protocol.write(stream, job)
        except (OSError, WarmStartError) as error:
            ours.close()
            raise WarmStartError(str(error)) from error
        finally:
            theirs.close()
        return _WarmParent(ours, pid)

    def wait_until_ready(self, cancelled: Cancelled) -> None:
        """Wait until it has imported and prepared everything.

        Raises:
            WarmStartError: it cannot, it takes too long, or somebody has *cancelled*; then it may be ready later.
        """
        while not self._ready:
            if self._receive(_LOOK_S) is not None:
                self._ready = True
            elif cancelled():
                raise WarmStartError("cancelled")
            elif not self.alive() or time.monotonic() - self._started > START_S:
                raise WarmStartError("the warm parent does not start")

    def alive(self) -> bool:
        """Whether it still holds its end of the socket; nobody else does."""
        try:
            return self._socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def fork(self, descriptors: Sequence[int], cpus: Sequence[int]) -> int:
        """Fork a worker and return its process id."""
        pid = self._ask((",".join(map(str, cpus)) or "-").encode(), descriptors)
        self.busy = True
        return pid

    def _ask(self, request: bytes, descriptors: Sequence[int]) -> int:
        try:
            socket.send_fds(self._socket, [request], list(descriptors))
            pid = self._receive(FORK_S)
        except OSError as error:
            raise WarmStartError(str(error)) from error
        if pid is None:
            raise WarmStartError("the warm parent does not answer")
        return pid

    def ended(self, timeout: float | None) -> int | None:
        """Return how the running child ended, None if it has not within *timeout* seconds."""
        with self._lock:
            if not self.busy:
                return 0
            code = self._receive(timeout)
            if code is None and not self.alive():
                code = -int(signal.SIGKILL)
            self.busy = code is None
            return code

    def _receive(self, timeout: float | None) -> int | None:
        ready, _, _ = select.select([self._socket], [], [], timeout)
        if not ready:
            return None
        try:
            data = self._socket.recv(NUMBER.size, socket.MSG_WAITALL)
        except OSError:
            return None
        return int(NUMBER.unpack(data)[0]) if len(data) == NUMBER.size else None

    def close(self) -> None:
        """End it, and wait until it has."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        end = time.monotonic() + (_LEAVE_S if self._ready else 0.0)
        while self.alive() and time.monotonic() < end:
            self._receive(_LOOK_S)
        if self.alive():
            with contextlib.suppress(OSError):
                os.kill(self._pid, signal.SIGKILL)
        self._socket.close()
        if self._process is not None:
            self._process.wait()


class WarmPool:
    """Keeps warm parents and starts workers from them; a context manager that ends them.

    Args:
        subjects: also keep the subject of the last job that is worth it. Not for comparisons: the workers of one
            subject share where its memory lies, which else differs from process to process.
    """

    def __init__(self, *, subjects: bool = False) -> None:
        self._parents: dict[tuple[str, str, frozenset[tuple[str, str]]], _WarmParent] = {}
        self._subjects = subjects
        self._subject: tuple[_WarmParent, bytes, _WarmParent] | None = None
        self._declined: set[bytes] = set()

    def start(
        self,
        python: str,
        module: str,
        variables: Mapping[str, str],
        cpus: Sequence[int],
        job: Job | None = None,
        cancelled: Cancelled = lambda: False,
    ) -> ForkedProcess:
        """Return a fresh worker.

        Args:
            job: what it will get to do.
            cancelled: asked while there is something to wait for.

        Raises:
            WarmStartError: spawn one instead.
        """
        if not supported():
            raise WarmStartError("this platform cannot fork")
        parent = self._parent(python, module, variables, cancelled)
        if parent.busy:  # it waits for its one child
            raise WarmStartError("the warm parent is busy")
        alike = likeness(job) if self._subjects and job is not None else None
        if job is not None and alike is not None and alike not in self._declined:
            with contextlib.suppress(WarmStartError):
                return self._forked(self._prepared(parent, alike, job, cancelled), cpus)
        return self._forked(parent, cpus)

    def _parent(self, python: str, module: str, variables: Mapping[str, str], cancelled: Cancelled) -> _WarmParent:
        key = (python, module, frozenset(variables.items()))
        parent = self._parents.get(key)
        if parent is not None and not parent.alive():
            self._drop(parent)
            parent = None
        if parent is None:
            while len(self._parents) >= _MOST_PARENTS:  # each holds half a gigabyte
                self._drop(next(iter(self._parents.values())))
            parent = _WarmParent.spawned(python, module, variables)
        self._parents.pop(key, None)
        self._parents[key] = parent  # the one that was used last stands last
        try:
            parent.wait_until_ready(cancelled)
        except WarmStartError:
            if not cancelled():
                self._drop(parent)
            raise
        return parent

    def _prepared(self, parent: _WarmParent, alike: bytes, job: Job, cancelled: Cancelled) -> _WarmParent:
        """Return the parent that holds the subject of *job*."""
        if self._subject is not None:
            owner, known, subject = self._subject
            if owner is parent and known == alike and subject.alive():
                if subject.busy:
                    raise WarmStartError("the warm parent is busy")
                return subject
            self._drop(subject)
        subject = parent.branch(job)
        self._subject = (parent, alike, subject)
        try:
            subject.wait_until_ready(cancelled)
        except WarmStartError:
            self._drop(subject)
            if not cancelled():
                self._declined.add(alike)  # the worker comes to the same place and tells
            raise
        return subject

    def _forked(self, parent: _WarmParent, cpus: Sequence[int]) -> ForkedProcess:
        try:
            return ForkedProcess(parent, cpus)
        except WarmStartError:
            # A late answer would be taken for the next one's.
            self._drop(parent)
            raise

    def _drop(self, parent: _WarmParent) -> None:
        if self._subject is not None and parent in (self._subject[0], self._subject[2]):
            subject, self._subject = self._subject[2], None
            subject.close()
            if subject is parent:
                return
        self._parents = {key: known for key, known in self._parents.items() if known is not parent}
        parent.close()

    def close(self) -> None:
        """End all parents."""
        for parent in list(self._parents.values()):
            self._drop(parent)

    def __enter__(self) -> WarmPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

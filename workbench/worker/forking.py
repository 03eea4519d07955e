"""The warm parents themselves: ``python -m workbench.worker --warm MODULE``; see :mod:`workbench.worker.warm`.

A parent reads requests from its socket and forks. Three descriptors ask for a worker; the answer is its process id,
and later how it ended. One descriptor, a socket, asks for a parent like this one (the answer is its process id, too)
that reads a job there and prepares it, and then waits for requests itself.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import socket
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from workbench.core.config import Config
from workbench.core.picture import opencv
from workbench.host.numa import bind_memory
from workbench.worker import protocol
from workbench.worker.channel import Notes, Phases, watch_warnings
from workbench.worker.preparation import Prepared, prepare, stamps
from workbench.worker.protocol import Job
from workbench.worker.warm import NUMBER


def serve_forks(module: str) -> None:
    """Import *module* and what it imports late, then fork on request until the socket closes."""
    control = socket.socket(fileno=os.dup(0))
    importlib.import_module("workbench.worker.child")
    engine = importlib.import_module(module)
    opencv()
    for name in getattr(engine, "LATE", ()):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    try:
        _serve(control)
    finally:
        _reap(0)


def _serve(control: socket.socket, job: Job | None = None) -> None:
    known = stamps(job) if job else []
    prepared = _prepared(job) if job else None
    gc.collect()
    gc.freeze()  # keeps the collector from touching, and so copying, what parent and child share
    control.sendall(NUMBER.pack(0))
    while True:
        try:
            request, descriptors, _, _ = socket.recv_fds(control, 65536, 3)
        except OSError:
            return
        if not descriptors or (job and stamps(job) != known):
            return
        _reap()
        pid = os.fork()
        if pid == 0:
            control.close()
            if len(descriptors) == 1:
                _become_parent(descriptors[0])
            _become_worker(request, descriptors, prepared)
        for descriptor in descriptors:
            os.close(descriptor)
        try:
            control.sendall(NUMBER.pack(pid))
            if len(descriptors) > 1:
                _, status = os.waitpid(pid, 0)
                control.sendall(NUMBER.pack(os.waitstatus_to_exitcode(status)))
        except OSError:
            return


def _prepared(job: Job) -> Prepared:
    """Prepare *job*, on one thread: only a process without others can be forked from.

    Raises:
        UserError: something is wrong with it, as the worker will tell when it comes to the same place.
        RuntimeError: somebody, the user's model perhaps, has started a thread all the same.
    """
    notes = Notes()
    watch_warnings(notes)
    config = Config.from_dict(job.config)
    if (node := config.number("runtime.numa_node")) >= 0:
        bind_memory(node)  # the model's memory, too; the worker that is forked tries it once more and tells
    engine = importlib.import_module(job.engine_module).Engine(config)
    engine.stay_single()
    prepared = prepare(job, engine, notes, Phases(notes))
    prepared.notes = notes
    if len(list(Path("/proc/self/task").iterdir())) > 1:
        raise RuntimeError("there are threads")
    return prepared


def _reap(options: int = os.WNOHANG) -> None:
    """Take leave of the parents forked from this one that have ended; with 0, wait until all have."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, options)[0]:
            pass


def _become_parent(descriptor: int) -> NoReturn:
    code = 1
    try:
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)  # which still was the socket of the process that this one was forked from
        os.close(null)
        control = socket.socket(fileno=descriptor)
        with control.makefile("rb", buffering=0) as stream:
            job = protocol.read_command(stream)  # type: ignore[arg-type]
        if isinstance(job, Job):
            _serve(control, job)
            code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _become_worker(request: bytes, descriptors: Sequence[int], prepared: Prepared | None) -> NoReturn:
    code = 1
    try:
        os.setsid()
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target)
            os.close(descriptor)
        from workbench.worker.__main__ import run_worker

        text = request.decode()
        run_worker([] if text == "-" else [int(cpu) for cpu in text.split(",")], prepared)
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        # Not sys.exit: exit handlers belong to the parent.
        os._exit(code)

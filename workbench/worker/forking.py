"""The warm parent itself: ``python -m workbench.worker --warm MODULE``; see :mod:`workbench.worker.warm`."""

from __future__ import annotations

import gc
import importlib
import os
import socket
import traceback
from collections.abc import Sequence
from typing import NoReturn

from workbench.worker.warm import NUMBER


def serve_forks(module: str) -> None:
    """Import *module*, then fork a worker per request until the socket closes."""
    control = socket.socket(fileno=os.dup(0))
    importlib.import_module("workbench.worker.child")
    importlib.import_module(module)
    gc.collect()
    gc.freeze()  # keeps the collector from touching, and so copying, what parent and child share
    control.sendall(NUMBER.pack(0))
    while True:
        try:
            request, descriptors, _, _ = socket.recv_fds(control, 65536, 3)
        except OSError:
            return
        if not request or len(descriptors) != 3:
            return
        pid = os.fork()
        if pid == 0:
            control.close()
            _become_worker(request, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        try:
            control.sendall(NUMBER.pack(pid))
            _, status = os.waitpid(pid, 0)
            control.sendall(NUMBER.pack(os.waitstatus_to_exitcode(status)))
        except OSError:
            return


def _become_worker(request: bytes, descriptors: Sequence[int]) -> NoReturn:
    code = 1
    try:
        os.setsid()
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target)
            os.close(descriptor)
        from workbench.worker.__main__ import run_worker

        text = request.decode()
        run_worker([] if text == "-" else [int(cpu) for cpu in text.split(",")])
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        # Not sys.exit: exit handlers belong to the parent.
        os._exit(code)

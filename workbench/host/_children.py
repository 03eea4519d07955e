"""Runs short Python scripts in child processes side by side and always gets an ending; for ``engines``.

A library that is imported for the first time may crash, exit, hang, print what it likes or leave
grandchildren that keep a pipe open. So output goes to temporary files, each child leads a
group of its own, and the whole group is killed when time is up or the caller is interrupted.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import IO

import msgspec

from workbench.host.interpreters import is_current

# Run as "-c" rather than "-m" or by path: another interpreter has no "workbench" to import, and a
# script's folder (engines/, with files named after libraries) or the current one would come first on
# the module path and shadow the real library.
_LAUNCH = (
    "import sys; sys.path[:] = [p for p in sys.path if p]; sys.argv[:] = sys.argv[1:]; "
    "import runpy; runpy.run_path(sys.argv[0], run_name='__main__')"
)
_MOST_OUTPUT = 64 * 1024


class Ending(msgspec.Struct, frozen=True):
    """How a child ended.

    Attributes:
        code: exit code, negative for a signal (POSIX); ``None`` if it never started or ran too long.
        output: the last 64 KiB of stdout.
        errors: the last 64 KiB of stderr.
        timed_out: whether it was killed because time was up.
        not_started: why it could not be started, or empty.
    """

    code: int | None
    output: str = ""
    errors: str = ""
    timed_out: bool = False
    not_started: str = ""


def run_scripts(interpreter: str, commands: Mapping[str, Sequence[str]], timeout_s: float) -> dict[str, Ending]:
    """Run ``[script, argument, …]`` for each name at the same time and return how each one ended.

    Args:
        interpreter: path of the Python to run them with.
        commands: script file and arguments by name.
        timeout_s: time in s after which what still runs is killed.
    """
    endings: dict[str, Ending] = {}
    running: dict[str, subprocess.Popen[bytes]] = {}
    with contextlib.ExitStack() as stack:
        files: dict[str, tuple[IO[bytes], IO[bytes]]] = {}
        stack.callback(_kill_all, running)
        for name, command in commands.items():
            out: IO[bytes] = stack.enter_context(tempfile.TemporaryFile())
            err: IO[bytes] = stack.enter_context(tempfile.TemporaryFile())
            files[name] = out, err
            try:
                running[name] = subprocess.Popen(
                    [interpreter, "-c", _LAUNCH, *command],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    env=_environment(interpreter),
                    start_new_session=os.name == "posix",
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                )
            except (OSError, ValueError) as error:
                endings[name] = Ending(None, not_started=str(error))
        deadline = time.monotonic() + timeout_s
        for name, process in running.items():
            try:
                code: int | None = process.wait(max(deadline - time.monotonic(), 0.001))
            except subprocess.TimeoutExpired:
                _kill(process)
                code = None
            out, err = files[name]
            endings[name] = Ending(code, _tail(out), _tail(err), timed_out=code is None)
    return endings


def _environment(interpreter: str) -> dict[str, str]:
    environment = dict(os.environ)
    if not is_current(interpreter):
        # These point at this interpreter's packages, which are not the other one's.
        for name in ("PYTHONHOME", "PYTHONPATH", "__PYVENV_LAUNCHER__"):
            environment.pop(name, None)
    environment["OMP_NUM_THREADS"] = environment["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    return environment


def _tail(file: IO[bytes]) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - _MOST_OUTPUT, 0))
    return file.read().decode("utf-8", "replace")


def _kill_all(running: Mapping[str, subprocess.Popen[bytes]]) -> None:
    for process in running.values():
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    with contextlib.suppress(OSError):
        if sys.platform != "win32":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(5)

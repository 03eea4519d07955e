"""The parent's end of a worker: start it, talk to it, and put every way it can end into words.

The parent blocks in a read while the child is timed; two more threads drain the child's stderr and
watch for silence, and both sleep in the kernel.
"""

from __future__ import annotations

import collections
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from workbench import __version__, paths
from workbench.core.trial import Exported
from workbench.host.interpreters import is_current
from workbench.worker import protocol
from workbench.worker.environment import Surroundings
from workbench.worker.protocol import (
    Broke,
    Burst,
    Cancel,
    Go,
    Inspected,
    Invalid,
    Job,
    Measured,
    Refused,
    Report,
)
from workbench.worker.warm import ForkedProcess, WarmPool, WarmStartError

CANCEL_GRACE_S = 1.5
"""A cancelled child that has not ended by itself after so long is killed."""
SILENCE_S = 300.0
"""A child that has sent nothing for so long hangs."""
_LOG_LINES = 200
_LOG_LINE = 2000

End = Literal["finished", "refused", "invalid", "crashed", "hung", "garbage", "cancelled"]


@dataclass
class Outcome:
    """How a worker ended.

    Attributes:
        end: the kind of ending.
        reason: a sentence for people; empty for ``finished``.
        result: the last report, where one came.
        log: what the child wrote to stderr, newest lines.
    """

    end: End
    reason: str = ""
    result: Measured | Inspected | Exported | Refused | None = None
    traceback: str = ""
    log: list[str] = field(default_factory=list)


class Worker:
    """One child process for one job.

    Args:
        surroundings: environment and CPUs.
        python: interpreter of the engine environment.
        silence_s: how long the child may say nothing.
        pool: warm parents to fork the child from; None spawns it.
    """

    def __init__(
        self,
        surroundings: Surroundings,
        python: str = sys.executable,
        silence_s: float = SILENCE_S,
        pool: WarmPool | None = None,
    ) -> None:
        self._surroundings = surroundings
        self._python = python
        self._silence_s = silence_s
        self._pool = pool
        self._log: collections.deque[str] = collections.deque(maxlen=_LOG_LINES)
        self._write_lock = threading.Lock()
        self._cancelled = threading.Event()
        self._ended = threading.Event()
        self._hung = False
        self._heard = time.monotonic()
        self._process: subprocess.Popen[bytes] | ForkedProcess | None = None

    @property
    def pid(self) -> int | None:
        """Process id of the child, once it runs."""
        return self._process.pid if self._process else None

    def cancel(self, *, at_once: bool = False) -> None:
        """Ask the child to stop, and make sure that it has within two seconds; from any thread.

        Args:
            at_once: kill it; whatever it has is lost.
        """
        if self._cancelled.is_set() and not at_once:
            return
        self._cancelled.set()
        if at_once:
            self._kill()
        self._send(Cancel())
        threading.Thread(target=self._kill_late, daemon=True).start()

    def _kill_late(self) -> None:
        if not self._ended.wait(CANCEL_GRACE_S):
            self._kill()

    def run(self, job: Job, on_report: Callable[[Report], object] = lambda _: None) -> Outcome:
        """Start the child, give it *job*, and return how it ended.

        Args:
            on_report: gets every report, in this thread; the child waits after a burst until it returns. Where it
                returns False for a burst, the child takes as many runs anew.
        """
        if self._cancelled.is_set():
            return Outcome("cancelled", "cancelled")
        self._process = self._start(job)
        if self._process is None:
            return Outcome("cancelled", "cancelled")
        drain = threading.Thread(target=self._drain, daemon=True)
        watch = threading.Thread(target=self._watch, daemon=True)
        drain.start()
        watch.start()
        try:
            # It may have been cancelled before there was a process to tell.
            self._send(Cancel() if self._cancelled.is_set() else job)
            outcome = self._listen(on_report)
        finally:
            # Also when on_report raised, or on Ctrl+C: nothing may be left running.
            self._ended.set()
            self._finish()
            drain.join(1.0)
        outcome.log = list(self._log)
        return outcome

    def _start(self, job: Job) -> subprocess.Popen[bytes] | ForkedProcess | None:
        variables, cpus = self._environment(), self._surroundings.cpus
        if self._pool is not None:
            # Without a warm parent a trial is only slower to start, never different.
            with contextlib.suppress(WarmStartError):
                return self._pool.start(self._python, job.engine_module, variables, cpus, job, self._cancelled.is_set)
            if self._cancelled.is_set():
                return None
        command = [self._python, "-m", "workbench.worker"]
        if cpus:
            command += ["--cpus", ",".join(map(str, cpus))]
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=variables,
            # A group of its own: Ctrl+C in the terminal is the parent's to handle.
            start_new_session=os.name == "posix",
        )

    def _environment(self) -> dict[str, str]:
        variables = dict(self._surroundings.variables)
        own = is_current(self._python)
        inherited = variables.pop("PYTHONPATH", "").split(os.pathsep) if own else []
        place = str(Path(__file__).resolve().parents[2]) if own else str(_package_alone())
        variables["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([place, *filter(None, inherited)]))
        variables["PYTHONSAFEPATH"] = "1"  # a torch.py in the user's folder must not be imported for torch
        if not own:
            variables.pop("PYTHONHOME", None)
        return variables

    def _send(self, command: protocol.Command) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        with self._write_lock, contextlib.suppress(OSError, ValueError):
            protocol.write(process.stdin, command)  # type: ignore[arg-type]

    def _listen(self, on_report: Callable[[Report], object]) -> Outcome:
        process = self._process
        assert process is not None and process.stdout is not None
        while True:
            try:
                report = protocol.read_report(process.stdout)  # type: ignore[arg-type]
            except protocol.BadFrame as error:
                self._kill()
                if self._cancelled.is_set():
                    return Outcome("cancelled", "cancelled")
                return Outcome("garbage", f"the worker sent something that is not a report ({error})")
            self._heard = time.monotonic()
            if report is None:
                return self._ended_without_result()
            if isinstance(report, Refused):
                return Outcome("refused", report.what, report)
            if isinstance(report, Invalid):
                end: End = "cancelled" if self._cancelled.is_set() else "invalid"
                return Outcome(end, report.reason)
            if isinstance(report, Broke):
                return Outcome("crashed", f"the worker failed: {report.error}", traceback=report.traceback)
            keep = on_report(report) is not False
            if isinstance(report, (Measured, Inspected, Exported)):
                if self._cancelled.is_set():
                    return Outcome("cancelled", "cancelled", report)
                return Outcome("finished", "", report)
            if isinstance(report, Burst):
                self._heard = time.monotonic()
                self._send(Go(keep=keep))

    def _ended_without_result(self) -> Outcome:
        assert self._process is not None
        try:
            code = self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._kill()
            code = self._process.wait()
        if self._hung:
            return Outcome("hung", f"the worker said nothing for {self._silence_s:g} s and was killed")
        if self._cancelled.is_set():
            return Outcome("cancelled", "cancelled")
        return Outcome("crashed", ending_in_words(code))

    def _drain(self) -> None:
        assert self._process is not None and self._process.stderr is not None
        with contextlib.suppress(ValueError, OSError):
            # In pieces: a library may print megabytes without an end of line.
            for line in iter(partial(self._process.stderr.readline, _LOG_LINE), b""):
                self._log.append(line.decode("utf-8", "replace").rstrip())

    def _watch(self) -> None:
        while not self._ended.wait(min(self._silence_s / 4, 5.0)):
            gone = self._process is not None and self._process.poll() is not None
            if gone or time.monotonic() - self._heard > self._silence_s:
                # A dead child is not silent, but what it has forked may keep its end of the channel open.
                self._hung = not gone
                self._kill()
                return

    def _finish(self) -> None:
        process = self._process
        assert process is not None
        with contextlib.suppress(OSError):
            if process.stdin:
                process.stdin.close()
        try:
            process.wait(CANCEL_GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._kill()
        if process.stdout:
            process.stdout.close()

    def _kill(self) -> None:
        """Kill the child and whatever it started, which may outlive it."""
        process = self._process
        if process is None:
            return
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()


def _package_alone() -> Path:
    """Return a folder that holds this package and nothing else.

    Another interpreter finds the workbench there, and not the engines installed beside it here.
    """
    package = Path(__file__).resolve().parents[1]
    folder = paths.user_cache() / "package" / f"{__version__}-{zlib.crc32(str(package).encode()):08x}"
    link = folder / package.name
    if not link.exists():
        folder.mkdir(parents=True, exist_ok=True)
        try:
            link.symlink_to(package, target_is_directory=True)
        except FileExistsError:
            pass
        except OSError:  # Windows without the right to make links
            shutil.copytree(package, link, dirs_exist_ok=True)
    return folder


def ending_in_words(code: int) -> str:
    """Say what an exit code means."""
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        meaning = {
            "SIGKILL": "it was killed from outside, often because memory ran out; "
            "if so, lower run.batch or runtime.threads, or use a smaller input",
            "SIGXCPU": "the CPU time that it may use (ulimit -t) was used up",
            "SIGSEGV": "a library crashed",
            "SIGABRT": "a library gave up",
            "SIGILL": "a library used an instruction that this CPU does not have",
            "SIGBUS": "a library crashed on memory or a truncated file",
        }.get(name, "a signal ended it")
        return f"the worker was ended by {name}: {meaning}"
    return f"the worker exited with code {code} before it had a result"


def log_tail(lines: Sequence[str], count: int = 8) -> str:
    """Return the last *count* lines of a worker's log that say something."""
    return "\n".join([line for line in lines if line.strip()][-count:])

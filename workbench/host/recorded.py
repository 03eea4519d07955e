"""A machine that is not here: what its /proc and /sys said, in one file that opens as if it were this one.

``workbench host --record`` writes it, ``--recorded`` shows it by the very code that reads this machine, from a folder
into which the files are unpacked. Of files that say more than is needed (mounts, the process's status) only the lines
that count are kept.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from workbench import paths
from workbench.errors import UserError
from workbench.host._files import listening
from workbench.host.engines import EngineStatus
from workbench.host.machine import HostInfo, describe_host

FORMAT = 1

# What is kept of files that tell about more than the machine.
_KEPT_LINES = {
    "proc/self/mountinfo": (" - cgroup",),
    "proc/self/status": ("Cpus_allowed_list:",),
    "proc/self/limits": ("Max locked memory",),
    "proc/meminfo": ("MemTotal:",),
}
_MOST_FILES = 200_000


class RecordedHost(msgspec.Struct, frozen=True, kw_only=True):
    """The file's content.

    Attributes:
        format: version of this form.
        files: path below ``/`` → text, of everything that was read.
        glibc, python, engines: what no file of /proc or /sys holds.
    """

    format: int = FORMAT
    files: dict[str, str]
    glibc: str | None = None
    python: str = ""
    engines: tuple[EngineStatus, ...] = ()


def record(root: Path = Path("/"), *, refresh: bool = False, with_engines: bool = True) -> RecordedHost:
    """Read this machine and keep what was read; arguments as of ``describe_host``.

    Raises:
        UserError: this system answers by functions, not by files.
    """
    if not (root / "proc/cpuinfo").is_file():
        raise UserError(
            "This machine cannot be recorded.",
            "There is no /proc/cpuinfo: this system describes itself by functions, not by files.",
            "`workbench host --json` writes what is known of it.",
        )
    with listening() as heard:
        info = describe_host(refresh=refresh, root=root, with_engines=with_engines)
    files = {}
    for path, text in sorted(heard.items()):
        if path.is_relative_to(root):
            name = path.relative_to(root).as_posix()
            files[name] = _kept(name, text)
    return RecordedHost(files=files, glibc=info.glibc, python=info.python, engines=info.engines)


def save(recorded: RecordedHost, place: Path) -> None:
    """Write *recorded* to *place*.

    Raises:
        UserError: it cannot be written.
    """
    try:
        paths.write_whole(place, msgspec.json.format(msgspec.json.encode(recorded), indent=1))
    except OSError as error:
        raise UserError(f"Cannot write {place}.", f"{error}.") from error


def load(place: Path) -> RecordedHost:
    """Read a file that :func:`save` wrote.

    Raises:
        UserError: it cannot be read, or is none.
    """
    try:
        recorded = msgspec.json.decode(place.read_bytes(), type=RecordedHost)
    except OSError as error:
        raise UserError(f"Cannot read {place}.", f"{error}.") from error
    except msgspec.DecodeError as error:
        raise UserError(
            f"{place} is not a recorded machine.", f"{error}.", "`workbench host --record FILE` writes one."
        ) from error
    if recorded.format != FORMAT:
        raise UserError(f"{place} has format {recorded.format}.", f"This version reads format {FORMAT}.")
    return recorded


def describe(recorded: RecordedHost, *, here: bool = False) -> HostInfo:
    """Return what is known about the recorded machine.

    Args:
        here: it is this one, recorded just now.

    Raises:
        UserError: a file would lie outside.
    """
    with unpacked(recorded) as root:
        info = describe_host(root=root, with_engines=False)
    unread = {name: why for name, why in info.unread.items() if name != "glibc" or recorded.glibc is None}
    return msgspec.structs.replace(
        info, glibc=recorded.glibc, python=recorded.python, engines=recorded.engines, unread=unread, recorded=not here
    )


@contextlib.contextmanager
def unpacked(recorded: RecordedHost) -> Iterator[Path]:
    """Lay the files out in a folder that stands for ``/``.

    Raises:
        UserError: a file would lie outside.
    """
    with tempfile.TemporaryDirectory(prefix="workbench-host-") as folder:
        root = Path(folder)
        (root / "proc").mkdir()
        for name, text in list(recorded.files.items())[:_MOST_FILES]:
            parts = PurePosixPath(name).parts
            if not parts or name.startswith("/") or ".." in parts or "\\" in name or (os.name == "nt" and ":" in name):
                raise UserError("The recorded machine cannot be opened.", f"'{name}' is not a path below /.")
            target = root.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
        yield root


def _kept(name: str, text: str) -> str:
    marks = _KEPT_LINES.get(name)
    if marks is None:
        return text
    return "\n".join(line for line in text.splitlines() if any(mark in line for mark in marks))

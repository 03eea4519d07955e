"""Engine environments: other interpreters that workers may run under, by name.

Another virtual environment may hold another torch, or an engine that cannot be installed beside this one.
The list is one small file in the user's data folder. Used by the verb ``envs`` and by ``--env``.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import msgspec

from workbench import paths
from workbench.errors import UserError, nearest
from workbench.host._children import run_scripts
from workbench.host.engines import EngineStatus, list_engines

DEFAULT = "default"
"""The interpreter that runs the workbench; always there."""

# Module -> package, of what a worker imports besides its engine.
_NEEDED = {
    "msgspec": "msgspec", "numpy": "numpy", "cv2": "opencv-python-headless", "psutil": "psutil", "tomli_w": "tomli-w",
}  # fmt: skip
_OLDEST = (3, 10)
_PATIENCE_S = 30.0
_SCRIPT = Path(__file__).resolve().parent / "_missing.py"
_NAME = re.compile(r"[A-Za-z0-9._-]{1,40}")


class Environment(msgspec.Struct, frozen=True):
    """A name and the Python it stands for (absolute path)."""

    name: str
    python: str


class _Answer(msgspec.Struct, frozen=True):
    """What :mod:`workbench.host._missing` prints."""

    missing: list[str]
    version: tuple[int, int, int]


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What a look at an environment found.

    Attributes:
        usable: a worker can run there with at least one engine.
        version: of Python.
        engines: what its engines say.
        missing: packages that a worker needs and that are not there.
        install: the one command that installs them.
        reason: why it is not usable.
    """

    name: str
    python: str
    usable: bool
    version: str = ""
    engines: tuple[EngineStatus, ...] = ()
    missing: tuple[str, ...] = ()
    install: str = ""
    reason: str = ""


def _file() -> Path:
    return paths.user_data() / "environments.json"


def environments() -> list[Environment]:
    """Return all known environments, the default one first."""
    found = [Environment(DEFAULT, sys.executable)]
    try:
        found += msgspec.json.decode(_file().read_bytes(), type=list[Environment])
    except FileNotFoundError:
        pass
    except (OSError, msgspec.MsgspecError) as error:
        raise UserError(
            "The list of environments cannot be read.", f"{_file()}: {error}", "Delete that file and add them again."
        ) from error
    return found


def find(name: str) -> Environment:
    """Return the environment called *name*.

    Raises:
        UserError: there is none.
    """
    known = {environment.name: environment for environment in environments()}
    if name not in known:
        raise UserError(
            f"There is no environment '{name}'.", nearest(name, known), "`workbench envs add NAME PYTHON` adds one."
        )
    return known[name]


def add(name: str, python: str) -> Environment:
    """Remember *python* (an interpreter, or the folder of a virtual environment) as *name*.

    Raises:
        UserError: a name that is taken or not allowed, or no Python at that place.
    """
    known = environments()
    if not _NAME.fullmatch(name):
        raise UserError(f"'{name}' is no name for an environment.", "Letters, digits, '.', '_' and '-' are allowed.")
    if any(environment.name == name for environment in known):
        raise UserError(f"There is an environment '{name}' already.", "", f"`workbench envs remove {name}` first.")
    environment = Environment(name, _interpreter(Path(python).expanduser()))
    _write([*known[1:], environment])
    return environment


def _interpreter(path: Path) -> str:
    if path.is_dir():
        candidates = [path / "bin" / "python", path / "Scripts" / "python.exe", path / "python.exe"]
        path = next((candidate for candidate in candidates if candidate.is_file()), path)
    if not path.is_file() or not os.access(path, os.X_OK):
        raise UserError(
            f"There is no Python at {path}.", "", "Give the interpreter, or the folder of a virtual environment."
        )
    # Not resolved: the Python of every virtual environment may be a link to the same file.
    return str(path.absolute())


def remove(name: str) -> None:
    """Forget an environment; nothing of it is deleted.

    Raises:
        UserError: there is none, or it is the default one.
    """
    if name == DEFAULT:
        raise UserError("The default environment cannot be removed.", "It is the one that runs the workbench.")
    find(name)
    _write([environment for environment in environments()[1:] if environment.name != name])


def _write(entries: list[Environment]) -> None:
    place = _file()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        paths.write_whole(place, msgspec.json.format(msgspec.json.encode(entries), indent=2))
    except OSError as error:
        raise UserError("The list of environments cannot be written.", f"{error}.") from error


def check(name: str, *, refresh: bool = False) -> Checked:
    """Look whether workers can run in an environment.

    Raises:
        UserError: there is no environment of that name.
    """
    environment = find(name)
    python = environment.python
    ending = run_scripts(python, {"look": [str(_SCRIPT), *_NEEDED, "tomli"]}, _PATIENCE_S)["look"]
    try:
        answer = msgspec.json.decode(ending.output.strip(), type=_Answer)
    except msgspec.MsgspecError:
        ended = "it does not answer" if ending.timed_out else f"it ended with code {ending.code}"
        why = ending.not_started or ending.errors.strip()[-200:] or ended
        return Checked(name=name, python=python, usable=False, reason=f"the interpreter does not run: {why}")
    version = answer.version
    lacking = [_NEEDED[module] for module in answer.missing if module in _NEEDED]
    if "tomli" in answer.missing and version < (3, 11):
        lacking.append("tomli")
    engines = list_engines(python, refresh=refresh)
    reason = ""
    if version < _OLDEST:
        reason = f"Python {'.'.join(map(str, version))} is too old, {'.'.join(map(str, _OLDEST))} is needed"
    elif lacking:
        reason = f"workers need {', '.join(lacking)}"
    elif not any(engine.available for engine in engines):
        reason = "no engine works there"
        lacking = ["torch"]
    return Checked(
        name=name,
        python=python,
        usable=not reason,
        version=".".join(map(str, version)),
        engines=engines,
        missing=tuple(lacking),
        install=_command(python, "-m", "pip", "install", *lacking) if lacking else "",
        reason=reason,
    )


def _command(*words: str) -> str:
    """Return a command as it can be pasted into a terminal."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def usable(name: str) -> Environment:
    """Return an environment that workers can run in.

    Raises:
        UserError: it cannot be used, with the one command that would help.
    """
    if name == DEFAULT:
        return find(name)  # it runs this very line; its engines are checked one by one where they are asked for
    found = check(name)
    if not found.usable:
        raise UserError(
            f"Environment '{name}' cannot be used.",
            f"{found.reason}.",
            f"Run: {found.install}" if found.install else "`workbench envs check` tells more.",
        )
    return Environment(name, found.python)

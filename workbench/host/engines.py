"""Which engines an interpreter offers, and why not the others.

``workbench host``, the window's engine list and the check before a measurement ask here. Package
metadata is looked at first; what survives that is tried in a child process, because an import may
crash, hang or leave the interpreter, and is remembered until packages, interpreter or CPU change.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from workbench import paths
from workbench.host._installed import PACKAGES, installed
from workbench.host._verdicts import Verdict, before_import, of_ending
from workbench.host.cpuinfo import read_cpuinfo
from workbench.host.isa import Isa, read_isa

ENGINES = tuple(PACKAGES)
TIMEOUT_S = 90.0

_NOTES = {"ipex": "legacy: no releases after 2.8"}
_HOST = Path(__file__).resolve().parent
_PROBE = _HOST.parent / "engines" / "probe.py"
_INSTALLED = _HOST / "_installed.py"
_FORMAT = 1
_MOST_ENTRIES = 16
_TRANSIENT_S = 600.0


class EngineStatus(msgspec.Struct, frozen=True):
    """Whether one engine can be used.

    Attributes:
        name: ``torch``, ``ipex`` or ``onnxruntime``.
        available: whether it was imported and computed something.
        version: its version, where it is installed.
        reason: why it is not available, one sentence; ``None`` if it is.
        note: something to know about it all the same, or ``None``.
    """

    name: str
    available: bool
    version: str | None = None
    reason: str | None = None
    note: str | None = None


class _Entry(msgspec.Struct, frozen=True):
    key: str
    checked_at: float
    verdicts: dict[str, Verdict]


class _Cache(msgspec.Struct, frozen=True):
    format: int
    entries: list[_Entry]


def list_engines(
    interpreter: str | os.PathLike[str] | None = None,
    *,
    refresh: bool = False,
    timeout_s: float = TIMEOUT_S,
    cpu_model: str | None = None,
    isa: Isa | None = None,
) -> tuple[EngineStatus, ...]:
    """Return the status of every engine; never raises for a broken one.

    Args:
        interpreter: Python of the engine environment; the running one by default.
        refresh: try again instead of believing the cache.
        timeout_s: longest time in s for the trial of all engines, which run side by side; 0 tries none and leaves out
            those that the cache does not know.
        cpu_model: model name if it is known already.
        isa: instruction sets if they are known already.
    """
    python = os.fspath(interpreter or sys.executable or "")
    isa = isa or read_isa()
    if cpu_model is None:
        records = read_cpuinfo()
        cpu_model = records[0].get("model name", "") if records else ""
    versions, problem = _versions(python, timeout_s)
    if versions is None:
        return tuple(_status(name, None, Verdict(False, reason=problem)) for name in ENGINES)

    verdicts: dict[str, Verdict] = {}
    for name in ENGINES:
        reason = before_import(name, versions)
        if reason is not None:
            verdicts[name] = Verdict(False, reason=reason)
    to_try = [name for name in ENGINES if name not in verdicts]
    key = _key(python, versions, cpu_model, isa)
    remembered = {} if refresh else _remembered(key)
    verdicts.update({name: remembered[name] for name in to_try if name in remembered})
    missing = [name for name in to_try if name not in verdicts]
    if missing and timeout_s > 0:
        tried = _try(python, missing, isa, timeout_s)
        verdicts.update(tried)
        _remember(key, {name: verdicts[name] for name in to_try})
    return tuple(_status(name, versions[name], verdicts[name]) for name in ENGINES if name in verdicts)


def _status(name: str, version: str | None, verdict: Verdict) -> EngineStatus:
    return EngineStatus(name, verdict.available, verdict.version or version or None, verdict.reason, _NOTES.get(name))


def _versions(python: str, timeout_s: float) -> tuple[dict[str, str | None] | None, str]:
    """Return the installed versions, or ``None`` and why they cannot be known."""
    if not python:
        return None, "There is no Python interpreter to run engines with."
    if os.path.abspath(python) == os.path.abspath(sys.executable or os.devnull):  # noqa: PTH100
        return installed(), ""
    from workbench.host._children import run_scripts

    ending = run_scripts(python, {"installed": [str(_INSTALLED)]}, timeout_s)["installed"]
    if ending.not_started:
        return None, f"The interpreter {python} cannot be started: {ending.not_started}."
    try:
        found = msgspec.json.decode(ending.output.strip(), type=dict[str, str | None])
    except msgspec.DecodeError:
        state = "does not answer" if ending.timed_out else "is not a working Python"
        return None, f"{python} {state}: its installed packages cannot be listed."
    return {name: found.get(name) for name in ("python", *ENGINES)}, ""


def _try(python: str, names: list[str], isa: Isa, timeout_s: float) -> dict[str, Verdict]:
    from workbench.host._children import run_scripts

    endings = run_scripts(python, {name: [str(_PROBE), name] for name in names}, timeout_s)
    return {name: of_ending(name, ending, isa.names, timeout_s) for name, ending in endings.items()}


def _key(python: str, versions: Mapping[str, str | None], cpu_model: str, isa: Isa) -> str:
    packages = ",".join(f"{name}={version}" for name, version in sorted(versions.items()))
    # The flags beside the model: a hypervisor may be told to hide some of them from the next boot on.
    return "|".join((os.path.abspath(python), packages, cpu_model, " ".join(isa.names)))  # noqa: PTH100


def _cache_file() -> Path:
    return paths.user_cache() / "engines.json"


def _entries() -> list[_Entry]:
    try:
        cache = msgspec.json.decode(_cache_file().read_bytes(), type=_Cache)
    except (OSError, msgspec.DecodeError):
        return []
    return cache.entries if cache.format == _FORMAT else []


def _remembered(key: str) -> dict[str, Verdict]:
    for entry in _entries():
        if entry.key == key:
            fresh = 0 <= time.time() - entry.checked_at < _TRANSIENT_S
            return {name: known for name, known in entry.verdicts.items() if fresh or not known.transient}
    return {}


def _remember(key: str, verdicts: dict[str, Verdict]) -> None:
    others = [entry for entry in _entries() if entry.key != key][: _MOST_ENTRIES - 1]
    cache = _Cache(_FORMAT, [_Entry(key, time.time(), verdicts), *others])
    target = _cache_file()
    # Another process may do the same now, and the folder may be read-only: the cache is a
    # convenience, so the last writer wins and a failure only costs the next caller time.
    with contextlib.suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        paths.write_whole(target, msgspec.json.encode(cache))

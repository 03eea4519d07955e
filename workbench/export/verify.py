"""Verifies a bundle from its own files alone, in fresh processes: does it run, does it say the same, is it as fast?

The checks themselves are the bundle's (:mod:`workbench.onsite.selftest`); here they are run from outside, and the
latency is held against what was measured at the export.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from workbench.core.latency import Latency, summarize
from workbench.core.significance import Process, ratio
from workbench.errors import UserError
from workbench.onsite.start import Bundle

PROCESSES = 3
_PATIENCE_S = 600
_SLOWER = 1.05  # an interval that begins above this is a fault; a difference of two in a hundred is not
_TIMED_MS = 1000.0


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was verified."""

    name: str
    ok: bool
    detail: str = ""


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """What was found; the JSON of ``verify``.

    Attributes:
        latency: of the bundle, here and now.
        proof: INT8 kernels that ran and that were exported.
        ratio, ci95: p50 of the bundle over p50 at the export.
        differs: what this machine has otherwise than the one it was tuned on: there, here.
    """

    ok: bool
    checks: list[Check]
    latency: Latency | None = None
    proof: dict[str, int] = {}
    ratio: float | None = None
    ci95: tuple[float, float] | None = None
    differs: dict[str, tuple[Any, Any]] = {}


def verify(
    place: Path,
    *,
    python: str = sys.executable,
    timed: tuple[list[Process], list[Process]] | None = None,
    on_check: Callable[[Check], None] = lambda _: None,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Verification:
    """Verify a bundle.

    Args:
        place: its folder, or its ``.zip``.
        python: the interpreter to run it with.
        timed: processes of the bundle and of the trial that were measured side by side; without them the bundle is
            timed here and held against the export's own samples, which may be another machine's, where it has any.
        on_check: hears each check.
        progress: gets phase, done, total.

    Raises:
        UserError: *place* is no bundle, or it cannot be run.
    """
    if place.is_file():
        with tempfile.TemporaryDirectory() as unpacked:
            try:
                with zipfile.ZipFile(place) as archive:
                    archive.extractall(unpacked)
            except (zipfile.BadZipFile, OSError) as error:
                raise UserError(f"{place} is no bundle.", f"{error}.", "Give the folder or the .zip.") from error
            return verify(Path(unpacked), python=python, timed=timed, on_check=on_check, progress=progress)
    bundle = Bundle(place)
    checks = []

    def told(check: Check) -> None:
        checks.append(check)
        on_check(check)

    kernels: dict[str, int] = {}
    progress("running the bundle's own test", 0, 0)
    for entry in _selftest(place, python):
        told(Check(name=entry["name"], ok=entry["ok"], detail=entry["detail"]))
        if entry.get("kernels") is not None:
            kernels = {"int8_kernels": entry["kernels"], "expected_int8": bundle["int8_kernels"]}
    if not all(check.ok for check in checks):
        return Verification(ok=False, checks=checks, proof=kernels, differs=_differs(bundle))
    beside = timed is not None
    if not (place / "latency.json").is_file() and not beside:
        return Verification(ok=True, checks=checks, proof=kernels, differs=_differs(bundle))
    if timed is None:
        runs = runs_for(bundle["measured"]["latency"]["p50_ms"])
        here: list[Process] = []
        for number in range(PROCESSES):
            progress("timing the bundle", number, PROCESSES)
            here.append(take_bursts(place, runs, python))
        recorded = json.loads((place / "latency.json").read_text("utf-8"))["processes"]
        there: list[Process] = [[np.array(burst, np.int64) for burst in process] for process in recorded]
    else:
        here, there = timed
    found = ratio(here, there)
    # Another machine, or another hour, may be slower without anything being wrong.
    slower = beside and found.lo > _SLOWER
    against = "the trial, side by side" if beside else "what was measured at the export"
    words = {"same": "the same", "a": "faster", "b": "slower"}[found.verdict]
    text = f"{words}: {found.ratio:.3f} times {against}, 95 % interval {found.lo:.3f} to {found.hi:.3f}"
    told(Check(name="latency", ok=not slower, detail=text))
    latency = summarize([burst for process in here for burst in process], np.empty(0, np.int64), [], None)
    return Verification(
        ok=not slower, checks=checks, latency=latency, proof=kernels, ratio=found.ratio, ci95=(found.lo, found.hi),
        differs=_differs(bundle),
    )  # fmt: skip


def runs_for(p50_ms: float) -> int:
    """Return how many runs to time in each process: a second of them, within reason."""
    return int(min(max(_TIMED_MS / max(p50_ms, 1e-3), 100), 2000))


def take_bursts(folder: Path, runs: int, python: str) -> list[np.ndarray]:
    """Run the bundle in a fresh process and return its bursts, ns.

    Raises:
        UserError: it does not run.
    """
    answer = json.loads(_run(folder, python, "--bench", str(runs)).stdout)
    return [np.array(burst, np.int64) for burst in answer["bursts"]]


def _selftest(folder: Path, python: str) -> list[dict[str, Any]]:
    ran = _run(folder, python, "--selftest", "--json", accepted=(0, 1))
    checks: list[dict[str, Any]] = json.loads(ran.stdout)["checks"]
    return checks


def _run(
    folder: Path, python: str, *arguments: str, accepted: tuple[int, ...] = (0,)
) -> subprocess.CompletedProcess[str]:
    command = [shutil.which(python) or python, "-B", str(folder / "run.py"), *arguments]
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    try:
        ran = subprocess.run(
            command, capture_output=True, text=True, timeout=_PATIENCE_S, cwd=folder, env=alone, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError("The bundle could not be run.", f"{error}.") from error
    if ran.returncode not in accepted:
        words = " ".join((ran.stderr.strip() or ran.stdout.strip()).splitlines()[-6:])
        raise UserError(f"The bundle does not run (exit {ran.returncode}).", words)
    return ran


def _differs(bundle: Bundle) -> dict[str, tuple[Any, Any]]:
    """Compare this machine with the one that the bundle was tuned on."""
    from workbench.host.machine import describe_host

    # By way of JSON, like what was written: tuples become lists.
    now, then = json.loads(msgspec.json.encode(describe_host(with_engines=False))), bundle["tuned_on"]
    pairs = {
        "CPU": (then["cpu"]["model"], now["cpu"]["model"]),
        "ISA": (then["cpu"]["isa"], now["cpu"]["isa"]),
        "physical cores": (then["cpu"]["physical_cores"], now["cpu"]["physical_cores"]),
        "usable CPUs": (then.get("usable_cpus"), now["usable_cpus"]),
        "OS": (then.get("os"), now["os"]),
        "glibc": (then.get("glibc"), now["glibc"]),
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

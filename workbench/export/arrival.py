"""A bundle that came from another machine: what was true there, and what is true here.

It is verified and timed here from its own files (:mod:`workbench.export.verify`); what the manifest tells about the
machine that it was tuned on is put beside this one.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from workbench.core.figures import DASH, decimals, milliseconds
from workbench.core.latency import Latency
from workbench.errors import UserError
from workbench.export.verify import Check, Verification, verify
from workbench.host.cpulist import format_cpu_list
from workbench.host.isa import has_vnni, int8_level
from workbench.host.machine import HostInfo, describe_host
from workbench.onsite.start import Bundle

Meaning = Literal["same", "differs", "better", "worse"]


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One thing, there and here, in words.

    Attributes:
        meaning: ``better`` and ``worse`` only where it is clear which way is good.
        note: what follows from it; empty where nothing does.
    """

    name: str
    there: str
    here: str
    meaning: Meaning
    note: str = ""


class Arrival(msgspec.Struct, frozen=True, kw_only=True):
    """What was found; the JSON of ``import``.

    Attributes:
        bundle: name, engine, precision, when and with what it was made.
        ok: everything was checked and is as it was exported.
        latency: ``there`` as the manifest has it, ``here`` as it was measured now, their ``ratio`` (here / there) and
            its ``ci95``.
        proof: INT8 kernels that ran and that were exported.
    """

    bundle: dict[str, str]
    ok: bool
    checks: list[Check]
    facts: list[Fact]
    latency: dict[str, Any]
    proof: dict[str, int] = {}


@contextlib.contextmanager
def opened(place: Path) -> Iterator[Path]:
    """Give the folder of a bundle that is named by its folder, a file in that, or its ``.zip``.

    Raises:
        UserError: it is no bundle.
    """
    if place.is_dir() or (place.is_file() and place.suffix in (".toml", ".json", ".py")):
        yield place if place.is_dir() else place.parent
        return
    with tempfile.TemporaryDirectory(prefix="bundle-") as unpacked:
        try:
            with zipfile.ZipFile(place) as archive:
                archive.extractall(unpacked)
        except (zipfile.BadZipFile, OSError) as error:
            raise UserError(f"{place} is no bundle.", f"{error}.", "Give the folder or the .zip.") from error
        yield Path(unpacked)


def arrive(
    folder: Path,
    *,
    python: str = sys.executable,
    host: HostInfo | None = None,
    on_check: Callable[[Check], None] = lambda _: None,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Arrival:
    """Verify and time a bundle here, and hold this machine against the one that it was tuned on.

    Args:
        folder: of the bundle, see :func:`opened`.
        python: the interpreter to run it with.
        host: this machine, if it was described already.
        on_check: hears each check.
        progress: gets phase, done, total.

    Raises:
        UserError: *folder* is no bundle.
    """
    bundle = Bundle(folder)
    try:
        found = verify(folder, python=python, on_check=on_check, progress=progress)
    except UserError as error:
        # Where it does not even start, such as on fewer CPUs than it wants, the differences tell the more.
        check = Check(name="start", ok=False, detail=" ".join(str(error).splitlines()))
        on_check(check)
        found = Verification(ok=False, checks=[check])
    there: Latency | None = msgspec.convert(bundle["measured"]["latency"], Latency | None)
    facts = [
        *_machine(bundle, host or describe_host(with_engines=False)),
        *_versions(bundle, python),
        *_figures(bundle, there, found),
    ]
    return Arrival(
        bundle={name: str(bundle[name]) for name in ("name", "engine", "precision", "made", "made_with")},
        ok=found.ok,
        checks=found.checks,
        facts=facts,
        latency={"there": there, "here": found.latency, "ratio": found.ratio, "ci95": found.ci95},
        proof=found.proof,
    )


def _machine(bundle: Bundle, here: HostInfo) -> list[Fact]:
    tuned: Mapping[str, Any] = bundle["tuned_on"]
    cpu: Mapping[str, Any] = tuned["cpu"]
    levels = int8_level(cpu["isa"]), int8_level(here.cpu.isa)
    missing = [name for name in cpu["isa"] if name not in here.cpu.isa]
    more = [name for name in here.cpu.isa if name not in cpu["isa"]]
    isa = "; ".join([f"without {', '.join(missing)}"] * bool(missing) + [f"also {', '.join(more)}"] * bool(more))
    usable = [format_cpu_list(cpus or ()) for cpus in (tuned.get("usable_cpus"), here.usable_cpus)]
    return [
        _fact("CPU", cpu["model"], here.cpu.model),
        _fact("physical cores", cpu["physical_cores"], here.cpu.physical_cores, better="more"),
        _fact("usable CPUs", *usable, note=_threads(bundle, here)),
        _fact("instruction sets", ", ".join(cpu["isa"]), isa or ", ".join(cpu["isa"]), same=not isa),
        _fact("INT8 as on", *levels),
        *_policy(bundle, *levels),
        _fact("memory, MB", tuned.get("memory_mb"), here.memory_mb, better="more"),
        _fact("system", tuned.get("os"), here.os),
        _fact("glibc", tuned.get("glibc"), here.glibc),
    ]


def _threads(bundle: Bundle, here: HostInfo) -> str:
    wanted, usable = bundle["runtime"]["threads"], len(here.usable_cpus)
    if wanted > usable:
        return f"Threads: {wanted} as exported, more than the CPUs here: tune it here, or give run.py --threads."
    if 0 < wanted < here.default_threads:
        return f"Threads: {wanted} as exported; {here.default_threads} would fit here."
    return ""


def _policy(bundle: Bundle, there: str, here: str) -> list[Fact]:
    """Return how ranges must be taken on either side: with all 8 bits only where VNNI adds without overflow."""
    used = bundle["range"]
    if used is None:
        return []
    fitting = "full" if has_vnni(here) else "reduced"
    note = ""
    if used == "full" and fitting == "reduced":
        note = "Without VNNI sums of 8-bit products overflow: export it anew with target_isa = this CPU's."
    elif used == "reduced" and fitting == "full":
        note = "With VNNI all 8 bits may be used: export it anew with target_isa = host for more accuracy."
    vnni = _fact("VNNI", *("yes" if has_vnni(level) else "no" for level in (there, here)))
    return [vnni, _fact("range policy", used, fitting, note=note)]


def _versions(bundle: Bundle, python: str) -> list[Fact]:
    """Return versions of Python and the packages that the bundle was verified with, and those of *python*."""
    wanted: dict[str, str] = {"Python": bundle["python"], **bundle["versions"]}
    code = (
        "import json, sys; from importlib import metadata; print(json.dumps({'Python': sys.version.split()[0], "
        "**{one.name.lower().replace('_', '-'): one.version for one in metadata.distributions()}}))"
    )
    here: dict[str, str] = {}
    with contextlib.suppress(OSError, ValueError, subprocess.SubprocessError):
        ran = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=60, check=True)
        here = json.loads(ran.stdout)
    facts = []
    for name, there in wanted.items():
        found = here.get(name, "not installed")
        # What follows the plus tells how a wheel was built, such as +cpu; run.py does not look at it either.
        facts.append(_fact(name, there, found, same=found.partition("+")[0] == there.partition("+")[0]))
    return facts


def _figures(bundle: Bundle, there: Latency | None, found: Verification) -> list[Fact]:
    here, accuracy = found.latency, bundle["measured"]["accuracy"]
    names = {"latency p50, ms": "p50_ms", "latency p99, ms": "p99_ms"}
    rows = [
        _time(
            name,
            getattr(there, key) if there else None,
            getattr(here, key) if here else None,
            found.ci95 if key == "p50_ms" else None,
        )
        for name, key in names.items()
    ]
    golden = next((check for check in found.checks if check.name == "golden outputs"), None)
    rows.append(
        Fact(
            name="golden outputs",
            there=DASH if accuracy is None else f"mean cosine {decimals(accuracy['cosine_mean'])} to FP32",
            here=DASH if golden is None else golden.detail,
            meaning="differs" if golden is None else "same" if golden.ok else "worse",
        )
    )
    return rows


def _time(name: str, there: float | None, here: float | None, ci95: tuple[float, float] | None = None) -> Fact:
    """Return a latency on either side; *ci95* of their ratio decides where it is known, else 5 % do."""
    meaning: Meaning = "differs"
    note = ""
    if there and here:
        low, high = ci95 or (0.95 * here / there, 1.05 * here / there)
        meaning = "same" if low <= 1 <= high else "better" if high < 1 else "worse"
        note = f"{here / there:.2f} times as long as there"
    return Fact(name=name, there=milliseconds(there), here=milliseconds(here), meaning=meaning, note=note)


def _fact(
    name: str, there: Any, here: Any, *, same: bool | None = None, better: str = "", note: str = ""
) -> Fact:  # fmt: skip
    meaning: Meaning = "same" if (there == here if same is None else same) else "differs"
    if better and meaning == "differs" and None not in (there, here):
        meaning = "better" if here > there else "worse"
    words = [DASH if value is None or value == "" else str(value) for value in (there, here)]
    return Fact(name=name, there=words[0], here=words[1], meaning=meaning, note=note)

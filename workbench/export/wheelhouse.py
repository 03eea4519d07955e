"""Collects everything that a machine without a network needs: wheels, their hashes, a script that installs them.

What belongs together, the workbench or a bundle with all that either needs, is resolved by pip in one go and pinned
with its hashes in a file of its own: ``workbench.txt``, ``NAME.txt``. The wheels lie beside these, each once.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import subprocess
import sys
import sysconfig
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import jinja2
import msgspec

from workbench import paths
from workbench.core.model import sha256_of
from workbench.errors import UserError
from workbench.export.folder import give_name, partial, short_name

DISTRIBUTION = "inference-workbench"
OURS = "workbench"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
"""Has wheels of PyTorch that carry no CUDA, a tenth of the size; pip prefers them, for their version is ``+cpu``."""
_REACH_S = 5.0
_LINES = 12

Pip = Callable[[Sequence[str]], None]
"""Runs pip with arguments; raises :class:`UserError` where it fails."""


class Wheel(msgspec.Struct, frozen=True, kw_only=True):
    """One file."""

    name: str
    version: str
    file: str
    size: int
    sha256: str


class Wheelhouse(msgspec.Struct, frozen=True, kw_only=True):
    """What was collected; the JSON of ``wheelhouse``.

    Attributes:
        sets: what can be installed, each with the names of its files; the first is what ``install.py`` takes.
        size: bytes of all wheels.
        cpu_only: whether the index with PyTorch for CPUs alone was asked.
        python, platform: what the wheels are for.
    """

    out: str
    sets: dict[str, list[str]]
    wheels: list[Wheel]
    size: int
    cpu_only: bool
    python: str
    platform: str


def collect(
    out: Path,
    *,
    bundle: Path | None = None,
    only_bundle: bool = False,
    extras: Sequence[str] = (),
    pip: Pip | None = None,
    reachable: Callable[[str], bool] | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Wheelhouse:
    """Make a wheelhouse for this Python and platform.

    Args:
        out: a folder that does not exist yet, or a ``.zip``.
        bundle: folder or ``.zip`` of a bundle whose requirements are to be installed from here, too.
        only_bundle: leave the workbench itself out.
        extras: of the workbench, like ``samples``.
        pip: runs pip; this interpreter's by default.
        reachable: tells whether an index can be asked.
        progress: gets what pip says.

    Raises:
        UserError: *out* is taken, *bundle* is none or is for another Python, or pip fails. Nothing is left behind.
    """
    pip = pip or _own_pip(progress)
    python = ".".join(map(str, sys.version_info[:2]))
    wanted: dict[str, Callable[[Path], list[str]]] = {}
    torch = not only_bundle
    if not only_bundle:
        wanted[OURS] = lambda place: [_with_extras(own_wheel(place, pip), extras)]
    if bundle is not None:
        name, requirements = _requirements(bundle, python)
        torch |= "torch==" in requirements
        wanted[name] = lambda place: ["-r", _written(place / "requirements.txt", requirements)]
    if not wanted:
        raise UserError("There is nothing to collect.", "--only-bundle names no bundle.", "Add --bundle BUNDLE.")
    with partial(out) as folder:
        # Elsewhere PyPI's own wheels are for CPUs alone.
        cpu_only = torch and sys.platform == "linux" and (reachable or _reachable)(f"{CPU_INDEX}/torch/")
        index = ["--extra-index-url", CPU_INDEX] if cpu_only else []
        known: dict[str, Wheel] = {}
        sets: dict[str, list[str]] = {}
        for name, what in wanted.items():
            with partial(folder / name) as place:
                arguments = what(place)
                # Not `pip download`: what has no wheel is built here, where there is a network and a compiler.
                pip(["wheel", "--wheel-dir", str(place), "--find-links", str(folder), *index, *arguments])
                found = [_described(path) for path in sorted(place.glob("*.whl"))]
                for wheel in found:
                    (place / wheel.file).replace(folder / wheel.file)
            known.update({wheel.file: wheel for wheel in found})
            sets[name] = [wheel.file for wheel in found]
            pins = [f"{wheel.name}=={wheel.version} --hash=sha256:{wheel.sha256}\n" for wheel in found]
            _written(folder / f"{name}.txt", "".join(pins))
        wheels = sorted(known.values(), key=lambda wheel: wheel.file)
        _written(folder / "SHA256SUMS", "".join(f"{wheel.sha256}  {wheel.file}\n" for wheel in wheels))
        platform = sysconfig.get_platform()
        _written(folder / "install.py", _script(python, platform, list(sets)))
        give_name(folder, out)
    return Wheelhouse(
        out=str(out), sets=sets, wheels=wheels, size=sum(wheel.size for wheel in wheels), cpu_only=cpu_only,
        python=python, platform=platform,
    )  # fmt: skip


def _described(path: Path) -> Wheel:
    name, version = path.name.split("-")[:2]
    return Wheel(
        name=name.replace("_", "-"), version=version, file=path.name, size=path.stat().st_size, sha256=sha256_of(path)
    )


def _written(path: Path, text: str) -> str:
    path.write_text(text, "utf-8")
    return str(path)


def _script(python: str, platform: str, sets: list[str]) -> str:
    source = (paths.bundled("resources") / "wheelhouse" / "install.py.jinja").read_text("utf-8")
    template = jinja2.Template(source, undefined=jinja2.StrictUndefined, keep_trailing_newline=True, trim_blocks=True)
    return str(template.render(python=python, platform=platform, sets=sets))


# -- what is wanted ---------------------------------------------------------------------------------


def _requirements(bundle: Path, python: str) -> tuple[str, str]:
    """Return a bundle's short name and its requirements.txt."""
    try:
        if bundle.is_file():
            with zipfile.ZipFile(bundle) as archive:
                manifest, text = (archive.read(name).decode("utf-8") for name in ("manifest.json", "requirements.txt"))
        else:
            manifest, text = ((bundle / name).read_text("utf-8") for name in ("manifest.json", "requirements.txt"))
        known = json.loads(manifest)
        name, theirs = str(known["name"]), ".".join(str(known["python"]).split(".")[:2])
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise UserError(f"{bundle} is no bundle.", f"{error}.", "Give the folder or the .zip.") from error
    if theirs != python:
        raise UserError(
            f"The bundle was made on Python {theirs}, and this is Python {python}.",
            "Wheels are for one version.",
            f"Run the workbench under Python {theirs}.",
        )
    short = short_name(name)
    return "bundle" if short == OURS else short, text


def _with_extras(wheel: Path, extras: Sequence[str]) -> str:
    return f"{wheel}[{','.join(extras)}]" if extras else str(wheel)


def own_wheel(folder: Path, pip: Pip, checkout: Path | None = None) -> Path:
    """Make the workbench's own wheel: from its checkout, or from what is installed.

    Args:
        checkout: of the workbench; by default the one that runs, if it is one.

    Raises:
        UserError: it is neither a checkout nor installed.
    """
    checkout = checkout or paths.checkout()
    if checkout is not None:
        pip(["wheel", "--no-deps", "--wheel-dir", str(folder), str(checkout)])
    else:
        try:
            packed_again(metadata.distribution(DISTRIBUTION), folder)
        except metadata.PackageNotFoundError as error:
            raise UserError(
                "The workbench's own wheel cannot be made.", "It is not installed, and this is no checkout.",
                "Install it with pip, or collect a bundle's wheels with --only-bundle.",
            ) from error  # fmt: skip
    return next(iter(folder.glob("inference_workbench-*.whl")))


def packed_again(distribution: metadata.Distribution, folder: Path) -> Path:
    """Make a wheel of an installed pure Python distribution: the files that its record lists, and a new record.

    Raises:
        UserError: a file of it is gone.
    """
    name = distribution.metadata["Name"].replace("-", "_")
    path = folder / f"{name}-{distribution.version}-py3-none-any.whl"
    record: list[tuple[str, str, str]] = []
    info = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in distribution.files or ():
            place = file.as_posix()
            inside = len(file.parts) > 1 and file.parts[0].endswith(".dist-info")
            info = file.parts[0] if inside else info
            # What pip wrote when it installed it, and scripts, which pip makes anew.
            installed = inside and file.name in ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
            if installed or file.parts[0] == ".." or file.suffix == ".pyc":
                continue
            try:
                content = Path(str(file.locate())).read_bytes()
            except FileNotFoundError as error:
                raise UserError(f"{place} of the installed workbench is gone.", "", "Install it again.") from error
            archive.writestr(place, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append((place, f"sha256={digest}", str(len(content))))
        listed = io.StringIO()
        csv.writer(listed, lineterminator="\n").writerows([*record, (f"{info}/RECORD", "", "")])
        archive.writestr(f"{info}/RECORD", listed.getvalue())
    return path


# -- pip --------------------------------------------------------------------------------------------


def _own_pip(progress: Callable[[str], None]) -> Pip:
    """Return what runs this interpreter's pip.

    Raises:
        UserError: it has none.
    """
    if find_spec("pip") is None:
        raise UserError("This Python has no pip.", f"It is {sys.executable}.", "python -m ensurepip")
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]

    def run(arguments: Sequence[str]) -> None:
        said: list[str] = []
        with subprocess.Popen(
            [*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
        ) as child:
            assert child.stdout is not None
            for line in child.stdout:
                said = [*said[1 - _LINES :], line.strip()]
                progress(said[-1])
        if child.returncode:
            errors = [line for line in said if line.startswith("ERROR")] or said
            raise UserError(
                "pip could not collect the wheels.", " ".join(errors)[-800:],
                "It needs a network, and the room; nothing was left behind.",
            )  # fmt: skip

    return run


def _reachable(address: str) -> bool:
    """Ask an index once, briefly: pip would try again and again."""
    request = urllib.request.Request(address, method="HEAD")
    try:
        with urllib.request.urlopen(request, timeout=_REACH_S) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError, ValueError):
        return False

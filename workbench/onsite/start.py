"""Before the engine: the manifest, the files' hashes, versions, CPU, and the settings of the process."""

from __future__ import annotations

import ctypes.util
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

from workbench.errors import UserError

INSTALL = "pip install -r requirements.txt"
READY = "INFERENCE_BUNDLE_READY"
STRAY = (
    "OMP_", "KMP_", "GOMP_", "MKL_", "ONEDNN_", "DNNL_", "FBGEMM_", "ATEN_CPU_CAPABILITY", "LD_PRELOAD",
    "TORCH_", "TORCHINDUCTOR_", "OPENBLAS_NUM_THREADS", "NVPL_",
)  # fmt: skip
"""Beginnings of variables that turn knobs: inherited ones would make a record untrue."""

_AVX512 = frozenset({"avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl"})
CPUS: dict[str, frozenset[str]] = {
    "sse4": frozenset(),
    "avx2": frozenset({"avx2"}),
    "avx512": _AVX512,
    "avx512_vnni": _AVX512 | {"avx512_vnni"},
    "avx_vnni": frozenset({"avx2", "avx_vnni"}),
    "amx_int8": _AVX512 | {"avx512_vnni", "avx512_bf16", "amx_tile", "amx_int8", "amx_bf16"},
}
"""Kinds of CPUs that can be pretended, by their flags in /proc/cpuinfo."""
FLOORS: dict[str, tuple[str, ...]] = {
    "": (),
    "avx2": ("avx2",),
    "vnni": ("avx512_vnni", "avx_vnni"),
    "bf16": ("avx512_bf16", "amx_bf16"),
}
"""What a bundle may need: one of these flags."""


class Bundle:
    """A bundle's folder and what its manifest says.

    Raises:
        UserError: there is no manifest, or it is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self._manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
            self["files"], self["runtime"], self["model"], self["targets"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UserError(f"{folder} is no bundle.", f"manifest.json: {error}.", "Copy the bundle anew.") from error

    def __getitem__(self, key: str) -> Any:
        return self._manifest[key]


def check_files(bundle: Bundle, names: Iterable[str]) -> None:
    """Hold files against the hashes that they were exported with."""
    for name in names:
        try:
            digest = hashlib.sha256((bundle.folder / name).read_bytes()).hexdigest()
        except OSError as error:
            raise UserError(f"{name} cannot be read.", f"{error.strerror}.", "Copy the bundle anew.") from error
        if digest != bundle["files"][name]:
            raise UserError(f"{name} is not what was exported.", "It was changed or damaged.", "Copy the bundle anew.")


def check_versions(bundle: Bundle) -> None:
    """Refuse another version of the engine: its kernels, and so the outputs, may differ."""
    for package, wanted in bundle["versions"].items():
        try:
            found = metadata.version(package)
        except metadata.PackageNotFoundError:
            raise UserError(f"{package} is not installed.", "", INSTALL) from None
        if found.partition("+")[0] != wanted.partition("+")[0]:
            raise UserError(f"{package} is {found} here.", f"The bundle was verified with {wanted}.", INSTALL)


def cpu_flags(pretended: str) -> set[str]:
    """Return the flags of this CPU, or those of a *pretended* level."""
    if pretended:
        return set(CPUS[pretended])
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return set(next(line for line in lines if line.startswith("flags")).partition(":")[2].split())
    except (OSError, StopIteration):
        import numpy

        core = getattr(numpy, "_core", None) or numpy.core
        known = core._multiarray_umath.__cpu_features__
        names = {"AVX512VNNI": "avx512_vnni"}
        return {names.get(name, name.lower()) for name, there in known.items() if there}


def check_cpu(bundle: Bundle, pretended: str) -> None:
    """Refuse a CPU below the floor: it would run, and give other numbers."""
    floor = bundle["isa_floor"]
    wanted = FLOORS[floor]
    if wanted and not cpu_flags(pretended).intersection(wanted):
        raise UserError(
            f"This CPU has no {' or '.join(wanted)}, which the bundle needs.",
            bundle["isa_reason"],
            "Export it again with target_isa set to what this CPU has.",
        )


def settle(bundle: Bundle, threads: int | None, affinity: str | None) -> None:
    """Give this process the variables and CPUs of the manifest, by starting it once more with them."""
    runtime = bundle["runtime"]
    if threads is not None:
        runtime["threads"] = threads
    if affinity is not None:
        runtime["affinity"] = affinity
    wanted = dict(runtime["variables"])
    if runtime["threads"] > 0:
        wanted["OMP_NUM_THREADS"] = str(runtime["threads"])
    preloads = [_library(name) for name in runtime["preload"]]
    if preloads:
        wanted["LD_PRELOAD"] = ":".join(preloads)
    if os.environ.get(READY) != "1":
        command = [sys.executable, sys.argv[0], *sys.argv[1:]]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(STRAY)}
        environment = {**kept, **wanted, READY: "1"}
        if os.name == "nt":  # exec would give the shell back at once
            sys.exit(subprocess.call(command, env=environment))
        os.execve(sys.executable, command, environment)
    if runtime["affinity"]:
        try:
            cpus = _cpus(runtime["affinity"])
            if hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(0, cpus)
        except (OSError, ValueError):
            raise UserError(
                f"The process cannot be bound to the CPUs {runtime['affinity']}.",
                "Some of them may not be used here, or it is no list like 0-3,8.",
                "Give others with --affinity, or '' for all.",
            ) from None


def _cpus(text: str) -> set[int]:
    cpus: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        cpus.update(range(int(first), int(last or first) + 1))
    return cpus


def _library(name: str) -> str:
    own = Path(sys.prefix) / "lib" / "libiomp5.so"
    found = str(own) if name == "iomp" and own.exists() else ctypes.util.find_library(name)
    if not found:
        raise UserError(f"The bundle runs with {name}, which is not installed here.", "", "README.md says how.")
    return found

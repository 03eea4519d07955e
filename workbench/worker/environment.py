"""What a worker is started with: variables, preloaded libraries, CPUs. Parent side, pure.

These are settings of the process: they are made here, before Python starts, and read back in the child.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.core.config import Config
from workbench.errors import UserError
from workbench.host.cpulist import format_cpu_list, parse_cpu_list
from workbench.host.limits import usable_cpus, usable_physical_cores
from workbench.host.openmp import find_library
from workbench.host.topology import read_topology
from workbench.onsite.start import STRAY

_LIMITED = ("ONEDNN_MAX_CPU_ISA", "ATEN_CPU_CAPABILITY", "MKL_ENABLE_INSTRUCTIONS", "FBGEMM_ENABLE_INSTRUCTIONS")
_ISA = {"avx2": ("AVX2", "avx2", "AVX2", "AVX2"), "avx512": ("AVX512_CORE", "avx512", "AVX512", "AVX512")}
_PACKAGES = {
    "iomp": "pip install 'inference-workbench[iomp]'",
    "jemalloc": "apt install libjemalloc2",
    "tcmalloc": "apt install libtcmalloc-minimal4",
}


@dataclass(frozen=True)
class Surroundings:
    """Everything about the process that a config asks for.

    Attributes:
        variables: the complete environment.
        cpus: CPUs to run on; empty leaves the inherited ones.
        threads: threads to ask for; -1 leaves it to the library.
        notes: what of the shell was left behind.
    """

    variables: dict[str, str] = field(default_factory=dict)
    cpus: tuple[int, ...] = ()
    threads: int = -1
    notes: tuple[str, ...] = ()


def surroundings(config: Config, inherited: Mapping[str, str] | None = None) -> Surroundings:
    """Work out the environment, CPUs and thread count for *config* on this machine.

    Raises:
        UserError: a CPU or NUMA node that does not exist, or a library that is not installed.
    """
    source = os.environ if inherited is None else inherited
    variables = {key: value for key, value in source.items() if not key.startswith(STRAY)}
    cpus = _cpus(config)
    threads = config.number("runtime.threads")
    if threads == 0:
        threads = _default_threads(cpus)
    if threads > 0:
        variables["OMP_NUM_THREADS"] = str(threads)
    if (policy := config.text("runtime.wait_policy")) != "default":
        variables["OMP_WAIT_POLICY"] = policy
    if (limit := config.text("runtime.isa_limit")) != "none":
        variables.update(zip(_LIMITED, _ISA[limit], strict=True))
    preloads = []
    if config["runtime.openmp"] == "iomp":
        preloads.append(_library("iomp", "runtime.openmp"))
    if (allocator := config.text("runtime.allocator")) != "system":
        preloads.append(_library(allocator, "runtime.allocator"))
    if preloads:
        variables["LD_PRELOAD"] = ":".join(preloads)
    # OpenCV and numpy must not start thread pools beside the engine's.
    variables.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Importing IPEX imports the compiler, which otherwise starts a process that imports torch once more, and
    # takes seconds of a core and half a gigabyte, while the worker calibrates.
    variables["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    variables["PYTHONUNBUFFERED"] = "1"
    return Surroundings(variables, cpus, threads, _left_behind(source, config))


def _left_behind(shell: Mapping[str, str], config: Config) -> tuple[str, ...]:
    """Return what to say of variables that turn OpenMP in the shell, where somebody has set them for a purpose."""
    names = sorted(name for name in shell if name.startswith(("KMP_", "GOMP_")))
    if not names:
        return ()
    text = f"{', '.join(names)} of this shell did not reach the worker: knobs alone turn something."
    intel = [name for name in names if name.startswith("KMP_")]
    if intel and config.engine != "onnxruntime" and config["runtime.openmp"] == "gomp":
        text += (
            f" {', '.join(intel)} would have no effect anyway under libgomp; runtime.openmp=iomp loads what reads it."
        )
    return (text,)


def _cpus(config: Config) -> tuple[int, ...]:
    usable = usable_cpus()
    if text := config.text("runtime.affinity"):
        try:
            cpus = parse_cpu_list(text)
        except ValueError as error:
            raise UserError(
                f"'{text}' is not a list of CPUs.", f"{error}.", "Example: runtime.affinity=0-3,8"
            ) from error
        if not cpus or (strange := sorted(set(cpus) - set(usable))):
            what = f"CPU {format_cpu_list(strange)} cannot be used." if cpus else "runtime.affinity names no CPU."
            raise UserError(what, f"This process may use {format_cpu_list(usable)}.", "Correct runtime.affinity.")
        return cpus
    if (number := config.number("runtime.numa_node")) >= 0:
        nodes = {node.node: node for node in read_topology().nodes}
        if number not in nodes:
            raise UserError(
                f"There is no NUMA node {number}.",
                f"This machine has {', '.join(map(str, nodes)) or 'none that it shows'}.",
                "Correct runtime.numa_node.",
            )
        cpus = tuple(cpu for cpu in nodes[number].cpus if cpu in usable)
        if not cpus:
            raise UserError(f"No CPU of NUMA node {number} may be used.", "", "Choose another node.")
        return cpus
    return ()


def _default_threads(cpus: tuple[int, ...]) -> int:
    """Return physical cores among *cpus*, or among all that may be used."""
    if not cpus:
        return usable_physical_cores()
    cores = read_topology().one_per_core(cpus)
    return max(min(len(cores) or len(cpus), usable_physical_cores()), 1)


def _library(name: str, knob: str) -> str:
    path = find_library(name)
    if path is None:
        raise UserError(f"{knob}={name} needs a library that is not installed.", "", f"Install it: {_PACKAGES[name]}")
    return str(path)

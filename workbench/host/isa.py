"""Which instruction sets the CPU has, and what they mean for INT8 and BF16.

The quantization range policy, the ``target_isa`` knob and the diagnosis rules ask here. Answers come
from CPU flags, never from a model name: a virtual machine may hide AVX2 on a CPU that has it, and AMD
processors have VNNI and BF16 too.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

import msgspec

from workbench.host.cpuinfo import common_flags, read_cpuinfo

LEVELS = ("avx2", "avx512", "avx512_vnni", "avx_vnni", "amx_int8")

# Our name -> flags that must all be there. The base sets are repeated because a hypervisor may show
# an extension without the set it extends, and then no library uses it.
_AVX512 = ("avx512f", "avx512bw", "avx512dq", "avx512vl")
_NEEDS: dict[str, tuple[str, ...]] = {
    "sse4_1": ("sse4_1",),
    "sse4_2": ("sse4_2",),
    "avx": ("avx",),
    "f16c": ("f16c",),
    "fma": ("fma",),
    "avx2": ("avx2",),
    "avx_vnni": ("avx2", "avx_vnni"),
    "avx_vnni_int8": ("avx2", "avx_vnni_int8"),
    "avx512": _AVX512,
    "avx512_vnni": (*_AVX512, "avx512_vnni"),
    "avx512_bf16": (*_AVX512, "avx512_bf16"),
    "avx512_fp16": (*_AVX512, "avx512_fp16"),
    "amx_int8": (*_AVX512, "amx_tile", "amx_int8"),
    "amx_bf16": (*_AVX512, "amx_tile", "amx_bf16"),
    "amx_fp16": (*_AVX512, "amx_tile", "amx_fp16"),
}
# What libraries leave alone under ``runtime.isa_limit``, by beginnings of our names and oneDNN's. It counts AVX-VNNI
# as newer than plain AVX-512: ONEDNN_MAX_CPU_ISA=AVX512_CORE leaves it out as well.
_VNNI = ("avx_vnni", "avx2_vnni", "avx10", "amx")
_BEYOND = {"none": (), "avx2": (*_VNNI, "avx512"), "avx512": (*_VNNI, "avx512_")}
# On Windows only the first flag of the 512-bit family can be asked for; every x86 CPU with it that
# runs Windows has the other three as well (Knights Landing excepted).
_UNKNOWN_ON_WINDOWS = ("avx_vnni", "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_int8", "amx_bf16")


class Isa(msgspec.Struct, frozen=True):
    """The instruction sets of this machine.

    Attributes:
        names: our names of what every CPU has, weakest first.
        unknown: names that this platform cannot answer for; they count as absent, which is the
            careful side (INT8 ranges stay reduced, so nothing saturates).
        hypervisor: whether a hypervisor announces itself.
        note: one sentence about what is unknown, or empty.
    """

    names: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    hypervisor: bool = False
    note: str = ""


def read_isa(root: Path = Path("/")) -> Isa:
    """Return what the CPUs of this machine can execute."""
    return isa_from_flags(common_flags(read_cpuinfo(root)))


def isa_from_flags(flags: Collection[str]) -> Isa:
    """Translate the flags of /proc/cpuinfo; without any, ask the operating system instead."""
    if flags:
        return Isa(_names(flags), hypervisor="hypervisor" in flags)
    if sys.platform == "win32":
        from workbench.host.windows import processor_features

        found = processor_features()
        derived = {*found, *(("fma", "f16c") if "avx2" in found else ())}
        if "avx512f" in found:
            derived.update(_AVX512)
        note = "Windows does not tell about VNNI, BF16 and AMX; they are taken as absent."
        return Isa(_names(derived), _UNKNOWN_ON_WINDOWS, note=note)
    if sys.platform == "darwin":
        return Isa(_names(_darwin_flags()), ("avx_vnni", "avx512_bf16"))
    return Isa((), tuple(_NEEDS), note="/proc/cpuinfo cannot be read, so the instruction sets are unknown.")


def int8_level(isa: Collection[str]) -> str:
    """Return the value of the ``target_isa`` knob that ``host`` stands for on a CPU with *isa*.

    The strongest way to multiply 8-bit integers wins. A CPU without AVX2 answers ``avx2`` as well:
    it is the weakest target there is, with the same careful range.
    """
    for level in ("amx_int8", "avx512_vnni", "avx_vnni", "avx512"):
        if level in isa:
            return level
    return "avx2"


def within(limit: str, isa: Collection[str]) -> tuple[str, ...]:
    """Return what *limit*, a value of ``runtime.isa_limit``, leaves of the instruction sets *isa* (our names)."""
    return tuple(name for name in isa if not is_beyond(limit, name))


def is_beyond(limit: str, name: str) -> bool:
    """Return whether *limit* forbids the instruction set *name*: ours, or oneDNN's as in ``jit:avx512_core_vnni``."""
    return name.rpartition(":")[2].replace("avx512_core", "avx512").startswith(_BEYOND[limit])


def resolve_target(target: str, isa: Collection[str]) -> str:
    """Return *target*, or this CPU's level in place of ``host``.

    Raises:
        ValueError: no such target.
    """
    level = int8_level(isa) if target == "host" else target
    if level not in LEVELS:
        raise ValueError(f"'{target}' is not one of host, {', '.join(LEVELS)}")
    return level


def has_vnni(target: str) -> bool:
    """Return whether *target* adds 8-bit products straight into 32 bits.

    Without it pairs of products pass through 16 bits and may saturate, so ranges must be reduced.

    Raises:
        ValueError: no such target (``host`` must be resolved first).
    """
    if target not in LEVELS:
        raise ValueError(f"'{target}' is not one of {', '.join(LEVELS)}")
    return target in {"avx512_vnni", "avx_vnni", "amx_int8"}


def has_bf16(isa: Collection[str]) -> bool:
    """Return whether BF16 is computed natively; without it BF16 is emulated and often slower."""
    return "avx512_bf16" in isa or "amx_bf16" in isa


def _names(flags: Collection[str]) -> tuple[str, ...]:
    present = set(flags)
    return tuple(name for name, needed in _NEEDS.items() if present.issuperset(needed))


def _darwin_flags() -> set[str]:
    import subprocess

    command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.features", "machdep.cpu.leaf7_features"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return set()
    spelled = {"avx1.0": "avx", "sse4.1": "sse4_1", "sse4.2": "sse4_2", "avx512vnni": "avx512_vnni"}
    return {spelled.get(word, word) for word in done.stdout.lower().split()}

"""What limits measurements on a machine, and what its administrator could do; used by ``machine`` and ``noise``.

Commands are shown to the user and never run for them: they need an administrator and concern everybody on the machine.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec

from workbench.host._files import read_text
from workbench.host.affinity import affinity_presets
from workbench.host.cpulist import format_cpu_list, read_cpu_list
from workbench.host.isa import has_bf16, has_vnni, int8_level, resolve_target, within
from workbench.host.topology import Topology

SLOW_GOVERNORS = ("powersave", "ondemand", "conservative", "schedutil")
HARDWARE_CLOCKED = ("intel_pstate", "amd-pstate-epp", "amd_pstate_epp")
"""Drivers that choose the clock in hardware; with them "powersave" is the ordinary setting."""
PERFORMANCE = "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"
_SMT_OFF = "echo off | sudo tee /sys/devices/system/cpu/smt/control"


class Advice(msgspec.Struct, frozen=True):
    """Something that makes numbers steadier, and the exact command or setting for it."""

    text: str
    command: str


def int8_note(target: str) -> str:
    """Return what to expect of INT8 on *target* (a level of ``target_isa``), empty where there is nothing to say."""
    if has_vnni(target):
        return ""
    # Pairs of products are added in 16 bits there, which those of full range overflow.
    return f"{target} has no VNNI: INT8 brings little gain, and the reduced range (7 bits) is needed."


def preview_notes(isa: Collection[str], *, target: str = "", limit: str = "none") -> list[str]:
    """Return what to know of a trial that previews another machine; nothing of it needs to be run.

    Args:
        isa: instruction sets of this CPU by our names.
        target: value of ``target_isa`` under INT8, empty otherwise.
        limit: value of ``runtime.isa_limit``.
    """
    said = []
    if limit != "none":
        said.append(
            f"Preview: instructions are limited to {limit}, as on an older CPU; clock and memory stay this one's."
        )
    if target:
        kept = within(limit, isa)
        level, here = resolve_target(target, kept), int8_level(kept)
        if level != here:
            said.append(f"Preview: ranges are those for {level}, latencies those of this CPU ({here}).")
        said += [note] if (note := int8_note(level)) else []
    return said


def warnings(
    topology: Topology, usable: Sequence[int], quota: float | None, threads: int, isa: Collection[str], target: str
) -> tuple[str, ...]:
    """Return a sentence for everything that keeps a process from using this machine as its model name promises.

    Args:
        usable: CPUs that this process may run on.
        quota: CPUs' worth of time, if limited.
        threads: the default number of threads.
        isa: instruction sets by our names.
        target: the level of ``target_isa`` that ``host`` stands for.
    """
    said = []
    if len(usable) < topology.logical_cpus:
        count = topology.logical_cpus
        said.append(f"Only CPUs {format_cpu_list(usable)} of {count} may be used (affinity mask or cpuset).")
    if quota is not None and quota < len(usable):
        said.append(
            f"The container grants {quota:g} CPUs' worth of time on {len(usable)} CPUs: threads beyond "
            f"{threads} make the kernel stop all of them for the rest of each period."
        )
    if {cpu.kind for cpu in topology.cpus if cpu.id in usable} >= {"P", "E"}:
        said.append(_hybrid_note(topology, usable, threads))
    if len({cpu.node for cpu in topology.cpus if cpu.id in usable}) > 1:
        said.append("Several NUMA nodes: memory of another node is slower; runtime.numa_node keeps to one.")
    if isa and "avx2" not in isa:
        said.append("The CPU or virtual machine has no AVX2: kernels are slow, and some engines do not start.")
    elif isa and (note := int8_note(target)):
        said.append(note)
    if isa and not has_bf16(isa):
        said.append("No BF16 instructions: BF16 is emulated and slower than FP32.")
    return tuple(said)


def _hybrid_note(topology: Topology, usable: Sequence[int], threads: int) -> str:
    """Return what to measure where P and E cores may be used: neither way is faster by nature."""
    presets = affinity_presets(topology, usable)
    sets = [presets[name] for name in ("p-cores", "p-cores-one-thread", "all") if name in presets]
    return (
        f"P and E cores: layers are cut into equal parts, so the E cores gate every parallel region. {threads} threads "
        f"by default use both; P cores alone, affinity preset p-cores, may be faster: "
        f"`workbench sweep MODEL runtime.affinity={'/'.join(map(format_cpu_list, sets))}` measures which."
    )


def steadier(
    topology: Topology, usable: Sequence[int], governor: str | None, driver: str | None, root: Path = Path("/")
) -> tuple[Advice, ...]:
    """Return what would make latencies on this machine steadier."""
    found = []
    slow = [name for name in (governor or "").split("+") if name in SLOW_GOVERNORS]
    if slow:
        hardware = driver in HARDWARE_CLOCKED
        found.append(
            Advice(
                f"Governor {slow[0]}: the clock rises only under load; performance keeps it up."
                if hardware or slow[0] != "powersave"
                else "Governor powersave: the CPU stays at its lowest clock rate; performance keeps it up.",
                PERFORMANCE,
            )
        )
    if topology.smt and read_text(root / "sys/devices/system/cpu/smt/control") in (None, "on"):
        found.append(Advice("Two hyper-threads share each core: with SMT off nothing else runs on it.", _SMT_OFF))
    cores = topology.one_per_core(usable, "P") or topology.one_per_core(usable)
    folder = root / "sys/devices/system/cpu"
    if len(cores) > 2 and (folder / "online").exists() and not read_cpu_list(folder / "isolated"):
        kept = format_cpu_list(cores[len(cores) // 2 :])
        found.append(
            Advice(
                f"No CPU is isolated: kept free of everything else, CPUs {kept} give the shortest tail to a worker "
                f"with runtime.affinity={kept}.",
                f"add isolcpus={kept} nohz_full={kept} to GRUB_CMDLINE_LINUX in /etc/default/grub, then "
                "sudo update-grub && sudo reboot",
            )
        )
    return tuple(found)

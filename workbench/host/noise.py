"""How quiet the machine was while something was measured.

The worker (or whoever times it) takes one :func:`snapshot` after warm-up and one right after the last
run, while the cores are still warm; both are stored with the trial. :func:`difference` puts them into
numbers for the diagnosis rules, :func:`noise_warnings` into sentences for people. An idle core
clocks down within milliseconds, so a late second snapshot would look like throttling. Missing
kernel files make values unknown and never raise.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from workbench.host import _counters
from workbench.host.advice import HARDWARE_CLOCKED, PERFORMANCE, SLOW_GOVERNORS
from workbench.host.limits import throttling, usable_cpus

_CLOCK_FALL = 0.05  # share of MHz; less than that is ordinary wandering of turbo
_STEAL_SHARE = 0.01
_OTHERS_CORES = 0.3
_OTHERS_SHARE = 0.03  # of all CPUs: a big server always hums a little
_PUSHED_OFF_PER_S = 100


class NoiseSnapshot(msgspec.Struct, frozen=True):
    """State and counters at one moment; ``None`` or empty means that the platform does not say.

    Attributes:
        time_s: monotonic clock in s.
        cpus: the CPUs it is about.
        governor: frequency governor, several joined with ``+``.
        driver: frequency driver.
        mhz: current clock rate per CPU.
        no_turbo: whether turbo is switched off.
        thermal_throttles: times the CPU slowed down because of heat, since boot.
        quota_throttles: enforcement periods in which the CPU quota stopped this process.
        quota_throttled_ms: time stopped by the quota in ms.
        voluntary_switches: context switches because the measured processes waited.
        involuntary_switches: context switches because the scheduler took the core away.
        load_average: over 1, 5 and 15 minutes.
        steal_s: time the hypervisor gave to other machines, summed over *cpus*, in s.
        busy_s: time *cpus* were busy with anything, in s.
        own_cpu_s: CPU time in s of each measured process, by process id.
    """

    time_s: float
    cpus: tuple[int, ...] = ()
    governor: str | None = None
    driver: str | None = None
    mhz: dict[int, float] = {}
    no_turbo: bool | None = None
    thermal_throttles: int | None = None
    quota_throttles: int | None = None
    quota_throttled_ms: float | None = None
    voluntary_switches: int | None = None
    involuntary_switches: int | None = None
    load_average: tuple[float, float, float] | None = None
    steal_s: float | None = None
    busy_s: float | None = None
    own_cpu_s: dict[int, float] = {}


class NoiseDifference(msgspec.Struct, frozen=True):
    """What happened between two snapshots; ``None`` where one of them does not know.

    Attributes:
        elapsed_s: time between them in s.
        mhz_before: clock rate of the fastest CPU in the first snapshot, in MHz.
        mhz_after: the same in the second one.
        clock_change: relative change of that clock rate; −0.08 is 8 % slower.
        governor_changed: whether the governor is another one now.
        turbo_changed: whether turbo was switched.
        thermal_throttles: times heat slowed the CPU down.
        quota_throttles: times the CPU quota stopped this process.
        quota_throttled_ms: for how long, in ms.
        voluntary_switches: context switches by waiting.
        involuntary_switches: context switches by force.
        steal_share: share of the CPUs' time that the hypervisor took, 0…1.
        others_cores: how many cores' worth of time everybody else used on these CPUs.
    """

    elapsed_s: float
    mhz_before: float | None = None
    mhz_after: float | None = None
    clock_change: float | None = None
    governor_changed: bool = False
    turbo_changed: bool = False
    thermal_throttles: int | None = None
    quota_throttles: int | None = None
    quota_throttled_ms: float | None = None
    voluntary_switches: int | None = None
    involuntary_switches: int | None = None
    steal_share: float | None = None
    others_cores: float | None = None


def snapshot(root: Path = Path("/"), cpus: Sequence[int] | None = None, pids: Sequence[int] = ()) -> NoiseSnapshot:
    """Read all counters now.

    Args:
        root: the folder that holds ``sys`` and ``proc``.
        cpus: the CPUs the measurement runs on; by default all that this process may use.
        pids: processes that belong to the measurement and are not "others"; by default the calling
            one. The parent of a worker names the worker and itself.
    """
    chosen = tuple(sorted(cpus)) if cpus is not None else usable_cpus(root)
    quota = throttling(root)
    switches = _counters.context_switches(root, pids)
    times = _counters.cpu_times(root, chosen)
    return NoiseSnapshot(
        time_s=time.monotonic(),
        cpus=chosen,
        governor=_counters.governor(root, chosen),
        driver=_counters.driver(root, chosen),
        mhz=_counters.clock_rates(root, chosen),
        no_turbo=_counters.no_turbo(root),
        thermal_throttles=_counters.thermal_throttles(root, chosen),
        quota_throttles=quota.count if quota else None,
        quota_throttled_ms=quota.time_ms if quota else None,
        voluntary_switches=switches[0] if switches else None,
        involuntary_switches=switches[1] if switches else None,
        load_average=_counters.load_average(root),
        steal_s=times.steal_s if times else None,
        busy_s=times.busy_s if times else None,
        own_cpu_s=_counters.process_cpu_s(root, pids),
    )


def difference(before: NoiseSnapshot, after: NoiseSnapshot) -> NoiseDifference:
    """Return what changed from *before* to *after*."""
    elapsed = max(after.time_s - before.time_s, 0.0)
    shared = before.mhz.keys() & after.mhz.keys()
    mhz_before = max((before.mhz[cpu] for cpu in shared), default=None)
    mhz_after = max((after.mhz[cpu] for cpu in shared), default=None)
    steal = _grown(before.steal_s, after.steal_s)
    capacity = elapsed * len(after.cpus)
    same_cpus = before.cpus == after.cpus
    return NoiseDifference(
        elapsed_s=elapsed,
        mhz_before=mhz_before,
        mhz_after=mhz_after,
        clock_change=mhz_after / mhz_before - 1 if mhz_before and mhz_after else None,
        governor_changed=_changed(before.governor, after.governor),
        turbo_changed=_changed(before.no_turbo, after.no_turbo),
        thermal_throttles=_count(before.thermal_throttles, after.thermal_throttles),
        quota_throttles=_count(before.quota_throttles, after.quota_throttles),
        quota_throttled_ms=_grown(before.quota_throttled_ms, after.quota_throttled_ms),
        voluntary_switches=_count(before.voluntary_switches, after.voluntary_switches),
        involuntary_switches=_count(before.involuntary_switches, after.involuntary_switches),
        steal_share=min(steal / capacity, 1.0) if steal is not None and capacity and same_cpus else None,
        others_cores=_others(before, after, elapsed) if same_cpus else None,
    )


def noise_warnings(before: NoiseSnapshot, after: NoiseSnapshot) -> list[str]:
    """Return a sentence for each reason not to trust what was measured in between; empty if quiet."""
    change = difference(before, after)
    said = []
    if change.quota_throttles:
        said.append(
            f"Throttled by quota: the container's CPU limit stopped this process {change.quota_throttles} "
            f"times ({change.quota_throttled_ms or 0:.0f} ms); P99 and the maximum cannot be trusted."
        )
    if change.thermal_throttles:
        said.append(
            f"The CPU slowed itself down because of heat ({change.thermal_throttles} thermal throttle "
            "events); check the cooling and measure again."
        )
    if change.clock_change is not None and change.clock_change <= -_CLOCK_FALL:
        said.append(
            f"CPU frequency fell {-change.clock_change:.0%} during the measurement "
            f"({change.mhz_before:.0f} to {change.mhz_after:.0f} MHz)."
        )
    said += _governor_warnings(before, after, change)
    if change.turbo_changed:
        said.append("Turbo was switched during the measurement; early and late runs do not compare.")
    if change.steal_share is not None and change.steal_share >= _STEAL_SHARE:
        said.append(
            f"The hypervisor gave {change.steal_share:.1%} of these CPUs' time to other virtual machines "
            "(steal); latency spikes may not be this program's."
        )
    others = change.others_cores
    if others is not None and others >= _others_limit(after):
        said.append(f"Other processes kept {others:.1f} of {len(after.cpus)} usable CPUs busy.")
    elif others is None and before.load_average and before.load_average[0] > max(1.0, 0.5 * len(before.cpus)):
        said.append(f"The machine was loaded already (load average {before.load_average[0]:.1f}).")
    forced = change.involuntary_switches
    if forced and change.elapsed_s > 0 and forced / change.elapsed_s >= _PUSHED_OFF_PER_S:
        said.append(
            f"The scheduler pushed the measured process off its core {forced / change.elapsed_s:.0f} times "
            "a second: more threads than free cores, or other work on them."
        )
    return said


def warnings_before(idle: NoiseSnapshot, before: NoiseSnapshot) -> list[str]:
    """Return a sentence for what was wrong with the machine before anything was timed, from *idle* to *before*."""
    change, said = difference(idle, before), []
    if change.quota_throttles:
        said.append("Before the runs the container's CPU limit stopped this process: its share of time may be used up.")
    if change.steal_share is not None and change.steal_share >= _STEAL_SHARE:
        said.append(
            f"Before the runs the hypervisor gave {change.steal_share:.1%} of these CPUs' time to others (steal)."
        )
    if change.others_cores is not None and change.others_cores >= _others_limit(before):
        count = len(before.cpus)
        said.append(f"Before the runs other processes kept {change.others_cores:.1f} of {count} usable CPUs busy.")
    return said


def _others_limit(shot: NoiseSnapshot) -> float:
    return max(_OTHERS_CORES, _OTHERS_SHARE * len(shot.cpus))


def _governor_warnings(before: NoiseSnapshot, after: NoiseSnapshot, change: NoiseDifference) -> list[str]:
    if change.governor_changed:
        return [f"The frequency governor changed from {before.governor} to {after.governor}."]
    names = (after.governor or "").split("+")
    slow = [name for name in names if name in SLOW_GOVERNORS]
    if not slow:
        return []
    sentence = f"Governor {slow[0]}: the clock rises only under load, so the first runs after a pause are slower"
    if slow[0] == "powersave" and after.driver not in HARDWARE_CLOCKED:
        sentence = "Governor powersave: the CPU stays at its lowest clock rate"
    return [f"{sentence}; 'performance' gives steadier numbers: {PERFORMANCE}"]


def _others(before: NoiseSnapshot, after: NoiseSnapshot, elapsed: float) -> float | None:
    busy = _grown(before.busy_s, after.busy_s)
    known = before.own_cpu_s.keys() & after.own_cpu_s.keys()
    # A measured process that came or went in between would count as somebody else.
    if busy is None or not elapsed or not known or known != before.own_cpu_s.keys() | after.own_cpu_s.keys():
        return None
    own = sum(after.own_cpu_s[pid] - before.own_cpu_s[pid] for pid in known)
    return max(busy - own, 0.0) / elapsed


def _changed(before: object, after: object) -> bool:
    return before is not None and after is not None and before != after


def _grown(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else max(after - before, 0.0)


def _count(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else max(after - before, 0)

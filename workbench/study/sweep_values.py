"""Which values of a knob a sweep tries: those that were asked for, or those worth trying on this machine.

Used by ``sweep`` and by the window.
"""

from __future__ import annotations

from collections.abc import Iterable

from workbench.core.config import Config, converted, knob_named
from workbench.core.knobs import KNOBS, Knob, Value
from workbench.errors import UserError, nearest
from workbench.host.affinity import affinity_presets
from workbench.host.cpulist import format_cpu_list
from workbench.host.machine import HostInfo
from workbench.host.topology import Topology

BATCHES = (1, 2, 4, 8, 16)
_EVERY = 8
"""Up to so many cores every count of threads is tried, above it 1.5 to 2 times as many each time."""
_SETS = "/"
_EXAMPLE = "Example: runtime.threads=1,2,4"


def parted(text: str) -> tuple[str, str]:
    """Return key and values of ``KNOB=V1,V2,…``; the values are empty where only the knob is named."""
    key, _, values = text.partition("=")
    return key.strip(), values.strip()


def values_of(key: str, text: str, config: Config, host: HostInfo | None) -> list[Value]:
    """Return the values to sweep over, each once, in the order given.

    Args:
        key: of the knob.
        text: values with commas in between; CPU lists, which have commas of their own, may have ``/`` in between.
            Empty for the values worth trying.
        config: what the sweep starts from.
        host: this machine; None where it is not known yet.

    Returns:
        Values in the knob's type; a text that is no value of the knob stays as it is, for the sweep to say so.

    Raises:
        UserError: no such knob, one that does not apply to *config*, or fewer than two values.
    """
    knob = knob_named(key)
    if reason := config.applies(knob):
        usable = [other.key for other in KNOBS if not config.applies(other)]
        raise UserError(f"{key} cannot be swept here: {reason}.", "", nearest(key, usable))
    values = _given(knob, text) if text else usual_values(knob, host)
    if not values:
        raise UserError(f"{key} has no values that are always worth trying.", "", f"Give some. {_EXAMPLE}")
    if len(values) == 1:
        raise UserError(
            f"One value of {key} is no sweep.", f"Only {key}={values[0]} was given.", f"Give at least two. {_EXAMPLE}"
        )
    return values


def usual_values(knob: Knob, host: HostInfo | None) -> list[Value]:
    """Return the values of *knob* worth trying on this machine; none where nobody can say.

    All choices of a list, both states of a switch, threads up to the usable cores (and CPUs, where there are more),
    doubling batches, the CPU sets that the core map offers, NUMA nodes.
    """
    if knob.kind is bool:
        return [False, True]
    if knob.choices:
        return list(knob.choices)
    if knob.key == "run.batch":
        return list(BATCHES)
    if host is None:
        return []
    if knob.key == "runtime.threads":
        return list(_thread_counts(host.default_threads, len(host.usable_cpus)))
    if knob.key == "runtime.affinity":
        return list(_cpu_sets(host))
    if knob.key == "runtime.numa_node":
        return [-1, *(node.node for node in host.cpu.numa_nodes if set(node.cpus) & set(host.usable_cpus))]
    return []


def _given(knob: Knob, text: str) -> list[Value]:
    between = _SETS if knob.key == "runtime.affinity" and _SETS in text else ","
    parts = [part.strip() for part in text.split(between)]
    return list(dict.fromkeys(_read(knob, part) for part in parts if part or knob.kind is str))


def _read(knob: Knob, text: str) -> Value:
    try:
        return converted(knob, text)
    except UserError:
        return text


def _thread_counts(cores: int, cpus: int) -> Iterable[int]:
    """Return 1 to *cores*, thinned out where they are many, and all *cpus* where hyper-threads make them more."""
    counts = set(range(1, cores + 1)) if cores <= _EVERY else {cores}
    step = 1
    while cores > _EVERY and step < cores:
        counts |= {step, *([step * 3 // 2] if step >= 4 and step * 3 // 2 < cores else [])}
        step *= 2
    return sorted({*counts, max(cpus, cores)})


def _cpu_sets(host: HostInfo) -> Iterable[str]:
    """Return no pinning, the core map's sets, each NUMA node, and all CPUs but the first, which serves interrupts."""
    usable = host.usable_cpus
    sets = list(affinity_presets(Topology(host.topology, host.cpu.numa_nodes), usable).values())
    nodes = [tuple(cpu for cpu in node.cpus if cpu in usable) for node in host.cpu.numa_nodes]
    sets += nodes if len(nodes) > 1 else []
    sets += [usable, usable[1:]]
    return ["", *dict.fromkeys(format_cpu_list(cpus) for cpus in sets if cpus)]

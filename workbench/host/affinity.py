"""Named sets of CPUs that the window and the search offer for the affinity knob.

On a hybrid processor the best set depends on the precision and on how many cores of each kind there are,
so none of them is forced on anybody.
"""

from __future__ import annotations

from collections.abc import Iterable

from workbench.host.topology import Topology


def affinity_presets(topology: Topology, usable: Iterable[int]) -> dict[str, tuple[int, ...]]:
    """Return named CPU sets worth offering, restricted to *usable*; empty where all CPUs are alike.

    ``p-cores`` and ``p-cores-one-thread`` exist on hybrid processors only, ``one-per-core`` where
    hyper-threading is on, ``node-N`` (one thread per core of NUMA node N) where several nodes may be used,
    ``all`` beside any of them.
    """
    usable = tuple(sorted(set(usable) & set(topology.online)))
    presets: dict[str, tuple[int, ...]] = {}
    if topology.hybrid:
        kinds = {cpu.id: cpu.kind for cpu in topology.cpus}
        presets["p-cores"] = tuple(cpu for cpu in usable if kinds[cpu] == "P")
        presets["p-cores-one-thread"] = topology.one_per_core(usable, "P")
    presets["one-per-core"] = topology.one_per_core(usable)
    for node in topology.nodes:
        presets[f"node-{node.node}"] = topology.one_per_core(set(usable) & set(node.cpus))
    distinct: dict[str, tuple[int, ...]] = {}
    for name, cpus in presets.items():
        if cpus and cpus != usable and cpus not in distinct.values():
            distinct[name] = cpus
    return {**distinct, "all": usable} if distinct else {}

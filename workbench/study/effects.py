"""Knobs that were turned and do nothing here, in words; used by the runner for every trial.

What is asked of a process and not obeyed makes a trial invalid (see the runner). Here is what was obeyed without
anything coming of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from workbench.core.config import Config
from workbench.core.trial import Effective, Layer
from workbench.host.isa import within


def without_effect(config: Config, effective: Effective, layers: Sequence[Layer], isa: Collection[str]) -> list[str]:
    """Return a sentence for each knob or variable without effect.

    Args:
        config: as it was measured.
        effective: what was read back.
        layers: of the model, empty where it shows none.
        isa: instruction sets of this CPU, by our names.
    """
    knobs, said = config.resolved(), []
    runtime = effective.openmp_active or (effective.openmp[0] if len(effective.openmp) == 1 else None)
    for name in effective.environment:
        if name.startswith("KMP_") and runtime == "gomp":
            said.append(
                f"{name} has no effect: libgomp does not read it; runtime.openmp=iomp loads the runtime that does."
            )
        if name.startswith("GOMP_") and runtime == "iomp":
            said.append(f"{name} has no effect: Intel's OpenMP does not read it.")
    limit = str(knobs.get("runtime.isa_limit", "none"))
    if limit != "none" and isa and within(limit, isa) == tuple(isa):
        said.append(f"runtime.isa_limit={limit} has no effect: this CPU has nothing newer.")
    if effective.threads == 1:
        for key, idle in (("runtime.wait_policy", "default"), ("runtime.spin", True)):
            if key in config.given and knobs.get(key, idle) != idle:
                said.append(f"{key} has no effect with one thread: nobody waits.")
    flat = bool(layers) and not any(layer.kind == "conv" for layer in layers)
    if flat and config.given.get("layout.channels_last"):
        said.append("layout.channels_last has no effect: the model has no convolutions.")
    if int(knobs.get("runtime.interop_threads", 1)) > 1 and config.engine != "onnxruntime":
        said.append(
            "runtime.interop_threads has no effect on a model that forks no tasks of its own (torch.jit.fork), which "
            "few do."
        )
    return said

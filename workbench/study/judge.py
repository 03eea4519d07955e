"""Whether a trial may be believed: did it end well, do what was asked for, and prove its INT8? Used by the runner."""

from __future__ import annotations

from workbench.core.config import Config
from workbench.core.trial import Effective, Proof, Status
from workbench.host.isa import is_beyond
from workbench.worker.environment import Surroundings
from workbench.worker.launcher import Outcome
from workbench.worker.protocol import Measured


def judge(outcome: Outcome, result: Measured | None, config: Config, around: Surroundings) -> tuple[Status, str]:
    """Decide whether a trial may be believed.

    ``failed``: it did not come to an end. ``invalid``: it did, but did not do what was asked.
    """
    if outcome.end == "invalid":
        return "invalid", outcome.reason
    if outcome.end == "cancelled":
        return "failed", "cancelled; what was measured until then is kept"
    if outcome.end != "finished" or result is None:
        return "failed", outcome.reason
    faults = [*_unmet(result.effective, config, around), *_unproven(result.proof, config)]
    if result.accuracy and not result.accuracy.finite:
        faults.append("the outputs are not finite")
    for fix in result.fixes:
        if fix.state == "refused":
            faults.append(f"the range fixed on {fix.tensor} was not obeyed: {fix.note}")
    return ("invalid", "; ".join(faults)) if faults else ("ok", "")


def _unmet(effective: Effective, config: Config, around: Surroundings) -> list[str]:
    """Hold what was read back against what was asked for."""
    faults = []
    if around.threads > 0 and effective.threads != around.threads:
        faults.append(f"{around.threads} threads were asked for, {effective.threads} are used")
    if around.cpus and tuple(effective.affinity) != around.cpus:
        faults.append(f"CPUs {list(around.cpus)} were asked for, {effective.affinity} are used")
    if effective.interop_threads != config.number("runtime.interop_threads"):
        faults.append(f"inter-op threads are {effective.interop_threads}")
    # No effect is a fault: B54, variables that change nothing and nobody is told.
    if config["runtime.openmp"] == "iomp":
        if "iomp" not in effective.openmp:
            faults.append("Intel's OpenMP was asked for and is not loaded")
        elif effective.openmp_active not in (None, "iomp"):
            faults.append(f"Intel's OpenMP was asked for and is loaded, but {effective.openmp_active} does the work")
    if (allocator := config.text("runtime.allocator")) != "system" and allocator not in effective.allocator:
        faults.append(f"{allocator} was asked for and is not loaded")
    if config.flag("runtime.flush_denormals") and not effective.flush_denormals:
        faults.append("denormals are not flushed")
    return faults


def _unproven(proof: Proof, config: Config) -> list[str]:
    limit = config.isa_limit
    if newer := sorted({kernel.kernel for kernel in proof.kernels if is_beyond(limit, kernel.kernel)}):
        return [f"runtime.isa_limit={limit} was asked for, but {', '.join(newer)} ran"]
    if "int8" in config.precision:
        if not proof.int8_kernels:
            return ["INT8 was asked for and no INT8 kernel ran"]
        if proof.missing:
            names = ", ".join(proof.missing[:5]) + (" …" if len(proof.missing) > 5 else "")
            return [f"{proof.int8_kernels} of {proof.expected_int8} planned layers ran in INT8; missing: {names}"]
        ran = {kernel.layer for kernel in proof.kernels if kernel.compute and kernel.dtype == "int8"}
        pinned = [name for name, precision in config.layers.items() if precision != "int8" and name in ran]
        if pinned:
            return [f"kept in FP32 by the config, but ran in INT8: {', '.join(pinned)}"]
    if config.precision == "bf16" and not proof.bf16_kernels:
        return ["BF16 was asked for and no BF16 kernel ran"]
    return []

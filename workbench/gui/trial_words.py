"""Short sentences about configs and trials that several panels say in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from workbench.core.trial import Proof, Trial

translate = QCoreApplication.translate


def config_in_words(config: Mapping[str, Any], threads: int | None = None) -> str:
    """Return ``ipex int8, 2 threads`` for a trial's nested config; survives records that lack everything."""
    words = " ".join(str(config[key]) for key in ("engine", "precision") if key in config) or "?"
    if threads is None:
        runtime = config.get("runtime")
        threads = runtime.get("threads") if isinstance(runtime, Mapping) else None
    if not threads:
        return words
    one, many = translate("TrialWords", "1 thread"), translate("TrialWords", "{0} threads")
    return words + translate("TrialWords", ", ") + (one if threads == 1 else many.format(threads))


def trial_in_words(trial: Trial) -> str:
    """Return ``#7 ipex int8, 2 threads``."""
    threads = trial.effective.threads if trial.effective else None
    words = config_in_words(trial.config, threads)
    return words if trial.id is None else f"#{trial.id}  {words}"


def proof_in_words(proof: Proof, precision: str) -> tuple[bool, str]:
    """Return whether what was asked for is what ran, and how many kernels say so."""
    good, words = True, ""
    if proof.expected_int8:
        good = proof.int8_kernels >= proof.expected_int8 and not proof.missing
        words = translate("TrialWords", "{0} INT8 kernels of {1}").format(proof.int8_kernels, proof.expected_int8)
    elif "int8" in precision:
        good = proof.int8_kernels > 0
        words = translate("TrialWords", "{0} INT8 kernels").format(proof.int8_kernels)
    elif precision == "bf16":
        good = proof.bf16_kernels > 0
        words = translate("TrialWords", "{0} BF16 kernels").format(proof.bf16_kernels)
    else:
        words = translate("TrialWords", "{0} FP32 kernels").format(proof.fp32_kernels)
    words += " ✓" if good else " ✗"
    if proof.missing:
        more = f" (+{len(proof.missing) - 3})" if len(proof.missing) > 3 else ""
        words += "\n" + translate("TrialWords", "not in INT8: {0}").format(", ".join(proof.missing[:3]) + more)
    if proof.reference_kernels:
        good = False
        words += "\n" + translate("TrialWords", "{0} in slow reference code").format(proof.reference_kernels)
    return good, words

"""What the ladder panel says about rungs: names, verdicts, the summary."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from workbench.core.figures import decimals, factor, milliseconds
from workbench.gui.language import said
from workbench.study.ladder import Step

translate = QCoreApplication.translate


def rung_in_words(name: str) -> str:
    """Return the name of a rung; the engines' own names stay as they are."""
    names = {
        "naive": translate("LadderWords", "naive"),
        "inference mode": translate("LadderWords", "inference mode"),
        "threads = cores": translate("LadderWords", "threads = cores"),
        "channels last": translate("LadderWords", "channels last"),
        "padding folded": translate("LadderWords", "padding folded"),
        "channels aligned": translate("LadderWords", "channels aligned"),
        "frozen graph": translate("LadderWords", "frozen graph"),
        "optimized graph": translate("LadderWords", "optimized graph"),
        "graph optimization": translate("LadderWords", "graph optimization"),
        "INT8 dynamic, PyTorch": translate("LadderWords", "INT8 dynamic, PyTorch"),
        "INT8 dynamic, ONNX": translate("LadderWords", "INT8 dynamic, ONNX"),
        "INT8 dynamic": translate("LadderWords", "INT8 dynamic"),
    }
    return names.get(name, name)


def verdict_in_words(verdict: str) -> str:
    """Return how a rung compares with the one before."""
    return {
        "start": translate("LadderWords", "start"),
        "faster": translate("LadderWords", "faster"),
        "slower": translate("LadderWords", "slower"),
        "same": translate("LadderWords", "no difference shown"),
        "failed": translate("LadderWords", "failed"),
        "skipped": translate("LadderWords", "skipped"),
    }.get(verdict, verdict)


def step_in_words(step: Step) -> str:
    """Return all that is known about a rung, for a tooltip."""
    lines = [f"{rung_in_words(step.name)}: {verdict_in_words(step.verdict)}"]
    if step.reason:
        lines.append(said(step.reason))
    if step.speedup_vs_first is not None:
        lines.append(translate("LadderWords", "{0} as fast as the first rung").format(factor(step.speedup_vs_first)))
    if step.speedup_vs_previous is not None and step.ci95 is not None:
        text = translate("LadderWords", "{0} as fast as the rung before; 95 % interval {1} to {2}, 1 process each")
        lines.append(text.format(*(factor(value) for value in (step.speedup_vs_previous, *step.ci95))))
    turned = ", ".join(f"{key} = {str(value).lower()}" for key, value in step.config_changes.items())
    lines.append(translate("LadderWords", "turns {0}").format(turned))
    return "\n".join(lines)


def fastest_in_words(steps: Sequence[Step]) -> str:
    """Return which rung is the fastest and what it costs; empty where nothing could be measured."""
    measured = [step for step in steps if step.speedup_vs_first is not None and step.trial is not None]
    if not measured:
        return ""
    best = max(measured, key=lambda step: step.speedup_vs_first or 0.0)
    trial = best.trial
    assert trial is not None
    p50 = milliseconds(trial.latency.p50_ms if trial.latency is not None else None)
    text = translate("LadderWords", "Fastest: {0}, {1} ms, {2} as fast as the first rung").format(
        rung_in_words(best.name), p50, factor(best.speedup_vs_first)
    )
    if trial.accuracy is None or not trial.accuracy.samples:
        return text + translate("LadderWords", "; accuracy unknown without data")
    return text + translate("LadderWords", "; cosine {0} to FP32").format(decimals(trial.accuracy.cosine_mean))

"""What the window says about findings, their repairs and what came of them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from workbench.core.accuracy import Accuracy
from workbench.core.figures import decimals, milliseconds, share
from workbench.core.findings import KINDS, Finding, Repair
from workbench.core.improvement import Verdict
from workbench.core.trial import Trial
from workbench.gui.language import said
from workbench.gui.repair_trials import Attempt

_ICONS: dict[Verdict, str] = {"better": "ok", "worse": "error", "same": "info", "unknown": "info"}


def title(kind: str) -> str:
    """Return what findings of *kind* are called together."""
    return said(KINDS[kind].title)


def why(kind: str) -> str:
    """Return why they matter."""
    return said(KINDS[kind].why)


def place(finding: Finding) -> str:
    """Return where it is."""
    return finding.where or finding.layer or QCoreApplication.translate("Findings", "Whole model")


def button(finding: Finding, repair: Repair) -> str:
    """Return what the button of a repair says."""
    translate = QCoreApplication.translate
    if finding.kind == "unclamped" and repair.kind == "range":
        return translate("Findings", "Clamp this one")
    return {
        "range": translate("Findings", "Take suggestion"),
        "fp32": translate("Findings", "Keep in FP32"),
        "clamp": translate("Findings", "Clamp"),
        "recalibrate": translate("Findings", "Recalibrate"),
        "reduce": translate("Findings", "Take 7 bits"),
        "release": translate("Findings", "Take fix back"),
    }[repair.kind]


def tip(repair: Repair) -> str:
    """Return what a repair does, and with which settings."""
    most = 8
    lines = [said(repair.text), *repair.settings[:most]]
    if len(repair.settings) > most:
        lines.append(f"… (+{len(repair.settings) - most})")
    return "\n".join([*lines, QCoreApplication.translate("Findings", "It is measured at once and can be undone.")])


def outcome(attempt: Attempt) -> tuple[str, str]:
    """Return what came of an attempt, in words, and the icon for it."""
    translate, after = QCoreApplication.translate, attempt.after
    if attempt.state == "measuring":
        return translate("Findings", "Measuring …"), "clock"
    if attempt.state == "taken back":
        return translate("Findings", "Undone"), "undo"
    if after is None:
        return translate("Findings", "Not measured; run to see what it does"), "info"
    if after.status != "ok":
        return f"{after.status}: {said(after.reason)}", "error"
    verdict = attempt.verdict
    words = {
        "better": translate("Findings", "Better"),
        "worse": translate("Findings", "Worse"),
        "same": translate("Findings", "No difference in accuracy"),
        "unknown": translate("Findings", "No data to compare outputs on"),
    }[verdict]
    return words, _ICONS[verdict]


def figures(before: Trial, after: Trial) -> str:
    """Return accuracy and latency of both, a line each."""
    translate = QCoreApplication.translate
    lines = []
    old, new = _compared(before), _compared(after)
    if old is not None or new is not None:
        pair = _both(decimals(old.cosine_mean if old else None), decimals(new.cosine_mean if new else None))
        lines.append(translate("Findings", "cosine {0}").format(pair))
        if (old and old.top1_agreement is not None) or (new and new.top1_agreement is not None):
            pair = _both(share(old.top1_agreement if old else None), share(new.top1_agreement if new else None))
            lines.append(translate("Findings", "same class {0}").format(pair))
        if old is not None and new is not None and old.failures and not new.failures:
            lines.append(translate("Findings", "no output is broken any more"))
    p50 = [milliseconds(trial.latency.p50_ms if trial.latency else None) for trial in (before, after)]
    lines.append(translate("Findings", "p50 {0} ms").format(_both(*p50)))
    return "\n".join(lines)


def _compared(trial: Trial) -> Accuracy | None:
    return trial.accuracy if trial.accuracy is not None and trial.accuracy.samples else None


def _both(before: str, after: str) -> str:
    return f"{before} → {after}"

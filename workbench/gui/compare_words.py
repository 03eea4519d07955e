"""What the compare panel says: the verdict with its interval, how sure it is, and values of settings."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication

from workbench.core.figures import DASH, factor, milliseconds
from workbench.core.knobs import BY_KEY
from workbench.core.trial import Trial
from workbench.gui.knob_words import shown
from workbench.gui.language import said
from workbench.gui.pins import Pinned
from workbench.gui.trial_words import config_in_words, trial_in_words
from workbench.study.compare import FALSE_ALARM, Comparison, processor_of

translate = QCoreApplication.translate


def pinned_in_words(what: Pinned) -> str:
    """Return ``#7  ipex int8, 2 threads · 2.42 ms``, or the config of what has not been measured."""
    if not isinstance(what, Trial):
        return translate("CompareWords", "not measured yet: {0}").format(config_in_words(what.to_dict()))
    words = trial_in_words(what)
    if what.latency is not None:
        words += f"  ·  {milliseconds(what.latency.p50_ms)} ms"
    return words if what.status == "ok" else f"{words}  ·  {status_in_words(what.status)}"


def status_in_words(status: str) -> str:
    """Return a trial's status."""
    if status == "failed":
        return translate("CompareWords", "failed")
    return translate("CompareWords", "invalid") if status == "invalid" else translate("CompareWords", "ok")


def verdict_in_words(found: Comparison) -> tuple[str, str]:
    """Return the verdict, and the interval that it stands on."""
    low, high = found.ci95
    if found.verdict == "same":
        verdict = translate("CompareWords", "No difference shown")
        text = translate("CompareWords", "A takes {0} as long as B; 95 % interval {1} to {2}")
        detail = text.format(*(_exact(value) for value in (found.ratio, low, high)))
    else:
        wins = found.verdict == "a"
        text = translate("CompareWords", "A is {0} as fast as B") if wins else translate(
            "CompareWords", "B is {0} as fast as A"
        )  # fmt: skip
        values = (1 / found.ratio, 1 / high, 1 / low) if wins else (found.ratio, low, high)
        verdict = text.format(factor(values[0]))
        detail = translate("CompareWords", "95 % interval {0} to {1}").format(*(factor(value) for value in values[1:]))
    if found.processes == 1:
        return verdict, translate("CompareWords", "{0}; 1 process each").format(detail)
    detail = translate("CompareWords", "{0}; {1} processes each").format(detail, found.processes)
    return said(found.itself) or verdict, detail


def cautions(found: Comparison) -> list[str]:
    """Return what the figures cannot tell, or what makes them doubtful; empty where they can be trusted."""
    lines = [said(FALSE_ALARM)] if found.itself and found.verdict != "same" else []
    if found.processes == 1:
        lines.append(
            translate(
                "CompareWords",
                "One process each says little: processes of one config differ by 10–30 %. "
                "Measure side by side to find out.",
            )
        )
    elif found.processes == 2:
        lines.append(translate("CompareWords", "Two processes each show differences from about 16 % up."))
    for name, trial in (("A", found.a), ("B", found.b)):
        if trial.status != "ok":
            text = translate("CompareWords", "{0} is {1}: {2}")
            lines.append(text.format(name, status_in_words(trial.status), said(trial.reason)))
        elif trial.latency is not None and not trial.latency.stable:
            lines.append(f"{name}: {said(trial.latency.noise)}")
    if found.a.model.sha256 != found.b.model.sha256:
        lines.append(translate("CompareWords", "The model has changed between A and B."))
    if processor_of(found.a) != processor_of(found.b):
        lines.append(translate("CompareWords", "A and B were measured on different machines."))
    return lines


def setting_in_words(key: str, value: Any) -> str:
    """Return the value of a knob, a layer's precision, a fixed range or a key of preprocessing."""
    if value is None:
        return DASH
    knob = BY_KEY.get(key)
    if knob is not None:
        return shown(knob, value)
    if key.startswith("fixes."):
        low, high = value
        return f"{DASH if low is None else f'{low:g}'} … {DASH if high is None else f'{high:g}'}"
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _exact(value: float) -> str:
    # Near one two decimals would say "the same" of what is not.
    return f"{value:.3g}×" if value >= 10 else f"{value:.3f}×"

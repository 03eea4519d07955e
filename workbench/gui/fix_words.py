"""Ranges fixed by hand, in the words of the layers' table and editor."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from workbench.core.figures import significant
from workbench.core.fix_states import Standing
from workbench.gui.language import said

translate = QCoreApplication.translate

_MEANINGS = {"none": "muted", "pending": "live", "applied": "ok", "refused": "error"}


def meaning_of(standing: Standing) -> str:
    """Return the colour of the theme for how a fix stands."""
    idle = standing.state == "pending" and standing.acts_on is None
    return "warning" if idle else _MEANINGS.get(standing.state, "warning")


def range_in_words(low: float | None, high: float | None) -> str:
    """Return ``0 … 6``; an end that calibration decides is an asterisk."""
    return " … ".join("∗" if end is None else significant(end, 4) for end in (low, high))


def state_in_words(standing: Standing) -> str:
    """Return a word for a cell, nothing where nothing is fixed."""
    if standing.state == "none":
        return ""
    if standing.state == "pending" and standing.acts_on is not None:
        return translate("FixWords", "to measure")
    known = {"applied": translate("FixWords", "applied"), "refused": translate("FixWords", "refused")}
    return known.get(standing.state, translate("FixWords", "no effect"))


def sentence(standing: Standing, tensor: str, engine: str) -> str:
    """Return what is to be said about the range of *tensor* under *engine*; nothing where all is as it seems."""
    fixed = standing.state != "none"
    span = range_in_words(standing.low, standing.high)
    if standing.state == "refused":
        return translate("FixWords", "Fixed to {0}, refused: {1}.").format(span, said(standing.note))
    if standing.acts_on is None:
        if fixed and standing.state != "pending":
            return translate("FixWords", "Fixed to {0} without effect: {1} has no scale here.").format(span, engine)
        return translate("FixWords", "{0} has no scale here: a range fixed on it changes nothing.").format(engine)
    moved = standing.acts_on != tensor
    if standing.state == "applied":
        if moved:
            return translate("FixWords", "Fixed to {0}, applied at {1}, where this group ends.").format(
                span, standing.acts_on
            )
        return translate("FixWords", "Fixed to {0}, applied and read back.").format(span)
    if moved:
        text = translate("FixWords", "A range fixed here acts at {0}, where the engine has the scale.")
        return text.format(standing.acts_on)
    return translate("FixWords", "Fixed to {0}, not measured yet.").format(span) if fixed else ""

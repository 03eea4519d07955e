"""Which panels there are, where they belong at first, and who makes them; read by the main window alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from workbench.gui.session import Session

Place = Literal["left", "right", "bottom", "centre"]
Make = Callable[[Session], QWidget]


@dataclass(frozen=True)
class Panel:
    """One panel.

    Attributes:
        key: names it in saved layouts and in files of the tour.
        title: for people.
        place: where it is until somebody moves it; panels of the centre are tabs there.
    """

    key: str
    title: str
    place: Place
    make: Make


def panels() -> tuple[Panel, ...]:
    """Return all panels in the order in which they are arranged."""
    from workbench.gui.accuracy_panel import AccuracyPanel
    from workbench.gui.core_map import CoreMap
    from workbench.gui.knobs_panel import KnobsPanel
    from workbench.gui.latency_panel import LatencyPanel
    from workbench.gui.log_panel import LogPanel
    from workbench.gui.model_panel import ModelPanel
    from workbench.gui.trials_panel import TrialsPanel

    translate = QCoreApplication.translate
    return (
        Panel("model", translate("Panels", "Model"), "left", ModelPanel),
        Panel("knobs", translate("Panels", "Knobs"), "left", KnobsPanel),
        Panel("cores", translate("Panels", "Cores"), "left", CoreMap),
        Panel("latency", translate("Panels", "Latency"), "centre", LatencyPanel),
        Panel("accuracy", translate("Panels", "Accuracy"), "right", AccuracyPanel),
        Panel("trials", translate("Panels", "Trials"), "bottom", TrialsPanel),
        Panel("log", translate("Panels", "Log"), "bottom", LogPanel),
    )

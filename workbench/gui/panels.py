"""Which panels there are, where they belong at first, and who makes them; read by the main window alone."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from PySide6.QtCore import QCoreApplication, QSettings
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
        module: of this package, which *make* imports; a thread does so before, for it takes longer than making.
    """

    key: str
    title: str
    place: Place
    make: Make
    module: str = ""


@runtime_checkable
class Remembering(Protocol):
    """A panel with looks that a user can choose; they are kept from one start to the next."""

    def remember(self, settings: QSettings) -> None:
        """Write down what was chosen; called when the window closes."""

    def recall(self, settings: QSettings) -> None:
        """Choose the same again; called once, when the panel is made."""


def panels() -> tuple[Panel, ...]:
    """Return all panels in the order in which they are arranged."""
    translate = QCoreApplication.translate
    return (
        _panel("model", translate("Panels", "Model"), "left", "model_panel", "ModelPanel"),
        _panel("knobs", translate("Panels", "Knobs"), "left", "knobs_panel", "KnobsPanel"),
        _panel("cores", translate("Panels", "Cores"), "left", "core_map", "CoreMap"),
        _panel("latency", translate("Panels", "Latency"), "centre", "latency_panel", "LatencyPanel"),
        _panel("layers", translate("Panels", "Layers"), "centre", "layers_panel", "LayersPanel"),
        _panel("network", translate("Panels", "Network"), "centre", "network_panel", "NetworkPanel"),
        _panel("compare", translate("Panels", "Compare"), "centre", "compare_panel", "ComparePanel"),
        _panel("ladder", translate("Panels", "Ladder"), "centre", "ladder_panel", "LadderPanel"),
        _panel("sweep", translate("Panels", "Sweep"), "centre", "sweep_panel", "SweepPanel"),
        _panel("accuracy", translate("Panels", "Accuracy"), "right", "accuracy_panel", "AccuracyPanel"),
        _panel("findings", translate("Panels", "Findings"), "right", "findings_panel", "FindingsPanel"),
        _panel("trials", translate("Panels", "Trials"), "bottom", "trials_panel", "TrialsPanel"),
        _panel("log", translate("Panels", "Log"), "bottom", "log_panel", "LogPanel"),
    )


def _panel(key: str, title: str, place: Place, module: str, name: str) -> Panel:
    """Describe a panel that is imported when it is made: pyqtgraph alone takes half a second."""

    def make(session: Session) -> QWidget:
        panel: QWidget = getattr(importlib.import_module(f"workbench.gui.{module}"), name)(session)
        return panel

    return Panel(key, title, place, make, module)

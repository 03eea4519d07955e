"""Which panels there are, where they belong at first, and who makes them; read by the main window alone."""

from __future__ import annotations

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
        Panel("model", translate("Panels", "Model"), "left", _model, "model_panel"),
        Panel("knobs", translate("Panels", "Knobs"), "left", _knobs, "knobs_panel"),
        Panel("cores", translate("Panels", "Cores"), "left", _cores, "core_map"),
        Panel("latency", translate("Panels", "Latency"), "centre", _latency, "latency_panel"),
        Panel("layers", translate("Panels", "Layers"), "centre", _layers, "layers_panel"),
        Panel("network", translate("Panels", "Network"), "centre", _network, "network_panel"),
        Panel("compare", translate("Panels", "Compare"), "centre", _compare, "compare_panel"),
        Panel("ladder", translate("Panels", "Ladder"), "centre", _ladder, "ladder_panel"),
        Panel("sweep", translate("Panels", "Sweep"), "centre", _sweep, "sweep_panel"),
        Panel("accuracy", translate("Panels", "Accuracy"), "right", _accuracy, "accuracy_panel"),
        Panel("findings", translate("Panels", "Findings"), "right", _findings, "findings_panel"),
        Panel("trials", translate("Panels", "Trials"), "bottom", _trials, "trials_panel"),
        Panel("log", translate("Panels", "Log"), "bottom", _log, "log_panel"),
    )


# Each imports its panel when that is made, after the window is on the screen: pyqtgraph alone takes half a second.


def _model(session: Session) -> QWidget:
    from workbench.gui.model_panel import ModelPanel

    return ModelPanel(session)


def _knobs(session: Session) -> QWidget:
    from workbench.gui.knobs_panel import KnobsPanel

    return KnobsPanel(session)


def _cores(session: Session) -> QWidget:
    from workbench.gui.core_map import CoreMap

    return CoreMap(session)


def _latency(session: Session) -> QWidget:
    from workbench.gui.latency_panel import LatencyPanel

    return LatencyPanel(session)


def _layers(session: Session) -> QWidget:
    from workbench.gui.layers_panel import LayersPanel

    return LayersPanel(session)


def _compare(session: Session) -> QWidget:
    from workbench.gui.compare_panel import ComparePanel

    return ComparePanel(session)


def _ladder(session: Session) -> QWidget:
    from workbench.gui.ladder_panel import LadderPanel

    return LadderPanel(session)


def _sweep(session: Session) -> QWidget:
    from workbench.gui.sweep_panel import SweepPanel

    return SweepPanel(session)


def _accuracy(session: Session) -> QWidget:
    from workbench.gui.accuracy_panel import AccuracyPanel

    return AccuracyPanel(session)


def _network(session: Session) -> QWidget:
    from workbench.gui.network_panel import NetworkPanel

    return NetworkPanel(session)


def _findings(session: Session) -> QWidget:
    from workbench.gui.findings_panel import FindingsPanel

    return FindingsPanel(session)


def _trials(session: Session) -> QWidget:
    from workbench.gui.trials_panel import TrialsPanel

    return TrialsPanel(session)


def _log(session: Session) -> QWidget:
    from workbench.gui.log_panel import LogPanel

    return LogPanel(session)

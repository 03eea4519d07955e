"""The network at one glance, and what to leave in FP32: a map of all layers above a plot of time against error."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from workbench.core.findings import Finding, Severity
from workbench.gui import theme
from workbench.gui.empty import EmptyState, empty_or
from workbench.gui.error_scatter import ErrorScatter
from workbench.gui.network_map import MapLegend, NetworkMap
from workbench.gui.segmented import Segmented
from workbench.gui.session import Session
from workbench.gui.when_seen import FollowsWhenSeen

_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


class NetworkPanel(FollowsWhenSeen):
    """Follows the layers of the selected trial and the layer that is selected."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.map = NetworkMap()
        self.legend = MapLegend()
        self.scatter = ErrorScatter()
        self.by = Segmented(
            [
                ("error", self.tr("Error")),
                ("time", self.tr("Time")),
                ("scale", self.tr("Scale")),
                ("type", self.tr("Type")),
            ]
        )
        self.by.set_value("error")
        self.by.block_choices(
            {},
            {
                "error": self.tr("What each layer alone in INT8 costs, SQNR in dB"),
                "time": self.tr("Share of the time of one run"),
                "scale": self.tr("Scale of what leaves the layer"),
                "type": self.tr("Number format that the layer ran in"),
            },
        )
        self.empty = EmptyState("layers")
        self.no_errors = EmptyState("accuracy")
        self._plot = QStackedWidget()
        self._area = QScrollArea()
        self._pages = empty_or(self, self.empty, self._arranged())
        self.by.chosen.connect(self.map.show_by)
        self.map.legend_changed.connect(self.legend.show_legend)
        for view in (self.map, self.scatter):
            view.chosen.connect(session.layers.select)
            view.menu_wanted.connect(lambda name, place: self.menu_of(name).popup(place))
        session.layers.changed.connect(self.follow_when_seen)
        session.layers.selected.connect(self._follow_layer)
        session.config_changed.connect(self._follow_config)
        self.follow()

    def _arranged(self) -> QWidget:
        bar = QHBoxLayout()
        bar.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, 0)
        bar.setSpacing(theme.SPACE)
        bar.addWidget(QLabel(self.tr("Colour by")))
        self.by.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        bar.addWidget(self.by)
        bar.addStretch(1)
        self._area.setWidget(self.map)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setMinimumHeight(60)
        self._area.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        self._area.viewport().installEventFilter(self)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addSpacing(theme.SPACE // 2)
        column.addWidget(self._area, 1)
        column.addWidget(self.legend)
        self._plot.addWidget(self.no_errors)
        self._plot.addWidget(self.scatter)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(upper)
        splitter.addWidget(self._plot)
        splitter.setSizes([220, 220])
        return splitter

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Let the map know how high it may be."""
        if event.type() == QEvent.Type.Resize and watched is self._area.viewport():
            self.map.set_room(self._area.viewport().height())
        return super().eventFilter(watched, event)

    # -- following ----------------------------------------------------------------------------------

    def follow(self) -> None:
        """Show the layers that were read last."""
        layers = self._session.layers
        table, trial = layers.table, layers.trial
        if table is None or trial is None or not table.layers:
            self.empty.say(self.tr("No layers to show yet."), self.tr("They come with the first run that ends well."))
            self._pages.setCurrentIndex(0)
            return
        self.map.show_layers(trial.layers, table.layers, _worst(table.findings))
        self.scatter.show_rows(table.layers)
        if trial.config.get("precision") == "int8":
            self.no_errors.say(self.tr("The error of each layer was not looked into."))
            self.no_errors.offer(self.tr("Look inside"), self._session.look_into_layers)
        else:
            precision = str(trial.config.get("precision", "")).upper()
            self.no_errors.say(self.tr("{0} has no scales, and so no error of a layer.").format(precision))
            self.no_errors.offer()
        self._plot.setCurrentIndex(1 if self.scatter.names else 0)
        self._pages.setCurrentIndex(1)
        self._follow_config()
        self._follow_layer()

    def _follow_layer(self) -> None:
        name = self._session.layers.selected_layer
        self.map.show_selected(name)
        self.scatter.show_selected(self._head(name) if name is not None else None)
        if name is not None and (box := self.map.cells().get(name)) is not None:
            self._area.ensureVisible(int(box.x + box.width / 2), int(box.y + box.height / 2), 40, 40)

    def _follow_config(self) -> None:
        pinned = self._session.config.layers
        table = self._session.layers.table
        names = frozenset(
            row.name
            for row in (table.layers if table else ())
            if row.name in pinned or row.name.partition("#")[0] in pinned
        )
        self.map.show_pinned(names)
        self.scatter.show_pinned(names)

    def _head(self, name: str) -> str:
        """Return the layer whose kernel does the work of *name*."""
        table = self._session.layers.table
        row = next((row for row in table.layers if row.name == name), None) if table else None
        return row.fused_into or name if row is not None else name

    # -- doing --------------------------------------------------------------------------------------

    def menu_of(self, name: str) -> QMenu:
        """Return what can be done about a layer."""
        layer = self._head(name)
        self._session.layers.select(name)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        pinned = self._session.config.layers.get(layer)
        keep = menu.addAction(theme.icon("lock"), self.tr("Keep {0} in FP32").format(layer))
        keep.triggered.connect(lambda: self._session.quantizer.pin(layer, "fp32"))
        free = menu.addAction(self.tr("Leave its precision to the engine"))
        free.triggered.connect(lambda: self._session.quantizer.pin(layer, None))
        int8 = self._session.config.precision == "int8"
        keep.setEnabled(int8 and pinned != "fp32")
        if not int8:
            keep.setToolTip(self.tr("The current config is not in INT8."))
        free.setEnabled(pinned is not None)
        return menu


def _worst(findings: list[Finding]) -> Mapping[str, Severity]:
    """Return the worst severity of each layer that has a finding."""
    worst: dict[str, Severity] = {}
    for finding in findings:
        known = worst.get(finding.layer)
        if finding.layer and (known is None or _SEVERITIES.index(finding.severity) < _SEVERITIES.index(known)):
            worst[finding.layer] = finding.severity
    return worst

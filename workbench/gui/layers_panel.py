"""The layers panel: the table of layers, and below it the range of the selected one, to be fixed by hand.

Follows ``session.layers``; selecting a row selects the layer for every panel. What is fixed here goes through
``session.quantizer``, and is measured at once in a warm worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QByteArray, QItemSelectionModel, QSettings, QSignalBlocker, Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSplitter, QToolButton, QVBoxLayout, QWidget

from workbench.core.figures import decimals, milliseconds
from workbench.core.fix_states import Standing, Standings
from workbench.core.layer_table import LayerRow
from workbench.core.trial import Trial
from workbench.gui import theme
from workbench.gui.empty import EmptyState, empty_or
from workbench.gui.job import Job
from workbench.gui.labels import MutedLabel, Remark
from workbench.gui.language import said
from workbench.gui.layers_model import LayersModel
from workbench.gui.layers_table import LayersTable
from workbench.gui.range_editor import RangeEditor
from workbench.gui.session import Session
from workbench.gui.trial_words import config_in_words, trial_in_words
from workbench.gui.when_seen import FollowsWhenSeen

_SCAN_S = 60
"""A scan of the sensitivity stops after so long; the next one goes on there."""


class LayersPanel(FollowsWhenSeen):
    """Shows the layers of the selected trial."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._fixed = self._fixes()
        self._before: Trial | None = None  # what the next result is held against
        self._taken: list[np.ndarray] = []  # its latencies so far, ns
        self.rows = LayersModel(self)
        self.table = LayersTable(self.rows)
        self.editor = RangeEditor(session)
        self.search = QLineEdit(clearButtonEnabled=True)
        self.search.setPlaceholderText(self.tr("Search: conv  int8  clip"))
        self.search.addAction(theme.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setMaximumWidth(260)
        self._count = MutedLabel()
        self.unfold = self._button(
            self.tr("fused"), "", self.tr("Also show layers that ran in the kernel of another one")
        )
        self.unfold.setAutoRaise(False)
        self.unfold.setCheckable(True)
        self.look = self._button(
            self.tr("Look inside"), "search",
            self.tr("Measure once, and find what INT8 costs each layer in accuracy"),
        )  # fmt: skip
        self.scan = self._button(
            self.tr("Sensitivity"), "filter",
            self.tr("Also try all layers but one in INT8, for {0} s at most; goes on where it stopped").format(_SCAN_S),
        )  # fmt: skip
        self.reset_all = self._button(
            self.tr("Reset all"), "reload", self.tr("Leave all ranges to calibration and all layers to the engine")
        )
        self.hint = Remark("muted")
        self.result = Remark("ok")
        self.empty = EmptyState("layers")
        self._arrange()
        self._connect()
        self.follow()

    def _button(self, text: str, icon: str, tip: str) -> QToolButton:
        button = QToolButton(autoRaise=True)
        button.setText(text)
        if icon:
            button.setIcon(theme.icon(icon))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setToolTip(tip)
        return button

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, 0)
        head.setSpacing(theme.SPACE // 2)
        head.addWidget(self.search, 1)
        head.addWidget(self.unfold)
        self._count.setWordWrap(False)
        head.addWidget(self._count)
        head.addStretch(1)
        for button in (self.look, self.scan, self.reset_all):
            head.addWidget(button)
        told = QVBoxLayout()
        told.setContentsMargins(theme.SPACE, 0, theme.SPACE, 0)
        for remark in (self.hint, self.result):
            told.addWidget(remark)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.addWidget(self.table)
        self._split.addWidget(self.editor)
        self._split.setStretchFactor(0, 2)
        self._split.setStretchFactor(1, 3)
        self._split.setChildrenCollapsible(False)
        self._split.setSizes([150, 250])
        page = QWidget()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(theme.SPACE // 2)
        rows.addLayout(head)
        rows.addLayout(told)
        rows.addWidget(self._split, 1)
        self._pages = empty_or(self, self.empty, page)

    def _connect(self) -> None:
        session = self._session
        session.layers.changed.connect(self.follow_when_seen)
        session.layers.selected.connect(self._follow_layer)
        session.subject_changed.connect(self.follow_when_seen)
        session.config_changed.connect(self._follow_config)
        session.job_started.connect(self._job_started)
        session.job_ended.connect(self._job_ended)
        self.search.textChanged.connect(self._searched)
        self.unfold.toggled.connect(self._unfolded)
        self.look.clicked.connect(lambda _: session.look_into_layers())
        self.scan.clicked.connect(lambda: session.look_into_layers(sensitivity_s=_SCAN_S))
        self.reset_all.clicked.connect(self._reset_all)
        self.table.selectionModel().currentRowChanged.connect(self._selected)
        self.table.pinned.connect(self._pin)
        self.editor.applied.connect(self._changed)

    # -- following ----------------------------------------------------------------------------------

    def follow(self) -> None:
        """Show the layers that are read."""
        table = self._session.layers.table
        if table is None:
            self.empty.say(*self._nothing_in_words())
            self._offer()
            self._pages.setCurrentIndex(0)
        else:
            self._pages.setCurrentIndex(1)
            with QSignalBlocker(self.table.selectionModel()):
                self.rows.show_rows(table.layers)
        self._follow_config()
        self._follow_layer()
        self._say_count()
        self._follow_job()

    def _nothing_in_words(self) -> tuple[str, str]:
        session = self._session
        if session.subject is None:
            return self.tr("No model yet."), self.tr("Open one, or drop a file on the window.")
        if session.selected is not None:
            return self.tr("This trial shows no layers."), said(session.selected.reason)
        return self.tr("No layers yet."), self.tr("A run shows what each layer took; INT8 also shows scales.")

    def _offer(self) -> None:
        session = self._session
        if session.subject is None:
            self.empty.offer()
        elif session.config.precision == "int8":
            self.empty.offer(self.tr("Look into the layers"), session.look_into_layers)
        else:
            self.empty.offer(self.tr("Set precision INT8"), lambda: session.set_knobs({"precision": "int8"}))

    def _follow_config(self) -> None:
        session, reading = self._session, self._session.layers
        if reading.table is None or reading.trial is None:
            self._offer()
        else:
            standings = Standings(reading.trial, session.config)
            self.rows.show_standings(_by_layer(reading.table.layers, standings), session.config.layers)
            self.table.set_void(self.rows.void())
            self._say_hint(reading.trial)
        self.reset_all.setEnabled(bool(session.config.fixes or session.config.layers))
        fixed = self._fixes()
        if fixed != self._fixed:
            self._fixed = fixed
            if self.editor.live.isChecked():
                self._measure()

    def _say_hint(self, trial: Trial) -> None:
        """Say so where what is shown is not what is changed."""
        config = self._session.config
        keys = ("engine", "precision")
        if all(trial.config.get(key) == config[key] for key in keys):
            self.hint.say("")
        else:
            shown, turned = trial_in_words(trial), config_in_words(config.to_dict())
            text = self.tr("These are the layers of {0}; what you change goes to the config: {1}.")
            self.hint.say(text.format(shown, turned), "info", "muted")

    def _follow_layer(self) -> None:
        index = self.rows.index_of(self._session.layers.selected_layer)
        selection = self.table.selectionModel()
        if index.isValid() and selection.currentIndex().row() != index.row():
            with QSignalBlocker(selection):
                flags = QItemSelectionModel.SelectionFlag
                selection.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.table.scrollTo(index)
            self.table.viewport().update()

    def _follow_job(self, *_: object) -> None:
        ready = self._session.subject is not None and self._session.job is None
        int8 = self._session.config.precision == "int8"
        for button in (self.look, self.scan):
            button.setEnabled(ready and int8)

    def _job_started(self, job: Job) -> None:
        self._follow_job()
        if not job.passing:
            self._before = None
        if self._before is not None:
            self.result.say(self.tr("Measuring …"), "info", "muted")
            self._taken.clear()
            job.burst.connect(self._burst)

    def _burst(self, samples: np.ndarray) -> None:
        """Tell the latency so far; accuracy takes longer. The window is painted before the next burst."""
        self._taken.append(samples)
        before = self._before
        if before is not None and before.latency is not None:
            p50 = float(np.median(np.concatenate(self._taken))) * 1e-6
            pair = (milliseconds(before.latency.p50_ms), milliseconds(p50))
            self.result.say(self.tr("Measuring …  p50 {0} → {1} ms so far").format(*pair), "info", "muted")

    def _job_ended(self, trial: Trial | None) -> None:
        self._follow_job()
        if self._before is not None and trial is not None:
            self._say_result(self._before, trial)
            self._before = None
        elif self._before is not None:  # refused, or the next one takes its place
            self.result.say("")

    def _say_result(self, before: Trial, after: Trial) -> None:
        """Say what a change that was measured has brought."""
        if after.status != "ok":
            self.result.say(f"{trial_in_words(after)}: {said(after.reason)}", "error", "error")
            return
        parts = [f"#{before.id} → #{after.id}"]
        if before.accuracy and after.accuracy and after.accuracy.samples:
            pair = (decimals(before.accuracy.cosine_mean), decimals(after.accuracy.cosine_mean))
            parts.append(self.tr("cosine {0} → {1}").format(*pair))
        if before.latency and after.latency:
            pair = (milliseconds(before.latency.p50_ms), milliseconds(after.latency.p50_ms))
            parts.append(self.tr("p50 {0} → {1} ms").format(*pair))
        self.result.say(",  ".join(parts), "ok", "ok")

    # -- what the user does -------------------------------------------------------------------------

    def _fixes(self) -> tuple[Mapping[str, Any], Mapping[str, str]]:
        return self._session.config.fixes, self._session.config.layers

    def _measure(self) -> None:
        """Measure the config as it is now, unless that happens anyway."""
        session = self._session
        if not session.live:
            self._before = session.selected
            session.measure_again()

    def _changed(self) -> None:
        if not self.editor.live.isChecked():  # else it is measured already
            self._measure()

    def _reset_all(self) -> None:
        if self._session.quantizer.release_all():
            self._changed()

    def _pin(self, names: Sequence[str], precision: str | None) -> None:
        if self._session.quantizer.pin_all(names, precision):
            self._changed()

    def _selected(self) -> None:
        index = self.table.currentIndex()
        if index.isValid():
            self._session.layers.select(self.rows.row(index).name)

    def _searched(self, text: str) -> None:
        self.rows.set_search(text)
        self._say_count()

    def _unfolded(self, on: bool) -> None:
        self.rows.set_folded(not on)
        self._say_count()
        self._follow_layer()

    def _say_count(self) -> None:
        shown, known = self.rows.rowCount(), self.rows.total()
        self._count.setText(str(known) if shown == known else self.tr("{0} of {1}").format(shown, known))

    # -- remembering --------------------------------------------------------------------------------

    def remember(self, settings: QSettings) -> None:
        """Write down how the panel is arranged."""
        self.table.remember(settings)
        settings.setValue("layers/split", self._split.saveState())
        settings.setValue("layers/fused", self.unfold.isChecked())

    def recall(self, settings: QSettings) -> None:
        """Arrange the panel as it was."""
        self.table.recall(settings)
        split = settings.value("layers/split")
        if isinstance(split, QByteArray):
            self._split.restoreState(split)
        self.unfold.setChecked(bool(settings.value("layers/fused", False, bool)))


def _by_layer(rows: Iterable[LayerRow], standings: Standings) -> dict[str, Standing]:
    """Return the fixes by the layer that they are shown at: whose output or whose input of the model it is."""
    found: dict[str, Standing] = {}
    for row in rows if standings.any() else ():
        if row.fused_into is None:
            plain = [one.name for one in row.tensors if not one.name.endswith(":weight")]
            for name in [*plain[-1:], *(one for one in plain if one.startswith("input:"))]:
                standing = standings.of(name)
                if standing.state != "none":
                    found.setdefault(row.name, standing)
    return found

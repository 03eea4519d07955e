"""The range of one tensor, to look at and to fix by hand: histogram, error curve, fields, and what would change.

Everything shown follows the session: a draft (:class:`Draft`) is what the user has moved and not applied yet. Part of
the layers panel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.config import Config
from workbench.core.dataflow import Dataflow
from workbench.core.figures import DASH, decimals, share, significant
from workbench.core.fix_states import Standing, Standings
from workbench.core.layer_table import LayerRow, TensorRow
from workbench.core.range_study import Expectation, RangeStudy, suggestions
from workbench.core.ranges import NoRange, Ranges, scheme_of
from workbench.core.scales import OPEN
from workbench.core.trial import WeightFacts
from workbench.gui import fix_words, tasks, theme
from workbench.gui.empty import EmptyState
from workbench.gui.end_field import EndField
from workbench.gui.error_plot import ErrorPlot
from workbench.gui.figure_strip import FigureStrip
from workbench.gui.labels import Remark
from workbench.gui.range_draft import Draft
from workbench.gui.range_plot import RangePlot
from workbench.gui.session import Session
from workbench.gui.suggest_button import SuggestButton
from workbench.gui.tensor_choice import TensorChoice, is_weight
from workbench.gui.weight_plot import WeightPlot
from workbench.gui.when_seen import FollowsWhenSeen

_EMPTY, _RANGE, _WEIGHTS = range(3)
_SAME_DB = 0.1
Ends = tuple[float, float]


class RangeEditor(FollowsWhenSeen):
    """Follows the selected layer. ``applied`` tells that the user wants the config measured."""

    applied = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._layer: LayerRow | None = None
        self._tensor: TensorRow | None = None
        self._standings: Standings | None = None
        self._study: RangeStudy | None = None
        self._known: tuple[object, ...] = ()  # what the study was made of
        self._found: dict[str, Ends] = {}  # suggestions, and what calibration says
        self._task: tasks.Task[Any] | None = None
        self.draft: Draft | None = None
        self.choice = TensorChoice()
        self.remark = Remark("muted")
        self.plot = RangePlot()
        self.curve = ErrorPlot()
        self.weights = WeightPlot()
        self.empty = EmptyState("layers")
        self.low = EndField(self.tr("min"), self.tr("Fix the lower end; unticked, calibration decides"))
        self.high = EndField(self.tr("max"), self.tr("Fix the upper end; unticked, calibration decides"))
        self.figures = FigureStrip(
            {
                "sqnr": self.tr("expected SQNR"), "scale": self.tr("scale"), "zero": self.tr("zero point"),
                "clipped": self.tr("clipped"),
            },
            {"sqnr": "00.0 → 00.0 dB", "scale": "0.00000 → 0.00000", "zero": "100 → 100", "clipped": "100.00 %"},
        )  # fmt: skip
        self._log = QToolButton()
        self.live = QToolButton()
        self._make_buttons()
        self._arrange()
        self._connect()
        self.follow()

    # -- arrangement --------------------------------------------------------------------------------

    def _make_buttons(self) -> None:
        self.apply = QPushButton(self.tr("Apply"))
        self.apply.setToolTip(self.tr("Fix the range and measure (Return)"))
        self.suggest = SuggestButton(self.curve.names())
        self.reset = QPushButton(self.tr("Reset"))
        self.reset.setToolTip(self.tr("Leave this range to calibration again"))
        self.keep = QToolButton()
        self.keep.setText(self.tr("Keep FP32"))
        self.keep.setIcon(theme.icon("lock"))
        self.keep.setToolTip(self.tr("Run this layer in FP32"))
        self.live.setText(self.tr("Live"))
        self.live.setIcon(theme.icon("live"))
        self.live.setToolTip(self.tr("Apply whenever a handle is let go, and measure at once"))
        self._log.setText(self.tr("log"))
        self._log.setToolTip(self.tr("Logarithmic counts: rare values show."))
        for button in (self.keep, self.live, self._log):
            button.setCheckable(True)
        for button in (self.keep, self.live):
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._log.setChecked(True)
        self.plot.set_log(True)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(theme.SPACE // 2)
        head.addWidget(self.choice, 1)
        head.addWidget(self._log)
        head.addWidget(self.keep)
        self._plots = QSplitter(Qt.Orientation.Horizontal)
        self._plots.addWidget(self.plot)
        self._plots.addWidget(self.curve)
        self._plots.setChildrenCollapsible(False)
        self.pages = QStackedWidget()
        for page in (self.empty, self._plots, self.weights):
            self.pages.addWidget(page)
        fields = QHBoxLayout()
        fields.setSpacing(theme.SPACE)
        for widget in (self.low, self.high):
            fields.addWidget(widget)
        fields.addStretch(1)
        for button in (self.apply, self.suggest, self.reset, self.live):
            fields.addWidget(button)
        self.controls = QWidget()
        rows = QVBoxLayout(self.controls)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(theme.SPACE // 2)
        rows.addLayout(fields)
        rows.addWidget(self.figures)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, theme.SPACE // 2)
        column.setSpacing(theme.SPACE // 2)
        column.addLayout(head)
        column.addWidget(self.remark)
        column.addWidget(self.pages, 1)
        column.addWidget(self.controls)

    def _connect(self) -> None:
        session = self._session
        reading = session.layers
        for signal in (reading.changed, reading.selected, session.config_changed, session.subject_changed):
            signal.connect(self.follow_when_seen)
        self.choice.chosen.connect(self._choose)
        self.plot.dragged.connect(self._dragged)
        self.plot.released.connect(self._released)
        self.curve.taken.connect(self.take)
        self.low.edited.connect(lambda value: self._typed(value, None))
        self.high.edited.connect(lambda value: self._typed(None, value))
        self.low.held.connect(lambda on: self._hold(Draft.hold_low, on))
        self.high.held.connect(lambda on: self._hold(Draft.hold_high, on))
        self.apply.clicked.connect(self.apply_now)
        self.suggest.taken.connect(self.take)
        self.reset.clicked.connect(self.release)
        self.keep.clicked.connect(self._pin)
        self._log.toggled.connect(self.plot.set_log)
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(self.apply_now)

    # -- following the session ----------------------------------------------------------------------

    def follow(self) -> None:
        """Show the selected layer of the trial that is read."""
        self._stale = any(handle.moving for handle in self.plot.handles)
        if self._stale:
            return  # what is in the hand stays there; letting go follows
        reading = self._session.layers
        rows = reading.table.layers if reading.table is not None else []
        self._layer = next((row for row in rows if row.name == reading.selected_layer), None)
        trial = reading.trial
        self._standings = Standings(trial, self._session.config) if trial is not None else None
        self.choice.show_layer(self._layer)
        self._choose()

    def _choose(self) -> None:
        self._tensor = self.choice.current()
        self._show_pin()
        trial, tensor = self._session.layers.trial, self._tensor
        if trial is None or tensor is None:
            self._show_nothing(self.tr("Select a layer."))
        elif not trial.tensors:
            self._offer_int8()
        elif is_weight(tensor):
            facts = next(one for one in trial.weights if f"{one.layer}:weight" == tensor.name)
            per_channel = trial.config.get("quantization", {}).get("per_channel", True)
            self._show_weights(facts, per_channel=per_channel)
        else:
            self._show_tensor(tensor)

    # -- pages --------------------------------------------------------------------------------------

    def _show_nothing(self, what: str, next_step: str = "") -> None:
        self._study = self.draft = None
        self._known = ()
        self.empty.say(what, next_step)
        self.empty.offer()
        self.pages.setCurrentIndex(_EMPTY)
        self.remark.say("")
        self.controls.hide()

    def _offer_int8(self) -> None:
        session = self._session
        if session.config.precision == "int8":
            self._show_nothing(self.tr("This trial has no scales."), self.tr("INT8 shows them, and what they cost."))
            self.empty.offer(self.tr("Look into the layers"), session.look_into_layers)
        else:
            self._show_nothing(self.tr("INT8 shows scales."), self.tr("This trial has none to look at or to fix."))
            self.empty.offer(self.tr("Set precision INT8"), lambda: session.set_knobs({"precision": "int8"}))

    def _show_weights(self, facts: WeightFacts, *, per_channel: bool) -> None:
        self._show_nothing("")
        self.weights.show_weights(facts)
        self.pages.setCurrentIndex(_WEIGHTS)
        own = self.tr("{0} output channels, each with a scale of its own.")
        words = [(own if per_channel else self.tr("{0} output channels under one scale.")).format(len(facts.low))]
        if facts.dead:
            words.append(self.tr("{0} never vary.").format(len(facts.dead)))
        if facts.overflow:
            words.append(self.tr("{0} can overflow int16 without VNNI.").format(facts.overflow))
        bad = bool(facts.dead or facts.overflow)
        self.remark.say(" ".join(words), "warning" if bad else "info", "warning" if bad else "muted")

    def _show_tensor(self, tensor: TensorRow) -> None:
        reading = self._session.layers
        assert reading.trial is not None and self._standings is not None
        seen = reading.distributions.get(tensor.name)
        standing = self._standings.of(tensor.name)
        scheme = scheme_of(reading.trial.tensors)
        known = (tensor.name, scheme, tensor.clamp, id(seen), self._observer())
        fresh = known != self._known
        self._known = known
        if fresh:
            self._found = {}
            self._study = RangeStudy(seen, scheme, tensor.clamp or OPEN) if seen is not None and seen.seen else None
        calibrated = self._found.get("calibrated") or self._provisional(tensor)
        if calibrated is None:
            self.draft = None
        elif self.draft is None or fresh or not self.draft.stands(standing):
            self.draft = Draft.of(standing, calibrated)
        else:  # what was moved and not applied yet is not lost
            self.draft.standing = standing
            self.draft.recalibrate(calibrated)
        if self._study is None:
            self.empty.say(*self._unseen(tensor))
            self.empty.offer(self.tr("Look into the layers"), self._session.look_into_layers)
        elif fresh:
            self.plot.show_tensor(self._study.seen, self._study.bounds)
            self.curve.show_study(self._study)
            self._search()
        self.pages.setCurrentIndex(_EMPTY if self._study is None else _RANGE)
        if self.draft is not None:
            self.plot.reach(self.draft.low, self.draft.high)
        self.controls.setVisible(self.draft is not None)
        self._say(standing, tensor)
        self._show_marks()
        self._show_draft()

    def _unseen(self, tensor: TensorRow) -> tuple[str, str]:
        reading = self._session.layers
        if not reading.distributions:
            return self.tr("What calibration saw is not kept."), self.tr("A look into the layers, with data, keeps it.")
        seen = reading.distributions.get(tensor.name)
        if seen is None:
            return self.tr("No values of {0} were kept.").format(tensor.name), ""
        what = self.tr("No value of {0} was finite.") if seen.count else self.tr("Calibration never reached {0}.")
        return what.format(tensor.name), self.tr("Fix its range by hand.")

    def _observer(self) -> tuple[object, ...]:
        """Return what decides the range that calibration takes."""
        return tuple(self._calibrating().resolved().get(key) for key in _CALIBRATION)

    def _calibrating(self) -> Config:
        """Return the config that decides what the ends become that are not fixed."""
        config, trial = self._session.config, self._session.layers.trial
        if config.precision == "int8" or trial is None:
            return config.without_fixes()
        return Config.from_dict({**trial.config, "fixes": {}, "layers": {}})

    def _provisional(self, tensor: TensorRow) -> Ends | None:
        """Return about where calibration puts the range, until that is computed."""
        if tensor.low is not None and tensor.high is not None:
            return tensor.low, tensor.high
        return (self._study.low, self._study.high) if self._study is not None else None

    def _search(self) -> None:
        """Compute suggestions in the background: they take longer than a frame."""
        study, tensor, standings = self._study, self._tensor, self._standings
        if study is None or tensor is None or standings is None:
            return
        if self._task is not None:
            self._task.cancel()
        name, flow, config = tensor.name, standings.flow, self._calibrating()
        self._task = tasks.run(lambda: _found(study, name, flow, config), self._suggested, self._session.tell, self)

    def _suggested(self, found: dict[str, Ends]) -> None:
        self._task = None
        self._found = found
        if self.draft is not None and (calibrated := found.get("calibrated")):
            self.draft.recalibrate(calibrated)
        self._show_marks()
        self._show_draft()

    # -- showing ------------------------------------------------------------------------------------

    def _say(self, standing: Standing, tensor: TensorRow) -> None:
        trial = self._session.layers.trial
        engine = str(trial.config.get("engine", "")) if trial is not None else ""
        text = fix_words.sentence(standing, tensor.name, engine)
        meaning = fix_words.meaning_of(standing)
        if standing.state == "none":
            meaning = "warning" if standing.acts_on is None else "muted"
        self.remark.say(text, {"live": "info", "muted": "info"}.get(meaning, meaning), meaning)

    def _show_pin(self) -> None:
        layer = self._layer
        self.keep.setEnabled(layer is not None)
        layers = self._session.config.layers
        name = (layer.fused_into or layer.name) if layer is not None else ""
        self.keep.setChecked(layers.get(name, layers.get(name.partition("#")[0])) == "fp32")

    def _ranges(self) -> dict[str, Ends]:
        """Return the ranges that can be taken, by name."""
        found, tensor, study = dict(self._found), self._tensor, self._study
        if tensor is not None and tensor.low is not None and tensor.high is not None:
            found["now"] = (tensor.low, tensor.high)
        if study is not None and tensor is not None and tensor.clamp:
            found["clamp"] = (study.low, study.high)
        return {key: ends for key, ends in found.items() if ends[0] < ends[1]}

    def _show_marks(self) -> None:
        found = self._ranges()
        self.suggest.show_known(found)
        if self._study is not None:
            self.curve.show_ranges({key: ends for key, ends in found.items() if key != "clamp"})

    def _show_draft(self) -> None:
        """Bring handles, fields and figures up to date: all that happens while a handle is dragged."""
        draft, study, tensor = self.draft, self._study, self._tensor
        if draft is None or tensor is None:
            return
        at = _expected(study, draft.low, draft.high)
        step = at.scale if at is not None else max(draft.high - draft.low, 1e-6) / 255
        if study is not None and at is not None:
            half = at.scale / 2
            self.plot.set_ends(draft.low, draft.high, (at.low - half, at.high + half), at.scale)
            self.curve.show_here(draft.low, draft.high, at.sqnr_db)
        self.low.show_end(draft.low, draft.holds_low, step)
        self.high.show_end(draft.high, draft.holds_high, step)
        self._show_figures(at, draft, tensor)
        self.apply.setEnabled(draft.changed)
        self.reset.setEnabled(draft.standing.state != "none" or draft.holds_low or draft.holds_high)

    def _show_figures(self, at: Expectation | None, draft: Draft, tensor: TensorRow) -> None:
        before = _expected(self._study, *draft.calibrated)
        pair = [decimals(one.sqnr_db, 1) if one is not None else DASH for one in (before, at)]
        gain = at.sqnr_db - before.sqnr_db if at is not None and before is not None else 0.0
        meaning = "" if abs(gain) < _SAME_DB else "ok" if gain > 0 else "error"
        self.figures.say("sqnr", f"{_becomes(*pair)} dB", meaning)
        scale = None if at is None else at.scale
        self.figures.say("scale", _becomes(significant(tensor.scale, 4), significant(scale, 4)))
        zeros = (tensor.zero_point, None if at is None else at.zero_point)
        self.figures.say("zero", _becomes(*(DASH if zero is None else str(zero) for zero in zeros)))
        self.figures.say("clipped", DASH if at is None else share(at.clipped, 2))

    # -- what the user does -------------------------------------------------------------------------

    def _dragged(self, low: float, high: float) -> None:
        if self.draft is not None:
            self.draft.move(low, high)
            self._show_draft()

    def _released(self) -> None:
        if self._stale:
            self.follow()
        if self.draft is not None and self.live.isChecked():
            self.apply_now()

    def _typed(self, low: float | None, high: float | None) -> None:
        draft = self.draft
        if draft is not None:
            draft.move(draft.low if low is None else min(low, 0.0), draft.high if high is None else max(high, 0.0))
            self._settle()

    def _hold(self, hold: Callable[[Draft, bool], None], on: bool) -> None:
        if self.draft is not None:
            hold(self.draft, on)
            self._settle()

    def take(self, key: str) -> None:
        """Put the handles to a suggestion or a known range."""
        ends, draft = self._ranges().get(key), self.draft
        if draft is None or ends is None:
            return
        if key == "calibrated":
            draft.hold_low(False)
            draft.hold_high(False)
        else:
            draft.take(*ends)
        self._settle()

    def _settle(self) -> None:
        self._show_draft()
        self._released()

    def apply_now(self) -> None:
        """Fix what the draft says, or release it, and have that measured."""
        for field in (self.low.field, self.high.field):
            field.interpretText()
        draft = self.draft
        if draft is None or not draft.changed:
            return
        fix = draft.fix()
        quantizer, name = self._session.quantizer, draft.standing.name
        taken = quantizer.release(name) if fix == (None, None) else quantizer.fix(name, *fix)
        if taken:
            self.applied.emit()

    def release(self) -> None:
        """Leave the range to calibration again."""
        draft = self.draft
        if draft is None:
            return
        if draft.standing.state != "none":
            if self._session.quantizer.release(draft.standing.name):
                self.applied.emit()
        else:
            self.draft = None
            self.follow()

    def _pin(self, on: bool) -> None:
        if self._layer is not None:
            name = self._layer.fused_into or self._layer.name
            if self._session.quantizer.pin(name, "fp32" if on else None):
                self.applied.emit()


_CALIBRATION = ("calibration.observer", "calibration.decay", "calibration.percentile", "quantization.clamp_ranges")


def _expected(study: RangeStudy | None, low: float, high: float) -> Expectation | None:
    """Return what a range would do; None where nothing was seen or it is no range."""
    if study is None or not low < high:
        return None
    try:
        return study.at(low, high)
    except ValueError:
        return None


def _found(study: RangeStudy, tensor: str, flow: Dataflow, config: Config) -> dict[str, Ends]:
    """Return suggestions, and what calibration says; may run in any thread."""
    found = suggestions(study.seen, study.scheme, study.bounds)
    try:
        low, high, _ = Ranges({tensor: study.seen}, flow, config, study.scheme).calibrated(tensor)
    except NoRange:
        return found
    return {**found, "calibrated": (low, high)} if low < high else found


def _becomes(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"

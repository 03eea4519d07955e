"""The findings dock: what is wrong with the selected trial's layers, worst first, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from workbench.core.findings import KINDS, Finding, Repair, Severity
from workbench.core.layer_table import LayerTable
from workbench.core.trial import Trial
from workbench.gui import finding_words as words
from workbench.gui import theme
from workbench.gui.empty import EmptyState
from workbench.gui.finding_card import FindingCard, Outcome
from workbench.gui.flow_layout import FlowLayout
from workbench.gui.labels import ElidedLabel, MutedLabel
from workbench.gui.language import said
from workbench.gui.repair_trials import Attempt
from workbench.gui.section import Section, scrolling
from workbench.gui.session import Session
from workbench.gui.trial_words import trial_in_words
from workbench.gui.when_seen import FollowsWhenSeen

_AT_ONCE = 5
"""Cards of a kind that are made at first, and more by each click; a deep network has hundreds."""
_OPEN_UNTIL = 5
"""So many cards, of the worst kinds, are unfolded at first."""
_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


class FindingsPanel(FollowsWhenSeen):
    """Follows the layers of the selected trial, and the repairs that were tried."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._trial: Trial | None = None  # whose findings are shown, and
        self._table: LayerTable | None = None  # they: what is read belongs to the trial that was selected then
        self._attempts: list[Attempt] = []  # and what was tried for them
        self._kinds: dict[str, list[tuple[Finding, bool]]] = {}
        self._folded: dict[str, bool] = {}  # kinds that a person opened or folded
        self.groups: dict[str, FindingGroup] = {}
        self._title = ElidedLabel()
        self._title.set_bold(True)
        self._counts = MutedLabel()
        self._unseen = MutedLabel()
        self.look = QPushButton(theme.icon("search"), self.tr("Look inside"))
        self.look.setAutoDefault(False)
        self.look.setToolTip(self.tr("Measure once, and find what INT8 costs each layer in accuracy"))
        self.look.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.look.clicked.connect(session.look_into_layers)
        self.empty = EmptyState("ok")
        self._column = QVBoxLayout()
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._arranged())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, theme.SPACE)
        column.setSpacing(theme.SPACE // 2)
        column.addWidget(self._pages, 1)
        for widget in (self._unseen, self.look):
            widget.setContentsMargins(theme.SPACE, 0, theme.SPACE, 0)
        foot = QVBoxLayout()
        foot.setContentsMargins(theme.SPACE, 0, theme.SPACE, 0)
        foot.setSpacing(theme.SPACE // 2)
        foot.addWidget(self._unseen)
        foot.addWidget(self.look)
        column.addLayout(foot)
        session.layers.changed.connect(self._follow_layers)
        session.selection_changed.connect(self._follow_selection)
        session.layers.selected.connect(self._mark)
        session.repairs.changed.connect(self._follow)
        session.config_changed.connect(self._follow_job)
        session.subject_changed.connect(self._follow_job)
        session.job_started.connect(self._follow_job)
        session.job_ended.connect(self._follow_job)
        self._follow_layers()
        self._follow_selection()

    def _arranged(self) -> QWidget:
        content = QWidget()
        self._column = QVBoxLayout(content)
        self._column.setContentsMargins(0, theme.SPACE // 2, 0, 0)
        self._column.setSpacing(theme.SPACE // 2)
        head = QVBoxLayout()
        head.setContentsMargins(theme.SPACE, 0, theme.SPACE, 0)
        head.setSpacing(theme.SPACE // 4)
        head.addWidget(self._title)
        head.addWidget(self._counts)
        self._column.addLayout(head)
        self._column.addStretch(1)
        return scrolling(content)

    # -- following ----------------------------------------------------------------------------------

    def _follow_layers(self) -> None:
        layers = self._session.layers
        self._trial, self._table = (layers.trial, layers.table) if layers.table is not None else (None, None)
        self._follow()

    def _follow_selection(self) -> None:
        """A trial that failed has no layers, but its reason, and perhaps a repair that made it fail."""
        if self._session.layers.trial is None and self._session.selected is not self._trial:
            self._trial, self._table = self._session.selected, None
            self._follow()

    def _follow(self) -> None:
        """Show how many there are at any time; cards, which take longer than all the rest, when they are seen."""
        self._attempts = self._session.repairs.around(self._trial) if self._trial else []
        self._kinds = _by_kind(self._table.findings if self._table else [], self._attempts)
        self._say(self._table, self._kinds)
        self.follow_when_seen()

    def follow(self) -> None:
        """Show the findings of the layers that were read last, and what was tried."""
        missing = self.tr("no longer found") if self._table else self.tr("not looked at again")
        for group in self.groups.values():
            self._column.removeWidget(group)
            group.deleteLater()
        self.groups = {}
        shown = 0
        for kind, findings in self._kinds.items():
            group = FindingGroup(kind, findings, [a for a in self._attempts if a.findings[0].kind == kind], missing)
            folded = self._folded.get(kind, shown >= _OPEN_UNTIL)
            group.set_open(not folded)
            group.toggled.connect(lambda on, kind=kind: self._folded.__setitem__(kind, not on))
            group.picked.connect(self._pick)
            group.repair_wanted.connect(self._try_out)
            group.undo_wanted.connect(self._session.repairs.take_back)
            shown += min(len(findings), _AT_ONCE)
            self._column.insertWidget(self._column.count() - 1, group)
            self.groups[kind] = group
        self._follow_job()
        self._mark()

    def _say(self, table: LayerTable | None, kinds: dict[str, list[tuple[Finding, bool]]]) -> None:
        trial = self._trial
        if trial is not None:
            self._title.setText(trial_in_words(trial))
        counts = dict.fromkeys(_SEVERITIES, 0)
        for finding in table.findings if table else ():
            counts[finding.severity] += 1
        self._counts.setText(self._counts_in_words(counts))
        number = counts["error"] + counts["warning"]
        self.setWindowTitle(self.tr("Findings ({0})").format(number) if number else self.tr("Findings"))
        if not kinds:
            self.empty.say(*self._nothing_in_words(trial, table))
        self._pages.setCurrentIndex(1 if kinds else 0)
        unlooked = table is not None and trial is not None and trial.errors is None and _is_int8(trial)
        self._unseen.setText(self.tr("Weights, and the error of each layer, were not looked into.") if unlooked else "")
        self._unseen.setVisible(unlooked)
        self.look.setVisible(unlooked)

    def _counts_in_words(self, counts: dict[Severity, int]) -> str:
        parts = (
            (counts["error"], self.tr("{0} serious")), (counts["warning"], self.tr("{0} to look at")),
            (counts["info"], self.tr("{0} for information")),
        )  # fmt: skip
        return " · ".join(text.format(number) for number, text in parts if number) or self._rest_in_words()

    def _rest_in_words(self) -> str:
        if self._table is not None:
            return self.tr("Nothing found any more.")
        return said(f"{self._trial.status}: {self._trial.reason}") if self._trial is not None else ""

    def _nothing_in_words(self, trial: Trial | None, table: LayerTable | None) -> tuple[str, str]:
        if trial is None or table is None:
            if trial is not None and trial.status != "ok":
                what = self.tr("Trial {0} did not get as far as its layers.").format(trial.id or "")
                return what, said(trial.reason)
            return self.tr("Nothing looked at yet."), self.tr("Findings come with the first run in INT8.")
        if not _is_int8(trial):
            precision = str(trial.config.get("precision", "")).upper()
            return self.tr("Nothing found: {0} has no scales that could be wrong.").format(precision), ""
        checked = self.tr("Nothing found: {0} layers and {1} ranges look well.").format(
            len(table.layers), len(trial.tensors)
        )
        if not self._session.layers.distributions:
            return checked, self.tr("What calibration saw is not kept any more; run again to compare ranges with it.")
        return checked, ""

    def _follow_job(self, _: object = None) -> None:
        session = self._session
        ready = session.subject is not None and not session.repairs.busy()
        for group in self.groups.values():
            group.allow(ready, session.repairs.can_take_back)
        self.look.setEnabled(ready and session.job is None)

    def _mark(self) -> None:
        name = self._session.layers.selected_layer
        for group in self.groups.values():
            group.mark(name)

    # -- doing --------------------------------------------------------------------------------------

    def _pick(self, finding: Finding) -> None:
        if finding.layer:
            self._session.layers.select(finding.layer)

    def _try_out(self, findings: list[Finding], repairs: list[Repair]) -> None:
        if self._trial is None:
            return
        what = words.button(findings[0], repairs[0])
        if len(findings) > 1:
            text = self.tr("{0}: {1} of “{2}”").format(what, len(findings), words.title(findings[0].kind))
        else:
            text = self.tr("{0}: {1}").format(what, words.place(findings[0]))
        self._session.repairs.try_out(self._trial, findings, repairs, text)


class FindingGroup(Section):
    """All findings of one kind, those that a repair made go away at the end.

    Args:
        kind: of :data:`workbench.core.findings.KINDS`.
        findings: each with whether it is gone.
        attempts: what was tried for this kind.
        missing: what is said of findings that are gone.
    """

    picked = Signal(object)  # Finding
    repair_wanted = Signal(object, object)  # list of Finding, list of Repair
    undo_wanted = Signal(object)  # Attempt

    def __init__(
        self, kind: str, findings: Sequence[tuple[Finding, bool]], attempts: Sequence[Attempt], missing: str,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(words.title(kind), parent)
        self.cards: list[FindingCard] = []
        self.outcomes: list[Outcome] = []
        self._waiting = list(findings)
        self._attempts = attempts
        self._missing = missing
        self._ready = False
        self._can_undo: Callable[[Attempt], bool] = lambda _: False
        self._layer: str | None = None
        present = [finding for finding, gone in findings if not gone]
        self._worst: Severity = min((one.severity for one in present), key=_SEVERITIES.index, default="info")
        helped = not present and all(attempt.verdict == "better" for attempt in attempts)
        self.set_icon(self._worst if present else "ok" if helped else "info")
        self.set_hint(str(len(present)), words.why(kind))
        self._column = QVBoxLayout(self.body)
        self._column.setContentsMargins(theme.SPACE, theme.SPACE // 4, theme.SPACE, theme.SPACE)
        self._column.setSpacing(theme.SPACE // 2)
        self._column.addWidget(MutedLabel(words.why(kind)))
        self.fix_all = self._fix_all(present)
        for attempt in attempts:
            if len(attempt.findings) > 1:
                self._add_outcome(Outcome(attempt), self._column)
        self._more = QPushButton()
        self._more.setFlat(True)
        self._more.setAutoDefault(False)
        self._more.clicked.connect(self._add_cards)
        self._column.addWidget(self._more)
        self._more.hide()

    def set_open(self, on: bool) -> None:
        """Show or fold the cards; they are made when they are shown for the first time."""
        super().set_open(on)
        if on and not self.cards:
            self._add_cards()

    def _clicked(self, on: bool) -> None:
        super()._clicked(on)
        if on and not self.cards:
            self._add_cards()

    def _fix_all(self, findings: Sequence[Finding]) -> QPushButton | None:
        """Return a button for what mends all of them the same way, where there is such a repair."""
        mended = [(finding, finding.repairs[0]) for finding in findings if finding.repairs]
        kinds = {repair.kind for _, repair in mended}
        if len(mended) < 2 or len(kinds) != 1:
            return None
        button = QPushButton(self.tr("Fix all {0}").format(len(mended)))
        chosen = [finding for finding, _ in mended], [repair for _, repair in mended]
        button.setToolTip(f"{words.button(*mended[0])}: {said(mended[0][1].text)}")
        button.setAutoDefault(False)
        button.clicked.connect(lambda: self.repair_wanted.emit(*chosen))
        holder = QWidget()
        FlowLayout(holder).addWidget(button)
        self._column.addWidget(holder)
        return button

    def _add_cards(self) -> None:
        now, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
        for finding, gone in now:
            attempt = next((a for a in reversed(self._attempts) if len(a.findings) == 1 and a.covers(finding)), None)
            card = FindingCard(finding, attempt, missing=self._missing if gone else "")
            card.picked.connect(self.picked)
            card.repair_wanted.connect(self.repair_wanted)
            if card.outcome is not None:
                self._add_outcome(card.outcome)
            self.cards.append(card)
            self._column.insertWidget(self._column.count() - 1, card)
        self.allow(self._ready, self._can_undo)
        self.mark(self._layer)
        self._more.setText(self.tr("Show {0} more").format(min(len(self._waiting), _AT_ONCE)))
        self._more.setVisible(bool(self._waiting))

    def _add_outcome(self, outcome: Outcome, column: QVBoxLayout | None = None) -> None:
        outcome.undo_wanted.connect(self.undo_wanted)
        self.outcomes.append(outcome)
        if column is not None:
            column.addWidget(outcome)

    def allow(self, ready: bool, can_undo: Callable[[Attempt], bool]) -> None:
        """Enable the repairs, and show a way back from the attempts of which *can_undo* is true."""
        self._ready, self._can_undo = ready, can_undo
        for card in self.cards:
            for button in card.buttons:
                button.setEnabled(ready)
        if self.fix_all is not None:
            self.fix_all.setEnabled(ready)
        for outcome in self.outcomes:
            outcome.undo.setVisible(can_undo(outcome.attempt))

    def mark(self, layer: str | None) -> None:
        """Mark the cards of *layer*."""
        self._layer = layer
        for card in self.cards:
            card.mark(layer is not None and card.finding.layer == layer)


def _is_int8(trial: Trial) -> bool:
    return trial.config.get("precision") == "int8"


def _by_kind(found: Sequence[Finding], attempts: Sequence[Attempt]) -> dict[str, list[tuple[Finding, bool]]]:
    """Group findings by kind, worst first, with those that are gone since a repair was tried alone for them."""
    present = {(one.kind, one.where) for one in found}
    gone: dict[tuple[str, str], Finding] = {}
    for attempt in attempts:
        for finding in attempt.findings if len(attempt.findings) == 1 else ():
            if (finding.kind, finding.where) not in present:
                gone[finding.kind, finding.where] = finding
    groups: dict[str, list[tuple[Finding, bool]]] = {}
    for kind in KINDS:
        rows = [(one, False) for one in found if one.kind == kind] + [
            (f, True) for (k, _), f in gone.items() if k == kind
        ]
        if rows or any(attempt.findings[0].kind == kind for attempt in attempts):
            groups[kind] = rows
    return groups

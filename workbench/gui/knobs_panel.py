"""The form of all knobs, made from the knob table; nothing in here names a knob.

Every change goes through the session, undoably. What does not apply is greyed with the reason, choices that
cannot work together with the rest are greyed, too, and what differs from the engine's default stands out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from workbench.core.config import Config
from workbench.core.knobs import KNOBS, Knob, Value
from workbench.errors import UserError
from workbench.gui import theme
from workbench.gui.knob_row import COLUMNS, KnobRow
from workbench.gui.knob_words import groups, preview, shown, title
from workbench.gui.labels import ElidedLabel, Remark
from workbench.gui.language import said
from workbench.gui.preset_menu import PresetMenu
from workbench.gui.section import Section, scrolling
from workbench.gui.session import Session
from workbench.gui.turns import Soon, Turns


class KnobsPanel(QWidget):
    """All knobs in groups that fold; fits a column of 300 pixels."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._rows: dict[str, KnobRow] = {}
        self._explained: Config | None = None  # what a preset made, and the remark is about
        self.turns = Turns(self)
        self.sections: dict[str, Section] = {}
        self._groups = groups()
        self.summary = ElidedLabel()
        self.reset_all = QToolButton()
        self.reset_all.setText(self.tr("Reset all"))
        self.reset_all.setIcon(theme.icon("undo"))
        self.reset_all.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.reset_all.setAutoRaise(True)
        self.reset_all.setToolTip(self.tr("Put every knob back to its default"))
        self.reset_all.clicked.connect(self._reset_all)
        head = QHBoxLayout()
        head.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, theme.SPACE // 2)
        self.presets = PresetMenu(session)
        self.presets.chosen.connect(self._explain)
        self.remark = Remark()
        self.preview = Remark()
        head.addWidget(self.summary, 1)
        head.addWidget(self.presets)
        head.addWidget(self.reset_all)
        said_below = QVBoxLayout()
        said_below.setContentsMargins(theme.SPACE, 0, theme.SPACE, theme.SPACE // 2)
        said_below.addWidget(self.remark)
        said_below.addWidget(self.preview)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for place, (name, knobs) in enumerate(self._groups.items()):
            section = self.sections[name] = Section(title(name))
            column.addWidget(section)
            self.turns.add(partial(self._fill, section, knobs, roomy=place == 0))
        column.addStretch(1)
        self.turns.add(self.follow)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(head)
        outer.addLayout(said_below)
        outer.addWidget(scrolling(content), 1)
        self._judging = Soon(self, self.judge_choices)
        session.config_changed.connect(self._changed)
        session.host_changed.connect(self._changed)

    @property
    def rows(self) -> Mapping[str, KnobRow]:
        """The row of each knob; those that were not made yet are made now."""
        self.turns.finish()
        return self._rows

    def _fill(self, section: Section, knobs: list[Knob], *, roomy: bool) -> None:
        grid = QGridLayout(section.body)
        grid.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE // 2, theme.SPACE)
        grid.setHorizontalSpacing(theme.SPACE // 2)
        grid.setVerticalSpacing(theme.SPACE // 2)
        grid.setColumnStretch(1, 1)
        # The same widths in every group, however long its labels are and whether or not it has marks.
        metrics = self.fontMetrics()
        longest = max(metrics.horizontalAdvance(title(knob.key)) for knob in KNOBS)
        grid.setColumnMinimumWidth(0, min(longest + 2, metrics.averageCharWidth() * 22))
        grid.setColumnMinimumWidth(COLUMNS - 2, metrics.height())
        for knob in knobs:
            row = self._rows[knob.key] = KnobRow(knob, self.reset_all.icon(), roomy=roomy, parent=self)
            row.turned.connect(self._turn)
            row.reset.connect(self._reset)
            row.add_to(grid)

    def _changed(self) -> None:
        if self._session.config != self._explained:
            self.remark.say("")
        if not self.turns.busy():  # else it follows when all is made
            self.follow()

    def follow(self) -> None:
        """Show the session's config, with what is known of the host."""
        config, rows, total = self._session.config, self.rows, 0
        for name, knobs in self._groups.items():
            differ = sum(rows[knob.key].follow(config, self._session.host) for knob in knobs)
            total += differ
            reasons = [config.applies(knob) for knob in knobs]
            section, useless = self.sections[name], all(reasons)
            hint = self.tr("{0} changed").format(differ) if differ else ""
            if useless:
                cause = config.precision if config.engine in knobs[0].engines else config.engine
                hint = self.tr("not with {0}").format(cause)
            section.set_hint(hint, said(reasons[0]) if useless else "")
            if not section.folded_by_user:
                section.set_open(not useless)
        summary = self.tr("{0} differ from their defaults").format(total)
        if total <= 1:
            summary = self.tr("1 differs from its default") if total else self.tr("All at their defaults")
        self.summary.setText(summary)
        self.reset_all.setEnabled(total > 0)
        self.preview.say(" ".join(preview(config, self._session.host)))
        self._judging.ask()

    def _explain(self, text: str) -> None:
        """Say what a preset did, until the next knob is turned."""
        self._explained = self._session.config
        self.remark.say(text, "info", "muted")

    def judge_choices(self) -> None:
        """Grey choices that cannot work with the rest; follows each change in a step of its own."""
        for row in self.rows.values():
            row.judge_choices(self._session.config, self._session.host)

    # -- what the user asks for ---------------------------------------------------------------------

    def _turn(self, key: str, value: Value) -> None:
        row = self.rows[key]
        self._session.set_knobs({key: value}, f"{title(key)}: {shown(row.knob, value)}")

    def _reset(self, key: str) -> None:
        """Take a knob out of what was asked for, so that another engine's default may follow."""
        config, knob = self._session.config, self.rows[key].knob
        text = self.tr("{0}: default").format(title(key))
        if "." in key:
            given = {name: value for name, value in config.given.items() if name != key}
            try:
                self._session.set_config(Config(given, config.layers, config.fixes, config.preprocess), text)
            except UserError as error:
                self._session.refused.emit(error)
            return
        # What depends on it has to be left behind, which set_knobs does.
        self._session.set_knobs({key: knob.default_for(config.engine)}, text)

    def _reset_all(self) -> None:
        config = self._session.config
        self._session.set_config(Config({}, {}, config.fixes, config.preprocess), self.tr("all knobs: default"))

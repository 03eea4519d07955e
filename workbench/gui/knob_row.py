"""One knob in the knobs panel: label, editor, the mark for a fresh process, a button back to the default."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QToolButton, QWidget

from workbench.core.config import Config
from workbench.core.knobs import Knob, Value
from workbench.gui.knob_editors import editor_for
from workbench.gui.knob_words import fault_in, notes, refusals, shown, title, tooltip
from workbench.gui.labels import ElidedLabel, IconLabel, Remark
from workbench.gui.language import said
from workbench.host.machine import HostInfo

COLUMNS = 4


class KnobRow(QObject):
    """Widgets of one knob; ``turned`` carries key and value, ``reset`` the key."""

    turned = Signal(str, object)
    reset = Signal(str)

    def __init__(self, knob: Knob, back: QIcon, *, roomy: bool = False, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.knob = knob
        self._roomy = roomy
        self._host: HostInfo | None = None
        self._refused: dict[Value, str] = {}
        self._notes: dict[Value, str] = {}
        self.label = ElidedLabel(title(knob.key))
        # The panel decides how wide labels are, the same in all groups.
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.editor = editor_for(knob, roomy=roomy)
        self.editor.setParent(self)
        self.editor.changed.connect(self._changed)
        self.remark = Remark()
        widget = self.editor.widget
        widget.setAccessibleName(title(knob.key))
        widget.setAccessibleDescription(said(knob.help))
        self.label.setBuddy(widget)
        self.mark: QWidget | None = None
        if knob.scope == "process":
            self.mark = IconLabel("fresh-process", "muted")
            self.mark.setToolTip(self.tr("Needs a fresh process"))
        self.back = QToolButton()
        self.back.setIcon(back)
        self.back.setAutoRaise(True)
        keep = self.back.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(keep)
        side = self.label.fontMetrics().height() + 4
        self.back.setFixedSize(side, side)
        self.back.clicked.connect(lambda: self.reset.emit(knob.key))

    def add_to(self, grid: QGridLayout) -> None:
        """Put the widgets below what *grid* holds; a roomy editor gets a line of its own."""
        row = grid.rowCount()
        middle = Qt.AlignmentFlag.AlignVCenter
        span = 2 if self._roomy else 1
        grid.addWidget(self.label, row, 0, 1, span, middle)
        if self._roomy:
            grid.addWidget(self.editor.widget, row + 1, 0, 1, COLUMNS)
        else:
            grid.addWidget(self.editor.widget, row, 1, middle)
        if self.mark is not None:
            grid.addWidget(self.mark, row, 2, middle)
        grid.addWidget(self.back, row, 3, middle)
        grid.addWidget(self.remark, row + 2, 0, 1, COLUMNS)

    def judge_choices(self, config: Config, host: HostInfo | None) -> None:
        """Grey the choices that cannot be had under *config* on this host.

        Trying them all takes longer than showing the values, so the panel does it in a step of its own.
        """
        if config.applies(self.knob):
            return
        before = self._refused, self._notes
        self._refused, self._notes = refusals(config, self.knob, host), notes(self.knob, host)
        if before != (self._refused, self._notes):
            self.editor.widget.setEnabled(True)
            self.editor.set_help(tooltip(self.knob))
            self.editor.block_choices(self._refused, self._notes)

    def follow(self, config: Config, host: HostInfo | None) -> bool:
        """Show what *config* says.

        Returns:
            Whether the value differs from the engine's default.
        """
        self._host = host
        value, default = config[self.knob.key], self.knob.default_for(config.engine)
        reason = config.applies(self.knob)
        differs = not reason and value != default
        self.editor.show_value(value)
        self.editor.widget.setEnabled(not reason)
        self.label.setEnabled(not reason)
        text = tooltip(self.knob, reason)
        if text != self.label.toolTip():
            self.label.setToolTip(text)
        self.editor.set_help(text)
        if not reason:
            self.editor.block_choices(self._refused, self._notes)
        if self.mark is not None:
            self.mark.setEnabled(not reason)
        self.label.set_bold(differs)
        self.back.setVisible(differs)
        if differs:
            back = self.tr("Back to {0}").format(shown(self.knob, default))
            self.back.setToolTip(back)
            self.back.setAccessibleName(f"{title(self.knob.key)}: {back}")
        self.remark.say("")
        return differs

    def _changed(self, value: Value) -> None:
        fault = fault_in(self.knob.key, value, self._host) if isinstance(value, str) else ""
        self.remark.say(fault, "warning", "error")
        if not fault:
            self.turned.emit(self.knob.key, value)

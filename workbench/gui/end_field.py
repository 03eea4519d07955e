"""One end of a range: a box to tick that fixes it, and its value as a number. Part of the range editor."""

from __future__ import annotations

import math

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QHBoxLayout, QWidget

from workbench.gui import theme

_FAR = 1e12
_DIGITS = 9
"""Letters that the field has room for."""


class EndField(QWidget):
    """``edited`` tells a value that was typed or stepped to, ``held`` a tick."""

    edited = Signal(float)
    held = Signal(bool)

    def __init__(self, text: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QCheckBox(text)
        self.box.setToolTip(tip)
        theme.dress(self.box)
        self.field = QDoubleSpinBox()
        self.field.setRange(-_FAR, _FAR)
        self.field.setKeyboardTracking(False)
        self.field.setAccessibleName(text)
        metrics = self.field.fontMetrics()
        self.field.setFixedWidth(_DIGITS * metrics.horizontalAdvance("0") + 30)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE // 2)
        row.addWidget(self.box)
        row.addWidget(self.field)
        self.box.toggled.connect(self.held)
        self.field.valueChanged.connect(self.edited)

    def show_end(self, value: float, held: bool, step: float) -> None:
        """Show a value; tells nobody."""
        with QSignalBlocker(self.box), QSignalBlocker(self.field):
            self.box.setChecked(held)
            decimals = min(max(1 - math.floor(math.log10(step)), 0), 12) if step > 0 else 6
            if self.field.decimals() != decimals:
                self.field.setDecimals(decimals)
            self.field.setSingleStep(step)
            self.field.setValue(value)

"""Editors for one value each: segments, a list, a switch, a number, a text. Made from an entry of the knob table.

Every editor tells ``changed`` when the user turned it and nothing when :meth:`show_value` did. The wheel turns
one only while it has the focus, so that a panel can be scrolled without turning anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel, QValidator, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLineEdit, QSizePolicy, QSpinBox, QWidget

from workbench.core.knobs import Knob, Value
from workbench.gui import theme
from workbench.gui.knob_words import shown, special_values, unit
from workbench.gui.segmented import Segmented

_SEGMENT_LETTERS = 12
"""Choices with so many letters together fit beside a label in a narrow column."""


class Editor(QObject):
    """One value's editor; ``widget`` is what goes into a layout."""

    changed = Signal(object)
    widget: QWidget

    def show_value(self, value: Value) -> None:
        """Show *value*; tells nobody."""
        raise NotImplementedError

    def block_choices(self, reasons: Mapping[Value, str], notes: Mapping[Value, str]) -> None:
        """Grey choices with their reasons, where this editor shows choices."""

    def set_help(self, tooltip: str) -> None:
        """Explain the knob."""
        if tooltip != self.widget.toolTip():
            self.widget.setToolTip(tooltip)


class Segments(Editor):
    """All choices side by side."""

    def __init__(self, knob: Knob) -> None:
        super().__init__()
        self.widget = self._row = Segmented([(choice, shown(knob, choice)) for choice in knob.choices])
        self._row.chosen.connect(self.changed)

    def show_value(self, value: Value) -> None:
        """Choose it."""
        self._row.set_value(value)

    def block_choices(self, reasons: Mapping[Value, str], notes: Mapping[Value, str]) -> None:
        """Grey buttons."""
        self._row.block_choices(reasons, notes)


class Choices(Editor):
    """A list that drops down."""

    def __init__(self, knob: Knob) -> None:
        super().__init__()
        self.widget = self._box = _ComboBox()
        _fit(self._box)
        self._values = list(knob.choices)
        self._box.addItems([shown(knob, choice) for choice in knob.choices])
        self._box.activated.connect(lambda place: self.changed.emit(self._values[place]))

    def show_value(self, value: Value) -> None:
        """Select it."""
        with QSignalBlocker(self._box):
            self._box.setCurrentIndex(self._values.index(value))

    def block_choices(self, reasons: Mapping[Value, str], notes: Mapping[Value, str]) -> None:
        """Grey lines of the list."""
        model = self._box.model()
        assert isinstance(model, QStandardItemModel)
        for place, value in enumerate(self._values):
            item, tooltip = model.item(place), reasons.get(value) or notes.get(value, "")
            # Each of these has the box measure itself anew, so only where something changes.
            if item.isEnabled() == (value in reasons):
                item.setEnabled(value not in reasons)
            if item.toolTip() != tooltip:
                item.setToolTip(tooltip)


class Switch(Editor):
    """On or off."""

    def __init__(self, knob: Knob) -> None:
        super().__init__()
        self.widget = self._box = QCheckBox()
        theme.dress(self._box)
        self._box.clicked.connect(lambda on: self.changed.emit(bool(on)))

    def show_value(self, value: Value) -> None:
        """Set or clear the tick."""
        self._box.setChecked(bool(value))

    def block_choices(self, reasons: Mapping[Value, str], notes: Mapping[Value, str]) -> None:
        """Grey the switch where the other state cannot be had."""
        reason = reasons.get(not self._box.isChecked(), "")
        if reason:
            self._box.setEnabled(False)
            self._box.setToolTip(reason)


class Number(Editor):
    """A whole number or a fraction, with its unit."""

    def __init__(self, knob: Knob) -> None:
        super().__init__()
        box: _WholeNumber | _Fraction
        if knob.kind is int:
            box = whole = _WholeNumber(knob)
            whole.setRange(int(knob.minimum or 0), int(knob.maximum or 0))
        else:
            box = real = _Fraction(knob)
            real.setDecimals(6)
            real.setSingleStep(10.0 ** -len(f"{knob.default:g}".partition(".")[2]))
            real.setRange(float(knob.minimum or 0), float(knob.maximum or 0))
        self.widget = self._box = box
        _fit(box)
        box.setKeyboardTracking(False)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.valueChanged.connect(self.changed.emit)

    def show_value(self, value: Value) -> None:
        """Show the number."""
        with QSignalBlocker(self._box):
            self._box.setValue(value)  # type: ignore[arg-type]


class Words(Editor):
    """Free text."""

    def __init__(self, knob: Knob) -> None:
        super().__init__()
        self.widget = self._line = QLineEdit()
        _fit(self._line)
        self._line.setPlaceholderText(special_values().get((knob.key, ""), ""))
        self._line.editingFinished.connect(self._finished)
        self._shown = ""

    def show_value(self, value: Value) -> None:
        """Show the text."""
        # What is being typed stays; the panel says what is wrong with it.
        if str(value) != self._shown or not self._line.hasFocus():
            self._shown = str(value)
            self._line.setText(self._shown)

    def _finished(self) -> None:
        if self._line.text().strip() != self._shown:
            self.changed.emit(self._line.text().strip())


def editor_for(knob: Knob, *, roomy: bool = False) -> Editor:
    """Return the editor that fits *knob*; *roomy* ones have the whole width for themselves."""
    if knob.kind is bool:
        return Switch(knob)
    if knob.choices:
        letters = sum(len(str(choice)) for choice in knob.choices)
        return Segments(knob) if roomy or letters <= _SEGMENT_LETTERS else Choices(knob)
    return Words(knob) if knob.kind is str else Number(knob)


def _fit(box: QWidget) -> None:
    """Let *box* become narrow, as its column may be, and no lower than others in the form."""
    box.setMinimumWidth(box.fontMetrics().averageCharWidth() * 9)
    box.setMinimumHeight(box.fontMetrics().height() + 8)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)


class _ComboBox(QComboBox):
    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(7)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


class _WholeNumber(QSpinBox):
    def __init__(self, knob: Knob) -> None:
        super().__init__()
        self._knob = knob

    def textFromValue(self, value: int) -> str:  # noqa: N802
        return shown(self._knob, value)

    def valueFromText(self, text: str) -> int:  # noqa: N802
        return int(_value_of(self._knob, text, self.value()))

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        return _judge(self._knob, text), text, position

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


class _Fraction(QDoubleSpinBox):
    def __init__(self, knob: Knob) -> None:
        super().__init__()
        self._knob = knob
        self.setSuffix(f" {unit(knob)}" if knob.unit else "")

    def textFromValue(self, value: float) -> str:  # noqa: N802
        return f"{value:.6g}".replace(".", self.locale().decimalPoint())

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


def _value_of(knob: Knob, text: str, fallback: Value) -> Any:
    """Return the number behind *text*, which may be the word for a special one."""
    for (key, value), word in special_values().items():
        if key == knob.key and text.strip() == word:
            return value
    try:
        return int(text.removesuffix(unit(knob)))
    except ValueError:
        return fallback


def _judge(knob: Knob, text: str) -> QValidator.State:
    """Tell whether *text* is a number in range or a word for one, or could become that."""
    typed = text.strip().removesuffix(unit(knob)).strip()
    words = [word for (key, _), word in special_values().items() if key == knob.key]
    if typed in words:
        return QValidator.State.Acceptable
    try:
        inside = int(knob.minimum or 0) <= int(typed) <= int(knob.maximum or 0)
    except ValueError:
        begun = typed in ("", "-") or any(word.startswith(typed) for word in words)
        return QValidator.State.Intermediate if begun else QValidator.State.Invalid
    return QValidator.State.Acceptable if inside else QValidator.State.Intermediate

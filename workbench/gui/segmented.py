"""A row of joined buttons of which one is chosen: few choices at one glance and one click.

Used for engine, precision, layouts and the like. Arrow keys move the choice, as in a group of radio buttons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from workbench.core.knobs import Value

_RADIUS = 4.0


class Segmented(QWidget):
    """Buttons side by side; ``chosen`` tells what the user took, not what :meth:`set_value` shows."""

    chosen = Signal(object)

    def __init__(self, choices: Sequence[tuple[Value, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._values = [value for value, _ in choices]
        self._shown: Value | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for place, (_, text) in enumerate(choices):
            button = _Segment(text, first=place == 0, last=place == len(choices) - 1)
            self._group.addButton(button, place)
            row.addWidget(button, button.sizeHint().width())
        self._group.idClicked.connect(self._clicked)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def value(self) -> Value | None:
        """Return what is chosen."""
        place = self._group.checkedId()
        return self._values[place] if place >= 0 else None

    def set_value(self, value: Value) -> None:
        """Show *value* as chosen; tells nobody."""
        self._shown = value
        self._group.button(self._values.index(value)).setChecked(True)

    def button(self, value: Value) -> QAbstractButton:
        """Return the button of one choice."""
        return self._group.button(self._values.index(value))

    def block_choices(self, reasons: Mapping[Value, str], notes: Mapping[Value, str] | None = None) -> None:
        """Grey the choices in *reasons*, each with its reason as tooltip; *notes* are tooltips of others."""
        for value in self._values:
            button = self.button(value)
            button.setEnabled(value not in reasons)
            button.setToolTip(reasons.get(value) or (notes or {}).get(value, ""))

    def _clicked(self, place: int) -> None:
        value = self._values[place]
        if value != self._shown:
            self._shown = value
            self.chosen.emit(value)


class _Segment(QAbstractButton):
    """One button; paints itself, because no style joins buttons the same way on every platform."""

    def __init__(self, text: str, *, first: bool, last: bool) -> None:
        super().__init__()
        self._first, self._last = first, last
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Text and some air."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 14, metrics.height() + 8)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """The text must not be clipped."""
        hint = self.sizeHint()
        return QSize(hint.width() - 8, hint.height())

    def event(self, event: QEvent) -> bool:
        """Repaint when the mouse enters or leaves."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw frame, ground and text."""
        palette, on = self.palette(), self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(0.5 if self._first else -0.5, 0.5, -0.5, -0.5)
        shape = _rounded(area, self._first, self._last)
        ground = palette.color(QPalette.ColorRole.Highlight if on else QPalette.ColorRole.Button)
        if self.underMouse() and self.isEnabled() and not on:
            ground = palette.color(QPalette.ColorRole.Midlight)
        painter.fillPath(shape, ground)
        painter.setPen(QPen(palette.color(QPalette.ColorRole.Highlight if on else QPalette.ColorRole.Mid), 1.0))
        painter.drawPath(shape)
        ink = QPalette.ColorRole.HighlightedText if on else QPalette.ColorRole.ButtonText
        painter.setPen(palette.color(ink))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            pen = QPen(palette.color(ink), 1.0, Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.drawRect(area.adjusted(2.5, 2.5, -2.5, -2.5))


def _rounded(area: QRectF, left: bool, right: bool) -> QPainterPath:
    """Return *area* with round corners on the sides that end the row."""
    path = QPainterPath()
    path.addRoundedRect(area, _RADIUS, _RADIUS)
    for square, side in ((not left, area.left()), (not right, area.right() - _RADIUS * 2)):
        if square:
            corner = QPainterPath()
            corner.addRect(QRectF(side, area.top(), _RADIUS * 2, area.height()))
            path = path.united(corner)
    return path

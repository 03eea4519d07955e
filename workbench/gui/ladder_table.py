"""How the ladder looks: a waterfall of bars in a table, with their scale in its header.

A pale bar reaches as far as the rung before had come, a strong one from there to this rung; on a logarithmic scale,
so that equal factors are equally long. The line across the end is the 95 % interval, a diamond on the first rung its
speed at the end.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette, QPen
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.core.figures import factor
from workbench.gui import theme
from workbench.gui.ladder_model import BAR, BAR_ROLE, COSINE, GAIN, INT8, NAME, P50, Bar, Index, LadderModel
from workbench.gui.row_table import SeriesTable

COLOURS = {"faster": "live", "slower": "deadline", "same": "baseline", "start": "baseline"}
_MARGIN = 8
_PALE = 70
_DIAMOND = 4.5
_USUAL = {
    NAME: "INT8, ONNX Runtime", GAIN: "00.0× ▲", P50: "p50 ms", COSINE: "cosine", COSINE + 1: "100% ", INT8: "100/100",
}  # fmt: skip


class Scale:
    """Where a speed lies between the sides of a cell."""

    def __init__(self, ends: tuple[float, float], area: QRect, label: int) -> None:
        self._low, self._high = (math.log(end) for end in ends)
        self._left = area.left() + _MARGIN
        self._width = max(area.width() - 2 * _MARGIN - label, 10)

    def x(self, speed: float) -> float:
        """Return the place of a speed, in pixels."""
        span = self._high - self._low
        return self._left + (self._width * (math.log(speed) - self._low) / span if span > 0 else 0.0)


def ticks(ends: tuple[float, float]) -> list[float]:
    """Return round speeds between *ends*: 1, 2, 5, 10, …"""
    low, high = ends
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = [step * 10.0**power for power in powers for step in (1, 2, 5)]
    return [step for step in steps if low * 0.999 <= step <= high * 1.001]


def _label_width(metrics: QFontMetrics) -> int:
    return metrics.horizontalAdvance("00.0×") + _MARGIN


class _Bars(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        bar, model = index.data(BAR_ROLE), index.model()
        if not isinstance(bar, Bar) or not isinstance(model, LadderModel):
            return
        plain = QStyleOptionViewItem(option)
        self.initStyleOption(plain, index)
        plain.text = ""
        style = plain.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, plain, painter, plain.widget)
        selected = bool(plain.state & QStyle.StateFlag.State_Selected)
        ink = plain.palette.color(QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text)
        painter.save()
        painter.setFont(plain.font)
        area = plain.rect
        if bar.end is None or bar.start is None:
            colour = ink if selected else theme.colour("error" if bar.verdict == "failed" else "muted")
            self._write(painter, area.adjusted(_MARGIN, 0, -_MARGIN // 2, 0), bar.text, colour)
        else:
            scale = Scale(model.ends, area, _label_width(plain.fontMetrics))
            if not selected:
                painter.setPen(QPen(theme.colour("grid"), 1))
                for tick in ticks(model.ends):
                    x = round(scale.x(tick))
                    painter.drawLine(x, area.top(), x, area.bottom())
            strong = ink if selected else theme.colour(COLOURS.get(bar.verdict, "baseline"))
            self._draw(painter, area, scale, bar, strong, ink)
        painter.restore()

    def _draw(self, painter: QPainter, area: QRect, scale: Scale, bar: Bar, strong: QColor, ink: QColor) -> None:
        assert bar.start is not None and bar.end is not None
        middle, half = area.center().y() + 0.5, area.height() * 0.26
        first, start, end = scale.x(1.0), scale.x(bar.start), scale.x(bar.end)
        pale = QColor(strong)
        pale.setAlpha(_PALE)
        # As far as both have come; what was lost is drawn strong, too.
        painter.fillRect(_between(first, min(start, end) if end > first else first, middle, half), pale)
        painter.fillRect(_between(start, end, middle, half, least=3.0), strong)
        right = max(start, end)
        if bar.low is not None and bar.high is not None:
            low, high = scale.x(bar.low), scale.x(bar.high)
            painter.setPen(QPen(ink, 1))
            painter.drawLine(round(low), round(middle), round(high), round(middle))
            for x in (low, high):
                painter.drawLine(round(x), round(middle - 3), round(x), round(middle + 3))
            right = max(right, high)
        if bar.again is not None:
            x = scale.x(bar.again)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(ink, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            corners = ((x - _DIAMOND, middle), (x, middle - _DIAMOND), (x + _DIAMOND, middle), (x, middle + _DIAMOND))
            painter.drawPolygon([QPointF(*corner) for corner in corners])
            right = max(right, x + _DIAMOND)
        label = QRect(round(right) + _MARGIN // 2, area.top(), area.right() - round(right), area.height())
        self._write(painter, label, factor(bar.end), ink)

    def _write(self, painter: QPainter, area: QRect, text: str, colour: QColor) -> None:
        painter.setPen(colour)
        shown = painter.fontMetrics().elidedText(text.replace("\n", " "), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown)


def _between(one: float, other: float, middle: float, half: float, least: float = 0.0) -> QRectF:
    left, width = min(one, other), max(abs(other - one), least)
    return QRectF(left, middle - half, width, 2 * half)


class _ScaleHeader(QHeaderView):
    def paintSection(self, painter: QPainter, area: QRect, section: int) -> None:  # noqa: N802 - Qt's name
        super().paintSection(painter, area, section)
        model = self.model()
        if section != BAR or not isinstance(model, LadderModel) or not model.rowCount():
            return
        scale = Scale(model.ends, area, _label_width(self.fontMetrics()))
        painter.save()
        painter.setPen(theme.colour("muted"))
        free = area.left()
        for tick in ticks(model.ends):
            text = f"{tick:g}×"
            width = self.fontMetrics().horizontalAdvance(text)
            left = round(scale.x(tick) - width / 2)
            if left >= free and left + width <= area.right():
                painter.drawText(QRect(left, area.top(), width, area.height()), int(Qt.AlignmentFlag.AlignCenter), text)
                free = left + width + _MARGIN
        painter.restore()


class LadderTable(SeriesTable):
    """Shows a :class:`LadderModel`."""

    def __init__(self, model: LadderModel, parent: QWidget | None = None) -> None:
        super().__init__(model, _USUAL, BAR, _ScaleHeader(Qt.Orientation.Horizontal), parent)
        self.setItemDelegateForColumn(BAR, _Bars(self))
        # The bars change their scale with each rung, also where the rows themselves do not change.
        model.dataChanged.connect(self.horizontalHeader().viewport().update)

"""A titled part of a panel that can be folded away; used by the knobs and the model panel."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from workbench.gui import theme


class Section(QWidget):
    """A header to click and what lies under it. ``folded_by_user`` tells that a person chose."""

    toggled = Signal(bool)

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = QWidget()
        self._header = _Header(title)
        self._header.setChecked(True)
        self._header.clicked.connect(self._clicked)
        self.folded_by_user = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self.body)

    def is_open(self) -> bool:
        """Whether the body shows."""
        return self._header.isChecked()

    def set_open(self, on: bool) -> None:
        """Show or fold the body."""
        if on != self.is_open():
            self._header.setChecked(on)
        self.body.setVisible(on)

    def set_hint(self, text: str, tooltip: str = "") -> None:
        """Show *text* faintly at the right of the header."""
        self._header.set_hint(text)
        self._header.setToolTip(tooltip)

    def set_icon(self, name: str) -> None:
        """Show an icon of ``resources/icons`` in front of the title."""
        self._header.set_icon(name)

    def hint(self) -> str:
        """Return the faint text."""
        return self._header.hint

    def title(self) -> str:
        """Return the title."""
        return self._header.text()

    def _clicked(self, on: bool) -> None:
        self.folded_by_user = True
        self.body.setVisible(on)
        self.toggled.emit(on)


class _Header(QAbstractButton):
    def __init__(self, title: str) -> None:
        super().__init__()
        self.hint = ""
        self._icon = ""
        self.setText(title)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        font = self.font()
        font.setBold(True)
        self.setFont(font)

    def set_hint(self, text: str) -> None:
        self.hint = text
        self.update()

    def set_icon(self, name: str) -> None:
        self._icon = name
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        metrics = self.fontMetrics()
        icon = metrics.height() + 6 if self._icon else 0
        return QSize(metrics.horizontalAdvance(self.text()) + 32 + icon, metrics.height() + 10)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette, area = self.palette(), QRectF(self.rect())
        if self.underMouse():
            painter.fillRect(area, palette.color(QPalette.ColorRole.Midlight))
        painter.setPen(QPen(theme.colour("grid"), 1))
        painter.drawLine(QPointF(0, 0.5), QPointF(area.width(), 0.5))
        self._draw_arrow(painter, QPointF(10, area.center().y()))
        text = area.adjusted(20, 0, -6, 0)
        if self._icon:
            size = self.fontMetrics().height()
            place = QRect(20, round(area.center().y() - size / 2), size, size)
            theme.icon(self._icon).paint(painter, place)
            text.adjust(size + 6, 0, 0, 0)
        painter.setPen(palette.color(QPalette.ColorRole.WindowText))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(text, middle | Qt.AlignmentFlag.AlignLeft, self.text())
        left = self.fontMetrics().horizontalAdvance(self.text()) + 12
        faint = self.font()
        faint.setBold(False)
        painter.setFont(faint)
        painter.setPen(theme.colour("muted"))
        rest = text.adjusted(left, 0, 0, 0)
        shown = painter.fontMetrics().elidedText(self.hint, Qt.TextElideMode.ElideRight, int(rest.width()))
        painter.drawText(rest, middle | Qt.AlignmentFlag.AlignRight, shown)
        if self.hasFocus():
            painter.setPen(QPen(palette.color(QPalette.ColorRole.Highlight), 1, Qt.PenStyle.DotLine))
            painter.drawRect(area.adjusted(1.5, 2.5, -1.5, -1.5))

    def _draw_arrow(self, painter: QPainter, middle: QPointF) -> None:
        points = ((-3, -1.5), (0, 1.5), (3, -1.5)) if self.isChecked() else ((-1.5, -3), (1.5, 0), (-1.5, 3))
        painter.setPen(QPen(theme.colour("muted"), 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPolyline(QPolygonF([middle + QPointF(x, y) for x, y in points]))


class _Upright(QScrollArea):
    """Never narrower than its content: what is cut off at the side could not be scrolled to."""

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        hint, content = super().minimumSizeHint(), self.widget()
        if content is None:
            return hint
        needed = content.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(max(needed, hint.width()), hint.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def scrolling(content: QWidget) -> QScrollArea:
    """Return *content* in an area that scrolls up and down only."""
    area = _Upright()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area

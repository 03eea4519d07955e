"""The drawing of the network: a cell per layer, coloured by what one wants to see. Knows nothing of the session.

All in one widget, so that a thousand layers are painted in a few milliseconds. ``chosen`` and ``menu_wanted`` tell
what the user does; what is selected comes back by :meth:`NetworkMap.show_selected`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from workbench.core.findings import Severity
from workbench.core.layer_table import LayerRow
from workbench.core.trial import Layer
from workbench.gui import theme
from workbench.gui.core_layout import Box
from workbench.gui.network_colours import By, Legend, colours, in_words, ink_on
from workbench.gui.network_layout import Grid, NetworkLayout, above_or_below, arrange, grid_of

_TEXT_FROM = 36.0
"""Cells of this width have room for the name of the operation."""
_MARK_FROM = 14.0
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_LINES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_PAD = 4


class NetworkMap(QWidget):
    """All layers of a trial."""

    chosen = Signal(str)  # layer
    menu_wanted = Signal(str, QPoint)  # layer, where on the screen
    legend_changed = Signal(object)  # Legend

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = Grid()
        self._rows: dict[str, LayerRow] = {}
        self._order: list[str] = []
        self._severity: Mapping[str, Severity] = {}
        self._pinned: frozenset[str] = frozenset()
        self._by: By = "error"
        self._colours: Mapping[str, QColor] = {}
        self._layout = NetworkLayout()
        self._cells: dict[str, QRectF] = {}
        self._ways: list[QPolygonF] = []
        self._room = 0.0
        self._selected: str | None = None
        self._hovered: str | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Map of the network"))

    # -- what is shown ------------------------------------------------------------------------------

    def show_layers(self, layers: Sequence[Layer], rows: Sequence[LayerRow], severity: Mapping[str, Severity]) -> None:
        """Draw another trial.

        Args:
            severity: the worst finding of each layer that has one.
        """
        self._grid = grid_of(layers)
        self._rows = {row.name: row for row in rows}
        self._order = [layer.name for layer in layers if layer.name in self._rows]
        self._severity = severity
        self._hovered = None
        self._recolour()
        self._arrange()

    def show_pinned(self, names: frozenset[str]) -> None:
        """Mark the layers that the config pins, whether or not that was measured yet."""
        self._pinned = names
        self.update()

    def show_by(self, by: By) -> None:
        """Colour the layers by something else."""
        self._by = by
        self._recolour()
        self.update()

    def show_selected(self, name: str | None) -> None:
        """Mark a layer; tells nobody."""
        before, self._selected = self._selected, name if name in self._rows else None
        for one in (before, self._selected):
            self._repaint(one)

    def set_room(self, height: float) -> None:
        """Say how high it may become before cells shrink."""
        if abs(height - self._room) > 1:
            self._room = height
            self._arrange()

    def selected(self) -> str | None:
        """Return the layer that is marked."""
        return self._selected

    def cells(self) -> Mapping[str, Box]:
        """Return where each layer lies."""
        return self._layout.cells

    def colour_of(self, name: str) -> QColor | None:
        """Return the colour of a layer; None where nothing is known of it."""
        return self._colours.get(name)

    def _recolour(self) -> None:
        self._colours, legend = colours(list(self._rows.values()), self._by)
        self.legend_changed.emit(legend)

    def _arrange(self) -> None:
        groups = {name: row.fused_into or name for name, row in self._rows.items() if row.fused_into or row.group}
        self._layout = arrange(self._grid, groups, self.width(), self._room)
        self._cells = {name: QRectF(*box) for name, box in self._layout.cells.items()}
        self._ways = [QPolygonF([QPointF(round(x) + 0.5, round(y) + 0.5) for x, y in way]) for way in self._layout.ways]
        self.setFixedHeight(int(self._layout.height + 0.5))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As high as its lines."""
        return QSize(320, int(self._layout.height + 0.5))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Lay out anew for another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Take the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_colours"):
            self._recolour()

    # -- mouse and keys -----------------------------------------------------------------------------

    def at(self, point: QPointF) -> str | None:
        """Return the layer at a point."""
        return next((name for name, box in self._layout.cells.items() if box.contains(point.x(), point.y())), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Choose a layer."""
        name = self.at(event.position())
        if name is not None:
            self.chosen.emit(name)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Light up what is under the mouse."""
        self._hover(self.at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Nothing is under the mouse any more."""
        self._hover(None)

    def _hover(self, name: str | None) -> None:
        if name != self._hovered:
            before, self._hovered = self._hovered, name
            self.setCursor(Qt.CursorShape.PointingHandCursor if name else Qt.CursorShape.ArrowCursor)
            for one in (before, name):
                self._repaint(one)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Ask for a menu, by the mouse or by its key."""
        selected = self._selected
        if event.reason() == QContextMenuEvent.Reason.Keyboard and selected is not None:
            box = self._layout.cells[selected]
            self.menu_wanted.emit(selected, self.mapToGlobal(QPoint(int(box.x), int(box.y + box.height))))
        elif (name := self.at(QPointF(event.pos()))) is not None:
            self.menu_wanted.emit(name, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Left and Right walk in the order of execution, Up and Down from line to line."""
        if not self._order or event.key() not in (*_STEPS, *_LINES, Qt.Key.Key_Home, Qt.Key.Key_End):
            super().keyPressEvent(event)
            return
        key, here = Qt.Key(event.key()), self._selected
        if here is None or key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.chosen.emit(self._order[-1 if key == Qt.Key.Key_End else 0])
        elif key in _LINES:
            self.chosen.emit(above_or_below(self._layout.cells, here, _LINES[key]))
        else:
            index = self._order.index(here) + _STEPS[key]
            self.chosen.emit(self._order[min(max(index, 0), len(self._order) - 1)])

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show that keys act here."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Hide it."""
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Tell all about the layer under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            name = self.at(QPointF(event.pos()))
            if name is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), in_words(self._rows[name], self._rows), self)
            return True
        return super().event(event)

    # -- drawing ------------------------------------------------------------------------------------

    def _repaint(self, name: str | None) -> None:
        if name is not None and (box := self._layout.cells.get(name)) is not None:
            area = QRectF(*box).adjusted(-_PAD, -_PAD, _PAD, _PAD)
            self.update(area.toAlignedRect())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw ways, then what joins layers of one kernel, then cells, then marks."""
        painter = QPainter(self)
        dirty = QRectF(event.rect())
        painter.fillRect(dirty, self.palette().color(QPalette.ColorRole.Base))
        painter.setPen(QPen(theme.colour("baseline"), 1.0))
        for way in self._ways:
            painter.drawPolyline(way)
        for name, box in self._layout.joints:
            joint = QRectF(*box)
            if joint.intersects(dirty):
                self._draw_joint(painter, joint, self._colours.get(name))
        near = dirty.adjusted(-_PAD, -_PAD, _PAD, _PAD)
        cells = [(name, cell) for name, cell in self._cells.items() if near.intersects(cell)]
        self._draw_grounds(painter, cells)
        self._draw_texts(painter, cells)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        marked = {*self._severity, *self._pinned, self._selected, self._hovered}
        for name, cell in cells:
            if name in marked:
                self._draw_marks(painter, name, cell)

    def _draw_joint(self, painter: QPainter, joint: QRectF, ground: QColor | None) -> None:
        """Fill the gap between two layers of one kernel, a little lower than they are."""
        area = joint.adjusted(-1, joint.height() / 4, 1, -joint.height() / 4)
        painter.fillRect(area, ground if ground is not None else theme.colour("grid"))

    def _draw_grounds(self, painter: QPainter, cells: Sequence[tuple[str, QRectF]]) -> None:
        edge = theme.colour("baseline")
        # Nothing is known of a layer without a colour: it is empty, which can be told from every colour.
        painter.setBrush(self.palette().color(QPalette.ColorRole.Base))
        painter.setPen(QPen(edge, 1.0, Qt.PenStyle.DotLine))
        # Straight edges on whole pixels need no antialiasing, which would take ten times as long.
        painter.drawRects([_edges(cell) for name, cell in cells if name not in self._colours])
        painter.setPen(QPen(edge, 1.0))
        for name, cell in cells:
            if (ground := self._colours.get(name)) is not None:
                painter.setBrush(ground)
                painter.drawRect(_edges(cell))

    def _draw_texts(self, painter: QPainter, cells: Sequence[tuple[str, QRectF]]) -> None:
        if not cells or cells[0][1].width() < _TEXT_FROM:
            return
        font = painter.font()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        painter.setFont(font)
        muted = theme.colour("muted")
        for name, cell in cells:
            ground = self._colours.get(name)
            painter.setPen(ink_on(ground) if ground is not None else muted)
            op = self._rows[name].op if name in self._rows else ""
            text = painter.fontMetrics().elidedText(op, Qt.TextElideMode.ElideRight, int(cell.width()) - 6)
            painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_marks(self, painter: QPainter, name: str, cell: QRectF) -> None:
        size = 3.5 if cell.width() >= _MARK_FROM else 2.5
        if (severity := self._severity.get(name)) in ("error", "warning"):
            draw_finding(painter, cell.topRight() + QPointF(-1, 1), size, severity, self.palette())
        if name in self._pinned:
            draw_pin(painter, cell.bottomLeft() + QPointF(1, -1), size, self.palette())
        if name in (self._selected, self._hovered):
            strong = name == self._selected
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Text), 2.0 if strong else 1.0))
            painter.drawRoundedRect(cell.adjusted(-1.5, -1.5, 1.5, 1.5), 3, 3)
            if strong and self.hasFocus():
                painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 1.0))
                painter.drawRoundedRect(cell.adjusted(-3, -3, 3, 3), 4, 4)


def _edges(cell: QRectF) -> QRect:
    return QRect(round(cell.x()), round(cell.y()), round(cell.width()) - 1, round(cell.height()) - 1)


def draw_finding(painter: QPainter, middle: QPointF, size: float, severity: Severity, palette: QPalette) -> None:
    """Draw the dot that says that something is wrong."""
    painter.setPen(QPen(palette.color(QPalette.ColorRole.Base), 1.2))
    painter.setBrush(theme.colour(severity))
    painter.drawEllipse(middle, size, size)


def draw_pin(painter: QPainter, middle: QPointF, size: float, palette: QPalette) -> None:
    """Draw the diamond of a layer whose precision is pinned."""
    painter.setPen(QPen(palette.color(QPalette.ColorRole.Base), 1.2))
    painter.setBrush(palette.color(QPalette.ColorRole.Text))
    x, y, reach = middle.x(), middle.y(), size + 0.8
    corners = [QPointF(x, y - reach), QPointF(x + reach, y), QPointF(x, y + reach), QPointF(x - reach, y)]
    painter.drawPolygon(QPolygonF(corners))


class MapLegend(QWidget):
    """One line: what colours and marks mean."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._legend = Legend()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_legend(self, legend: Legend) -> None:
        """Explain other colours."""
        self._legend = legend
        self.setAccessibleName(" – ".join(legend.ends) if legend.ramp else ", ".join(w for _, w in legend.swatches))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """One line of text."""
        return QSize(200, self.fontMetrics().height() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw colours at the left, then the marks, as many as there is room for."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._x = float(theme.SPACE)
        muted = theme.colour("muted")
        if self._legend.ramp:
            self._word(painter, self._legend.ends[0])
            for colour in self._legend.ramp:
                self._swatch(painter, colour, 14.0, 0.0)
            self._x += 5
            self._word(painter, self._legend.ends[1])
        for colour, word in self._legend.swatches:
            self._swatch(painter, colour, 14.0, 5.0)
            self._word(painter, word)
        middle = self.height() / 2
        marks = (
            ("empty", self.tr("not known")), ("finding", self.tr("finding")), ("pin", self.tr("pinned")),
            ("joint", self.tr("one kernel")),
        )  # fmt: skip
        for kind, word in marks:
            needed = 24 + self.fontMetrics().horizontalAdvance(word) + 10
            if self._x + needed > self.width():
                break
            self._x += 6
            if kind == "finding":
                draw_finding(painter, QPointF(self._x + 5, middle), 3.5, "error", self.palette())
            elif kind == "pin":
                draw_pin(painter, QPointF(self._x + 5, middle), 3.5, self.palette())
            elif kind == "empty":
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(theme.colour("baseline"), 1.0, Qt.PenStyle.DotLine))
                painter.drawRoundedRect(QRectF(self._x, middle - 5, 11, 10), 2, 2)
            else:
                for offset in (0, 11):
                    painter.fillRect(QRectF(self._x + offset - 3, middle - 4, 7, 8), muted)
                painter.fillRect(QRectF(self._x + 2, middle - 2, 8, 4), muted)
            self._x += 18
            self._word(painter, word)

    def _swatch(self, painter: QPainter, colour: QColor, width: float, after: float) -> None:
        painter.setPen(QPen(theme.colour("baseline"), 0.5))
        painter.setBrush(colour)
        painter.drawRect(QRectF(self._x, self.height() / 2 - 5, width, 10))
        self._x += width + after

    def _word(self, painter: QPainter, text: str) -> None:
        painter.setPen(theme.colour("muted"))
        width = self.fontMetrics().horizontalAdvance(text)
        painter.drawText(QRectF(self._x, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
        self._x += width + 8

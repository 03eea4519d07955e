"""The drawing of the core map: cells to click, drag over and reach by keys. Knows nothing of the session.

``chosen`` tells which CPUs the user wants; what is shown comes back by :meth:`CoreCanvas.show_chosen`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from workbench.gui import theme
from workbench.gui.core_layout import Box, Cell, Frame, Layout, Text, Words, arrange, neighbour
from workbench.host.topology import Topology

_GAUGE = 4
"""Width of the bar that shows a CPU's load."""
_KEYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class CoreCanvas(QWidget):
    """All CPUs of a topology; those in *usable* can be chosen."""

    chosen = Signal(object)  # frozenset of CPU numbers
    looked_at = Signal(object)  # CPU number under the mouse or with the focus, None for none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._topology = Topology(())
        self._usable: frozenset[int] = frozenset()
        self._marked: frozenset[int] = frozenset()
        self._load: Mapping[int, float] = {}
        self._layout = Layout((), (), 0.0)
        self._room = 0.0
        self._current = -1
        self._hovered: int | None = None
        self._painting: bool | None = None  # what dragging does: choose or leave out
        self._anchor = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Core map"))

    # -- what is shown ------------------------------------------------------------------------------

    def show_topology(self, topology: Topology, usable: Iterable[int]) -> None:
        """Draw another machine."""
        self._topology = topology
        self._usable = frozenset(usable) & frozenset(topology.online)
        self._current = min(self._usable, default=-1)
        self._arrange()

    def show_chosen(self, cpus: Iterable[int]) -> None:
        """Mark *cpus*; tells nobody."""
        self._marked = frozenset(cpus)
        self.update()

    def show_load(self, load: Mapping[int, float]) -> None:
        """Fill cells by *load*, in percent per CPU."""
        self._load = {cpu: min(max(share, 0.0), 100.0) for cpu, share in load.items() if math.isfinite(share)}
        self.update()

    def set_room(self, height: float) -> None:
        """Say how high it may become before it is scrolled."""
        if height != self._room:
            self._room = height
            self._arrange()

    def cells(self) -> dict[int, Box]:
        """Return where each CPU lies."""
        return {cell.cpu.id: cell.box for cell in self._layout.cells}

    def frames(self) -> tuple[Frame, ...]:
        """Return the titled groups."""
        return self._layout.frames

    def current(self) -> int:
        """Return the CPU that the keys act on."""
        return self._current

    def _arrange(self) -> None:
        metrics = QFontMetricsF(self.font())
        widest = max((metrics.horizontalAdvance(str(cpu)) for cpu in self._topology.online), default=0.0)
        words = Words(self.tr("Package {0}"), self.tr("NUMA node {0}"), self.tr("{0} cores"))
        self._layout = arrange(self._topology, self.width(), self._room, Text(widest, metrics.height()), words)
        self.setMinimumHeight(int(self._layout.height + 0.5))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Lay out anew for another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Lay out anew for another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    # -- mouse --------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Toggle a CPU, or all of a group; with Shift all CPUs from the last one to this."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        cpu = self._cpu_at(event.position())
        if cpu is None:
            self._toggle(self._group_at(event.position()))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._anchor >= 0:
            low, high = sorted((self._anchor, cpu))
            self._choose(self._marked | (set(range(low, high + 1)) & self._usable))
        elif cpu in self._usable:
            self._current = self._anchor = cpu
            self._painting = cpu not in self._marked
            self._paint_over(cpu)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Carry a choice on over other CPUs, or tell what is under the mouse."""
        cpu = self._cpu_at(event.position())
        if self._painting is not None and cpu is not None:
            self._paint_over(cpu)
        if cpu != self._hovered:
            self._hovered = cpu
            on_title = cpu is None and bool(self._group_at(event.position()))
            clickable = cpu in self._usable or on_title
            self.setCursor(Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor)
            self.looked_at.emit(cpu)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """A click or drag is one change."""
        if self._painting is not None:
            self._painting = None
            self.chosen.emit(self._marked)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Nothing is under the mouse any more."""
        self._hovered = None
        self.looked_at.emit(self._current if self.hasFocus() else None)
        self.update()

    def _paint_over(self, cpu: int) -> None:
        if cpu in self._usable:
            self._marked = self._marked | {cpu} if self._painting else self._marked - {cpu}
            self.update()

    def _cpu_at(self, point: QPointF) -> int | None:
        for cell in self._layout.cells:
            if cell.box.contains(point.x(), point.y()):
                return cell.cpu.id
        return None

    def _group_at(self, point: QPointF) -> frozenset[int]:
        """Return the CPUs of the innermost group whose title is at *point*."""
        hit = [frame for frame in self._layout.frames if frame.header.contains(point.x(), point.y())]
        return frozenset(min(hit, key=lambda frame: len(frame.cpus)).cpus) & self._usable if hit else frozenset()

    def _toggle(self, cpus: frozenset[int]) -> None:
        if cpus:
            self._choose(self._marked - cpus if cpus <= self._marked else self._marked | cpus)

    def _choose(self, cpus: Iterable[int]) -> None:
        self._marked = frozenset(cpus)
        self.update()
        self.chosen.emit(self._marked)

    # -- keys ---------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Arrows move, Space toggles, Ctrl+A takes all, Delete none."""
        key = event.key()
        if key in _KEYS:
            self._current = neighbour(self._layout.cells, self._current, *_KEYS[Qt.Key(key)])
            self.looked_at.emit(self._current)
            self.update()
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._anchor = self._current
            self._toggle(frozenset((self._current,)) & self._usable)
        elif key == Qt.Key.Key_A and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._choose(self._usable)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._choose(())
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show which CPU the keys act on."""
        super().focusInEvent(event)
        self.looked_at.emit(self._current)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Hide it."""
        super().focusOutEvent(event)
        self.looked_at.emit(None)
        self.update()

    # -- drawing ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw groups from outside in, then cells."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for frame in sorted(self._layout.frames, key=lambda frame: not frame.outer):
            self._draw_frame(painter, frame)
        # Cells have straight edges on whole pixels, which look sharper (and are drawn faster) without.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        ink = _Ink(self.palette())
        for cell in self._layout.cells:
            self._draw_cell(painter, cell, ink)

    def _draw_frame(self, painter: QPainter, frame: Frame) -> None:
        if frame.outer:
            painter.setPen(QPen(theme.colour("grid"), 1))
            painter.setBrush(self.palette().color(QPalette.ColorRole.AlternateBase))
            painter.drawRoundedRect(QRectF(*frame.box).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.setPen(theme.colour("muted"))
        inset = 8 if frame.outer else 0
        area = QRectF(*frame.header).adjusted(inset, 0, -inset, 0)
        title = painter.fontMetrics().elidedText(frame.title, Qt.TextElideMode.ElideRight, int(area.width()))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, title)

    def _draw_cell(self, painter: QPainter, cell: Cell, ink: _Ink) -> None:
        cpu, box = cell.cpu.id, cell.box
        usable, marked = cpu in self._usable, cpu in self._marked
        # One pixel between the threads of a core, more between cores.
        area = QRect(round(box.x), round(box.y), round(box.width) - 1, round(box.height) - 2)
        ground, edge, text = ink.marked if marked else ink.plain if usable else ink.unusable
        painter.setPen(edge)
        painter.setBrush(ground)
        painter.drawRect(area)
        gauge = QRect(area.right() - _GAUGE + 1, area.top() + 1, _GAUGE, area.height() - 1)
        painter.fillRect(gauge, ink.track)
        filled = round(gauge.height() * self._load.get(cpu, 0.0) / 100.0)
        painter.fillRect(gauge.x(), gauge.bottom() + 1 - filled, _GAUGE, filled, ink.load)
        painter.setPen(text)
        painter.drawText(area.adjusted(0, 0, -_GAUGE, 0), Qt.AlignmentFlag.AlignCenter, str(cpu))
        if (cpu == self._hovered and usable) or (self.hasFocus() and cpu == self._current):
            painter.setPen(QPen(text, 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(2, 2, -_GAUGE - 2, -2))


class _Ink:
    """Colours of one painting: ground, edge and text of each kind of cell, and of the load."""

    def __init__(self, palette: QPalette) -> None:
        role, faded = QPalette.ColorRole, QPalette.ColorGroup.Disabled
        chosen = palette.color(role.Highlight)
        nothing = QColor(Qt.GlobalColor.transparent)
        self.marked = chosen, QPen(chosen, 1), palette.color(role.HighlightedText)
        self.plain = palette.color(role.Base), QPen(palette.color(role.Mid), 1), palette.color(role.Text)
        self.unusable = nothing, QPen(palette.color(role.Mid), 1, Qt.PenStyle.DotLine), palette.color(faded, role.Text)
        self.load = QColor(theme.ORANGE)
        self.track = QColor(palette.color(role.Mid))
        self.track.setAlpha(90)

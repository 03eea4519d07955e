"""One finding on a card: where, what, a button per repair, and what came of the one that was tried."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from workbench.core.findings import Finding, Repair
from workbench.gui import finding_words as words
from workbench.gui import theme
from workbench.gui.flow_layout import FlowLayout
from workbench.gui.labels import ElidedLabel, MutedLabel, Remark
from workbench.gui.language import said
from workbench.gui.repair_trials import Attempt

_BAR = 3


class Outcome(QWidget):
    """What came of an attempt: a verdict, figures before and after, and a way back."""

    undo_wanted = Signal(object)  # Attempt

    def __init__(self, attempt: Attempt, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.attempt = attempt
        text, icon = words.outcome(attempt)
        self._verdict = Remark()
        self._verdict.say(text, icon, {"undo": "muted", "clock": "muted", "info": "muted"}.get(icon, icon))
        self._figures = MutedLabel()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE // 4)
        column.addWidget(self._verdict)
        if attempt.after is not None and attempt.after.status == "ok":
            self._figures.setText(words.figures(attempt.before, attempt.after))
            self._figures.setToolTip(
                self.tr("One process each: a difference of some per cent in time may be chance. Compare to be sure.")
            )
            column.addWidget(self._figures)
        self.undo = QPushButton(theme.icon("undo"), self.tr("Undo"))
        self.undo.setToolTip(self.tr("Take the repair back and show the trial before it"))
        self.undo.setAutoDefault(False)
        self.undo.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.undo.clicked.connect(lambda: self.undo_wanted.emit(self.attempt))
        column.addWidget(self.undo)

    def text(self) -> str:
        """Return all that it says."""
        return "\n".join(part for part in (self._verdict.text(), self._figures.text()) if part)


class FindingCard(QFrame):
    """One finding.

    Args:
        finding: what is shown.
        attempt: what was tried for it.
        missing: what to say where the trial does not have it any more.
    """

    picked = Signal(object)  # Finding
    repair_wanted = Signal(object, object)  # list of Finding, list of Repair

    def __init__(
        self, finding: Finding, attempt: Attempt | None, *, missing: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.finding = finding
        self._marked = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"{words.place(finding)}: {said(finding.what)}")
        name = ElidedLabel(words.place(finding), Qt.TextElideMode.ElideMiddle)
        name.set_bold(True)
        name.setEnabled(not missing)
        self.what = QLabel(missing or said(finding.what))
        self.what.setWordWrap(True)
        self.what.setTextFormat(Qt.TextFormat.PlainText)
        self.what.setEnabled(not missing)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE + _BAR, theme.SPACE // 2 + 2, theme.SPACE, theme.SPACE // 2 + 2)
        column.setSpacing(theme.SPACE // 2)
        column.addWidget(name)
        column.addWidget(self.what)
        self.buttons: list[QPushButton] = []
        if not missing and finding.repairs:
            self._add_buttons(column, finding.repairs)
        self.outcome = Outcome(attempt) if attempt is not None else None
        if self.outcome is not None:
            column.addWidget(self.outcome)

    def _add_buttons(self, column: QVBoxLayout, repairs: Sequence[Repair]) -> None:
        holder = QWidget()
        flow = FlowLayout(holder)
        for repair in repairs:
            button = QPushButton(words.button(self.finding, repair))
            button.setToolTip(words.tip(repair))
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, chosen=repair: self.repair_wanted.emit([self.finding], [chosen]))
            flow.addWidget(button)
            self.buttons.append(button)
        column.addWidget(holder)

    def mark(self, on: bool) -> None:
        """Show that its layer is the one that is selected."""
        if on != self._marked:
            self._marked = on
            self.update()

    def is_marked(self) -> bool:
        """Whether its layer is shown as selected."""
        return self._marked

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Select its layer."""
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.picked.emit(self.finding)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Select its layer by Enter or Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.picked.emit(self.finding)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw a ground, and a bar at the left in the colour of the severity, broad where it is selected."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self.palette()
        painter.setPen(theme.colour("grid") if not self._marked else palette.color(QPalette.ColorRole.Highlight))
        painter.setBrush(palette.color(QPalette.ColorRole.Base))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        meaning = self.finding.severity if self.finding.severity != "info" else "muted"
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour(meaning))
        painter.drawRoundedRect(QRectF(1, 1, _BAR, self.height() - 2), 1.5, 1.5)
        if self.hasFocus():
            painter.setPen(palette.color(QPalette.ColorRole.Highlight))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)

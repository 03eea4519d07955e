"""What the centre shows before a model is open: the bundled samples, the models opened last, where to drop files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench.core.samples import Summary, summaries
from workbench.gui import theme
from workbench.gui.labels import MutedLabel
from workbench.gui.language import said
from workbench.gui.opening import Recent, RecentModels
from workbench.gui.section import scrolling

_CARD_WIDTH = 264


class StartPage(QWidget):
    """Signals what the user wants opened; knows no session.

    Args:
        recent: the models opened last.
        samples: what to offer; the bundled ones by default.
    """

    sample_chosen = Signal(str)
    recent_chosen = Signal(object)  # Recent
    open_wanted = Signal()
    callable_wanted = Signal()

    def __init__(
        self, recent: RecentModels, samples: Sequence[Summary] | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._recent = recent
        found = summaries() if samples is None else samples
        self.cards = [self._card(sample) for sample in found]
        self.recent_list = QVBoxLayout()
        self.recent_list.setSpacing(theme.SPACE // 2)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(theme.SPACE * 4, theme.SPACE * 3, theme.SPACE * 4, theme.SPACE * 3)
        column.setSpacing(theme.SPACE * 2)
        column.addLayout(self._head())
        column.addWidget(_heading(self.tr("Samples", "models")))
        column.addWidget(_Grid(self.cards))
        self._recent_heading = _heading(self.tr("Opened last"))
        column.addWidget(self._recent_heading)
        column.addLayout(self.recent_list)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scrolling(content))
        recent.changed.connect(self._follow_recent)
        self._follow_recent()

    def _head(self) -> QHBoxLayout:
        title = QLabel(self.tr("What does this CPU do with your model?"))
        font = title.font()
        font.setPointSizeF(font.pointSizeF() * 1.7)
        font.setBold(True)
        title.setFont(font)
        title.setWordWrap(True)
        lead = MutedLabel(
            self.tr(
                "Open a model or try a sample, turn the knobs, and see what each of them does to latency and accuracy."
            )
        )
        words = QVBoxLayout()
        words.setSpacing(theme.SPACE // 2)
        words.addWidget(title)
        words.addWidget(lead)
        words.addWidget(
            MutedLabel(self.tr("A model, a folder of pictures for it, or a bundle can also be dropped anywhere here."))
        )
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE)
        row.addLayout(words, 1)
        open_model = self._button("open", self.tr("&Open model …"), self.open_wanted.emit)
        open_model.setDefault(True)
        row.addWidget(open_model, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(
            self._button("python", self.tr("Open &callable …"), self.callable_wanted.emit), 0, Qt.AlignmentFlag.AlignTop
        )
        return row

    def _button(self, icon: str, text: str, action: Callable[[], None]) -> QPushButton:
        button = QPushButton(theme.icon(icon), text)
        button.clicked.connect(action)
        return button

    def _card(self, sample: Summary) -> Card:
        badge = self.tr("trained") if sample.trained else self.tr("for speed only")
        note = said(sample.note)
        if sample.missing:
            note = self.tr("Not installed. Run: pip install 'inference-workbench[{extra}]'").format(extra=sample.extra)
        card = Card(said(sample.title), note, badge, good=sample.trained)
        card.setEnabled(not sample.missing)
        card.clicked.connect(lambda: self.sample_chosen.emit(f"sample:{sample.name}"))
        return card

    def _follow_recent(self) -> None:
        while (item := self.recent_list.takeAt(0)) is not None:
            if widget := item.widget():
                widget.deleteLater()
        entries = self._recent.entries()
        for entry in entries:
            self.recent_list.addWidget(self._recent_row(entry))
        self._recent_heading.setVisible(bool(entries))

    def _recent_row(self, entry: Recent) -> QWidget:
        button = RecentRow(entry)
        button.clicked.connect(lambda: self.recent_chosen.emit(entry))
        return button


class _Painted(QAbstractButton):
    """A button drawn as a plain surface with an edge."""

    def __init__(self) -> None:
        super().__init__()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def event(self, event: QEvent) -> bool:
        """Repaint when the mouse comes or goes."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the surface."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self.palette()
        inviting = self.isEnabled() and (self.underMouse() or self.hasFocus())
        edge = palette.color(QPalette.ColorRole.Highlight) if inviting else theme.colour("grid")
        raised = QPalette.ColorRole.Button if theme.is_dark() else QPalette.ColorRole.Base
        ground = raised if self.isEnabled() else QPalette.ColorRole.Window
        if self.isDown():
            ground = QPalette.ColorRole.AlternateBase
        painter.setPen(QPen(edge, 2.0 if self.hasFocus() else 1.0))
        painter.setBrush(palette.color(ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)


class Card(_Painted):
    """One sample: title, what it is good for, whether its answers mean anything."""

    def __init__(self, title: str, note: str, badge: str, *, good: bool) -> None:
        super().__init__()
        self.setText(title)
        self.setAccessibleName(title)
        self.setAccessibleDescription(f"{note} {badge}")
        self.note, self.badge = note, badge
        heading = QLabel(title)
        font = heading.font()
        font.setBold(True)
        heading.setFont(font)
        heading.setWordWrap(True)
        text = MutedLabel(note)
        self._mark = _Badge(badge, "ok" if good else "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(
            theme.SPACE * 3 // 2, theme.SPACE * 5 // 4, theme.SPACE * 3 // 2, theme.SPACE * 5 // 4
        )
        column.setSpacing(theme.SPACE // 2)
        column.addWidget(heading)
        column.addWidget(text)
        column.addStretch(1)
        column.addSpacing(theme.SPACE // 2)
        column.addWidget(self._mark)
        for label in (heading, text, self._mark):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    def sizeHint(self) -> QSize:  # noqa: N802
        """The texts' own size, at the width of a column."""
        layout = self.layout()
        assert layout is not None
        return QSize(_CARD_WIDTH, max(layout.heightForWidth(_CARD_WIDTH), layout.minimumSize().height()))

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Texts wrap."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """What the wrapped texts need."""
        layout = self.layout()
        assert layout is not None
        return layout.heightForWidth(width)


class _Badge(QLabel):
    """A word in the colour of what it means."""

    def __init__(self, text: str, meaning: str) -> None:
        super().__init__(text)
        self._meaning = meaning
        self.setForegroundRole(QPalette.ColorRole.WindowText)  # inside a button it would be ButtonText
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.9)
        self.setFont(font)
        self._tint()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.EnabledChange):
            self._tint()

    def _tint(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, theme.colour(self._meaning if self.isEnabled() else "muted"))
        self.setPalette(palette)


class RecentRow(_Painted):
    """One model of the list: name and folder."""

    def __init__(self, entry: Recent) -> None:
        super().__init__()
        self.entry = entry
        self.setText(entry.title)
        self.setToolTip(entry.text)
        name = QLabel(entry.title)
        name.setTextFormat(Qt.TextFormat.PlainText)
        place = MutedLabel(entry.place)
        place.setWordWrap(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE * 3 // 2, theme.SPACE * 3 // 4, theme.SPACE * 3 // 2, theme.SPACE * 3 // 4)
        row.setSpacing(theme.SPACE * 2)
        row.addWidget(name)
        row.addWidget(place, 1)
        for label in (name, place):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:  # noqa: N802
        """The texts' own size."""
        layout = self.layout()
        assert layout is not None
        return layout.sizeHint()


class _Grid(QWidget):
    """Cards in as many columns as there is room for."""

    def __init__(self, cards: Sequence[QWidget]) -> None:
        super().__init__()
        self._cards = cards
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(theme.SPACE * 3 // 2)
        self._arrange(3)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Choose the number of columns."""
        super().resizeEvent(event)
        self._arrange(max(1, (self.width() + theme.SPACE) // (_CARD_WIDTH + theme.SPACE)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """One column must be enough."""
        return QSize(_CARD_WIDTH, super().minimumSizeHint().height())

    def _arrange(self, columns: int) -> None:
        columns = min(columns, max(1, len(self._cards)))
        if columns == self._columns:
            return
        for column in range(self._columns):
            self._grid.setColumnStretch(column, 0)
        self._columns = columns
        for place, card in enumerate(self._cards):
            self._grid.addWidget(card, place // columns, place % columns)
        for column in range(columns):
            self._grid.setColumnStretch(column, 1)


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    font = label.font()
    font.setPointSizeF(font.pointSizeF() * 1.15)
    font.setBold(True)
    label.setFont(font)
    return label

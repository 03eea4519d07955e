"""A button that takes the best range, with a menu of all that can be taken. Part of the range editor."""

from __future__ import annotations

from collections.abc import Container, Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from workbench.gui.error_plot import mark_icon

_KEYS = ("mse", "percentile", "kl", "clamp", "calibrated", "now")


class SuggestButton(QToolButton):
    """``taken`` tells the range that was chosen.

    Args:
        names: of the ranges that the error plot marks.
    """

    taken = Signal(str)

    def __init__(self, names: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(self.tr("Suggest"))
        self.setToolTip(self.tr("Take the range with the least squared error"))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        menu = QMenu(self)
        self.setMenu(menu)
        self.choices = {}
        for key in _KEYS:
            self.choices[key] = action = menu.addAction(
                names.get(key) or self.tr("What the next operation lets through")
            )
            action.triggered.connect(lambda _=False, key=key: self.taken.emit(key))
        self._marked = tuple(key for key in _KEYS if key in names)
        menu.aboutToShow.connect(self._colour)
        self.clicked.connect(lambda: self.taken.emit(_KEYS[0]))

    def show_known(self, known: Container[str]) -> None:
        """Grey what cannot be taken."""
        for key, action in self.choices.items():
            action.setEnabled(key in known)
        self.setEnabled(any(action.isEnabled() for action in self.choices.values()))

    def _colour(self) -> None:
        """Draw the marks in the colours of the theme as it is now."""
        for key in self._marked:
            self.choices[key].setIcon(mark_icon(key))

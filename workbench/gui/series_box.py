"""A box to choose one of the stored series of a study; hidden while there is no choice. Used by ladder and sweep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QComboBox, QWidget

from workbench.gui.stored_series import StoredSeries


class SeriesBox(QComboBox):
    """Shows which of *series* is looked at.

    Args:
        series: what there is.
        text: says one of them in a few words.
    """

    def __init__(self, series: StoredSeries, text: Callable[[Any], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._series = series
        self._text = text
        self.activated.connect(series.choose)

    def follow(self) -> None:
        """Show what there is now."""
        texts = [self._text(each) for each in self._series.all]
        if texts != [self.itemText(row) for row in range(self.count())]:
            self.clear()
            self.addItems(texts)
        self.setCurrentIndex(self._series.shown)
        self.setVisible(len(texts) > 1)

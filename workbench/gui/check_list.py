"""What was checked of a bundle, one line per check: whether it is fine, its name, what was found."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from workbench.gui import theme
from workbench.gui.labels import IconLabel, PlainLabel
from workbench.gui.language import said

translate = QCoreApplication.translate


class CheckList(QWidget):
    """Grows check by check."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.SPACE)
        self._grid.setVerticalSpacing(theme.SPACE // 2)
        self._grid.setColumnStretch(2, 1)
        self._rows: list[tuple[str, bool, str]] = []

    def add(self, name: str, ok: bool, detail: str) -> None:
        """Show one more check."""
        row, top = len(self._rows), Qt.AlignmentFlag.AlignTop
        shown = (check_in_words(name), ok, said(detail))
        self._rows.append(shown)
        self._grid.addWidget(IconLabel("ok" if ok else "error"), row, 0, top)
        self._grid.addWidget(QLabel(shown[0], textFormat=Qt.TextFormat.PlainText), row, 1, top)
        self._grid.addWidget(PlainLabel(shown[2]), row, 2)

    def clear(self) -> None:
        """Show none."""
        self._rows.clear()
        while (item := self._grid.takeAt(0)) is not None:
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()

    def rows(self) -> list[tuple[str, bool, str]]:
        """Return what is shown, top down."""
        return list(self._rows)


def check_in_words(name: str) -> str:
    """Return the name of a check."""
    return {
        "files": translate("CheckList", "Files"),
        "versions": translate("CheckList", "Versions"),
        "cpu": translate("CheckList", "CPU"),
        "preprocessing": translate("CheckList", "Preprocessing"),
        "golden outputs": translate("CheckList", "Golden outputs"),
        "INT8 kernels": translate("CheckList", "INT8 kernels"),
        "latency": translate("CheckList", "Latency"),
    }.get(name, name)

"""Small stand-ins for the window's panels, and the way to what is in its menus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QVBoxLayout, QWidget

from workbench.gui.main_window import MainWindow
from workbench.gui.panels import Panel
from workbench.gui.session import Session


class _Painter(QLabel):
    """A panel that has painted each burst at once."""

    def __init__(self, session: Session) -> None:
        super().__init__("panel")
        session.job_started.connect(lambda job: job.burst.connect(lambda _: job.painted()))


def _with_field(session: Session) -> QWidget:
    panel = QWidget()
    QVBoxLayout(panel).addWidget(QLineEdit())
    return panel


PANELS = (
    Panel("model", "Model", "left", lambda _: QLabel("model")),
    Panel("knobs", "Knobs", "left", _with_field),
    Panel("latency", "Latency", "centre", _Painter),
    Panel("accuracy", "Accuracy", "right", lambda _: QLabel("accuracy")),
    Panel("trials", "Trials", "bottom", lambda _: QLabel("trials")),
    Panel("log", "Log", "bottom", lambda _: QLabel("log")),
)


def visible(window: MainWindow) -> set[str]:
    """Keys of the docks that are there to be seen."""
    return {key for key, dock in window.docks.items() if not dock.isHidden()}


def all_actions(window: MainWindow) -> Iterator[QAction]:
    """Everything in the menus."""
    for top in window.menuBar().actions():
        yield from _actions_of(top.menu())


def named(window: MainWindow, text: str) -> QAction:
    """The menus' entry of that text."""
    return next(action for action in all_actions(window) if action.text().replace("&", "") == text)


def _actions_of(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        if action.menu() is not None:
            yield from _actions_of(action.menu())
        elif not action.isSeparator():
            yield action


def drag(path: Path, kind: Any = QDropEvent) -> Any:
    """Return the event of *path* being dragged onto a window, or dropped there."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    place = QPoint(5, 5) if kind is QDragEnterEvent else QPointF(5, 5)
    drop = kind(place, Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    drop.mime = mime  # keeps it alive
    return drop

"""What can be done with the chosen row of a table, by its menu and by keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QTableView

from workbench.gui import theme


def row_action(
    table: QTableView,
    text: str,
    what: Callable[[], object],
    icon: str,
    keys: str | QKeySequence.StandardKey,
    tip: str,
    context: Qt.ShortcutContext = Qt.ShortcutContext.WidgetShortcut,
) -> QAction:
    """Make an action of *table*, whose keys work while the table has the focus; its tooltip tells them.

    Args:
        keys: empty: none.
    """
    action = QAction(theme.icon(icon), text, table)
    if keys:
        action.setShortcut(QKeySequence(keys))
    action.setShortcutContext(context)
    shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    action.setToolTip(f"{text.removesuffix(' …')} ({shown})\n{tip}" if shown else f"{text}\n{tip}")
    action.triggered.connect(lambda *_: what())
    table.addAction(action)
    return action

"""Keeps the one window in front of the session, and exchanges it for one in another language; used by the entry."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings

from workbench.gui import language
from workbench.gui.main_window import MainWindow
from workbench.gui.session import Session


class Front(QObject):
    """Makes the window and shows it; ``window`` is the present one."""

    def __init__(self, session: Session, settings: QSettings) -> None:
        super().__init__()
        self._session = session
        self._settings = settings
        self.window = self._opened()

    def _opened(self) -> MainWindow:
        window = MainWindow(self._session, self._settings)
        window.language_chosen.connect(self._speak)
        if window.width() > window.screen().availableSize().width():
            window.showMaximized()
        else:
            window.show()
        if self._session.host is None or not self._session.host.engines:
            window.read_host()
        return window

    def _speak(self) -> None:
        """Show everything in the language that the settings name now: widgets hold no truth and are made anew."""
        before = self.window
        before.remember()
        language.apply(language.of(self._settings.value("language")))
        self.window = self._opened()
        before.hide()
        before.deleteLater()

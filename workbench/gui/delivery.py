"""What carries results out of the window and in: bundles and reports. Asks where to, and starts what makes them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui import tasks
from workbench.gui.export_dialog import ExportDialog
from workbench.gui.import_dialog import ImportDialog
from workbench.gui.session import Session

_FOLDER = "delivery/folder"


class Delivery(QObject):
    """Exports and reports on the selected trial of a session, and opens bundles.

    Args:
        settings: where the folder is remembered that things were put into last.
    """

    def __init__(self, session: Session, settings: QSettings, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._window = window
        self.dialog: ExportDialog | None = None
        self.arrival: ImportDialog | None = None
        session.export_wanted.connect(self.export)

    def export_selected(self) -> None:
        """Ask how to export the selected trial."""
        self.export(self._session.selected)

    def export(self, trial: Trial | None) -> None:
        """Ask how to export a trial; a dialog that is open already comes to the front."""
        if self.dialog is not None:
            self.dialog.show()
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        if trial is None or trial.id is None:
            return
        self.dialog = ExportDialog(self._session, trial, self._folder(), self._window)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.finished.connect(self._closed)
        self.dialog.show()

    def _closed(self) -> None:
        if self.dialog is not None:
            self._remember(self.dialog.out())
        self.dialog = None

    def open_bundle(self) -> None:
        """Ask for a bundle, and run it here."""
        title, what = self.tr("Open a bundle"), self.tr("Bundles (manifest.json *.zip)")
        path, _ = QFileDialog.getOpenFileName(self._window, title, str(self._folder()), what)
        if path:
            self.import_bundle(Path(path))

    def import_bundle(self, place: Path) -> None:
        """Run a bundle here and show what is otherwise than where it was made."""
        if self.arrival is not None:
            self.arrival.close()
        self.arrival = ImportDialog(self._session, place, self._window)
        self.arrival.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.arrival.finished.connect(self._arrival_closed)
        self.arrival.show()
        self.arrival.begin()

    def _arrival_closed(self) -> None:
        self.arrival = None

    def report(self, language: str) -> None:
        """Ask for a file, and write the report on the selected trial there."""
        trial = self._session.selected
        if trial is None or trial.id is None:
            return
        name = Path(trial.model.name.removeprefix("sample:")).stem
        title, what = self.tr("Write a report"), self.tr("Web pages (*.html)")
        path, _ = QFileDialog.getSaveFileName(
            self._window, title, str(self._folder() / f"{name}-{trial.id}.html"), what
        )
        if path:
            out = Path(path)
            self.write_report(trial, out if out.suffix else out.with_suffix(".html"), language)

    def write_report(self, trial: Trial, out: Path, language: str) -> None:
        """Write the report on *trial* in a process of its own, and offer to open it."""
        session = self._session
        if session.store is None:
            return
        self._remember(out)
        known = session.baseline.id if session.baseline is not None else None
        command = ["report", "--study", session.store.place, "--trial", str(trial.id), "--out", str(out),
                   "--language", language, *(["--baseline", str(known)] if known is not None else [])]  # fmt: skip
        tasks.run(lambda: _run(command), lambda _: self._offer(out), session.tell, self)

    def _offer(self, out: Path) -> None:
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(self.tr("Report"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("The report is written."))
        box.setInformativeText(str(out))
        box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Close)
        box.button(QMessageBox.StandardButton.Open).clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(out)))
        )
        box.open()

    def _folder(self) -> Path:
        known = Path(str(self._settings.value(_FOLDER) or ""))
        return known if known.is_absolute() and known.is_dir() else Path.home()

    def _remember(self, out: Path) -> None:
        if out.parent.is_dir():
            self._settings.setValue(_FOLDER, str(out.parent))


def _run(command: list[str]) -> None:
    """Run a verb of the command line: drawing figures in this process would hold the window up.

    Raises:
        UserError: what the verb said.
    """
    package = str(Path(__file__).resolve().parents[2])
    inherited = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    path = os.pathsep.join(dict.fromkeys([package, *filter(None, inherited)]))
    ran = subprocess.run(
        [sys.executable, "-m", "workbench", *command], capture_output=True, encoding="utf-8", check=False,
        env={**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1", "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    if ran.returncode:
        raise UserError(*[line for line in ran.stderr.splitlines() if line][-3:] or [f"Exit code {ran.returncode}."])

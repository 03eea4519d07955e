"""The window's entry: checks the display, makes the application, opens the window. Called by the command line."""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from workbench.errors import UserError
from workbench.gui import display

NAME = "Inference Workbench"
_ORGANISATION = "inference-workbench"
_PATIENCE_MS = 1000


@dataclass(frozen=True)
class _Wish:
    model: str | None = None
    tour: Path | None = None


def main(arguments: list[str]) -> int:
    """Show the window until it is closed.

    Args:
        arguments: a model to open, ``--tour DIR``, or nothing.

    Returns:
        The exit code: 0; 2 where no window can be shown; of a tour that of :func:`workbench.gui.tour.take`.
    """
    wish = _read(arguments)
    if wish.tour is not None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    display.drop_foreign_plugins(os.environ)
    problem = display.problem()
    if problem is None:
        try:
            import PySide6.QtWidgets  # noqa: F401

            if importlib.util.find_spec("pyqtgraph") is None:  # importing it would take half a second
                raise ModuleNotFoundError("No module named 'pyqtgraph'", name="pyqtgraph")
        except ImportError as error:
            problem = display.missing_library(error)
    if problem is not None:
        print(" ".join(str(problem).splitlines()), file=sys.stderr)
        return 2
    return _show(wish)


def _read(arguments: list[str]) -> _Wish:
    rest, tour = list(arguments), None
    if "--tour" in rest:
        place = rest.index("--tour")
        if place + 1 == len(rest):
            raise UserError("--tour needs a folder for its pictures.", "", "Write: workbench --tour DIR")
        tour = Path(rest[place + 1])
        del rest[place : place + 2]
    strange = [word for word in rest[1:] if rest] + [word for word in rest[:1] if word.startswith("-")]
    if strange:
        raise UserError(
            f"'{strange[0]}' means nothing here.",
            "The window takes one model, and --tour DIR.",
            "Everything else is set in the window, or with `workbench measure`.",
        )
    return _Wish(rest[0] if rest else None, tour)


def _show(wish: _Wish) -> int:
    from PySide6.QtCore import QSettings, Qt
    from PySide6.QtWidgets import QApplication

    from workbench.gui import bug_dialog, interpreter, language, tasks, theme
    from workbench.gui.front import Front
    from workbench.gui.interrupts import Interrupts
    from workbench.gui.session import Session

    # An OpenCV that is not the headless one changes the variables when it is imported (B73).
    display.drop_foreign_plugins(os.environ)
    # Exact scale factors: rounded ones misplace the axes of plots at 125 % (B79).
    QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = QApplication(sys.argv[:1])
    app.setOrganizationName(_ORGANISATION)
    app.setApplicationName(_ORGANISATION)
    app.setApplicationDisplayName(NAME)
    app.setDesktopFileName(_ORGANISATION)
    interrupts = Interrupts(app)
    hooks = bug_dialog.Hooks(app)
    try:
        interpreter.begin()
        session = Session()
        if wish.tour is not None:
            from workbench.gui import tour

            interpreter.settle()
            code = tour.take(wish.tour, session, wish.model, interrupts.came)
        else:
            settings = QSettings()
            theme.apply(theme.mode_of(settings.value("theme")))
            language.apply(language.of(settings.value("language")))
            language.add_font()
            front = Front(session, settings)
            front.window.when_furnished(interpreter.settle)
            if wish.model:
                session.open_model_soon(wish.model)
            code = app.exec()
            del front
        if not tasks.wait(_PATIENCE_MS) or (session.job is not None and session.job.isRunning()):
            _leave_now(code)
        return code
    finally:
        hooks.remove()
        interrupts.undo()


def _leave_now(code: int) -> NoReturn:
    """End the process while a task or a job still runs, and the children that it waits for.

    Engines that are being tried for the first time keep either busy for half a minute, and a thread that runs
    Python hangs the interpreter's orderly end.
    """
    import contextlib

    import psutil

    sys.stdout.flush()
    sys.stderr.flush()
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            child.kill()
    # At once: the task must not take the killed children for engines that do not work.
    os._exit(code)

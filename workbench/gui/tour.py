"""``workbench --tour DIR``: the real window measures a real model, and its pictures are saved.

Two trials, FP32 and INT8, a short ladder and a short sweep run as a user would start them; nothing is faked, so the
pictures also show that the whole chain works on this machine. Pictures of the window in other languages go into
folders of their names. Neither the user's settings nor their studies are touched.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject, QSettings, QTimer, SignalInstance
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from workbench.core.trial import Trial
from workbench.errors import UserError
from workbench.gui import language, tasks, theme
from workbench.gui.main_window import MainWindow
from workbench.gui.session import Session

SAMPLE = "sample:efficientnet-lite0"
RUNGS = ("naive", "graph optimization", "oneDNN", "ONNX Runtime", "INT8, ONNX Runtime", "INT8")
"""A ladder with few rungs shows what the panel looks like; those of the other format do not count."""
RUNS = 100
_SIZE = (1280, 720)
_PATIENCE_S = 300
_SETTLE_MS = 400
"""Panels wait a little for the next change before they start reading; a picture waits longer than that."""


class _Ended(Exception):
    """A signal asks for the end; it holds the number of the signal."""


def take(folder: Path, session: Session, model: str | None = None, interrupted: SignalInstance | None = None) -> int:
    """Drive the window and save its pictures into *folder*; print the names of the files.

    Args:
        session: a fresh one, which is shut down at the end.
        interrupted: tells the number of a signal that shall end the tour at once.

    Returns:
        0; 1 where a trial was not ok; 128 and the number of the signal that ended it, as shells have it.

    Raises:
        UserError: the folder cannot be written, or the model cannot be opened or measured.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"Cannot make the folder {folder}.", f"{error}.", "Give another one.") from error
    with tempfile.TemporaryDirectory(prefix="workbench-tour-") as place:
        tour = _Tour(folder, Path(place), session)
        if interrupted is not None:
            interrupted.connect(tour.interrupt)
        try:
            trials = tour.run(model or SAMPLE)
        except _Ended as ended:
            return 128 + int(ended.args[0])
        finally:
            tour.leave()
            tour.end()
    for name in tour.saved:
        print(name)
    return 0 if all(trial.status == "ok" for trial in trials) else 1


class _Tour:
    def __init__(self, folder: Path, place: Path, session: Session) -> None:
        self.saved: list[str] = []
        self._folder = folder
        self._place = place
        theme.apply("light")
        self._session = session
        self._refusal: UserError | None = None
        self._signal = 0
        self._loop = QEventLoop()
        self._session.refused.connect(self._refused)
        settings = QSettings(str(place / "tour.ini"), QSettings.Format.IniFormat)
        language.apply("en")
        language.add_font()
        self._settings = settings
        self._window = self._opened()

    def _opened(self) -> MainWindow:
        window = MainWindow(self._session, self._settings)
        window.resize(*_SIZE)
        window.show()
        return window

    def run(self, model: str) -> list[Trial]:
        session = self._session
        self._window.read_host()
        self._until(session.host_changed, lambda: session.host is not None and bool(session.host.engines))
        self._in_both_themes(lambda mode: self._save(self._window, "start", mode))
        session.open_model_soon(model)
        self._until(session.subject_changed, lambda: session.subject is not None)
        session.open_study(str(self._place / "tour.sqlite"))
        session.set_knobs({"engine": self._engine()})
        trials = [self._measure()]
        session.set_baseline(session.selected)
        session.set_knobs({"precision": "int8"})
        trials.append(self._measure(picture=True))
        latency = trials[-1].latency
        if latency is not None:
            session.set_deadline(round(latency.p90_ms * 1.2, 2))
        session.pins.current_against_baseline()
        self._climb()
        self._sweep()
        session.select(trials[-1])
        self._rest()
        self._show_a_layer()
        self._in_both_themes(self._save_all)
        for name in language.NAMES:
            if name != "en":
                self._speak(name)
        return trials

    def _speak(self, name: language.Language) -> None:
        """Save all pictures once more, in another language."""
        self.leave()
        language.apply(name)
        self._folder = self._folder / name
        self._folder.mkdir(exist_ok=True)
        self._window = self._opened()
        self._rest()
        self._in_both_themes(self._save_all)
        self._window.show_start()
        self._in_both_themes(lambda mode: self._save(self._window, "start", mode))
        self._folder = self._folder.parent

    def interrupt(self, number: int) -> None:
        """Let nothing more be waited for."""
        self._signal = number
        self._loop.quit()

    def leave(self) -> None:
        self._window.hide()
        self._window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def end(self) -> None:
        self._session.shutdown()
        language.apply("en")

    def _engine(self) -> str:
        host = self._session.host
        works = {engine.name for engine in host.engines if engine.available} if host else set()
        return "onnxruntime" if "onnxruntime" in works else "torch"

    def _measure(self, *, picture: bool = False) -> Trial:
        session = self._session
        before = len(session.trials)
        if session.config.precision == "int8":
            session.look_into_layers()
        else:
            session.run_once(RUNS)
        job = session.job
        if picture and job is not None:
            # Between the burst and its answer nothing is timed, so that a picture disturbs nothing.
            job.burst.connect(lambda _: self._save(self._window, "measuring", "light"))
        self._until(session.job_ended, lambda: session.job is None)
        if len(session.trials) == before:
            raise UserError("The tour's run gave no result.")
        return session.trials[-1]

    def _show_a_layer(self) -> None:
        """Select a layer that something is to be said about, else the first with a kernel."""
        reading = self._session.layers
        rows = [row for row in reading.table.layers if row.dtype is not None] if reading.table is not None else []
        told = [row for row in rows if row.flags and row.tensors and row.tensors[0].quantized]
        for row in (told or rows)[:1]:
            reading.select(row.name)

    def _climb(self) -> None:
        from workbench.study.ladder import rungs_for

        session = self._session
        if session.subject is not None:
            session.climb([rung for rung in rungs_for(session.subject) if rung.name in RUNGS])
            self._until(session.job_ended, lambda: session.job is None, len(RUNGS) * _PATIENCE_S)

    def _sweep(self) -> None:
        self._session.sweeps.want("runtime.threads", "1,2")
        self._session.sweep(processes=2)
        self._until(self._session.job_ended, lambda: self._session.job is None, 2 * _PATIENCE_S)

    def _save_all(self, mode: str) -> None:
        window = self._window
        for key, widget in window.panels.items():
            if key in window.docks:
                window.docks[key].raise_()
            else:
                window.tabs.setCurrentWidget(widget)
            self._rest()
            self._save(_whole(widget), key, mode)
        for key in ("knobs", "latency", "accuracy", "trials"):
            window.go_to(key)
        self._rest()
        self._save(window, "window", mode)

    def _in_both_themes(self, save: Callable[[str], None]) -> None:
        for mode in ("dark", "light"):
            self._window.choose_theme("dark" if mode == "dark" else "light")
            self._rest()
            save(mode)

    def _save(self, widget: QWidget, name: str, mode: str) -> None:
        path = self._folder / f"{name}-{mode}.png"
        if not widget.grab().save(str(path)):
            raise UserError(f"Cannot write {path}.", "", "Give another folder.")
        if str(path) not in self.saved:
            self.saved.append(str(path))

    def _refused(self, error: UserError) -> None:
        self._refusal = error

    def _rest(self) -> None:
        """Let everything come in and be painted that is on its way."""
        guard = QObject()
        timer = QTimer(guard, interval=_SETTLE_MS)
        timer.timeout.connect(lambda: self._loop.quit() if tasks.idle() else None)
        timer.start()
        self._wait()

    def _wait(self) -> None:
        """Let events come until something quits the loop.

        Raises:
            _Ended: a signal came.
        """
        self._loop.exec()
        if self._signal:
            raise _Ended(self._signal)

    def _until(self, signal: SignalInstance, true: Callable[[], bool], patience_s: int = _PATIENCE_S) -> None:
        """Wait until *signal* came and something is true.

        Raises:
            UserError: the session refused something meanwhile, or nothing happened for minutes.
        """
        quit_loop = self._loop.quit
        guard = QObject()
        timer = QTimer(guard, singleShot=True, interval=patience_s * 1000)
        timer.timeout.connect(quit_loop)
        signal.connect(quit_loop)
        self._session.refused.connect(quit_loop)
        timer.start()
        while not true() and self._refusal is None and timer.isActive():
            self._wait()
        signal.disconnect(quit_loop)
        self._session.refused.disconnect(quit_loop)
        if self._refusal is not None:
            raise self._refusal
        if not true():
            raise UserError(f"The tour waited {patience_s} s in vain.")


def _whole(panel: QWidget) -> QWidget:
    """Return what *panel* scrolls, so that its picture shows all of it; the panel where it scrolls nothing."""
    for area in panel.findChildren(QScrollArea):
        content = area.widget()
        if content is not None and area.width() >= panel.width() - 1 and content.height() > area.height():
            return content
    return panel

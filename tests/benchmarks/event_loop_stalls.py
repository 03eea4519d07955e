"""How long does the window keep an event waiting?

Run: python tests/benchmarks/event_loop_stalls.py [--where] [SAMPLE] [KEY=VALUE ...]
Drives the real window (offscreen unless QT_QPA_PLATFORM or DISPLAY says otherwise) on efficientnet-lite0: leaving the
start page, a run of 300, Live with knobs turned, the deadline moved, trials selected, the theme switched. A beat every
two milliseconds notes how late it comes; one row per activity tells how long an event waited that came at any moment
of it (in ms; median, 99th percentile, worst). The aim during runs: 99 % below 16 ms, none above 50 ms.
``--where`` also prints, for each wait above 30 ms, what the window was in.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

if "DISPLAY" not in os.environ:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from heart import Heart, Witness
from PySide6.QtCore import QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication

from workbench.gui import interpreter, tasks, theme
from workbench.gui.main_window import MainWindow
from workbench.gui.session import Session

LATE_S = 0.03
LIVE_S = 5


class Window:
    def __init__(self, folder: Path) -> None:
        self.heart = Heart()
        self.session = Session()
        self.session.refused.connect(lambda error: sys.exit(str(error)))
        self.session.broke.connect(sys.exit)
        settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(self.session, settings)
        self.window.resize(1280, 720)
        self.window.when_furnished(interpreter.settle)
        self.window.show()

    def rest(self, seconds: float) -> None:
        loop = QEventLoop()
        QTimer.singleShot(round(seconds * 1000), loop.quit)
        loop.exec()

    def until(self, true: Callable[[], bool]) -> None:
        while not true():
            self.rest(0.05)

    @contextmanager
    def row(self, name: str) -> Iterator[None]:
        self.rest(0.3)
        self.heart.gaps.clear()
        yield
        waits = self.heart.waits_ms()
        p50, p99 = np.percentile(waits, (50, 99))
        seconds = sum(self.heart.gaps)
        print(f"{name:<24} {seconds:8.1f} {p50:8.1f} {p99:8.1f} {waits.max():8.1f}", flush=True)


def drive(it: Window, sample: str, knobs: dict[str, str]) -> None:
    session = it.session
    it.window.read_host()
    it.until(lambda: session.host is not None and bool(session.host.engines) and tasks.idle())
    with it.row("opening a model"):
        session.open_model_soon(sample)
        it.until(lambda: session.subject is not None and tasks.idle())
        it.rest(0.5)
    session.set_knobs(dict(knobs))
    with it.row("a run of 300"):
        session.run_once(300)
        it.until(lambda: session.job is None)
        it.rest(0.5)
    session.set_baseline(session.selected)
    with it.row("Live, knobs turned"):
        session.run_live()
        for turn in ({"runtime.threads": 1}, {"runtime.threads": 0}, {"runtime.threads": 2}):
            it.rest(LIVE_S)
            session.set_knobs(turn)
        it.rest(LIVE_S)
    with it.row("Live, deadline moved"):
        for step in range(40):
            session.set_deadline(5.0 + step / 4)
            it.rest(0.05)
    with it.row("Live, theme switched"):
        switch_themes(it)
    session.stop()
    it.until(lambda: session.job is None)
    with it.row("trials selected"):
        for trial in session.trials * 5:
            session.select(trial)
            it.rest(0.2)
    with it.row("theme switched"):
        switch_themes(it)
    with it.row("start page and back"):
        it.window.show_start()
        it.rest(0.5)
        it.window._show_panels()
        it.rest(0.5)


def switch_themes(it: Window) -> None:
    for mode in ("dark", "light", "dark", "light"):
        it.window.choose_theme(mode)  # type: ignore[arg-type]
        it.rest(0.7)


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--where"]
    sample = words.pop(0) if words and "=" not in words[0] else "sample:efficientnet-lite0"
    knobs = dict(word.split("=", 1) for word in words)
    interpreter.begin()
    app = QApplication(sys.argv[:1])
    app.setApplicationName("inference-workbench-benchmark")
    theme.apply("light")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WORKBENCH_DATA_DIR"] = folder
        it = Window(Path(folder))
        if "--where" in sys.argv:
            Witness(it.heart, LATE_S).start()
        print(f"{'event waits in ms':<24} {'seconds':>8} {'median':>8} {'99 %':>8} {'worst':>8}")

        def work() -> None:
            drive(it, sample, knobs)
            it.window.close()
            app.quit()

        # Inside exec(), as in the application: outside of it Qt tells no widget of another palette.
        QTimer.singleShot(0, work)
        app.exec()
        tasks.wait()


if __name__ == "__main__":
    main()

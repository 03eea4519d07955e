"""How long does the window keep an event waiting while a range is dragged?

Run: python tests/benchmarks/range_drag.py [TENSORS]
The whole window (offscreen unless QT_QPA_PLATFORM or DISPLAY says otherwise) shows a made-up INT8 trial in which so
many tensors were observed. The mouse drags a handle of the histogram to and fro, 60 moves a second, on several layers.
A beat every two milliseconds notes how late it comes; one row per layer tells how long an event waited that came at any
moment of the drag (in ms; median, 99th percentile, worst), and how many of the moves the editor has shown. The aim:
99 % below 16 ms.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

if "DISPLAY" not in os.environ:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fakes"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gui"))

from fake_trials import session_with
from heart import Heart
from layered import chain, fused_in, int8_trial
from PySide6.QtCore import QEventLoop, QPoint, QPointF, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from workbench.core.config import Config
from workbench.gui import tasks, theme
from workbench.gui.main_window import MainWindow

TENSORS = 400
RATE = 60
SECONDS = 5
DRAGGED = 4


def rest(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def drag(window: MainWindow, layer: str, heart: Heart) -> None:
    panel = window.panels["layers"]
    window.session.layers.select(layer)
    rest(600)
    editor, plot = panel.editor, panel.editor.plot
    seen: list[float] = []
    plot.dragged.connect(lambda _, high: seen.append(high))

    def place(value: float) -> QPoint:
        return plot.mapFromScene(plot.getViewBox().mapViewToScene(QPointF(value, 0.5)))

    top, button = float(plot.handles[1].value()), Qt.MouseButton.LeftButton
    QTest.mousePress(plot.viewport(), button, pos=place(top))
    moves = iter(np.concatenate([np.linspace(top, 0.1 * top, RATE), np.linspace(0.1 * top, top, RATE)] * SECONDS))
    loop = QEventLoop()
    timer = QTimer(interval=round(1000 / RATE), timerType=Qt.TimerType.PreciseTimer)
    sent = 0

    def move() -> None:
        nonlocal sent
        if sent >= RATE * SECONDS:
            loop.quit()
            return
        sent += 1
        QTest.mouseMove(plot.viewport(), place(float(next(moves))))

    timer.timeout.connect(move)
    heart.gaps.clear()
    timer.start()
    loop.exec()
    timer.stop()
    waits = heart.waits_ms()
    QTest.mouseRelease(plot.viewport(), button, pos=place(top / 2))
    editor.reset.click()
    plot.dragged.disconnect()
    plot.dragged.connect(editor._dragged)
    p50, p99 = np.percentile(waits, (50, 99))
    print(f"{layer:<24} {len(set(seen)):>4} of {sent:<4} {p50:8.1f} {p99:8.1f} {waits.max():8.1f}", flush=True)


def main() -> None:
    app = QApplication(sys.argv[:1])
    app.setApplicationName("inference-workbench-benchmark")
    theme.apply("light")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else TENSORS
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WORKBENCH_DATA_DIR"] = folder
        layers = chain(count)
        session = session_with(Path(folder), None, [int8_trial(Path(folder), layers, fused_in(layers))])
        session.apply_config(Config({"precision": "int8"}))
        settings = QSettings(str(Path(folder) / "window.ini"), QSettings.Format.IniFormat)
        window = MainWindow(session, settings)
        window.resize(1280, 720)
        window.show()
        window.tabs.setCurrentWidget(window.panels["layers"])
        session.select(session.trials[0])
        while session.layers.table is None or not tasks.idle():
            rest(20)
        heart = Heart()
        print(f"{'event waits in ms':<24} {'moves seen':>12} {'median':>8} {'99 %':>8} {'worst':>8}")
        for number in range(DRAGGED):
            drag(window, f"blocks.{3 * number + 1}.conv", heart)
        window.close()
        tasks.wait()
    app.quit()


if __name__ == "__main__":
    main()

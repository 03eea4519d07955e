"""How long does the table of layers keep the window from answering, with a thousand layers?

Run: python tests/benchmarks/layers_table.py [LAYERS]
Shows the layers of a made-up INT8 trial and does what people do with the table: sorts by each column both ways,
searches letter by letter, scrolls from end to end, shows and hides fused layers. One row per activity: how often it was
done, and how long one time took until it was painted (in ms; median and worst). The aim: none above 50 ms.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fakes"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gui"))

from fake_trials import session_with
from layered import chain, fused_in, int8_trial
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from workbench.core.config import Config
from workbench.gui import tasks, theme
from workbench.gui.layers_model import KEYS
from workbench.gui.layers_panel import LayersPanel

LAYERS = 1000
STEPS = 200
PATIENCE_S = 0.05  # where nothing has to be painted


def rest(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class Painted(QObject):
    """Notes when a widget has been painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.at = 0.0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QCoreApplication.sendEvent(watched, event)
            watched.installEventFilter(self)
            self.at = time.perf_counter()
            return True
        return False


def row(name: str, actions: list[Callable[[], object]], panel: LayersPanel) -> None:
    taken, painted = [], Painted(panel.table.viewport())
    for action in actions:
        start = time.perf_counter()
        action()
        done = time.perf_counter()
        while painted.at < start and time.perf_counter() < done + PATIENCE_S:
            QApplication.processEvents()
        taken.append((max(painted.at, done) - start) * 1000)
        rest(20)
    print(f"{name:<28} {len(taken):>6} {np.median(taken):>8.1f} {max(taken):>8.1f}", flush=True)


def drive(panel: LayersPanel) -> None:
    table, bar = panel.table, panel.table.verticalScrollBar()
    print(f"{'ms until painted':<28} {'times':>6} {'median':>8} {'worst':>8}")
    for fused in (True, False):
        panel.unfold.setChecked(fused)
        rest(200)
        words = "all layers" if fused else "fused ones hidden"
        sorts = [
            lambda section=section, order=order: table.sortByColumn(section, order)
            for section in range(len(KEYS))
            for order in (Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder)
        ]
        row(f"sort, {words}", sorts, panel)
        table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        ends = np.linspace(0, bar.maximum(), STEPS).astype(int)
        row(f"scroll, {words}", [lambda at=int(at): bar.setValue(at) for at in ends], panel)
        letters = ["blocks.12.conv"[:end] for end in range(1, 15)] + [""]
        row(f"search, {words}", [lambda text=text: panel.search.setText(text) for text in letters], panel)
    row("fused shown and hidden", [panel.unfold.click] * 10, panel)
    row("layers selected", [lambda at=at: table.selectRow(at) for at in range(0, 100, 5)], panel)


def main() -> None:
    app = QApplication(sys.argv[:1])
    theme.apply("light")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else LAYERS
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WORKBENCH_DATA_DIR"] = folder
        layers = chain(count)
        session = session_with(Path(folder), None, [int8_trial(Path(folder), layers, fused_in(layers))])
        session.apply_config(Config({"precision": "int8"}))
        panel = LayersPanel(session)
        panel.resize(1200, 800)
        panel.show()
        session.select(session.trials[0])
        while session.layers.table is None or not tasks.idle():
            rest(20)
        drive(panel)
        panel.close()
        tasks.wait()
        session.shutdown()
    app.quit()


if __name__ == "__main__":
    main()

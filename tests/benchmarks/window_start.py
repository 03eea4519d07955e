"""From the start of the process to a window that answers.

Run: python tests/benchmarks/window_start.py [REPEATS]
Starts the real application (offscreen unless QT_QPA_PLATFORM or DISPLAY says otherwise), each time in a process of
its own, and prints medians and ranges in seconds: until the start page is painted and an event that was posted after
that has come back ("interactive"); until every panel is made behind it ("furnished"); and the longest time that
the event loop did not answer in between. One run more goes first and is not counted: it fills the file cache.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

CHILD = """
import json, sys, time
from workbench.cli import run

def watch(window):
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication
    begin, seen = float(sys.argv[1]), {"stall": 0.0}
    last = time.monotonic()
    def beat():
        nonlocal last
        now = time.monotonic()
        if "interactive" in seen:
            seen["stall"] = max(seen["stall"], now - last - 0.001)
        elif painted and window.windowHandle().isExposed():
            seen["interactive"] = now - begin
        last = now
        if "interactive" in seen and not window._furnishing._waiting:
            seen["furnished"] = now - begin
            print(json.dumps(seen), flush=True)
            QApplication.closeAllWindows()
            timer.stop()
    timer = QTimer(window, interval=1)
    timer.timeout.connect(beat)
    timer.start()

painted = []
def patch():
    from workbench.gui.main_window import MainWindow
    from workbench.gui.start_page import Card
    draw, read = Card.paintEvent, MainWindow.read_host
    def paint(self, event):
        draw(self, event)
        painted.append(self)
    Card.paintEvent = paint
    MainWindow.read_host = lambda self: (watch(self), read(self))
patch()
sys.exit(run([]))
"""


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    found: dict[str, list[float]] = {"interactive": [], "furnished": [], "stall": []}
    with tempfile.TemporaryDirectory() as folder:
        own = {f"WORKBENCH_{kind}_DIR": f"{folder}/{kind}" for kind in ("DATA", "CACHE")}
        variables = os.environ | own | {"XDG_CONFIG_HOME": f"{folder}/config"}
        # Installed packages lie compiled on the disk.
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
        if "DISPLAY" not in variables:
            variables.setdefault("QT_QPA_PLATFORM", "offscreen")
        # Engines are tried once per installation; this is about all other starts.
        subprocess.run([sys.executable, "-m", "workbench", "host"], env=variables, capture_output=True, check=True)
        for number in range(repeats + 1):
            command = [sys.executable, "-c", CHILD, str(time.monotonic())]
            ended = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
            if ended.returncode:
                sys.exit(ended.stderr)
            if number:
                for name, value in json.loads(ended.stdout).items():
                    found[name].append(value)
    print(f"{'seconds':<14} {'median':>8} {'least':>8} {'most':>8}   ({repeats} starts)")
    for name, values in found.items():
        print(f"{name:<14} {statistics.median(values):8.3f} {min(values):8.3f} {max(values):8.3f}")


if __name__ == "__main__":
    main()

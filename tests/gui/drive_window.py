"""Run by test_app.py in a process of its own: the real application, looked at from inside.

``python drive_window.py close|wait|live [ARGUMENTS of workbench]``
"""

import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from workbench.cli import run
from workbench.gui.main_window import MainWindow

ENGINES = ("torch", "onnxruntime", "onnx", "intel_extension_for_pytorch")
HOW, ARGUMENTS = sys.argv[1], sys.argv[2:]


def say(*words: object) -> None:
    print(*words, flush=True)


def opened(window: MainWindow) -> None:
    say("title", window.windowTitle())
    say("engines", [name for name in ENGINES if name in sys.modules])
    if HOW == "live":
        window.session.job_started.connect(lambda job: job.burst.connect(lambda _: say("ready")))
        window.session.run_live()
    elif HOW == "close":
        QApplication.closeAllWindows()


def show(window: MainWindow) -> None:
    original_show(window)
    if ARGUMENTS:
        window.session.subject_changed.connect(lambda: QTimer.singleShot(0, lambda: opened(window)))
    QTimer.singleShot(0, lambda: say("ready") if HOW == "wait" else None)


original_show = MainWindow.show
MainWindow.show = MainWindow.showMaximized = show  # type: ignore[method-assign]
sys.exit(run(ARGUMENTS))

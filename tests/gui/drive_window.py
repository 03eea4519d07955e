"""Run by test_app.py in a process of its own: the real application, looked at from inside.

``python drive_window.py close|wait|live|run [ARGUMENTS of workbench]``. ``live`` and ``run`` measure a fake engine in
real workers, which spares the import and the probing of real ones.
"""

import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from workbench.cli import run
from workbench.gui.main_window import MainWindow
from workbench.study.runner import Runner, Subject

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fakes"))
from fake_engine import MODULES, model

ENGINES = ("torch", "onnxruntime", "onnx", "intel_extension_for_pytorch")
HOW, ARGUMENTS = sys.argv[1], sys.argv[2:]


def say(*words: object) -> None:
    print(*words, flush=True)


def opened(window: MainWindow) -> None:
    session = window.session
    say("title", window.windowTitle())
    say("engines", [name for name in ENGINES if name in sys.modules])
    if HOW == "close":
        QApplication.closeAllWindows()
        return
    session.subject = Subject(model("sleep=0.002@run"))
    session._runner_factory = lambda store: Runner(store, modules=MODULES, host=session.host)
    if HOW == "live":
        session.job_started.connect(lambda job: job.burst.connect(lambda _: say("ready")))
        session.run_live()
    else:
        session.job_ended.connect(lambda trial: ended(trial))
        session.run_once(300)


def ended(trial: object) -> None:
    say("trial", trial.status, trial.latency.n, trial.reason)  # type: ignore[attr-defined]
    say("engines after", [name for name in ENGINES if name in sys.modules])
    QTimer.singleShot(0, QApplication.closeAllWindows)


def show(window: MainWindow) -> None:
    original_show(window)
    if ARGUMENTS:
        window.session.subject_changed.connect(lambda: QTimer.singleShot(0, lambda: opened(window)))
    QTimer.singleShot(0, lambda: say("ready") if HOW == "wait" else None)


original_show = MainWindow.show
MainWindow.show = MainWindow.showMaximized = show  # type: ignore[method-assign]
sys.exit(run(ARGUMENTS))

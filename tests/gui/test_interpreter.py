"""Garbage that holds parts of the window is collected by the thread of the window."""

import gc
import subprocess
import sys
import textwrap

import pytest

from workbench.gui import interpreter


def test_no_other_thread_collects_garbage_and_nothing_stays(tmp_path):
    """A QObject that another thread collected could wait for the window, which waits for a lock of Qt, for ever."""
    script = """
        import gc, threading, time, weakref
        from PySide6.QtCore import QCoreApplication, QObject, QTimer
        from workbench.gui import interpreter

        app = QCoreApplication([])
        interpreter.begin()
        interpreter.settle()
        ended, kept = [], []

        class Part(QObject):
            pass

        def leave_garbage():
            part = Part()
            part.itself = part
            weakref.finalize(part, lambda: ended.append(threading.current_thread().name))

        def busy():
            kept.extend([] for _ in range(20_000))

        leave_garbage()
        thread = threading.Thread(target=busy)
        thread.start()
        thread.join()
        assert ended == [], ended
        deadline = time.monotonic() + 30
        timer = QTimer(interval=20)
        timer.timeout.connect(lambda: (ended or time.monotonic() > deadline) and app.quit())
        timer.start()
        app.exec()
        print(ended)
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60)
    assert (ended.stdout.strip(), ended.stderr) == ("['MainThread']", "")


@pytest.fixture
def python_as_before():
    interval = sys.getswitchinterval()
    yield
    sys.setswitchinterval(interval)
    gc.unfreeze()


def test_nothing_is_collected_before_all_is_there(qapp, python_as_before):
    interval = sys.getswitchinterval()
    interpreter.begin()
    assert not gc.isenabled() and sys.getswitchinterval() < interval
    interpreter.settle()
    assert not gc.isenabled() and gc.get_freeze_count() > 10_000

"""Slow functions run elsewhere, and what they give arrives in the main thread."""

import threading

import pytest
from PySide6.QtCore import QObject

from workbench.errors import UserError
from workbench.gui import tasks


@pytest.fixture(autouse=True)
def nothing_on_its_way(qtbot):
    yield
    qtbot.waitUntil(tasks.idle)


def test_the_result_arrives_in_the_main_thread(qtbot) -> None:
    seen = []
    tasks.run(threading.get_ident, lambda ident: seen.append((ident, threading.get_ident())))
    assert not seen and not tasks.idle()
    qtbot.waitUntil(lambda: bool(seen))
    (worker, caller) = seen[0]
    assert worker != threading.get_ident() == caller


def test_an_exception_arrives_too(qtbot) -> None:
    seen = []

    def fail() -> None:
        raise UserError("No.")

    tasks.run(fail, seen.append, seen.append)
    qtbot.waitUntil(lambda: bool(seen))
    assert isinstance(seen[0], UserError) and tasks.in_words(seen[0]) == "No."
    assert "ZeroDivisionError" in tasks.in_words(ZeroDivisionError())


def test_an_exception_that_nobody_wants_is_a_bug(qtbot) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with qtbot.captureExceptions() as caught:
        tasks.run(fail, lambda _: None)
        qtbot.waitUntil(lambda: bool(caught))
    assert caught[0][0] is ZeroDivisionError


def test_nothing_is_called_once_the_owner_is_gone(qtbot) -> None:
    go, seen, owner = threading.Event(), [], QObject()
    tasks.run(go.wait, seen.append, seen.append, owner)
    owner.deleteLater()
    qtbot.wait(1)
    del owner
    go.set()
    qtbot.waitUntil(tasks.idle)
    assert not seen


def test_a_cancelled_task_calls_nothing(qtbot) -> None:
    go, seen = threading.Event(), []
    task = tasks.run(go.wait, seen.append, seen.append)
    task.cancel()
    go.set()
    qtbot.waitUntil(tasks.idle)
    assert not seen


def test_waiting_at_the_end(qtbot) -> None:
    started, go, seen = threading.Event(), threading.Event(), []
    tasks.run(lambda: (started.set(), go.wait()), seen.append)
    assert started.wait(10)  # one that has not begun would be dropped at once
    assert not tasks.wait(10)
    go.set()
    assert tasks.wait(5000) and tasks.idle()
    qtbot.wait(5)
    assert not seen


def test_many_at_once(qtbot) -> None:
    seen = []
    for number in range(50):
        tasks.run(lambda number=number: number * number, seen.append)
    qtbot.waitUntil(lambda: len(seen) == 50)
    assert sorted(seen) == [number * number for number in range(50)]

"""Long work in steps: in order, one per turn of the event loop, and panels painted one after the other."""

import pytest
from fake_trials import turn
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from workbench.gui.turns import Soon, Turns


@pytest.fixture
def owner(qapp):
    return QObject()


def test_steps_are_done_in_order_one_per_turn(owner, qtbot) -> None:
    turns, done, seen = Turns(owner), [], set()
    other = QTimer(owner, interval=0)
    other.timeout.connect(lambda: seen.add(len(done)))
    other.start()
    turns.add(*(lambda number=number: done.append(number) for number in range(4)))
    assert done == [] and turns.busy()
    qtbot.waitUntil(lambda: not turns.busy())
    assert done == [0, 1, 2, 3]
    assert len(seen) >= 3, "others had their turns in between"


def test_who_cannot_wait_finishes(owner) -> None:
    turns, done = Turns(owner), []
    turns.add(lambda: done.append(1), lambda: (turns.finish(), done.append(2)), lambda: done.append(3))
    turns.finish()
    assert done == [1, 3, 2] and not turns.busy()
    turn()
    assert done == [1, 3, 2]


def test_soon_comes_once_however_often_it_is_asked_for(owner) -> None:
    calls = []
    soon = Soon(owner, lambda: calls.append(1))
    for _ in range(3):
        soon.ask()
    assert calls == []
    turn()
    turn()
    assert calls == [1]


def test_what_was_asked_for_at_once_gets_a_turn_each_and_is_painted_before_the_next(qtbot) -> None:
    painted: list[str] = []
    patches = [Patch(name, painted) for name in "ab"]
    for patch in patches:
        qtbot.addWidget(patch)
        with qtbot.waitExposed(patch):
            patch.show()
    qtbot.waitUntil(lambda: sorted(painted) == ["a", "b"])
    painted.clear()
    steps: list[object] = []
    soon = [
        Soon(patch, lambda patch=patch: (steps.append([patch.name, *painted]), patch.update())) for patch in patches
    ]
    for one in soon:
        one.ask()
    turn()
    assert steps == [["a"], ["b", "a"]]
    turn()
    assert painted == ["a", "b"]


def test_who_is_gone_by_then_is_not_called(qtbot) -> None:
    widget, calls = QWidget(), []
    soon = Soon(widget, lambda: calls.append(1))
    soon.ask()
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(widget, QEvent.Type.DeferredDelete)
    turn()
    assert calls == []


class Patch(QWidget):
    def __init__(self, name: str, painted: list[str]) -> None:
        super().__init__()
        self.name, self.painted = name, painted

    def paintEvent(self, event) -> None:
        self.painted.append(self.name)


def test_panels_are_painted_one_per_turn(qtbot) -> None:
    painted: list[str] = []
    window = QWidget()
    row = QHBoxLayout(window)
    patches = [Patch(name, painted) for name in "abc"]
    for patch in patches:
        row.addWidget(patch)
    qtbot.addWidget(window)
    window.resize(300, 100)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: sorted(painted) == ["a", "b", "c"])
    painted.clear()
    turns = Turns(window)
    patches[1].hide()
    window.update()
    turns.paint(patches)
    turns.paint(patches)  # asked for twice, painted once
    QCoreApplication.sendPostedEvents(None, QEvent.Type.UpdateRequest)
    assert painted == []
    qtbot.waitUntil(lambda: not turns.busy())
    qtbot.waitUntil(lambda: painted == ["a", "c"])
    assert all(patch.updatesEnabled() for patch in patches)


def test_a_panel_may_be_gone_by_then(qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    patch = QWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    turns = Turns(window)
    turns.paint([patch])
    patch.deleteLater()
    QCoreApplication.sendPostedEvents(patch, QEvent.Type.DeferredDelete)
    turns.finish()
    assert not turns.busy()

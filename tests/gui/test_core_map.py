"""The core map: where CPUs lie, how they are chosen, and when the load is read."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QObject, QPoint, Qt, Signal

from workbench.gui.core_layout import Text, arrange, neighbour, tidy_columns
from workbench.gui.core_map import CoreMap
from workbench.host.topology import Cpu, Topology

TWO = Topology(tuple(Cpu(n, n) for n in range(2)))
SMT = Topology(tuple(Cpu(n, n % 4) for n in range(8)))
HYBRID = Topology(
    tuple(Cpu(n, n - n % 2 if n < 12 else n, kind="P" if n < 12 else "E", max_mhz=5000.0) for n in range(20))
)
SERVER = Topology(tuple(Cpu(n, n % 64, n % 64 // 32, n % 64 // 32) for n in range(128)))
SPLIT = Topology(tuple(Cpu(n, n % 64, n % 64 // 32, n % 64 // 16) for n in range(128)))
TEXT = Text(22.0, 15.0)


class FakeJob(QObject):
    burst = Signal(object)
    began = Signal(object, str)
    progressed = Signal(str, int, int)
    noticed = Signal(str)
    measured = Signal(object)


@pytest.fixture
def make(session, show):
    def make(topology=SMT, usable=None, load=lambda: []):
        return show(CoreMap(session, topology, usable, load=load), 300, 500)

    return make


def middle(panel, cpu):
    box = panel.canvas.cells()[cpu]
    return QPoint(int(box.x + box.width / 2), int(box.y + box.height / 2))


def click(qtbot, panel, cpu, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.mouseClick(panel.canvas, Qt.MouseButton.LeftButton, modifier, middle(panel, cpu))


# -- where things lie -------------------------------------------------------------------------------


@pytest.mark.parametrize("topology", [TWO, SMT, HYBRID, SERVER, SPLIT])
@pytest.mark.parametrize("width", [120, 300, 700])
def test_every_cpu_has_a_readable_place_of_its_own(topology, width):
    layout = arrange(topology, width, 400, TEXT)
    boxes = [cell.box for cell in layout.cells]
    assert sorted(cell.cpu.id for cell in layout.cells) == list(topology.online)
    for box in boxes:
        assert box.width >= TEXT.width
        assert box.height >= TEXT.line
        assert box.x >= 0
        assert box.x + box.width <= width
        assert box.y + box.height <= layout.height
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            apart = (
                one.x + one.width <= other.x + 0.01
                or other.x + other.width <= one.x + 0.01
                or one.y + one.height <= other.y + 0.01
                or other.y + other.height <= one.y + 0.01
            )
            assert apart


def test_hyper_threads_lie_on_their_core():
    cells = {cell.cpu.id: cell for cell in arrange(SMT, 300, 400, TEXT).cells}
    assert cells[0].box.x == cells[4].box.x
    assert cells[0].first
    assert cells[4].last
    assert cells[0].box.y < cells[4].box.y


def test_groups_have_titles():
    titles = [frame.title for frame in arrange(SPLIT, 300, 400, TEXT).frames]
    assert titles.count("Package 0") == 1
    assert "NUMA node 3" in titles
    assert any(frame.title == "Package 1  ·  NUMA node 1" for frame in arrange(SERVER, 300, 400, TEXT).frames)
    assert {"P cores", "E cores"} <= {frame.title for frame in arrange(HYBRID, 300, 400, TEXT).frames}


def test_cells_grow_where_there_is_room():
    small, large = arrange(SERVER, 300, 200, TEXT), arrange(TWO, 300, 200, TEXT)
    assert large.cells[0].box.width > small.cells[0].box.width
    assert small.height > 200, "the smallest readable cells are scrolled rather than made smaller"


def test_packages_stand_side_by_side_in_a_wide_panel():
    frames = [frame for frame in arrange(SERVER, 700, 400, TEXT).frames if frame.outer]
    assert frames[0].box.y == frames[1].box.y


def test_nothing_is_known_yet():
    assert arrange(Topology(()), 300, 400, TEXT).cells == ()


@pytest.mark.parametrize(("count", "most", "columns"), [(32, 9, 8), (6, 5, 3), (7, 5, 5), (2, 8, 2), (1, 0, 1)])
def test_rows_are_of_equal_length_where_that_costs_little(count, most, columns):
    assert tidy_columns(count, most) == columns


def test_keys_reach_every_cpu():
    cells = arrange(SPLIT, 300, 400, TEXT).cells
    reached, new = {0}, {0}
    while new:
        new = {
            neighbour(cells, cpu, across, down)
            for cpu in new
            for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1))
        } - reached  # fmt: skip
        reached |= new
    assert reached == set(range(128))


# -- choosing ---------------------------------------------------------------------------------------


def test_clicks_choose_and_leave_out(qtbot, make, session):
    panel = make()
    click(qtbot, panel, 2)
    click(qtbot, panel, 3)
    assert session.config["runtime.affinity"] == "2-3"
    assert "2-3" in panel.summary.text()
    click(qtbot, panel, 2)
    click(qtbot, panel, 3)
    assert session.config["runtime.affinity"] == ""
    assert panel.summary.text().startswith("Not pinned")


def test_a_drag_is_one_undoable_change(qtbot, make, session):
    panel = make()
    qtbot.mousePress(panel.canvas, Qt.MouseButton.LeftButton, pos=middle(panel, 0))
    for cpu in (1, 2):
        qtbot.mouseMove(panel.canvas, middle(panel, cpu))
    assert session.config["runtime.affinity"] == ""
    qtbot.mouseRelease(panel.canvas, Qt.MouseButton.LeftButton, pos=middle(panel, 2))
    assert session.config["runtime.affinity"] == "0-2"
    assert session.undo.count() == 1
    session.undo.undo()
    assert session.config["runtime.affinity"] == ""


def test_shift_takes_all_between(qtbot, make, session):
    panel = make(SMT, usable=(0, 1, 3, 4, 5, 6, 7))
    click(qtbot, panel, 0)
    click(qtbot, panel, 5, Qt.KeyboardModifier.ShiftModifier)
    assert session.config["runtime.affinity"] == "0-1,3-5"


def test_a_title_takes_its_group(qtbot, make, session):
    panel = make(HYBRID)
    header = next(frame.header for frame in panel.canvas.frames() if frame.title == "E cores")
    place = QPoint(int(header.x + 10), int(header.y + header.height / 2))
    qtbot.mouseClick(panel.canvas, Qt.MouseButton.LeftButton, pos=place)
    assert session.config["runtime.affinity"] == "12-19"
    qtbot.mouseClick(panel.canvas, Qt.MouseButton.LeftButton, pos=place)
    assert session.config["runtime.affinity"] == ""


def test_unusable_cpus_cannot_be_chosen(qtbot, make, session):
    panel = make(SMT, usable=(1, 2))
    click(qtbot, panel, 0)
    assert session.config["runtime.affinity"] == ""
    assert session.undo.count() == 0


def test_keys_move_and_choose(qtbot, make, session):
    panel = make()
    panel.canvas.setFocus()
    assert panel.canvas.current() == 0
    qtbot.keyClick(panel.canvas, Qt.Key.Key_Down)
    assert panel.canvas.current() == 4, "the other thread of core 0"
    qtbot.keyClick(panel.canvas, Qt.Key.Key_Space)
    qtbot.keyClick(panel.canvas, Qt.Key.Key_Right)
    qtbot.keyClick(panel.canvas, Qt.Key.Key_Space)
    assert session.config["runtime.affinity"] == "4-5"
    qtbot.keyClick(panel.canvas, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert session.config["runtime.affinity"] == "0-7"
    qtbot.keyClick(panel.canvas, Qt.Key.Key_Delete)
    assert session.config["runtime.affinity"] == ""


def test_looking_at_a_cpu_describes_it(qtbot, make):
    panel = make(HYBRID, load=lambda: [12.0] * 20)
    qtbot.mouseMove(panel.canvas, middle(panel, 3))
    panel.canvas.looked_at.emit(3)
    for word in ("CPU 3", "P core", "core 2", "package 0", "5000 MHz", "12 % busy"):
        assert word in panel.detail.text()


def test_presets_are_offered_where_cpus_differ(make, session):
    assert make(TWO).preset_names() == []
    panel = make(HYBRID, usable=range(2, 20))
    assert panel.preset_names() == ["P cores", "P cores, one thread", "One per core", "All"]
    button = next(iter(panel._presets))
    button.click()
    assert session.config["runtime.affinity"] == "2-11"
    assert button.isChecked()


def test_unpin(make, session):
    panel = make()
    session.set_knobs({"runtime.affinity": "0"})
    panel.unpin.click()
    assert session.config["runtime.affinity"] == ""
    assert not panel.unpin.isEnabled()


def test_a_numa_node_is_shown_and_gives_way_to_a_click(qtbot, make, session):
    panel = make(SERVER)
    session.set_knobs({"runtime.numa_node": 1})
    assert "32-63,96-127" in panel.summary.text()
    click(qtbot, panel, 32)
    assert session.config["runtime.numa_node"] == -1
    assert "32" not in session.config["runtime.affinity"].split("-")[0]


@pytest.mark.parametrize(
    ("topology", "changes", "hint"),
    [
        (SMT, {"runtime.affinity": "0-1", "runtime.threads": 4}, "More threads (4) than CPUs (2)."),
        (HYBRID, {"runtime.affinity": "0,12"}, "P and E"),
        (HYBRID, {}, "P and E"),
        (SERVER, {"runtime.affinity": "0,32"}, "NUMA"),
        (TWO, {"runtime.affinity": "5"}, "may not be used"),
        (TWO, {"runtime.affinity": "x"}, "not a CPU number"),
        (TWO, {"runtime.affinity": "0"}, ""),
    ],
)
def test_a_choice_that_costs_something_is_told(make, session, topology, changes, hint):
    panel = make(topology)
    session.set_knobs(changes)
    assert hint in panel.remark.text()
    assert panel.remark.isHidden() == (not hint)


# -- load -------------------------------------------------------------------------------------------


def test_the_load_is_read_only_while_nothing_is_timed_or_in_gaps(qtbot, make, session, monkeypatch):
    calls = []
    panel = make(TWO, load=lambda: calls.append(1) or [50.0, 100.0])
    assert calls, "at first sight"
    assert panel._timer.isActive()
    job = FakeJob()
    session.job = job
    session.job_started.emit(job)
    assert not panel._timer.isActive()
    before = len(calls)
    monkeypatch.setattr("workbench.gui.core_map.GAP_MS", 0)
    job.burst.emit(np.zeros(1, np.int64))
    assert len(calls) == before + 1
    session.job = None
    session.job_ended.emit(None)
    assert panel._timer.isActive()
    panel.hide()
    assert not panel._timer.isActive()


def test_a_hidden_map_reads_nothing(make, session):
    calls = []
    panel = make(TWO, load=lambda: calls.append(1) or [0.0, 0.0])
    panel.hide()
    before, job = len(calls), FakeJob()
    session.job_started.emit(job)
    job.burst.emit(None)
    session.job_ended.emit(None)
    assert len(calls) == before
    assert not panel._timer.isActive()


@pytest.mark.parametrize("load", [[], [1.0], [float("nan"), 300.0], [0.0] * 64])
def test_odd_loads_are_drawn(make, load):
    panel = make(TWO, load=lambda: load)
    assert not panel.grab().isNull()


def test_the_sessions_host_is_followed(qtbot, session):
    from workbench.host.machine import describe_host

    panel = CoreMap(session, load=lambda: [])
    qtbot.addWidget(panel)
    assert panel.canvas.cells() == {}
    host = describe_host(with_engines=False)
    session.set_host(host)
    assert set(panel.canvas.cells()) == {cpu.id for cpu in host.topology}

"""The trials panel: what its actions do to the session and to the study on disk."""

import csv
import io

import pytest
from fake_trials import bursts_of, failed, proof, session_with, trial, weird
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

from workbench.core.config import Config
from workbench.gui.trials_csv import to_csv, to_toml
from workbench.gui.trials_model import KEYS, STAR
from workbench.gui.trials_panel import TrialsPanel
from workbench.study.store import Mark, Store

INT8 = Config({"engine": "ipex", "precision": "int8", "runtime.threads": 2})


@pytest.fixture
def session(study):
    return study(trial(INT8, proof=proof(50, 50)), trial(bursts=bursts_of(2)), failed())


@pytest.fixture
def panel(session, show):
    return show(TrialsPanel(session), 1000, 260)


def choose(panel, *ids: int) -> None:
    selection = panel.table.selectionModel()
    selection.clear()
    for row in range(panel.rows.rowCount()):
        index = panel.rows.index(row, 0)
        if int(index.data()) in ids:
            selection.select(index, selection.SelectionFlag.Select | selection.SelectionFlag.Rows)


def on_disk(session) -> tuple[list[int], dict[int, Mark]]:
    session.marks.settle()
    store = Store(session.store.place)
    try:
        return [record.id for record in store.trials()], store.marks()
    finally:
        store.close()


def test_no_trials(session, qtbot) -> None:
    session.trials = []
    panel = TrialsPanel(session)
    qtbot.addWidget(panel)
    assert panel._pages.currentIndex() == 0 and not panel.export.isEnabled()
    assert not any(action.isEnabled() for action in (panel.star, panel.delete, panel.rerun, panel.copy))


def test_the_newest_is_on_top(panel) -> None:
    assert [record.id for record in panel.rows.shown()] == [3, 2, 1]


def test_a_row_selects_its_trial_and_the_other_way_round(panel, session) -> None:
    panel.table.selectRow(0)
    assert session.selected.id == 3
    session.select(session.trials[0])
    assert [record.id for record in panel.chosen()] == [1] and session.selected.id == 1
    panel.search.setText("failed")
    session.select(session.trials[0])
    assert session.selected.id == 1


def test_starring_with_a_click_and_a_key(panel, session, qtbot) -> None:
    index = panel.rows.index(0, STAR)
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=panel.table.visualRect(index).center())
    assert session.marks.of(session.trials[2]).star
    choose(panel, 1, 2, 3)
    panel.star.trigger()
    assert all(session.marks.of(record).star for record in session.trials)
    panel.star.trigger()
    assert not any(session.marks.of(record).star for record in session.trials)
    session.undo.undo()
    session.undo.undo()
    assert on_disk(session)[1][3].star and not on_disk(session)[1][1].star


def test_a_note_is_written_to_the_study(panel, session, qtbot) -> None:
    panel.table.selectRow(0)
    panel.note.trigger()
    editor = panel.table.viewport().findChild(QLineEdit)
    qtbot.keyClicks(editor, "crashes with libiomp5")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.marks.of(session.trials[2]).note == "crashes with libiomp5")
    assert on_disk(session)[1][3] == Mark(note="crashes with libiomp5")


def test_delete_and_undo(panel, session) -> None:
    session.set_baseline(session.trials[0])
    choose(panel, 1, 3)
    session.select(session.trials[0])
    choose(panel, 1, 3)
    panel.delete.trigger()
    assert [record.id for record in session.trials] == [2]
    assert session.baseline is None and session.selected.id == 2
    assert on_disk(session)[0] == [2]
    assert "#1" in session.undo.undoText() and "#3" in session.undo.undoText()
    session.undo.undo()
    assert [record.id for record in session.trials] == [1, 2, 3]
    assert on_disk(session)[0] == [1, 2, 3]
    session.undo.redo()
    assert [record.id for record in session.trials] == [2] and on_disk(session)[0] == [2]


def test_undo_leaves_another_study_alone(panel, session, tmp_path) -> None:
    choose(panel, 1)
    panel.delete.trigger()
    other = tmp_path / "other"
    other.mkdir()
    session_with(other, trials=[trial(), trial()]).shutdown()
    session.open_study(str(other / "m.sqlite"))
    session.undo.undo()
    assert [record.id for record in session.trials] == [1, 2]
    assert on_disk(session) == ([1, 2], {})


def test_marks_of_a_study_are_read(study, qtbot) -> None:
    first = study(trial(), trial())
    first.marks.star([first.trials[0]], True)
    first.marks.delete([first.trials[1]])
    first.shutdown()
    again = study()
    qtbot.waitUntil(lambda: again.marks.of(again.trials[0]).star)
    assert [record.id for record in again.trials] == [1]


def test_marks_that_cannot_be_written_are_told(session, qtbot, monkeypatch) -> None:
    from workbench.errors import UserError

    def refuse(*_, **__):
        raise UserError("The disk is full.")

    monkeypatch.setattr(session.store, "mark", refuse)
    with qtbot.waitSignal(session.refused) as caught:
        session.marks.star([session.trials[0]], True)
    assert caught.args[0].what == "The disk is full."


def test_using_a_config_can_be_undone(panel, session) -> None:
    choose(panel, 1)
    panel.use.trigger()
    assert session.config.engine == "ipex" and session.config.precision == "int8"
    session.undo.undo()
    assert session.config == Config()


def test_running_again(panel, session, script, qtbot) -> None:
    choose(panel, 1)
    script.bursts = bursts_of(2, 60)
    with qtbot.waitSignal(session.job_ended, timeout=5000):
        panel.rerun.trigger()
        assert session.job.runs == 120
    assert len(session.trials) == 4 and session.trials[3].config["engine"] == "ipex"
    assert [record.id for record in panel.chosen()] == [4]


def test_a_config_of_another_version_is_refused_in_words(panel, session, qtbot) -> None:
    session.trials = [trial(id=1, config=None)]
    session.trials[0].config["knob.of.tomorrow"] = 1
    session.trials_changed.emit()
    choose(panel, 1)
    with qtbot.waitSignal(session.refused):
        panel.rerun.trigger()
    assert session.job is None
    panel.copy.trigger()
    assert "knob.of.tomorrow" in QGuiApplication.clipboard().text()


def test_baseline(panel, session) -> None:
    choose(panel, 2)
    panel.baseline.trigger()
    assert session.baseline.id == 2
    index = panel.model.index(1, 0)
    assert index.data(Qt.ItemDataRole.FontRole).bold() and "baseline" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert panel.model.index(0, 0).data(Qt.ItemDataRole.FontRole) is None


def test_toml_comes_back_as_the_same_config(panel) -> None:
    choose(panel, 1)
    panel.copy.trigger()
    assert Config.from_toml(QGuiApplication.clipboard().text()).resolved() == INT8.resolved()


def test_csv(panel, session, tmp_path, qtbot) -> None:
    session.marks.note(session.trials[0], 'comma, "quotes"\nand a line')
    panel.search.setText("id<3")
    panel.export_csv(tmp_path / "out.csv")
    qtbot.waitUntil(lambda: (tmp_path / "out.csv").is_file() and (tmp_path / "out.csv").stat().st_size > 0)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text(encoding="utf-8-sig"))))
    assert [row["trial"] for row in rows] == ["2", "1"]
    assert rows[1]["note"] == 'comma, "quotes"\nand a line' and rows[1]["runtime.threads"] == "2"
    assert float(rows[1]["p50_ms"]) == session.trials[0].latency.p50_ms


def test_csv_where_it_cannot_be_written(panel, session, tmp_path, qtbot) -> None:
    with qtbot.waitSignal(session.refused) as caught:
        panel.export_csv(tmp_path / "no such folder" / "out.csv")
    assert "Cannot write" in caught.args[0].what


def test_odd_records(panel, session) -> None:
    session.trials = weird()
    session.trials_changed.emit()
    for record in session.trials:
        assert to_toml(record).startswith("# trial")
    text = to_csv(session.trials, session.marks.of)
    assert "nan" not in text.splitlines()[1] and len(list(csv.reader(io.StringIO(text)))) == len(session.trials) + 1
    panel.table.selectAll()
    panel.star.trigger()
    panel.delete.trigger()
    assert len(session.trials) == len(weird())  # they have no number to be remembered by
    assert not panel.grab().isNull()


def test_the_search_says_how_many_match(panel) -> None:
    assert panel._count.text() == "3"
    panel.search.setText("failed")
    assert panel._count.text() == "1 of 3"
    panel.search.setText("")
    assert panel._count.text() == "3"


def test_a_space_in_the_search_is_a_space(panel, session, qtbot) -> None:
    panel.table.selectRow(0)
    panel.search.setFocus()
    qtbot.keyClicks(panel.search, "a b")
    assert panel.search.text() == "a b" and not any(session.marks.of(record).star for record in session.trials)


def test_the_menu_opens(panel) -> None:
    panel.table.selectRow(0)
    panel._menu(QPoint(5, 5))
    QGuiApplication.processEvents()
    menu = next(child for child in panel.children() if child.metaObject().className() == "QMenu")
    assert len([action for action in menu.actions() if not action.isSeparator()]) == 11
    menu.close()


def test_pinning_with_the_keyboard_and_both_sides_show_the_comparison(panel, session, qtbot) -> None:
    wanted = []
    session.panel_wanted.connect(wanted.append)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    panel.table.setFocus()
    choose(panel, 1)
    qtbot.keyClick(panel.table, Qt.Key.Key_A, both)
    assert session.pins.a is session.trials[0] and session.pins.b is None and wanted == []
    choose(panel, 2)
    qtbot.keyClick(panel.table, Qt.Key.Key_B, both)
    assert session.pins.b is session.trials[1] and wanted == ["compare"]
    choose(panel, 1, 2)
    assert not panel.pin_a.isEnabled()


def test_trials_of_a_live_run_keep_the_selection_in_sight(panel, session, script, qtbot) -> None:
    script.bursts = bursts_of(1, 120)
    for _ in range(2):
        with qtbot.waitSignal(session.job_ended, timeout=5000):
            session.run_once(120)
    assert [record.id for record in panel.chosen()] == [5]
    assert panel.rows.index(0, KEYS.index("id")).data() == "5"


# -- columns ------------------------------------------------------------------------------------------


@pytest.fixture
def open_panel(session, qtbot):
    def open_panel(width: int = 1200) -> TrialsPanel:
        made = TrialsPanel(session)
        qtbot.addWidget(made)
        made.resize(width, 260)
        with qtbot.waitExposed(made):
            made.show()
        return made

    return open_panel


def left_to_right(table) -> list[str]:
    header = table.horizontalHeader()
    return [KEYS[header.logicalIndex(place)] for place in range(len(KEYS))]


def test_columns_are_remembered(open_panel, settings) -> None:
    before = open_panel()
    header = before.table.horizontalHeader()
    header.moveSection(header.visualIndex(KEYS.index("p99")), 2)
    header.resizeSection(KEYS.index("engine"), 173)
    before.table.choose_column("cosine", False)
    before.table.sortByColumn(KEYS.index("p50"), Qt.SortOrder.AscendingOrder)
    before.remember(settings)
    settings.sync()

    after = open_panel(640)
    after.recall(settings)
    table = after.table
    assert left_to_right(table) == left_to_right(before.table) and left_to_right(table)[2] == "p99"
    assert table.columnWidth(KEYS.index("engine")) == 173
    assert [record.id for record in after.rows.shown()] == [record.id for record in before.rows.shown()]
    assert "cosine" not in shown_columns(table) and "time" not in shown_columns(table), "room still counts"
    after.resize(1200, 260)
    assert shown_columns(table) == set(KEYS) - {"cosine"}


def test_columns_nobody_touched_follow_another_font(open_panel, settings) -> None:
    before = open_panel()
    before.remember(settings)
    after = open_panel()
    wide = after.table.columnWidth(KEYS.index("p50")) + 20
    after.table.horizontalHeader().resizeSection(KEYS.index("p50"), wide)
    after.recall(settings)
    assert after.table.columnWidth(KEYS.index("p50")) == wide


@pytest.mark.parametrize(
    "stored",
    [
        "nonsense",
        '{"chosen": {"gone": true, "max": false}, "order": ["gone", "p50"], "widths": {"gone": 9, "id": -4}}',
        '{"order": 7}',
    ],
)
def test_settings_of_another_version_do_no_harm(open_panel, settings, stored) -> None:
    settings.setValue("trials/columns", stored)
    panel = open_panel()
    panel.recall(settings)
    assert sorted(left_to_right(panel.table)) == sorted(KEYS)
    assert shown_columns(panel.table) >= set(KEYS) - {"max"}
    assert panel.table.columnWidth(KEYS.index("id")) > 0


def shown_columns(table) -> set[str]:
    return {key for section, key in enumerate(KEYS) if not table.isColumnHidden(section)}


def test_columns_step_back_where_there_is_no_room(study, show, qtbot) -> None:
    panel = show(TrialsPanel(study(trial(), trial(), failed())), 1200, 200)
    assert shown_columns(panel.table) == set(KEYS)
    panel.resize(640, 200)  # what is left of a window of 1280
    assert shown_columns(panel.table) >= {"id", "star", "engine", "precision", "p50", "p99", "cosine", "status", "note"}
    qtbot.waitUntil(lambda: panel.table.horizontalScrollBar().maximum() == 0)


def test_the_header_s_menu_chooses_columns(study, show) -> None:
    panel = show(TrialsPanel(study(trial())), 640, 200)

    def choose(title: str) -> None:
        menu = panel.table.columns_menu()
        next(action for action in menu.actions() if action.text() == title).trigger()

    choose("time")
    choose("engine")
    assert "time" in shown_columns(panel.table) and "engine" not in shown_columns(panel.table)
    panel.resize(1200, 200)
    assert "engine" not in shown_columns(panel.table)
    choose("As many as fit")
    assert shown_columns(panel.table) == set(KEYS)

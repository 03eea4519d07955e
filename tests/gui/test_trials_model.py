"""The table of trials as views see it: rows follow the session, odd records are dashes, missing sorts last."""

import pytest
from fake_trials import accuracy_of, bursts_of, failed, proof, trial, weird
from PySide6.QtCore import QModelIndex, Qt

from workbench.core.config import Config
from workbench.gui.trial_filter import parse_filter
from workbench.gui.trials_model import COLUMNS, KEYS, NOTE, SORT_ROLE, STAR, STATUS, TrialsFilter, TrialsModel
from workbench.study.store import Mark


@pytest.fixture
def session(study):
    return study(
        trial(Config({"engine": "ipex", "precision": "int8"}), proof=proof(50, 50), accuracy=accuracy_of(["a", "b"])),
        trial(bursts=bursts_of(2, median_ms=9.0)),
        failed(),
        trial(status="invalid", reason="2 threads were asked for", bursts=bursts_of(6, median_ms=2.0)),
    )


@pytest.fixture
def model(session):
    return TrialsModel(session, session)


def texts(model, key: str) -> list[str]:
    column = KEYS.index(key)
    return [model.index(row, column).data() for row in range(model.rowCount())]


def numbers(model) -> list[int]:
    return [int(text) for text in texts(model, "id")]


def test_the_model_keeps_qt_s_rules(model, session, qtmodeltester) -> None:
    proxy = TrialsFilter(model, session, session)
    for one in (model, proxy):
        qtmodeltester.check(one)
    proxy.set_search("int8")
    proxy.sort(6, Qt.SortOrder.DescendingOrder)
    qtmodeltester.check(proxy)


def test_what_cells_say(model) -> None:
    assert texts(model, "engine") == ["ipex", "torch", "torch", "torch"]
    assert texts(model, "p99")[1:3] == ["n < 100", "–"]
    assert texts(model, "int8") == ["50 / 50", "–", "–", "–"]
    assert texts(model, "status") == ["ok", "ok", "failed", "invalid"]
    assert texts(model, "threads") == ["2", "2", "–", "2"]
    assert model.index(2, STATUS).data(Qt.ItemDataRole.ToolTipRole) == "the worker crashed (signal 11)"
    assert (
        model.headerData(0, Qt.Orientation.Vertical) is None and model.headerData(99, Qt.Orientation.Horizontal) is None
    )
    assert [model.headerData(c, Qt.Orientation.Horizontal) for c in (0, 6)] == ["#", "p50 ms"]


def test_failed_and_invalid_are_told_apart_without_colour_too(model) -> None:
    ink = [model.index(row, 0).data(Qt.ItemDataRole.ForegroundRole) for row in range(4)]
    icons = [model.index(row, STATUS).data(Qt.ItemDataRole.DecorationRole).cacheKey() for row in range(4)]
    assert ink[0] is None and ink[2] != ink[3]
    assert icons[0] == icons[1] and len(set(icons)) == 3


def test_odd_records(session, model) -> None:
    session.trials = weird()
    session.trials_changed.emit()
    for row in range(model.rowCount()):
        for column in range(len(COLUMNS)):
            index = model.index(row, column)
            text = index.data()
            assert "nan" not in text and "inf" not in text and "None" not in text
            for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.ForegroundRole, SORT_ROLE):
                index.data(role)
    assert texts(model, "time")[:2] == ["yesterday", ""]
    assert texts(model, "engine")[1] == "–" and texts(model, "cosine")[4] == "–"


@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
@pytest.mark.parametrize("key", ["p50", "p99", "max", "cosine", "int8", "threads"])
def test_missing_values_sort_last(session, model, key, order) -> None:
    session.trials = [*session.trials, *weird()]
    session.trials_changed.emit()
    proxy = TrialsFilter(model, session, session)
    proxy.sort(KEYS.index(key), order)
    values = [proxy.index(row, KEYS.index(key)).data(SORT_ROLE) for row in range(proxy.rowCount())]
    present = [value for value in values if value is not None]
    assert values == present + [None] * (len(values) - len(present))
    assert present == sorted(present, reverse=order == Qt.SortOrder.DescendingOrder)


@pytest.mark.parametrize(
    "search, found",
    [
        ("", [1, 2, 3, 4]),
        ("int8", [1]),
        ("torch p50<3", [4]),
        ("p50>=3", [1, 2]),
        ("cosine>0", [1]),
        ("status:ok engine:torch", [2]),
        ("signal", [3]),
        ("star", [2]),
        ("VON", [2]),
        ("p50<", []),
        ("nosuch<3", []),
        ("id=3", [3]),
    ],
)
def test_search(session, model, search, found) -> None:
    session.marks.star([session.trials[1]], True)
    session.marks.note(session.trials[1], "von Li")
    proxy = TrialsFilter(model, session, session)
    proxy.set_search(search)
    assert [record.id for record in proxy.shown()] == found


def test_a_word_is_found_in_notes() -> None:
    matches = parse_filter("grüße", COLUMNS)
    assert matches(trial(), Mark(note="viele GRÜSSE")) and not matches(trial(), Mark(note="Grüne"))


def test_rows_come_and_go_without_a_reset(session, model, qtbot) -> None:
    resets = []
    model.modelReset.connect(lambda: resets.append(1))
    first = session.trials[0]
    with qtbot.waitSignal(model.rowsInserted):
        session.trials = [*session.trials, trial()]
        session.trials_changed.emit()
    assert model.rowCount() == 5
    with qtbot.waitSignal(model.rowsRemoved):
        session.trials = session.trials[2:]
        session.trials_changed.emit()
    assert model.rowCount() == 3 and model.row_of(first) == -1
    session.trials = [first, *session.trials]
    session.trials_changed.emit()
    assert model.row_of(first) == 0 and not resets
    session.trials = session.trials[::-1]
    session.trials_changed.emit()
    assert resets == [1] and model.row_of(first) == 3
    session.trials = []
    session.trials_changed.emit()
    assert model.rowCount() == 0 and model.rowCount(QModelIndex()) == 0


def test_notes_are_edited_in_place(session, model) -> None:
    index = model.index(0, NOTE)
    assert model.flags(index) & Qt.ItemFlag.ItemIsEditable
    assert not model.flags(model.index(0, STAR)) & Qt.ItemFlag.ItemIsEditable
    assert model.setData(index, "  the best  ") and not model.setData(model.index(0, 0), "9")
    assert index.data() == "the best" and index.data(Qt.ItemDataRole.EditRole) == "the best"
    session.undo.undo()
    assert index.data() == ""


def test_a_thousand_trials_are_searched_and_sorted_at_once(session, model, qtbot) -> None:
    import time

    one = trial()
    session.trials = [trial(latency=one.latency) for _ in range(1000)]
    session.trials_changed.emit()
    proxy = TrialsFilter(model, session, session)
    begin = time.perf_counter()
    proxy.sort(KEYS.index("p50"))
    proxy.set_search("torch p50>1")
    assert time.perf_counter() - begin < 1.0 and proxy.rowCount() == 1000

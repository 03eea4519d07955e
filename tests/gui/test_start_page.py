"""Samples as cards, models opened last, and what a click on them wants."""

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel

from workbench.core.model import InputSpec, ModelReference
from workbench.core.samples import Summary, sample_names, summaries
from workbench.gui.opening import Recent, RecentModels
from workbench.gui.start_page import RecentRow, StartPage

GOOD = Summary(name="good", title="A good one", note="Does what it should.", trained=True)
GONE = Summary(name="gone", title="Not there", note="…", trained=False, missing=("nowhere",), extra="samples")


@pytest.fixture
def recent(tmp_path) -> RecentModels:
    return RecentModels(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def page(recent, show):
    return show(StartPage(recent, [GOOD, GONE]), 900, 600)


def rows(page) -> list[RecentRow]:
    return [row for row in page.findChildren(RecentRow) if not row.isHidden()]


def test_a_card_opens_its_sample_by_mouse_and_by_key(page, qtbot) -> None:
    card = page.cards[0]
    for press in (
        lambda: qtbot.mouseClick(card, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(card, Qt.Key.Key_Space),
    ):
        with qtbot.waitSignal(page.sample_chosen) as chosen:
            press()
        assert chosen.args == ["sample:good"]
    assert card.badge == "trained" and card.accessibleName() == "A good one"


def test_a_sample_without_its_packages_says_how_to_get_them(page) -> None:
    card = page.cards[1]
    assert not card.isEnabled()
    assert "pip install 'inference-workbench[samples]'" in card.note and card.badge == "for speed only"


def test_the_buttons_ask_for_files(page, qtbot) -> None:
    buttons = {button.text(): button for button in page.findChildren(QAbstractButton)}
    with qtbot.waitSignal(page.open_wanted):
        buttons["&Open model …"].click()
    with qtbot.waitSignal(page.callable_wanted):
        buttons["Open &callable …"].click()


def test_recent_models_appear_and_open(page, recent, qtbot, tmp_path) -> None:
    assert not rows(page) and page._recent_heading.isHidden()
    recent.add(Recent("sample:good"))
    recent.add(Recent(str(tmp_path / "net.py:build"), "w.pt", ("1x3x8x8",)))
    qtbot.waitUntil(lambda: len(rows(page)) == 2)
    assert [row.text() for row in rows(page)] == ["net.py:build", "sample:good"]
    with qtbot.waitSignal(page.recent_chosen) as chosen:
        rows(page)[0].click()
    assert chosen.args[0].options() == {"weights": "w.pt", "inputs": ("1x3x8x8",)}
    recent.clear()
    qtbot.waitUntil(lambda: not rows(page))


def test_cards_take_as_many_columns_as_there_is_room(page, qtbot) -> None:
    left, right = page.cards
    qtbot.waitUntil(lambda: left.y() == right.y() and right.x() > left.x())
    page.resize(420, 600)
    qtbot.waitUntil(lambda: right.y() > left.y())
    assert right.x() == left.x() and right.geometry().right() <= page.width()


def test_texts_of_cards_are_not_clipped(qtbot, recent) -> None:
    page = StartPage(recent)
    qtbot.addWidget(page)
    page.resize(1280, 620)
    page.show()
    for card in page.cards:
        for label in card.findChildren(QLabel):
            assert label.height() >= label.heightForWidth(label.width()) - 1
            assert card.rect().contains(label.geometry())


def test_all_bundled_samples_are_offered() -> None:
    found = summaries()
    assert tuple(entry.name for entry in found) == sample_names()
    assert all(entry.title and entry.note for entry in found)


# -- the list itself ----------------------------------------------------------------------------------


def test_the_newest_comes_first_and_old_ones_go(recent) -> None:
    for number in range(12):
        recent.add(Recent(f"/models/{number}.pt"))
    recent.add(Recent("/models/5.pt"))
    texts = [entry.text for entry in recent.entries()]
    assert len(texts) == 10 and texts[0] == "/models/5.pt" and texts.count("/models/5.pt") == 1
    assert "/models/0.pt" not in texts


def test_the_list_survives_on_disk_and_foreign_entries(recent, tmp_path) -> None:
    recent.add(Recent("/models/a.pt"))
    recent._settings.sync()
    again = QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)
    assert [entry.text for entry in RecentModels(again).entries()] == ["/models/a.pt"]
    again.setValue("recent", ["{", "[]", '{"text": 1}', '{"text": "b.pt", "weights": null, "inputs": []}'])
    assert RecentModels(again).entries() == [Recent("b.pt")]


def test_what_is_remembered_of_a_model() -> None:
    spec = InputSpec(name="x", shape=(None, 3))
    model = ModelReference(
        name="net.py:build", path="/a/net.py", format="callable", sha256="0", attribute="build", weights="/a/w.pt",
        inputs=(spec,), trusted=True,
    )  # fmt: skip
    entry = Recent.of(model)
    assert entry == Recent("/a/net.py:build", "/a/w.pt", ("x=?x3",))
    assert (entry.title, entry.place) == ("net.py:build", "/a") and "trust_pickle" not in entry.options()
    sample = ModelReference(
        name="sample:x", path="/a/x.py", format="callable", sha256="0", attribute="b", inputs=(spec,)
    )
    assert Recent.of(sample) == Recent("sample:x") and Recent.of(sample).options() == {}

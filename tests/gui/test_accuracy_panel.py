"""The accuracy panel: verdicts, figures, outputs, and the worst items with their pictures."""

import msgspec
import numpy as np
import pytest
from fake_trials import accuracy_of, failed, trial, turn, weird
from PySide6.QtCore import Qt

from workbench.core.accuracy import AccuracyMeter
from workbench.core.trial import DataFacts
from workbench.gui.accuracy_panel import AccuracyPanel
from workbench.gui.thumbnails import Thumbnails, picture_of, shrunk
from workbench.gui.worst_items import MOST, WorstItems


def png(folder, name: str, shape=(30, 60, 3)):
    cv2 = pytest.importorskip("cv2")
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.zeros(shape, np.uint8)
    pixels[..., 2] = 255  # OpenCV's order: red
    path.write_bytes(cv2.imencode(".png", pixels)[1].tobytes())
    return path


def data_of(folder, names) -> DataFacts:
    return DataFacts(path=str(folder), calibration=[], evaluation=list(names))


@pytest.fixture
def session(study):
    return study()


@pytest.fixture
def panel(session, show):
    return show(AccuracyPanel(session), 300, 640)


def select(session, record) -> None:
    session.select(record)
    turn()


def test_states_without_accuracy(panel, session) -> None:
    assert "Nothing to compare yet" in panel._empty.text()
    select(session, trial())
    assert "n/a: this run had no data" in panel._empty.text() and "data folder" in panel._empty.text()
    select(session, failed(id=9))
    assert "trial 9" in panel._empty.text() and "signal 11" in panel._empty.text()
    select(session, trial(accuracy=AccuracyMeter().result()))
    assert "nothing was compared" in panel._empty.text()
    assert panel._pages.currentIndex() == 0 and panel.items.rowCount() == 0


def test_figures_beside_the_baseline(panel, session) -> None:
    good, bad = accuracy_of(["a", "b", "c"], good=3), accuracy_of(["a", "b", "c"])
    session.set_baseline(trial(accuracy=good))
    select(session, trial(accuracy=bad))
    assert panel._pages.currentIndex() == 1 and panel._verdict.text() == bad.verdict
    this, baseline = panel.figures.texts(1), panel.figures.texts(2)
    assert this[0] == baseline[0] == "3"
    assert this[1] == f"{bad.cosine_mean:.4f}" and baseline[5] == "100.0%" and this[5] == "33.3%"
    assert panel.outputs.texts(0) == ["scores", "boxes"] and panel.outputs.isVisible()
    session.set_baseline(None)
    turn()
    assert panel.figures.texts(2) == ["–"] * 8


def test_one_output_needs_no_table(panel, session) -> None:
    meter = AccuracyMeter()
    same = [("out", np.array([[1.0, 2.0]]))]
    meter.add("0", same, same)
    select(session, trial(accuracy=meter.result()))
    assert not panel.outputs.isVisible()
    assert panel.figures.texts(1)[3] == "∞" and panel.figures.texts(1)[6] == "–"


def test_many_outputs_show_the_worst(panel, session) -> None:
    meter = AccuracyMeter()
    ours = [(f"out{i}", np.arange(1.0, 5.0)) for i in range(40)]
    theirs = [(name, array + (i == 30) * 3.0 * np.arange(4)[::-1]) for i, (name, array) in enumerate(ours)]
    meter.add("0", ours, theirs)
    select(session, trial(accuracy=meter.result()))
    assert panel.outputs.rowCount() == 12 and "out30" in panel.outputs.texts(0)
    assert "28 more" in panel._outputs_title.text()


def test_worst_items_come_first(panel, session) -> None:
    record = trial(accuracy=accuracy_of(["fine", "b", "c"]))
    select(session, record)
    texts = [panel.items.index(row).data() for row in range(3)]
    assert texts[-1].splitlines() == ["fine", "1.0000   1 = 1   label 1 ✓"]
    assert "1 ≠" in texts[0] and "label 1 ✗" in texts[0]
    assert panel.items.index(0).data(Qt.ItemDataRole.ForegroundRole) is not None
    assert panel.items.index(2).data(Qt.ItemDataRole.ForegroundRole) is None
    assert panel.items.index(0).data(Qt.ItemDataRole.DecorationRole) is None
    assert "true class" in panel.items.caption()


def test_pictures_are_loaded_when_they_are_seen(panel, session, tmp_path, qtbot) -> None:
    names = ["sub/a.png", "b.png", "gone.png", "broken.png"]
    for name in names[:2]:
        png(tmp_path / "pictures", name)
    (tmp_path / "pictures" / "broken.png").write_bytes(b"no picture")
    select(session, trial(accuracy=accuracy_of(names), data=data_of(tmp_path / "pictures", names)))
    wanted = [panel.items.index(row) for row in range(4)]
    rows = {index.data().splitlines()[0]: index for index in wanted}

    def red(name: str) -> bool:
        picture = rows[name].data(Qt.ItemDataRole.DecorationRole)
        colour = picture.toImage().pixelColor(20, 20)
        return colour.alpha() == 255 and colour.red() == 255

    qtbot.waitUntil(lambda: red("sub/a.png") and red("b.png"), timeout=5000)
    assert not red("gone.png") and not red("broken.png")


def test_no_picture_is_decoded_while_a_job_runs(session, script, tmp_path, qtbot) -> None:
    script.endless = True
    session.run_live()
    thumbnails = Thumbnails(session, 40, session)
    path = png(tmp_path, "a.png")
    assert thumbnails.find(path) is None
    qtbot.wait(100)
    assert thumbnails.find(path) is None
    with qtbot.waitSignal(thumbnails.arrived, timeout=5000):
        session.stop()
    assert thumbnails.find(path).width() == 40


def test_what_is_a_picture() -> None:
    assert picture_of("/data", "a/b.JPG").name == "b.JPG"
    assert picture_of("/data/x.npz", "17") is None and picture_of("/data", "a\0.png") is None


def test_shrinking_keeps_the_shape_and_never_enlarges(tmp_path) -> None:
    wide = shrunk(png(tmp_path, "w.png", (100, 400, 3)).read_bytes(), 40)
    small = shrunk(png(tmp_path, "s.png", (5, 3, 3)).read_bytes(), 40)
    line = shrunk(png(tmp_path, "l.png", (1, 4000, 3)).read_bytes(), 40)
    assert [(image.width(), image.height()) for image in (wide, small, line)] == [(40, 10), (3, 5), (40, 1)]
    assert wide.pixelColor(5, 5).name() == "#ff0000"


def test_very_many_items(session, qtbot, qtmodeltester) -> None:
    accuracy = accuracy_of(["x"])
    items = tuple(msgspec.structs.replace(accuracy.items[0], name=f"{i}.png", cosine=1 - i * 1e-4) for i in range(5000))
    items += (msgspec.structs.replace(items[0], name="odd.png", cosine=float("nan"), top1=None),)
    model = WorstItems(Thumbnails(session, 40, session), session)
    model.show_trial(trial(accuracy=msgspec.structs.replace(accuracy, items=items), data=data_of("/nowhere", [])))
    assert model.rowCount() == MOST
    assert model.index(0).data().splitlines() == ["odd.png", "–   1 ≠ ?   label 1 ✗"]
    qtmodeltester.check(model)


def test_odd_records(panel, session) -> None:
    for record in weird():
        session.set_baseline(record)
        select(session, record)
        for column in (1, 2):
            assert not any("nan" in text or "None" in text for text in panel.figures.texts(column))
        assert not panel.grab().isNull()


@pytest.mark.parametrize("verdict, icon", [("close to FP32", "ok"), ("visibly different", "warning"), ("far", "error")])
def test_verdicts_have_icons(panel, session, verdict, icon, monkeypatch) -> None:
    said = []
    monkeypatch.setattr(panel._verdict, "say", lambda *arguments: said.append(arguments))
    select(session, trial(accuracy=msgspec.structs.replace(accuracy_of(["a"]), verdict=verdict)))
    assert said[-1] == (verdict, icon, icon)

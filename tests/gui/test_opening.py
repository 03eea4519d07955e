"""Ways into the session: the start page, menus, dialogs, files dropped; and what cannot be opened is told."""

import pytest
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtWidgets import QFileDialog
from shell import drag, named, visible

from workbench.core.config import Config
from workbench.errors import UserError
from workbench.gui import main_window, tasks
from workbench.gui.opening import Recent, kind_of


def test_a_sample_opens_in_the_background(make_window, qtbot) -> None:
    window = make_window()
    told = []
    window.session.opening.connect(told.append)
    with qtbot.waitSignal(window.session.subject_changed):
        window.start_page.cards[5].click()
        assert told == ["sample:digits-cnn"] and window.session.subject is None
        assert "opening sample:digits-cnn" in window.statusBar().work.text()
    assert told == ["sample:digits-cnn", ""]
    assert window.windowTitle() == "digits-cnn – Inference Workbench"
    qtbot.waitUntil(lambda: visible(window) == {"model", "knobs", "accuracy", "trials", "log"})
    assert window.stack.currentWidget() is window.tabs
    qtbot.waitUntil(window.updatesEnabled)
    assert window.recent.entries() == [Recent("sample:digits-cnn")]
    assert window.acts.run.isEnabled() and window.statusBar().work.text() == "idle"


def test_the_last_one_asked_for_is_opened(make_window, qtbot) -> None:
    window = make_window()
    with qtbot.waitSignal(window.session.subject_changed):
        window.session.open_model_soon("sample:lstm")
        window.session.open_model_soon("sample:digits-mlp")
    qtbot.waitUntil(tasks.idle)
    assert window.session.subject.model.name == "sample:digits-mlp"


def test_what_cannot_be_opened_is_told(make_window, qtbot, tmp_path) -> None:
    window = make_window()
    window.session.open_model_soon(str(tmp_path / "missing.pt"))
    qtbot.waitUntil(lambda: not window.errors.isHidden())
    assert "There is no file" in window.errors.text()
    assert window.stack.currentWidget() is window.start_page


@pytest.mark.parametrize("precision", ["int8", "bf16"])
def test_an_onnx_file_gets_the_engine_that_runs_it(make_window, qtbot, tmp_path, precision) -> None:
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    info = [helper.make_tensor_value_info(name, 1, [1, 4]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", info[:1], info[1:])
    onnx.save(helper.make_model(graph), str(tmp_path / "relu.onnx"))
    window = make_window()
    window.session.set_knobs({"precision": precision})
    window.session.open_model_soon(str(tmp_path / "relu.onnx"))
    qtbot.waitUntil(lambda: window.session.config.engine == "onnxruntime")
    assert window.session.config.precision == ("int8" if precision == "int8" else "fp32")
    window.acts.undo.trigger()
    assert window.session.config.engine == "torch" and window.session.config.precision == precision


def test_recent_models_are_in_the_menu(make_window, qtbot) -> None:
    window = make_window()
    window.recent.add(Recent("sample:digits-mlp"))
    with qtbot.waitSignal(window.session.subject_changed):
        named(window, "sample:digits-mlp").trigger()
    named(window, "Clear list").trigger()
    assert window.recent.entries() == []


def test_the_samples_menu_opens_one(make_window, qtbot) -> None:
    window = make_window()
    with qtbot.waitSignal(window.session.subject_changed):
        named(window, "Digits, convolutional").trigger()


def test_a_pickle_asks_before_it_is_trusted(make_window, qtbot, monkeypatch) -> None:
    window, asked = make_window(), []
    monkeypatch.setattr(main_window.trust, "ask_and_reopen", lambda *arguments: asked.append(arguments))
    error = UserError(
        "Loading a.pt could run any code.", "Beyond tensors it wants to import: os.system.", "--trust-pickle"
    )
    window.session.refused.emit(error)
    qtbot.waitUntil(lambda: bool(asked))
    assert asked[0] == (window.session, window, error) and window.errors.isHidden()


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.pt", "model"), ("a.ONNX", "model"), ("a.py", "callable"), ("a.npz", "data"), ("a.toml", "config"),
     ("a.sqlite", "study"), ("a.txt", None), ("", "data"),
     ("a.zip", "bundle"), ("manifest.json", "bundle"), ("a.json", None)],
)  # fmt: skip
def test_what_a_file_would_be_opened_as(tmp_path, name, kind) -> None:
    assert kind_of(tmp_path / name) == kind


def test_a_dropped_folder_becomes_the_data(ready, qtbot, tmp_path) -> None:
    entering = drag(tmp_path, QDragEnterEvent)
    entering.ignore()
    ready.dragEnterEvent(entering)
    assert entering.isAccepted()
    with qtbot.waitSignal(ready.session.subject_changed):
        ready.dropEvent(drag(tmp_path))
    assert ready.session.subject.data.path == str(tmp_path)


def test_dropped_models_configs_and_studies(ready, qtbot, tmp_path) -> None:
    (tmp_path / "knobs.toml").write_text('precision = "bf16"\n')
    with qtbot.waitSignal(ready.session.config_changed):
        ready.dropEvent(drag(tmp_path / "knobs.toml"))
    assert ready.session.config.precision == "bf16" and ready.session.undo.undoText() == "load knobs.toml"
    with qtbot.waitSignal(ready.session.trials_changed):
        ready.dropEvent(drag(tmp_path / "other.sqlite"))
    ready.dropEvent(drag(tmp_path / "missing.pt"))
    qtbot.waitUntil(lambda: "There is no file" in ready.errors.text())
    (tmp_path / "bad.toml").write_text("precision = 7")
    ready.opener.open_path(tmp_path / "bad.toml")
    assert "precision" in ready.errors.text()


def test_what_means_nothing_is_not_taken(ready, tmp_path) -> None:
    entering = drag(tmp_path / "letter.txt", QDragEnterEvent)
    entering.ignore()
    ready.dragEnterEvent(entering)
    assert not entering.isAccepted()


def test_data_without_a_model_say_what_to_do(make_window, tmp_path) -> None:
    window = make_window()
    window.opener.open_path(tmp_path)
    assert "Open a model first" in window.errors.text()


def test_the_dialogs_open_what_was_chosen(ready, monkeypatch, tmp_path, qtbot) -> None:
    answers = iter([str(tmp_path / "c.toml"), str(tmp_path / "c.toml"), "", str(tmp_path / "s.sqlite")])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (next(answers), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (next(answers), ""))
    ready.session.set_knobs({"precision": "int8"})
    ready.acts.save_config.trigger()
    assert Config.load(tmp_path / "c.toml").precision == "int8"
    ready.acts.undo.trigger()
    assert ready.session.config.precision == "fp32"
    ready.acts.load_config.trigger()
    assert ready.session.config.precision == "int8"
    ready.acts.open_model.trigger()  # left without an answer
    ready.acts.open_study.trigger()
    qtbot.waitUntil(lambda: ready.session.store.place == str(tmp_path / "s.sqlite"))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    ready.acts.open_folder.trigger()
    assert ready.session.subject.data.path == str(tmp_path)


def test_a_config_that_cannot_be_saved_is_told(ready, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "c.toml"), ""))
    ready.acts.save_config.trigger()
    assert "The config was not saved." in ready.errors.text()

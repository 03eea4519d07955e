"""Model and data at the left: what is shown of them, found in the background; trust; the callable dialog."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections import OrderedDict
from pathlib import Path

import pytest
from pictures import model_file, picture_folder
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from workbench.core.model import InputSpec
from workbench.errors import UserError
from workbench.gui import trust
from workbench.gui.callable_dialog import CallableDialog, callables_in
from workbench.gui.model_panel import ModelPanel


@pytest.fixture
def make(session, show):
    return lambda **options: show(ModelPanel(session, **options), 300, 700)


@pytest.fixture
def settle(qtbot):
    def settle(panel):
        qtbot.waitUntil(lambda: not panel.opened.busy and panel.opened._task is None, timeout=10_000)

    return settle


def cells(table, row=0):
    return [table.item(row, column).text() for column in range(table.columnCount())]


def test_nothing_is_open_yet(make):
    panel = make()
    assert panel.title.text() == "No model yet"
    assert panel.inputs.isHidden()
    assert panel.own.isHidden()
    assert "Open a model" in panel.preview.note.text()


def test_a_sample_shows_title_inputs_and_split(make, session, settle):
    panel = make()
    session.open_model("sample:digits-cnn")
    assert panel.opened.busy, "data is opened in the background"
    settle(panel)
    assert panel.title.text() == "Digits, convolutional"
    assert panel.format.text() == "sample:digits-cnn  ·  callable"
    assert cells(panel.inputs) == ["image", "?×1×8×8", "float32", "0"]
    assert panel.counts.text() == "600 usable"
    assert panel.split.text() == "100 calibration + 500 evaluation of 1797"
    assert panel.own.isVisible()
    assert not panel.own.isEnabled(), "it is the sample's own data already"


def test_a_folder_shows_usable_rejected_and_other_files(make, session, settle, tmp_path):
    folder = picture_folder(tmp_path / "photos")
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    (folder / "notes.txt").write_text("x")
    panel = make()
    session.open_model(model_file(tmp_path), inputs=("1x3x32x48",), data=folder)
    settle(panel)
    assert panel.counts.text() == "6 usable  ·  1 other files"
    assert panel.rejected.text() == "1 rejected"
    (line,) = panel.rejected.menu().actions()
    assert line.text().startswith("broken.png: ")
    assert panel.split.text() == "3 calibration + 3 evaluation of 6"
    assert "fewer than 32" in panel.warnings.text()
    assert panel.title.text() == "model.py"


def test_data_that_cannot_be_used_says_why_and_what_next(make, session, settle, tmp_path):
    panel = make()
    session.open_model(
        model_file(tmp_path), inputs=("1x3x224x224",), data=picture_folder(tmp_path / "photos")
    )  # fmt: skip
    settle(panel)
    assert "model expects 1×3×224×224" in panel.fault.text()
    assert "preprocess.size = [224, 224]" in panel.fault.text()
    assert panel.counts.isHidden()
    assert panel.preview.views == []


def test_own_data_comes_back_with_its_split(make, session, settle, tmp_path):
    panel = make()
    session.open_model("sample:digits-cnn")
    settle(panel)
    before = session.subject
    session.set_data(picture_folder(tmp_path / "photos", size=(8, 8)))
    settle(panel)
    assert panel.own.isEnabled()
    assert panel.fault.isVisible(), "three channels do not fit one"
    panel.own.click()
    settle(panel)
    assert session.subject == before
    assert panel.fault.isHidden()
    session.undo.undo()
    assert session.subject.data.path.endswith("photos")


def test_the_split_follows_the_calibration_knob(make, session, settle):
    panel = make()
    session.open_model("sample:digits-cnn")
    session.set_knobs({"precision": "int8", "calibration.samples": 7})
    settle(panel)
    assert panel.split.text().startswith("7 calibration")


def test_no_data_is_said(make, session, settle):
    panel = make()
    session.open_model("sample:digits-cnn")
    settle(panel)
    session.set_data(None)
    settle(panel)
    assert panel.data_path.text() == "No data: random numbers"
    assert "random numbers" in panel.preview.note.text()


def test_calibration_apart_and_labels_become_part_of_the_source(make, session, settle, tmp_path, monkeypatch):
    panel = make()
    session.open_model(model_file(tmp_path), inputs=("1x3x32x48",), data=picture_folder(tmp_path / "photos"))
    other = picture_folder(tmp_path / "other", count=2)
    labels = tmp_path / "labels.csv"
    labels.write_text("0.png,3\n")
    dialogs = "workbench.gui.model_panel.QFileDialog"
    monkeypatch.setattr(f"{dialogs}.getExistingDirectory", lambda *_: str(other))
    monkeypatch.setattr(f"{dialogs}.getOpenFileName", lambda *_: (str(labels), ""))
    panel.choose_calibration()
    panel.choose_labels()
    settle(panel)
    assert session.subject.data.calibration_path == str(other)
    assert panel.split.text() == "2 calibration + 6 evaluation of 8"
    assert panel.opened.found.data.evaluation[0].label == 3


def test_inputs_that_only_the_file_knows_are_looked_up(make, session, settle, tmp_path, qtbot):
    gate = threading.Event()

    def look(subject, config, listener):
        gate.wait(5)
        return [InputSpec(name="x", shape=(None, 3, 32, 48))]

    panel = make(look=look)
    session.open_model(model_file(tmp_path), data=picture_folder(tmp_path / "photos"))
    assert panel.opened.busy.startswith("Looking into the model")
    assert panel.inputs_note.text() == panel.opened.busy
    gate.set()
    settle(panel)
    assert cells(panel.inputs) == ["x", "?×3×32×48", "float32", "0"]
    assert panel.split.text() == "3 calibration + 3 evaluation of 6"


def test_a_model_that_cannot_be_looked_into_says_why(make, session, settle, tmp_path):
    def look(subject, config, listener):
        raise UserError("It needs a package.", "torchvision is missing.", "Install it.")

    panel = make(look=look)
    session.open_model(model_file(tmp_path))
    settle(panel)
    assert "Install it." in panel.fault.text()
    assert panel.inputs_note.isVisible()


def test_looking_waits_for_a_measurement(make, session, settle, tmp_path, monkeypatch):
    looked = []

    def look(subject, config, listener):
        looked.append(1)
        return [InputSpec(name="x", shape=(1, 3))]

    panel = make(look=look)
    monkeypatch.setattr(session, "stop", lambda: None)
    session.job = object()
    session.open_model(model_file(tmp_path))
    assert not panel.opened.busy
    assert looked == []
    session.job = None
    session.job_ended.emit(None)
    settle(panel)
    assert looked == [1]
    assert panel.opened.found.inputs[0].name == "x"


def test_the_newest_wish_wins(make, session, settle, tmp_path):
    panel = make()
    session.open_model("sample:digits-cnn")
    session.set_data(None)
    session.open_model("sample:digits-mlp")
    settle(panel)
    assert panel.title.text() == "Digits, fully connected"
    assert panel.opened.found.data is not None
    assert panel.opened.found.inputs[0].name == "image"


def test_opening_is_shown_while_it_takes(make, session, qtbot):
    panel = make()
    session.open_model_soon("sample:digits-cnn")
    assert "Opening sample:digits-cnn" in panel.note.text()
    qtbot.waitUntil(lambda: session.subject is not None)
    assert "Opening" not in panel.note.text()


def test_every_sample_is_in_the_menu(make, session, qtbot):
    panel = make()
    action = next(one for one in panel._open.menu().actions() if one.text() == "sample:digits-mlp")
    action.trigger()
    qtbot.waitUntil(lambda: session.subject is not None)
    assert session.subject.model.name == "sample:digits-mlp"


def test_it_fits_300_pixels(make, session, settle):
    panel = make()
    session.open_model("sample:digits-cnn")
    settle(panel)
    assert panel.minimumSizeHint().width() <= 300
    for part in (panel.editor, panel.preview, panel.inputs):
        assert part.width() <= 300 - 2 * 8


def test_no_engine_library_is_imported():
    code = (
        "import sys, workbench.gui.model_panel, workbench.gui.knobs_panel, workbench.gui.core_map\n"
        "print(sorted({'torch', 'onnx', 'onnxruntime', 'intel_extension_for_pytorch'} & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "[]"


# -- trust ------------------------------------------------------------------------------------------


class Evil:
    def __reduce__(self):
        return (os.getcwd, ())


def pickled_weights(folder: Path) -> Path:
    """A state dict in torch's legacy form that wants to call something."""
    path = folder / "weights.pt"
    with path.open("wb") as stream:
        for part in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}, OrderedDict(a=Evil()), []):
            pickle.dump(part, stream, protocol=2)
    return path


@pytest.fixture
def refusal(session, tmp_path):
    """Opening such weights is refused; the error and the call."""
    seen = []
    session.refused.connect(seen.append)
    text, weights = model_file(tmp_path), pickled_weights(tmp_path)
    session.open_model(text, weights=str(weights), inputs=("1x3",))
    (error,) = seen
    return error


def answer(button):
    """Press *button* of the dialog that is about to open."""

    def press():
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, trust.TrustQuestion)
        role = getattr(QDialogButtonBox.ButtonRole, button)
        next(one for one in dialog.buttons.buttons() if dialog.buttons.buttonRole(one) == role).click()

    QTimer.singleShot(50, press)


def test_the_question_names_the_classes_and_defaults_to_no(qtbot, refusal):
    assert trust.needs_trust(refusal)
    assert trust.classes_named(refusal) == ["posix.getcwd" if os.name == "posix" else "nt.getcwd"]
    dialog = trust.TrustQuestion(refusal)
    qtbot.addWidget(dialog)
    assert "getcwd" in dialog.names.toPlainText()
    dialog.show()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.result() == 0
    defaults = [button for button in dialog.buttons.buttons() if button.isDefault()]
    assert [dialog.buttons.buttonRole(button) for button in defaults] == [QDialogButtonBox.ButtonRole.RejectRole]


def test_no_leaves_it_closed(qtbot, session, refusal):
    answer("RejectRole")
    assert not trust.ask_and_reopen(session, None, refusal)
    assert session.subject is None


def test_yes_opens_this_file_with_trust(qtbot, session, refusal):
    answer("AcceptRole")
    assert trust.ask_and_reopen(session, None, refusal)
    qtbot.waitUntil(lambda: session.subject is not None)
    assert session.subject.model.trusted
    assert [str(spec) for spec in session.subject.model.inputs] == ["1x3"]


def test_other_errors_are_no_question_of_trust():
    assert not trust.needs_trust(UserError("No model file.", "It is text.", "Supported are … --trust-pickle …"))
    assert not trust.needs_trust(UserError("x"))


def test_more_names_than_shown_are_counted():
    error = UserError("x", "Beyond tensors it wants to import: a.B, c.D and 7 more.", "add --trust-pickle")
    assert trust.classes_named(error) == ["a.B", "c.D", "… and 7 more"]


# -- file.py:callable -------------------------------------------------------------------------------


def test_the_dialog_lists_what_the_file_defines(qtbot, tmp_path):
    file = model_file(tmp_path).rpartition(":")[0]
    dialog = CallableDialog(file)
    qtbot.addWidget(dialog)
    assert [dialog.callable.itemText(row) for row in range(dialog.callable.count())] == ["build", "Net"]
    dialog.inputs.setText("1x3x32x32 ids=1x?:int64")
    assert dialog.text() == f"{file}:build"
    assert dialog.options() == {"weights": None, "inputs": ("1x3x32x32", "ids=1x?:int64")}


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("file", "/nowhere/model.py", "no such Python file"),
        ("weights", "/nowhere/weights.pt", "no such weights"),
        ("inputs", "1xthree", "is no shape"),
        ("inputs", "1x3:float99", "no data type"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_can_be_opened(qtbot, tmp_path, field, text, words):
    dialog = CallableDialog(model_file(tmp_path).rpartition(":")[0])
    qtbot.addWidget(dialog)
    button = dialog._buttons.button(QDialogButtonBox.StandardButton.Open)
    assert button.isEnabled()
    getattr(dialog, field).setText(text)
    assert words in dialog.fault.text()
    assert not button.isEnabled()


@pytest.mark.parametrize("source", ["def broken(:\n", "\x00", "x = 1\n", ""])
def test_a_file_without_callables_lists_none(tmp_path, source):
    path = tmp_path / "m.py"
    path.write_text(source)
    assert callables_in(path) == []
    assert callables_in(tmp_path / "missing.py") == []

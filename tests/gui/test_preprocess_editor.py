"""The form for preprocessing: what it shows, what it takes, what it says is wrong."""

from __future__ import annotations

import pytest
from pictures import model_file, picture_folder
from PySide6.QtCore import Qt

from workbench.core.config import Config
from workbench.core.preprocess import Preprocess
from workbench.gui.preprocess_editor import PreprocessEditor
from workbench.gui.preprocess_words import SCALES, fields, from_text, made, to_text


@pytest.fixture
def editor(qtbot, session, tmp_path):
    editor = PreprocessEditor(session)
    qtbot.addWidget(editor)
    session.open_model(model_file(tmp_path), inputs=("1x3x16x16",), data=picture_folder(tmp_path / "photos", 2))
    editor.show()
    return editor


def type_in(qtbot, line, text):
    line.setFocus()
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def test_the_form_is_made_from_the_fields(editor):
    expected = [name for name in Preprocess.__struct_fields__ if name != "dtype"]
    assert list(editor.editors) == expected == [name for name, _ in fields()]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("size", "16", 16),
        ("size", "16 x 24", (16, 24)),
        ("size", "16×24", (16, 24)),
        ("crop", "8", 8),
        ("mean", "127.5", (127.5,)),
        ("mean", "1, 2; 3", (1.0, 2.0, 3.0)),
        ("std", "255", (255.0,)),
    ],
)
def test_what_is_typed_reaches_the_session(qtbot, editor, session, name, text, value):
    type_in(qtbot, editor.editors[name], text)
    assert getattr(session.subject.preprocess, name) == value
    assert editor.complaint(name) == ""
    session.undo.undo()
    assert session.subject.preprocess is None
    assert editor.editors[name].text() == to_text(getattr(Preprocess(), name))


def test_a_choice_reaches_the_session(editor, session):
    editor.editors["color"].button("bgr").click()
    assert session.subject.preprocess == Preprocess(color="bgr")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("size", "big", "One number of pixels"),
        ("size", "1 2 3", "height × width"),
        ("size", "99999", "from 1 to 32768"),
        ("mean", "", "One number, or one per channel"),
        ("mean", "1, 2", "one value or 3"),
        ("mean", "nan", "finite"),
        ("std", "0", "differ from zero"),
    ],
)
def test_what_is_wrong_is_said_at_the_field_and_changes_nothing(qtbot, editor, session, name, text, words):
    before = session.subject
    type_in(qtbot, editor.editors[name], text)
    assert words in editor.complaint(name)
    assert all(not editor.complaint(other) for other in editor.editors if other != name)
    assert session.subject is before
    assert editor.editors[name].text() == text, "what was typed stays"


def test_a_wrong_combination_is_said_where_it_is(qtbot, editor, session):
    editor.editors["resize"].button("shorter").click()
    assert "set a size as well" in editor.complaint("resize")
    assert session.subject.preprocess is None
    type_in(qtbot, editor.editors["size"], "16")
    assert editor.complaint("resize") == ""
    assert session.subject.preprocess == Preprocess(size=16, resize="shorter")


def test_gray_with_three_means_is_said_at_the_mean(qtbot, editor, session):
    type_in(qtbot, editor.editors["mean"], "1, 2, 3")
    editor.editors["color"].button("gray").click()
    assert "gray" in editor.complaint("mean")
    assert session.subject.preprocess.color == "rgb"


def test_usual_scales_are_one_click(editor, session):
    actions = [action for action in editor._usual.menu().actions() if action.text().startswith("ImageNet")]
    actions[0].trigger()
    assert session.subject.preprocess.mean == (123.675, 116.28, 103.53)
    for _, mean, std in SCALES:
        assert from_text("mean", to_text(mean)) == mean
        assert from_text("std", to_text(std)) == std


def test_arrays_are_not_prepared(editor, session):
    session.open_model("sample:digits-cnn")
    assert editor._form.isHidden()
    assert "as they are" in editor.note.text()


def test_without_a_model_there_is_nothing(qtbot, session):
    editor = PreprocessEditor(session)
    qtbot.addWidget(editor)
    assert editor._form.isHidden()
    editor._apply()


def test_a_configs_table_gives_way_to_what_is_typed(qtbot, editor, session):
    session.set_config(Config(preprocess={"size": 20, "color": "bgr"}), "load")
    assert editor.editors["size"].text() == "20"
    type_in(qtbot, editor.editors["size"], "16")
    assert session.config.preprocess == {}
    assert session.subject.preprocess == Preprocess(size=16, color="bgr")
    session.undo.undo()
    assert session.config.preprocess == {"size": 20, "color": "bgr"}
    assert editor.editors["size"].text() == "20"


@pytest.mark.parametrize("value", [None, 224, (224, 320), (127.5,), (0.1, 2.0, 1e-9), (123.675, 116.28, 103.53)])
def test_text_comes_back_as_the_same_value(value):
    name = "mean" if isinstance(value, tuple) and isinstance(value[0], float) else "size"
    assert from_text(name, to_text(value)) == value


def test_hidden_fields_keep_their_value():
    assert made({"size": 3}, Preprocess(dtype="uint8")).dtype == "uint8"

"""What the user must change ends with exit code 2, one message, and nothing stored."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import evil_pickle
import numpy as np
import pytest
from command_line import check_refusal

pytestmark = pytest.mark.usefixtures("nothing_left", "data_dir")

NET = """
    import torch

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = torch.nn.Conv2d(3, 4, 3)
            self.fc = torch.nn.Linear(4 * 6 * 6, 5)

        def forward(self, image):
            return self.fc(torch.flatten(torch.relu(self.conv1(image)), 1))

    def build():
        return Net().eval()
"""


@pytest.fixture
def net(tmp_path):
    file = tmp_path / "net.py"
    file.write_text(textwrap.dedent(NET))
    return f"{file}:build"


# -- bad input, refused before any worker starts ----------------------------------------------------


def empty(path: Path) -> None:
    path.write_bytes(b"")


def text(path: Path) -> None:
    path.write_text("<html>404: not found</html>\n")


def noise(path: Path) -> None:
    path.write_bytes(np.random.default_rng(0).bytes(5000))


@pytest.mark.parametrize(
    ("name", "make", "parts"),
    [
        ("none.pt", None, ("There is no file", "none.pt")),
        ("empty.pt", empty, ("empty.pt is empty", "Copy or download")),
        ("page.pt", text, ("page.pt is no model file", "Supported are")),
        ("noise.onnx", noise, ("noise.onnx is no model file", "Supported are")),
        ("cut.pt", lambda path: path.write_bytes(b"PK\x03\x04" + bytes(100)), ("damaged or cut off",)),
    ],
)
def test_a_file_that_is_no_model_is_refused(run, tmp_path, data_dir, name, make, parts):
    if make:
        make(tmp_path / name)
    check_refusal(run("measure", tmp_path / name, "--input", "1x4"), data_dir, *parts)


def test_a_pickle_that_would_run_code_is_refused_and_does_not_run(run, tmp_path, data_dir):
    said = run("measure", evil_pickle.write(tmp_path), "--input", "1x4")
    check_refusal(
        said, data_dir, "could run any code", "posix.system" if os.name == "posix" else "system", "--trust-pickle"
    )
    assert not (tmp_path / "ran").exists()


def test_bare_weights_are_refused_with_the_way_to_use_them(run, tmp_path, data_dir):
    torch = pytest.importorskip("torch")
    file = tmp_path / "weights.pt"
    torch.save(torch.nn.Linear(4, 3).state_dict(), file)
    check_refusal(run("measure", file), data_dir, "holds weights, but no model", "model.py:build --weights")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["sample:digit-cnn"], ("no sample 'digit-cnn'", "'digits-cnn'")),
        (["{script}", "--set", "runtime.thread=2"], ("no knob 'runtime.thread'", "'runtime.threads'")),
        (["{script}", "--set", "precision=int4"], ("'int4' is not a value of precision", "'int8'")),
        (["{script}", "--set", "runtime.threads=many"], ("'many'", "whole number")),
        (["{script}", "--set", "precision"], ("is not KEY=VALUE", "--set precision=int8")),
        (["{script}", "--config", "none.toml"], ("Cannot read the config file none.toml",)),
        (["{script}", "--input", "1x4", "--set", "runtime.affinity=4096"], ("CPU 4096", "runtime.affinity")),
        (["{script}", "--input", "1xfour"], ("'1xfour'", "Write --input")),
        (["{script}", "--input", "1x4", "--calib", "x"], ("nothing to evaluate on", "--data")),
        (["{script}", "--weights", "w.pt"], ("--weights needs a model given as FILE.py:callable",)),
        (["{script}", "--runs", "0"], ("--runs", "1", "--help")),
        (["{script}", "--rns", "10"], ("--rns", "--runs", "--help")),
        (["{script}", "another"], ("another", "--help")),
        ([], ("MODEL", "--help")),
    ],
)
def test_a_bad_argument_is_refused(run, script, data_dir, arguments, parts):
    said = run("measure", *(argument.format(script=script) for argument in arguments))
    check_refusal(said, data_dir, *parts)


def test_an_unknown_verb_names_the_near_one(run, data_dir):
    check_refusal(run("measur", "x.pt"), data_dir, "measur", "measure", "--help")


def test_a_study_that_is_not_there_is_refused(run, data_dir):
    check_refusal(run("study", "sample:nothing"), data_dir, "There is no study 'sample:nothing'")
    check_refusal(run("study", data_dir / "none.sqlite"), data_dir, "There is no study")


# -- bad input, found by the worker -----------------------------------------------------------------


def test_an_empty_folder_is_refused(run, faked, script, tmp_path, data_dir):
    faked()
    folder = tmp_path / "nothing here"
    folder.mkdir()
    said = run("measure", script, "--input", "1x3x8x8", "--data", folder)
    check_refusal(said, data_dir, "nothing here")


def test_a_folder_of_broken_pictures_is_refused(run, faked, script, tmp_path, data_dir):
    faked()
    (tmp_path / "broken").mkdir()
    for name in ("a.png", "b.jpg"):
        (tmp_path / "broken" / name).write_bytes(b"no picture at all")
    check_refusal(run("measure", script, "--input", "1x3x8x8", "--data", tmp_path / "broken"), data_dir, "broken")


def test_data_that_do_not_fit_the_model_are_refused(run, faked, script, tmp_path, data_dir):
    faked()
    np.save(tmp_path / "rows.npy", np.zeros((5, 7), np.float32))
    said = run("measure", script, "--input", "?x4", "--data", tmp_path / "rows.npy")
    check_refusal(said, data_dir, "does not fit the model", "5×7")


@pytest.mark.engine
def test_a_wrong_input_shape_is_refused_with_the_models_own_complaint(run, net, data_dir):
    said = run("measure", net, "--input", "1x3x9x9")
    check_refusal(said, data_dir, "refuses the input", "1x3x9x9", "196", "--input")


@pytest.mark.engine
def test_a_layer_that_does_not_exist_names_the_near_one(run, net, data_dir):
    said = run(
        "measure", net, "--input", "1x3x8x8", "--set", "precision=int8", "--set", 'layers."conv2".precision=fp32'
    )
    check_refusal(said, data_dir, "no layer 'conv2'", "'conv1'")


@pytest.mark.parametrize(
    "verb",
    [("measure",), ("compare", "--b", "runtime.interop_threads=2"), ("ladder",), ("sweep", "run.batch=1,2")],
)
def test_a_study_that_cannot_be_written_is_refused_before_anything_is_measured(
    run, faked, script, tmp_path, data_dir, verb
):
    faked(f"mark={tmp_path / 'loaded'}@load")
    (tmp_path / "file").write_text("in the way")
    verb, *more = verb
    said = run(verb, script, *more, "--input", "1x4", "--runs", "10", "--study", tmp_path / "file" / "s.sqlite")
    check_refusal(said, data_dir, "cannot be written", "s.sqlite", "--study")
    assert not (tmp_path / "loaded").exists()


@pytest.mark.parametrize(
    ("knob", "parts"),
    [
        ("runtime.thread=1,2", ("no knob 'runtime.thread'", "'runtime.threads'")),
        ("runtime.spin", ("runtime.spin cannot be swept here", "engine 'torch' does not have it")),
        ("runtime.threads=2", ("One value of runtime.threads", "at least two")),
        ("calibration.decay=0.9,0.99", ("cannot be swept here", "precision 'fp32'")),
        ("run.batch=x,0", ("None of the values of run.batch", "'x' is not a value of run.batch")),
    ],
)
def test_what_cannot_be_swept_is_refused(run, faked, script, data_dir, knob, parts):
    check_refusal(run("sweep", script, knob, "--input", "1x4"), data_dir, *parts)

"""What the user typed becomes model, data and preprocessing, or a message."""

from __future__ import annotations

import evil_pickle
import pytest

from workbench.core.data import DataSource
from workbench.core.samples import load_sample
from workbench.errors import UserError
from workbench.study.subject import find_subject

NET = "import torch\ndef build():\n    return torch.nn.Linear(4, 3)\n"


@pytest.fixture
def net(tmp_path):
    file = tmp_path / "net.py"
    file.write_text(NET)
    return f"{file}:build"


def test_a_sample_brings_its_data_and_preprocessing():
    sample = load_sample("digits-cnn")
    subject = find_subject("sample:digits-cnn")
    assert subject.model == sample.model
    assert subject.data == sample.data
    assert subject.preprocess == sample.preprocess


def test_other_data_replace_a_samples_own_with_its_split(tmp_path):
    subject = find_subject("sample:digits-cnn", data=tmp_path)
    assert subject.data == DataSource(path=str(tmp_path))
    assert subject.preprocess == load_sample("digits-cnn").preprocess


def test_other_calibration_replaces_the_samples_list_and_keeps_its_evaluation(tmp_path):
    subject = find_subject("sample:digits-cnn", calibration=tmp_path)
    own = load_sample("digits-cnn").data
    assert subject.data.calibration_path == str(tmp_path)
    assert subject.data.calibration == ()
    assert subject.data.evaluation == own.evaluation
    assert subject.data.path == own.path


def test_labels_are_added(net, tmp_path):
    subject = find_subject(net, inputs=["1x4"], data=tmp_path / "a", labels=tmp_path / "l.csv")
    assert subject.data == DataSource(path=str(tmp_path / "a"), labels=str(tmp_path / "l.csv"))


def test_relative_paths_become_absolute(net, tmp_path, monkeypatch):
    from pathlib import Path

    monkeypatch.chdir(tmp_path)
    subject = find_subject("net.py:build", inputs=["1x4"], data=Path("pictures"), calibration=Path("others"))
    assert subject.model.path == str(tmp_path / "net.py")
    assert subject.data == DataSource(path=str(tmp_path / "pictures"), calibration_path=str(tmp_path / "others"))


def test_a_model_alone_has_no_data(net):
    subject = find_subject(net, inputs=["1x4"])
    assert (subject.data, subject.preprocess) == (None, None)
    assert subject.model.attribute == "build"


@pytest.mark.parametrize("option", ["calibration", "labels"])
def test_calibration_and_labels_need_data(net, tmp_path, option):
    with pytest.raises(UserError) as caught:
        find_subject(net, inputs=["1x4"], **{option: tmp_path})
    assert "--data" in caught.value.next_step


def test_a_sample_takes_neither_weights_nor_inputs():
    with pytest.raises(UserError, match="takes no --weights"):
        find_subject("sample:digits-cnn", inputs=["1x4"])


def test_the_consent_to_a_pickle_is_passed_on(tmp_path):
    file = evil_pickle.write(tmp_path)
    with pytest.raises(UserError, match="could run any code"):
        find_subject(str(file))
    assert find_subject(str(file), trust_pickle=True).model.trusted
    assert not (tmp_path / "ran").exists()

"""The file of distributions: found again, told apart, never trusted when it is damaged."""

import os

import numpy as np
import pytest
from hand_made import seen

from workbench.core import calibration
from workbench.core.distribution import Collector
from workbench.core.trial import LayerError


@pytest.fixture
def tensors():
    collector = Collector()
    collector.add(np.array([np.nan, np.inf, 1.0], np.float32))
    return {"relu:out": seen(0.0, 3.0, samples=2), "input:image": seen(-1.0, 1.0), "odd:out": collector.result()}


def test_what_is_saved_is_loaded_in_the_same_order(tmp_path, tensors):
    path = tmp_path / "deep" / "folder" / "x.msgpack"
    assert calibration.save(path, tensors)
    loaded = calibration.load(path)
    assert loaded == tensors
    assert list(loaded) == list(tensors)
    assert [file.name for file in path.parent.iterdir()] == ["x.msgpack"]


def test_a_tensor_without_any_finite_value_survives_the_file(tmp_path):
    collector = Collector()
    collector.add(np.array([np.nan], np.float32))
    calibration.save(tmp_path / "x", {"a:out": collector.result()})
    assert not calibration.load(tmp_path / "x")["a:out"].seen


@pytest.mark.parametrize("damage", ["empty", "half", "text", "other", "missing", "folder"])
def test_a_damaged_file_is_no_calibration(tmp_path, tensors, damage):
    path = tmp_path / "x.msgpack"
    calibration.save(path, tensors)
    whole = path.read_bytes()
    path.unlink()
    if damage == "folder":
        path.mkdir()
    elif damage != "missing":
        path.write_bytes({"empty": b"", "half": whole[: len(whole) // 2], "text": b"hello", "other": b"\x80"}[damage])
    assert calibration.load(path) is None


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path, tensors):
    (tmp_path / "file").write_text("in the way")
    assert not calibration.save(tmp_path / "file" / "x.msgpack", tensors)
    assert (tmp_path / "file").read_text() == "in the way"


def test_the_name_depends_on_facts_and_files_but_not_on_the_order_of_facts(tmp_path):
    one, other = tmp_path / "1.png", tmp_path / "2.png"
    one.write_bytes(b"one")
    other.write_bytes(b"two")
    facts = {"model": "abc", "samples": ["1.png"]}
    name = calibration.fingerprint(facts, [one, other])
    assert name == calibration.fingerprint({"samples": ["1.png"], "model": "abc"}, [one, other])
    assert name != calibration.fingerprint({**facts, "model": "abd"}, [one, other])
    assert name != calibration.fingerprint(facts, [one])
    assert name != calibration.fingerprint(facts, [other, one])
    assert len(name) == 32


@pytest.mark.parametrize("change", ["content", "time", "name"])
def test_changed_data_is_another_calibration(tmp_path, change):
    file = tmp_path / "1.png"
    file.write_bytes(b"one")
    before = calibration.fingerprint({}, [file])
    if change == "content":
        file.write_bytes(b"longer")
    elif change == "time":
        os.utime(file, (1, 1))
    else:
        file = file.rename(tmp_path / "2.png")
    assert calibration.fingerprint({}, [file]) != before


def test_another_version_is_another_calibration(monkeypatch):
    before = calibration.fingerprint({"model": "abc"}, [])
    monkeypatch.setattr(calibration, "VERSION", calibration.VERSION + 1)
    assert calibration.fingerprint({"model": "abc"}, []) != before


@pytest.mark.parametrize("content", [b"", b"hello", b"\x81", None])
def test_a_damaged_file_of_a_scan_holds_no_layers(tmp_path, content):
    path = tmp_path / "x.msgpack"
    done = [LayerError(layer="a", tensor="a:out", own_db=30.0, accumulated_db=29.0, only_db=40.0)]
    assert calibration.save_errors(path, done)
    assert calibration.load_errors(path) == done
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    assert calibration.load_errors(path) == []

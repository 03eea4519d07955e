"""Where the frames of a bundle come from, when things are not as they were a moment ago."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from workbench.core.preprocess import Preprocess
from workbench.errors import UserError
from workbench.onsite import frames as reading
from workbench.onsite.frames import frames, preparation
from workbench.runtime import Loop

RECIPE = msgspec.to_builtins(Preprocess(size=8, color="gray"))
BUNDLE = {"inputs": ["image"], "input_dtypes": ["float32"], "preprocess": RECIPE}


@pytest.fixture
def pictures(tmp_path):
    folder = tmp_path / "Bilder 图"
    folder.mkdir()
    for name in ("b.png", "a.png", "c.png"):
        cv2.imencode(".png", np.full((8, 8), 7, np.uint8))[1].tofile(folder / name)
    (folder / "notes.txt").write_text("no picture")
    return folder


def test_a_folder_is_read_in_the_order_of_names_round_and_round(pictures):
    assert [name for name, _ in frames([str(pictures)], 0.0)] == ["a.png", "b.png", "c.png"]
    endless = frames([str(pictures)], 60.0)
    assert [next(endless)[0] for _ in range(5)] == ["a.png", "b.png", "c.png", "a.png", "b.png"]


def test_a_picture_that_is_gone_again_is_an_answer_with_an_error_and_no_end(pictures):
    def vanishing():
        for number, frame in enumerate(frames([str(pictures)], 0.0)):
            if number == 0:
                (pictures / "b.png").unlink()
            yield frame

    loop = Loop(lambda feed: [("out", np.zeros((1, 1)))], preparation(BUNDLE))
    found = [(result.frame[0], result.error) for result in loop.run(vanishing())]
    assert [name for name, _ in found] == ["a.png", "b.png", "c.png"]
    assert "FileNotFoundError" in found[1][1] and not found[0][1] and not found[2][1]


def test_an_empty_folder_is_waited_for_without_haste_until_the_time_is_over(tmp_path, monkeypatch):
    slept = []
    now = iter(range(100))
    monkeypatch.setattr(reading.time, "monotonic", lambda: float(next(now)))
    monkeypatch.setattr(reading.time, "sleep", slept.append)
    assert list(frames([str(tmp_path)], 3.0)) == [] and slept == [0.2, 0.2]
    assert list(frames([str(tmp_path)], 0.0)) == [] and len(slept) == 2


def test_no_more_frames_than_were_asked_for_come_in_a_second(tmp_path, monkeypatch):
    np.save(tmp_path / "rows.npy", np.arange(4.0)[:, None])
    clock = [0.0]
    monkeypatch.setattr(reading.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(reading.time, "sleep", lambda seconds: clock.__setitem__(0, clock[0] + seconds))
    at = [(round(clock[0], 3), frame[1].tolist()) for frame in frames([str(tmp_path / "rows.npy")], 0.0, fps=10)]
    assert at == [(0.1, [[0.0]]), (0.2, [[1.0]]), (0.3, [[2.0]]), (0.4, [[3.0]])]


def test_what_is_no_array_is_refused(tmp_path):
    (tmp_path / "rows.npy").write_bytes(b"no array")
    with pytest.raises(UserError, match=r"rows\.npy holds no array"):
        next(frames([str(tmp_path / "rows.npy")], 0.0))

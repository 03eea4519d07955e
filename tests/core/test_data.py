"""Data sources: what is found, split, labelled, refused, and that nothing is held in memory."""

import tracemalloc
from pathlib import Path

import cv2
import numpy as np
import pytest

from workbench.core.data import DataSource, hash_order, open_data, random_inputs
from workbench.core.preprocess import Preprocess
from workbench.core.sources import DECODE_CHECK
from workbench.errors import UserError

IMAGE = [("input", (None, 3, 16, 16), "float32")]
VECTOR = [("x", (None, 4), "float32")]
PREPROCESS = Preprocess(size=16)


def pictures(folder: Path, count: int, start: int = 0, shape: tuple[int, ...] = (20, 30, 3)) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(start)
    for index in range(start, start + count):
        cv2.imwrite(str(folder / f"p{index:03}.png"), rng.integers(0, 256, shape, dtype=np.uint8))
    return folder


def names(items: object) -> list[str]:
    return [item.name for item in items]  # type: ignore[attr-defined]


def opened(path: Path, inputs: list = IMAGE, most: int = 100, preprocess: Preprocess = PREPROCESS, **options: object):
    return open_data(DataSource(path=str(path), **options), preprocess, inputs, most)  # type: ignore[arg-type]


def refused(*args: object, **options: object) -> str:
    with pytest.raises(UserError) as caught:
        opened(*args, **options)  # type: ignore[arg-type]
    return str(caught.value)


def test_folder_is_split_and_loaded(tmp_path: Path) -> None:
    pictures(tmp_path / "cats", 10)
    pictures(tmp_path / "dogs", 16)
    (tmp_path / "readme.txt").write_text("no picture")
    data = opened(tmp_path)
    assert data.split == "13 calibration + 13 evaluation of 26"
    everything = names(data.calibration) + names(data.evaluation)
    assert len(set(everything)) == 26 and "cats/p003.png" in everything
    assert names(data.calibration) == sorted(names(data.calibration))
    assert data.ignored == 1 and data.modes == {"rgb": 26} and data.rejected == []
    assert any("Only 13 calibration samples" in warning for warning in data.warnings)
    item = data.evaluation[0]
    assert item.label is None
    want = PREPROCESS.from_bytes((tmp_path / item.name).read_bytes())
    np.testing.assert_array_equal(item.load()["input"], want)


def test_split_is_stable_when_a_file_is_added(tmp_path: Path) -> None:
    pictures(tmp_path, 20)
    before = set(names(opened(tmp_path).calibration))
    pictures(tmp_path, 1, start=50)
    after = opened(tmp_path)
    assert len(before ^ set(names(after.calibration))) <= 2  # at most one goes and one comes
    assert set(names(opened(tmp_path).calibration)) == set(names(after.calibration))
    assert len(opened(tmp_path, most=3).calibration) == 3
    assert len(opened(tmp_path, most=3).evaluation) == 18


def test_hash_order_knows_no_neighbours() -> None:
    base = [f"n{i}" for i in range(50)]
    assert [name for name in hash_order([*base, "new"]) if name != "new"] == hash_order(base)
    assert hash_order(base) == hash_order(base[::-1]) != base


def test_one_picture_serves_both(tmp_path: Path) -> None:
    data = opened(pictures(tmp_path, 1))
    assert names(data.calibration) == names(data.evaluation) == ["p000.png"]
    assert any("Calibration = evaluation" in warning for warning in data.warnings)
    assert data.split == "1 calibration + 1 evaluation of 1, shared by both"


def test_separate_calibration_folder(tmp_path: Path) -> None:
    data = opened(pictures(tmp_path / "e", 5), calibration_path=str(pictures(tmp_path / "c", 40, start=60)))
    assert len(data.calibration) == 40 and len(data.evaluation) == 5
    assert data.split == "40 calibration + 5 evaluation of 45" and data.warnings == []


def test_explicit_items(tmp_path: Path) -> None:
    pictures(tmp_path, 6)
    data = opened(tmp_path, calibration=("p001.png",), evaluation=("p004.png", "p002.png"))
    assert names(data.calibration) == ["p001.png"] and names(data.evaluation) == ["p004.png", "p002.png"]
    assert "p00" not in names(opened(tmp_path, evaluation=("p000.png",)).calibration)
    assert "Did you mean 'p001.png'" in refused(tmp_path, calibration=("p01.png",))
    both = opened(tmp_path, calibration=("p001.png", "p002.png"), evaluation=("p001.png", "p003.png"))
    assert any("1 samples serve both" in warning for warning in both.warnings)


def test_broken_pictures_are_named_and_skipped(tmp_path: Path) -> None:
    pictures(tmp_path, 4)
    whole = (tmp_path / "p000.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.jpg").write_text("hello")
    (tmp_path / "empty.bmp").write_bytes(b"")
    cv2.imwrite(str(tmp_path / "gray.png"), np.zeros((9, 9), np.uint8))
    data = opened(tmp_path)
    assert {entry.name for entry in data.rejected} == {"cut.png", "text.jpg", "empty.bmp"}
    assert data.modes == {"rgb": 4, "gray": 1}
    assert any("Skipped 'cut.png' (the PNG is cut off) and 2 more" in warning for warning in data.warnings)


def test_damage_found_late_is_skipped_too(tmp_path: Path) -> None:
    data = opened(pictures(tmp_path, 6))
    victim = data.evaluation[1].name
    (tmp_path / victim).write_bytes(b"gone bad")
    assert [item.name for item, _ in data.loaded(data.evaluation)] == [n for n in names(data.evaluation) if n != victim]
    list(data.loaded(data.evaluation))
    assert [entry.name for entry in data.rejected] == [victim]


def test_large_folders_are_checked_without_decoding(tmp_path: Path) -> None:
    small = cv2.imencode(".png", np.zeros((4, 4, 3), np.uint8))[1].tobytes()
    for index in range(DECODE_CHECK + 5):
        (tmp_path / f"{index:04}.png").write_bytes(small)
    (tmp_path / "0007.png").write_bytes(small[:-5])
    data = opened(tmp_path, most=32)
    assert [entry.name for entry in data.rejected] == ["0007.png"]
    assert data.modes == {"rgb": DECODE_CHECK + 4} and len(data.calibration) == 32


def test_places_without_pictures(tmp_path: Path) -> None:
    assert "no data at" in refused(tmp_path / "missing")
    assert "It is empty" in refused(tmp_path)
    (tmp_path / "a.txt").write_text("x")
    assert "1 files" in refused(tmp_path)
    (tmp_path / "a.png").write_bytes(b"junk")
    assert "can be used" in refused(tmp_path) and "'a.png'" in refused(tmp_path)
    assert "no data that can be read" in refused(tmp_path / "a.png")
    assert "calibration.samples = 0" in refused(pictures(tmp_path, 2), most=0)


@pytest.mark.parametrize(
    ("shape", "preprocess", "advice"),
    [
        ((1, 3, 32, 32), PREPROCESS, "preprocess.size = [32, 32]"),
        ((1, 16, 16, 3), PREPROCESS, "preprocess.layout = 'nhwc'"),
        ((1, 1, 16, 16), PREPROCESS, "preprocess.color = 'gray'"),
        ((1, 3, 24, 24), Preprocess(size=32, crop=16), "preprocess.crop = [24, 24]"),
        ((1, 64), PREPROCESS, "takes no picture"),
        ((1, 3, 16, 16), Preprocess(), "preprocess.size = [16, 16]"),
        ((1, 3, 64, 64), Preprocess(crop=64), "20×30 pixels"),
    ],
)
def test_misfit_names_both_shapes_and_the_change(
    tmp_path: Path, shape: tuple[int, ...], preprocess: Preprocess, advice: str
) -> None:
    text = refused(pictures(tmp_path, 1), [("input", shape, "float32")], preprocess=preprocess)
    assert advice in text
    assert "p000.png" in text


def test_dynamic_axes_and_dtype(tmp_path: Path) -> None:
    data = opened(pictures(tmp_path, 2), [("i", (None, 3, None, None), "uint8")], preprocess=Preprocess())
    array = data.evaluation[0].load()["i"]
    assert array.shape == (1, 3, 20, 30) and array.dtype == np.uint8


def test_memory_is_flat(tmp_path: Path) -> None:
    pictures(tmp_path, 40, shape=(200, 200, 3))
    tracemalloc.start()
    data = opened(tmp_path)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 200_000
    assert len(data.evaluation) == 20


def test_labels(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "d", 3)
    labels = tmp_path / "labels.csv"
    labels.write_text("name,class\np000.png,7\n./p001.png,2\nghost.png,1\n\n", encoding="utf-8-sig")
    data = opened(folder, labels=str(labels), calibration=("p002.png",), evaluation=("p000.png", "p001.png"))
    assert [item.label for item in data.evaluation] == [7, 2]
    assert any("'ghost.png'" in warning for warning in data.warnings)
    some = opened(folder, labels=str(labels), evaluation=("p000.png", "p002.png"))
    assert [item.label for item in some.evaluation] == [7, None]
    assert any("1 of 2 evaluation samples have no label" in warning for warning in some.warnings)
    for text in (
        "p000.png,cat\n",
        "p000.png,1\np001.png,1.5\n",
        "name,class\np000.png\n",
        "name,class\np000.png,-1\n",
    ):
        labels.write_text(text)
        assert "no class number" in refused(folder, labels=str(labels))
    assert "cannot be read" in refused(folder, labels=str(tmp_path / "none.csv"))


def test_npy_rows_are_mapped(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(10, 4))
    np.save(tmp_path / "d.npy", rows)
    data = opened(tmp_path / "d.npy", VECTOR)
    assert len(data.calibration) == len(data.evaluation) == 5 and data.modes == {}
    item = data.evaluation[0]
    array = item.load()["x"]
    assert array.shape == (1, 4) and array.dtype == np.float32
    np.testing.assert_array_equal(array[0], rows[int(item.name)].astype(np.float32))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_npz(tmp_path: Path, save: object) -> None:
    a, b = np.arange(24.0).reshape(6, 4), np.asfortranarray(np.arange(18).reshape(6, 3))
    inputs = [("a", (1, 4), "float32"), ("b", (None, 3), "int64")]
    save(tmp_path / "d.npz", a=a, b=b, labels=np.arange(6))  # type: ignore[operator]
    data = opened(tmp_path / "d.npz", inputs)
    for item in [*data.calibration, *data.evaluation]:
        arrays = item.load()
        assert item.label == int(item.name)
        np.testing.assert_array_equal(arrays["a"][0], a[item.label])
        np.testing.assert_array_equal(arrays["b"][0], b[item.label])
    save(tmp_path / "one.npz", whatever=a)  # type: ignore[operator]
    assert opened(tmp_path / "one.npz", VECTOR).evaluation[0].load()["x"].shape == (1, 4)


def test_unfit_array_files(tmp_path: Path) -> None:
    file = tmp_path / "d.npz"
    np.savez(file, p=np.ones((2, 4)), q=np.ones((2, 4)))
    text = refused(file, [("a", (1, 4), "float32"), ("b", (1, 4), "float32")])
    assert "'p', 'q'" in text and "'a', 'b'" in text
    np.savez(file, a=np.ones((2, 4)), b=np.ones((3, 4)))
    assert "different numbers of rows" in refused(file, [("a", (1, 4), "float32"), ("b", (1, 4), "float32")])
    np.savez(file, np.ones((2, 5)))
    assert "2×5" in refused(file, VECTOR) and "?×4" in refused(file, VECTOR)
    np.savez(file, np.ones(4))
    assert "array[None]" in refused(file, VECTOR)
    np.savez(file, np.ones((0, 4)))
    assert "no samples" in refused(file, VECTOR)
    np.savez(file, x=np.ones((2, 4)), labels=np.ones(2))
    assert "'labels'" in refused(file, VECTOR)
    np.savez(file, np.array([["a", "b", "c", "d"]]))
    assert "not numbers" in refused(file, VECTOR)
    np.savez(file, np.array([{}] * 4, dtype=object)[None])
    assert "cannot be read" in refused(file, VECTOR)
    for junk in (b"", b"PK\x03\x04 broken", b"text"):
        for name in ("j.npz", "j.npy"):
            (tmp_path / name).write_bytes(junk)
            assert "cannot be read" in refused(tmp_path / name, VECTOR)
    assert "cannot feed a model with 2 inputs" in refused(pictures(tmp_path / "f", 1), IMAGE * 2)


def test_random_inputs() -> None:
    inputs = [("a", (None, 3, None, None), "float32"), ("ids", (1, None), "int64"), ("m", (2, 5), "bool")]
    arrays = random_inputs(inputs, batch=1)
    assert {name: array.shape for name, array in arrays.items()} == {
        "a": (1, 3, 224, 224),
        "ids": (1, 16),
        "m": (2, 5),
    }
    assert abs(arrays["a"].mean()) < 0.02 and abs(arrays["a"].std() - 1) < 0.02
    assert arrays["ids"].dtype == np.int64 and arrays["ids"].min() >= 0 and arrays["ids"].max() < 10
    again = random_inputs(inputs, batch=1)
    assert all(np.array_equal(arrays[name], again[name]) for name in arrays)
    assert random_inputs(inputs, batch=4)["ids"].shape == (4, 16)
    assert not np.array_equal(arrays["a"], random_inputs(inputs, batch=1, seed=1)["a"])

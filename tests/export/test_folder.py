"""A folder is there completely or not at all."""

from __future__ import annotations

import errno
import os
import subprocess
import tempfile

import pytest

from workbench.errors import UserError
from workbench.export import folder
from workbench.export.folder import give_name, partial, short_name


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def listing(place):
    return sorted(path.name for path in place.iterdir())


@pytest.mark.parametrize("name", ["out", "new/out", "out.zip"])
def test_it_gets_its_name_at_the_end(tmp_path, name):
    out = tmp_path / name
    with partial(out) as place:
        (place / "a.txt").write_text("a")
        assert not out.exists()
        give_name(place, out)
    assert listing(out.parent) == [out.name]
    assert out.is_file() if name.endswith(".zip") else listing(out) == ["a.txt"]


def test_an_empty_folder_is_taken_and_a_full_one_or_a_file_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    with partial(tmp_path / "empty") as place:
        give_name(place, tmp_path / "empty")
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/file").write_text("mine")
    for out in (tmp_path / "taken", tmp_path / "taken/file"):
        with pytest.raises(UserError, match="exists already"), partial(out):
            pytest.fail("it was entered")
    assert (tmp_path / "taken/file").read_text() == "mine"


def test_a_disk_that_gets_full_is_told_and_leaves_nothing(tmp_path):
    with pytest.raises(UserError, match="No space left") as refused, partial(tmp_path / "out") as place:
        (place / "half").write_text("x")
        full()
    assert "Nothing was left there" in str(refused.value) and listing(tmp_path) == []


def test_numpy_says_of_a_full_disk_no_more_than_how_much_it_wrote(tmp_path):
    with pytest.raises(UserError, match="16 requested and 3 written"), partial(tmp_path / "out"):
        raise OSError("16 requested and 3 written")


def test_a_disk_that_gets_full_while_it_is_packed_leaves_nothing(tmp_path, monkeypatch):
    def half(base: str, *_: object) -> None:
        with open(f"{base}.zip", "w", encoding="utf-8") as file:  # noqa: PTH123
            file.write("half")
        full()

    monkeypatch.setattr(folder.shutil, "make_archive", half)
    with pytest.raises(UserError, match="No space left"), partial(tmp_path / "out.zip") as place:
        give_name(place, tmp_path / "out.zip")
    assert listing(tmp_path) == []


def test_a_place_that_cannot_be_written_to_is_refused_before_anything_is_done(tmp_path, monkeypatch):
    def read_only(**_: object) -> str:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(tempfile, "mkdtemp", read_only)
    with pytest.raises(UserError, match="cannot be written to") as refused, partial(tmp_path / "out"):
        pytest.fail("it was entered")
    assert "Read-only file system" in str(refused.value)


def test_on_a_real_read_only_and_a_real_full_disk(mounted):
    (mounted / "most").write_bytes(bytes(100 << 10))
    with pytest.raises(UserError, match="No space left"), partial(mounted / "out") as place:
        (place / "much").write_bytes(bytes(1 << 20))
    assert listing(mounted) == ["most"]
    subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
    with pytest.raises(UserError, match="Read-only file system"), partial(mounted / "out"):
        pytest.fail("it was entered")
    assert listing(mounted) == ["most"]


@pytest.mark.parametrize(
    ("name", "short"),
    [("digits-cnn", "digits-cnn"), ("My Model v2.onnx", "my-model-v2.onnx"), ("检测", "model"), ("检测 a", "a")],
)
def test_short_names_fit_folders_services_and_images(name, short):
    assert short_name(name) == short

"""Which engine packages are installed, told by the folders that installers leave behind."""

from __future__ import annotations

import importlib.metadata
import sys

import pytest

from workbench.host._installed import PACKAGES, installed


def test_versions_are_those_that_the_metadata_tell():
    for engine, version in installed().items():
        if engine != "python" and version:
            known = importlib.metadata.packages_distributions()[PACKAGES[engine][0]]
            assert version in {importlib.metadata.version(name) for name in known}


@pytest.mark.parametrize(
    ("folder", "file", "version"),
    [
        ("torch-2.9.1+cpu.dist-info", "METADATA", "2.9.1+cpu"),
        ("torch-2.9.1.dist-info", "RECORD", ""),
        ("torch.egg-info", "PKG-INFO", "2.9.1"),
        ("torchvision-0.2.dist-info", "METADATA", ""),
    ],
)
def test_a_module_and_what_its_installer_left(tmp_path, monkeypatch, folder, file, version):
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "gone")])
    monkeypatch.delitem(sys.modules, "torch", raising=False)  # another test may have imported the real one
    assert installed()["torch"] is None
    (tmp_path / "torch.py").touch()
    (tmp_path / folder).mkdir()
    (tmp_path / folder / file).write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.9.1\n")
    importlib.invalidate_caches()
    assert installed()["torch"] == version


def test_the_first_folder_on_the_path_wins_and_any_spelling_is_known(tmp_path, monkeypatch):
    for folder, version in (("a", "1"), ("b", "2")):
        info = tmp_path / folder / f"Intel_Extension.for_PyTorch-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "a"), str(tmp_path / "b")])
    assert installed()["ipex"] == "1"

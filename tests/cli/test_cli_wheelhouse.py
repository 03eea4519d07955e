"""What the verb tells of a wheelhouse; what is collected is tested with the export."""

from __future__ import annotations

import json

import pytest

from workbench.export import wheelhouse
from workbench.export.wheelhouse import Wheel, Wheelhouse


@pytest.fixture
def collected(monkeypatch):
    """Take the place of what collects, and keep what it was asked for."""
    asked = {}

    def collected(version: str = "2.8.0", cpu_only: bool = False):
        wheel = Wheel(name="torch", version=version, file=f"torch-{version}-cp311.whl", size=888_000_000, sha256="ab")

        def collect(out, **options):
            options.pop("progress")("Collecting torch")
            asked.update(options, out=out)
            return Wheelhouse(
                out=str(out), sets={"workbench": [wheel.file]}, wheels=[wheel], size=wheel.size, cpu_only=cpu_only,
                python="3.11", platform="linux-x86_64",
            )  # fmt: skip

        monkeypatch.setattr(wheelhouse, "collect", collect)
        return asked

    return collected


@pytest.mark.parametrize(
    ("version", "cpu_only", "words"),
    [
        ("2.8.0", False, "cannot be reached"),
        ("2.8.0", True, "has none that fits"),
        ("2.8.0+cpu", True, "for CPUs alone"),
    ],
)
def test_it_tells_the_size_which_pytorch_and_how_it_is_installed(run, collected, tmp_path, version, cpu_only, words):
    asked = collected(version, cpu_only)
    said = run("wheelhouse", tmp_path / "w", "--extra", "samples", "--extra", "iomp")
    assert said.code == 0 and words in said.out and "888 MB" in said.out
    assert "python install.py VENV workbench" in said.out and "Wheelhouse OK" in said.out
    assert asked == {"out": tmp_path / "w", "bundle": None, "only_bundle": False, "extras": ("samples", "iomp")}


def test_json_is_one_document(run, collected, tmp_path):
    collected()
    found = json.loads(run("wheelhouse", tmp_path / "w", "--json").out)
    assert found["size"] == 888_000_000 and found["sets"] == {"workbench": ["torch-2.8.0-cp311.whl"]}
    assert found["wheels"][0]["sha256"] == "ab"


def test_what_is_wrong_is_refused(run, tmp_path):
    said = run("wheelhouse", tmp_path / "w", "--only-bundle")
    assert said.code == 2 and "Add --bundle BUNDLE." in said.err
    assert run("wheelhouse", tmp_path / "w", "--bundle", tmp_path / "none").code == 2
    assert run("wheelhouse", tmp_path / "w", "--bundle", tmp_path, "--only-bundle").code == 2
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/file").write_text("mine")
    assert "exists already" in run("wheelhouse", tmp_path / "taken").err

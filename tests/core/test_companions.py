"""Which files beside a model's own belong to it."""

from __future__ import annotations

import pytest

from workbench.core.companions import external_data, imported_files


@pytest.fixture
def found(tmp_path):
    """Write files, given as path → text, and return those that ``net.py`` brings."""

    def found(files: dict[str, str]) -> list[str]:
        for name, text in files.items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return [path.relative_to(tmp_path).as_posix() for path in imported_files(tmp_path / "net.py")]

    return found


@pytest.mark.parametrize(
    "line",
    [
        "import blocks",
        "import torch, blocks as b",
        "from blocks import Block",
        "from blocks import *",
        "def build():\n    import blocks",
        "try:\n    import blocks\nexcept ImportError:\n    pass",
    ],
)
def test_a_neighbour_is_found_however_it_is_imported(found, line):
    assert found({"net.py": line, "blocks.py": "", "other.py": ""}) == ["blocks.py"]


def test_what_neighbours_import_is_found_and_circles_end(found):
    files = {"net.py": "import a", "a.py": "import b, net", "b.py": "import a, c", "c.py": "", "d.py": "import a"}
    assert found(files) == ["a.py", "b.py", "c.py"]


def test_packages_bring_their_own_file_and_relative_imports(found):
    files = {
        "net.py": "from zoo.heads.box import Box\nimport zoo.tail",
        "zoo/__init__.py": "",
        "zoo/heads/__init__.py": "from . import mask",
        "zoo/heads/box.py": "from ..base import Base\nfrom .deep import x",
        "zoo/heads/mask.py": "",
        "zoo/heads/deep.py": "",
        "zoo/heads/unused.py": "",
        "zoo/base.py": "",
        "zoo/tail.py": "",
    }
    assert found(files) == sorted(name for name in files if name not in ("net.py", "zoo/heads/unused.py"))


def test_a_folder_without_init_is_a_package_too(found):
    assert found({"net.py": "from parts import head", "parts/head.py": ""}) == ["parts/head.py"]


def test_a_neighbour_that_is_no_python_belongs_to_the_model_all_the_same(found):
    assert found({"net.py": "import torn", "torn.py": "def ("}) == ["torn.py"]


def test_nothing_is_found_outside_the_folder(found):
    assert found({"net.py": "import os.path\nfrom .. import x\nfrom .....y import z"}) == []


@pytest.mark.parametrize("locations", [[], ["m.data"], ["m.data", "deeper/rest.bin"], ["m.data", "gone.bin"]])
def test_files_in_which_an_onnx_file_keeps_weights_are_found(tmp_path, locations):
    onnx = pytest.importorskip("onnx")
    tensors = [onnx.TensorProto(name=f"w{number}", data_type=1, dims=[1]) for number in range(len(locations))]
    for tensor, location in zip(tensors, locations, strict=True):
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", location), ("offset", "0"), ("length", "4")):
            tensor.external_data.add(key=key, value=value)
        if location != "gone.bin":
            (tmp_path / location).parent.mkdir(exist_ok=True)
            (tmp_path / location).write_bytes(bytes(4))
    (tmp_path / "bystander.data").touch()
    graph = onnx.helper.make_graph([], "g", [], [], tensors)
    (tmp_path / "m.onnx").write_bytes(onnx.helper.make_model(graph).SerializeToString())
    found = [path.relative_to(tmp_path).as_posix() for path in external_data(tmp_path / "m.onnx")]
    assert found == sorted(name for name in locations if name != "gone.bin")

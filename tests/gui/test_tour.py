"""The tour: real window, real engine, pictures on disk."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

import workbench
from workbench.errors import UserError
from workbench.gui import tour

ROOT = Path(workbench.__file__).resolve().parents[1]


@pytest.mark.engine
def test_pictures_of_every_panel_in_both_themes(tmp_path) -> None:
    folder = tmp_path / "pictures"
    own = {"PYTHONPATH": str(ROOT), "WORKBENCH_DATA_DIR": str(tmp_path / "data")}
    own["XDG_CONFIG_HOME"] = str(tmp_path / "c")
    onnx = pytest.importorskip("onnx")
    from onnx_files import chain

    onnx.save(chain(), str(tmp_path / "small.onnx"))  # needs neither torch nor an export
    command = [sys.executable, "-m", "workbench", "--tour", str(folder), str(tmp_path / "small.onnx")]
    ended = subprocess.run(command, capture_output=True, text=True, env=os.environ | own, timeout=200)
    assert ended.returncode == 0, ended.stderr
    names = [Path(line).name for line in ended.stdout.splitlines()]
    for panel in (
        "start",
        "window",
        "model",
        "knobs",
        "cores",
        "latency",
        "layers",
        "network",
        "compare",
        "ladder",
        "sweep",
        "accuracy",
        "findings",
        "trials",
        "log",
    ):
        for mode in ("light", "dark"):
            assert f"{panel}-{mode}.png" in names
    shown = [Path(line).relative_to(folder) for line in ended.stdout.splitlines()]
    assert sorted(shown) == sorted(path.relative_to(folder) for path in folder.rglob("*.png"))
    chinese = {path.name for path in (folder / "zh_CN").iterdir()}
    assert chinese == set(names) - {"measuring-light.png"}, "all panels in Chinese, too"
    light, dark = (QImage(str(folder / f"window-{mode}.png")) for mode in ("light", "dark"))
    assert (light.width(), light.height()) == (dark.width(), dark.height()) == (1280, 720)
    assert light.pixelColor(640, 4).lightness() > 200 > 80 > dark.pixelColor(640, 4).lightness()
    assert not (tmp_path / "data").exists(), "the user's studies are left alone"
    assert not (tmp_path / "c").exists() or not list((tmp_path / "c").rglob("*.conf"))


def test_a_folder_that_cannot_be_made(tmp_path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="Cannot make the folder"):
        tour.take(tmp_path / "file" / "x")

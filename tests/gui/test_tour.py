"""The tour: real window, real engine, pictures on disk."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import pytest
from command_line import workers_once
from PySide6.QtGui import QImage

import workbench
from workbench.errors import UserError
from workbench.gui import tour
from workbench.gui.session import Session

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


TERMINATED = """
    import sys
    import msgspec
    from workbench import cli
    from workbench.gui import tour
    from workbench.gui.main_window import MainWindow
    from workbench.host.engines import EngineStatus
    from workbench.host.machine import describe_host
    from workbench.study import runner

    def read_host(window):
        engines = (EngineStatus("onnxruntime", True, "1"),)
        window.session.host = msgspec.structs.replace(describe_host(with_engines=False), engines=engines)

    tour._SETTLE_MS = 20
    MainWindow.read_host = read_host  # trying real engines takes long
    runner.MODULES = dict.fromkeys(runner.MODULES, "fake_engine")
    runner._check_available = lambda *_: None
    sys.exit(cli.run(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_signal_ends_it_at_once_and_nothing_is_left(tmp_path) -> None:
    onnx = pytest.importorskip("onnx")
    from onnx_files import chain

    onnx.save(chain(), str(tmp_path / "small.onnx"))
    mark, temporary = tmp_path / "reached", tmp_path / "tmp"
    temporary.mkdir()
    own = {"FAKE_BEHAVIOUR": f"mark={mark}@load+hang@load", "TMPDIR": str(temporary)}
    own |= {"WORKBENCH_DATA_DIR": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "c")}
    own["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(Path(__file__).parents[1] / "fakes")))
    command = [sys.executable, "-c", textwrap.dedent(TERMINATED), "--tour", tmp_path / "p", tmp_path / "small.onnx"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | own) as process:
        workers = workers_once(process, mark, seconds=180)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGTERM and "Traceback" not in err, err
    _, alive = psutil.wait_procs(workers, timeout=3)
    assert not alive and not list(temporary.iterdir())
    assert (tmp_path / "p" / "start-light.png").exists(), "pictures stay"


def test_a_folder_that_cannot_be_made(qapp, tmp_path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="Cannot make the folder"):
        tour.take(tmp_path / "file" / "x", Session())

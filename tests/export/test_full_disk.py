"""Disks that are full or read-only, on the way out and on site: clear refusals, nothing half-written."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest
from bundles import run
from fake_records import effective, trial

from workbench.core.config import Config
from workbench.errors import UserError
from workbench.export import bundle as exporting
from workbench.export.bundle import export
from workbench.export.verify import Verification
from workbench.runtime import InputStatistics
from workbench.study.runner import Runner
from workbench.study.subject import find_subject
from workbench.worker.saved import Saved

CONFIG = Config({"engine": "onnxruntime", "precision": "int8", "runtime.threads": 1})
needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")


class Measured:
    """A runner whose worker has measured and saved."""

    python = sys.executable

    def measure(self, subject, config, *, save_to, **_):
        (save_to / "model.onnx").write_bytes(b"model")
        (save_to / "model_fp32.onnx").write_bytes(b"original")
        np.savez(save_to / "golden.npz", **{"0.in.image": np.zeros((1, 1, 8, 8)), "0.out.output": np.zeros((1, 10))})
        saved = Saved(
            files={"model": "model.onnx", "fp32": "model_fp32.onnx"}, golden=["0"], batches=[1], normal={},
            inputs={"image": InputStatistics([0.0, 1.0], [1.0])},
        )  # fmt: skip
        (save_to / "saved.json").write_bytes(msgspec.json.encode(saved))
        packages = {"onnxruntime": "1.2", "numpy": "2.0", "opencv-python-headless": "4.0"}
        host = {"cpu": {"model": "x"}}
        return trial(status="ok", config=CONFIG.to_dict(), effective=effective(packages=packages), host=host)


@pytest.mark.parametrize("what", ["shutil.copyfile", "json.dumps", "_render", "give_name", "nothing"])
def test_an_export_that_fills_the_disk_leaves_nothing(what, tmp_path, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(exporting, "verify", lambda *_, **__: Verification(ok=True, checks=[]))
    subject = find_subject("sample:digits-cnn")
    if what == "nothing":
        export(Measured(), subject, CONFIG, tmp_path / "out", processes=0)
        assert [path.name for path in tmp_path.iterdir()] == ["out"] and (tmp_path / "out/run.py").exists()
        return
    monkeypatch.setattr(f"workbench.export.bundle.{what}", full)
    with pytest.raises(UserError, match="No space left on device"):
        export(Measured(), subject, CONFIG, tmp_path / "out", processes=0)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.engine
def test_a_worker_that_fills_the_disk_tells_and_leaves_nothing(mounted):
    with pytest.raises(UserError, match="No space left on device"):
        export(Runner(), find_subject("sample:digits-cnn"), CONFIG, mounted / "out", processes=0)
    assert list(mounted.iterdir()) == []


@pytest.mark.engine
@needs_dev_full
def test_answers_that_nobody_can_take_end_it_and_records_about_drift_do_not(bundle, rows, tmp_path):
    np.save(tmp_path / "rows.npy", rows)
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, "-B", bundle / "run.py", tmp_path / "rows.npy"], stdout=full, stderr=subprocess.PIPE,
            text=True, check=False,
        )  # fmt: skip
    assert ran.returncode == 2 and "The answers cannot be written" in ran.stderr and "Traceback" not in ran.stderr
    ran = run(bundle, str(tmp_path / "rows.npy"), "--drift", "/dev/full", "--every", "1")
    assert ran.returncode == 0 and len(ran.stdout.splitlines()) == 4
    assert ran.stderr.count("/dev/full cannot be written to: No space left on device.") == 1
    ran = run(bundle, str(tmp_path / "rows.npy"), "--drift", str(tmp_path / "no folder" / "drift"))
    assert ran.returncode == 2 and "Give --drift another file" in ran.stderr and not ran.stdout


@pytest.mark.engine
def test_it_runs_from_a_folder_that_cannot_be_written_to(bundle):
    before = sorted(path.name for path in bundle.rglob("*"))
    places = [bundle, *(path for path in bundle.rglob("*") if path.is_dir())]
    for place in places:
        place.chmod(stat.S_IRUSR | stat.S_IXUSR)
    ran = subprocess.run([sys.executable, bundle / "run.py", "--selftest"], capture_output=True, text=True, check=False)
    for place in places:
        place.chmod(stat.S_IRWXU)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for place in bundle.rglob("__pycache__"):  # only root could write them all the same
        shutil.rmtree(place)
    assert sorted(path.name for path in bundle.rglob("*")) == before


@pytest.mark.engine
def test_who_reads_a_line_and_leaves_is_no_error(bundle, rows, tmp_path):
    np.save(tmp_path / "rows.npy", rows)
    command = [sys.executable, "-B", str(bundle / "run.py"), str(tmp_path / "rows.npy"), "--seconds", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline().startswith('{"n": 0')
        child.stdout.close()
        said = child.stderr.read()
        assert child.wait(30) == 0 and "Traceback" not in said and "BrokenPipe" not in said

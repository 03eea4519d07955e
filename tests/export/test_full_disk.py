"""An export whose disk gets full: a clear refusal, nothing half-written."""

from __future__ import annotations

import errno
import os
import sys

import msgspec
import numpy as np
import pytest
from fake_records import effective, trial

from workbench.core.config import Config
from workbench.errors import UserError
from workbench.export import bundle as exporting
from workbench.export.bundle import export
from workbench.export.verify import Verification
from workbench.runtime import InputStatistics
from workbench.study.subject import find_subject
from workbench.worker.saved import Saved

CONFIG = Config({"engine": "onnxruntime", "precision": "int8", "runtime.threads": 1})


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

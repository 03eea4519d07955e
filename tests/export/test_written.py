"""What an export writes, and that it writes nothing by halves; no engine runs here."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from fake_records import effective, trial

from workbench.core.config import Config
from workbench.errors import UserError
from workbench.export import bundle as exporting
from workbench.export.bundle import export
from workbench.export.verify import Verification
from workbench.host.limits import usable_cpus
from workbench.runtime import InputStatistics
from workbench.study.subject import find_subject
from workbench.worker import environment
from workbench.worker.saved import Saved


class Measured:
    """A runner whose worker has measured and saved."""

    python = sys.executable

    def measure(self, subject, config, *, save_to, **_):
        (save_to / "model.bin").write_bytes(b"model")
        (save_to / "original.bin").write_bytes(b"original")
        np.savez(save_to / "golden.npz", **{"0.in.image": np.zeros((1, 1, 8, 8)), "0.out.output": np.zeros((1, 10))})
        saved = Saved(
            files={"model": "model.bin", "fp32": "original.bin"}, golden=["0"], batches=[1], normal={},
            inputs={"image": InputStatistics([0.0, 1.0], [1.0])},
        )  # fmt: skip
        (save_to / "saved.json").write_bytes(msgspec.json.encode(saved))
        packages = {
            "onnxruntime": "1.2", "torch": "2.8.0+cpu", "intel-extension-for-pytorch": "2.8.0", "numpy": "2.0",
            "opencv-python-headless": "4.0", "intel-openmp": "2026.1",
        }  # fmt: skip
        host = {"cpu": {"model": "Xeon"}}
        return trial(status="ok", config=config.to_dict(), effective=effective(packages=packages), host=host)


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Export a config and return the folder."""
    monkeypatch.setattr(exporting, "verify", lambda *_, **__: Verification(ok=True, checks=[]))

    def written(**knobs: Any) -> Path:
        config = Config({"engine": "onnxruntime", "precision": "int8", **knobs})
        export(Measured(), find_subject("sample:digits-cnn"), config, tmp_path / "out", number=7, processes=0)
        return tmp_path / "out"

    return written


def texts(folder: Path) -> dict[str, str]:
    binary = (".npz", ".bin")
    return {path.name: path.read_text("utf-8") for path in folder.glob("*.*") if path.suffix not in binary} | {
        "Dockerfile": (folder / "Dockerfile").read_text("utf-8")
    }


def test_threads_and_cpus_are_set_in_every_way_to_start_it(written):
    cpu = usable_cpus()[0]
    found = texts(written(**{"runtime.threads": 1, "runtime.affinity": str(cpu)}))
    assert f"CPUAffinity={cpu}\n" in found["inference.service"] and "run.py --threads 1 " in found["inference.service"]
    assert f'/affinity {1 << cpu:x} "%HERE%' in found["start.bat"] and 'run.py" --threads 1 %*' in found["start.bat"]
    assert f'"affinity": "{cpu}"' in found["manifest.json"] and '"study_trial": 7' in found["manifest.json"]
    assert "-slim-bookworm" in found["Dockerfile"] and "--extra-index-url" not in found["Dockerfile"]


def test_pytorch_is_taken_for_cpus_alone_and_pinned_without_its_variant(written):
    found = texts(written(engine="ipex"))
    assert "--extra-index-url https://download.pytorch.org/whl/cpu" in found["Dockerfile"]
    pins = [line for line in found["requirements.txt"].splitlines() if not line.startswith("#")]
    assert pins == ["torch==2.8.0", "intel-extension-for-pytorch==2.8.0", "numpy==2.0", "opencv-python-headless==4.0"]


def test_what_is_preloaded_is_installed_too(written, monkeypatch):
    monkeypatch.setattr(environment, "find_library", lambda name: Path(f"/lib/{name}.so"))
    found = texts(written(engine="torch", **{"runtime.openmp": "iomp", "runtime.allocator": "jemalloc"}))
    assert "intel-openmp==2026.1\n" in found["requirements.txt"] and "libjemalloc2" in found["Dockerfile"]
    assert "- iomp, jemalloc, preloaded by run.py." in found["README.md"]


def test_both_readmes_tell_the_same_figures(written):
    found = texts(written(**{"runtime.threads": 2}))
    for name in ("README.md", "README.zh_CN.md"):
        assert (
            "p50 0.075" in found[name]
            and "0.1 " in found[name]
            and "Xeon" in found[name]
            and "AVX2" in found[name].upper()
        )
    assert "2 threads" in found["README.md"] and "线程数 2" in found["README.zh_CN.md"]
    assert "threads = 2" in found["config.toml"]


@pytest.mark.parametrize("what", ["shutil.copyfile", "json.dumps", "_render", "give_name"])
def test_an_export_that_fills_the_disk_leaves_nothing(what, written, tmp_path, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(f"workbench.export.bundle.{what}", full)
    with pytest.raises(UserError, match="No space left on device"):
        written()
    assert list(tmp_path.iterdir()) == []

"""An export with a real worker is cancelled in the middle and leaves neither processes nor files."""

from __future__ import annotations

import psutil
import pytest
from fake_records import trial

from workbench.core.config import Config
from workbench.core.model import resolve_model
from workbench.gui.bundle_jobs import Exporting


@pytest.mark.engine
@pytest.mark.usefixtures("nothing_left")
def test_a_real_export_that_is_cancelled_leaves_nothing(qtbot, needs_engine, tmp_path):
    needs_engine("onnxruntime")
    onnx = pytest.importorskip("onnx")
    from onnx_files import chain

    onnx.save(chain(), str(tmp_path / "small.onnx"))  # needs no torch, which takes seconds to import
    place = tmp_path / "place"
    place.mkdir()
    config = Config({"engine": "onnxruntime", "runtime.threads": 1})
    model = resolve_model(str(tmp_path / "small.onnx"))
    job = Exporting(trial(config=config.to_dict(), reference=model, environment="default"), place / "out")
    told, phases = [], []
    job.progressed.connect(lambda phase, *_: phases.append(phase))
    for signal in (job.exported, job.refused, job.broke):
        signal.connect(lambda *what: told.append(what))
    job.start()
    qtbot.waitUntil(lambda: "loading" in phases, timeout=30_000)
    assert psutil.Process().children(), "a worker says so"
    assert [path.name.startswith(".out-") for path in place.iterdir()] == [True], "it is made beside its place"
    job.cancel()
    qtbot.waitUntil(job.isFinished, timeout=30_000)
    assert told == [] and list(place.iterdir()) == []

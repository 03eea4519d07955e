"""PyTorch and IPEX: what they run in INT8 says the same, bit by bit, from the bundle's own files."""

from __future__ import annotations

import json

import pytest
from bundles import run

from workbench.core.config import Config
from workbench.export.bundle import export
from workbench.study.runner import Runner
from workbench.study.subject import find_subject

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("engine", ["torch", "ipex"])
def test_its_bundle_is_bit_identical_and_runs_int8_kernels(engine, needs_engine, tmp_path):
    needs_engine(engine)
    out = tmp_path / "Prüfstand 3 检测"
    config = Config({"engine": engine, "precision": "int8", "runtime.threads": 1})
    trial, found = export(Runner(), find_subject("sample:digits-cnn"), config, out, deadline_ms=50.0, processes=0)
    assert trial.status == "ok", trial.reason
    assert found is not None and found.ok, found
    # From a process of the bundle's own, which has imported nothing but what lies in its folder.
    details = {check.name: check.detail for check in found.checks}
    assert details["golden outputs"] == "bit-identical"
    assert details["INT8 kernels"] == f"{trial.proof.int8_kernels} INT8 kernels ran"
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    assert next(iter(manifest["files"])) == "model.pt" and manifest["targets"]["deadline_ms"] == 50.0
    pins = (out / "requirements.txt").read_text("utf-8")
    assert "torch==" in pins and ("intel-extension-for-pytorch==" in pins) == (engine == "ipex")
    data = bytearray((out / "model.pt").read_bytes())
    data[len(data) // 2] ^= 1
    (out / "model.pt").write_bytes(data)
    refused = run(out, "--bench", "5")
    assert refused.returncode == 2 and "model.pt is not what was exported" in refused.stderr

"""The verb ``import``: what it prints, and its exit codes; nothing is run."""

from __future__ import annotations

import json

import pytest
from foreign_bundle import write

from workbench.export import arrival
from workbench.export.verify import Check, Verification


@pytest.fixture
def verdict(monkeypatch):
    found = {"ok": True}
    checks = [Check(name="golden outputs", ok=True, detail="bit-identical [x]")]
    monkeypatch.setattr(arrival, "verify", lambda *_, **__: Verification(ok=found["ok"], checks=checks))
    return found


def test_it_prints_there_and_here(run, tmp_path, verdict):
    folder = write(tmp_path / "b")
    said = run("import", folder)
    assert said.code == 0 and "E3-1505M" in said.out and "bit-identical [x]" in said.out and "there" in said.out
    verdict["ok"] = False
    said = run("import", folder / "manifest.json")
    assert said.code == 1 and "Do not use it here" in said.out


def test_as_json_it_is_one_document(run, tmp_path, verdict):
    said = run("import", write(tmp_path / "b"), "--json")
    found = json.loads(said.out)
    assert said.code == 0 and found["ok"] and found["bundle"]["engine"] == "onnxruntime"
    assert {"name", "there", "here", "meaning", "note"} == set(found["facts"][0])
    assert found["latency"]["there"]["n"] == 100 and found["latency"]["here"] is None


def test_what_is_no_bundle_ends_with_2(run, tmp_path):
    said = run("import", tmp_path)
    assert said.code == 2 and "is no bundle" in said.err
    assert run("import", tmp_path / "nothing").code == 2

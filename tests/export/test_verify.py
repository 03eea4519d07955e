"""The verdict on a bundle's latency, and what is said while it is found; no engine runs here."""

from __future__ import annotations

import json

import numpy as np
import pytest

from workbench.errors import UserError
from workbench.export import verify as verifying
from workbench.export.verify import runs_for, verify


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A bundle whose own test is passed."""
    manifest = {"files": {}, "runtime": {}, "model": {}, "targets": {}, "int8_kernels": 5}
    manifest["measured"] = {"latency": {"p50_ms": 2.0}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    entries = [
        {"name": "golden outputs", "ok": True, "detail": ""},
        {"name": "INT8 kernels", "ok": True, "detail": "", "kernels": 5},
    ]
    monkeypatch.setattr(verifying, "_selftest", lambda *_: entries)
    monkeypatch.setattr(verifying, "_differs", lambda _: {})
    return tmp_path


def processes(ms: float):
    """Three processes of two bursts that differ little."""
    rng = np.random.default_rng(int(ms * 1000))
    return [[(ms * 1e6 * rng.normal(1, 0.002, 50)).astype(np.int64) for _ in range(2)] for _ in range(3)]


@pytest.mark.parametrize(
    ("bundle_ms", "ok", "word"), [(2.0, True, "same"), (2.4, False, "slower"), (1.6, True, "faster")]
)
def test_a_bundle_that_is_surely_slower_than_its_trial_is_a_fault(place, bundle_ms, ok, word):
    found = verify(place, timed=(processes(bundle_ms), processes(2.0)))
    assert found.ok is ok and found.checks[-1].name == "latency" and word in found.checks[-1].detail
    assert found.ratio == pytest.approx(bundle_ms / 2.0, rel=0.01)
    assert found.ci95 is not None and found.ci95[0] < found.ratio < found.ci95[1]


def test_two_in_a_hundred_are_said_and_are_no_fault(place):
    found = verify(place, timed=(processes(2.05), processes(2.0)))
    assert found.ok and "slower" in found.checks[-1].detail
    assert found.proof == {"int8_kernels": 5, "expected_int8": 5}


def test_another_machine_may_be_slower(place, monkeypatch):
    recorded = [[burst.tolist() for burst in process] for process in processes(2.0)]
    (place / "latency.json").write_text(json.dumps({"processes": recorded}), "utf-8")
    taken, phases = iter(processes(4.0)), []
    monkeypatch.setattr(verifying, "take_bursts", lambda *_: next(taken))
    found = verify(place, progress=lambda phase, *_: phases.append(phase))
    assert found.ok and "slower" in found.checks[-1].detail and found.latency.p50_ms == pytest.approx(4.0, rel=0.01)
    assert phases == ["running the bundle's own test", *["timing the bundle"] * 3]


def test_a_failed_check_ends_it_before_anything_is_timed(place, monkeypatch):
    monkeypatch.setattr(verifying, "_selftest", lambda *_: [{"name": "files", "ok": False, "detail": "changed"}])
    heard = []
    found = verify(place, timed=(processes(2.0), processes(2.0)), on_check=heard.append)
    assert not found.ok and found.ratio is None and [check.detail for check in heard] == ["changed"]


def test_what_is_no_bundle_is_refused(tmp_path):
    (tmp_path / "file.zip").write_text("no archive")
    for place in (tmp_path, tmp_path / "file.zip"):
        with pytest.raises(UserError, match="is no bundle"):
            verify(place)


def test_a_second_of_runs_is_timed_within_reason():
    assert [runs_for(ms) for ms in (0.0, 0.05, 2.0, 50.0)] == [2000, 2000, 500, 100]

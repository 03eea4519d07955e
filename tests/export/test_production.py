"""The bundle's production loop over minutes, and in the dark."""

from __future__ import annotations

import numpy as np
import pytest
from production import watch

pytestmark = pytest.mark.engine


def test_what_it_sees_in_the_dark_alarms_and_what_it_knows_does_not(bundle, rows, tmp_path):
    for name, values in (("lit.npy", rows), ("dark.npy", rows * 0.3)):
        np.save(tmp_path / name, values)
        names = [f"{name}[{number}]" for number in range(4)]
        seen = watch(bundle, tmp_path / name, names, 2.0, "--every", "5", "--stable", "0.3", "--alarm", "0.6")
        assert seen.disorder is None and seen.verdicts[0] == "filling"
        assert seen.verdicts[-1] == ("stable" if name == "lit.npy" else "alarm"), seen.verdicts


def test_two_minutes_lose_no_frame_and_no_memory(bundle, rows, tmp_path):
    """At the pace of a slow camera; other processes of pytest go on meanwhile."""
    np.save(tmp_path / "rows.npy", rows)
    names = [f"rows.npy[{number}]" for number in range(4)]
    options = ("--fps", "50", "--every", "20", "--alarm", "1")
    seen = watch(bundle, tmp_path / "rows.npy", names, 120.0, *options)
    assert seen.disorder is None
    assert seen.counters["read"] == seen.counters["answered"] == seen.frames > 3000
    assert seen.counters["failed"] == 0
    assert seen.growth_mb() < 2.0, seen.rss_mb
    assert "alarm" not in seen.verdicts

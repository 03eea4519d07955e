"""Does the production loop stay as it is for an hour: no growth, no lost or reordered frame, alarms when it is dark?

Run: python tests/benchmarks/production_loop.py [SECONDS=3600] [SAMPLE=efficientnet-lite0]
Exports a bundle, lets it answer the sample's photographs round and round, and prints what was seen; then a minute of
darkened photographs.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "export"))

from production import darkened, watch

from workbench.core.config import Config
from workbench.export.bundle import export
from workbench.study.runner import Runner
from workbench.study.subject import find_subject


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3600.0
    sample = sys.argv[2] if len(sys.argv) > 2 else "efficientnet-lite0"
    subject = find_subject(f"sample:{sample}")
    with tempfile.TemporaryDirectory() as place:
        bundle = Path(place) / "bundle"
        config = Config({"engine": "onnxruntime", "precision": "int8"})
        trial, found = export(Runner(), subject, config, bundle, processes=1)
        if found is None or not found.ok or trial.data is None:
            sys.exit(f"no bundle: {trial.reason} {found}")
        photos = Path(place) / "photos"
        photos.mkdir()
        for name in trial.data.calibration + trial.data.evaluation:
            shutil.copy(Path(trial.data.path) / name, photos / Path(name).name)
        names = sorted(path.name for path in photos.iterdir())
        dark = darkened(photos, Path(place) / "dark", names)
        for what, where, how_long in (("normal", photos, seconds), ("dark", dark, min(seconds, 60.0))):
            shown = sorted(path.name for path in where.iterdir())
            seen = watch(bundle, where, shown, how_long, "--every", "10")
            verdicts = {verdict: seen.verdicts.count(verdict) for verdict in ("stable", "watch", "alarm")}
            print(
                f"{what}: {seen.frames:,} frames in {how_long:g} s, disorder {seen.disorder}, memory "
                f"{seen.rss_mb[0][1]:.0f} to {seen.rss_mb[-1][1]:.0f} MB (last third {seen.growth_mb():+.1f}), "
                f"verdicts {verdicts}, {seen.counters}",
                flush=True,
            )


if __name__ == "__main__":
    main()

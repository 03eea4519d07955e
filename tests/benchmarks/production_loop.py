"""Does the production loop stay as it is for an hour: no growth, no lost or reordered frame, alarms when it is dark?

Run: python tests/benchmarks/production_loop.py [SECONDS=3600] [SAMPLE=efficientnet-lite0] [FPS=0]
Exports a bundle, lets it answer the sample's data round and round, at most FPS a second (0: as fast as it can), and
prints what was seen; then at most a minute of the same, darkened.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "export"))

from production import Watched, darkened, watch

from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.export.bundle import export
from workbench.study.runner import Runner
from workbench.study.subject import find_subject

EVERY = 10
DARKER = 0.25


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3600.0
    sample = sys.argv[2] if len(sys.argv) > 2 else "efficientnet-lite0"
    fps = sys.argv[3] if len(sys.argv) > 3 else "0"
    with tempfile.TemporaryDirectory() as place:
        bundle = Path(place) / "bundle"
        # Between the frames of a slow source the engine's threads shall sleep.
        config = Config({"engine": "onnxruntime", "precision": "int8", "runtime.spin": fps == "0"})
        trial, found = export(Runner(), find_subject(f"sample:{sample}"), config, bundle, processes=0)
        if found is None or not found.ok or trial.data is None:
            sys.exit(f"no bundle: {trial.reason} {found}")
        for what, (where, names) in (_pictures if Path(trial.data.path).is_dir() else _rows)(
            trial, Path(place)
        ).items():
            how_long = seconds if what == "normal" else min(seconds, 60.0)
            seen = watch(bundle, where, names, how_long, "--every", str(EVERY), "--fps", fps)
            print(f"{what}: {_in_words(seen, how_long)}", flush=True)


def _in_words(seen: Watched, seconds: float) -> str:
    verdicts = {verdict: seen.verdicts.count(verdict) for verdict in ("filling", "stable", "watch", "alarm")}
    lost = int(str(seen.counters["read"])) - seen.frames
    return (
        f"{seen.frames:,} frames in {seconds:g} s, lost {lost}, failed {seen.counters['failed']}, out of order: "
        f"{seen.disorder or 'none'}; memory {seen.rss_mb[0][1]:.1f} MB at first, {seen.rss_mb[-1][1]:.1f} MB at last, "
        f"last third less second third {seen.growth_mb():+.2f} MB; drift verdicts {verdicts}; "
        f"batches {seen.counters['batches']}"
    )


def _pictures(trial: Trial, place: Path) -> dict[str, tuple[Path, list[str]]]:
    """Return folder and names of the sample's pictures as they are, and of darker ones."""
    assert trial.data is not None
    photos = place / "photos"
    photos.mkdir()
    for name in trial.data.calibration + trial.data.evaluation:
        shutil.copy(Path(trial.data.path) / name, photos / Path(name).name)
    dark = darkened(photos, place / "dark", sorted(path.name for path in photos.iterdir()), DARKER)
    folders = {"normal": photos, "dark": dark}
    return {what: (folder, sorted(path.name for path in folder.iterdir())) for what, folder in folders.items()}


def _rows(trial: Trial, place: Path) -> dict[str, tuple[Path, list[str]]]:
    """Return files of the sample's arrays as they are, and of darker ones, with the names of their rows."""
    assert trial.data is not None
    with np.load(trial.data.path) as stored:
        rows = stored[next(name for name in stored.files if name != "labels")].astype(np.float32)
    found = {}
    for what, factor in (("normal", 1.0), ("dark", DARKER)):
        np.save(place / f"{what}.npy", rows * np.float32(factor))
        found[what] = (place / f"{what}.npy", [f"{what}.npy[{number}]" for number in range(len(rows))])
    return found


if __name__ == "__main__":
    main()

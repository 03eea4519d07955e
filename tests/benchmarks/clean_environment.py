"""Does a bundle run where nothing is installed but its own requirements.txt, and as fast as its trial?

Run: python tests/benchmarks/clean_environment.py ENGINE [SAMPLE] [--wheels DIR] [--keep DIR]
Exports the sample in INT8, moves the folder to a path with a space and Chinese letters, makes a virtual environment,
installs requirements.txt there, runs the self-test with that Python, and times the bundle there and the trial here in
turn. Prints what was found. PyTorch's wheels take gigabytes.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import numpy as np

from workbench.core.config import Config
from workbench.core.significance import ratio
from workbench.export.bundle import export, take_trial_bursts
from workbench.export.verify import runs_for, take_bursts
from workbench.study.runner import Runner
from workbench.study.subject import find_subject
from workbench.worker.warm import WarmPool

PROCESSES = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("sample", nargs="?", default="digits-cnn")
    parser.add_argument("--wheels", help="install from this folder alone, without a network")
    parser.add_argument("--keep", type=Path, help="make the environment here, or use the one that is here already")
    wanted = parser.parse_args()
    # A bundle can only carry a traced model; one that the trial ran as written would be faster in the bundle.
    graph = {} if wanted.engine == "onnxruntime" else {"graph.mode": "frozen"}
    config = Config({"engine": wanted.engine, "precision": "int8", **graph})
    subject = find_subject(f"sample:{wanted.sample}")
    with tempfile.TemporaryDirectory() as place, WarmPool() as pool:
        runner, made = Runner(pool=pool), Path(place) / "made"
        trial, found = export(runner, subject, config, made, processes=0)
        if found is None or not found.ok or trial.latency is None:
            sys.exit(f"no bundle: {trial.reason} {found}")
        bundle = Path(place) / "Line 3 检测 工位" / wanted.sample
        bundle.parent.mkdir()
        shutil.move(made, bundle)
        python = _environment(wanted.keep or Path(place) / "venv", bundle, wanted.wheels)
        alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [python, bundle / "run.py", "--selftest", "--json"]
        ran = subprocess.run(command, capture_output=True, text=True, env=alone)
        if ran.returncode:
            sys.exit(f"self-test: exit {ran.returncode} {ran.stdout} {ran.stderr}")
        for check in json.loads(ran.stdout)["checks"]:
            print(f"{check['name']}: {'ok' if check['ok'] else 'NO'} {check['detail']}")
        runs = runs_for(trial.latency.p50_ms)
        ours, theirs = [], []
        for _ in range(PROCESSES):
            ours.append(take_trial_bursts(runner, subject, config, runs))
            theirs.append(take_bursts(bundle, runs, python))
        p50 = [
            float(np.median(np.concatenate([burst for one in side for burst in one]))) / 1e6 for side in (theirs, ours)
        ]
        found_ratio = ratio(theirs, ours)
        words = {"same": "the same", "a": "faster", "b": "slower"}[found_ratio.verdict]
        print(
            f"latency: {words}, p50 {p50[0]:.3f} ms in the clean environment, {p50[1]:.3f} ms in the trial; ratio "
            f"{found_ratio.ratio:.3f} [{found_ratio.lo:.3f}, {found_ratio.hi:.3f}], {PROCESSES} processes each in turn"
        )


def _environment(place: Path, bundle: Path, wheels: str | None) -> str:
    """Make a virtual environment of nothing but the bundle's requirements; return its Python."""
    start = time.monotonic()
    python = str(place / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    if not Path(python).exists():
        venv.create(place, with_pip=True)
    source = ["--no-index", "--find-links", str(Path(wheels).resolve())] if wheels else []
    subprocess.run([python, "-m", "pip", "install", "-q", *source, "-r", bundle / "requirements.txt"], check=True)
    listed = subprocess.run([python, "-m", "pip", "list", "--format=json"], capture_output=True, text=True, check=True)
    packages = ", ".join(f"{entry['name']} {entry['version']}" for entry in json.loads(listed.stdout))
    size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"environment: {size / 1e6:,.0f} MB in {time.monotonic() - start:.0f} s: {packages}", flush=True)
    return python


if __name__ == "__main__":
    main()

"""The command line of a bundle."""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workbench.errors import UserError
from workbench.onsite.frames import frames, preparation, shown
from workbench.onsite.golden import golden
from workbench.onsite.model import load
from workbench.onsite.selftest import selftest
from workbench.onsite.start import CPUS, Bundle, check_cpu, check_versions, settle
from workbench.runtime import DriftMonitor, InputStatistics, Loop, as_record


def answer(bundle: Bundle, wanted: argparse.Namespace) -> int:
    """Run the production loop over everything that was named."""
    if missing := [place for place in wanted.place if not Path(place).exists()]:
        raise UserError(f"There is no {', '.join(missing)}.")
    if len(bundle["inputs"]) != 1:
        raise UserError(
            "This model has several inputs.", "", "Feed them through workbench.runtime.Loop in a script of your own."
        )
    monitor = None
    if wanted.drift:
        diary = _Diary(Path(wanted.drift))
        monitor = DriftMonitor(
            load(bundle, "fp32"),
            {name: InputStatistics(**known) for name, known in bundle["input_statistics"].items()},
            diary.write,
            every=wanted.every, stable=wanted.stable, alarm=wanted.alarm, normal=bundle["normal"],
        )  # fmt: skip
    model = load(bundle)
    sizes = list(range(1, model.fixed_batch + 1)) if model.fixed_batch > 1 else bundle["batches"]
    sizes = [size for size in sizes if size <= wanted.batch] or [1]
    loop = Loop(model, preparation(bundle), batches=sizes, deadline_ms=wanted.deadline, monitor=monitor)
    for name in ("SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), lambda *_: loop.stop())
    loop.warm_up({name: array[:1] for name, array in golden(bundle)[0][0].items()})
    for result in loop.run(frames(wanted.place, wanted.seconds, wanted.fps)):
        record = {"n": result.number, "frame": result.frame[0], "ms": round(result.age_ms, 3)}
        record |= {"error": result.error} if result.error else {"outputs": shown(result.outputs)}
        _say(record | ({"late": True} if result.late else {}))
    if not wanted.seconds and not loop.counters.read:
        raise UserError(f"There is nothing to read in {', '.join(wanted.place)}.", "Pictures and .npy files are read.")
    print(json.dumps(as_record(loop.counters)), file=sys.stderr)
    return 0


def _say(record: dict[str, Any]) -> None:
    """Print an answer; where nobody reads any more, end."""
    try:
        print(json.dumps(record), flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains once more at its end
        if isinstance(error, BrokenPipeError):
            sys.exit(0)
        raise UserError("The answers cannot be written.", f"{error.strerror}.") from error


class _Diary:
    """The file with the records about drift. A disk that is full later costs records, not answers.

    Raises:
        UserError: it cannot be written to from the beginning.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told = False
        try:
            path.open("a", encoding="utf-8").close()
        except OSError as error:
            raise UserError(
                f"{path} cannot be written to.", f"{error.strerror}.", "Give --drift another file."
            ) from error

    def write(self, record: dict[str, Any]) -> None:
        """Add a record with the time; tell once where that is not possible, and go on."""
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"time": time.time(), **record}) + "\n")
            self._told = False
        except OSError as error:
            if not self._told:
                print(f"{self._path} cannot be written to: {error.strerror}.", file=sys.stderr, flush=True)
            self._told = True


def bench(bundle: Bundle, wanted: argparse.Namespace) -> int:
    """Time the bound model like the workbench does: after it came to rest, in bursts, without garbage collection."""
    model = load(bundle)
    run = model.bind(golden(bundle)[0][0])
    with model.running():
        bursts = _bursts(run, wanted.bench)
    affinity = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    print(json.dumps({"bursts": bursts, "affinity": affinity}))
    return 0


def _bursts(run: Callable[[], Any], runs: int) -> list[list[int]]:
    def once() -> int:
        start = time.perf_counter_ns()
        run()
        return time.perf_counter_ns() - start

    start, window = time.monotonic(), [once() for _ in range(20)]
    for number in itertools.count():
        before, window = window, [once() for _ in range(20)]
        rested = abs(sorted(window)[10] / sorted(before)[10] - 1) < 0.05
        if (number >= 2 and rested and time.monotonic() - start > 1) or time.monotonic() - start > 15:
            break
    bursts: list[list[int]] = []
    gc.collect()
    gc.freeze()
    while sum(map(len, bursts)) < runs:
        gc.collect()
        gc.disable()
        burst: list[int] = []
        once()  # the first run after a gap is slower
        end = time.monotonic() + 0.25
        while len(burst) < 5 or (time.monotonic() < end and len(burst) < runs):
            burst.append(once())
        gc.enable()
        bursts.append(burst)
    return bursts


def main(folder: Path) -> int:
    """Read the command line and do it.

    Args:
        folder: the bundle.

    Returns:
        Exit code: 0 done, 1 the self-test failed, 2 something must be changed first.
    """
    try:
        bundle = Bundle(folder)
    except UserError as refusal:
        return _refuse(refusal)
    parser = _parser(bundle)
    wanted = parser.parse_args()
    try:
        return _do(bundle, wanted, parser)
    except UserError as refusal:
        return _refuse(refusal)


def _parser(bundle: Bundle) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=f"Runs {bundle['name']} ({bundle['engine']}).")
    parser.add_argument("place", nargs="*", help="picture, folder of pictures, or .npy whose rows are inputs")
    parser.add_argument("--selftest", action="store_true", help="check files, versions, CPU, outputs and kernels")
    parser.add_argument("--bench", type=int, metavar="RUNS", help="print latencies in ns")
    parser.add_argument("--json", action="store_true", help="the self-test on one line")
    parser.add_argument("--seconds", type=float, default=0.0, help="go round and round for so long")
    parser.add_argument("--fps", type=float, default=0.0, help="take at most so many frames a second")
    parser.add_argument(
        "--deadline",
        type=float,
        metavar="MS",
        default=bundle["targets"]["deadline_ms"],
        help="count answers that come later",
    )
    parser.add_argument("--batch", type=int, default=8, help="most frames inferred together (default 8)")
    parser.add_argument("--threads", type=int, help="instead of the exported number")
    parser.add_argument("--affinity", help="CPUs, as 0-3,8, instead of the exported ones")
    parser.add_argument("--drift", metavar="FILE", help="write JSON lines about drift")
    parser.add_argument("--every", type=int, default=100, help="run every so many frames in FP32, too (default 100)")
    parser.add_argument("--stable", type=float, default=0.05, help="divergence below which all is well")
    parser.add_argument("--alarm", type=float, default=0.15, help="divergence above which to alarm")
    parser.add_argument("--pretend-isa", default="", choices=["", *CPUS], help="act as on such a CPU, to try the check")
    return parser


def _do(bundle: Bundle, wanted: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    settle(bundle, wanted.threads, wanted.affinity)
    if wanted.selftest:
        return selftest(bundle, wanted)
    check_versions(bundle)
    check_cpu(bundle, wanted.pretend_isa)
    if wanted.bench:
        return bench(bundle, wanted)
    if not wanted.place:
        parser.error("name a picture, a folder or a .npy file, or ask for --selftest")
    return answer(bundle, wanted)


def _refuse(refusal: UserError) -> int:
    print(refusal, file=sys.stderr)
    return 2

"""How long `workbench host`, `--help` and an empty interpreter take: wall time and CPU time of fresh processes.

Run: python tests/benchmarks/start_up.py [REPETITIONS]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import psutil

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "workbench --help": ["-m", "workbench", "--help"],
    "workbench host": ["-m", "workbench", "host"],
    "workbench host --json": ["-m", "workbench", "host", "--json"],
}


def once(arguments: list[str]) -> tuple[float, float]:
    """Run Python once; return wall and CPU seconds."""
    before, start = psutil.Process().cpu_times(), time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - start, psutil.Process().cpu_times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, spent


def main() -> None:
    """Print median and worst of each command; the first run of each fills the caches and is left out."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print(f"{'':24}{'median s':>10}{'worst s':>10}{'CPU s':>10}")
    for name, arguments in COMMANDS.items():
        once(arguments)
        wall, spent = zip(*(once(arguments) for _ in range(repetitions)), strict=True)
        print(f"{name:24}{statistics.median(wall):10.3f}{max(wall):10.3f}{statistics.median(spent):10.3f}")


if __name__ == "__main__":
    main()

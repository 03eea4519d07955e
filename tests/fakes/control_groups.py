"""Control groups of a test's own, on systems that let it make some (root, version 1 or 2)."""

from __future__ import annotations

import contextlib
import time
import uuid
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_PERIOD_US = 100_000


class ControlGroup:
    """One group.

    Args:
        folder: of the group; may have been made by another process.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._second = (folder / "cgroup.controllers").exists()

    def join(self, pid: int) -> None:
        """Put a process in; what it starts from now on is in, too."""
        (self.folder / "cgroup.procs").write_text(str(pid))

    def limit_memory(self, size: int) -> None:
        """Allow *size* bytes, and no swap where that can be said."""
        (self.folder / ("memory.max" if self._second else "memory.limit_in_bytes")).write_text(str(size))
        with contextlib.suppress(OSError):
            if self._second:
                (self.folder / "memory.swap.max").write_text("0")
            else:
                (self.folder / "memory.memsw.limit_in_bytes").write_text(str(size))

    def limit_cpus(self, cpus: float | None) -> None:
        """Grant so many CPUs' worth of time; None for all."""
        quota = None if cpus is None else round(cpus * _PERIOD_US)
        if self._second:
            (self.folder / "cpu.max").write_text(f"{'max' if quota is None else quota} {_PERIOD_US}")
        else:
            (self.folder / "cpu.cfs_quota_us").write_text(str(-1 if quota is None else quota))

    def remove(self, seconds: float = 10.0) -> None:
        """Remove it; the last of its processes may still be ending."""
        end = time.monotonic() + seconds
        while True:
            try:
                return self.folder.rmdir()
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)


def control_group(controller: str) -> ControlGroup | None:
    """Make a group for ``cpu`` or ``memory``, None where that is not possible."""
    for root, limit in (
        (_ROOT / controller, {"cpu": "cpu.cfs_quota_us", "memory": "memory.limit_in_bytes"}[controller]),
        (_ROOT, {"cpu": "cpu.max", "memory": "memory.max"}[controller]),
    ):
        folder = root / f"workbench-test-{uuid.uuid4().hex}"
        # A plain folder, too, would take anything that is written to it.
        if not (root / "cgroup.procs").exists():
            continue
        with contextlib.suppress(OSError):
            folder.mkdir()
            if (folder / limit).exists():
                return ControlGroup(folder)
            folder.rmdir()
    return None

"""Finds the control groups this process lives in, from its own up to the root of what it can see.

A quota set on any parent holds for the children, and docker, systemd and Kubernetes set theirs on
different levels, so ``limits`` has to look at all of them. Both versions are searched: hosts in
"hybrid" mode mount version 2 without the controllers that still sit in version 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from workbench.host._files import below, read_text


class Level(msgspec.Struct, frozen=True):
    """One control group folder and the version (1 or 2) of the hierarchy it belongs to."""

    version: int
    folder: Path


class _Mount(msgspec.Struct, frozen=True):
    version: int
    controllers: tuple[str, ...]
    top: PurePosixPath  # which part of the hierarchy is mounted there
    point: str


def levels(controller: str, root: Path = Path("/")) -> tuple[Level, ...]:
    """Return the groups of this process for *controller* (``cpu``, ``cpuset``, ``memory``), innermost first.

    Folders need not exist: a container may name its host's path but see only its own subtree.
    """
    memberships = _memberships(root)
    found = []
    for mount in _mounts(root):
        if mount.version == 1 and controller not in mount.controllers:
            continue
        path = memberships.get("" if mount.version == 2 else controller, PurePosixPath("/"))
        for relative in _upwards(path, mount.top):
            found.append(Level(mount.version, below(root, mount.point) / relative))
    return tuple(dict.fromkeys(found))


def _memberships(root: Path) -> dict[str, PurePosixPath]:
    """Map each version 1 controller, and "" for version 2, to the path of this process."""
    paths: dict[str, PurePosixPath] = {}
    for line in (read_text(root / "proc/self/cgroup") or "").splitlines():
        _, _, rest = line.partition(":")
        controllers, colon, path = rest.partition(":")
        if colon:
            for name in controllers.split(","):
                paths[name] = PurePosixPath(path)
    return paths


def _mounts(root: Path) -> list[_Mount]:
    mounts = []
    for line in (read_text(root / "proc/self/mountinfo") or "").splitlines():
        left, _, right = line.partition(" - ")
        fields, kind = left.split(), right.split()
        if len(fields) < 5 or not kind or kind[0] not in {"cgroup", "cgroup2"}:
            continue
        version = 2 if kind[0] == "cgroup2" else 1
        controllers = tuple(kind[2].split(",")) if len(kind) > 2 else ()
        mounts.append(_Mount(version, controllers, PurePosixPath(fields[3]), _unescape(fields[4])))
    return mounts or _usual_mounts()


def _usual_mounts() -> list[_Mount]:
    top = PurePosixPath("/")
    return [
        _Mount(2, (), top, "/sys/fs/cgroup"),
        _Mount(2, (), top, "/sys/fs/cgroup/unified"),
        _Mount(1, ("cpu",), top, "/sys/fs/cgroup/cpu"),
        _Mount(1, ("cpu",), top, "/sys/fs/cgroup/cpu,cpuacct"),
        _Mount(1, ("memory",), top, "/sys/fs/cgroup/memory"),
        _Mount(1, ("cpuset",), top, "/sys/fs/cgroup/cpuset"),
    ]


def _upwards(path: PurePosixPath, top: PurePosixPath) -> Iterator[PurePosixPath]:
    """Yield *path* relative to the mounted part, then each parent, ending with the mount itself."""
    try:
        relative = path.relative_to(top)
    except ValueError:
        relative = PurePosixPath()  # docker without namespaces: only the own group is mounted
    if ".." in relative.parts:
        relative = PurePosixPath()  # the group lies outside this namespace and cannot be seen
    yield relative
    if relative.parts:
        yield from relative.parents


def _unescape(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)

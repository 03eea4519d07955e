"""Finds OpenMP runtimes and memory allocators: on disk for preloading, and mapped into a process.

The launcher of workers preloads what :func:`find_library` returns; the worker's read-back and the
diagnosis compare with what :func:`mapped_openmp` and :func:`mapped_allocators` see, because ``KMP_*``
variables do nothing under libgomp (pytorch/pytorch#49971) and a library that the loader refuses to
preload is skipped with nothing but a line on stderr.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from workbench.host._files import read_text

# Patterns per library, best first; wheels carry copies with a hash in the name.
_NAMES = {
    "iomp": ("libiomp5.so", "libiomp5-*.so", "libiomp5md.dll", "libiomp5.dylib"),
    "jemalloc": (
        "libjemalloc.so.2",
        "libjemalloc.so",
        "libjemalloc-*.so*",
        "jemalloc.dll",
        "libjemalloc*.dylib",
    ),
    "tcmalloc": (
        "libtcmalloc_minimal.so.4",
        "libtcmalloc.so.4",
        "libtcmalloc_minimal.so*",
        "libtcmalloc.so*",
        "tcmalloc_minimal.dll",
    ),
}
_OPENMP = re.compile(
    r"lib(gomp|iomp5|omp)(?:-[0-9a-f]+)?\.(?:so|dylib)|(libiomp5md|vcomp\d+|libomp\d*)[^/]*\.dll", re.I
)
_ALLOCATOR = re.compile(r"(?:lib)?(jemalloc|tcmalloc|mimalloc)", re.I)
_SYSTEM_FOLDERS = (
    "usr/local/lib",
    "usr/lib/x86_64-linux-gnu",
    "lib/x86_64-linux-gnu",
    "usr/lib64",
    "lib64",
    "usr/lib",
    "lib",
)
_ELF_64_BIT_X86 = (b"\x7fELF\x02", 62)


def find_library(name: str, prefix: Path | None = None, root: Path = Path("/")) -> Path | None:
    """Return the library to preload for *name*, or ``None`` if there is none.

    The environment comes first (``intel-openmp`` puts its file into ``lib``), then its packages, then
    the loader's folders. Files that the loader of a 64-bit x86 process would refuse are passed over.

    Args:
        name: ``iomp``, ``jemalloc`` or ``tcmalloc``.
        prefix: environment to search; the running one (``sys.prefix``) by default.
        root: the folder that holds ``etc`` and ``usr``.

    Raises:
        ValueError: no such library is known here.
    """
    if name not in _NAMES:
        raise ValueError(f"'{name}' is not one of {', '.join(_NAMES)}")
    for folder in _folders(prefix or Path(sys.prefix), root):
        for pattern in _NAMES[name]:
            for path in sorted(folder.glob(pattern)):
                if _loadable(path):
                    return path
    return None


def mapped_openmp(pid: int | str = "self", root: Path = Path("/")) -> list[str]:
    """Return the OpenMP runtimes mapped into process *pid*, in the order of their addresses.

    ``gomp`` (GNU), ``iomp`` (Intel), ``omp`` (LLVM), ``vcomp`` (Microsoft); empty if there is none or
    the process cannot be looked into. More than one at once is a reason for a warning.
    """
    found = []
    for path in _mapped(pid, root):
        match = _OPENMP.match(_file_name(path))
        if match:
            found.append(_runtime((match[1] or match[2]).lower()))
    return list(dict.fromkeys(found))


def active_openmp() -> str | None:
    """Return the OpenMP runtime that does this process's work, ``None`` where that cannot be told.

    Several may be mapped; the one that the loader finds first under the name that compiled code calls is used by all.
    """
    if sys.platform != "linux":
        return None
    program = ctypes.CDLL(None)
    information = (ctypes.c_void_p * 4)()  # Dl_info: file name, base, symbol's name, address
    for name in ("GOMP_parallel", "__kmpc_fork_call"):
        try:
            address = ctypes.cast(program[name], ctypes.c_void_p)
        except AttributeError:
            continue
        if program.dladdr(address, ctypes.byref(information)) and information[0]:
            path = (ctypes.cast(information[0], ctypes.c_char_p).value or b"").decode("utf-8", "replace")
            match = _OPENMP.match(_file_name(path))
            return _runtime((match[1] or match[2]).lower()) if match else None
    return None


def mapped_allocators(pid: int | str = "self", root: Path = Path("/")) -> list[str]:
    """Return ``jemalloc``, ``tcmalloc`` or ``mimalloc`` if mapped into *pid*; empty: the system's."""
    found = [match[1].lower() for path in _mapped(pid, root) if (match := _ALLOCATOR.match(_file_name(path)))]
    return list(dict.fromkeys(found))


def _folders(prefix: Path, root: Path) -> Iterator[Path]:
    yield prefix / "lib"
    yield prefix / "Library" / "bin"  # intel-openmp and conda on Windows
    for packages in (*sorted(prefix.glob("lib/python3*/site-packages")), prefix / "Lib" / "site-packages"):
        yield from (folder for folder in sorted(packages.glob("*.libs")) if folder.is_dir())
        yield from (packages / "torch" / "lib", packages / "intel_openmp" / "lib")
    if sys.platform == "win32":
        return
    if root == Path("/"):
        yield from (Path(part) for part in os.environ.get("LD_LIBRARY_PATH", "").split(":") if part)
    for configuration in (root / "etc/ld.so.conf", *sorted((root / "etc/ld.so.conf.d").glob("*.conf"))):
        for line in (read_text(configuration) or "").splitlines():
            if line.startswith("/"):
                yield root / line.strip().lstrip("/")
    yield from (root / folder for folder in _SYSTEM_FOLDERS)


def _loadable(path: Path) -> bool:
    if ".so" not in path.name:
        return path.is_file()
    try:
        with path.open("rb") as file:
            head = file.read(20)
    except OSError:
        return False
    magic, machine = _ELF_64_BIT_X86
    return head.startswith(magic) and int.from_bytes(head[18:20], "little") == machine


def _mapped(pid: int | str, root: Path) -> list[str]:
    text = read_text(root / "proc" / str(pid) / "maps")
    if text is None:
        return [] if (root / "proc").is_dir() else _psutil_mapped(pid)
    lines = (line.split(None, 5) for line in text.splitlines())
    paths = (words[5].removesuffix(" (deleted)") for words in lines if len(words) == 6)
    return list(dict.fromkeys(path for path in paths if path.startswith("/")))


def _psutil_mapped(pid: int | str) -> list[str]:
    import psutil

    try:
        process = psutil.Process() if pid == "self" else psutil.Process(int(pid))
        return [str(region.path) for region in process.memory_maps()]
    except (psutil.Error, OSError, AttributeError):
        return []


def _file_name(path: str) -> str:
    return re.split(r"[\\/]", path)[-1]


def _runtime(name: str) -> str:
    if "iomp" in name:
        return "iomp"
    return "vcomp" if name.startswith("vcomp") else name.removeprefix("lib").rstrip("0123456789")

from __future__ import annotations

import os
import sys

import fakehost
import pytest

from workbench.host.openmp import active_openmp, find_library, mapped_allocators, mapped_openmp

ELF = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00" + b"\x3e\x00" + bytes(20)
ELF_32 = b"\x7fELF\x01\x01\x01" + bytes(9) + b"\x03\x00" + b"\x03\x00" + bytes(20)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names and folders of Linux")


def library(folder, name, content=ELF):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    return folder / name


def test_environment_comes_before_the_system(tmp_path):
    library(tmp_path / "usr/lib/x86_64-linux-gnu", "libiomp5.so")
    own = library(tmp_path / "venv/lib", "libiomp5.so")
    assert find_library("iomp", tmp_path / "venv", tmp_path) == own


def test_copies_in_wheels_are_found(tmp_path):
    own = library(tmp_path / "venv/lib/python3.11/site-packages/some.libs", "libiomp5-1a2b3c.so")
    assert find_library("iomp", tmp_path / "venv", tmp_path) == own


def test_folders_of_the_loader_are_searched(tmp_path):
    fakehost.write(tmp_path, "etc/ld.so.conf.d/extra.conf", "# comment\n/opt/extra/lib")
    own = library(tmp_path / "opt/extra/lib", "libtcmalloc_minimal.so.4")
    assert find_library("tcmalloc", tmp_path / "venv", tmp_path) == own


def test_what_the_loader_would_refuse_is_passed_over(tmp_path):
    library(tmp_path / "usr/local/lib", "libjemalloc.so.2", ELF_32)
    library(tmp_path / "usr/lib64", "libjemalloc.so.2", b"INPUT(libother.so)")
    assert find_library("jemalloc", tmp_path / "venv", tmp_path) is None
    good = library(tmp_path / "usr/lib", "libjemalloc.so.2")
    assert find_library("jemalloc", tmp_path / "venv", tmp_path) == good


def test_unknown_library_is_refused():
    with pytest.raises(ValueError, match="iomp"):
        find_library("hoard")


MAPS = """\
55d0-55d1 r--p 00000000 fe:00 1 /usr/bin/python3.11
7f00-7f01 r-xp 00000000 fe:00 2 /env/lib/python3.11/site-packages/scikit_learn.libs/libgomp-e985bcbb.so.1.0.0
7f01-7f02 rw-p 00000000 fe:00 2 /env/lib/python3.11/site-packages/torch/lib/libgomp-a34b3233.so.1
7f02-7f03 r-xp 00000000 fe:00 3 /my env/lib/libiomp5.so (deleted)
7f03-7f04 r-xp 00000000 fe:00 4 /usr/lib/llvm-14/lib/libomp.so.5
7f04-7f05 r-xp 00000000 fe:00 5 /usr/lib/x86_64-linux-gnu/libjemalloc.so.2
7f05-7f06 rw-p 00000000 00:00 0 [heap]
7f06-7f07 rw-p 00000000 00:00 0
7f07-7f08 r-xp 00000000 fe:00 6 /usr/lib/libgompertz.so.1
"""


def test_mapped_runtimes_and_allocators(tmp_path):
    fakehost.write(tmp_path, "proc/9/maps", MAPS)
    assert mapped_openmp(9, tmp_path) == ["gomp", "iomp", "omp"]
    assert mapped_allocators(9, tmp_path) == ["jemalloc"]


def test_unknown_process_has_nothing(tmp_path):
    fakehost.write(tmp_path, "proc/1/maps", "")
    assert mapped_openmp(9, tmp_path) == []
    assert mapped_allocators(1, tmp_path) == []


def test_this_process_can_be_read():
    assert isinstance(mapped_openmp(os.getpid()), list)


def test_the_runtime_that_does_the_work_is_told_or_nothing_is_claimed():
    assert active_openmp() in (None, "gomp", "iomp", "omp")

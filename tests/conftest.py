"""Keeps every test away from the user's own folders, and workers of tests from living on."""

from __future__ import annotations

import functools
import gc
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import workbench
from workbench.gui import interpreter
from workbench.host.limits import usable_cpus

FAKES = Path(__file__).resolve().parent / "fakes"
PACKAGE_ROOT = Path(workbench.__file__).resolve().parents[1]

# The fakes are imported here, for their helpers, and in the workers, as the engine.
sys.path.insert(0, str(FAKES))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three processes for whole folders, where tests often wait; none for files and tests, for debuggers to enter."""
    return 3 if len(usable_cpus()) > 1 and all(Path(place).is_dir() for place in config.args) else 0


def pytest_configure_node(node: Any) -> None:
    """Tell every process of a run in several what engines there are: to probe them takes ten seconds of CPU."""
    node.workerinput["engines"] = _probed()


@functools.cache
def _probed() -> str:
    from workbench.host.engines import list_engines

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_CACHE_DIR", folder)
        list_engines()
        file = Path(folder) / "engines.json"
        return file.read_text("utf-8") if file.exists() else ""


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each process whole files, and one of them all of tests/engines, whose warm parents are big and slow."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "engines" if nodeid.startswith("tests/engines/") else super()._split_scope(nodeid)

    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In several processes, what takes long first and the fast last, so that all end at the same time."""
    if hasattr(config, "workerinput"):
        slow = {item.path for item in items if item.get_closest_marker("engine")}
        folder = {item.path: item.path.parent.name for item in items}
        items.sort(key=lambda one: (folder[one.path] != "engines", one.path not in slow, folder[one.path] == "core"))


@pytest.fixture(scope="session", autouse=True)
def tidy() -> None:
    """Garbage is collected between tests: see workbench.gui.interpreter for what other threads would do with it."""
    gc.disable()


def pytest_runtest_teardown() -> None:
    interpreter.collect_due()


@pytest.fixture(scope="session", autouse=True)
def own_folders(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Studies and caches of this process of pytest; one cache, so that engines are probed once in it."""
    cache = tmp_path_factory.mktemp("cache")
    if known := getattr(request.config, "workerinput", {}).get("engines"):
        (cache / "engines.json").write_text(known, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        patch.setenv("WORKBENCH_CACHE_DIR", str(cache))
        patch.setenv("PYTHONPATH", os.pathsep.join((str(FAKES), str(PACKAGE_ROOT))))
        yield


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of its own for the studies of one test."""
    folder = tmp_path / "user data"
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run the command line in this process and return what it said."""
    from command_line import Said

    from workbench import cli

    def run(*arguments: object) -> Said:
        capsys.readouterr()
        code = cli.run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return Said(code, said.out, said.err)

    return run


@pytest.fixture
def may_stay() -> Callable[[], set[psutil.Process]]:
    """Return what tells the processes that may outlive a test: none, where a folder does not say otherwise."""
    return set


@pytest.fixture
def nothing_left(may_stay: Callable[[], set[psutil.Process]]) -> Iterator[None]:
    """Fail where a process that the test started is still there afterwards."""

    def running() -> set[psutil.Process]:
        return set(psutil.Process().children(recursive=True)) - may_stay()

    before = running()
    yield
    _, alive = psutil.wait_procs(running() - before, timeout=3.0)
    assert not alive


@pytest.fixture(scope="session")
def needs_engine():
    """Skip the test that asks for an engine which cannot be used here, with the reason."""
    from workbench.host.engines import list_engines

    def needs_engine(name: str) -> None:
        (status,) = [status for status in list_engines() if status.name == name]
        if not status.available:
            pytest.skip(f"engine {name} is not available here: {status.reason}")

    return needs_engine


@pytest.fixture(scope="session")
def this_host():
    """The machine without its engines, whose probe takes half a minute."""
    from workbench.host.machine import describe_host

    return describe_host(with_engines=False)

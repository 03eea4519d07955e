"""Threads are told apart by who has started them, whatever others start meanwhile."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from onnx_files import chain

from workbench.core.config import Config
from workbench.core.model import resolve_model
from workbench.engines import os_threads
from workbench.engines.os_threads import counted

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems show no names of threads")
OWN_NAME = Path("/proc/thread-self/comm")


class Others:
    """Another thread, which starts some and lets one go whenever it is told."""

    def __init__(self) -> None:
        self._go, self._done, self._end = threading.Event(), threading.Event(), threading.Event()
        self.threads: list[threading.Thread] = []
        self._leaving = threading.Event()
        self.start_one(self._leaving)
        self._one = threading.Thread(target=self._work)
        self._one.start()

    def start_one(self, until: threading.Event) -> None:
        thread = threading.Thread(target=until.wait)
        thread.start()
        self.threads.append(thread)

    def _work(self) -> None:
        self._go.wait()
        for _ in range(3):
            self.start_one(self._end)
        self._leaving.set()
        self.threads[0].join()
        self._done.set()

    def come_and_go(self) -> None:
        self._go.set()
        assert self._done.wait(10)

    def end(self) -> None:
        self._go.set()
        self._end.set()
        for thread in (self._one, *self.threads):
            thread.join()


@pytest.fixture
def others():
    others = Others()
    yield others
    others.end()


def test_only_threads_of_the_caller_count(others):
    before, end = OWN_NAME.read_text(), threading.Event()
    own = [threading.Thread(target=end.wait) for _ in range(2)]

    def make():
        own[0].start()
        others.come_and_go()
        own[1].start()
        return "made"

    assert counted(make) == ("made", 2)
    assert counted(lambda: None) == (None, 0), "those of an earlier call do not count again"
    assert OWN_NAME.read_text() == before
    end.set()
    for thread in own:
        thread.join()


def test_an_error_gives_the_name_back():
    before = OWN_NAME.read_text()
    with pytest.raises(ZeroDivisionError):
        counted(lambda: 1 // 0)
    assert OWN_NAME.read_text() == before


def test_where_threads_have_no_names_the_number_is_not_known(monkeypatch, tmp_path):
    monkeypatch.setattr(os_threads, "_OWN_NAME", tmp_path / "comm")
    assert counted(lambda: 7) == (7, None)


@pytest.mark.engine
@pytest.mark.parametrize(("threads", "interop"), [(1, 1), (3, 1), (2, 3)])
def test_onnx_runtime_reads_its_own_threads_back(others, tmp_path, threads, interop):
    onnx = pytest.importorskip("onnx")
    engine = pytest.importorskip("workbench.engines.onnxruntime").Engine(
        Config({"engine": "onnxruntime", "runtime.threads": threads, "runtime.interop_threads": interop})
    )
    onnx.save(chain(), str(tmp_path / "chain.onnx"))
    engine.configure()
    engine.load(resolve_model(str(tmp_path / "chain.onnx")))
    feed = {spec.name: np.zeros([size or 1 for size in spec.shape], np.float32) for spec in engine.input_specs()}
    engine.trace_layers(feed)
    made = engine._session

    def session(path):
        found = made(path)
        others.come_and_go()
        return found

    engine._session = session
    engine.build(feed)
    found = engine.identity()
    engine.close()
    assert (found.threads, found.interop_threads) == (threads, interop)

"""Real engines in real workers on tiny models; results are shared where several tests look at one trial."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import onnx_files as files
import psutil
import pytest

from workbench.core.config import Config
from workbench.core.model import resolve_model
from workbench.core.trial import Trial
from workbench.study.runner import Runner, Subject
from workbench.study.subject import find_subject
from workbench.worker.warm import ForkedProcess, WarmPool


class _Pool(WarmPool):
    def start(
        self, python: str, module: str, variables: Mapping[str, str], cpus: Sequence[int], *job: Any
    ) -> ForkedProcess:
        # In this one pytest says which test it is at: every test would need parents of its own.
        same = {name: value for name, value in variables.items() if name != "PYTEST_CURRENT_TEST"}
        return super().start(python, module, same, cpus, *job)


@pytest.fixture(scope="session")
def warm() -> Iterator[WarmPool]:
    """Parents that have imported an engine: seconds, which not every test of a real engine need wait for."""
    with _Pool() as pool:
        yield pool


@pytest.fixture
def may_stay() -> Callable[[], set[psutil.Process]]:
    """The warm parents, but not what is forked from them."""
    return lambda: {child for child in psutil.Process().children() if "--warm" in child.cmdline()}


@pytest.fixture(scope="session")
def runner(this_host, warm) -> Runner:
    """A runner that forks its workers, and keeps what it exported for ONNX Runtime."""
    return Runner(host=this_host, pool=warm)


@pytest.fixture(scope="session")
def measure(runner) -> Callable[..., Trial]:
    """Measure a sample (with its data) or a subject; the same question is answered once per session."""
    known: dict[object, Trial] = {}

    def measure(
        what: str | Subject, layers: dict[str, str] | None = None, fixes: dict | None = None, **knobs: object
    ) -> Trial:
        # One thread: on a busy machine two that wait for each other make tiny models take minutes.
        knobs.setdefault("runtime__threads", 1)
        name = what if isinstance(what, str) else (what.model, what.data)
        key = (name, str(layers), str(fixes), tuple(sorted(knobs.items())))
        if key not in known:
            subject = find_subject(f"sample:{what}") if isinstance(what, str) else what
            config = Config(
                {name.replace("__", "."): value for name, value in knobs.items()},
                layers=layers or {},
                fixes=fixes or {},
            )
            known[key] = runner.measure(subject, config, runs=10, seconds=1.0)
        return known[key]

    return measure


@pytest.fixture
def ort(measure) -> Callable[..., Trial]:
    """Measure with ONNX Runtime; the knobs by keyword with ``__`` for the dot."""

    def ort(what: str | Subject, layers: dict[str, str] | None = None, **knobs: object) -> Trial:
        return measure(what, layers=layers, engine="onnxruntime", **knobs)

    return ort


@pytest.fixture
def chain(tmp_path):
    """Three convolutions and a linear layer in an ONNX file with a dynamic batch."""
    return Subject(resolve_model(str(files.saved(files.chain(), tmp_path / "chain.onnx"))))

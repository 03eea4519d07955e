"""Real engines in real workers on tiny models; results are shared where several tests look at one trial."""

from __future__ import annotations

from collections.abc import Callable

import onnx_files as files
import pytest

from workbench.core.config import Config
from workbench.core.model import resolve_model
from workbench.core.trial import Trial
from workbench.study.runner import Runner, Subject
from workbench.study.subject import find_subject


@pytest.fixture(scope="session")
def measure(this_host) -> Callable[..., Trial]:
    """Measure a sample (with its data) or a subject; the same question is answered once per session."""
    known: dict[object, Trial] = {}
    runner = Runner(host=this_host)

    def measure(what: str | Subject, layers: dict[str, str] | None = None, **knobs: object) -> Trial:
        # One thread: on a busy machine two that wait for each other make tiny models take minutes.
        knobs.setdefault("runtime__threads", 1)
        key = (what if isinstance(what, str) else (what.model, what.data), str(layers), tuple(sorted(knobs.items())))
        if key not in known:
            subject = find_subject(f"sample:{what}") if isinstance(what, str) else what
            config = Config({name.replace("__", "."): value for name, value in knobs.items()}, layers=layers or {})
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

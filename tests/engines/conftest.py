"""Real engines in real workers on tiny models; results are shared where several tests look at one trial."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from workbench.core.config import Config
from workbench.core.trial import Trial
from workbench.study.runner import Runner, Subject
from workbench.study.subject import find_subject


@pytest.fixture(scope="session")
def measure(this_host) -> Callable[..., Trial]:
    """Measure a sample (with its data) or a subject; the same question is answered once per session."""
    known: dict[object, Trial] = {}
    runner = Runner(host=this_host)

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

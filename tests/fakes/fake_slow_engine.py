"""The fake engine, three times as slow: for comparisons, where both sides run the same model."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import fake_engine

from workbench.engines.base import Feed

FAST_S, SLOW_S = 0.003, 0.009


class Engine(fake_engine.Engine):
    """Sleeps beside whatever the model's name asks for."""

    def bind(self, feed: Feed) -> Callable[[], Any]:
        run = super().bind(feed)

        def slowly() -> Any:
            time.sleep(SLOW_S - FAST_S)
            return run()

        return slowly

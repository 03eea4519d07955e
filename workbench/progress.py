"""Progress on stderr for people; quiet where stderr is no terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from workbench.study.runner import Listener


class Shown(Listener):
    """A listener that draws one line with a spinner, the phase and a bar."""

    def __init__(self, console: Console, bar: Progress) -> None:
        super().__init__(progress=self._phase, notice=self._notice, burst=self._burst, warm_up=self._warm_up)
        self._console = console
        self._bar = bar
        self._task = bar.add_task("starting the worker", total=None)
        self._title = ""
        self._samples = 0

    def title(self, text: str) -> None:
        """Put *text* in front of the phases that follow."""
        self._title = f"{text}: "
        self._phase("starting the worker", 0, 0)

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        if self._console.is_terminal:
            self._console.print(text, highlight=False)

    def _phase(self, phase: str, done: int, total: int) -> None:
        self._bar.update(self._task, description=self._title + phase, completed=done, total=total or None)
        self._samples = 0

    def _notice(self, text: str) -> None:
        self.say(f"[dim]{text[:200]}[/dim]")

    def _warm_up(self, samples: np.ndarray) -> None:
        self._bar.update(self._task, description=f"{self._title}warmed up in {samples.size} runs")

    def _burst(self, samples: np.ndarray) -> None:
        self._samples += samples.size
        median = float(np.median(samples)) / 1e6
        self._bar.update(self._task, description=f"{self._title}timing, {self._samples} runs, {median:.2f} ms")


@contextmanager
def shown_progress() -> Iterator[Shown]:
    """Yield a listener whose progress is on screen while the block runs."""
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield Shown(console, bar)

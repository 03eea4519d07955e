"""Where the fixes of a config stand, seen from a trial: which tensor each acts on, and whether that is proven.

A fix may be written under another name than that of the tensor that has the scale: an alias, or a tensor inside a
fused group. What the trial knows of its engine tells where a fix *will* act, before it is measured. Used by the window.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from workbench.core.config import Config
from workbench.core.dataflow import Dataflow
from workbench.core.trial import Trial
from workbench.errors import UserError

State = Literal["none", "pending", "applied", "not quantized by this engine", "refused"]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One tensor as the config treats it.

    Attributes:
        name: under which the config holds its fix, or would hold one.
        low, high: the fix; None leaves that end to calibration.
        state: ``none`` without a fix, ``pending`` while no trial has shown what becomes of it.
        acts_on: the tensor whose scale it is or would be; None where the engine has no scale for it.
        note: what the engine said.
    """

    name: str
    low: float | None = None
    high: float | None = None
    state: State = "none"
    acts_on: str | None = None
    note: str = ""


class Standings:
    """The fixes of *config* beside *trial*, whose layers and scales are known."""

    def __init__(self, trial: Trial, config: Config) -> None:
        self.flow = Dataflow(trial.layers)
        self.quantized = {entry.tensor for entry in trial.tensors}
        self._held: dict[str, Standing] = {}
        measured = trial.config.get("fixes", {})
        states = {state.tensor: state for state in trial.fixes}
        for name, (low, high) in config.fixes.items():
            try:
                tensor = self.flow.resolve(name)
            except UserError:  # of another model; the worker will tell
                continue
            target, state = self.target(tensor), states.get(name)
            entry = measured.get(name, {})
            known = state if (entry.get("min"), entry.get("max")) == (low, high) else None
            self._held[target] = Standing(
                name=name,
                low=low,
                high=high,
                state=known.state if known else "pending",
                acts_on=(known.acts_on if known else None) or self._proven(target),
                note=known.note if known else "",
            )

    def any(self) -> bool:
        """Whether a tensor of this trial is fixed."""
        return bool(self._held)

    def target(self, tensor: str) -> str:
        """Return the tensor that a fix on *tensor* ends at."""
        return self.flow.way(self.flow.trunk(tensor), self.quantized)[-1]

    def of(self, tensor: str) -> Standing:
        """Return how the config treats *tensor* (a canonical name)."""
        target = self.target(tensor)
        return self._held.get(target) or Standing(name=tensor, acts_on=self._proven(target))

    def _proven(self, target: str) -> str | None:
        return target if target in self.quantized else None

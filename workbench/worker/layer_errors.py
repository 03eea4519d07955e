"""What INT8 costs each layer: one layer at a time quantized, all of them, all but one. Child side.

Works on any :class:`workbench.engines.base.Emulator`; sums of squares are streamed, one sample at a time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.core.dataflow import Dataflow
from workbench.core.outputs import flatten_outputs, numbers
from workbench.core.scales import bias_overflow, dead_channels, pair_sum_overflow
from workbench.core.trial import Layer, LayerError, LayerErrors, TensorRange, WeightFacts
from workbench.engines.base import Emulator, Feed, Weight

CAP_DB = 200.0


@dataclass
class _Sum:
    signal: float = 0.0
    noise: float = 0.0

    def add(self, reference: np.ndarray, candidate: np.ndarray) -> None:
        right = np.asarray(reference, np.float64)
        self.signal += float(np.sum(np.square(right)))
        self.noise += float(np.sum(np.square(right - candidate)))

    @property
    def db(self) -> float:
        """SQNR in dB, within ±200 so that JSON stays valid."""
        if not self.noise:
            return CAP_DB
        if not (math.isfinite(self.noise) and self.signal):
            return -CAP_DB
        return max(-CAP_DB, min(CAP_DB, 10 * math.log10(self.signal / self.noise)))


class Scan:
    """Finds the errors of the planned layers.

    Args:
        emulator: the model with switchable quantization.
        flow: its call sites.
        planned: layers that run in INT8.
        quantized: tensors that have a scale.
        rest: also measure all layers but one.
        seconds: no new layer starts after so long; None is no limit.
        progress: told how many layers are done; raises to end the scan.
    """

    def __init__(
        self,
        emulator: Emulator,
        flow: Dataflow,
        planned: Sequence[str],
        quantized: Iterable[str],
        *,
        rest: bool = False,
        seconds: float | None = None,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        self._emulator = emulator
        self._planned = list(planned)
        known = set(quantized)
        self._place = {name: flow.around(name, known)[1] for name in planned if name in flow.layers}
        self._planned = [name for name in planned if name in self._place]
        self._rest = rest
        self._until = None if seconds is None else time.monotonic() + seconds
        self._progress = progress

    def __call__(
        self,
        feeds: Sequence[Feed],
        known: Sequence[LayerError] = (),
        keep: Callable[[Sequence[LayerError]], object] = lambda errors: None,
    ) -> LayerErrors:
        """Scan over *feeds*.

        Args:
            known: layers that were scanned before and are taken over.
            keep: gets all finished layers after each, so that a scan that is stopped can go on.
        """
        places = set(self._place.values())
        references = [self._emulator.run(feed, (), places) for feed in feeds]
        everywhere, total = {place: _Sum() for place in places}, _Sum()
        for feed, (values, output) in zip(feeds, references, strict=True):
            found, result = self._emulator.run(feed, self._planned, places)
            for place in places:
                everywhere[place].add(values[place], found[place])
            _compare(total, output, result)
        before = {error.layer: error for error in known}
        errors, complete = [], True
        for done, name in enumerate(self._planned):
            self._progress(done, len(self._planned))
            earlier = before.get(name)
            if earlier and (earlier.rest_db is not None or not self._rest):
                errors.append(earlier)
                continue
            if self._until is not None and time.monotonic() > self._until:
                complete = False
                continue
            place = self._place[name]
            own, only, rest = _Sum(), _Sum(), _Sum()
            for feed, (values, output) in zip(feeds, references, strict=True):
                found, result = self._emulator.run(feed, (name,), (place,))
                own.add(values[place], found[place])
                _compare(only, output, result)
                if self._rest:
                    others = [other for other in self._planned if other != name]
                    _compare(rest, output, self._emulator.run(feed, others, ())[1])
            errors.append(
                LayerError(
                    layer=name, tensor=place, own_db=own.db, accumulated_db=everywhere[place].db, only_db=only.db,
                    rest_db=rest.db if self._rest else None,
                )
            )  # fmt: skip
            keep(errors)
        return LayerErrors(samples=len(feeds), all_db=total.db, layers=errors, complete=complete)


def _compare(total: _Sum, reference: object, candidate: object) -> None:
    for (_, right), (_, other) in zip(flatten_outputs(reference), flatten_outputs(candidate), strict=True):
        total.add(numbers(right), numbers(other))


def weight_facts(
    weights: Mapping[str, Weight], layers: Sequence[Layer], tensors: Sequence[TensorRange], activation_max: int
) -> list[WeightFacts]:
    """Return what the built weights tell: ranges, dead channels, what can overflow.

    Args:
        tensors: activations with their scales.
        activation_max: the largest level inside a calibrated range.
    """
    flow = Dataflow(layers)
    scales = {entry.tensor: entry.scale for entry in tensors}
    facts = []
    for name, weight in weights.items():
        low, high = weight.values.min(axis=1), weight.values.max(axis=1)
        overflow = pair_sum_overflow(weight.levels, activation_max)
        inputs, _ = flow.around(name, scales)
        scale = scales.get(inputs[0]) if inputs else None
        facts.append(
            WeightFacts(
                layer=name,
                low=[float(value) for value in low],
                high=[float(value) for value in high],
                dead=dead_channels(low, high) if weight.values.shape[1] > 1 else [],
                overflow=overflow.adjacent,
                overflow_any=overflow.any_order,
                bias_overflow=bias_overflow(weight.bias, scale, weight.scale)
                if weight.bias is not None and scale
                else 0,
            )
        )
    return facts

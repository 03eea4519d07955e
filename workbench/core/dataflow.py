"""How tensors flow between call sites: who consumes what, what is fused, what the next operation clamps.

Pure arithmetic on the list of layers; used to name the tensors that engines quantize, to resolve fixes,
and to tell which part of a range is never looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from workbench.core.scales import Bounds
from workbench.core.trial import Layer
from workbench.errors import UserError, nearest

_FOLDED = ("batchnorm1d", "batchnorm2d", "batchnorm3d", "batchnormalization")
_ORDER_KEEPING = ("maxpool1d", "maxpool2d", "maxpool3d", "adaptivemaxpool2d", "maxpool", "max_pool1d", "max_pool2d",
                  "max_pool3d")  # fmt: skip
_SAME_VALUES = ("flatten", "reshape", "view", "permute", "transpose", "squeeze", "unsqueeze",
                "zeropad2d")  # fmt: skip
_JOINS = ("cat", "concat", "concatenate")
_IDLE = ("dropout", "dropout1d", "dropout2d", "dropout3d", "identity")
_HANDING_ON = (*_SAME_VALUES, *_ORDER_KEEPING, *_IDLE)


class Dataflow:
    """The network as tensors (canonical names) between layers."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self.layers: Mapping[str, Layer] = {layer.name: layer for layer in layers}
        self.consumers: Mapping[str, list[Layer]] = defaultdict(list)
        for layer in layers:
            for tensor in dict.fromkeys(layer.inputs):
                self.consumers[tensor].append(layer)
        inputs = (name for layer in layers for name in layer.inputs if name.startswith("input:"))
        self.tensors: list[str] = list(dict.fromkeys([*inputs, *(f"{layer.name}:out" for layer in layers)]))

    def producer(self, tensor: str) -> Layer | None:
        """Return the layer that *tensor* leaves, None for an input of the model."""
        return self.layers.get(tensor.removesuffix(":out"))

    def resolve(self, name: str) -> str:
        """Return the tensor that a user means by *name*: ``LAYER:out``, ``LAYER:in0`` or ``input:NAME``.

        Raises:
            UserError: there is no such tensor; names those that are near.
        """
        if name in self.consumers or name in self.tensors:
            return name
        layer, _, port = name.rpartition(":in")
        if layer in self.layers and port.isdigit() and int(port) < len(self.layers[layer].inputs):
            return self.layers[layer].inputs[int(port)]
        raise UserError(
            f"There is no tensor '{name}'.",
            nearest(name, self.tensors) or "The model shows no tensors.",
            "Tensors are LAYER:out, LAYER:in0 and input:NAME; `workbench layers` lists them.",
        )

    def only_consumer(self, tensor: str) -> Layer | None:
        """Return the one layer that takes *tensor*, None where there are none or several."""
        takers = self.consumers.get(tensor, [])
        return takers[0] if len(takers) == 1 else None

    def folded(self, tensor: str) -> str:
        """Return what *tensor* is once batch norms are folded into the layer before them."""
        taker = self.only_consumer(tensor)
        producer = self.producer(tensor)
        if taker and producer and producer.kind and taker.op in _FOLDED:
            return f"{taker.name}:out"
        return tensor

    def trunk(self, tensor: str) -> str:
        """Return one name for *tensor* and for what layers without effect and folding make of it."""
        producer = self.producer(tensor)
        while producer and producer.op in _IDLE and producer.inputs:
            tensor = producer.inputs[0]
            producer = self.producer(tensor)
        return self.folded(tensor)

    def fused(self, tensor: str, activations: Iterable[str] = ("relu",)) -> str:
        """Return the tensor that leaves the fused group of *tensor*: folded, and behind an activation.

        Args:
            activations: ``op`` of what the engine fuses into the layer before it.
        """
        tensor = self.folded(tensor)
        taker = self.only_consumer(tensor)
        return f"{taker.name}:out" if taker and taker.op in activations else tensor

    def group(self, layer: Layer, activations: Iterable[str] = ("relu",)) -> list[str]:
        """Return the names of the layers fused with *layer*, itself first."""
        names, tensor, last = [layer.name], f"{layer.name}:out", self.fused(f"{layer.name}:out", activations)
        while tensor != last:
            taker = self.only_consumer(tensor)
            if taker is None:
                break
            names.append(taker.name)
            tensor = f"{taker.name}:out"
        return names

    def around(self, layer: str, quantized: Collection[str]) -> tuple[list[str], str]:
        """Return the quantized tensors that *layer* reads, and the one that leaves its fused group.

        Args:
            quantized: tensors that have a scale. What only repeats values (a reshape, a max-pool) has none
                of its own; then the scale of what it repeats counts.
        """
        inputs = []
        for tensor in self.layers[layer].inputs:
            producer = self.producer(tensor)
            while tensor not in quantized and producer and producer.inputs:
                if producer.op not in (*_HANDING_ON, *_JOINS):
                    break
                tensor = producer.inputs[0]  # noqa: PLW2901
                producer = self.producer(tensor)
            if tensor in quantized:
                inputs.append(tensor)
        output = self.folded(f"{layer}:out")
        while output not in quantized:
            taker = self.only_consumer(output)
            if taker is None or not (taker.clamp or taker.op == "add"):
                break
            output = f"{taker.name}:out"
        return inputs, output if output in quantized else self.folded(f"{layer}:out")

    def clamp(self, tensor: str) -> Bounds | None:
        """Return what every consumer of *tensor* lets through, None where one takes all of it.

        Values outside are equal to the bound for whoever reads them, so a range may be cut to it without
        any error. A max-pool keeps the order of values and is looked through.
        """
        lows: list[float | None] = []
        highs: list[float | None] = []
        for taker in self.consumers.get(tensor, []):
            bounds = taker.clamp
            if bounds is None and taker.op in _ORDER_KEEPING:
                bounds = self.clamp(f"{taker.name}:out")
            if bounds is None:
                return None
            lows.append(bounds[0])
            highs.append(bounds[1])
        # The widest of all consumers is what must be kept; an open end of one keeps it open.
        low = None if None in lows else min((end for end in lows if end is not None), default=None)
        high = None if None in highs else max((end for end in highs if end is not None), default=None)
        return (low, high) if (low, high) != (None, None) else None

    def clamped(self) -> dict[str, Bounds]:
        """Return every tensor that the next operation clamps."""
        found = ((tensor, self.clamp(tensor)) for tensor in self.tensors)
        return {tensor: bounds for tensor, bounds in found if bounds is not None}

    def joins(self) -> list[Layer]:
        """Return the concatenations: engines give all that is joined one scale."""
        return [layer for layer in self.layers.values() if layer.op in _JOINS and len(set(layer.inputs)) > 1]

    def apart(self, join: Layer) -> list[str]:
        """Return what to keep in FP32 so that nothing puts *join* under one scale."""
        return self.without_scale(f"{join.name}:out")

    def without_scale(self, tensor: str) -> list[str]:
        """Return what to keep in FP32 so that no engine gives *tensor* a scale: what it leaves, and all that reads it.

        Each would ask for one. Changes of shape are looked through, and kept in FP32 themselves; activations ask
        for a scale only beside a layer in INT8.
        """
        way, producer = [tensor], self.producer(tensor)
        while producer and len(producer.inputs) == 1 and (producer.op in _HANDING_ON or _is_activation(producer)):
            way.append(producer.inputs[0])
            producer = self.producer(way[-1])
        kept, waiting = [producer.name] if producer else [], way[::-1]
        for given in waiting:  # grows
            for taker in self.consumers.get(given, []):
                if not _is_activation(taker):
                    kept.append(taker.name)
                if taker.op in _HANDING_ON and f"{taker.name}:out" not in waiting:
                    waiting.append(f"{taker.name}:out")
        return list(dict.fromkeys(kept))

    def handed_on(self, tensor: str) -> str | None:
        """Return the tensor that a max-pool or a change of shape makes of *tensor* for its only consumer."""
        taker = self.only_consumer(tensor)
        return f"{taker.name}:out" if taker and taker.op in _HANDING_ON else None

    def way(self, tensor: str, quantized: Collection[str]) -> list[str]:
        """Return the tensors that a fix on *tensor* passes until it acts on one that has a scale, the last one.

        Inside a fused group that is what leaves the group; else, where a max-pool or a change of shape made
        *tensor*, what it was made of. Where the engine has no scale for it, the last one has none either.

        Args:
            quantized: tensors that have a scale.
        """
        way = [tensor]
        while way[-1] not in quantized:
            taker = self.only_consumer(way[-1])
            following = self.handed_on(way[-1]) or (f"{taker.name}:out" if taker and taker.clamp else None)
            if following is None:
                break
            way.append(following)
        if way[-1] in quantized:
            return way
        source = tensor
        while source not in quantized:
            producer = self.producer(source)
            before = self.trunk(producer.inputs[0]) if producer and producer.inputs else ""
            if not before or self.handed_on(before) != source:
                break
            source = before
        return [source]

    def alike(self, tensors: Iterable[str]) -> list[list[str]]:
        """Group *tensors*: a tensor and what max-pools and changes of shape make of it, in the order of execution."""
        wanted = set(tensors)
        groups: dict[str, list[str]] = {}
        for tensor in sorted(wanted, key=self.tensors.index):
            head, producer = tensor, self.producer(tensor)
            while producer and producer.op in (*_ORDER_KEEPING, *_SAME_VALUES) and producer.inputs:
                source = self.trunk(producer.inputs[0])
                if source not in wanted:
                    break
                head, producer = source, self.producer(source)
            groups.setdefault(head, []).append(tensor)
        return list(groups.values())


def _is_activation(layer: Layer) -> bool:
    """Whether *layer* runs in the kernel of the one before it, or not at all."""
    return layer.clamp is not None or layer.op in (*_IDLE, *_FOLDED)

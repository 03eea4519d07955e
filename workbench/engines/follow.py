"""Which call site of the user's model an operation of a rewritten graph is, told by what flows into it.

Rewritten graphs drop names, fold batch norms, leave operations out and add some of their own. Counting the k-th
ReLU here and there gives wrong names as soon as one is missing; the tensors that arrive do not.
"""

from __future__ import annotations

from collections.abc import Iterable

from workbench.core.dataflow import Dataflow
from workbench.core.trial import Layer

_FAMILIES = (
    ("conv", "convolution", "convtranspose"),
    ("linear", "gemm", "matmul", "addmm", "mm"),
    ("relu6", "hardtanh", "clip", "clamp"),
    ("cat", "concat", "concatenate"),
    ("flatten", "reshape", "view", "squeeze", "unsqueeze"),
    ("mean", "reducemean", "avgpool", "averagepool", "globalaveragepool", "adaptiveavgpool"),
    ("maxpool", "adaptivemaxpool", "globalmaxpool"),
    ("batchnorm", "batchnormalization"),
    ("chunk", "split"),
)
_PARTS = ("chunk", "split", "tensor_split", "unbind")
_ALIKE = {op: family[0] for family in _FAMILIES for op in family}


class Follower:
    """Walks a graph in the order of execution beside the model's call sites; each is met once."""

    def __init__(self, flow: Dataflow) -> None:
        self._flow = flow
        self._waiting = dict.fromkeys(flow.layers)

    def meet(self, op: str, inputs: Iterable[str], path: str = "") -> Layer | None:
        """Return the call site of an operation, None where there is none.

        Args:
            op: its kind in any library's spelling, empty where that is not known.
            inputs: canonical names of the tensors that arrive, as far as they are known; others are ignored.
            path: the module's path or the function's call site without a count, where the graph tells.
        """
        known = (tensor for tensor in inputs if tensor.startswith("input:") or self._flow.producer(tensor))
        arriving = {self._whole(tensor) for tensor in known}
        for whole in (True, False):
            for name in self._waiting:
                layer = self._flow.layers[name]
                expected = {self._whole(tensor) for tensor in layer.inputs}
                if path:
                    fits = name.partition("#")[0] == path and (arriving <= expected)
                else:
                    fits = (not op or kind_of(layer.op) == kind_of(op)) and arriving <= expected
                    # With nothing known to arrive, it can only be what reads the model's inputs.
                    fits = fits and (bool(arriving) or all(tensor.startswith("input:") for tensor in expected))
                if fits and (not whole or arriving == expected):
                    self.pass_by(name)
                    return layer
        return None

    def _whole(self, tensor: str) -> str:
        """Return the tensor that *tensor* is a part of: some graphs cut it with operations of their own."""
        producer = self._flow.producer(tensor)
        while producer and producer.op in _PARTS and producer.inputs:
            tensor = producer.inputs[0]
            producer = self._flow.producer(tensor)
        return self._flow.trunk(tensor)

    def pass_by(self, name: str) -> None:
        """Take a call site out: it is part of another operation."""
        self._waiting.pop(name, None)


def kind_of(op: str) -> str:
    """Return what libraries that spell an operation differently have in common."""
    plain = op.lower().strip("_").replace("_", "")
    for mark in ("1d", "2d", "3d"):
        plain = plain.removesuffix(mark)
    return _ALIKE.get(plain, plain)

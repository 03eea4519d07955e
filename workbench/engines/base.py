"""What the worker asks of an engine. An engine lives in one process, for one job, for one config."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from workbench.core.config import Config
from workbench.core.distribution import Distribution
from workbench.core.model import InputSpec, ModelReference
from workbench.core.ranges import Ranges
from workbench.core.scales import Scheme
from workbench.core.trial import Exported, FixState, Kernel, Layer, TensorRange
from workbench.errors import UserError

Feed: TypeAlias = Mapping[str, np.ndarray]


class InvalidResult(Exception):
    """The engine did not do what was asked (nothing quantized, say); the trial is invalid."""


@dataclass
class Plan:
    """Which layers shall run in INT8, and why others do not.

    Attributes:
        int8: names of layers.
        kept: layer → reason it stays in floating point by design or by the user's wish.
    """

    int8: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)


@dataclass
class Identity:
    """What the engine says of itself, read back from the running libraries."""

    threads: int
    interop_threads: int
    engine_version: str
    torch_version: str | None
    isa: str
    grad: bool = False
    flush_denormals: bool = False
    quantized_engine: str | None = None


class Emulator(ABC):
    """The FP32 model, in which the quantization of each layer can be switched on and off.

    Kernels that run in INT8 cannot be looked into; values that go through the levels of their scales in FP32
    can, and differ from them by rounding alone.
    """

    @abstractmethod
    def run(self, feed: Feed, layers: Collection[str], tensors: Collection[str]) -> tuple[dict[str, np.ndarray], Any]:
        """Run once.

        Args:
            layers: whose inputs, weight and output are quantized.
            tensors: canonical names of the values to return.

        Returns:
            The values that were asked for, and the model's output as ``Engine.outputs`` gives it.
        """


@dataclass
class Weight:
    """One layer's weight, output channels first.

    Attributes:
        levels: int8, shape (channels, K).
        scale: per channel, or one.
        values: FP32, shape (channels, K).
        bias: per channel, None where there is none.
    """

    levels: np.ndarray
    scale: np.ndarray
    values: np.ndarray
    bias: np.ndarray | None = None


class Engine(ABC):
    """One engine with one model.

    The worker calls, in this order: ``configure``; ``load``; ``trace_layers``; for static INT8 ``prepare``,
    ``observe`` (left out where the distributions are known already) and ``calibrate``; ``build``; then ``bind``
    and the function it returns, many times; ``outputs``, ``reference``, ``prove`` and the rest.

    What many trials share may be done once in a process that they are forked from: there ``stay_single`` comes
    first, then ``load`` to ``prepare``; ``configure`` and the rest follow in each fork, with fixes of its own.

    Attributes:
        ranges: set by ``calibrate``.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.ranges: Ranges | None = None

    def configure(self) -> None:  # noqa: B027 - not every engine has settings of the process
        """Apply the settings of the process: threads, denormals.

        Raises:
            UserError: this CPU cannot.
        """

    def stay_single(self) -> None:  # noqa: B027 - not every engine has threads
        """Start no thread until ``configure``: forking is only safe in a process that has one."""

    @abstractmethod
    def load(self, model: ModelReference) -> None:
        """Load the FP32 model as the user has it.

        Raises:
            UserError: the model cannot be loaded, or this engine cannot run it.
        """

    @abstractmethod
    def input_specs(self) -> Sequence[InputSpec]:
        """Return what the model wants to be fed."""

    @abstractmethod
    def trace_layers(self, feed: Feed) -> list[Layer]:
        """Run the original once and return its call sites in execution order.

        Raises:
            UserError: the model refuses the input; layer names of the config that do not exist.
        """

    @abstractmethod
    def reference(self, feed: Feed) -> Any:
        """Run the original FP32 model and return its raw output."""

    @property
    def scheme(self) -> Scheme:
        """How activations are quantized under this config."""
        signed = self.config.resolved().get("quantization.activation") == "qint8"
        return Scheme(signed=signed, symmetric=signed, bits=7 if self.config["quantization.range"] == "reduced" else 8)

    def prepare(self, feed: Feed) -> None:  # noqa: B027 - not every engine has something to prepare
        """Do for static INT8 what needs no ranges yet, and does not depend on fixes; *feed* is an example.

        Raises:
            UserError: this engine cannot quantize the model.
        """

    @abstractmethod
    def observe(self, feeds: Iterable[Feed]) -> dict[str, Distribution]:
        """Run the FP32 model on *feeds* and return what every tensor held, by canonical name."""

    @abstractmethod
    def calibrate(self, distributions: Mapping[str, Distribution]) -> None:
        """Decide the range of every tensor that will be quantized.

        Raises:
            InvalidResult: calibration never reached one of them, or met values that are not finite.
            UserError: a fix names a tensor that does not exist, or contradicts another.
        """

    @abstractmethod
    def quantized(self) -> list[TensorRange]:
        """Read the scales of activations back from the built model, in the order of execution."""

    @abstractmethod
    def build(self, feed: Feed) -> Plan:
        """Make the model that is measured; *feed* is an example."""

    @abstractmethod
    def bind(self, feed: Feed) -> Callable[[], Any]:
        """Return a function that runs the built model on *feed*; exactly this is timed."""

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Surround every call of the bound function, once per group of runs, not once per run."""
        yield

    @abstractmethod
    def outputs(self, raw: Any) -> Any:
        """Turn a raw output into nested tuples, lists and dicts of numpy arrays."""

    @abstractmethod
    def prove(self, run: Callable[[], Any], layers: Sequence[Layer]) -> list[Kernel]:
        """Run once with kernel logging and return every primitive that ran, matched to *layers*."""

    @abstractmethod
    def identity(self) -> Identity:
        """Read back versions and settings."""

    @abstractmethod
    def input_facts(self) -> tuple[int, list[int]]:
        """Return alignment in bytes and strides of the first bound input."""

    @abstractmethod
    def parameter_count(self) -> int:
        """Return how many parameters the original has."""

    @abstractmethod
    def model_bytes(self) -> int | None:
        """Return the size of the parameters as held for running, None where it cannot be told."""

    def adopt(self, exported: Exported) -> None:  # noqa: B027 - only for engines that run exported files
        """Learn where the file that is loaded next was exported from."""

    def export(self, feed: Feed, folder: str) -> Exported:
        """Write the original as ONNX into *folder*.

        Raises:
            UserError: this engine or model cannot.
        """
        raise UserError(f"Engine '{self.config.engine}' exports nothing.", "", "Use engine=torch.")

    def save(self, folder: str) -> dict[str, str]:
        """Write the built model, and the FP32 original, in the engine's own format into *folder*.

        Not the optimized form of this machine (``optimize_for_inference`` cannot be loaded again, and what ONNX
        Runtime fuses depends on the CPU): that is made where the model is loaded.

        Returns:
            The names of the files: ``model`` and ``fp32``.

        Raises:
            UserError: this engine or model cannot.
        """
        raise UserError(f"Engine '{self.config.engine}' saves nothing.", "", "Use torch, ipex or onnxruntime.")

    @property
    def rewritten(self) -> dict[str, list[str]]:
        """Exact rewrites that were applied, and the layers that each changed."""
        return {}

    @property
    def notes(self) -> list[str]:
        """What the user should hear about exact rewrites: what they changed, or why they changed nothing."""
        return []

    def rewrites(self, feed: Feed) -> dict[str, list[str]]:
        """Return the exact rewrites that would change something, and which layers, for ``inspect``."""
        return {}

    def close(self) -> None:  # noqa: B027 - most engines have nothing to do here
        """Remove what was put on disk; nothing is called afterwards."""

    def release_original(self) -> None:  # noqa: B027 - most engines have nothing to do here
        """Let go of everything that running does not need, before memory is measured."""

    def emulator(self, plan: Plan) -> Emulator | None:
        """Return the FP32 model with switchable quantization, None where this engine cannot tell."""
        return None

    def weights(self, plan: Plan) -> dict[str, Weight]:
        """Return the weights of the planned layers as they were built, by layer."""
        return {}

    def fixes(self, read_back: Sequence[TensorRange]) -> list[FixState]:
        """Report what became of each fix of the config; *read_back* is what :meth:`quantized` returned."""
        return self.ranges.states(read_back) if self.ranges and self.config.fixes else []

    @abstractmethod
    def unquantizable(self, layers: Sequence[Layer]) -> dict[str, str]:
        """Return layer → why INT8 leaves it alone, for ``inspect``."""

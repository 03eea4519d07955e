"""An engine without a library, for tests of everything around engines.

What it does is written into the model's name: ``fake:ACTION[=ARGUMENT]@PLACE``, several joined by ``+``,
for example ``fake:sleep=0.01@run+abort@run200``. Places: ``import`` (the constructor), ``load``, ``trace``,
``prepare``, ``calibrate``, ``build``, ``run`` (every run), ``runN`` (the N-th run alone), ``outputs``, ``prove``.
Actions are the functions of :data:`ACTIONS`; the words of :data:`LIES` change what the engine claims, and have no
place. A model with another name, such as a file's, behaves as the variable ``FAKE_BEHAVIOUR`` says.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.dataflow import Dataflow
from workbench.core.distribution import Collector, Distribution
from workbench.core.knobs import ENGINES
from workbench.core.model import InputSpec, ModelReference
from workbench.core.ranges import Ranges
from workbench.core.scales import scale_of
from workbench.core.trial import Kernel, Layer, TensorRange
from workbench.engines import base
from workbench.engines.base import Feed, Identity, InvalidResult, Plan
from workbench.errors import UserError

MODULES = dict.fromkeys(ENGINES, "fake_engine")
"""For ``Runner(modules=…)``: this module in place of every engine."""

LIES = ("threads", "interop", "no-int8", "short-int8", "no-bf16", "rnn", "nan", "unsendable", "isa")


def model(behaviour: str = "", **other: Any) -> ModelReference:
    """Return a reference to a model that behaves as *behaviour* says."""
    fields = {"path": "/nowhere/fake.pt", "format": "torchscript", "sha256": "0" * 64, **other}
    fields.setdefault("inputs", (InputSpec(name="x", shape=(None, 4)),))
    return ModelReference(name=f"fake:{behaviour}", **fields)


# -- actions ----------------------------------------------------------------------------------------


def _segv(_: str) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _chatter(megabytes: str) -> None:
    """Print through Python, through descriptor 1 and through C's stdout."""
    libc = ctypes.CDLL(None)
    line = b"\x00\x00\x00\x05hello " * 100
    for _ in range(int(float(megabytes) * 2**20 / len(line) / 3) + 1):
        print(line.decode("latin-1"))
        os.write(1, line + b"\n")
        libc.puts(line.replace(b"\x00", b" "))
    sys.stdout.flush()
    libc.fflush(None)


def _long_line(megabytes: str) -> None:
    os.write(2, b"x" * int(float(megabytes) * 2**20) + b"\n")


def _garbage(_: str) -> None:
    """Write to every descriptor that can be written to, the protocol's own included."""
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        try:
            os.write(int(name), b"\xff" * 64)
        except OSError:
            continue


def _hang(_: str) -> None:
    while True:
        time.sleep(60)


def _hang_in_c(_: str) -> None:
    """Hang and keep the interpreter's lock, so that no other thread of the child runs."""
    ctypes.PyDLL(None).sleep(3600)


def _exit(code: str) -> None:
    os._exit(int(code))


def _system_exit(code: str) -> None:
    raise SystemExit(int(code or 0))


def _refuse(_: str) -> None:
    raise UserError("The fake does not like it.", "It is only a fake.", "Use a real one.")


def _invalid(_: str) -> None:
    raise InvalidResult("the fake did something else")


def _value_error(text: str) -> None:
    raise ValueError(text or "a bug of the fake")


def _memory_error(_: str) -> None:
    raise MemoryError


def _hog(megabytes: str) -> None:
    """Take memory and use it, bit by bit."""
    taken = []
    for _ in range(int(megabytes) // 8):
        taken.append(bytearray(b"x" * (8 * 2**20)))


def _spin(seconds: str) -> None:
    """Be busy for so much CPU time."""
    end = time.process_time() + float(seconds)
    while time.process_time() < end:
        pass


def _repin(cpus: str) -> None:
    os.sched_setaffinity(0, [int(cpu) for cpu in cpus.split(",")])


def _spawn(file: str) -> None:
    """Leave a grandchild behind that holds all inherited descriptors; its number goes to *file*."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], close_fds=False)
    Path(file).write_text(str(child.pid), encoding="ascii")


def _fork(file: str) -> None:
    """Leave a copy of this process behind, which holds the protocol's descriptors too."""
    if pid := os.fork():
        Path(file).write_text(str(pid), encoding="ascii")
    else:
        time.sleep(600)
        os._exit(0)


def _mark(file: str) -> None:
    """Tell a test that this place was reached."""
    Path(file).touch()


def _tally(file: str) -> None:
    """Make a file one byte longer."""
    with Path(file).open("a", encoding="ascii") as stream:
        stream.write(".")


def _thread(_: str) -> None:
    """Start a thread that stays."""
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()


def _warn(text: str) -> None:
    import warnings

    warnings.warn(text, UserWarning, stacklevel=1)


ACTIONS: dict[str, Callable[[str], None]] = {
    "abort": lambda _: os.abort(),
    "segv": _segv,
    "exit": _exit,
    "systemexit": _system_exit,
    "chatter": _chatter,
    "long-line": _long_line,
    "garbage": _garbage,
    "hang": _hang,
    "hang-in-c": _hang_in_c,
    "sleep": lambda seconds: time.sleep(float(seconds)),
    "refuse": _refuse,
    "invalid": _invalid,
    "value-error": _value_error,
    "memory-error": _memory_error,
    "hog": _hog,
    "spin": _spin,
    "repin": _repin,
    "spawn": _spawn,
    "fork": _fork,
    "mark": _mark,
    "tally": _tally,
    "thread": _thread,
    "warn": _warn,
}


class Engine(base.Engine):
    """Computes ``2·x`` padded to three classes, in as many "layers" as it has names for."""

    def load(self, model: ModelReference) -> None:
        self._model = model
        self._acts: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._lies: dict[str, str] = {}
        named = model.name.startswith("fake:")
        behaviour = model.name.removeprefix("fake:") if named else os.environ.get("FAKE_BEHAVIOUR", "")
        for word in filter(None, behaviour.split("+")):
            what, _, place = word.partition("@")
            action, _, argument = what.partition("=")
            if place:
                self._acts[place].append((action, argument))
            else:
                assert action in LIES, f"{action} needs a place"
                self._lies[action] = argument
        self._runs = 0
        self._at("load")

    def _at(self, place: str) -> None:
        for action, argument in self._acts.get(place, ()):
            ACTIONS[action](argument)

    def input_specs(self) -> Sequence[InputSpec]:
        return self._model.inputs

    def trace_layers(self, feed: Feed) -> list[Layer]:
        self._at("trace")
        kinds = {"conv": "conv", "fc": "matmul", **({"lstm": "rnn"} if "rnn" in self._lies else {})}
        for name in self.config.layers:
            if name not in kinds:
                raise UserError(f"There is no layer '{name}'.")
        inputs = [f"input:{spec.name}" for spec in self._model.inputs]
        self._layers = []
        for name, kind in kinds.items():
            self._layers.append(
                Layer(name=name, op=name, kind=kind, macs=10, parameters=3, output_shape=[1, 3], inputs=inputs)
            )
            inputs = [f"{name}:out"]
        self._layers.append(Layer(name="relu", op="relu", kind="", inputs=inputs, clamp=(0.0, None)))
        return self._layers

    def reference(self, feed: Feed) -> Any:
        first = next(iter(feed.values())).astype(np.float32).reshape(len(next(iter(feed.values()))), -1)
        return np.concatenate([first * 2, first[:, :1] * 0 + 1], axis=1)

    def prepare(self, feed: Feed) -> None:
        self._at("prepare")

    def observe(self, feeds: Iterable[Feed]) -> dict[str, Distribution]:
        flow, collectors = Dataflow(self._layers), defaultdict(Collector)
        for feed in feeds:
            self._at("calibrate")
            values = self.reference(feed)
            for tensor in flow.tensors:
                collectors[tensor].add(values)
        return {tensor: collector.result() for tensor, collector in collectors.items()}

    def calibrate(self, distributions: Mapping[str, Distribution]) -> None:
        self.ranges = Ranges(distributions, Dataflow(self._layers), self.config, self.scheme)
        self.ranges.place([[f"{layer.name}:out"] for layer in self._layers if layer.kind])

    def quantized(self) -> list[TensorRange]:
        if self.ranges is None:
            return []
        result = []
        for layer in self._layers:
            if layer.kind:
                low, high, _ = self.ranges.of([f"{layer.name}:out"])
                scale, zero_point = scale_of(low, high, self.scheme)
                result.append(
                    TensorRange(tensor=f"{layer.name}:out", min=low, max=high, scale=scale, zero_point=zero_point)
                )
        return result

    def build(self, feed: Feed) -> Plan:
        self._at("build")
        if "int8" not in self.config.precision:
            return Plan()
        kept = dict.fromkeys(self.config.layers, "kept in FP32 by the config")
        return Plan([layer.name for layer in self._layers if layer.kind and layer.name not in kept], kept)

    def bind(self, feed: Feed) -> Callable[[], Any]:
        self._feed = feed
        answer = self.reference(feed)
        if "nan" in self._lies:
            answer = answer * np.float32("nan")

        def run() -> Any:
            self._runs += 1
            self._at("run")
            self._at(f"run{self._runs}")
            return answer

        return run

    def outputs(self, raw: Any) -> Any:
        self._at("outputs")
        return {"scores": raw}

    def prove(self, run: Callable[[], Any], layers: Sequence[Layer]) -> list[Kernel]:
        self._at("prove")
        run()
        dtype = {"fp32": "fp32", "bf16": "bf16"}.get(self.config.precision, "int8")
        if f"no-{dtype}" in self._lies:
            dtype = "fp32"
        kernels = []
        for layer in layers:
            slow = layer.name in self.config.layers or (layer.name == "fc" and "short-int8" in self._lies)
            ran = "fp32" if slow else dtype
            kernels.append(Kernel(layer=layer.name, op=layer.op, kernel=f"fake:{ran}", dtype=ran, ms=0.01))
        return kernels

    def identity(self) -> Identity:
        threads = self.config.number("runtime.threads")
        return Identity(
            threads=int(self._lies.get("threads") or (threads if threads > 0 else 1)),
            interop_threads=int(self._lies.get("interop") or self.config.number("runtime.interop_threads")),
            engine_version=object() if "unsendable" in self._lies else "0.1",  # type: ignore[arg-type]
            torch_version=None,
            isa=object() if "unsendable" in self._lies else self._lies.get("isa") or "FAKE",  # type: ignore[arg-type]
            flush_denormals=self.config.flag("runtime.flush_denormals"),
        )

    def input_facts(self) -> tuple[int, list[int]]:
        return 64, [1]

    def parameter_count(self) -> int:
        return 6

    def model_bytes(self) -> int | None:
        return 2**20

    def unquantizable(self, layers: Sequence[Layer]) -> dict[str, str]:
        return {}

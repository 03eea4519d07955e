"""Finds out whether one engine works: imports its library, computes one tiny layer, prints one line.

``workbench.host.engines`` runs this file in a child process, also under interpreters that have no
workbench: standard library only, and each engine's library is imported inside its own function. By hand:
``python -m workbench.engines.probe torch``. The answer is one JSON object on stdout with ``ok`` and
``version``, ``detail`` or ``error``; everything the library prints goes to stderr.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable

_EXPECTED = 72.0  # eight channels of ones under a 3x3 kernel of ones


def main(arguments: list[str]) -> int:
    """Probe the engine named by the only argument; return 0 if it works, 1 if not, 2 if unknown."""
    answer_to = _claim_stdout()
    name = arguments[0] if arguments else ""
    probe = _PROBES.get(name)
    if probe is None:
        return _answer(answer_to, 2, ok=False, error=f"no engine '{name}', known: {', '.join(_PROBES)}")
    try:
        version, detail = probe()
    except BaseException as error:  # a library may well call sys.exit() when it is imported
        said = str(error).strip().splitlines()
        text = f"{type(error).__name__}: {said[0]}" if said else type(error).__name__
        return _answer(answer_to, 1, ok=False, error=text)
    return _answer(answer_to, 0, ok=True, version=version, detail=detail)


def _claim_stdout() -> int:
    """Keep the real stdout for the answer and send what others print there to stderr."""
    sys.stdout.flush()
    private = os.dup(1)
    os.dup2(2, 1)
    return private


def _answer(descriptor: int, code: int, **fields: object) -> int:
    sys.stdout.flush()
    os.write(descriptor, (json.dumps(fields) + "\n").encode("ascii"))
    return code


def _check(value: float) -> None:
    if abs(value - _EXPECTED) > 0.5:
        raise ArithmeticError(f"a convolution returned {value} instead of {_EXPECTED}")


def _torch() -> tuple[str, str]:
    import torch

    with torch.no_grad():
        output = torch.nn.functional.conv2d(torch.ones(1, 8, 8, 8), torch.ones(8, 8, 3, 3))
    _check(float(output[0, 0, 0, 0]))
    return str(torch.__version__), f"kernels for {torch.backends.cpu.get_cpu_capability()}"


def _ipex() -> tuple[str, str]:
    import torch

    import intel_extension_for_pytorch as ipex  # isort: skip  # refuses to load before torch

    model = torch.nn.Conv2d(8, 8, 3, bias=False).eval()
    torch.nn.init.ones_(model.weight)
    with torch.no_grad():
        output = ipex.optimize(model)(torch.ones(1, 8, 8, 8))
    _check(float(output[0, 0, 0, 0]))
    return str(ipex.__version__), f"with torch {torch.__version__}"


def _onnxruntime() -> tuple[str, str]:
    import numpy as np
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(_matmul_model(72), options, providers=["CPUExecutionProvider"])
    ones = np.ones((1, 72), np.float32)
    (output,) = session.run(None, {"a": ones, "b": ones.T})
    _check(float(output[0, 0]))
    return str(onnxruntime.__version__), ", ".join(onnxruntime.get_available_providers())


def _matmul_model(width: int) -> bytes:
    """Return an ONNX model ``c = a @ b``, written by hand because the package ``onnx`` may be missing."""

    def number(field: int, value: int) -> bytes:
        return bytes((field << 3, value))  # all values here are below 128: one byte of varint

    def block(field: int, content: bytes) -> bytes:
        size = len(content)
        length = bytes((size,)) if size < 128 else bytes((size & 127 | 128, size >> 7))
        return bytes((field << 3 | 2,)) + length + content

    def tensor(name: bytes, *shape: int) -> bytes:
        dimensions = b"".join(block(1, number(1, size)) for size in shape)
        kind = block(1, number(1, 1) + block(2, dimensions))
        return block(1, name) + block(2, kind)

    node = block(1, b"a") + block(1, b"b") + block(2, b"c") + block(4, b"MatMul")
    graph = block(1, node) + block(2, b"probe")
    graph += block(11, tensor(b"a", 1, width)) + block(11, tensor(b"b", width, 1))
    graph += block(12, tensor(b"c", 1, 1))
    return number(1, 7) + block(7, graph) + block(8, number(2, 13))


_PROBES: dict[str, Callable[[], tuple[str, str]]] = {
    "torch": _torch,
    "ipex": _ipex,
    "onnxruntime": _onnxruntime,
}

if __name__ == "__main__":
    # Run as a file, Python puts this folder first, where our own modules are called like the libraries.
    _here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - before any other import
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != _here]  # noqa: PTH100
    # Leave without the libraries' farewell: some crash or hang while they are unloaded.
    status = main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(status)

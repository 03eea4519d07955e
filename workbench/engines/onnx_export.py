"""From an ``nn.Module`` to an ONNX file, with proof material. Used by the PyTorch engine's ``export`` job."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from workbench.core.model import InputSpec
from workbench.core.outputs import flatten_outputs
from workbench.engines.torch_values import first_line, to_numpy
from workbench.errors import UserError

OPSET = 17
"""Old enough for runtimes of the last years, new enough for per-channel scales and LayerNormalization."""


def export(
    model: nn.Module, specs: Sequence[InputSpec], feed: Mapping[str, np.ndarray], folder: Path
) -> tuple[Path, Path, list[str]]:
    """Write ``model.onnx`` and ``golden.npz`` (the example's inputs and the model's outputs) into *folder*.

    Dynamic axes of *specs* stay dynamic. What the model decides by looking at values is fixed to what it decided
    on the example; the notes that are returned too say where.

    Raises:
        UserError: torch cannot export the model.
    """
    path, golden = folder / "model.onnx", folder / "golden.npz"
    args = tuple(torch.from_numpy(np.ascontiguousarray(feed[spec.name])) for spec in specs)
    dynamic = {
        spec.name: {axis: f"{spec.name}_{axis}" if axis else "batch" for axis, n in enumerate(spec.shape) if n is None}
        for spec in specs
    }
    with torch.no_grad():
        leaves = flatten_outputs(to_numpy(model(*args)))
    names = [name.replace(".", "_") for name, _ in leaves]
    try:
        with warnings.catch_warnings(record=True) as said, contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", torch.jit.TracerWarning)  # type: ignore[attr-defined]
            # dynamo=False: the newer exporter renames every module, and layers must keep the user's names.
            torch.onnx.export(
                model, args, str(path), dynamo=False, opset_version=OPSET,
                input_names=[spec.name for spec in specs], output_names=names,
                dynamic_axes={name: axes for name, axes in dynamic.items() if axes},
            )  # fmt: skip
    except Exception as error:
        raise UserError(
            "This model cannot be exported to ONNX, which engine=onnxruntime needs.",
            f"{type(error).__name__}: {first_line(error)}",
            "Use engine=torch or engine=ipex.",
        ) from error
    arrays = {f"in.{name}": np.asarray(value) for name, value in feed.items()}
    arrays |= {f"out.{i}": np.asarray(value) for i, (_, value) in enumerate(leaves)}
    np.savez(golden, **arrays)  # type: ignore[arg-type]
    return path, golden, _fixed_by_export(said)


def _fixed_by_export(said: Sequence[warnings.WarningMessage]) -> list[str]:
    places = [f"{Path(one.filename).name}:{one.lineno}" for one in said if "torch" not in Path(one.filename).parts]
    if not places:
        return []
    return [
        f"The export to ONNX fixed what the model decides on values, at {', '.join(dict.fromkeys(places))}: "
        "other inputs may take a branch that is not in it."
    ]

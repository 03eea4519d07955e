"""From a model reference to an ``nn.Module``, safely. Used by the PyTorch engines, in workers only."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from workbench.core.model import ModelReference
from workbench.errors import UserError, nearest

_NESTED = ("ema", "params_ema", "state_dict", "model", "generator", "params")
_PREFIXES = ("module.", "model.", "_orig_mod.")


def load(model: ModelReference) -> nn.Module:
    """Return the model in evaluation mode.

    Raises:
        UserError: it cannot be loaded, with what to change.
    """
    loaders = {
        "callable": _load_callable,
        "torchscript": _load_script,
        "pickle": _load_pickle,
        "pt2": _load_exported,
    }
    if model.format not in loaders:
        raise UserError(
            f"{model.name} is {'an ONNX model' if model.format == 'onnx' else f'a {model.format} file'}.",
            "The PyTorch engines run Python modules, TorchScript and exported programs.",
            "Use engine=onnxruntime." if model.format == "onnx" else "Give the model's code as FILE.py:callable.",
        )
    module = loaders[model.format](model)
    return module.eval() if model.format != "pt2" else module


def _load_callable(model: ModelReference) -> nn.Module:
    path = Path(model.path)
    name = f"workbench_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UserError(f"Cannot import {path}.", "It is not a Python source file.")
    sys.path.insert(0, str(path.parent))
    source = importlib.util.module_from_spec(spec)
    sys.modules[name] = source
    try:
        spec.loader.exec_module(source)
        module = getattr(source, str(model.attribute))()
    except Exception as error:
        raise UserError(
            f"{path.name}:{model.attribute} raised {type(error).__name__}: {error}",
            _where(error, path),
            "Correct the file; the callable must take no arguments and return an nn.Module.",
        ) from error
    if not isinstance(module, nn.Module):
        raise UserError(
            f"{path.name}:{model.attribute} returned {type(module).__name__}, not an nn.Module.",
            "",
            "Return the network itself.",
        )
    if model.weights:
        _fill(module, Path(model.weights), trusted=model.trusted)
    return module


def _where(error: BaseException, path: Path) -> str:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path]
    return f"At line {frames[-1].lineno} of {path}: {frames[-1].line}" if frames else ""


def _fill(module: nn.Module, weights: Path, *, trusted: bool) -> None:
    """Load a state dict into *module*, strictly; wrapped and prefixed checkpoints are unwrapped."""
    try:
        if weights.suffix == ".safetensors":
            from safetensors.torch import load_file

            state: Any = load_file(weights)
        else:
            state = torch.load(weights, map_location="cpu", weights_only=not trusted)
    except ImportError as error:
        raise UserError(
            f"Cannot read {weights}.",
            "safetensors is not installed.",
            "pip install 'inference-workbench[safetensors]'",
        ) from error
    except Exception as error:
        raise UserError(
            f"Cannot read the weights in {weights}.",
            f"{error}".splitlines()[0],
            "It must be a plain state dict.",
        ) from error
    wanted = set(module.state_dict())
    best, matched = _best_mapping(state, wanted)
    if matched < len(wanted) or len(best) > matched:
        missing = sorted(wanted - set(best))
        extra = sorted(set(best) - wanted)
        detail = f"{matched} of {len(wanted)} parameters match"
        if missing:
            detail += f"; missing: {', '.join(missing[:4])}{' …' if len(missing) > 4 else ''}"
        if extra:
            detail += f"; unexpected: {', '.join(extra[:4])}{' …' if len(extra) > 4 else ''}"
        hint = nearest(missing[0], extra) if missing and extra else ""
        raise UserError(f"{weights.name} does not fit the model.", f"{detail}.", hint or "Use the matching file.")
    try:
        module.load_state_dict(best)
    except RuntimeError as error:
        raise UserError(f"{weights.name} does not fit the model.", str(error).splitlines()[-1].strip()) from error


def _best_mapping(state: Any, wanted: set[str]) -> tuple[dict[str, Any], int]:
    """Return the mapping inside *state* whose keys fit best, a common prefix stripped, and the matches."""
    candidates = [state]
    if isinstance(state, Mapping):
        candidates += [state[key] for key in _NESTED if isinstance(state.get(key), Mapping)]
    best: tuple[dict[str, Any], int] = ({}, -1)
    for candidate in candidates:
        if not isinstance(candidate, Mapping):
            continue
        tensors = {str(k): v for k, v in candidate.items() if isinstance(v, torch.Tensor)}
        for prefix in ("", *_PREFIXES):
            if not all(key.startswith(prefix) for key in tensors):
                continue
            named = {key.removeprefix(prefix): value for key, value in tensors.items()}
            matched = len(wanted & set(named))
            if matched > best[1]:
                best = (named, matched)
    return best[0], max(best[1], 0)


def _load_script(model: ModelReference) -> nn.Module:
    try:
        return torch.jit.load(model.path, map_location="cpu")
    except Exception as error:
        raise UserError(
            f"{model.name} is a TorchScript archive that cannot be loaded.",
            str(error).strip().splitlines()[0],
            "If it was saved after optimize_for_inference, save the plain traced or scripted model again.",
        ) from error


def _load_pickle(model: ModelReference) -> nn.Module:
    if not model.trusted:
        raise UserError(
            f"{model.name} is a pickled model, which may run code.",
            "",
            "Add --trust-pickle if you trust its origin.",
        )
    try:
        module = torch.load(model.path, map_location="cpu", weights_only=False)
    except Exception as error:
        raise UserError(
            f"{model.name} cannot be unpickled.",
            f"{type(error).__name__}: {error}",
            "Its classes must be importable here; better: a callable and --weights with a state dict.",
        ) from error
    if not isinstance(module, nn.Module):
        raise UserError(
            f"{model.name} holds {type(module).__name__}, not a model.",
            "",
            "Give the model's code as FILE.py:callable.",
        )
    return module


def _load_exported(model: ModelReference) -> nn.Module:
    try:
        return torch.export.load(model.path).module()
    except Exception as error:
        raise UserError(
            f"{model.name} cannot be loaded as an exported program.",
            str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__,
            f"It must come from a torch.export.save that torch {torch.__version__} can read.",
        ) from error

"""Tensors shaped like those of real networks, for the tests of scales and observers."""

import numpy as np
import torch

from workbench.core.scales import Scheme, fake_quantize, scale_of


def tensors(size: int = 60_000, seed: int = 5) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=size)
    wide = 2 * rng.normal(size=size)
    values = {
        "relu": np.maximum(normal, 0),
        "relu6": np.clip(4 * normal, 0, 6),
        "hardswish": wide * np.clip(wide + 3, 0, 6) / 6,
        "gaussian": normal,
        "laplace": rng.laplace(size=size),
        "heavy-tailed": rng.standard_t(2, size=size),
        "bimodal": np.concatenate([rng.normal(-3, 0.3, size // 2), rng.normal(4, 0.5, size - size // 2)]),
        "nearly constant": 5 + 1e-4 * normal,
        "negative": -np.abs(rng.laplace(size=size)),
        "sigmoid": 1 / (1 + np.exp(-4 * normal)),
    }
    return {name: array.astype(np.float32) for name, array in values.items()}


def true_error(values: np.ndarray, low: float, high: float, scheme: Scheme) -> float:
    """Mean squared error of really quantizing *values* to low..high and back."""
    back = fake_quantize(values, *scale_of(low, high, scheme), scheme)
    return float(np.mean((back.astype(np.float64) - values) ** 2))


def observer_arguments(scheme: Scheme, per: str = "tensor") -> dict:
    """How torch.ao's observers spell *scheme*."""
    kind = "symmetric" if scheme.symmetric else "affine"
    return {
        "dtype": torch.qint8 if scheme.signed else torch.quint8,
        "qscheme": getattr(torch, f"per_{per}_{kind}"),
        "reduce_range": scheme.bits == 7,
    }

"""Fills an untrained network with seeded weights and settled batch-norm statistics.

Used by ``resnet.py`` and ``mobilenetv2.py`` and, to make the statistics, by ``make_settled.py``. The
weights are drawn anew at every start (100 MB need not lie in a repository); only the statistics, which
depend on real photographs, are committed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import nn

_FOLDER = Path(__file__).resolve().parent


def fill(create: Callable[[], nn.Module], seed: int) -> nn.Module:
    """Create a network and give it Kaiming-uniform weights that are the same bits on every machine.

    Args:
        create: returns the network; it is called on the meta device, so that no time goes into
            PyTorch's own initialisation and the global random state stays untouched.
        seed: seed of the ``torch.Generator`` that all weights come from.

    Returns:
        The network in evaluation mode, batch norms at mean 0 and variance 1.
    """
    with torch.device("meta"):
        model = create()
    model = model.to_empty(device="cpu")
    # Uniform, because it needs no logarithm or cosine, whose last bit differs between instruction sets.
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                fan_in = module.weight[0].numel()
                bound = math.sqrt(6.0 / fan_in)
                noise = torch.rand(module.weight.shape, generator=generator)
                module.weight.copy_(noise.sub_(0.5).mul_(2.0 * bound))
                if module.bias is not None:
                    module.bias.zero_()
            elif isinstance(module, nn.BatchNorm2d):
                module.reset_parameters()
    return model.eval()


def statistics_file(name: str) -> Path:
    """Return where the settled statistics of the sample *name* are stored."""
    return _FOLDER / f"{name}-batchnorm.npz"


def settle(model: nn.Module, name: str) -> nn.Module:
    """Copy the committed batch-norm statistics into *model* and return it.

    The file holds two float16 arrays, ``mean`` and ``var``: all channels of all batch norms, in the
    order of ``model.modules()``.
    """
    with np.load(statistics_file(name)) as stored:
        mean = torch.from_numpy(stored["mean"].astype(np.float32))
        var = torch.from_numpy(stored["var"].astype(np.float32))
    norms = [module for module in model.modules() if isinstance(module, nn.BatchNorm2d)]
    sizes = [norm.num_features for norm in norms]
    for norm, one_mean, one_var in zip(norms, mean.split(sizes), var.split(sizes), strict=True):
        norm.running_mean.copy_(one_mean)
        norm.running_var.copy_(one_var)
    return model

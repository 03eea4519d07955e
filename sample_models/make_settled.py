"""Settles the batch norms of the untrained samples on real photographs and writes their statistics.

Run by hand (``python make_settled.py``, half a minute) when a network, its seed or the calibration split
changes; needs scikit-image's pictures and the workbench itself, whose preprocessing is the one that counts.
"""

from __future__ import annotations

import sys
from pathlib import Path

import mobilenetv2
import numpy as np
import resnet
import torch
from _settled import statistics_file
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from workbench.core.samples import load_sample

# Below this variance float16 has few digits left, and dividing by it would blow up rounding errors.
SMALLEST_VARIANCE = 1e-3


def main() -> None:
    """Settle all three and write ``NAME-batchnorm.npz``."""
    torch.set_num_threads(2)
    for name, raw in (
        ("resnet18", resnet.raw_resnet18),
        ("resnet50", resnet.raw_resnet50),
        ("mobilenetv2", mobilenetv2.raw),
    ):
        sample = load_sample(name)
        folder = Path(sample.data.path)
        photos = [
            torch.from_numpy(sample.preprocess.from_bytes((folder / file).read_bytes()))
            for file in sample.data.calibration
        ]
        model = raw()
        norms = [module for module in model.modules() if isinstance(module, nn.BatchNorm2d)]
        for norm in norms:
            norm.momentum = 1.0
        for module in norms:
            module.train()
        with torch.no_grad():
            model(torch.cat(photos))
        mean = np.concatenate([norm.running_mean.numpy() for norm in norms])
        var = np.concatenate([norm.running_var.numpy() for norm in norms])
        print(
            f"{name}: {mean.size} channels, |mean| ≤ {np.abs(mean).max():.3g}, "
            f"variance {var.min():.3g} to {var.max():.3g}"
        )
        var = var.clip(min=SMALLEST_VARIANCE)
        np.savez_compressed(statistics_file(name), mean=mean.astype(np.float16), var=var.astype(np.float16))


if __name__ == "__main__":
    main()

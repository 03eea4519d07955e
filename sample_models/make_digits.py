"""Trains ``digits-mlp`` and ``digits-cnn`` and writes their weights and ``digits.npz``.

Run by hand (``python make_digits.py``, about a minute) when the networks change; needs scikit-learn. The
last 500 digits of the set are held out: no training step sees them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import digits_cnn
import digits_mlp
import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn

HELD_OUT = 500
FOLDER = Path(__file__).resolve().parent


def train(model: nn.Module, first: str, images: torch.Tensor, labels: torch.Tensor, epochs: int) -> None:
    """Train *model* on grey values 0..1, then fold the scale into layer *first* so that it takes 0..16."""
    fit(model, images, labels, epochs)
    with torch.no_grad():
        model.get_submodule(first).weight.div_(16.0)


def fit(
    model: nn.Module,
    images: torch.Tensor,
    labels: torch.Tensor,
    epochs: int,
    shown: Callable[[torch.Tensor], torch.Tensor] = lambda images: images,
    after: Callable[[], object] = lambda: None,
) -> None:
    """Train *model* on disturbed pictures.

    Args:
        shown: what the model is shown of them.
        after: is called after each step.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=5e-2)
    batch, rows = 64, len(images)
    steps = epochs * (rows // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=4e-3, total_steps=steps)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.05)
    model.train()
    for step in range(steps):
        if step % (rows // batch) == 0:
            order = torch.randperm(rows)
        chosen = order[step % (rows // batch) * batch :][:batch]
        optimizer.zero_grad()
        loss_of(model(shown(disturb(images[chosen]))), labels[chosen]).backward()
        optimizer.step()
        schedule.step()
        after()
    model.eval()


def disturb(images: torch.Tensor) -> torch.Tensor:
    """Shift, turn and scale each picture a little, and add noise: writers differ."""
    count = len(images)
    angle = (torch.rand(count) - 0.5) * 0.5
    size = 1.0 + (torch.rand(count) - 0.5) * 0.3
    shift = (torch.rand(count, 2) - 0.5) * 0.4
    cos, sin = torch.cos(angle) * size, torch.sin(angle) * size
    matrix = torch.stack([torch.stack([cos, -sin, shift[:, 0]], 1), torch.stack([sin, cos, shift[:, 1]], 1)], 1)
    grid = nn.functional.affine_grid(matrix, list(images.shape), align_corners=False)
    moved = nn.functional.grid_sample(images, grid, align_corners=False)
    return moved + 0.05 * torch.randn_like(moved)


def main() -> None:
    """Train both networks, print what they reach and write the files."""
    torch.set_num_threads(2)
    digits = load_digits()
    images = digits.images.astype(np.uint8)[:, None]
    labels = digits.target.astype(np.uint8)
    np.savez_compressed(FOLDER / "digits.npz", image=images, labels=labels)
    scaled = torch.from_numpy(images.astype(np.float32)) / 16.0
    target = torch.from_numpy(labels.astype(np.int64))
    for module, name, first, epochs in (
        (digits_mlp, "digits-mlp", "fc1", 120),
        (digits_cnn, "digits-cnn", "conv1", 40),
    ):
        torch.manual_seed(8)
        model = module.build()
        train(model, first, scaled[:-HELD_OUT], target[:-HELD_OUT], epochs)
        with torch.no_grad():
            guess = model(torch.from_numpy(images[-HELD_OUT:].astype(np.float32))).argmax(1)
        right = (guess == target[-HELD_OUT:]).float().mean().item()
        parameters = sum(p.numel() for p in model.parameters())
        torch.save(model.state_dict(), FOLDER / f"{name}.pt")
        print(f"{name}: {parameters} parameters, held-out accuracy {right:.4f}")


if __name__ == "__main__":
    main()

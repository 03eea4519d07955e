"""A small fully connected network for handwritten digits; trained by ``make_digits.py``.

Used by the sample ``digits-mlp``.
"""

from __future__ import annotations

import torch
from torch import nn


class DigitsMLP(nn.Module):
    """64 pixels, two hidden layers of 256, ten classes."""

    def __init__(self) -> None:
        super().__init__()
        self.flatten = nn.Flatten()
        self.fc1 = nn.Linear(64, 256)
        self.relu1 = nn.ReLU()
        self.fc2 = nn.Linear(256, 256)
        self.relu2 = nn.ReLU()
        self.fc3 = nn.Linear(256, 10)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Map grey values 0..16, N×1×8×8, to logits, N×10."""
        x = self.relu1(self.fc1(self.flatten(image)))
        return self.fc3(self.relu2(self.fc2(x)))


def build() -> nn.Module:
    """Return the network in evaluation mode; its weights are in ``digits-mlp.pt``."""
    return DigitsMLP().eval()

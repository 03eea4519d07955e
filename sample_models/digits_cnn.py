"""A small convolutional network for handwritten digits; trained by ``make_digits.py``.

Used by the sample ``digits-cnn``. All inner channel counts are multiples of 16, so that INT8 kernels fit.
"""

from __future__ import annotations

import torch
from torch import nn


class DigitsCNN(nn.Module):
    """Four convolutions with batch norm and ReLU, two max pools, ten classes."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(32)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(64)
        self.conv3 = nn.Conv2d(64, 96, 3, padding=1, bias=False)
        self.bn3 = nn.BatchNorm2d(96)
        self.conv4 = nn.Conv2d(96, 96, 3, padding=1, bias=False)
        self.bn4 = nn.BatchNorm2d(96)
        self.relu = nn.ReLU()
        self.pool1 = nn.MaxPool2d(2)
        self.pool2 = nn.MaxPool2d(2)
        self.fc = nn.Linear(96 * 2 * 2, 10)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Map grey values 0..16, N×1×8×8, to logits, N×10."""
        x = self.relu(self.bn1(self.conv1(image)))
        x = self.pool1(self.relu(self.bn2(self.conv2(x))))
        x = self.relu(self.bn3(self.conv3(x)))
        x = self.pool2(self.relu(self.bn4(self.conv4(x))))
        return self.fc(torch.flatten(x, 1))


def build() -> nn.Module:
    """Return the network in evaluation mode; its weights are in ``digits-cnn.pt``."""
    return DigitsCNN().eval()

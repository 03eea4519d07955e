"""Reads digits by day and by night, and breaks in INT8 for two reasons; trained by ``make_broken_scales.py``.

Used by the sample ``broken-scales``. FP32 is right; the ranges that calibration finds are not:

* ``night`` looks at the infrared channel only. The calibration pictures were all taken by day, so what leaves
  ``relu_night`` is zero throughout, its range is 0..0, and every night picture is lost.
* ``spread`` has one channel that fires at rare strokes, and ``energy`` squares it: values some hundred times larger
  than the rest stretch the range of what enters ``reduce`` until the rest falls into one or two levels.
"""

from __future__ import annotations

import torch
from torch import nn


class Energy(nn.Module):
    """The square."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map any shape to the same shape."""
        return x.pow(2)


class DayAndNight(nn.Module):
    """One stem per light, three layers for both, ten classes."""

    def __init__(self) -> None:
        super().__init__()
        self.day = nn.Conv2d(2, 16, 3, padding=1, bias=False)
        self.relu_day = nn.ReLU()
        self.night = nn.Conv2d(2, 16, 3, padding=1, bias=False)
        self.relu_night = nn.ReLU()
        self.spread = nn.Conv2d(16, 64, 3, padding=1)
        self.relu_spread = nn.ReLU()
        self.energy = Energy()
        self.reduce = nn.Conv2d(64, 32, 3, stride=2, padding=1)
        self.relu_reduce = nn.ReLU()
        self.fc = nn.Linear(32 * 4 * 4, 10)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Map grey values 0..16, visible and infrared, N×2×8×8, to logits, N×10."""
        x = self.relu_day(self.day(image)) + self.relu_night(self.night(image))
        x = self.energy(self.relu_spread(self.spread(x)))
        x = self.relu_reduce(self.reduce(x))
        return self.fc(torch.flatten(x, 1))


def build() -> nn.Module:
    """Return the network in evaluation mode; its weights are in ``broken-scales.pt``."""
    return DayAndNight().eval()

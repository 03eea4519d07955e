"""A two-layer LSTM that names a machine's fault from its vibration; trained by ``make_lstm.py``.

Used by the sample ``lstm``: many small dependent products, where threads help little.
"""

from __future__ import annotations

import torch
from torch import nn


class VibrationLSTM(nn.Module):
    """LSTM 64→256, two layers, and a linear layer on the mean over all steps: a fault shows anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(64, 256, num_layers=2, batch_first=True)
        self.fc = nn.Linear(256, 4)

    def forward(self, frames: torch.Tensor) -> torch.Tensor:
        """Map 50 frames of 64 samples in converter counts, N×50×64, to logits, N×4."""
        steps, _ = self.lstm(frames)
        return self.fc(steps.mean(dim=1))


def build() -> nn.Module:
    """Return the network in evaluation mode; its weights (float16) are in ``lstm.pt``."""
    return VibrationLSTM().eval()

"""A small detector whose one output holds both pixel coordinates and scores; its weights are seeded, not trained.

Used by the sample ``boxes``: the output is shaped like that of a YOLO, and breaks in INT8 like that of a YOLO.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from torch import nn

# Loaded from a file rather than as part of a package, so that neighbours are found only this way.
sys.path.insert(0, str(Path(__file__).resolve().parent))
try:
    import _settled
finally:
    sys.path.pop(0)

SIZE = 640.0
CLASSES = 80


class Detector(nn.Module):
    """Four convolutions with stride 2, then a box and 80 scores for each of the 14×14 cells."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, 2, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, 2, padding=1)
        self.conv3 = nn.Conv2d(32, 48, 3, 2, padding=1)
        self.conv4 = nn.Conv2d(48, 64, 3, 2, padding=1)
        self.relu = nn.ReLU()
        self.box = nn.Conv2d(64, 4, 1)
        self.score = nn.Conv2d(64, CLASSES, 1)
        self.sigmoid = nn.Sigmoid()
        self.corners = nn.Linear(4 + CLASSES, 4 + CLASSES, bias=False)

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        """Map normalised pictures, N×3×224×224, to N×196×84: left, top, right, bottom in pixels, and 80 scores."""
        x = self.relu(self.conv1(picture))
        x = self.relu(self.conv2(x))
        x = self.relu(self.conv3(x))
        x = self.relu(self.conv4(x))
        boxes = self.sigmoid(self.box(x)) * SIZE
        scores = self.sigmoid(self.score(x))
        found = torch.cat([boxes, scores], 1)
        return self.corners(torch.flatten(found, 2).transpose(1, 2))


def build() -> nn.Module:
    """Return the detector in evaluation mode."""
    model = _settled.fill(Detector, seed=640)
    # From centre and size to corners; the scores pass through.
    matrix = torch.eye(4 + CLASSES)
    matrix[:4, :4] = torch.tensor([[1, 0, -0.5, 0], [0, 1, 0, -0.5], [1, 0, 0.5, 0], [0, 1, 0, 0.5]])
    model.corners.weight.data.copy_(matrix)
    return model

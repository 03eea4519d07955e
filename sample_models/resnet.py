"""ResNet-18 and ResNet-50 (He et al. 2015) with torchvision's module names; untrained, for speed only.

Used by the samples ``resnet18`` and ``resnet50``. Without a dependency on torchvision, and with one ReLU
module called at several sites of a block, as in the original.
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


class BasicBlock(nn.Module):
    """Two 3×3 convolutions and a shortcut (ResNet-18, -34)."""

    expansion = 1

    def __init__(self, inplanes: int, planes: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inplanes, planes, 3, stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2d(planes, planes, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = _shortcut(inplanes, planes * self.expansion, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map N×inplanes×H×W to N×planes×H/stride×W/stride."""
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + identity)


class Bottleneck(nn.Module):
    """1×1, 3×3 and 1×1 convolutions and a shortcut (ResNet-50 and deeper)."""

    expansion = 4

    def __init__(self, inplanes: int, planes: int, stride: int) -> None:
        super().__init__()
        outplanes = planes * self.expansion
        self.conv1 = nn.Conv2d(inplanes, planes, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.conv3 = nn.Conv2d(planes, outplanes, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(outplanes)
        self.relu = nn.ReLU()
        self.downsample = _shortcut(inplanes, outplanes, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map N×inplanes×H×W to N×4·planes×H/stride×W/stride."""
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        return self.relu(out + identity)


class ResNet(nn.Module):
    """The network around the blocks.

    Args:
        block: the kind of block.
        depths: number of blocks in each of the four stages.
    """

    def __init__(self, block: type[BasicBlock] | type[Bottleneck], depths: tuple[int, int, int, int]) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(3, 2, padding=1)
        inplanes = 64
        for index, depth in enumerate(depths):
            planes = 64 * 2**index
            blocks = []
            for position in range(depth):
                blocks.append(block(inplanes, planes, 2 if index and not position else 1))
                inplanes = planes * block.expansion
            setattr(self, f"layer{index + 1}", nn.Sequential(*blocks))
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(inplanes, 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map normalised pictures, N×3×224×224, to logits, N×1000."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


def _shortcut(inplanes: int, outplanes: int, stride: int) -> nn.Module | None:
    if stride == 1 and inplanes == outplanes:
        return None
    return nn.Sequential(nn.Conv2d(inplanes, outplanes, 1, stride, bias=False), nn.BatchNorm2d(outplanes))


def raw_resnet18() -> nn.Module:
    """Return ResNet-18 with seeded weights and batch norms not yet settled."""
    return _settled.fill(lambda: ResNet(BasicBlock, (2, 2, 2, 2)), seed=18)


def raw_resnet50() -> nn.Module:
    """Return ResNet-50 with seeded weights and batch norms not yet settled."""
    return _settled.fill(lambda: ResNet(Bottleneck, (3, 4, 6, 3)), seed=50)


def resnet18() -> nn.Module:
    """Return the sample ``resnet18``."""
    return _settled.settle(raw_resnet18(), "resnet18")


def resnet50() -> nn.Module:
    """Return the sample ``resnet50``."""
    return _settled.settle(raw_resnet50(), "resnet50")

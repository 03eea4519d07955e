"""MobileNetV2 (Sandler et al. 2018) with torchvision's module names; untrained, for speed only.

Used by the sample ``mobilenetv2``: inverted residuals, depthwise convolutions and ReLU6.
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

# expansion, channels, repeats, stride of the first: table 2 of the paper
_STAGES = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


def _conv_bn_relu6(inp: int, out: int, kernel: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inp, out, kernel, stride, padding=kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU6(),
    )


class InvertedResidual(nn.Module):
    """Expand by 1×1, filter by depthwise 3×3, project by 1×1 without an activation."""

    def __init__(self, inp: int, out: int, stride: int, expansion: int) -> None:
        super().__init__()
        hidden = inp * expansion
        self.use_res_connect = stride == 1 and inp == out
        expand = [_conv_bn_relu6(inp, hidden, 1)] if expansion != 1 else []
        self.conv = nn.Sequential(
            *expand,
            _conv_bn_relu6(hidden, hidden, 3, stride, groups=hidden),
            nn.Conv2d(hidden, out, 1, bias=False),
            nn.BatchNorm2d(out),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map N×inp×H×W to N×out×H/stride×W/stride."""
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(nn.Module):
    """The network at width 1.0 for 1,000 classes."""

    def __init__(self) -> None:
        super().__init__()
        features: list[nn.Module] = [_conv_bn_relu6(3, 32, 3, 2)]
        channels = 32
        for expansion, out, repeats, stride in _STAGES:
            for position in range(repeats):
                features.append(InvertedResidual(channels, out, 1 if position else stride, expansion))
                channels = out
        features.append(_conv_bn_relu6(channels, 1280, 1))
        self.features = nn.Sequential(*features)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(1280, 1000))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map normalised pictures, N×3×224×224, to logits, N×1000."""
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


def raw() -> nn.Module:
    """Return MobileNetV2 with seeded weights and batch norms not yet settled."""
    return _settled.fill(MobileNetV2, seed=2)


def build() -> nn.Module:
    """Return the sample ``mobilenetv2``."""
    return _settled.settle(raw(), "mobilenetv2")

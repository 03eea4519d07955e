"""Small PyTorch models, each with one property that an engine must cope with; ``FILE.py:callable`` in tests."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import nn


class Twice(nn.Module):
    """One convolution called at two sites, one ReLU at three."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.conv = nn.Conv2d(8, 8, 3, padding=1)
        self.relu = nn.ReLU()
        self.fc = nn.Linear(8 * 8 * 8, 5)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = self.relu(self.first(image))
        x = self.relu(self.conv(x))
        x = self.relu(self.conv(x))
        return self.fc(torch.flatten(x, 1))


class Blind(nn.Module):
    """A side branch that calibration never feeds: it sees the rows behind the last."""

    def __init__(self) -> None:
        super().__init__()
        self.main = nn.Linear(4, 4)
        self.side = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([self.main(x), torch.relu(self.side(x[1:]))])


class Branching(nn.Module):
    """Decides on the values of a tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.fc(x)
        if x.sum() > 1000:  # the line that FX stops at
            x = x * 2
        return x


class TwoInputs(nn.Module):
    """Takes two inputs and returns a dict with a tuple in it."""

    def __init__(self) -> None:
        super().__init__()
        self.left = nn.Linear(4, 3)
        self.right = nn.Linear(6, 3)

    def forward(self, left: torch.Tensor, right: torch.Tensor) -> dict[str, object]:
        a, b = self.left(left), self.right(right)
        return {"sum": a + b, "parts": (a, b)}


class Mixed(nn.Module):
    """A recurrent layer, a product of activations and a functional linear: what static INT8 leaves alone."""

    def __init__(self) -> None:
        super().__init__()
        self.gru = nn.GRU(4, 8, batch_first=True)
        self.fc = nn.Linear(8, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x, _ = self.gru(x)
        x = torch.matmul(x.transpose(1, 2), x)
        return self.fc(nn.functional.linear(x, torch.eye(8)))


class Fused(nn.Module):
    """Convolution, batch norm and ReLU, which become one node."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.body(image) + 1


class Pooled(nn.Module):
    """An average pool between convolution and head, whose output range is far from its input's."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, padding=1)
        self.relu = nn.ReLU()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten()
        self.fc = nn.Linear(16, 5)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.fc(self.flatten(self.pool(self.relu(self.conv(image)))))


class Averaged(nn.Module):
    """A pool that is a built-in function, between two convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = nn.Conv2d(3, 16, 3), nn.Conv2d(16, 8, 3)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.two(nn.functional.avg_pool2d(torch.relu(self.one(image)), 2))


class Deep(nn.Module):
    """Twelve convolutions in a row: looking into them takes a while."""

    def __init__(self) -> None:
        super().__init__()
        sizes = [3, *[8] * 12]
        self.body = nn.Sequential(*(nn.Conv2d(inp, out, 3, padding=1) for inp, out in pairwise(sizes)))

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.body(image)


def _seeded(kind: type[nn.Module]) -> nn.Module:
    torch.manual_seed(1)
    return kind().eval()


def twice() -> nn.Module:
    return _seeded(Twice)


def blind() -> nn.Module:
    return _seeded(Blind)


def branching() -> nn.Module:
    return _seeded(Branching)


def two_inputs() -> nn.Module:
    return _seeded(TwoInputs)


def mixed() -> nn.Module:
    return _seeded(Mixed)


def fused() -> nn.Module:
    return _seeded(Fused)


def pooled() -> nn.Module:
    return _seeded(Pooled)


def averaged() -> nn.Module:
    return _seeded(Averaged)


def deep() -> nn.Module:
    return _seeded(Deep)


def plain() -> nn.Module:
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)).eval()


def broken() -> nn.Module:
    raise ImportError("no such package")


def no_module() -> object:
    return {"weights": torch.zeros(1)}


class OddChannels(nn.Module):
    """13, 30 and 50 channels: two residual ways, a depthwise convolution, pooling, two activations."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 13, 3, padding=1)
        self.norm = nn.BatchNorm2d(13)
        self.same = nn.Conv2d(13, 13, 3, padding=1, bias=False)
        self.wide = nn.Conv2d(13, 30, 1)
        self.depthwise = nn.Conv2d(30, 30, 3, padding=1, groups=30)
        self.relu6 = nn.ReLU6()
        self.pool = nn.MaxPool2d(2)
        self.last = nn.Conv2d(30, 50, 3)
        self.fc = nn.Linear(50 * 2 * 2, 5)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.norm(self.stem(image)))
        x = torch.relu(x + self.same(x))
        x = self.relu6(self.depthwise(self.wide(x)))
        x = nn.functional.avg_pool2d(torch.relu(self.last(self.pool(x))), 1)
        return self.fc(torch.flatten(x, 1))


class OddChannelsOfPictures(nn.Sequential):
    """13, 30 and 50 channels at the sizes of pictures, for timing."""

    def __init__(self) -> None:
        super().__init__(
            nn.Conv2d(3, 13, 3, stride=2, padding=1), nn.BatchNorm2d(13), nn.ReLU(),
            nn.Conv2d(13, 30, 3, padding=1), nn.BatchNorm2d(30), nn.ReLU(),
            nn.Conv2d(30, 30, 3, padding=1), nn.BatchNorm2d(30), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(30, 50, 3, padding=1), nn.BatchNorm2d(50), nn.ReLU(),
            nn.Conv2d(50, 50, 3, padding=1), nn.BatchNorm2d(50), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
            nn.Flatten(), nn.Linear(50, 10),
        )  # fmt: skip

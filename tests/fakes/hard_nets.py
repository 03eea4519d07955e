"""PyTorch models whose tensors are hard to name, each tensor with a range of its own; ``FILE.py:callable``."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional


def _conv(inputs: int, outputs: int, gain: float) -> nn.Conv2d:
    """A convolution whose output has a range that no other tensor of the net has."""
    conv = nn.Conv2d(inputs, outputs, 3, padding=1)
    with torch.no_grad():
        conv.weight.mul_(gain)
    return conv


class Reused(nn.Module):
    """One convolution and one ReLU at several call sites, with functions of the same kinds between."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = _conv(3, 4, 1.0)
        self.conv = _conv(4, 4, 2.0)
        self.relu = nn.ReLU()
        self.fc = nn.Linear(4, 3)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = functional.relu(self.stem(image))
        y = self.relu(self.conv(x))
        z = torch.relu_(self.conv(y))
        z = self.relu(self.conv(z + 0.5))
        z += x
        z = functional.relu(z)
        return self.fc(z.mean((2, 3)))


class Block(nn.Module):
    """Residual block; its functions run before and after those of its parent."""

    def __init__(self, gain: float) -> None:
        super().__init__()
        self.body = nn.Sequential(_conv(4, 4, gain), nn.BatchNorm2d(4), nn.ReLU(inplace=True), _conv(4, 4, gain))
        self.norm = nn.BatchNorm2d(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm(self.body(x))
        y += x
        return functional.relu(y, inplace=True)


class Residual(nn.Module):
    """As ResNet's blocks are written: one ReLU, first fused behind a batch norm, then alone behind the addition."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = _conv(3, 4, 1.0)
        self.conv1, self.bn1 = _conv(4, 4, 1.5), nn.BatchNorm2d(4)
        self.conv2, self.bn2 = _conv(4, 4, 2.5), nn.BatchNorm2d(4)
        self.relu = nn.ReLU()
        self.fc = nn.Linear(4, 3)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        first = self.stem(image)
        x = self.relu(self.bn1(self.conv1(first)))
        x = self.relu(self.bn2(self.conv2(x)) + first)
        return self.fc(x.mean((2, 3)))


class Nested(nn.Module):
    """Containers in containers, and additions of the root between those of its blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 4, 1.0), nn.BatchNorm2d(4), nn.ReLU())
        self.stages = nn.ModuleList([nn.Sequential(Block(1.5), Block(2.5)), nn.Sequential(Block(3.5))])
        self.fc = nn.Linear(4, 3)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        first = self.stem(image)
        x = self.stages[0](first)
        x = torch.relu(x + first)
        x = self.stages[1](x)
        x = torch.add(x, first)
        return self.fc(torch.flatten(functional.adaptive_avg_pool2d(x, 1), 1))


class Joined(nn.Module):
    """A concatenation of unlike ranges, and one max-pool called twice."""

    def __init__(self) -> None:
        super().__init__()
        self.left = _conv(3, 4, 1.0)
        self.right = _conv(3, 4, 6.0)
        self.pool = nn.MaxPool2d(2)
        self.last = _conv(8, 4, 2.0)
        self.fc = nn.Linear(16, 3)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        left, right = self.left(image), functional.relu6(self.right(image))
        x = self.pool(torch.cat([left, right], 1))
        x = self.pool(functional.relu(self.last(x)))
        return self.fc(torch.flatten(x, 1))


class Swapped(nn.Module):
    """Uses its inputs in another order than it takes them."""

    def __init__(self) -> None:
        super().__init__()
        self.small = nn.Linear(4, 3)
        self.large = nn.Linear(6, 3)

    def forward(self, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        b = functional.relu(self.large(second * 3))
        a = torch.relu(self.small(first))
        return b + a


class Idle(nn.Module):
    """Layers that do nothing when running, and batch norms that can and cannot be folded."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = _conv(3, 4, 1.0)
        self.skip = nn.Identity()
        self.drop = nn.Dropout(0.5)
        self.second = _conv(4, 4, 2.0)
        self.late = nn.BatchNorm2d(4)
        self.flat = nn.Flatten()
        self.fc = nn.Linear(4 * 8 * 8, 6)
        self.norm = nn.BatchNorm1d(6)
        self.last = nn.Linear(6, 3)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = self.drop(functional.relu(self.skip(self.conv(image))))
        x = self.late(functional.relu(self.second(x)))
        return self.last(functional.relu(self.norm(self.fc(self.flat(x)))))


class Gated(nn.Module):
    """Products of activations: squeeze and excitation, hard-swish, SiLU."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = _conv(3, 4, 1.5)
        self.squeeze = nn.Conv2d(4, 2, 1)
        self.excite = nn.Conv2d(2, 4, 1)
        self.act = nn.Hardswish()
        self.silu = nn.SiLU()
        self.last = _conv(4, 4, 3.0)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(4, 3)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = self.act(self.stem(image))
        gate = torch.sigmoid(self.excite(functional.relu(self.squeeze(self.pool(x)))))
        x = self.silu(self.last(x * gate))
        return self.fc(self.pool(x).flatten(1))


class Split(nn.Module):
    """Chunks of one tensor that go separate ways, and a product with a parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = _conv(3, 8, 1.0)
        self.one = _conv(4, 4, 2.0)
        self.two = _conv(4, 4, 5.0)
        self.gain = nn.Parameter(torch.tensor([[[[1.5]]]]))
        self.fc = nn.Linear(16, 3)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        one, two = self.stem(image).chunk(2, 1)
        x = functional.relu(self.one(one)) + self.two(two) * self.gain
        return self.fc(functional.max_pool2d(x, 4).flatten(1))


class Transposed(nn.Module):
    """Up-sampling, and two outputs."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Sequential(_conv(3, 4, 1.0), nn.BatchNorm2d(4), nn.ReLU6())
        self.up = nn.Sequential(nn.ConvTranspose2d(4, 4, 2, 2), nn.BatchNorm2d(4), nn.ReLU())
        self.head = _conv(4, 2, 4.0)

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = self.down(image)
        y = self.up(x)
        return self.head(y), functional.avg_pool2d(x, 2)


class Branching(nn.Module):
    """Decides on values, so that graphs made by symbolic tracing fail and modules stay nested."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 4, 1.0), nn.BatchNorm2d(4), nn.ReLU())
        self.blocks = nn.Sequential(Block(1.5), Block(2.5))
        self.last = Block(3.5)
        self.fc = nn.Linear(4, 3)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        first = self.stem(image)
        x = self.blocks(first)
        x = functional.relu(x + first)
        if x.sum() < -1:
            x = x * 2
        x = self.last(x) + first
        return self.fc(functional.relu(x).mean((2, 3)))


NETS: dict[str, type[nn.Module]] = {
    kind.__name__.lower(): kind
    for kind in (Reused, Residual, Nested, Joined, Swapped, Idle, Gated, Split, Transposed, Branching)
}


def __getattr__(name: str) -> object:
    if name in NETS:
        return lambda: _made(NETS[name])
    raise AttributeError(name)


def _made(kind: type[nn.Module]) -> nn.Module:
    torch.manual_seed(3)
    model = kind()
    for module in model.modules():
        if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d)):
            nn.init.uniform_(module.weight, 0.5, 2.0)
            nn.init.uniform_(module.bias, -1.0, 1.0)
            nn.init.uniform_(module.running_var, 0.5, 2.0)
    return model.eval()

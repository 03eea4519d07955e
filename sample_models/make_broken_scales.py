"""Trains ``broken-scales``, breaks its ranges and writes its weights and ``broken-scales.npz``.

Run by hand (``python make_broken_scales.py``, a minute) when the network changes; needs ``digits.npz``. A picture
has two channels: by day the digit is in the visible one and the infrared one is dark, by night the other way round.
"""

from __future__ import annotations

from pathlib import Path

import broken_scales
import numpy as np
import torch
from make_digits import HELD_OUT, fit
from torch import nn

FOLDER = Path(__file__).resolve().parent
CALIBRATION = 128
FOLDED_STEM = 0.4
"""Largest value behind the stems: ONNX Runtime gives a range of 0..0 the scale 1, which must lose it too."""
SPIKE = 24.0
"""How many times larger than the rest the rare channel gets on the calibration pictures, before it is squared."""
RARE = 1e-4
"""Share of the values behind ``energy`` that are spikes: below the 0.05 % that a percentile of 99.9 cuts off."""


def train(model: nn.Module, images: torch.Tensor, labels: torch.Tensor, epochs: int) -> None:
    """Train on grey values 0..1, by day only; the rare channel does not take part."""

    @torch.no_grad()
    def leave_out() -> None:
        # One stem learns; the other becomes its copy, so that both lights look alike to what follows.
        model.day.weight[:, 1] = 0.0
        model.night.weight.zero_()
        model.spread.weight[0] = 0.0
        model.spread.bias[0] = 0.0

    fit(model, images, labels, epochs, by_day, leave_out)


def by_day(images: torch.Tensor) -> torch.Tensor:
    """Return N×1×8×8 as N×2×8×8 with a dark infrared channel."""
    return torch.cat([images, torch.zeros_like(images)], 1)


def by_night(images: torch.Tensor) -> torch.Tensor:
    """Return N×1×8×8 as N×2×8×8 with a dark visible channel."""
    return torch.cat([torch.zeros_like(images), images], 1)


@torch.no_grad()
def fold(model: nn.Module, images: torch.Tensor) -> None:
    """Let the network take 0..16, bring the stems to :data:`FOLDED_STEM`, and copy day to night."""
    model.day.weight.div_(16.0)
    shrink = FOLDED_STEM / model.relu_day(model.day(by_day(images))).max()
    model.day.weight.mul_(shrink)
    model.spread.weight.div_(shrink)
    model.night.weight.copy_(model.day.weight.flip(1))


@torch.no_grad()
def add_spikes(model: nn.Module, images: torch.Tensor) -> None:
    """Make channel 0 of ``spread`` fire at rare strokes only, far above the rest; ``reduce`` hardly minds it."""
    stem = model.relu_day(model.day(by_day(images)))
    rest = model.relu_spread(model.spread(stem))
    # A random pattern of the stem's features; the threshold decides how rare it is.
    pattern = torch.randn(model.spread.weight[0].shape)
    model.spread.weight[0], model.spread.bias[0] = pattern, 0.0
    response = model.spread(stem)[:, 0].flatten()
    threshold = response.sort(descending=True).values[int(RARE * rest.numel())]
    gain = SPIKE * rest.max() / (response.max() - threshold)
    model.spread.weight[0], model.spread.bias[0] = pattern * gain, -threshold * gain
    model.reduce.weight[:, 0] = model.reduce.weight[:, 1] / SPIKE**2 / 20.0


def main() -> None:
    """Train, break, print what it reaches and write the files."""
    torch.set_num_threads(2)
    torch.manual_seed(8)
    with np.load(FOLDER / "digits.npz") as stored:
        images, labels = torch.from_numpy(stored["image"]).float(), torch.from_numpy(stored["labels"]).long()
    model = broken_scales.build()
    train(model, images[:-HELD_OUT] / 16.0, labels[:-HELD_OUT], epochs=60)
    fold(model, images[:-HELD_OUT])
    add_spikes(model, images[:CALIBRATION])
    torch.save(model.state_dict(), FOLDER / "broken-scales.pt")

    held, truth = images[-HELD_OUT:], labels[-HELD_OUT:]
    night = torch.arange(HELD_OUT)[:, None, None, None] % 2 == 1
    evaluation = torch.where(night, by_night(held), by_day(held))
    both = torch.cat([by_day(images[:CALIBRATION]), evaluation])
    np.savez_compressed(
        FOLDER / "broken-scales.npz",
        image=both.numpy().astype(np.uint8),
        labels=torch.cat([labels[:CALIBRATION], truth]).numpy().astype(np.uint8),
    )
    with torch.no_grad():
        right = (model(evaluation).argmax(1) == truth).float().mean().item()
        before = model.relu_spread(model.spread(model.relu_day(model.day(both[:CALIBRATION]))))
    squares = before.pow(2)
    rest, spikes = squares[:, 1:], squares[:, 0]
    print(f"held-out accuracy {right:.4f}")
    print(
        f"calibration: {(spikes > rest.max()).sum()} spikes up to {spikes.max():.0f}, the rest up to {rest.max():.2f}"
    )


if __name__ == "__main__":
    main()

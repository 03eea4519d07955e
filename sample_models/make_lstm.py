"""Simulates vibration recordings, trains ``lstm`` on them and writes ``lstm.pt`` and ``vibration.npz``.

Run by hand (``python make_lstm.py``, a minute and a half) when the network or the task changes. A recording is one
second of an accelerometer at 3,200 samples per second through an 8-bit converter, cut into 50 frames of 64.
"""

from __future__ import annotations

from pathlib import Path

import lstm
import numpy as np
import torch
from torch import nn

CLASSES = ("healthy", "imbalance", "misalignment", "bearing")
RATE = 3200.0
CALIBRATION, EVALUATION = 64, 240
FOLDER = Path(__file__).resolve().parent


def record(kind: str, rng: np.random.Generator) -> np.ndarray:
    """Return one recording of a machine with the fault *kind*: int8 counts, 50×64.

    Every machine has some of everything; a fault only has more of it, and noise covers the border.
    """
    time = np.arange(3200) / RATE
    shaft = rng.uniform(20.0, 30.0)
    wander = np.cumsum(rng.normal(0.0, 0.02, 3200)) / RATE
    angle = 2 * np.pi * (shaft * time + wander) + rng.uniform(0, 2 * np.pi)
    once = rng.uniform(4.0, 11.0) + (rng.uniform(5.0, 24.0) if kind == "imbalance" else 0.0)
    twice = rng.uniform(1.0, 5.0) + (rng.uniform(3.5, 16.0) if kind == "misalignment" else 0.0)
    knock = rng.uniform(0.0, 4.0) + (rng.uniform(8.0, 30.0) if kind == "bearing" else 0.0)
    signal = once * np.sin(angle) + twice * np.sin(2 * angle + rng.uniform(0, 2 * np.pi))
    signal += rng.uniform(0.5, 2.0) * np.sin(3 * angle + rng.uniform(0, 2 * np.pi))

    # A damaged outer race is struck 3.57 times per turn, and each blow rings the housing.
    blows = np.zeros(3200)
    period = RATE / (3.57 * shaft)
    at = rng.uniform(0.0, period)
    while at < 3200:
        blows[int(at)] = rng.uniform(0.6, 1.4)
        at += period * rng.normal(1.0, 0.02)
    tail = np.arange(96) / RATE
    ring = np.exp(-tail * 220.0) * np.sin(2 * np.pi * rng.uniform(700.0, 1100.0) * tail)
    signal += knock * np.convolve(blows, ring)[:3200]

    signal += rng.normal(0.0, rng.uniform(2.5, 7.0), 3200)
    return np.clip(np.rint(signal), -127, 127).astype(np.int8).reshape(50, 64)


def recordings(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return *count* recordings, N×50×64 int8, and their class numbers; the classes take turns."""
    rng = np.random.default_rng(seed)
    labels = np.arange(count, dtype=np.uint8) % len(CLASSES)
    return np.stack([record(CLASSES[label], rng) for label in labels]), labels


def train(model: nn.Module, frames: torch.Tensor, labels: torch.Tensor, epochs: int) -> None:
    """Train *model* on counts divided by 16, then fold the 16 into the first layer's weights.

    All epochs but the last see 15 frames in a row out of every recording, which takes a third of the time.
    """
    batch, rows = 64, len(frames)
    steps = epochs * (rows // batch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=3e-3, total_steps=steps)
    model.train()
    for step in range(steps):
        if step % (rows // batch) == 0:
            order = torch.randperm(rows)
        chosen = order[step % (rows // batch) * batch :][:batch]
        shown = frames[chosen] / 16.0
        if step < steps - rows // batch:
            start = int(torch.randint(36, ()))
            shown = shown[:, start : start + 15]
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(shown), labels[chosen])
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 40 == 0:
            print(f"step {step} of {steps}: loss {loss.item():.3f}", flush=True)
    with torch.no_grad():
        model.lstm.weight_ih_l0.div_(16.0)
    model.eval()


def main() -> None:
    """Train, print the accuracy of the rounded weights and write the files."""
    torch.set_num_threads(2)
    torch.set_flush_denormal(True)
    torch.manual_seed(8)
    frames, labels = recordings(2560, seed=1)
    model = lstm.build()
    train(model, torch.from_numpy(frames).float(), torch.from_numpy(labels).long(), epochs=11)
    state = {name: tensor.half() for name, tensor in model.state_dict().items()}
    torch.save(state, FOLDER / "lstm.pt")
    model.load_state_dict(state)

    calibration, evaluation = recordings(CALIBRATION, seed=2), recordings(EVALUATION, seed=3)
    np.savez_compressed(
        FOLDER / "vibration.npz",
        frames=np.concatenate([calibration[0], evaluation[0]]),
        labels=np.concatenate([calibration[1], evaluation[1]]),
    )
    with torch.no_grad():
        guess = model(torch.from_numpy(evaluation[0]).float()).argmax(1).numpy()
    print(f"accuracy on {EVALUATION} unseen recordings: {(guess == evaluation[1]).mean():.4f}")
    for number, name in enumerate(CLASSES):
        print(f"  {name}: {(guess == number)[evaluation[1] == number].mean():.3f}")


if __name__ == "__main__":
    main()

"""A folder of pictures and a Python model that takes them, for tests of the left side."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np


def picture_folder(folder: Path, count: int = 6, size: tuple[int, int] = (32, 48)) -> Path:
    """Pictures named 0.png, 1.png, …: red grows to the right, green downwards, blue stays."""
    folder.mkdir(parents=True, exist_ok=True)
    height, width = size
    for number in range(count):
        rgb = np.zeros((height, width, 3), np.uint8)
        rgb[..., 0] = np.linspace(0, 255, width).astype(np.uint8)[None, :]
        rgb[..., 1] = np.linspace(0, 200, height).astype(np.uint8)[:, None]
        rgb[..., 2] = 10 * number
        cv2.imwrite(str(folder / f"{number}.png"), rgb[..., ::-1])
    return folder


def model_file(folder: Path) -> str:
    """``model.py:build``; nothing here ever runs it."""
    path = folder / "model.py"
    path.write_text("def build():\n    raise NotImplementedError\n\nclass Net:\n    pass\n")
    return f"{path}:build"

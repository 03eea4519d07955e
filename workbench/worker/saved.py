"""What a worker tells of the files that it saved; read by who makes a bundle of them."""

from __future__ import annotations

import msgspec

from workbench.runtime import InputStatistics


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    """What was written into the folder, as ``saved.json`` there.

    Attributes:
        files: the names of the model's files: ``model``, ``fp32``.
        golden: names of the golden samples; ``golden.npz`` holds ``0.in.NAME``, ``0.out.NAME``, ….
        batches: leading axes that give the same rows as one by one.
        inputs: statistics of each floating input over the calibration samples.
        normal: per input, the divergence of the evaluation samples from these; what held-out data is like.
    """

    files: dict[str, str]
    golden: list[str]
    batches: list[int]
    inputs: dict[str, InputStatistics]
    normal: dict[str, float]

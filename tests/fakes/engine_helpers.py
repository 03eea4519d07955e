"""What the tests of real engines share."""

from __future__ import annotations

from pathlib import Path

import msgspec

from workbench.core.model import resolve_model
from workbench.core.samples import load_sample
from workbench.core.trial import Kernel, Layer, Trial
from workbench.study.runner import Subject

NETS = Path(__file__).resolve().parent / "tiny_nets.py"


def tiny(name: str, *inputs: str, weights: Path | None = None) -> Subject:
    """A model of tiny_nets.py, without data."""
    return Subject(resolve_model(f"{NETS}:{name}", inputs=inputs, weights=weights))


def digits(calibration: int = 16, evaluation: int = 40) -> Subject:
    """The sample digits-cnn with fewer samples than its own 256 and 500, where the classes do not matter."""
    return few("digits-cnn", calibration, evaluation)


def few(name: str, calibration: int, evaluation: int) -> Subject:
    """A sample with only the first of its own data."""
    sample = load_sample(name)
    data = msgspec.structs.replace(
        sample.data,
        calibration=sample.data.calibration[:calibration],
        evaluation=sample.data.evaluation[:evaluation],
    )
    return Subject(sample.model, data, sample.preprocess)


def compute_layers(trial: Trial) -> list[Layer]:
    """The layers that kernels are counted for, in execution order."""
    return [layer for layer in trial.layers if layer.kind]


def kernels_by_layer(trial: Trial) -> dict[str, Kernel]:
    """The kernel of each layer; more than one per layer would be a fault."""
    found = [kernel for kernel in trial.proof.kernels if kernel.layer != "unmapped"]
    assert len({kernel.layer for kernel in found}) == len(found)
    return {kernel.layer: kernel for kernel in found}

"""Whether a change helped, by the outputs of two trials."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.core.accuracy import AccuracyMeter
from workbench.core.improvement import accuracy_verdict
from workbench.core.trial import ModelFacts, Trial


def trial(accuracy=None, status="ok"):
    model = ModelFacts(path="", format="onnx", sha256="", name="m")
    return Trial(status=status, created="", model=model, config={}, accuracy=accuracy)


def outputs(noise, *, flipped=0, samples=10, constant=False):
    """Scores of three classes that are off by *noise*; so many items say another class."""
    meter = AccuracyMeter()
    for index in range(samples):
        scores = np.array([[1.0, 3.0 + 0.1 * index, 0.5]])
        moved = scores + np.array([[noise, -noise, noise]])
        if index < flipped:
            moved = np.array([[3.1, 3.0, 0.5]])
        if constant:
            moved = np.array([[1.0, 3.0, 0.5]])
        meter.add(str(index), [("scores", scores)], [("scores", moved)])
    return meter.result()


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (outputs(0.5), outputs(0.1), "better"),
        (outputs(0.1), outputs(0.5), "worse"),
        (outputs(0.1), outputs(0.1), "same"),
        (outputs(0.0), outputs(1e-7), "same"),
        (outputs(0.1, flipped=6), outputs(0.1), "better"),
        (outputs(0.1), outputs(0.1, flipped=6), "worse"),
        (outputs(0.1, constant=True), outputs(0.9), "better"),
        (outputs(0.9), outputs(0.1, constant=True), "worse"),
        (None, outputs(0.1), "unknown"),
        (outputs(0.1), None, "unknown"),
    ],
)
def test_outputs_decide(before, after, verdict):
    assert accuracy_verdict(trial(before), trial(after)) == verdict


def test_a_trial_that_failed_is_never_better_and_one_that_ends_well_now_is():
    assert accuracy_verdict(trial(outputs(0.1)), trial(None, "failed")) == "unknown"
    assert accuracy_verdict(trial(None, "failed"), trial(outputs(0.9))) == "better"

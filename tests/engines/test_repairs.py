"""Models that break in INT8, mended by what the layer table offers: in real workers of every engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine_helpers import few

from workbench.core import calibration
from workbench.core.config import Config
from workbench.core.dataflow import Dataflow
from workbench.core.layer_table import layer_table

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("nothing_left")]

ENGINES = ("torch", "ipex", "onnxruntime")


@pytest.fixture
def run(runner, needs_engine):
    """Measure a sample on few samples, with settings as the command line takes them."""

    def run(name, engine, settings=(), calibrating=128, judging=8):
        needs_engine(engine)
        config = Config.load(None, (f"engine={engine}", "precision=int8", "runtime.threads=1", *settings))
        return runner.measure(few(name, calibrating, judging), config, runs=10, seconds=1.0)

    return run


def looked_into(trial):
    return layer_table(trial, calibration.load(Path(trial.calibration)))


def flags(table):
    return {row.name: " ".join(row.flags) for row in table.layers if row.flags}


def in_fp32(trial, tensor):
    return [f'layers."{name}".precision=fp32' for name in Dataflow(trial.layers).without_scale(tensor)]


@pytest.mark.parametrize("engine", ENGINES)
def test_boxes_and_scores_under_one_scale_are_found_and_told_apart(run, engine):
    pytest.importorskip("skimage")
    broken = run("boxes", engine, calibrating=3, judging=3)
    assert (broken.status, broken.reason) == ("ok", "")
    assert broken.accuracy.cosine_mean > 0.999, "nothing is seen in the average"
    assert "slices 4–83 of 84 along axis 2" in broken.accuracy.verdict
    table = looked_into(broken)
    assert "joins unlike ranges" in flags(table)["cat"]
    (offered,) = [repair for repair in table.repairs if repair.where == "cat"]

    mended = run("boxes", engine, offered.settings, calibrating=3, judging=3)
    assert (mended.status, mended.reason) == ("ok", "")
    assert mended.accuracy.failures == ()
    assert mended.accuracy.outputs[0].worst_slice.cosine > 0.99
    assert mended.proof.int8_kernels == broken.proof.int8_kernels - 1, "only what reads the join is left out"
    assert not [repair for repair in looked_into(mended).repairs if repair.where == "cat"]


@pytest.mark.parametrize("engine", ENGINES)
def test_broken_scales_are_found_in_both_places_and_mended(run, engine):
    broken = run("broken-scales", engine, judging=60)
    assert broken.accuracy.cosine_mean < 0.5
    assert "the same for every sample" in broken.accuracy.verdict
    table = looked_into(broken)
    assert "only zeros were seen" in flags(table)["night"]
    assert "outliers" in flags(table)["energy.pow"]
    offered = {repair.where: repair.settings for repair in table.repairs}
    assert all(offered.values())

    taken = [setting for settings in offered.values() for setting in settings]
    mended = run("broken-scales", engine, taken, judging=60)
    by_hand = ['fixes."relu_night:out".max=0.4', *offered["energy.pow:out"]]
    in_int8 = run("broken-scales", engine, by_hand, judging=60)
    # Branches of equal shape, one of them in FP32: ONNX Runtime runs the other one second.
    safe = [*offered["relu_night:out"], *in_fp32(broken, "relu_spread:out"), *in_fp32(broken, "energy.pow:out")]
    slow = run("broken-scales", engine, safe, judging=60)
    for trial, count in ((mended, 4), (in_int8, 5), (slow, 2)):
        assert (trial.status, trial.reason) == ("ok", "")
        assert trial.accuracy.cosine_mean > 0.99
        assert trial.accuracy.top1_agreement >= 59 / 60
        assert (trial.proof.int8_kernels, trial.proof.expected_int8) == (count, count)
        assert "relu_night:out" not in {tensor.tensor for tensor in trial.tensors} or trial is in_int8
    assert {"energy.pow:out", "relu_spread:out"}.isdisjoint(tensor.tensor for tensor in slow.tensors)
    assert looked_into(mended).repairs == []

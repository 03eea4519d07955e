"""A worker under another interpreter, with another torch. Needs one: WORKBENCH_TEST_ENV=PATH/OF/PYTHON."""

from __future__ import annotations

import os
from importlib.metadata import version

import pytest

from workbench.core.config import Config
from workbench.host.environments import add, check, usable
from workbench.study.runner import Runner
from workbench.study.store import Store
from workbench.study.subject import find_subject

PYTHON = os.environ.get("WORKBENCH_TEST_ENV", "")

pytestmark = [
    pytest.mark.engine,
    pytest.mark.usefixtures("nothing_left", "data_dir"),
    pytest.mark.skipif(not PYTHON, reason="WORKBENCH_TEST_ENV names no Python with another torch"),
]


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_another_torch_measures_and_says_which_it_is(this_host, tmp_path, precision):
    add("other", PYTHON)
    found = check("other")
    assert found.usable, found.reason
    torch = {engine.name: engine for engine in found.engines}["torch"]
    store = Store(str(tmp_path / "study.sqlite"))
    runner = Runner(store, host=this_host, environment=usable("other"))
    config = Config({"precision": precision, "runtime.threads": 1})
    trial = runner.measure(find_subject("sample:digits-cnn"), config, runs=10, seconds=1.0)
    store.close()
    assert (trial.status, trial.reason) == ("ok", "")
    assert trial.environment == "other"
    assert trial.effective.torch_version == trial.effective.engine_version
    assert trial.effective.torch_version.split("+")[0] == torch.version.split("+")[0]
    assert trial.effective.torch_version.split("+")[0] != version("torch").split("+")[0]
    assert trial.effective.python == found.version
    int8 = 5 if precision == "int8" else 0
    assert (trial.proof.int8_kernels, trial.proof.expected_int8) == (int8, int8)
    assert trial.accuracy.top1_fp32 - trial.accuracy.top1 <= 0.005
    assert {layer.name for layer in trial.layers if layer.kind} == {"conv1", "conv2", "conv3", "conv4", "fc"}

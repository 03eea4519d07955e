"""Layers of equal shape of which one is kept in FP32: whose kernel is it? And a pinned layer that ran in INT8."""

from __future__ import annotations

import textwrap

import msgspec
import pytest
from fake_records import MEMORY, accuracy, effective, kernel, proof

from workbench.core.config import Config
from workbench.core.model import resolve_model
from workbench.core.trial import Layer
from workbench.engines.kernels import Record, match
from workbench.study.judge import judge
from workbench.study.runner import Subject
from workbench.worker.environment import Surroundings
from workbench.worker.launcher import Outcome
from workbench.worker.protocol import Measured

FACTS = {"m": 1, "k": 64, "n": 64}
LAYERS = [Layer(name=name, op="linear", kind="matmul", facts=FACTS) for name in ("a", "b", "c")]


def record(dtype: str, kernel: str) -> Record:
    return Record("matmul", "linear", kernel, dtype, 0.1, FACTS)


@pytest.mark.parametrize("pinned", ["a", "b", "c"])
def test_a_primitive_goes_to_the_neighbour_that_runs_in_its_dtype(pinned):
    """oneDNN names only what it ran; the profiler names all, without the implementation."""
    dtypes = ["fp32" if layer.name == pinned else "int8" for layer in LAYERS]
    operators = [record(dtype, f"aten:{dtype}") for dtype in dtypes]
    primitives = [record("int8", "gemm:jit"), record("int8", "gemm:jit")]
    found = {kernel.layer: (kernel.kernel, kernel.dtype) for kernel in match(primitives, operators, LAYERS)}
    assert found == {
        layer.name: ("aten:fp32", "fp32") if layer.name == pinned else ("gemm:jit", "int8") for layer in LAYERS
    }


def test_without_all_operators_order_and_shape_decide_alone():
    primitives = [record("int8", "gemm:jit"), record("fp32", "gemm:f32"), record("int8", "gemm:jit")]
    found = [(kernel.layer, kernel.dtype) for kernel in match(primitives, [record("fp32", "aten")], LAYERS)]
    assert found == [("a", "int8"), ("b", "fp32"), ("c", "int8")]


def test_a_record_that_names_its_layer_goes_there_whatever_the_order():
    records = [record("fp32", "float"), record("int8", "first"), record("int8", "second")]
    records[0].layer, records[2].layer = "b", "a"
    found = {kernel.layer: kernel.kernel for kernel in match(records, [], LAYERS)}
    assert found == {"a": "second", "b": "float", "c": "first"}


def test_a_pinned_layer_that_ran_in_int8_is_invalid_with_its_name():
    kernels = [kernel("a"), kernel("b")]
    ran = proof(int8_kernels=2, expected_int8=1, missing=[], kernels=kernels)
    fields = {
        "effective": effective(), "proof": ran, "memory": MEMORY, "accuracy": accuracy(), "fixes": [], "tensors": [],
        "layers": [], "data": None, "phases_s": {},
    }  # fmt: skip
    around = Surroundings({}, (0, 1), 2)

    def verdict(layers: dict[str, str], result: Measured) -> tuple[str, str]:
        return judge(Outcome("finished", "", result), result, Config({"precision": "int8"}, layers=layers), around)

    result = Measured(**fields)
    assert verdict({"b": "fp32"}, result) == ("invalid", "kept in FP32 by the config, but ran in INT8: b")
    assert verdict({"b": "int8"}, result) == ("ok", "")
    plain = msgspec.structs.replace(result, proof=proof(missing=[], kernels=[kernel("a"), kernel("b", "fp32")]))
    assert verdict({"b": "fp32"}, plain) == ("ok", "")


@pytest.mark.engine
@pytest.mark.usefixtures("nothing_left")
def test_a_pinned_linear_between_equal_ones_lowers_the_count_by_exactly_one(measure, tmp_path):
    pytest.importorskip("torch")
    file = tmp_path / "equal.py"
    file.write_text(
        textwrap.dedent("""
        import torch
        from torch import nn

        def build():
            torch.manual_seed(0)
            return nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64)).eval()
        """)
    )
    trial = measure(Subject(resolve_model(f"{file}:build", inputs=("1x64",))), {"2": "fp32"}, precision="int8")
    assert (trial.status, trial.reason) == ("ok", "")
    assert {kernel.layer: kernel.dtype for kernel in trial.proof.kernels if kernel.compute} == {
        "0": "int8", "2": "fp32", "4": "int8",
    }  # fmt: skip
    assert (trial.proof.int8_kernels, trial.proof.expected_int8) == (2, 2)

"""What makes a trial failed or invalid, and what does not; without a worker."""

from __future__ import annotations

import msgspec
import pytest
from fake_records import MEMORY, accuracy, effective, kernel, proof

from workbench.core.config import Config
from workbench.study.judge import judge
from workbench.worker.environment import Surroundings
from workbench.worker.launcher import Outcome
from workbench.worker.protocol import Measured

TWO_CPUS = Surroundings({}, (0, 1), 2)
FULL = proof(int8_kernels=2, expected_int8=2, missing=[])


def measured(**changes) -> Measured:
    fields = {
        "effective": effective(), "proof": FULL, "memory": MEMORY, "accuracy": accuracy(), "fixes": [], "tensors": [],
        "layers": [], "data": None, "phases_s": {},
    }  # fmt: skip
    return Measured(**{**fields, **changes})


def verdict(result=None, knobs=None, around=TWO_CPUS):
    return judge(Outcome("finished", "", result or measured()), result or measured(), Config(knobs or {}), around)


@pytest.mark.parametrize(
    ("outcome", "status", "reason"),
    [
        (Outcome("invalid", "nothing was quantized"), "invalid", "nothing was quantized"),
        (Outcome("cancelled", "cancelled"), "failed", "cancelled; what was measured until then is kept"),
        (Outcome("crashed", "ended by SIGSEGV"), "failed", "ended by SIGSEGV"),
        (Outcome("hung", "said nothing"), "failed", "said nothing"),
        (Outcome("garbage", "no report"), "failed", "no report"),
    ],
)
def test_an_ending_decides_before_any_figure_does(outcome, status, reason):
    assert judge(outcome, measured(), Config(), TWO_CPUS) == (status, reason)
    assert judge(outcome, None, Config(), TWO_CPUS) == (status, reason)


@pytest.mark.parametrize(
    ("changes", "knobs", "reason"),
    [
        ({}, {}, ""),
        ({}, {"precision": "int8"}, ""),
        ({"accuracy": None}, {}, ""),
        ({"effective": effective(threads=1)}, {}, "2 threads were asked for, 1 are used"),
        ({"effective": effective(affinity=[0])}, {}, "CPUs [0, 1] were asked for, [0] are used"),
        ({"effective": effective(interop_threads=2)}, {}, "inter-op threads are 2"),
        ({}, {"runtime.openmp": "iomp"}, "Intel's OpenMP was asked for and is not loaded"),
        ({"effective": effective(openmp=["gomp", "iomp"])}, {"runtime.openmp": "iomp"}, ""),
        ({}, {"runtime.allocator": "jemalloc"}, "jemalloc was asked for and is not loaded"),
        ({"effective": effective(allocator=["jemalloc"])}, {"runtime.allocator": "jemalloc"}, ""),
        ({}, {"runtime.flush_denormals": True}, "denormals are not flushed"),
        ({"effective": effective(flush_denormals=True)}, {"runtime.flush_denormals": True}, ""),
        ({"proof": proof(int8_kernels=0)}, {"precision": "int8"}, "INT8 was asked for and no INT8 kernel ran"),
        ({"proof": proof(int8_kernels=0)}, {"precision": "int8-dynamic"}, "INT8 was asked for and no INT8 kernel ran"),
        ({"proof": proof(int8_kernels=0)}, {}, ""),
        ({"proof": proof()}, {"precision": "int8"}, "1 of 2 planned layers ran in INT8; missing: fc"),
        ({}, {"precision": "bf16"}, "BF16 was asked for and no BF16 kernel ran"),
        ({"proof": proof(bf16_kernels=1)}, {"precision": "bf16"}, ""),
        (
            {"proof": proof(kernels=[kernel(), kernel(name="brg_conv_fwd:avx512_core")])},
            {"runtime.isa_limit": "avx2"},
            "runtime.isa_limit=avx2 was asked for, but brg_conv_fwd:avx512_core ran",
        ),
        ({"proof": proof(kernels=[kernel(name="brg_conv_fwd:avx512_core")])}, {"runtime.isa_limit": "avx512"}, ""),
        (
            {"proof": proof(kernels=[kernel(name="jit:avx512_core_amx")])},
            {"runtime.isa_limit": "avx512"},
            "runtime.isa_limit=avx512 was asked for, but jit:avx512_core_amx ran",
        ),
        ({"accuracy": msgspec.structs.replace(accuracy(), finite=False)}, {}, "the outputs are not finite"),
        # Outputs that are far from FP32's are a finding about the model, not a trial that did not take place.
        ({"accuracy": msgspec.structs.replace(accuracy(), cosine_mean=0.1)}, {}, ""),
    ],
)
def test_figures_decide_whether_a_finished_trial_is_believed(changes, knobs, reason):
    assert verdict(measured(**changes), knobs) == ("invalid" if reason else "ok", reason)


def test_all_faults_are_named_together():
    result = measured(effective=effective(threads=1, affinity=[0]), proof=proof(int8_kernels=0))
    _, reason = verdict(result, {"precision": "int8"})
    assert reason.count(";") == 2

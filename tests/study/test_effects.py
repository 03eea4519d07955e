"""Knobs and variables without effect are told in words."""

from __future__ import annotations

import pytest
from fake_records import effective, layer

from workbench.core.config import Config
from workbench.core.trial import Layer
from workbench.study.effects import without_effect

IMAGES = (layer(),)
MLP = [Layer(name="fc", op="linear", kind="matmul")]


def said(read_back=None, layers=IMAGES, isa=("avx2",), **knobs) -> str:
    config = Config({key.replace("__", "."): value for key, value in knobs.items()})
    return " ".join(without_effect(config, effective(**(read_back or {})), layers, isa))


def test_an_ordinary_trial_has_nothing_without_effect():
    assert said() == ""


@pytest.mark.parametrize(
    ("runtime", "variable", "words"),
    [
        ("gomp", "KMP_BLOCKTIME", "KMP_BLOCKTIME has no effect: libgomp does not read it"),
        ("iomp", "KMP_BLOCKTIME", ""),
        ("iomp", "GOMP_SPINCOUNT", "GOMP_SPINCOUNT has no effect: Intel's OpenMP does not read it"),
        ("gomp", "GOMP_SPINCOUNT", ""),
        (None, "KMP_BLOCKTIME", "KMP_BLOCKTIME has no effect"),
    ],
)
def test_variables_of_the_other_openmp_runtime(runtime, variable, words):
    text = said({"openmp_active": runtime, "openmp": ["gomp"], "environment": {variable: "1"}})
    assert text.startswith(words) if words else text == ""


@pytest.mark.parametrize(
    ("limit", "isa", "effect"),
    [
        ("avx512", ("avx2",), False),
        ("avx512", ("avx2", "avx512"), False),
        ("avx512", ("avx2", "avx512", "avx512_vnni"), True),
        ("avx512", ("avx2", "avx_vnni"), True),
        ("avx2", ("avx2",), False),
        ("avx2", ("avx2", "avx512"), True),
        ("avx2", (), True),
    ],
)
def test_an_isa_limit_above_what_the_cpu_has(limit, isa, effect):
    assert ("nothing newer" in said(isa=isa, runtime__isa_limit=limit)) == (not effect)


def test_waiting_alone_layout_without_images_and_tasks_that_nobody_forks():
    assert "one thread" in said({"threads": 1}, runtime__wait_policy="passive")
    assert said({"threads": 2}, runtime__wait_policy="passive") == ""
    assert "one thread" in said({"threads": 1}, engine="onnxruntime", runtime__spin=False)
    assert "no convolutions" in said(layers=MLP, layout__channels_last=True)
    assert said(layers=MLP, engine="ipex") == "", "a default was not turned by anybody"
    assert "torch.jit.fork" in said(runtime__interop_threads=2)

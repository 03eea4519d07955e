"""Asks one engine, in a process of its own, which tensors of the hard nets it quantizes and with which scales.

``python tensor_names.py ENGINE`` prints JSON, per net:
``truth`` (tensor → lowest, highest value, from a run of the original), ``observed`` (the same as the engine saw it),
``groups`` (tensors that share a scale, with the extremes that the engine's *own* observer met there, None where it
has none), ``scales`` (tensor → scale, zero point, read back).
"""

from __future__ import annotations

import copy
import importlib
import json
import sys
import tempfile
import warnings
from pathlib import Path

import msgspec
import numpy as np
import torch
from hard_nets import NETS

from workbench.core.config import Config
from workbench.core.distribution import Distribution
from workbench.core.model import resolve_model
from workbench.core.scales import range_of
from workbench.engines.torch import Engine as TorchEngine

HERE = Path(__file__).resolve().parent
INPUTS = {"swapped": ["first=1x4", "second=1x6"]}
KNOBS = {
    "precision": "int8", "calibration.observer": "minmax", "quantization.clamp_ranges": False,
    "quantization.range": "full", "target_isa": "avx512_vnni",
}  # fmt: skip


def extremes(known: dict[str, Distribution]) -> dict[str, tuple[float, float]]:
    return {name: (one.minimum, one.maximum) for name, one in known.items()}


def own_ranges(name: str, engine, feed) -> list[tuple[list[str], list[float] | None]]:
    if name == "torch":
        prepared = copy.deepcopy(engine._prepared)
        every = [(names, observers) for names, observers in prepared._observers()]
        for _, observers in every:
            for one in observers:
                one.min_val, one.max_val = torch.tensor(float("inf")), torch.tensor(float("-inf"))
        with torch.no_grad():
            prepared.module(*engine.tensors(feed))
        return [
            (names, [min(float(one.min_val) for one in watching), max(float(one.max_val) for one in watching)])
            for names, watching in every
        ]
    if name == "ipex":
        return engine.seen
    return [([tensor.tensor], None) for tensor in engine.quantized()]


def with_memory(engine) -> None:
    """Keep what IPEX's own observers said before its scales are replaced."""
    use, engine.seen = engine._use_ranges, []

    def remember(places, groups):
        met, shared = set(), {name: list(group) for group in groups for name in group}
        for op in engine._operations():
            for info in [*op["input_tensor_infos"], *op["output_tensor_infos"]]:
                if info and info["id"] in places and info.get("scale") and info["id"] not in met:
                    met.add(info["id"])
                    low, high = range_of(info["scale"][0], info["zero_point"][0], engine.scheme)
                    engine.seen.append((shared[places[info["id"]]], [low, high]))
        use(places, groups)

    engine._use_ranges = remember


def ask(name: str, net: str) -> dict[str, object]:
    reference = resolve_model(f"{HERE / 'hard_nets.py'}:{net}", inputs=INPUTS.get(net, ["1x3x8x8"]))
    original = TorchEngine(Config({"engine": "torch"}))
    original.load(reference)
    rng = np.random.default_rng(0)
    feed = {spec.name: rng.normal(size=spec.concrete(1)).astype(np.float32) for spec in original.input_specs()}
    original.trace_layers(feed)
    truth = original.observe([feed])
    engine = importlib.import_module(f"workbench.engines.{name}").Engine(Config({"engine": name, **KNOBS}))
    if name == "onnxruntime":
        exported = original.export(feed, tempfile.mkdtemp())
        engine.adopt(exported)
        reference = msgspec.structs.replace(reference, path=exported.path, format="onnx", weights=None, attribute=None)
    if name == "ipex":
        with_memory(engine)
    engine.configure()
    engine.load(reference)
    engine.trace_layers(feed)
    observed = engine.observe([feed])
    engine.prepare(feed)
    engine.calibrate(observed)
    groups = own_ranges(name, engine, feed) if name != "onnxruntime" else []
    engine.build(feed)
    answer = {
        "truth": extremes(truth),
        "observed": extremes(observed),
        "groups": groups or own_ranges(name, engine, feed),
        "scales": {tensor.tensor: (tensor.scale, tensor.zero_point) for tensor in engine.quantized()},
    }
    engine.close()
    return answer


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    torch.set_num_interop_threads = lambda _: None  # which may be set once per process
    skipped = sys.argv[2:]
    print(json.dumps({net: ask(sys.argv[1], net) for net in NETS if net not in skipped}))

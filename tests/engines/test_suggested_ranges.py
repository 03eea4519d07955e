"""The range suggested from the histogram against torch's HistogramObserver, on the tensors of a real model.

``python tests/engines/test_suggested_ranges.py SAMPLE`` prints the same for any sample.
"""

from __future__ import annotations

import sys
from collections import defaultdict

import numpy as np
import pytest

from workbench.core.data import open_data
from workbench.core.distribution import Collector
from workbench.core.observers import best_range
from workbench.core.samples import load_sample
from workbench.core.scales import Scheme, expected_error, fake_quantize, scale_of

torch = pytest.importorskip("torch")

from torch.ao.quantization import HistogramObserver  # noqa: E402

from workbench.engines import torch_layers, torch_load  # noqa: E402

SCHEME = Scheme()


def tensors(sample, samples):
    """Values of every tensor on calibration and on evaluation samples: name → list of arrays, twice."""
    model = torch_load.load(sample.model).eval()
    specs = [(spec.name, spec.shape, spec.dtype) for spec in sample.model.inputs]
    data = open_data(sample.data, sample.preprocess, specs, 100)
    sides = []
    for items in (data.calibration[:samples], data.evaluation[:samples]):
        found = defaultdict(list)
        for _, arrays in data.loaded(items):
            given = {name: torch.from_numpy(arrays[name]) for name, *_ in specs}
            torch_layers.trace(
                model,
                lambda given=given: model(*given.values()),
                given,
                lambda name, tensor, found=found: found[name].append(tensor.detach().clone().numpy().ravel()),
            )
        sides.append(found)
    return sides


def error(values, low, high):
    scale, zero_point = scale_of(low, high, SCHEME)
    whole = np.concatenate(values)
    return float(np.mean(np.square(whole.astype(np.float64) - fake_quantize(whole, scale, zero_point, SCHEME))))


def ratios(name, samples):
    """Squared error of the suggestion over that of torch's observer.

    By the record of the calibration samples, on their values, on those of held-out samples. The first is what the
    search minimises. The second differs from it where the values of a bin do not lie evenly around their mean.
    """
    seen, held_out = tensors(load_sample(name), samples)
    found = {}
    for tensor, values in seen.items():
        collector, observer = Collector(), HistogramObserver()
        for array in values:
            collector.add(array)
            observer(torch.from_numpy(array))
        scale, zero_point = (float(value) for value in observer.calculate_qparams())
        theirs = (-zero_point * scale, (255 - zero_point) * scale)
        record = collector.result()
        ours = best_range(record, SCHEME)
        pairs = [[expected_error(record, *one, SCHEME).mse for one in (ours, theirs)]]
        pairs += [[error(side, *one) for one in (ours, theirs)] for side in (values, held_out[tensor])]
        found[tensor] = tuple(left / right if right > 1e-18 else 1.0 for left, right in pairs)
    return found


def test_the_suggestion_is_as_good_as_torchs_observer_on_every_tensor():
    found = ratios("digits-cnn", 12)
    assert len(found) > 12
    for tensor, (by_record, on_values, _) in found.items():
        assert by_record <= 1.0 + 1e-9, tensor
        assert on_values <= 1.002, tensor
    _, on_values, held_out = np.median(list(found.values()), axis=0)
    assert on_values < 1.0
    assert held_out <= 1.01  # what was not seen may lie on either side of it


if __name__ == "__main__":
    result = ratios(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4)
    print("on record, values, held-out values")
    for tensor, row in sorted(result.items(), key=lambda entry: -entry[1][1])[:5]:
        print(*(f"{ratio:8.4f}" for ratio in row), tensor)
    print(f"{len(result)} tensors, worst", np.max(list(result.values()), axis=0).round(5))
    print("median", np.median(list(result.values()), axis=0).round(5))

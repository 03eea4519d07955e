"""Where fixes stand: under which name, where they act, and what a trial has proven."""

from hand_made import residual
from layered import int8_trial

from workbench.core.config import Config
from workbench.core.fix_states import Standing, Standings

INT8 = Config({"precision": "int8"})


def standings(fixes, measured=None):
    trial = int8_trial(None, config=INT8 if measured is None else Config({"precision": "int8"}, fixes=measured))
    return Standings(trial, Config({"precision": "int8"}, fixes=fixes))


def test_a_tensor_without_a_fix_says_where_one_would_act() -> None:
    found = standings({})
    assert found.of("relu:out") == Standing(name="relu:out", acts_on="relu:out")
    assert found.of("conv1:out").acts_on == "relu:out", "inside the fused group"
    assert found.of("pool:out").acts_on == "flatten:out", "through the change of shape"
    assert found.of("add:out").acts_on == "relu#2:out"


def test_what_the_engine_does_not_quantize_is_known_before_it_is_measured() -> None:
    trial = int8_trial(None, quantized=["input:image"])
    assert Standings(trial, INT8).of("fc:out").acts_on is None
    pending = Standings(trial, Config({"precision": "int8"}, fixes={"fc:out": (0.0, 1.0)})).of("fc:out")
    assert (pending.state, pending.acts_on) == ("pending", None)


def test_a_fix_is_pending_until_a_trial_with_this_very_fix_has_run() -> None:
    assert standings({"relu:out": (0.0, 2.0)}).of("relu:out").state == "pending"
    applied = standings({"relu:out": (0.0, 2.0)}, {"relu:out": (0.0, 2.0)}).of("relu:out")
    assert (applied.state, applied.low, applied.high) == ("applied", 0.0, 2.0)
    assert standings({"relu:out": (0.0, 1.5)}, {"relu:out": (0.0, 2.0)}).of("relu:out").state == "pending"
    assert standings({}, {"relu:out": (0.0, 2.0)}).of("relu:out").state == "none"


def test_a_fix_is_found_under_an_alias_and_from_within_its_group() -> None:
    for name in ("conv2:in0", "conv1:out", "bn1:out"):
        found = standings({name: (None, 2.0)}, {name: (None, 2.0)})
        assert found.of("relu:out").name == name, "edited under the name that it was given"
        assert found.of("relu:out").state == "applied" and found.of("relu:out").acts_on == "relu:out"


def test_fixes_of_another_model_are_left_to_the_worker() -> None:
    assert standings({"stem.conv:out": (0.0, 1.0)}).of("relu:out").state == "none"


def test_odd_records_do_no_harm() -> None:
    trial = int8_trial(None, config=INT8, layers=residual())
    assert Standings(trial, INT8).of("nowhere:out") == Standing(name="nowhere:out")

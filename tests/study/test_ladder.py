"""The ladder's sequence, and what becomes of rungs that cannot be climbed."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest
from fake_engine import MODULES, model
from fake_records import layer, trial
from rich.console import Console

from workbench.core.config import Config
from workbench.core.knobs import BY_KEY
from workbench.core.latency import summarize
from workbench.core.trial import Layer, Samples
from workbench.errors import UserError
from workbench.study import ladder
from workbench.study.ladder import RUNGS, climb
from workbench.study.runner import Runner, Subject
from workbench.tables import ladder as shown

COMPARED = ("faster", "slower", "same")
ODD = Layer(name="odd", op="conv2d", kind="conv", facts={"oc": 13, "g": 1})
EVERYTHING = [layer(), ODD, Layer(name="lstm", op="lstm", kind="rnn"), Layer(name="pad", op="zeropad2d", kind="")]


class Told:
    """A runner that measures nothing: it answers per (engine, precision) what it was told."""

    def __init__(self, store, answers=None, layers=EVERYTHING) -> None:
        self._store = store
        self._answers = answers or {}
        self._layers = layers
        self.configs: list[Config] = []

    def measure(self, subject, config, **_):
        self.configs.append(config)
        answer = self._answers.get((config.engine, config.precision), 2.0)
        if isinstance(answer, UserError):
            raise answer
        fields = {"status": "ok", "reason": "", "config": config.to_dict(), "layers": self._layers}
        if isinstance(answer, str):
            return self._store.add(trial(**{**fields, "status": "invalid", "reason": answer}), None)
        bursts = [np.random.default_rng(n).normal(answer, answer / 100, 20) * 1e6 for n in range(6)]
        bursts = [burst.astype(np.int64) for burst in bursts]
        kept = Samples(warmup=b"", bursts=[burst.tobytes() for burst in bursts], after_gap=b"")
        return self._store.add(trial(**fields, latency=summarize(bursts, [], [])), kept)


def go_up(store, runner, base=None):
    """Climb and return the steps by name, and all configs."""
    done = []
    steps = climb(runner, store, Subject(model()), base or Config(), again=False, on_done=done.append).steps
    assert done == steps
    return {step.name: step for step in steps}, runner.configs


def drawn(found) -> str:
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(shown.show("m", found, "s.sqlite", 200))
    return console.export_text()


def rungs_without(*needs: str) -> list[str]:
    return [rung.name for rung in RUNGS if not rung.needs.intersection(needs)]


def test_every_rung_is_climbed_in_order_and_turns_only_what_it_says(store):
    steps, configs = go_up(store, Told(store))
    assert list(steps) == [rung.name for rung in RUNGS]
    for rung, config in zip(RUNGS, configs, strict=True):
        assert {key: config[key] for key in rung.changes} == dict(rung.changes)
    for previous, rung, config in zip(configs, RUNGS[1:], configs[1:], strict=False):
        if "engine" not in rung.changes:
            both = previous.resolved().keys() & config.resolved().keys()
            # Alignment was not faster, and so was taken back.
            turned = {key for key in both if previous[key] != config[key]} - {"layout.align_channels"}
            assert turned <= set(rung.changes)


@pytest.mark.parametrize(("p50", "kept"), [(1.0, 16), (2.0, 0), (3.0, 0)])
def test_aligned_channels_are_kept_where_they_are_faster(store, p50, kept):
    class Aligning(Told):
        def measure(self, subject, config, **options):
            aligned = config["layout.align_channels"] == 16
            self._answers = {("torch", "fp32"): p50 if aligned else 2.0}
            return super().measure(subject, config, **options)

    steps, configs = go_up(store, Aligning(store))
    place = list(steps).index("channels aligned")
    assert configs[place]["layout.align_channels"] == 16
    assert {config["layout.align_channels"] for config in configs[place + 1 :]} == {kept}
    assert ("not kept" in steps["channels aligned"].reason) == (kept == 0)
    assert steps["frozen graph"].verdict == "same", "held against what was kept"


def test_it_starts_naively_and_ends_in_int8(store):
    _, configs = go_up(store, Told(store))
    assert configs[0].flag("graph.grad")
    assert not configs[0].flag("runtime.onednn")
    assert configs[0]["runtime.threads"] == -1
    assert configs[-1].precision == "int8"


def test_the_first_step_is_the_start_and_all_others_are_compared_with_it(store):
    steps, _ = go_up(store, Told(store, {("ipex", "fp32"): 1.0, ("ipex", "bf16"): 1.5, ("torch", "int8"): 0.5}))
    first, ipex, bf16, int8 = (steps[name] for name in ("naive", "IPEX", "BF16, IPEX", "INT8, PyTorch"))
    assert (first.verdict, first.speedup_vs_first, first.speedup_vs_previous) == ("start", 1.0, None)
    assert (steps["inference mode"].verdict, ipex.verdict, bf16.verdict, int8.verdict) == (
        "same", "faster", "slower", "faster",
    )  # fmt: skip
    assert ipex.speedup_vs_first == pytest.approx(2.0, rel=0.02)
    assert bf16.speedup_vs_first == pytest.approx(1.33, rel=0.02)
    assert int8.speedup_vs_first == pytest.approx(4.0, rel=0.02)
    assert bf16.ci95[0] < bf16.speedup_vs_previous < bf16.ci95[1] < 1.0


@pytest.mark.parametrize(
    ("layers", "missing"),
    [
        ([layer()], ("rnn", "zeropad2d", "odd-channels")),
        ([layer(), ODD], ("rnn", "zeropad2d")),
        ([layer(), Layer(name="pad", op="zeropad2d", kind="")], ("rnn", "odd-channels")),
        ([Layer(name="lstm", op="lstm", kind="rnn")], ("conv", "zeropad2d", "odd-channels")),
        ([Layer(name="fc", op="linear", kind="matmul")], ("conv", "rnn", "zeropad2d", "odd-channels")),
    ],
)
def test_a_rung_that_the_model_has_no_layers_for_is_left_out(store, layers, missing):
    steps, _ = go_up(store, Told(store, layers=layers))
    assert list(steps) == rungs_without(*missing)


def test_a_refused_rung_is_skipped_and_the_next_is_compared_with_the_last_good_one(store):
    answers = {("ipex", "fp32"): UserError("No IPEX.", "It is old.", "x"), ("ipex", "bf16"): 1.0}
    steps, _ = go_up(store, Told(store, answers))
    refused = steps["IPEX"]
    assert (refused.verdict, refused.trial, refused.speedup_vs_first) == ("skipped", None, None)
    assert refused.reason == "No IPEX. It is old."
    assert steps["BF16, IPEX"].verdict == "faster"
    assert steps["BF16, IPEX"].speedup_vs_previous == pytest.approx(2.0, rel=0.02)
    assert len(store.trials()) == len(steps) - 1


def test_an_invalid_rung_is_failed_and_takes_no_part_in_comparisons(store):
    steps, _ = go_up(store, Told(store, {("torch", "int8"): "no INT8 kernel ran", ("ipex", "int8"): 1.0}))
    failed = steps["INT8, PyTorch"]
    assert (failed.verdict, failed.reason, failed.speedup_vs_first) == ("failed", "no INT8 kernel ran", None)
    assert failed.trial.status == "invalid"
    assert steps["INT8, IPEX"].speedup_vs_previous == pytest.approx(2.0, rel=0.02)


def test_a_refusal_on_the_first_rung_is_the_users_to_solve(store, tmp_path):
    with pytest.raises(UserError, match="no such file"):
        go_up(store, Told(store, {("torch", "fp32"): UserError("no such file")}))
    assert not (tmp_path / "study.sqlite").exists()


def test_what_the_base_says_holds_on_every_rung_that_has_a_use_for_it(store):
    base = Config(
        {"precision": "int8", "calibration.samples": 3, "calibration.observer": "minmax", "runtime.interop_threads": 2},
        layers={"fc": "fp32"},
        preprocess={"size": 4},
    )
    _, configs = go_up(store, Told(store), base)
    for config in configs:
        if not config.applies(BY_KEY["runtime.interop_threads"]):
            assert config["runtime.interop_threads"] == 2
        assert config.preprocess == {"size": 4}
        assert config.layers == ({"fc": "fp32"} if config.precision == "int8" else {})
        if not config.applies(BY_KEY["calibration.samples"]):
            assert (config["calibration.samples"], config["calibration.observer"]) == (3, "minmax")
    assert any(config.layers for config in configs)


def test_a_rung_that_the_base_does_not_allow_is_skipped_and_the_others_are_climbed(store):
    base = Config({"precision": "int8", "quantization.range": "full", "target_isa": "avx2"})
    steps, _ = go_up(store, Told(store), base)
    assert list(steps) == [rung.name for rung in RUNGS]
    skipped = steps["INT8, ONNX Runtime"]
    assert skipped.verdict == "skipped"
    assert "overflows 16-bit sums" in skipped.reason
    assert steps["INT8, PyTorch"].trial.config["quantization"]["range"] == "full"


def test_the_study_keeps_the_ladder_rung_by_rung(store):
    answers = {("ipex", "fp32"): UserError("No IPEX."), ("torch", "int8"): "no INT8 kernel ran"}
    seen = []

    class Stopped(Exception):
        pass

    def stop(step):
        seen.append(step)
        assert ladder.ladders(store)[-1].steps == seen
        if step.name == "INT8, PyTorch":
            raise Stopped

    assert ladder.ladders(store) == []
    with pytest.raises(Stopped):
        climb(Told(store, answers), store, Subject(model()), Config(), on_done=stop)
    (kept,) = ladder.ladders(store)
    assert {step.verdict for step in kept.steps} >= {"start", "same", "skipped", "failed"}
    whole = climb(Told(store), store, Subject(model()), Config())
    again = ladder.ladders(store, store.trials())
    assert again == [kept, whole] and kept.drift is None
    assert again[0].created <= again[1].created


class Tired(Told):
    """Answers otherwise once the first rung comes again; knows how it is told of that."""

    def __init__(self, store, end) -> None:
        super().__init__(store)
        self._end = end

    def tire(self):
        self._answers = {("torch", "fp32"): self._end}


@pytest.mark.parametrize(("end", "drifted"), [(2.0, False), (4.0, True)])
def test_the_first_rung_is_measured_again_at_the_end_and_kept_with_the_ladder(store, end, drifted):
    runner = Tired(store, end)
    whole = climb(runner, store, Subject(model()), Config(), on_again=runner.tire)
    found = whole.drift
    assert runner.configs[-1].to_dict() == runner.configs[0].to_dict()
    assert found.drifted == drifted and ("has changed" in found.text) == drifted
    assert found.ratio == pytest.approx(end / 2, rel=0.02) and found.ci95[0] < found.ratio < found.ci95[1]
    assert store.trial(found.trial).config == whole.steps[0].trial.config and found.trial == len(store.trials())
    assert ladder.ladders(store) == [whole]
    assert found.text in drawn(whole)


def test_without_a_second_rung_or_a_first_one_that_still_works_nothing_is_said_of_drift(store):
    runner = Tired(store, "it broke")
    assert climb(runner, store, Subject(model()), Config(), on_again=runner.tire).drift is None
    asked = []
    one = climb(Told(store), store, Subject(model()), Config(), rungs=RUNGS[:1], on_again=lambda: asked.append(1))
    assert one.drift is None and not asked
    assert [each.drift for each in ladder.ladders(store)] == [None, None]


def test_a_ladder_of_an_older_version_comes_back_without_drift(store):
    first = store.add(trial(), None)
    step = {"name": "naive", "config_changes": {}, "verdict": "start", "speedup_vs_first": 1.0, "trial": first.id}
    store.put_series("ladder", {"created": "2026-01-01T00:00:00+00:00", "steps": [step]})
    (old,) = ladder.ladders(store)
    assert old.drift is None and old.steps[0].trial == first


def test_some_rungs_alone(store):
    chosen = [rung for rung in RUNGS if rung.name in ("naive", "oneDNN", "INT8, ONNX Runtime")]
    steps = climb(Told(store), store, Subject(model()), Config(), rungs=chosen).steps
    assert [step.name for step in steps] == [rung.name for rung in chosen]
    assert steps[1].trial.config["graph"]["grad"], "what a rung that was left out turns stays as it was"


def test_an_onnx_file_has_a_ladder_of_its_own(store):
    onnx = Subject(model(format="onnx"))
    steps = climb(Told(store), store, onnx, Config({"engine": "onnxruntime"})).steps
    assert [step.name for step in steps] == [rung.name for rung in ladder.ONNX_RUNGS]
    assert {step.trial.config["engine"] for step in steps} == {"onnxruntime"}
    assert steps[0].verdict == "start"


BEHAVIOURS = {("ipex", "fp32"): "rnn+refuse@load", ("ipex", "bf16"): "abort@run", ("torch", "int8"): "no-int8"}


class Choosy(Runner):
    """Gives the fake engine another behaviour for some engines and precisions."""

    def __init__(self, *arguments, **options) -> None:
        super().__init__(*arguments, **options)
        self.configs: list[Config] = []

    def measure(self, subject, config, **options):
        self.configs.append(config)
        behaviour = BEHAVIOURS.get((config.engine, config.precision), "rnn")
        return super().measure(Subject(model(behaviour)), config, **options)


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_ladder_goes_on_past_workers_that_refuse_crash_and_do_not_prove(store, this_host, monkeypatch):
    chosen = ("naive", "oneDNN", "IPEX", "BF16, IPEX", "INT8 dynamic, PyTorch", "INT8, PyTorch", "INT8, IPEX")
    monkeypatch.setattr(ladder, "RUNGS", tuple(rung for rung in RUNGS if rung.name in chosen))
    steps, _ = go_up(store, Choosy(store, modules=MODULES, host=this_host))
    assert list(steps) == list(chosen)
    assert steps["IPEX"].verdict == "skipped"
    assert steps["IPEX"].reason == "The fake does not like it. It is only a fake."
    assert steps["BF16, IPEX"].verdict == "failed"
    assert "SIGABRT" in steps["BF16, IPEX"].reason
    assert steps["INT8, PyTorch"].reason == "INT8 was asked for and no INT8 kernel ran"
    others = [step for step in steps.values() if step.verdict not in ("skipped", "failed")]
    assert others[0].verdict == "start"
    assert all(step.verdict in COMPARED for step in others[1:])
    assert len(store.trials()) == len(steps) - 1

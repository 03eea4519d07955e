"""From a config to a stored trial, with an engine that is a fake: what is believed, and what is kept."""

from __future__ import annotations

import os
import signal
import sys

import msgspec
import numpy as np
import psutil
import pytest
from fake_engine import MODULES, model

from workbench.core.config import Config
from workbench.core.data import DataSource
from workbench.core.model import InputSpec
from workbench.errors import UserError
from workbench.host.isa import Isa
from workbench.host.limits import usable_cpus
from workbench.study import runner as runners
from workbench.study.runner import Listener, Runner, Subject, resolve
from workbench.study.store import Store

pytestmark = pytest.mark.usefixtures("nothing_left")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture
def measure(store, this_host):
    """Measure a behaviour of the fake; the knobs by keyword with ``__`` for the dot."""

    def measure(behaviour="", *, data=None, listener=None, runs=12, silence_s=60.0, layers=None, seconds=5.0, **knobs):
        config = Config({key.replace("__", "."): value for key, value in knobs.items()}, layers=layers or {})
        runner = Runner(store, modules=MODULES, host=this_host, silence_s=silence_s)
        return runner.measure(Subject(model(behaviour), data), config, runs=runs, seconds=seconds, listener=listener)

    return measure


@pytest.fixture
def rows(tmp_path):
    """Eight samples for the fake's input."""
    file = tmp_path / "rows.npy"
    np.save(file, np.arange(32, dtype=np.float32).reshape(8, 4))
    return DataSource(path=str(file))


def plain(trial):
    """The trial as it looks on disk, where a tuple is a list."""
    return msgspec.json.encode(trial)


# -- a good trial -----------------------------------------------------------------------------------


def test_a_disturbed_burst_is_taken_anew_and_stored_nowhere(measure, store):
    heard = []

    def hear(samples):
        heard.append(samples.copy())
        return len(heard) != 2

    trial = measure("sleep=0.06@run", listener=Listener(burst=hear), runs=10)
    assert [burst.size for burst in heard] == [5, 5, 5] and trial.latency.n == 10
    kept = [np.frombuffer(burst, np.int64).tolist() for burst in store.samples(trial.id).bursts]
    assert kept == [heard[0].tolist(), heard[2].tolist()] and len(store.samples(trial.id).after_gap) == 16
    assert any(text.startswith("1 bursts were thrown away") for text in trial.warnings)


def test_a_trial_that_nobody_wants_is_not_stored(measure, store):
    trial = measure(listener=Listener(wanted=lambda: False))
    assert trial.status == "ok" and trial.id is None and store.trials() == []


def test_a_good_trial_is_ok_and_stored_with_every_sample(measure, store, rows):
    heard = []
    listener = Listener(burst=lambda samples: heard.append(samples.copy()), warm_up=heard.append)
    trial = measure("sleep=0.001@run", data=rows, listener=listener, runs=120, run__batch=2)
    assert (trial.status, trial.reason, trial.id) == ("ok", "", 1)
    assert plain(store.trial(1)) == plain(trial)
    kept = store.samples(1)
    assert np.frombuffer(kept.warmup, np.int64).tolist() == heard[0].tolist()
    bursts = [np.frombuffer(burst, np.int64) for burst in kept.bursts]
    assert [burst.tolist() for burst in bursts] == [burst.tolist() for burst in heard[1:]]
    every = np.concatenate(bursts)
    assert trial.latency.n == every.size == 120
    assert trial.latency.warmup_n == heard[0].size
    assert trial.latency.max_ms == pytest.approx(every.max() / 1e6)
    assert trial.latency.p99_ms is not None
    assert len(kept.after_gap) == 8 * len(bursts)
    assert trial.throughput_per_s == pytest.approx(2000 / trial.latency.mean_ms)
    assert trial.accuracy.samples == len(trial.data.evaluation) == 4
    assert trial.accuracy.cosine_min == 1.0
    assert trial.memory.peak_rss_mb > 10
    assert trial.config["run"]["batch"] == 2
    assert trial.host["cpu"]["logical_cpus"] >= 1
    assert trial.noise
    assert trial.phases_s["ordered to first run"] > trial.phases_s["starting"] > 0


def test_a_knob_without_effect_and_a_preview_are_told(measure, monkeypatch):
    monkeypatch.setattr(runners, "read_isa", lambda: Isa(("avx2",)))
    monkeypatch.setenv("KMP_AFFINITY", "compact")
    trial = measure(runtime__isa_limit="avx2", runtime__threads=1, runtime__wait_policy="active")
    text = " ".join(trial.warnings)
    assert "KMP_AFFINITY of this shell did not reach the worker" in text and "under libgomp" in text
    assert "runtime.isa_limit=avx2 has no effect" in text and "limited to avx2" in text
    assert "runtime.wait_policy has no effect with one thread" in text


def test_the_trial_says_which_files_make_the_model(this_host):
    subject = Subject(model(companions=("blocks.py", "heads/box.py")))
    trial = Runner(modules=MODULES, host=this_host).measure(subject, Config(), runs=5)
    assert trial.model.companions == ["blocks.py", "heads/box.py"]


def test_one_slow_run_shows_in_the_maximum_alone(measure):
    slow = "+".join(f"sleep=0.1@run{number}" for number in range(200, 4000, 200))
    trial = measure(f"sleep=0.001@run+{slow}", runs=500)
    assert trial.latency.max_ms > 100
    assert trial.latency.p50_ms < 10
    assert "worst run" in trial.latency.noise


def test_without_data_there_is_no_accuracy(measure):
    trial = measure()
    assert trial.accuracy is None
    assert trial.data is None


def test_a_deadline_counts_what_missed_it(store, this_host):
    runner = Runner(store, modules=MODULES, host=this_host)
    trial = runner.measure(Subject(model("sleep=0.002@run")), Config(), runs=10, deadline_ms=0.5)
    assert (trial.latency.missed, trial.latency.deadline_ms) == (10, 0.5)


def test_seconds_bound_the_time_in_kept_runs(measure):
    trial = measure("sleep=0.01@run", runs=100_000, seconds=0.3)
    assert 10 <= trial.latency.n <= 75


def test_what_a_library_prints_or_warns_is_kept_apart_from_our_warnings(measure):
    trial = measure("warn=old model@load+chatter=0.2@run1")
    assert trial.status == "ok"
    assert trial.library_warnings == ["UserWarning: old model"]
    assert not any("old model" in text or "hello" in text for text in trial.warnings)


def test_without_a_store_a_trial_has_no_number(this_host):
    trial = Runner(modules=MODULES, host=this_host).measure(Subject(model()), Config(), runs=5)
    assert (trial.status, trial.id) == ("ok", None)


# -- trials that may not be believed ----------------------------------------------------------------


def test_int8_without_a_single_int8_kernel_is_invalid(measure, store):
    trial = measure("no-int8", precision="int8")
    assert (trial.status, trial.reason) == ("invalid", "INT8 was asked for and no INT8 kernel ran")
    assert trial.proof.fp32_kernels == 2
    assert plain(store.trial(trial.id)) == plain(trial)


def test_fewer_int8_kernels_than_planned_is_invalid_with_the_layers_name(measure):
    trial = measure("short-int8", precision="int8")
    assert trial.status == "invalid"
    assert trial.reason == "1 of 2 planned layers ran in INT8; missing: fc"


def test_a_layer_pinned_to_fp32_is_not_missed_but_said(measure):
    trial = measure(precision="int8", layers={"fc": "fp32"})
    assert trial.status == "ok"
    assert (trial.proof.int8_kernels, trial.proof.expected_int8) == (1, 1)
    assert any("Not in INT8: fc (kept in FP32 by the config)" in text for text in trial.warnings)


def test_bf16_that_did_not_happen_is_invalid(measure):
    assert measure("no-bf16", precision="bf16").reason == "BF16 was asked for and no BF16 kernel ran"
    assert measure(precision="bf16").status == "ok"


def test_outputs_that_are_not_finite_are_invalid_and_can_be_read_back(measure, store, rows):
    trial = measure("nan", data=rows)
    assert trial.status == "invalid"
    assert "not finite" in trial.reason
    assert trial.accuracy.cosine_mean == 0.0
    assert any("NaN" in text for text in trial.warnings)
    assert plain(store.trial(trial.id)) == plain(trial)


def test_another_number_of_threads_than_asked_for_is_invalid(measure):
    trial = measure("threads=7", runtime__threads=2)
    assert trial.status == "invalid"
    assert "2 threads were asked for, 7 are used" in trial.reason


def test_a_number_of_threads_left_to_the_library_is_not_held_against_it(measure):
    assert measure("threads=7", runtime__threads=-1).status == "ok"


def test_other_inter_op_threads_are_invalid(measure):
    assert "inter-op threads are 5" in measure("interop=5").reason


@posix_only
@pytest.mark.skipif(len(usable_cpus()) < 2, reason="needs two CPUs")
def test_a_library_that_moves_the_worker_to_another_cpu_is_found_out(measure):
    one, other = usable_cpus()[:2]
    trial = measure(f"repin={other}@load", runtime__affinity=str(one))
    assert trial.status == "invalid"
    assert f"CPUs [{one}] were asked for" in trial.reason
    assert str(other) in trial.reason
    trial = measure(runtime__affinity=str(other))
    assert (trial.status, trial.effective.affinity) == ("ok", [other])


# -- trials that did not come to an end -------------------------------------------------------------


@posix_only
@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("abort@run", "SIGABRT"),
        ("exit=3@prove", "code 3"),
        ("garbage@run", "not a report"),
        ("value-error@build", "ValueError: a bug of the fake"),
    ],
)
def test_a_worker_that_ends_badly_is_a_failed_trial_with_the_reason(measure, store, behaviour, reason):
    trial = measure(behaviour)
    assert trial.status == "failed"
    assert reason in trial.reason
    assert plain(store.trials()) == plain([trial])


@posix_only
def test_samples_taken_before_a_crash_are_kept(measure, store):
    trial = measure("exit=3@prove", runs=20)
    assert trial.latency.n == 20
    assert len(store.samples(trial.id).bursts[0]) == 8 * 20
    assert trial.effective is None


@posix_only
def test_the_last_words_of_a_crashed_worker_are_in_its_warnings(measure):
    trial = measure("long-line=3@load+segv@load")
    (words,) = [text for text in trial.warnings if text.startswith("Last words")]
    assert "xxx" in words
    assert len(words) < 20_000


def test_a_hung_worker_is_a_failed_trial(measure):
    trial = measure("hang@build", silence_s=1.5)
    assert (trial.status, trial.reason) == ("failed", "the worker said nothing for 1.5 s and was killed")


@posix_only
def test_a_kill_from_outside_costs_one_trial_and_names_the_signal(measure, store):
    good = measure()
    workers = []

    def kill(_):
        os.kill(workers[0].pid, signal.SIGKILL)

    bad = measure("sleep=0.002@run", runs=100_000, listener=Listener(started=workers.append, burst=kill))
    assert bad.status == "failed"
    assert "SIGKILL" in bad.reason
    assert bad.latency.n > 0
    assert [record.id for record in store.trials()] == [good.id, bad.id]
    assert plain(store.trial(good.id)) == plain(good)
    assert measure().status == "ok"


def test_a_cancelled_trial_keeps_what_was_measured_until_then(measure, store):
    workers = []
    listener = Listener(started=workers.append, burst=lambda _: workers[0].cancel())
    trial = measure("sleep=0.002@run", runs=100_000, listener=listener)
    assert trial.status == "failed"
    assert "cancelled; what was measured until then is kept" in trial.reason
    assert trial.latency.n > 0
    assert trial.effective is not None
    assert len(store.samples(trial.id).bursts) == 1
    after = measure()
    assert (after.status, after.latency.n, [each.id for each in store.trials()]) == ("ok", 12, [trial.id, after.id])


def test_an_interrupt_stores_the_trial_and_goes_on_to_the_caller(measure, store):
    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure("sleep=0.002@run", runs=100_000, listener=Listener(burst=interrupt))
    (trial,) = store.trials()
    assert trial.status == "failed"
    assert "cancelled" in trial.reason
    assert trial.latency.n > 0
    assert store.samples(trial.id).bursts


# -- refusals ---------------------------------------------------------------------------------------


def test_a_refused_job_stores_nothing_and_makes_no_file(measure, store, tmp_path):
    with pytest.raises(UserError) as caught:
        measure("refuse@load")
    assert (caught.value.what, caught.value.next_step) == ("The fake does not like it.", "Use a real one.")
    assert not (tmp_path / "study.sqlite").exists()


def test_a_study_that_cannot_be_written_starts_no_worker(this_host, tmp_path):
    (tmp_path / "file").write_text("in the way")
    started = []
    runner = Runner(Store(str(tmp_path / "file" / "s.sqlite")), modules=MODULES, host=this_host)
    with pytest.raises(UserError, match="cannot be written"):
        runner.measure(Subject(model("")), Config(), runs=5, listener=Listener(started=started.append))
    assert not started


def test_a_cpu_that_is_not_there_starts_no_worker(measure, tmp_path):
    started = []
    with pytest.raises(UserError, match="4096"):
        measure(runtime__affinity="4096", listener=Listener(started=started.append))
    assert not started
    assert not (tmp_path / "study.sqlite").exists()


def test_a_batch_that_a_fixed_axis_cannot_take_is_refused(this_host):
    fixed = model(inputs=(InputSpec(name="x", shape=(1, 4)),))
    with pytest.raises(UserError, match="batch 3"):
        Runner(modules=MODULES, host=this_host).measure(Subject(fixed), Config({"run.batch": 3}), runs=5)


def test_an_engine_that_is_not_available_is_refused_with_its_reason(monkeypatch, tmp_path):
    from workbench.host.engines import EngineStatus

    status = EngineStatus("ipex", False, "2.8", "It needs AVX2.")
    monkeypatch.setattr(runners, "list_engines", lambda *_, **__: (status,))
    with pytest.raises(UserError) as caught:
        Runner(Store(str(tmp_path / "s.sqlite"))).measure(Subject(model()), Config({"engine": "ipex"}))
    assert "'ipex' is not available" in caught.value.what
    assert "It needs AVX2." in caught.value.why


# -- inspection -------------------------------------------------------------------------------------


def test_an_inspection_returns_facts(this_host):
    facts = Runner(modules=MODULES, host=this_host).inspect(Subject(model()), Config())
    assert [layer.name for layer in facts.layers] == ["conv", "fc", "relu"]


@posix_only
def test_an_inspection_that_cannot_be_done_is_refused_with_the_reason(this_host):
    runner = Runner(modules=MODULES, host=this_host)
    with pytest.raises(UserError, match="does not like it"):
        runner.inspect(Subject(model("refuse@load")), Config())
    with pytest.raises(UserError) as caught:
        runner.inspect(Subject(model("segv@trace")), Config())
    assert "SIGSEGV" in caught.value.why


# -- what depends on the machine --------------------------------------------------------------------


@pytest.fixture
def on(monkeypatch):
    return lambda *names: monkeypatch.setattr(runners, "read_isa", lambda: Isa(names))


@pytest.mark.parametrize(
    ("isa", "asked", "target", "quantized"),
    [
        (("avx2",), "host", "avx2", "reduced"),
        (("avx2", "avx512"), "host", "avx512", "reduced"),
        (("avx2", "avx512", "avx512_vnni"), "host", "avx512_vnni", "full"),
        (("avx2", "avx_vnni"), "host", "avx_vnni", "full"),
        (("avx2", "avx512", "avx512_vnni", "amx_int8"), "host", "amx_int8", "full"),
        (("avx2",), "avx512_vnni", "avx512_vnni", "full"),
        (("avx2", "avx512", "avx512_vnni"), "avx2", "avx2", "reduced"),
        (("sse4_2",), "host", "avx2", "reduced"),
    ],
)
def test_the_range_follows_from_the_target(on, isa, asked, target, quantized):
    on(*isa)
    config = resolve(Config({"precision": "int8", "target_isa": asked}))
    assert config["target_isa"] == target
    assert config["quantization.range"] == quantized


@pytest.mark.parametrize(
    ("asked", "limit", "target", "quantized"),
    [
        ("host", "avx2", "avx2", "reduced"),
        ("host", "avx512", "avx512", "reduced"),
        ("avx512_vnni", "avx2", "avx512_vnni", "full"),
    ],
)
def test_under_an_isa_limit_the_host_is_the_older_cpu(on, asked, limit, target, quantized):
    on("avx2", "avx_vnni", "avx512", "avx512_vnni", "amx_int8")
    config = resolve(Config({"precision": "int8", "target_isa": asked, "runtime.isa_limit": limit}))
    assert (config["target_isa"], config["quantization.range"]) == (target, quantized)


def test_a_range_that_was_asked_for_stays(on):
    on("avx2")
    config = resolve(Config({"precision": "int8", "quantization.range": "full"}))
    assert config["quantization.range"] == "full"
    assert config["target_isa"] == "avx2"


def test_layers_and_other_knobs_survive_resolving(on):
    on("avx2")
    config = Config({"precision": "int8", "calibration.samples": 3}, layers={"c": "fp32"}, preprocess={"size": 8})
    resolved = resolve(config)
    assert (resolved.layers, resolved.preprocess) == (config.layers, config.preprocess)
    assert resolved["calibration.samples"] == 3


def test_floating_point_has_nothing_to_resolve(on):
    on("avx2")
    config = Config({"precision": "bf16"})
    assert resolve(config) is config


def test_the_trial_shows_the_resolved_range_and_target(measure):
    trial = measure(precision="int8")
    assert trial.config["quantization"]["range"] in ("full", "reduced")
    assert trial.config["target_isa"] != "host"


def test_nothing_of_a_worker_is_left_in_memory(measure):
    before = psutil.Process().num_fds() if hasattr(psutil.Process(), "num_fds") else 0
    for _ in range(3):
        measure()
    if before:
        assert psutil.Process().num_fds() <= before + 6  # the study's own connection stays open

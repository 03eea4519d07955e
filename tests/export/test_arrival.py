"""A bundle of another machine, held against this one: what differs, and what follows from it."""

from __future__ import annotations

import shutil

import msgspec
import numpy as np
import pytest
from foreign_bundle import COPPER, write

from workbench.core.latency import summarize
from workbench.errors import UserError
from workbench.export import arrival
from workbench.export.arrival import arrive, opened
from workbench.export.verify import Check, Verification

GOLDEN = Check(name="golden outputs", ok=True, detail="cosine at least 0.999998")


@pytest.fixture
def host(this_host):
    """Two cores with AVX2 and nothing beyond."""
    cpu = msgspec.structs.replace(
        this_host.cpu, model="AMD EPYC", isa=("sse4_1", "sse4_2", "avx", "avx2", "fma"), physical_cores=2
    )
    return msgspec.structs.replace(this_host, cpu=cpu, usable_cpus=(0, 1), default_threads=2, memory_mb=16384)


@pytest.fixture
def verified(monkeypatch):
    """What the verification finds; change it before it is asked for."""
    latency = summarize([np.full(300, 6_000_000)], [], [])
    found = Verification(
        ok=True, checks=[GOLDEN], latency=latency, proof={"int8_kernels": 5}, ratio=1.5, ci95=(1.3, 1.7)
    )
    answers = [found]

    def verify(folder, *, python, on_check, progress):
        if isinstance(answers[-1], UserError):
            raise answers[-1]
        for check in answers[-1].checks:
            on_check(check)
        return answers[-1]

    monkeypatch.setattr(arrival, "verify", verify)
    return answers


def facts(found):
    return {fact.name: fact for fact in found.facts}


def test_there_and_here_stand_side_by_side(tmp_path, host, verified):
    heard = []
    found = arrive(write(tmp_path / "b"), host=host, on_check=heard.append)
    assert found.ok and heard == [GOLDEN] and found.bundle["name"] == "digits-cnn"
    known = facts(found)
    cpu = known["CPU"]
    assert (cpu.there, cpu.here, cpu.meaning) == ("Intel(R) Xeon(R) CPU E3-1505M v5", "AMD EPYC", "differs")
    assert (known["physical cores"].there, known["physical cores"].meaning) == ("4", "worse")
    assert (known["usable CPUs"].there, known["usable CPUs"].here) == ("0-3", "0-1")
    assert "4 as exported, more than" in known["usable CPUs"].note
    assert (known["instruction sets"].here, known["instruction sets"].meaning) == ("also fma", "differs")
    assert known["memory, MB"].meaning == "better" and known["glibc"].there == "–"
    assert (known["numpy"].meaning, known["Python"].meaning, known["onnxruntime"].meaning) == (
        "same", "differs", "differs"
    )  # fmt: skip
    p50 = known["latency p50, ms"]
    assert (p50.there, p50.here, p50.meaning, p50.note) == ("4.05", "6.00", "worse", "1.48 times as long as there")
    assert (known["latency p99, ms"].there, known["latency p99, ms"].here) == ("4.10", "6.00")
    golden = known["golden outputs"]
    assert (golden.there, golden.here) == ("mean cosine 0.9876 to FP32", "cosine at least 0.999998")
    assert found.latency["ratio"] == 1.5 and found.latency["here"].n == 300 and found.latency["there"].n == 100


def test_a_difference_within_its_interval_is_none(tmp_path, host, verified):
    verified.append(msgspec.structs.replace(verified[0], ratio=1.1, ci95=(0.9, 1.3)))
    assert facts(arrive(write(tmp_path / "b"), host=host))["latency p50, ms"].meaning == "same"


@pytest.mark.parametrize(
    ("changes", "isa", "policy", "note"),
    [
        ({}, ("avx2",), ("reduced", "reduced"), ""),
        ({}, ("avx2", "avx512_vnni"), ("reduced", "full"), "more accuracy"),
        ({"cpu": COPPER, "range": "full"}, ("avx2", "avx_vnni"), ("full", "full"), ""),
        ({"cpu": COPPER, "range": "full"}, ("avx2",), ("full", "reduced"), "overflow"),
    ],
)
def test_the_range_policy_follows_vnni(tmp_path, host, verified, changes, isa, policy, note):
    here = msgspec.structs.replace(host, cpu=msgspec.structs.replace(host.cpu, isa=isa))
    known = facts(arrive(write(tmp_path / "b", **changes), host=here))
    found = known["range policy"]
    assert (found.there, found.here) == policy and (note in found.note if note else not found.note)
    assert known["VNNI"].here == ("yes" if "vnni" in isa[-1] else "no")


def test_fp32_has_no_range_policy(tmp_path, host, verified):
    known = facts(arrive(write(tmp_path / "b", range=None, int8_kernels=0), host=host))
    assert not {"VNNI", "range policy"} & set(known)


def test_where_it_does_not_even_start_the_differences_are_told_all_the_same(tmp_path, host, verified):
    verified.append(UserError("The bundle does not run (exit 2).", "The bundle wants CPUs 0-3."))
    heard = []
    found = arrive(write(tmp_path / "b"), host=host, on_check=heard.append)
    assert not found.ok and heard == found.checks and "wants CPUs 0-3" in found.checks[0].detail
    known = facts(found)
    assert known["usable CPUs"].meaning == "differs" and known["latency p50, ms"].here == "–"


def test_another_interpreter_that_cannot_run_has_no_packages(tmp_path, host, verified):
    known = facts(arrive(write(tmp_path / "b"), host=host, python=str(tmp_path / "none")))
    assert known["numpy"].here == "not installed" and known["numpy"].meaning == "differs"


def test_it_is_opened_as_folder_file_or_zip(tmp_path):
    folder = write(tmp_path / "b")
    for place in (folder, folder / "manifest.json"):
        with opened(place) as found:
            assert found == folder
    packed = shutil.make_archive(str(tmp_path / "b"), "zip", folder)
    with opened(tmp_path / "b.zip") as found:
        assert (found / "manifest.json").is_file() and str(found) != packed
    assert not found.exists()


@pytest.mark.engine
def test_a_real_bundle_that_comes_back_as_a_zip_finds_all_as_it_was(run, bundle, tmp_path):
    packed = shutil.make_archive(str(tmp_path / "digits"), "zip", bundle)
    shutil.rmtree(bundle)
    said = run("import", packed, "--json")
    found = said.json
    assert said.code == 0 and found["ok"] and found["proof"] == {"int8_kernels": 5, "expected_int8": 5}
    names = ["files", "versions", "cpu", "preprocessing", "golden outputs", "INT8 kernels"]
    assert [check["name"] for check in found["checks"]] == names and all(check["ok"] for check in found["checks"])
    known = {fact["name"]: fact for fact in found["facts"]}
    assert {"CPU", "instruction sets", "range policy", "onnxruntime", "Python", "golden outputs"} < known.keys()
    alike = [fact for name, fact in known.items() if not name.startswith(("latency", "range", "golden"))]
    assert {fact["meaning"] for fact in alike} == {"same"} and known["CPU"]["there"] == known["CPU"]["here"] != "–"
    assert known["latency p50, ms"]["there"] != "–"


def test_what_is_no_bundle_is_refused(tmp_path, host):
    (tmp_path / "x.zip").write_text("no")
    with pytest.raises(UserError, match="is no bundle"), opened(tmp_path / "x.zip"):
        pass
    with pytest.raises(UserError, match="is no bundle"):
        arrive(tmp_path, host=host)

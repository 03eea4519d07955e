"""What a bundle holds, that it runs elsewhere, and that it refuses to where it should."""

from __future__ import annotations

import hashlib
import json
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from bundles import edited, run

from workbench.core.config import Config
from workbench.errors import UserError
from workbench.export.bundle import export
from workbench.study.subject import find_subject

pytestmark = pytest.mark.engine

CONFIG = Config({"engine": "onnxruntime", "precision": "int8", "runtime.threads": 1})


def test_it_holds_what_it_needs_and_says_so(bundle):
    manifest = json.loads((bundle / "manifest.json").read_text("utf-8"))
    names = {path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()}
    texts = {"run.py", "requirements.txt", "Dockerfile", "inference.service", "start.bat", "README.md", "config.toml"}
    assert {*texts, "README.zh_CN.md", "golden.npz", "model.onnx", "model_fp32.onnx"} < names
    assert names == {*manifest["files"], "manifest.json"} and next(iter(manifest["files"])) == "model.onnx"
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((bundle / name).read_bytes()).hexdigest() == digest
    assert manifest["int8_kernels"] == 5 and manifest["range"] == "reduced" and manifest["isa_floor"] == "avx2"
    assert manifest["runtime"]["threads"] == 1 and manifest["batches"] == [1, 2, 4, 8]
    assert manifest["measured"]["accuracy"]["cosine_mean"] > 0.99
    pins = (bundle / "requirements.txt").read_text("utf-8")
    assert f"onnxruntime=={manifest['versions']['onnxruntime']}\n" in pins and "torch" not in pins
    config = Config.from_toml((bundle / "config.toml").read_text("utf-8"))
    assert config.engine == "onnxruntime" and config.precision == "int8"
    for text in ("README.md", "run.py", "start.bat", "Dockerfile", "manifest.json"):
        assert str(bundle.parent.parent) not in (bundle / text).read_text("utf-8"), "no path of this machine"


def test_moved_it_passes_its_own_test(bundle):
    ran = run(bundle, "--selftest", "--json")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    details = {check["name"]: check["detail"] for check in found["checks"]}
    assert found["ok"] and details["INT8 kernels"] == "5 INT8 kernels ran" and found["checks"][-1]["kernels"] == 5
    assert list(details) == ["files", "versions", "cpu", "preprocessing", "golden outputs", "INT8 kernels"]


def test_it_answers_arrays_in_order_with_the_golden_outputs(bundle, tmp_path):
    with np.load(bundle / "golden.npz") as golden:
        rows = np.concatenate([golden[f"{number}.in.image"] for number in (2, 0, 1)])
        wanted = [golden[f"{number}.out.output"][0] for number in (2, 0, 1)]
    np.save(tmp_path / "rows.npy", rows)
    ran = run(bundle, str(tmp_path / "rows.npy"), "--batch", "1")
    assert ran.returncode == 0, ran.stderr
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [line["n"] for line in lines] == [0, 1, 2] and lines[0]["frame"] == "rows.npy[0]"
    for line, scores in zip(lines, wanted, strict=True):
        best, value = line["outputs"]["output"]["best"][0]
        assert best == int(scores.argmax()) and value == pytest.approx(float(scores.max()), rel=1e-6)
    assert json.loads(ran.stderr.splitlines()[-1])["counters"]["answered"] == 3


@pytest.mark.parametrize("name", ["model.onnx", "golden.npz"])
def test_a_flipped_byte_is_refused(bundle, name):
    data = bytearray((bundle / name).read_bytes())
    data[len(data) // 2] ^= 1
    (bundle / name).write_bytes(data)
    ran = run(bundle, "--bench", "5")
    assert ran.returncode == 2 and f"{name} is not what was exported" in ran.stderr and not ran.stdout
    test = run(bundle, "--selftest", "--json")
    assert test.returncode == 1 and name in json.loads(test.stdout)["checks"][0]["detail"]


def test_a_missing_file_is_refused(bundle):
    (bundle / "model.onnx").unlink()
    ran = run(bundle, "--bench", "5")
    assert ran.returncode == 2 and "model.onnx cannot be read" in ran.stderr and "Traceback" not in ran.stderr


def test_another_engine_version_is_refused(bundle):
    versions = json.loads((bundle / "manifest.json").read_text("utf-8"))["versions"]
    edited(bundle, versions={**versions, "onnxruntime": "1.2.3"})
    ran = run(bundle, "x.png")
    assert ran.returncode == 2 and "verified with 1.2.3" in ran.stderr and "pip install -r" in ran.stderr


def test_a_cpu_below_the_floor_is_refused_with_the_reason(bundle):
    assert run(bundle, "--bench", "5", "--pretend-isa", "avx2").returncode == 0
    ran = run(bundle, "--bench", "5", "--pretend-isa", "sse4")
    assert ran.returncode == 2 and "no avx2" in ran.stderr
    edited(bundle, isa_floor="vnni", isa_reason="Its ranges use all 8 bits.")
    ran = run(bundle, "--bench", "5", "--pretend-isa", "avx2")
    assert ran.returncode == 2 and "avx512_vnni or avx_vnni" in ran.stderr and "all 8 bits" in ran.stderr


def test_cpus_that_do_not_exist_are_refused(bundle):
    ran = run(bundle, "--bench", "5", "--affinity", "4000")
    assert ran.returncode == 2 and "--affinity" in ran.stderr


def test_what_is_no_bundle_or_no_input_is_refused(bundle, tmp_path):
    ran = run(bundle, str(tmp_path / "nothing.png"))
    assert ran.returncode == 2 and "nothing.png" in ran.stderr
    (bundle / "manifest.json").write_text("{", "utf-8")
    ran = run(bundle, "--selftest")
    assert ran.returncode == 2 and "is no bundle" in ran.stderr


def test_nothing_is_overwritten_or_left_behind(runner, exported, tmp_path):
    subject, config = find_subject("sample:digits-cnn"), Config({"engine": "onnxruntime"})
    with pytest.raises(UserError, match="exists already"):
        export(runner, subject, config, exported)
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(UserError, match="cannot be written"):
        export(runner, subject, config, file / "deeper")
    broken = Config({"engine": "torch", "precision": "int8", "graph.mode": "eager"}).with_layer("no such layer", "fp32")
    with pytest.raises(UserError, match="no such layer"):
        export(runner, subject, broken, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_worker_that_fills_the_disk_tells_and_leaves_nothing(runner, mounted):
    with pytest.raises(UserError, match="No space left on device"):
        export(runner, find_subject("sample:digits-cnn"), CONFIG, mounted / "out", processes=0)
    assert list(mounted.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_answers_that_nobody_can_take_end_it_and_records_about_drift_do_not(bundle, rows, tmp_path):
    np.save(tmp_path / "rows.npy", rows)
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, "-B", bundle / "run.py", tmp_path / "rows.npy"], stdout=full, stderr=subprocess.PIPE,
            text=True, check=False,
        )  # fmt: skip
    assert ran.returncode == 2 and "The answers cannot be written" in ran.stderr and "Traceback" not in ran.stderr
    ran = run(bundle, str(tmp_path / "rows.npy"), "--drift", "/dev/full", "--every", "1")
    assert ran.returncode == 0 and len(ran.stdout.splitlines()) == 4
    assert ran.stderr.count("/dev/full cannot be written to: No space left on device.") == 1
    ran = run(bundle, str(tmp_path / "rows.npy"), "--drift", str(tmp_path / "no folder" / "drift"))
    assert ran.returncode == 2 and "Give --drift another file" in ran.stderr and not ran.stdout


def test_it_runs_from_a_folder_that_cannot_be_written_to(bundle):
    before = sorted(path.name for path in bundle.rglob("*"))
    places = [bundle, *(path for path in bundle.rglob("*") if path.is_dir())]
    for place in places:
        place.chmod(stat.S_IRUSR | stat.S_IXUSR)
    ran = subprocess.run([sys.executable, bundle / "run.py", "--selftest"], capture_output=True, text=True, check=False)
    for place in places:
        place.chmod(stat.S_IRWXU)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for place in bundle.rglob("__pycache__"):  # only root could write them all the same
        shutil.rmtree(place)
    assert sorted(path.name for path in bundle.rglob("*")) == before


def test_who_reads_a_line_and_leaves_is_no_error(bundle, rows, tmp_path):
    np.save(tmp_path / "rows.npy", rows)
    command = [sys.executable, "-B", str(bundle / "run.py"), str(tmp_path / "rows.npy"), "--seconds", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline().startswith('{"n": 0')
        child.stdout.close()
        said = child.stderr.read()
        assert child.wait(30) == 0 and "Traceback" not in said and "BrokenPipe" not in said


def test_importing_what_runs_on_site_imports_no_engine_and_little_else():
    heavy = ("torch", "onnxruntime", "msgspec", "psutil", "click", "rich", "sqlalchemy")
    code = f"import sys, workbench.onsite.main; print([name for name in {heavy} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"

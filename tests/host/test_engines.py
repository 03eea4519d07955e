from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workbench.host import engines
from workbench.host.isa import Isa

OLD_CPU = Isa(("sse4_2", "avx"))
NEW_CPU = Isa(("sse4_2", "avx", "avx2"))
WORKS = "__version__ = '9.9'\n"

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def fake_probe(tmp_path, monkeypatch):
    """Replace the probe by a script, and the metadata by versions that fit together."""
    calls = tmp_path / "calls"

    def install(body: str, versions: dict[str, str | None] | None = None) -> None:
        probe = tmp_path / "fake_probe.py"
        probe.write_text(
            "import json, os, sys, time, signal\n"
            f"calls = {str(calls)!r}\n"
            "open(calls, 'a').write(sys.argv[1] + '\\n')\n"
            f"{body}\n"
        )
        monkeypatch.setattr(engines, "_PROBE", probe)
        known = {"python": "3.11.0", "torch": "2.8.0+cpu", "ipex": "2.8.0", "onnxruntime": "1.20"}
        monkeypatch.setattr(engines, "installed", lambda: {**known, **(versions or {})})

    install.calls = lambda: calls.read_text().split() if calls.exists() else []
    return install


def ask(**options):
    options = {"cpu_model": "cpu", "isa": NEW_CPU, "timeout_s": 20.0, **options}
    return {status.name: status for status in engines.list_engines(**options)}


GOOD = "print(json.dumps({'ok': True, 'version': '7.' + sys.argv[1], 'detail': ''}))"


def test_working_engines_and_the_cache(fake_probe, cache_folder):
    fake_probe(GOOD)
    first = ask()
    assert [status.available for status in first.values()] == [True] * 3
    assert first["torch"].version == "7.torch" and first["torch"].reason is None
    assert first["ipex"].note == "legacy: no releases after 2.8"
    assert sorted(fake_probe.calls()) == ["ipex", "onnxruntime", "torch"]
    assert ask() == first
    assert len(fake_probe.calls()) == 3
    assert [path.name for path in cache_folder.iterdir()] == ["engines.json"]


def test_without_time_nothing_is_tried_and_what_is_known_is_told(fake_probe):
    fake_probe(GOOD, {"ipex": None})
    assert list(ask(timeout_s=0)) == ["ipex"], "that it is not installed is seen without trying it"
    assert fake_probe.calls() == []
    first = ask()
    assert ask(timeout_s=0) == first
    assert sorted(fake_probe.calls()) == ["onnxruntime", "torch"]


def test_refresh_ignores_the_cache(fake_probe):
    fake_probe(GOOD)
    ask()
    ask(refresh=True)
    assert len(fake_probe.calls()) == 6


@pytest.mark.parametrize("change", [{"cpu_model": "other"}, {"isa": OLD_CPU}])
def test_another_cpu_asks_again(fake_probe, change):
    fake_probe(GOOD)
    ask()
    ask(**change)
    assert len(fake_probe.calls()) == 6


def test_another_version_asks_again(fake_probe):
    fake_probe(GOOD)
    ask()
    fake_probe(GOOD, {"onnxruntime": "1.21"})
    ask()
    assert len(fake_probe.calls()) == 6
    fake_probe(GOOD)
    ask()
    assert len(fake_probe.calls()) == 6


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"{}", b'{"format": 0, "entries": []}', b'{"format": 1, "entries": [1]}']
)
def test_unreadable_cache_is_no_cache(fake_probe, cache_folder, content):
    cache_folder.mkdir()
    (cache_folder / "engines.json").write_bytes(content)
    fake_probe(GOOD)
    assert ask()["torch"].available
    assert json.loads((cache_folder / "engines.json").read_text())["entries"]


def test_unwritable_cache_only_costs_time(fake_probe, cache_folder):
    cache_folder.write_text("a file where the folder should be")
    fake_probe(GOOD)
    assert ask()["torch"].available
    assert ask()["torch"].available
    assert len(fake_probe.calls()) == 6


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("print('hello'); raise SystemExit(0)", "without an answer"),
        (
            "sys.stderr.write('boo\\nneeds a licence\\n'); os._exit(127)",
            "exit code 127 while it was loaded (needs a licence)",
        ),
        ("print('{\"ok\": tru'); print('\\x00\\x01')", "without an answer"),
        (
            "print(json.dumps({'ok': False, 'error': 'ImportError: no libfoo'})); sys.exit(1)",
            "ImportError: no libfoo",
        ),
        ("print(json.dumps([1]))", "without an answer"),
        (GOOD + "; sys.stdout.flush(); os._exit(3)", "exit code 3"),
    ],
)
def test_every_bad_ending_is_worded(fake_probe, body, words):
    fake_probe(body)
    status = ask()["torch"]
    assert not status.available
    assert status.version == "2.8.0+cpu"
    assert words in status.reason
    assert status.reason.startswith("PyTorch ") and status.reason.endswith(".")


@posix_only
@pytest.mark.parametrize(
    ("name", "isa", "words"),
    [
        ("SIGILL", OLD_CPU, "the CPU or virtual machine lacks AVX2"),
        ("SIGILL", NEW_CPU, "although AVX2 is there"),
        ("SIGSEGV", NEW_CPU, "crashed while it was loaded (SIGSEGV)"),
        ("SIGKILL", NEW_CPU, "killed from outside"),
    ],
)
def test_signals_are_worded(fake_probe, name, isa, words):
    fake_probe(f"os.kill(os.getpid(), {int(getattr(signal, name))})")
    assert words in ask(isa=isa)["onnxruntime"].reason


def test_windows_crash_codes_are_worded():
    from workbench.host._children import Ending
    from workbench.host._verdicts import of_ending

    for code in (0xC000001D, 0xC000001D - 2**32):
        assert "lacks AVX2" in of_ending("torch", Ending(code), (), 1.0).reason
    assert "DLL" in of_ending("torch", Ending(0xC0000135), (), 1.0).reason


def test_hang_ends_with_the_timeout_and_others_are_kept(fake_probe):
    fake_probe(f"if sys.argv[1] == 'ipex': time.sleep(60)\n{GOOD}")
    started = time.monotonic()
    found = ask(timeout_s=2.5)
    assert time.monotonic() - started < 20
    assert "did not answer within 2.5 s" in found["ipex"].reason
    assert found["onnxruntime"].available


def test_a_timeout_is_not_believed_for_long(fake_probe, monkeypatch):
    fake_probe("if sys.argv[1] == 'ipex': time.sleep(60)\n" + GOOD)
    ask(timeout_s=2.5)
    fake_probe(GOOD)
    assert not ask()["ipex"].available
    monkeypatch.setattr(engines, "_TRANSIENT_S", 0.0)
    assert ask()["ipex"].available
    assert fake_probe.calls().count("torch") == 1


def test_probes_run_side_by_side(fake_probe):
    wait = "end = time.monotonic() + 10\nwhile len(open(calls).read().split()) < 3 and time.monotonic() < end:\n"
    met = "assert len(open(calls).read().split()) == 3"
    fake_probe(f"{wait}    time.sleep(0.02)\n{met}\n{GOOD}")
    assert all(status.available for status in ask(timeout_s=40.0).values())


@pytest.mark.parametrize(
    ("versions", "words"),
    [
        (
            {"torch": "2.9.1+cpu"},
            "IPEX 2.8.0 works with PyTorch 2.8 only, but PyTorch 2.9.1+cpu is installed.",
        ),
        ({"torch": None}, "needs PyTorch"),
        ({"ipex": None}, "not installed"),
    ],
)
def test_metadata_decides_before_anything_is_imported(fake_probe, versions, words):
    fake_probe(GOOD, versions)
    status = ask()["ipex"]
    assert not status.available and words in status.reason
    assert "ipex" not in fake_probe.calls()


@pytest.mark.parametrize("torch", ["2.8.1+cu128", "2.8.0a0+git123"])
def test_patch_level_does_not_matter(fake_probe, torch):
    fake_probe(GOOD, {"torch": torch})
    assert ask()["ipex"].available


# From here on: another interpreter, the real probe and fake libraries.


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return folder


@pytest.fixture
def fake_library(environment):
    packages = next(iter([*environment.glob("lib/python*/site-packages"), *environment.glob("Lib/site-packages")]))
    made: list[Path] = []

    def add(module: str, body: str, version: str | None = "1.0") -> None:
        file = packages / f"{module}.py"
        file.write_text(body)
        made.append(file)
        if version:
            info = packages / f"{module}-{version}.dist-info"
            info.mkdir()
            metadata = info / "METADATA"
            metadata.write_text(f"Metadata-Version: 2.1\nName: {module.replace('_', '-')}\nVersion: {version}\n")
            made.append(metadata)

    yield add
    for file in made:
        file.unlink()
        if file.name == "METADATA":
            file.parent.rmdir()


def interpreter(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def test_another_interpreter_is_asked_itself(environment):
    found = ask(interpreter=interpreter(environment))
    assert all("is not installed" in status.reason for status in found.values())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise SystemExit('wrong host')", "SystemExit: wrong host"),
        ("import os\nos.exit(127)", "AttributeError: module 'os' has no attribute 'exit'"),
        ("import nothing_like_this", "ModuleNotFoundError"),
        ("print('noise')", "AttributeError"),
    ],
)
def test_real_probe_survives_broken_libraries(environment, fake_library, body, words):
    fake_library("onnxruntime", body)
    fake_library("numpy", "", None)
    status = ask(interpreter=interpreter(environment))["onnxruntime"]
    assert not status.available and status.version == "1.0"
    assert words in status.reason


@posix_only
def test_real_probe_and_an_illegal_instruction(environment, fake_library):
    fake_library("torch", "import os, signal\nos.kill(os.getpid(), signal.SIGILL)")
    assert "lacks AVX2" in ask(interpreter=interpreter(environment), isa=OLD_CPU)["torch"].reason


def test_mismatch_in_another_environment(environment, fake_library):
    fake_library("torch", "raise SystemExit", "2.9.0")
    fake_library("intel_extension_for_pytorch", "raise RuntimeError('was imported')", "2.8.0")
    assert "works with PyTorch 2.8 only" in ask(interpreter=interpreter(environment))["ipex"].reason


def test_module_without_metadata_is_tried(environment, fake_library):
    fake_library("torch", "raise ImportError('half a torch')", None)
    assert "half a torch" in ask(interpreter=interpreter(environment))["torch"].reason


def test_working_directory_cannot_shadow_a_library(environment, fake_library, tmp_path, monkeypatch):
    fake_library("torch", "raise ImportError('the installed one')")
    (tmp_path / "torch.py").write_text("raise ImportError('the wrong one')")
    monkeypatch.chdir(tmp_path)
    assert "the installed one" in ask(interpreter=interpreter(environment))["torch"].reason


def test_interpreter_that_does_not_exist(tmp_path):
    found = ask(interpreter=tmp_path / "no-python")
    assert all("cannot be started" in status.reason for status in found.values())


@posix_only
def test_program_that_is_no_python(tmp_path):
    assert "not a working Python" in ask(interpreter="/bin/true")["torch"].reason


def test_probe_keeps_stdout_clean():
    done = subprocess.run(
        [sys.executable, "-m", "workbench.engines.probe", "nonsense"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert json.loads(done.stdout)["ok"] is False


@pytest.mark.engine
def test_real_onnxruntime_answers():
    pytest.importorskip("onnxruntime")
    probe = Path(engines.__file__).parents[1] / "engines" / "probe.py"
    done = subprocess.run(
        [sys.executable, str(probe), "onnxruntime"], capture_output=True, text=True, check=True, cwd="/"
    )
    assert json.loads(done.stdout)["ok"] is True

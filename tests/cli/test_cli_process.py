"""The command line as a process: what it imports, bugs of ours, a reader that goes away, and Ctrl+C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap

import psutil
import pytest
from command_line import workers_once

from workbench.study.store import Store

pytestmark = pytest.mark.usefixtures("nothing_left", "data_dir")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def fresh(code: str, *arguments: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        capture_output=True, text=True, timeout=120, check=False, **options,
    )  # fmt: skip


def test_importing_the_command_line_loads_nothing_heavy():
    heavy = ("torch", "PySide6", "numpy", "cv2", "msgspec", "rich", "pydantic")
    code = f"import sys, workbench.cli; print([name for name in {heavy} if name in sys.modules])"
    assert fresh(code).stdout.strip() == "[]"


def test_host_loads_no_engine():
    done = fresh(
        """
        import sys
        from workbench import cli
        code = cli.run(["host"])
        print(code, [m for m in ("torch", "intel_extension_for_pytorch", "onnxruntime", "PySide6") if m in sys.modules])
        """
    )
    assert done.stdout.splitlines()[-1] == "0 []"


def test_measuring_loads_no_engine_into_this_process(run, faked, script):
    done = fresh(
        """
        import sys
        from workbench import cli
        from workbench.study import runner
        runner.MODULES = dict.fromkeys(runner.MODULES, "fake_engine")
        runner._check_available = lambda *_: None
        code = cli.run(["measure", sys.argv[1], "--input", "1x4", "--runs", "10"])
        print(code, [m for m in ("torch", "intel_extension_for_pytorch", "onnxruntime", "PySide6") if m in sys.modules])
        """,
        script,
    )
    assert done.stdout.splitlines()[-1] == "0 []"


def test_the_module_runs_as_a_program_and_help_ends_with_0():
    for arguments in (["--help"], ["measure", "--help"], ["--version"]):
        done = subprocess.run(
            [sys.executable, "-m", "workbench", *arguments], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0
        assert done.stdout
        assert done.stderr == ""


def test_a_bug_of_ours_ends_with_3_and_the_place_of_a_log(run, monkeypatch, tmp_path):
    def broken(**_):
        raise RuntimeError("something is rotten")

    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("workbench.host.machine.describe_host", broken)
    said = run("host")
    assert said.code == 3
    assert said.out == ""
    assert "bug" in said.err
    assert "something is rotten" in said.err
    (log,) = (tmp_path / "cache").rglob("*.log")
    assert str(log) in said.err
    assert "Traceback" in log.read_text(encoding="utf-8")
    assert "RuntimeError: something is rotten" in log.read_text(encoding="utf-8")


def test_a_reader_that_goes_away_is_no_error():
    with subprocess.Popen(
        [sys.executable, "-m", "workbench", "host", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


INTERRUPTED = """
    import signal, sys
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a test run in the background would pass on "ignore"
    from workbench import cli
    from workbench.study import runner
    runner.MODULES = dict.fromkeys(runner.MODULES, "fake_engine")
    runner._check_available = lambda *_: None
    sys.exit(cli.run(sys.argv[1:]))
"""


@posix_only
@pytest.mark.parametrize(
    ("behaviour", "measured"),
    [("sleep=0.001@run+mark={mark}@run2000", True), ("mark={mark}@load+hang@load", False)],
)
def test_ctrl_c_ends_with_130_keeps_what_was_measured_and_leaves_no_worker(
    script, tmp_path, data_dir, behaviour, measured
):
    mark = tmp_path / "reached"
    environment = {**os.environ, "FAKE_BEHAVIOUR": behaviour.format(mark=mark)}
    command = [sys.executable, "-c", textwrap.dedent(INTERRUPTED), "measure", str(script), "--input", "1x4"]
    with subprocess.Popen(
        [*command, "--runs", "10000000"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        workers = workers_once(process, mark)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert "Interrupted" in err
    _, alive = psutil.wait_procs(workers, timeout=3)
    assert not alive
    (trial,) = Store(str(data_dir / "studies" / "net.sqlite")).trials()
    assert trial.status == "failed"
    assert re.search("cancelled", trial.reason)
    assert (trial.latency is not None) == measured

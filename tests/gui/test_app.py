"""The way into the window: what is missing is named, and nothing is left when it ends."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

import workbench
from workbench import cli
from workbench.errors import UserError
from workbench.gui import app, bug_dialog, display

ROOT = Path(workbench.__file__).resolve().parents[1]
FAKES = Path(__file__).resolve().parents[1] / "fakes"


def environment(tmp_path, **changes: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "DISPLAY", "WAYLAND"))}
    cache = os.environ.get("WORKBENCH_CACHE_DIR", str(tmp_path / "cache"))
    own = {
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(FAKES))),
        "WORKBENCH_DATA_DIR": str(tmp_path / "data"),
        "WORKBENCH_CACHE_DIR": cache,
    }
    return kept | own | {"XDG_CONFIG_HOME": str(tmp_path / "config"), **changes}


def run_workbench(tmp_path, *arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "workbench", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment(tmp_path, **changes), timeout=120)


def loader(*missing: str):
    def load(name: str) -> object:
        for library in missing:
            if library in name or "libqxcb" in name:
                raise OSError(f"{missing[0]}: cannot open shared object file: No such file or directory")
        return object()

    return load


# -- without a display --------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_no_display_is_one_line_and_exit_code_2(tmp_path) -> None:
    ended = run_workbench(tmp_path)
    assert ended.returncode == 2 and ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert "no display" in line and "`workbench --help`" in line


@pytest.mark.skipif(sys.platform != "linux", reason="X11")
def test_a_display_that_does_not_answer_aborts_nothing(tmp_path) -> None:
    ended = run_workbench(tmp_path, DISPLAY=":4711")
    assert ended.returncode == 2 and len(ended.stderr.splitlines()) == 1
    assert "The window needs" in ended.stderr or "The display :4711" in ended.stderr


def test_the_command_line_works_without_qt(tmp_path) -> None:
    blocker = "import sys; sys.modules['PySide6'] = sys.modules['pyqtgraph'] = None; "
    script = blocker + "from workbench.cli import run; print(run(['--version']))"
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment(tmp_path), timeout=60
    )
    assert ended.stdout.splitlines()[-1] == "0"


@pytest.mark.parametrize("chosen", ["offscreen", "minimal", "offscreen:fontengine=freetype", "vnc"])
def test_platforms_that_need_no_display(chosen) -> None:
    assert display.problem({"QT_QPA_PLATFORM": chosen}, "linux") is None


def test_other_systems_have_a_display() -> None:
    assert display.problem({}, "win32") is None and display.problem({}, "darwin") is None


def test_wayland_counts_if_its_socket_is_there(tmp_path) -> None:
    (tmp_path / "wayland-0").touch()
    variables = {"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)}
    assert display.problem(variables, "linux") is None
    (tmp_path / "wayland-0").unlink()
    assert "wayland-0 cannot be opened" in str(display.problem(variables, "linux"))


def test_missing_libraries_are_all_named_with_their_packages() -> None:
    found = display.problem({"DISPLAY": ":0"}, "linux", loader("libxcb-cursor.so.0", "libxcb-keysyms.so.1"))
    assert "libxcb-cursor.so.0, libxcb-keysyms.so.1" in str(found)
    assert "apt install libxcb-cursor0 libxcb-keysyms1" in str(found)
    error = ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")
    assert "apt install libegl1" in str(display.missing_library(error, load=lambda _: None))
    assert "libodd.so.3: not installed." in str(
        display.missing_library(OSError("libodd.so.3: cannot open shared object file"), load=lambda _: None)
    )


def test_the_readme_lists_the_same_packages() -> None:
    # Of the checkout: an installed package has none.
    text = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")
    listed = text.partition("\napt install ")[2].partition("```")[0].replace("\\\n", " ").split()
    assert tuple(sorted(listed)) == display.SYSTEM_PACKAGES


def test_a_missing_package_is_named() -> None:
    error = display.missing_library(ModuleNotFoundError("No module named 'PySide6'", name="PySide6"))
    assert "PySide6" in error.what and "pip install" in error.why
    assert "broken" in str(display.missing_library(ImportError("broken")))


def test_plugins_of_opencv_are_forgotten() -> None:
    variables = {
        "QT_QPA_PLATFORM_PLUGIN_PATH": "/x/site-packages/cv2/qt/plugins",
        "QT_PLUGIN_PATH": "/opt/mine",
        "QT_QPA_FONTDIR": r"C:\x\cv2\qt\fonts",
    }
    display.drop_foreign_plugins(variables)
    assert variables == {"QT_PLUGIN_PATH": "/opt/mine"}
    display.drop_foreign_plugins(variables)


# -- which words open the window ----------------------------------------------------------------------


@pytest.fixture
def shown(monkeypatch) -> list[list[str]]:
    """What would be shown."""
    seen: list[list[str]] = []
    monkeypatch.setattr(app, "main", lambda arguments: seen.append(arguments) or 0)
    return seen


@pytest.mark.parametrize(
    "arguments", [[], ["sample:lstm"], ["net.py:build"], ["net.onnx"], ["missing.pt"], ["--tour", "x"]]
)
def test_no_verb_opens_the_window(shown, arguments) -> None:
    assert cli.run(arguments) == 0 and shown == [arguments]


def test_an_existing_file_of_any_name_opens_the_window(shown, tmp_path) -> None:
    (tmp_path / "model").touch()
    assert cli.run([str(tmp_path / "model")]) == 0 and len(shown) == 1


@pytest.mark.parametrize(
    ("word", "hint"), [("mesure", "'measure'"), ("efficientnet-lite0", "'sample:efficientnet-lite0'"), ("qqq", "host")]
)
def test_another_word_is_an_error_with_the_nearest(shown, capsys, word, hint) -> None:
    assert cli.run([word]) == 2 and not shown
    said = capsys.readouterr().err
    assert f"'{word}' is neither a verb nor a model." in said and hint in said


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["host", "--help"], ["envs", "--help"]])
def test_verbs_and_options_stay_on_the_command_line(shown, capsys, arguments) -> None:
    assert cli.run(arguments) == 0 and not shown
    assert capsys.readouterr().out


def test_completion_in_the_shell_opens_no_window(tmp_path) -> None:
    asked = {"_WORKBENCH_COMPLETE": "bash_complete", "COMP_WORDS": "workbench mea", "COMP_CWORD": "1"}
    assert run_workbench(tmp_path, **asked).stdout.split() == ["plain,measure"]


@pytest.mark.parametrize("arguments", [["--tour"], ["a.pt", "b.pt"], ["--fast"], ["a.pt", "--fast"]])
def test_what_the_window_does_not_take(arguments) -> None:
    with pytest.raises(UserError):
        app.main(arguments)


# -- the running application --------------------------------------------------------------------------


def start(tmp_path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(Path(__file__).with_name("drive_window.py")), *arguments]
    variables = environment(tmp_path, QT_QPA_PLATFORM="offscreen")
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=variables)


def until_ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    while "ready" not in (line := process.stdout.readline()):
        assert line, process.stderr and process.stderr.read()


def test_the_window_opens_on_a_model_without_any_engine_and_leaves_nothing(tmp_path) -> None:
    process = start(tmp_path, "close", "sample:digits-cnn")
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert "title digits-cnn – Inference Workbench" in out
    assert "engines []" in out


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_the_window(tmp_path, number) -> None:
    process = start(tmp_path, "wait")
    until_ready(process)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors


def test_a_whole_run_imports_no_engine_into_the_window(tmp_path) -> None:
    process = start(tmp_path, "run", "sample:digits-mlp")
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert "trial ok 300" in out and "engines after []" in out


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_terminating_in_mid_run_ends_the_worker(tmp_path) -> None:
    process = start(tmp_path, "live", "sample:digits-mlp")
    until_ready(process)
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    _, alive = psutil.wait_procs(children, timeout=3)
    assert not alive


# -- bugs ---------------------------------------------------------------------------------------------


@pytest.fixture
def hooks(qapp, tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path))
    before = sys.excepthook, threading.excepthook
    made = bug_dialog.Hooks(qapp)
    yield made
    made.remove()
    assert (sys.excepthook, threading.excepthook) == before
    for dialog in list(bug_dialog._open):
        dialog.close()


def test_a_bug_in_a_slot_or_a_thread_is_logged_and_shown(hooks, qtbot, tmp_path, capsys) -> None:
    try:
        raise ZeroDivisionError("in a slot")
    except ZeroDivisionError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    qtbot.waitUntil(lambda: len(bug_dialog._open) == 1)
    (dialog,) = bug_dialog._open
    assert "ZeroDivisionError: in a slot" in dialog.informativeText() and "Traceback" in dialog.detailedText()
    thread = threading.Thread(target=lambda: 1 // 0)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: capsys.readouterr().err.count("ZeroDivisionError") >= 1)
    assert len(bug_dialog._open) == 1, "one dialog at a time"
    assert "workbench" in next((tmp_path / "logs").iterdir()).read_text()


def test_ctrl_c_is_no_bug(hooks, qapp) -> None:
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert not bug_dialog._open


def test_a_log_that_cannot_be_written_is_shown_itself(qapp, monkeypatch, tmp_path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path / "file"))
    dialog = bug_dialog.report_bug("Traceback\nValueError: x")
    assert dialog.informativeText() == "ValueError: x"
    dialog.close()

"""Engine environments: a small file of names and interpreters, and what is said of one that cannot be used."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.errors import UserError
from workbench.host import environments as known
from workbench.host.environments import DEFAULT, Environment, add, check, environments, find, remove, usable

pytestmark = pytest.mark.usefixtures("data_dir")
posix_only = pytest.mark.skipif(os.name != "posix", reason="shell scripts")


@pytest.fixture(scope="module")
def bare(tmp_path_factory) -> Path:
    """A real virtual environment with nothing in it, in a folder whose name needs quotes."""
    folder = tmp_path_factory.mktemp("other pythons") / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=120)
    return folder


def python_of(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


@pytest.fixture
def script(tmp_path):
    """A file that looks like an interpreter; what it does is the test's."""

    def script(text: str, name: str = "python") -> Path:
        file = tmp_path / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
        return file

    return script


# -- the list -------------------------------------------------------------------------------------------


def test_at_first_there_is_only_the_one_that_runs_the_workbench(data_dir):
    assert environments() == [Environment("default", sys.executable)]
    assert find("default").python == sys.executable
    assert not data_dir.exists()


def test_what_is_added_is_listed_in_order_and_found_again(bare):
    assert add("torch-2.13", str(python_of(bare))) == Environment("torch-2.13", str(python_of(bare)))
    add("second", sys.executable)
    assert [entry.name for entry in environments()] == ["default", "torch-2.13", "second"]
    assert find("torch-2.13").python == str(python_of(bare))
    remove("torch-2.13")
    assert [entry.name for entry in environments()] == ["default", "second"]
    assert python_of(bare).exists()
    add("torch-2.13", sys.executable)


def test_the_folder_of_a_virtual_environment_stands_for_its_python(bare):
    added = add("bare", str(bare))
    assert added.python == str(python_of(bare))
    # Not where the link leads to: that is the Python of many environments.
    assert Path(added.python).is_symlink() == python_of(bare).is_symlink()


def test_a_relative_path_and_a_home_folder_are_made_whole(bare, monkeypatch):
    monkeypatch.chdir(bare.parent)
    assert add("relative", "bare").python == str(python_of(bare))
    monkeypatch.setenv("HOME" if os.name == "posix" else "USERPROFILE", str(bare.parent))
    assert add("home", "~/bare").python == str(python_of(bare))


@pytest.mark.parametrize("name", ["", "a b", "a/b", "ü", "x" * 41, "a\nb", "name;rm"])
def test_a_bad_name_is_refused(name):
    with pytest.raises(UserError, match="is no name for an environment"):
        add(name, sys.executable)
    assert len(environments()) == 1


def test_a_name_that_is_taken_is_refused_with_the_way_out(bare):
    add("mine", str(bare))
    with pytest.raises(UserError, match="'mine' already") as caught:
        add("mine", sys.executable)
    assert "envs remove mine" in caught.value.next_step
    assert find("mine").python == str(python_of(bare))
    with pytest.raises(UserError, match="'default' already"):
        add(DEFAULT, sys.executable)


def test_no_python_at_the_place_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "python").write_text("not executable")
    (tmp_path / "python").chmod(0o644)
    places = [tmp_path / "none" / "python", tmp_path / "empty"]
    if os.name == "posix":
        places.append(tmp_path / "python")
    for place in places:
        with pytest.raises(UserError, match="There is no Python at") as caught:
            add("x", str(place))
        assert str(place) in caught.value.what
        assert "folder of a virtual environment" in caught.value.next_step
    assert len(environments()) == 1


def test_a_name_that_is_not_there_is_answered_with_the_nearest():
    add("torch213", sys.executable)
    for function in (find, remove, check, usable):
        with pytest.raises(UserError, match="no environment 'tourch213'") as caught:
            function("tourch213")
        assert caught.value.why == "Did you mean 'torch213'?"
        assert "envs add" in caught.value.next_step


def test_the_default_cannot_be_removed():
    with pytest.raises(UserError, match="default environment cannot be removed"):
        remove(DEFAULT)


# -- the file -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"a": 1}', '[{"name": "x"}]', '[{"name": 1, "python": "p"}]', "\0"])
def test_a_list_that_cannot_be_read_is_refused_with_its_place(data_dir, text):
    data_dir.mkdir()
    place = data_dir / "environments.json"
    place.write_text(text)
    for function in (environments, lambda: find("x"), lambda: add("x", sys.executable), lambda: remove("x")):
        with pytest.raises(UserError, match="list of environments cannot be read") as caught:
            function()
        assert str(place) in caught.value.why
        assert "Delete that file" in caught.value.next_step
    assert place.read_text() == text


def test_a_folder_in_the_files_place_is_refused(data_dir):
    (data_dir / "environments.json").mkdir(parents=True)
    with pytest.raises(UserError, match="cannot be read"):
        environments()


def test_the_file_is_json_for_people_and_nothing_else_is_left(data_dir):
    add("a", sys.executable)
    add("b", sys.executable)
    assert [path.name for path in data_dir.iterdir()] == ["environments.json"]
    text = (data_dir / "environments.json").read_text()
    assert json.loads(text) == [{"name": name, "python": sys.executable} for name in ("a", "b")]
    assert len(text.splitlines()) > 2


def test_a_write_that_fails_leaves_the_old_list(data_dir, monkeypatch):
    add("a", sys.executable)

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UserError, match="cannot be written") as caught:
        add("b", sys.executable)
    assert "No space left" in caught.value.why
    assert [entry.name for entry in environments()] == ["default", "a"]
    assert [path.name for path in data_dir.iterdir()] == ["environments.json"]


# -- looking into one -----------------------------------------------------------------------------------


def test_a_bare_environment_lacks_all_packages_and_one_command_brings_them(bare):
    add("bare", str(bare))
    found = check("bare")
    assert not found.usable
    packages = ["msgspec", "numpy", "opencv-python-headless", "psutil", "tomli-w"]
    packages += ["tomli"] if sys.version_info < (3, 11) else []
    assert found.missing == tuple(packages)
    assert found.reason == "workers need " + ", ".join(packages)
    if os.name == "posix":
        assert shlex.split(found.install) == [str(python_of(bare)), "-m", "pip", "install", *packages]
    assert found.version.startswith(f"{sys.version_info[0]}.{sys.version_info[1]}.")
    assert {engine.name: engine.available for engine in found.engines} == dict.fromkeys(
        ("torch", "ipex", "onnxruntime"), False
    )
    with pytest.raises(UserError, match="Environment 'bare' cannot be used") as caught:
        usable("bare")
    assert "workers need msgspec" in caught.value.why
    assert caught.value.next_step == f"Run: {found.install}"


def test_packages_without_an_engine_are_not_enough(bare, monkeypatch):
    monkeypatch.setattr(known, "_NEEDED", {"json": "json"})
    add("bare", str(bare))
    found = check("bare")
    expected = ("tomli",) if sys.version_info < (3, 11) else ("torch",)
    assert found.missing == expected
    if expected == ("torch",):
        assert found.reason == "no engine works there"


@posix_only
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("echo oh no >&2; exit 3", "oh no"),
        ("exit 3", "it ended with code 3"),
        ("echo hello", "it ended with code 0"),
        ("echo '[1, 2]'", "it ended with code 0"),
        ("""echo '{"missing": []}'""", "it ended with code 0"),
        ("""echo '{"version": ["x"], "missing": []}'""", "it ended with code 0"),
        ("kill -9 $$", "it ended with code -9"),
    ],
)
def test_what_is_no_python_is_said_to_be_none(script, text, words):
    add("odd", str(script(text)))
    found = check("odd")
    assert not found.usable
    assert found.reason.startswith("the interpreter does not run: ")
    assert words in found.reason
    assert found.install == ""
    with pytest.raises(UserError, match="cannot be used") as caught:
        usable("odd")
    assert "envs check" in caught.value.next_step


@posix_only
def test_an_old_python_is_too_old_whatever_it_has(script):
    add("old", str(script("""echo '{"version": [3, 9, 2], "missing": []}'""")))
    found = check("old")
    assert found.reason == "Python 3.9.2 is too old, 3.10 is needed"
    assert not found.usable
    assert found.install == ""


@posix_only
def test_tomli_is_missed_before_3_11_only(script):
    for version, missing in (("[3, 10, 4]", ("tomli",)), ("[3, 11, 0]", ("torch",))):
        text = f"""echo '{{"version": {version}, "missing": ["tomli"]}}'"""
        name = f"v{version[4:6].strip()}"
        add(name, str(script(text, name)))
        assert check(name).missing == missing


def test_an_interpreter_that_has_gone_since_is_no_python(tmp_path, script):
    file = script("exit 0")
    add("gone", str(file))
    file.unlink()
    found = check("gone")
    assert not found.usable
    assert found.reason.startswith("the interpreter does not run: ")


def test_the_default_is_usable_without_a_look(monkeypatch):
    monkeypatch.setattr(known, "check", lambda *_, **__: pytest.fail("it was checked"))
    assert usable(DEFAULT) == Environment("default", sys.executable)


# -- command line -----------------------------------------------------------------------------------------


def test_adding_checks_and_says_what_is_missing(run, bare):
    code, out, _ = run("envs", "add", "bare", bare)
    assert code == 1
    assert "not usable" in out
    assert "pip install msgspec" in " ".join(out.split())
    code, out, _ = run("envs", "--json")
    assert code == 0
    assert [entry["name"] for entry in json.loads(out)["environments"]] == ["default", "bare"]
    code, out, _ = run("envs", "check", "bare", "--json")
    assert code == 1
    assert json.loads(out)["missing"][0] == "msgspec"
    code, out, err = run("measure", "sample:digits-mlp", "--env", "bare")
    assert (code, out) == (2, "")
    assert "Run: " in err
    assert run("envs", "remove", "bare")[0] == 0
    assert run("envs", "remove", "bare")[0] == 2
    assert run("envs", "add", "no name", bare)[0] == 2

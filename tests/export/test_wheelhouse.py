"""What a wheelhouse holds; a real pip once, with a wheel that is made here."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from workbench.errors import UserError
from workbench.export import wheelhouse
from workbench.export.wheelhouse import collect, own_wheel, packed_again

PYTHON = ".".join(map(str, sys.version_info[:2]))


class FakePip:
    """Writes files instead of fetching them.

    Attributes:
        calls: arguments of each call.
    """

    def __init__(self, *names: str) -> None:
        self.calls: list[list[str]] = []
        self.requirements = ""
        self._names = names

    def __call__(self, arguments) -> None:
        self.calls.append(list(arguments))
        place = Path(arguments[arguments.index("--wheel-dir") + 1])
        if "-r" in arguments:
            self.requirements = Path(arguments[arguments.index("-r") + 1]).read_text("utf-8")
        names = ("inference_workbench-1.0-py3-none-any.whl",) if "--no-deps" in arguments else self._names
        for name in names:
            (place / name).write_bytes(name.encode())


@pytest.fixture
def bundle(tmp_path):
    """What a wheelhouse reads of a bundle."""
    place = tmp_path / "my bundle"
    place.mkdir()
    (place / "manifest.json").write_text(json.dumps({"name": "Digits", "python": f"{PYTHON}.7"}), "utf-8")
    (place / "requirements.txt").write_text("# exactly\nonnxruntime==1.2\nnumpy==2.0\n", "utf-8")
    return place


def never(address: str) -> bool:
    raise AssertionError(f"{address} was asked")


def test_a_bundles_wheels_with_hashes_and_an_install_script(tmp_path, bundle):
    out = tmp_path / "wheels"
    pip = FakePip("onnxruntime-1.2-cp311-cp311-linux.whl", "numpy-2.0-cp311-cp311-linux.whl")
    found = collect(out, bundle=bundle, only_bundle=True, pip=pip, reachable=never)
    assert "onnxruntime==1.2" in pip.requirements and "--extra-index-url" not in pip.calls[0]
    files = ["numpy-2.0-cp311-cp311-linux.whl", "onnxruntime-1.2-cp311-cp311-linux.whl"]
    assert sorted(path.name for path in out.iterdir()) == ["SHA256SUMS", "digits.txt", "install.py", *files]
    digests = [hashlib.sha256(name.encode()).hexdigest() for name in files]
    assert (out / "digits.txt").read_text().splitlines() == [
        f"numpy==2.0 --hash=sha256:{digests[0]}", f"onnxruntime==1.2 --hash=sha256:{digests[1]}",
    ]  # fmt: skip
    assert (out / "SHA256SUMS").read_text().splitlines()[1] == f"{digests[1]}  {files[1]}"
    assert found.size == sum(map(len, files)) and found.sets == {"digits": files} and not found.cpu_only
    assert (found.python, found.platform) == (PYTHON, sysconfig.get_platform())


def test_the_workbench_and_a_bundle_are_resolved_apart_and_share_files(tmp_path, bundle, monkeypatch):
    monkeypatch.setattr(wheelhouse.paths, "checkout", lambda: tmp_path)
    pip = FakePip("torch-2.8.0+cpu-cp311-cp311-linux.whl", "numpy-2.0-cp311-cp311-linux.whl")
    (tmp_path / "bundle.zip").write_bytes(b"")
    with zipfile.ZipFile(tmp_path / "bundle.zip", "w") as archive:
        for file in bundle.iterdir():
            archive.write(file, file.name)
    asked = []
    found = collect(
        tmp_path / "wheels", bundle=tmp_path / "bundle.zip", extras=["samples"], pip=pip,
        reachable=lambda address: not asked.append(address),
    )  # fmt: skip
    assert list(found.sets) == ["workbench", "digits"] and len(found.wheels) == 3
    linux = sys.platform == "linux"
    assert found.cpu_only == linux and len(asked) == linux
    own, workbench, digits = pip.calls
    assert "--no-deps" in own and workbench[-1].endswith("inference_workbench-1.0-py3-none-any.whl[samples]")
    assert (wheelhouse.CPU_INDEX in workbench) == (wheelhouse.CPU_INDEX in digits) == linux
    pins = (tmp_path / "wheels/workbench.txt").read_text()
    assert "torch==2.8.0+cpu --hash" in pins and "inference-workbench==1.0 --hash" in pins


def test_what_cannot_be_collected_is_refused_and_nothing_is_left(tmp_path, bundle):
    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def failing(_: object) -> None:
        raise UserError("pip could not collect the wheels.")

    def attempt(match: str, pip=failing, **options) -> None:
        with pytest.raises(UserError, match=match):
            collect(tmp_path / "wheels", pip=pip, reachable=lambda _: False, **options)

    attempt("No space left", full)
    attempt("could not collect")
    attempt("nothing to collect", only_bundle=True)
    attempt("is no bundle", bundle=tmp_path)
    (bundle / "manifest.json").write_text(json.dumps({"name": "x", "python": "2.7.18"}), "utf-8")
    attempt(r"made on Python 2\.7", bundle=bundle)
    assert [path.name for path in tmp_path.iterdir()] == ["my bundle"]


def test_the_script_refuses_another_python_and_another_name(tmp_path, bundle):
    out = tmp_path / "wheels"
    collect(out, bundle=bundle, only_bundle=True, pip=FakePip("a-1-py3-none-any.whl"), reachable=never)

    def install(*arguments: str):
        return subprocess.run([sys.executable, out / "install.py", *arguments], capture_output=True, text=True)

    assert f"Python {PYTHON}" in install().stderr and "VENV" in install().stderr
    assert "There is no other here, but digits." in install("venv", "other").stderr
    script = (out / "install.py").read_text("utf-8")
    (out / "install.py").write_text(script.replace(f'"{PYTHON}"', '"2.7"'), "utf-8")
    refused = install(str(tmp_path / "venv"))
    assert refused.returncode == 1 and "for Python 2.7" in refused.stderr and not (tmp_path / "venv").exists()


def test_an_installed_workbench_is_packed_again_and_a_checkout_is_built(tmp_path, monkeypatch):
    pip = FakePip()
    assert own_wheel(tmp_path, pip, tmp_path / "checkout").name.startswith("inference_workbench-1.0")
    assert pip.calls[0][-1] == str(tmp_path / "checkout")
    monkeypatch.setattr(wheelhouse.paths, "checkout", lambda: None)
    monkeypatch.setattr(wheelhouse, "DISTRIBUTION", "not-installed-anywhere")
    with pytest.raises(UserError, match="wheel cannot be made"):
        own_wheel(tmp_path, pip)


def test_a_real_pip_installs_from_it_without_a_network(tmp_path, bundle, monkeypatch):
    """With a package that is installed here anyway, packed into a wheel of its own again."""
    click = metadata.distribution("click")
    (tmp_path / "index").mkdir()
    packed_again(click, tmp_path / "index")
    (bundle / "requirements.txt").write_text(f"click=={click.version}\n", "utf-8")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    said = []
    out = tmp_path / "wheels"
    found = collect(out, bundle=bundle, only_bundle=True, reachable=never, progress=said.append)
    assert found.sets["digits"] == [f"click-{click.version}-py3-none-any.whl"] and said
    monkeypatch.delenv("PIP_FIND_LINKS")
    place = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--target", place, "--find-links", out]
    subprocess.run([*command, "--require-hashes", "-r", out / "digits.txt"], check=True, capture_output=True)
    code = "import click; print(click.__file__)"
    imported = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(place)}
    )
    assert imported.stdout.startswith(str(place))


@pytest.mark.skipif(os.name == "nt", reason="a script takes the place of Python there")
def test_the_script_has_pip_hold_every_file_against_its_hash(tmp_path, bundle):
    out = tmp_path / "wheels"
    collect(out, bundle=bundle, only_bundle=True, pip=FakePip("a-1-py3-none-any.whl"), reachable=never)
    python = tmp_path / "venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$@"\n')
    python.chmod(0o755)
    ran = subprocess.run([sys.executable, out / "install.py", tmp_path / "venv"], capture_output=True, text=True)
    wanted = f"-m pip install --no-index --find-links {out} --require-hashes -r {out}/digits.txt\n"
    assert (ran.returncode, ran.stdout) == (0, wanted)


def test_pips_own_words_are_passed_on(tmp_path, bundle, monkeypatch):
    for name, value in (("PIP_NO_INDEX", "1"), ("PIP_CONFIG_FILE", os.devnull)):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(UserError, match="No matching distribution found for onnxruntime"):
        collect(tmp_path / "wheels", bundle=bundle, only_bundle=True, reachable=never)

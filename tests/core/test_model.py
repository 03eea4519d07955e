"""What a model file is, said before anything loads it."""

from __future__ import annotations

import hashlib
import io
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest

from workbench.core.model import InputSpec, ModelReference, parse_inputs, resolve_model
from workbench.errors import UserError

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same small network, saved in every way."""
    folder = tmp_path_factory.mktemp("models")
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU()).eval()
    state = model.state_dict()
    torch.jit.save(torch.jit.script(model), folder / "script.pt")
    torch.save(model, folder / "whole.pt")
    torch.save(model, folder / "whole-old.pt", _use_new_zipfile_serialization=False)
    torch.save(state, folder / "weights.pt")
    torch.save(state, folder / "weights-old.pth", _use_new_zipfile_serialization=False)
    torch.export.save(torch.export.export(model, (torch.zeros(1, 4),)), folder / "program.pt2")
    nested = {
        "epoch": 1,
        "ema": {"module.w": torch.nn.Parameter(torch.zeros(2, dtype=torch.bfloat16))},
        "quantized": torch.quantize_per_tensor(torch.zeros(2), 0.1, 0, torch.quint8),
        "size": torch.Size([1, 2]),
        "dtype": torch.float16,
    }
    torch.save(nested, folder / "checkpoint.ckpt")
    header = b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
    (folder / "w.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    (folder / "model.onnx").write_bytes(ONNX)
    (folder / "net.py").write_text(
        "import torch\n"
        "raise RuntimeError('imported')\n"
        "def build(width=4):\n    return torch.nn.Linear(width, 3)\n"
        "def sized(width, *, depth):\n    return None\n"
        "class Net(torch.nn.Module):\n    def __init__(self, hidden):\n        pass\n"
        "class Free(torch.nn.Module):\n    pass\n"
        "try:\n    from other import ready\nexcept ImportError:\n    fallback, x = build, 1\n"
    )
    return folder


# ir_version 8, producer "me", graph with name "g", opset 13
ONNX = b"\x08\x08" + b"\x12\x02me" + b"\x3a\x03\x12\x01g" + b"\x42\x02\x10\x0d"


def refused(text: object, **options: object) -> UserError:
    with pytest.raises(UserError) as caught:
        resolve_model(str(text), **options)  # type: ignore[arg-type]
    assert caught.value.what
    return caught.value


# ---- formats --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"), [("script.pt", "torchscript"), ("program.pt2", "pt2"), ("model.onnx", "onnx")]
)
def test_formats_are_told_by_content(files: Path, name: str, kind: str) -> None:
    reference = resolve_model(str(files / name))
    assert reference.format == kind
    assert reference.path == str(files / name)
    assert reference.sha256 == hashlib.sha256((files / name).read_bytes()).hexdigest()
    assert not reference.trusted


@pytest.mark.parametrize("name", ["whole.pt", "whole-old.pt"])
def test_a_pickled_module_needs_trust(files: Path, name: str) -> None:
    error = refused(files / name)
    assert "torch.nn.modules.container.Sequential" in error.why
    assert "torch.nn.modules.linear.Linear" in error.why
    assert "OrderedDict" not in error.why
    assert "--trust-pickle" in error.next_step
    reference = resolve_model(str(files / name), trust_pickle=True)
    assert (reference.format, reference.trusted) == ("pickle", True)


def test_trust_is_not_noted_where_it_is_not_needed(files: Path) -> None:
    assert not resolve_model(str(files / "script.pt"), trust_pickle=True).trusted


@pytest.mark.parametrize("name", ["weights.pt", "weights-old.pth", "checkpoint.ckpt", "w.safetensors"])
def test_bare_weights_are_no_model(files: Path, name: str) -> None:
    error = refused(files / name)
    assert "weights" in error.what
    assert f"model.py:build --weights {files / name}" in error.next_step


class Evil:
    """Unpickling it would create the file *path*."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return open, (str(self.path), "w")


def malicious(folder: Path, kind: str, trap: Path) -> Path:
    name = {"pt2": "evil.pt2"}.get(kind, "evil.pt")
    path = folder / name
    if kind == "legacy":
        torch.save({"w": torch.zeros(1), "x": Evil(trap)}, path, _use_new_zipfile_serialization=False)
    elif kind == "pt2":
        inner = io.BytesIO()
        torch.save(Evil(trap), inner)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("e/models/model.json", "{}")
            archive.writestr("e/data/constants/model.pt", inner.getvalue())
    else:
        torch.save({"w": torch.zeros(1), "x": Evil(trap)}, path)
    return path


@pytest.mark.parametrize("kind", ["zip", "legacy", "pt2"])
def test_malicious_code_is_named_and_does_not_run(tmp_path: Path, kind: str) -> None:
    trap = tmp_path / "it-ran"
    path = malicious(tmp_path, kind, trap)
    assert "io.open" in refused(path).why
    resolve_model(str(path), trust_pickle=True)
    assert not trap.exists(), "the file's code ran while it was looked at"
    if kind == "zip":
        torch.load(path, weights_only=False)
        assert trap.exists(), "the trap itself does not work, so this test proves nothing"


def test_malicious_weights_are_refused_too(files: Path, tmp_path: Path) -> None:
    trap = tmp_path / "it-ran"
    path = malicious(tmp_path, "zip", trap)
    error = refused(f"{files / 'net.py'}:build", weights=path)
    assert "io.open" in error.why
    assert resolve_model(f"{files / 'net.py'}:build", weights=path, trust_pickle=True).trusted
    assert not trap.exists()


def test_a_second_pickle_of_the_same_name_does_not_hide(tmp_path: Path) -> None:
    path = tmp_path / "two.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/data.pkl", pickle.dumps(Evil(tmp_path / "x"), 2))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a/data.pkl", pickle.dumps({}, 2))
    assert "twice" in refused(path).why


# ---- files that are something else ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.pt", b"", "empty"),
        ("a.pt", "weights: see wiki, größe 3\n".encode(), "text"),
        ("a.onnx", b"<!DOCTYPE html><html>", "web page"),
        ("a.pt", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "git lfs pull"),
        ("a.pt", b"\x89HDF\r\n\x1a\n" + bytes(600), "HDF5"),
        ("a.pt", bytes(257) + b"ustar" + bytes(300), "tar archive"),
        ("a.pt", pickle.dumps({"a": 1}), "plain Python pickle"),
        ("a.pt", b"\x00", "unknown binary data"),
        ("a.pt", b"PK\x03\x04" + bytes(100), "cut off"),
        ("a.safetensors", (1000).to_bytes(8, "little") + b'{"w":', "cut off"),
        ("a.onnx", ONNX[:8], "cut off"),
    ],
)
def test_what_is_no_model_is_named(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    error = refused(path)
    assert said in str(error)
    assert error.next_step


def test_random_bytes_are_no_model(tmp_path: Path) -> None:
    import random

    path = tmp_path / "random.onnx"
    for seed in range(200):
        path.write_bytes(random.Random(seed).randbytes(4096))
        refused(path)


@pytest.mark.parametrize("name", ["script.pt", "whole.pt", "weights-old.pth", "program.pt2", "w.safetensors"])
@pytest.mark.parametrize("part", [0.02, 0.5, 0.98])
def test_cut_off_files_are_refused(files: Path, tmp_path: Path, name: str, part: float) -> None:
    data = (files / name).read_bytes()
    path = tmp_path / name
    path.write_bytes(data[: max(1, int(len(data) * part))])
    refused(path)


def test_a_foreign_zip_is_named_by_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "a.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    assert "word/document.xml" in refused(path).why


@pytest.mark.parametrize(
    ("source", "name", "said"),
    [
        ("script.pt", "a.onnx", "a.pt"),
        ("model.onnx", "a.pt", "a.onnx"),
        ("program.pt2", "a.pt", "a.pt2"),
        ("script.pt", "a.model", "a.pt"),
        ("model.onnx", "a", "a.onnx"),
    ],
)
def test_extension_and_content_must_agree(files: Path, tmp_path: Path, source: str, name: str, said: str) -> None:
    path = tmp_path / name
    path.write_bytes((files / source).read_bytes())
    error = refused(path)
    assert "but it is" in error.what
    assert error.next_step == f"Rename it to {said}."


def test_missing_files_and_folders(files: Path) -> None:
    assert "'script.pt'" in refused(files / "scrpt.pt").next_step
    assert "script.pt" in refused(files).next_step
    assert "does not exist either" in refused(files / "nowhere" / "x.pt").next_step
    assert "sample:resnet18" in refused("resnet18").next_step


def test_weights_beside_a_whole_model_are_refused(files: Path) -> None:
    assert "FILE.py:callable" in refused(files / "script.pt", weights=files / "weights.pt").what


# ---- callables ------------------------------------------------------------------------------------


def test_a_callable_is_checked_without_importing_it(files: Path) -> None:
    source = files / "net.py"
    reference = resolve_model(f"{source}:build", inputs=["1x4"])
    assert (reference.format, reference.path, reference.attribute) == ("callable", str(source), "build")
    assert reference.sha256 == hashlib.sha256(source.read_bytes()).hexdigest()
    assert reference.inputs == (InputSpec(name="input", shape=(1, 4)),)
    for attribute in ("Free", "ready", "fallback"):
        assert resolve_model(f"{source}:{attribute}").attribute == attribute


@pytest.mark.parametrize("name", ["weights.pt", "weights-old.pth", "checkpoint.ckpt", "w.safetensors"])
def test_the_hash_covers_source_and_weights(files: Path, name: str) -> None:
    source, weights = files / "net.py", files / name
    reference = resolve_model(f"{source}:build", weights=str(weights))
    assert reference.weights == str(weights)
    assert reference.sha256 == hashlib.sha256(source.read_bytes() + weights.read_bytes()).hexdigest()


def test_the_hash_covers_the_modules_that_the_source_imports(tmp_path: Path) -> None:
    source, blocks = tmp_path / "net.py", tmp_path / "blocks.py"
    source.write_text("from blocks import build\n")
    blocks.write_text("def build(): ...\n")
    before = resolve_model(f"{source}:build")
    assert before.companions == ("blocks.py",)
    assert before.sha256 == hashlib.sha256(source.read_bytes() + blocks.read_bytes()).hexdigest()
    (tmp_path / "other.py").write_text("nobody imports this")
    assert resolve_model(f"{source}:build").sha256 == before.sha256
    blocks.write_text("def build(): return 1\n")
    assert resolve_model(f"{source}:build").sha256 != before.sha256


def test_the_hash_covers_the_weights_that_an_onnx_file_keeps_elsewhere(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    import onnx_files

    path, weights = tmp_path / "chain.onnx", tmp_path / "chain.weights"
    options = {"save_as_external_data": True, "location": weights.name, "size_threshold": 0}
    onnx.save_model(onnx_files.chain(), path, **options)
    reference = resolve_model(str(path))
    assert reference.companions == ("chain.weights",)
    assert reference.sha256 == hashlib.sha256(path.read_bytes() + weights.read_bytes()).hexdigest()


def test_wrong_callables_are_explained(files: Path, tmp_path: Path) -> None:
    source = files / "net.py"
    assert "'build'" in refused(f"{source}:biuld").next_step
    assert "build" in refused(source).next_step
    assert "width, depth" in refused(f"{source}:sized").why
    assert "hidden" in refused(f"{source}:Net").why
    assert "no file" in refused(f"{files / 'nett.py'}:build").what
    assert "'net.py'" in refused(f"{files / 'nett.py'}:build").next_step
    (tmp_path / "bad.py").write_text("def build(:\n")
    assert "Line 1" in refused(f"{tmp_path / 'bad.py'}:build").why
    assert "whole model" in refused(f"{source}:build", weights=files / "script.pt").why
    assert "no file" in refused(f"{source}:build", weights=files / "missing.pt").what


def test_a_star_import_may_bring_anything(tmp_path: Path) -> None:
    (tmp_path / "star.py").write_text("from elsewhere import *\n")
    assert resolve_model(f"{tmp_path / 'star.py'}:whatever").attribute == "whatever"


# ---- inputs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "shape", "dtype"),
    [
        ("1x3x224x224", "input", (1, 3, 224, 224), "float32"),
        ("ids=1x?:int64", "ids", (1, None), "int64"),
        ("?x3", "input", (None, 3), "float32"),
        ("serving:0=5:uint8", "serving:0", (5,), "uint8"),
        ("a=b=1X2", "a=b", (1, 2), "float32"),
    ],
)
def test_input_texts(text: str, name: str, shape: tuple[int | None, ...], dtype: str) -> None:
    spec = InputSpec.parse(text)
    assert (spec.name, spec.shape, spec.dtype) == (name, shape, dtype)
    assert InputSpec.parse(str(spec)) == spec


@pytest.mark.parametrize("text", ["", "=1x3", "1x", "1x-3", "0x3", "1,3,4", "1x3:flaot32", "x", "a=", "1x3.5", "1x²"])
def test_wrong_input_texts_are_explained(text: str) -> None:
    with pytest.raises(UserError) as caught:
        InputSpec.parse(text)
    assert "1x3x224x224" in caught.value.next_step


def test_a_misspelt_type_gets_the_right_one() -> None:
    with pytest.raises(UserError, match="'float32'"):
        InputSpec.parse("1x3:flaot32")


def test_nameless_inputs_are_numbered() -> None:
    assert [spec.name for spec in parse_inputs(["1x2", "b=1x2", "1x2"])] == ["input0", "b", "input2"]
    with pytest.raises(UserError, match="'a'"):
        parse_inputs(["a=1", "a=2"])


def test_dynamic_axes_are_filled() -> None:
    assert InputSpec.parse("?x3x?").concrete(8) == (8, 3, 16)
    assert InputSpec.parse("?x?x?x?").concrete(2) == (2, 3, 224, 224)
    assert InputSpec.parse("4x3").concrete() == (4, 3)
    assert InputSpec.parse("4x3").concrete(4) == (4, 3)
    with pytest.raises(UserError, match=r"\?x3"):
        InputSpec.parse("1x3").concrete(2)


# ---- the reference itself -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "path", "attribute", "stem"),
    [
        ("sample:digits-cnn", "/s/digits_cnn.py", "build", "digits-cnn"),
        ("/m/über model.pt", "/m/über model.pt", None, "ber-model"),
        ("net.py:Net", "/m/net.py", "Net", "net-Net"),
        ("con.onnx", "/m/con.onnx", None, "model-con"),
        ("模型.onnx", "/m/模型.onnx", None, "model"),
    ],
)
def test_study_name(name: str, path: str, attribute: str | None, stem: str) -> None:
    reference = ModelReference(name=name, path=path, format="onnx", sha256="", attribute=attribute)
    assert reference.study_name == stem


def test_a_reference_survives_msgpack(files: Path) -> None:
    reference = resolve_model(f"{files / 'net.py'}:build", inputs=["ids=1x?:int64"])
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(reference), type=ModelReference) == reference


def test_looking_at_files_needs_no_torch(files: Path) -> None:
    code = (
        "import sys\nfrom workbench.core.model import resolve_model\n"
        "for name in sys.argv[1:]: resolve_model(name, trust_pickle=True)\n"
        "assert not {'torch', 'onnx', 'safetensors'} & set(sys.modules)\n"
    )
    names = [str(files / name) for name in ("script.pt", "whole.pt", "program.pt2", "model.onnx")]
    subprocess.run([sys.executable, "-c", code, *names], check=True, timeout=60)

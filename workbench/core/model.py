"""The model reference: which file, what it holds, its hash and its inputs.

Made by the command line and the window from what the user typed, stored with every trial, and sent to
the worker, which loads the file the way ``format`` says. Nothing here loads or imports a model.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from workbench.core import sniff
from workbench.core.companions import external_data, imported_files
from workbench.errors import UserError, nearest

ModelFormat = Literal["callable", "torchscript", "pickle", "pt2", "state-dict", "safetensors", "onnx"]

DTYPES = ("float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool")

_INPUT_SYNTAX = "Write --input [NAME=]SHAPE[:DTYPE], for example 1x3x224x224 or ids=1x?:int64 ('?' is a dynamic axis)."
_TORCH_SUFFIXES = (".pt", ".pth", ".bin", ".ckpt", ".pkl", ".tar", ".ts", ".jit", ".torchscript")
_TORCH_FORMATS = ("torchscript", "pickle", "state-dict")
_SUFFIX_FORMATS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_TORCH_SUFFIXES, _TORCH_FORMATS),
    ".pt2": ("pt2",),
    ".onnx": ("onnx",),
    ".safetensors": ("safetensors",),
}
_RIGHT_SUFFIX = {
    "torchscript": ".pt",
    "pickle": ".pt",
    "state-dict": ".pt",
    "pt2": ".pt2",
    "onnx": ".onnx",
    "safetensors": ".safetensors",
}
_RESERVED_ON_WINDOWS = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_SAMPLE = "sample:"


class InputSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One input of a model.

    Attributes:
        name: the input's name; ``input`` where the user gave none and there is only one.
        shape: length of each axis, None for a dynamic one.
        dtype: one of :data:`DTYPES`.
    """

    name: str
    shape: tuple[int | None, ...]
    dtype: str = "float32"

    @classmethod
    def parse(cls, text: str, default_name: str = "input") -> InputSpec:
        """Read ``[NAME=]SHAPE[:DTYPE]``, such as ``1x3x224x224`` or ``ids=1x?:int64``.

        Raises:
            UserError: if the shape, the dtype or the name is not understood.
        """
        # Names of ONNX inputs may hold ':' and '/', hence the split at the last '='.
        name, equals, rest = text.strip().rpartition("=")
        if equals and not name.strip():
            raise UserError(f"--input {text!r} has no name before '='.", "", _INPUT_SYNTAX)
        shape_text, _, dtype = rest.partition(":")
        dtype = dtype.strip() or "float32"
        if dtype not in DTYPES:
            raise UserError(
                f"--input {text!r}: there is no data type {dtype!r}.", nearest(dtype, DTYPES), _INPUT_SYNTAX
            )
        axes = re.split("[x×]", shape_text.strip().lower())
        return cls(
            name=name.strip() or default_name,
            shape=tuple(_axis(axis.strip(), text) for axis in axes),
            dtype=dtype,
        )

    def __str__(self) -> str:
        shape = "x".join("?" if length is None else str(length) for length in self.shape)
        name = "" if self.name == "input" else f"{self.name}="
        dtype = "" if self.dtype == "float32" else f":{self.dtype}"
        return f"{name}{shape}{dtype}"

    def concrete(self, batch: int = 1) -> tuple[int, ...]:
        """Return the shape with every dynamic axis filled in.

        A dynamic leading axis becomes *batch*. Other dynamic axes become 3 channels of 224 × 224 in an
        input of four axes (a picture) and 16 elsewhere, as in :func:`workbench.core.data.random_inputs`.
        A fixed leading axis stays as it is; asking such an input for another batch than 1 is refused,
        since running another batch than asked for would be a silent fallback.

        Raises:
            UserError: if *batch* is neither 1 nor the fixed length of the leading axis.
        """
        if not self.shape:
            return ()
        first = self.shape[0]
        if first is not None and batch not in (1, first):
            dynamic = msgspec.structs.replace(self, shape=(None, *self.shape[1:]))
            raise UserError(
                f"Input '{self.name}' cannot run at batch {batch}.",
                f"Its first axis is fixed to {first} ({self}).",
                f"Use run.batch = 1, or, where the model allows it, a dynamic axis: --input {dynamic}",
            )
        usual = (1, 3, 224, 224) if len(self.shape) == 4 else (16,) * len(self.shape)
        rest = (other if axis is None else axis for axis, other in zip(self.shape[1:], usual[1:], strict=True))
        return (batch if first is None else first, *rest)


class ModelReference(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A model as the user named it, and what its file is known to hold.

    Attributes:
        name: what the user typed, or ``sample:NAME``; used in titles.
        path: absolute path of the file (of the Python source, for a callable).
        format: how to load it.
        sha256: hash of the file, followed by its companions, followed by a callable's weights file.
        companions: files below its folder that belong to it: modules that a callable's source imports, and
            where an ONNX file keeps its weights.
        attribute: the callable's name in the source, else None.
        weights: absolute path of the callable's weights, else None.
        inputs: what the user or the sample declared; empty where the file itself tells.
        trusted: the user allowed this very file (or its weights) to run code while it is unpickled;
            only ever true where that is needed.
    """

    name: str
    path: str
    format: ModelFormat
    sha256: str
    companions: tuple[str, ...] = ()
    attribute: str | None = None
    weights: str | None = None
    inputs: tuple[InputSpec, ...] = ()
    trusted: bool = False

    @property
    def natural_engine(self) -> str:
        """The engine that runs this format as it is, where nobody says otherwise."""
        return "onnxruntime" if self.format == "onnx" else "torch"

    def hash_now(self) -> str:
        """Return the hash that the model's files have now; ``sha256`` is the one that they had.

        Raises:
            UserError: one of them is gone or cannot be read.
        """
        path = Path(self.path)
        files = [path, *(path.parent / name for name in self.companions)]
        return sha256_of(*files, *([Path(self.weights)] if self.weights else []))

    @property
    def study_name(self) -> str:
        """A stem for this model's study file that every file system accepts."""
        typed = self.name if self.name.startswith(_SAMPLE) else self.path
        return study_stem(f"{typed}:{self.attribute}" if self.attribute and typed == self.path else typed)


def study_stem(typed: str) -> str:
    """Return the stem of the study file of a model given as ``sample:NAME``, FILE or ``FILE.py:callable``."""
    if typed.startswith(_SAMPLE):
        stem = typed[len(_SAMPLE) :]
    else:
        path, _, attribute = typed.rpartition(":") if ".py:" in typed else (typed, "", "")
        stem = Path(path).stem + (f"-{attribute}" if attribute else "")
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-.")[:80] or "model"
    return f"model-{stem}" if _RESERVED_ON_WINDOWS.fullmatch(stem) else stem


def resolve_model(
    text: str,
    *,
    weights: str | Path | None = None,
    inputs: Sequence[str] = (),
    trust_pickle: bool = False,
) -> ModelReference:
    """Turn what the user typed into a checked reference, without loading or importing anything.

    Args:
        text: a path, ``path.py:callable`` or ``sample:NAME``.
        weights: state dict for a callable (PyTorch or safetensors).
        inputs: ``[NAME=]SHAPE[:DTYPE]`` texts.
        trust_pickle: the user's consent that this file may run code.

    Raises:
        UserError: whatever is wrong with it, with what the file really is and what to do.
    """
    if text.startswith(_SAMPLE):
        if weights or inputs:
            raise UserError(f"{text} takes no --weights and no --input.", "A sample brings both.", "Leave them out.")
        # Late, because samples are made of model references.
        from workbench.core.samples import load_sample

        return load_sample(text[len(_SAMPLE) :]).model
    source, attribute = _split_callable(text)
    specs = parse_inputs(inputs)
    if attribute is not None:
        return _resolve_callable(text, source, attribute, weights=weights, inputs=specs, trust_pickle=trust_pickle)
    path = _existing_file(source, text)
    if weights:
        raise UserError(
            "--weights needs a model given as FILE.py:callable.",
            f"{text} is a file that brings its own weights.",
            "Leave --weights out, or name the Python function that builds the model.",
        )
    contents = sniff.sniff(path)
    _check_suffix(path, contents.format)
    if contents.format in ("state-dict", "safetensors"):
        raise UserError(
            f"{text} holds weights, but no model.",
            f"It is {sniff.DESCRIPTIONS[contents.format]}: names and numbers, not what to compute with them.",
            f"Name the function that builds the model: workbench … model.py:build --weights {text}",
        )
    companions = external_data(path) if contents.format == "onnx" else ()
    return ModelReference(
        name=text,
        path=str(path),
        format=contents.format,
        sha256=sha256_of(path, *companions),
        companions=_below(path.parent, companions),
        inputs=specs,
        trusted=_consent(path, contents, trust_pickle),
    )


def parse_inputs(texts: Sequence[str]) -> tuple[InputSpec, ...]:
    """Read several ``--input`` texts; nameless ones are called ``input``, or ``input0``, ``input1``, …

    Raises:
        UserError: if one is not understood or two have the same name.
    """
    specs = tuple(
        InputSpec.parse(text, "input" if len(texts) == 1 else f"input{index}") for index, text in enumerate(texts)
    )
    names = [spec.name for spec in specs]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"Two inputs are called '{name}'.", "", "Give every --input its own NAME=.")
    return specs


def _axis(text: str, whole: str) -> int | None:
    if text == "?":
        return None
    if re.fullmatch("[0-9]+", text) and int(text) > 0:
        return int(text)
    raise UserError(
        f"--input {whole!r} is no shape.",
        f"'{text}' is neither a positive whole number nor '?'." if text else "An axis is empty.",
        _INPUT_SYNTAX,
    )


# ---- files ----------------------------------------------------------------------------------------


def _existing_file(source: str, text: str) -> Path:
    path = Path(source).expanduser().absolute()
    if path.is_dir():
        raise UserError(
            f"{text} is a folder, not a model file.",
            "It looks like a TensorFlow SavedModel." if (path / "saved_model.pb").exists() else "",
            _files_in(path, "Name one of its files: ") or "Name a file.",
        )
    if not path.exists():
        raise UserError(f"There is no file {path}.", "", _missing_hint(path, text))
    if not path.is_file():
        raise UserError(f"{text} is no regular file.", "", "Name a file.")
    return path


def _missing_hint(path: Path, text: str) -> str:
    from workbench.core.samples import sample_names

    if text in sample_names():
        return f"Did you mean '{_SAMPLE}{text}'?"
    if not path.parent.is_dir():
        return f"The folder {path.parent} does not exist either."
    names = [entry.name for entry in _entries(path.parent) if entry.suffix in (*_SUFFIX_FORMATS, ".py")]
    return nearest(path.name, names) or f"Known samples: {', '.join(_SAMPLE + n for n in sample_names())}."


def _files_in(folder: Path, introduction: str) -> str:
    names = [entry.name for entry in _entries(folder) if entry.suffix in _SUFFIX_FORMATS]
    return introduction + ", ".join(names[:8]) if names else ""


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _check_suffix(path: Path, found: str) -> None:
    suffix = path.suffix.lower()
    allowed = _SUFFIX_FORMATS.get(suffix)
    if allowed is not None and found in allowed:
        return
    what = sniff.DESCRIPTIONS[found]
    if allowed is None:
        shown = f"has the unknown extension '{suffix}'" if suffix else "has no extension"
    else:
        shown = f"says '{suffix}'"
    raise UserError(
        f"{path.name} {shown}, but it is {what}.",
        "Extension and content have to agree, so that nobody takes the file for something else.",
        f"Rename it to {path.with_suffix(_RIGHT_SUFFIX[found]).name}.",
    )


def _consent(path: Path, contents: sniff.Contents, trust_pickle: bool) -> bool:
    """Return whether loading needs the user's trust (and has it).

    Raises:
        UserError: if it needs trust that was not given.
    """
    if not contents.unsafe:
        return False
    if trust_pickle:
        return True
    shown = ", ".join(contents.unsafe[:20])
    if len(contents.unsafe) > 20:
        shown += f" and {len(contents.unsafe) - 20} more"
    raise UserError(
        f"Loading {path.name} could run any code, so it was not loaded.",
        f"Beyond tensors it wants to import: {shown}.",
        "If you trust where this file comes from, add --trust-pickle (it counts for this file only). "
        "Otherwise ask for TorchScript, ONNX, or a state dict together with the model's source.",
    )


def _below(folder: Path, files: Sequence[Path]) -> tuple[str, ...]:
    return tuple(file.relative_to(folder).as_posix() for file in files)


def sha256_of(*paths: Path) -> str:
    """Return the hash of what is in files, one after the other.

    Raises:
        UserError: one cannot be read.
    """
    digest = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as stream:
                while block := stream.read(1 << 20):
                    digest.update(block)
        except OSError as error:
            raise UserError(f"{path} cannot be read.", error.strerror or str(error)) from error
    return digest.hexdigest()


# ---- callables ------------------------------------------------------------------------------------


def _split_callable(text: str) -> tuple[str, str | None]:
    """Split ``path.py:callable``; the attribute is None for other files and "" where it is missing."""
    head, colon, attribute = text.rpartition(":")
    if colon and head.lower().endswith(".py"):
        return head, attribute.strip()
    return text, "" if text.lower().endswith(".py") else None


def _resolve_callable(
    text: str,
    source: str,
    attribute: str,
    *,
    weights: str | Path | None,
    inputs: tuple[InputSpec, ...],
    trust_pickle: bool,
) -> ModelReference:
    path = _existing_file(source, source)
    _check_attribute(path, attribute)
    modules = imported_files(path)
    files, weights_path, trusted = [path, *modules], None, False
    if weights:
        weights_path = _existing_file(str(weights), str(weights))
        contents = sniff.sniff(weights_path)
        if contents.format not in ("state-dict", "safetensors", "pickle"):
            raise UserError(
                f"{weights} is no state dict.",
                f"It is {sniff.DESCRIPTIONS[contents.format]}, a whole model.",
                f"Give it alone, without {text}: workbench … {weights}",
            )
        _check_suffix(weights_path, contents.format)
        trusted = _consent(weights_path, contents, trust_pickle)
        files.append(weights_path)
    return ModelReference(
        name=text,
        path=str(path),
        format="callable",
        sha256=sha256_of(*files),
        companions=_below(path.parent, modules),
        attribute=attribute,
        weights=str(weights_path) if weights_path else None,
        inputs=inputs,
        trusted=trusted,
    )


def _check_attribute(path: Path, attribute: str) -> None:
    try:
        tree = ast.parse(path.read_bytes(), str(path))
    except SyntaxError as error:
        raise UserError(
            f"{path} is not valid Python.", f"Line {error.lineno}: {error.msg}.", "Correct the file."
        ) from error
    except (ValueError, OSError) as error:
        raise UserError(f"{path} cannot be read as Python.", str(error), "Check the file.") from error
    defined = dict(_definitions(tree.body))
    public = [name for name in defined if not name.startswith("_")]
    if not attribute:
        raise UserError(
            f"{path.name} needs the name of what builds the model.",
            "A Python file may define several things.",
            f"Write {path.name}:NAME. {nearest('build', public)}".strip(),
        )
    if attribute not in defined:
        # What 'from x import *' brings cannot be known without running it.
        if "*" in defined or "__getattr__" in defined:
            return
        raise UserError(
            f"{path.name} defines no '{attribute}'.",
            "" if public else "It defines nothing at its top level.",
            nearest(attribute, public),
        )
    needed = _required_arguments(defined[attribute])
    if needed:
        raise UserError(
            f"{path.name}:{attribute} cannot be called without arguments.",
            f"It requires {', '.join(needed)}.",
            f"Write a function without arguments that returns {attribute}(…), and name that.",
        )


def _definitions(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the names that the statements of a module's top level bind, and where."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield alias.asname or alias.name, node
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for leaf in ast.walk(target):
                    if isinstance(leaf, ast.Name):
                        yield leaf.id, node
        elif isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
            inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
            yield from _definitions(inner)
            for handler in getattr(node, "handlers", ()):
                yield from _definitions(handler.body)


def _required_arguments(node: ast.stmt) -> list[str]:
    """Return the arguments without defaults of a function or of a class's own ``__init__``."""
    skip = 0
    if isinstance(node, ast.ClassDef):
        inits = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"]
        if not inits:
            return []
        node, skip = inits[-1], 1
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return []
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    required = positional[: len(positional) - len(arguments.defaults)][skip:]
    keyword = [
        argument
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    ]
    return [argument.arg for argument in (*required, *keyword)]

"""The files beside a model's own that make the model as much as that does: imported modules, external weights.

Used for a model's identity (:mod:`workbench.core.model`). Files are read, never run.
"""

from __future__ import annotations

import ast
import mmap
import re
from collections.abc import Iterator
from pathlib import Path

# An entry of TensorProto.external_data: field 1, "location"; field 2, length and path (up to 127 bytes).
_LOCATION = re.compile(rb"\x0a\x08location\x12([\x01-\x7f])", re.DOTALL)


def external_data(model: Path) -> tuple[Path, ...]:
    """Return the files in the folder of an ONNX file in which it keeps weights, sorted.

    The format's own reader would load the whole graph; the entries that name a file are found as they stand.
    """
    with model.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
        names = {content[hit.end() : hit.end() + hit[1][0]] for hit in _LOCATION.finditer(content)}
    files = {model.parent / name.decode("utf-8", "replace") for name in names}
    return tuple(sorted(file for file in files if file.is_file()))


def imported_files(source: Path) -> tuple[Path, ...]:
    """Return the modules in the folder of *source* that it imports, directly or through each other, sorted.

    Imports inside functions count. What is imported by a name made at run time, or lies elsewhere on the
    import path, is not found.
    """
    folder = source.parent
    found: dict[Path, None] = {}
    waiting = [source]
    while waiting:
        file = waiting.pop()
        for name in _imports(file, folder):
            for module in _files(folder, name):
                if module != source and module not in found:
                    found[module] = None
                    waiting.append(module)
    return tuple(sorted(found))


def _imports(file: Path, folder: Path) -> Iterator[tuple[str, ...]]:
    """Yield the dotted names, as parts below *folder*, of everything that may be a module imported by *file*."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, OSError):
        return  # importing it will tell
    package = file.relative_to(folder).parent.parts
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield tuple(alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            above = package[: max(0, len(package) - node.level + 1)] if node.level else ()
            module = (*above, *(node.module.split(".") if node.module else ()))
            for alias in node.names:
                yield (*module, alias.name)


def _files(folder: Path, name: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files that are run when the module *name* is imported: its packages', then its own."""
    for depth in range(1, len(name) + 1):
        place = folder.joinpath(*name[:depth])
        for file in (place / "__init__.py", place.with_name(f"{place.name}.py")):
            if file.is_file():
                yield file
                break

"""The files beside a model's source that it imports: they make the model as much as the source itself does.

Used for a model's identity (:mod:`workbench.core.model`). The source is read, never run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


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

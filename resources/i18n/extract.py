"""Brings the catalogues up to date with the sources: ``python resources/i18n/extract.py``.

New strings come in as unfinished, strings that are gone leave; where one was only reworded, the old translation stays
beside it as a proposal. ``--check`` changes nothing and ends with 1 where something is to be done. Edit a catalogue
with ``pyside6-linguist`` or any editor. See the README beside this file.
"""

from __future__ import annotations

import ast
import difflib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from workbench.core.catalogue import OWN_PLACES, read_entries  # noqa: E402

Key = tuple[str, str]
_ENGLISH_ONLY = (
    "cli.py",
    "delivery.py",
    "export/wheelhouse.py",
    "onsite/frames.py",
    "onsite/main.py",
    "onsite/model.py",
    "options.py",
    "progress.py",
    "printing.py",
    "bugs.py",
    "runtime.py",
    "series.py",
    "tables/",
    "gui/app.py",
    "gui/display.py",
    "gui/tour.py",
)
"""Said on the command line."""
_SENTENCE = re.compile(r"[A-Za-z]{2,}.* |^ .*[A-Za-z]{2,}| .*[A-Za-z]{2,}")
_IN_TEMPLATES = re.compile(r'\btr\("([^"]+)"(?:, "([^"]+)")?\)')
_ALIKE = 0.75


def strings() -> dict[Key, list[str]]:
    """Return every string that the window or a report may show, by text and comment, with the files that say it."""
    found: dict[Key, list[str]] = {}
    hidden = set(_lines("not_shown.txt"))
    package = ROOT / "workbench"
    for file in sorted(package.rglob("*.py")):
        name = file.relative_to(package).as_posix()
        if name.startswith(_ENGLISH_ONLY):
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        place = file.relative_to(ROOT).as_posix()
        for key in _own_words(tree) if place.startswith(OWN_PLACES) else _sentences(tree):
            if key[0] not in hidden and place not in found.setdefault(key, []):
                found[key].append(place)
    for file in sorted((ROOT / "resources" / "report").glob("*.jinja")):
        for key in _template_words(file):
            if (place := file.relative_to(ROOT).as_posix()) not in found.setdefault(key, []):
                found[key].append(place)
    for place, text in _tables():
        if place not in found.setdefault((text, ""), []):
            found[text, ""].append(place)
    return found


def _own_words(tree: ast.AST) -> Iterator[Key]:
    """Yield the strings that the window or a report has translated: ``tr``, ``translate`` and helpers of that name."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        words = [value.value for value in call.args if isinstance(value, ast.Constant) and isinstance(value.value, str)]
        if name in ("tr", "_tr") and words:
            yield words[0], words[1] if len(words) > 1 else ""
        elif name == "translate" and len(words) > 1:
            yield words[1], words[2] if len(words) > 2 else ""
        elif name in ("UserError", "ValueError"):
            yield from _sentences(call)


def _template_words(file: Path) -> Iterator[Key]:
    """Yield the strings that a template has translated."""
    yield from _IN_TEMPLATES.findall(file.read_text(encoding="utf-8"))


def _sentences(tree: ast.AST) -> Iterator[Key]:
    """Yield what may be said: every text of several words that is no documentation."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # documentation
        text = pattern(node)
        if text is not None:
            if _SENTENCE.search(re.sub(r"\{\d*\}", "", text)):
                yield text, ""
            for part in getattr(node, "values", ()):
                yield from _sentences(part)
        else:
            yield from _sentences(node)


def pattern(node: ast.AST) -> str | None:
    """Return a string literal with numbered gaps for its expressions; None for anything else."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if not isinstance(node, ast.JoinedStr):
        return None
    gaps = iter(range(len(node.values)))
    return "".join(str(part.value) if isinstance(part, ast.Constant) else f"{{{next(gaps)}}}" for part in node.values)


def _tables() -> Iterator[tuple[str, str]]:
    """Yield words that are put together or read from data: titles of knobs, samples, steps of the ladder."""
    from workbench.core.knobs import KNOBS
    from workbench.core.samples import summaries
    from workbench.gui.knob_words import groups, title

    for key in [*groups(), *(knob.key for knob in KNOBS)]:
        yield "workbench/core/knobs.py", title(key)
    for knob in KNOBS:
        if knob.unit.isalpha():
            yield "workbench/core/knobs.py", knob.unit
    for sample in summaries():
        for text in (sample.title, sample.note):
            yield "sample_models/samples.toml", text
    for word in _lines("also_shown.txt"):
        yield "resources/i18n/also_shown.txt", word


def _lines(name: str) -> list[str]:
    return [line for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line and line[:2] != "##"]


def updated(file: Path) -> tuple[dict[Key, tuple[str, bool, list[str]]], list[str]]:
    """Return what a catalogue should hold, and what has to be done for that."""
    wanted, known = strings(), read_entries(file) if file.exists() else {}
    gone = {key: entry for key, entry in known.items() if key not in wanted}
    entries, todo = {}, [f"gone: {source!r}" for source, _ in gone]
    for key in sorted(wanted, key=lambda key: (wanted[key][0], list(wanted).index(key))):
        text, finished, _ = known.get(key, ("", False, []))
        if key not in known:
            alike = difflib.get_close_matches(key[0], [source for source, _ in gone], 1, _ALIKE)
            text = next((entry[0] for (source, _), entry in gone.items() if alike == [source]), "")
        if not finished:
            todo.append(f"{'unfinished' if key in known else 'new'}: {key[0]!r} ({wanted[key][0]})")
        entries[key] = (text, finished, wanted[key])
    return entries, todo


def write(file: Path, entries: dict[Key, tuple[str, bool, list[str]]]) -> None:
    """Write a ``.ts`` file; it names files without lines, so that it changes only where words do."""
    root = ElementTree.Element("TS", version="2.1", language=file.stem, sourcelanguage="en")
    context = ElementTree.SubElement(root, "context")
    ElementTree.SubElement(context, "name").text = "Workbench"
    for (source, comment), (text, finished, places) in entries.items():
        message = ElementTree.SubElement(context, "message")
        for place in places:
            ElementTree.SubElement(message, "location", filename=place)
        ElementTree.SubElement(message, "source").text = source
        if comment:
            ElementTree.SubElement(message, "comment").text = comment
        translation = ElementTree.SubElement(message, "translation", {} if finished else {"type": "unfinished"})
        translation.text = text
    ElementTree.indent(root, "    ")
    body = ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)
    file.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8")


def main() -> int:
    """Bring all catalogues up to date, or check them."""
    left = 0
    for file in sorted(HERE.glob("*.ts")):
        entries, todo = updated(file)
        if "--check" not in sys.argv:
            write(file, entries)
        left += len(todo)
        print(f"{file.name}: {len(entries)} strings, {len(todo)} to do", *todo, sep="\n  ")
    return int("--check" in sys.argv and left > 0)


if __name__ == "__main__":
    sys.exit(main())

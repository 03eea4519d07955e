"""Fields of the preprocessing object as text and back; used by the preprocessing editor."""

from __future__ import annotations

import re
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from workbench.core.preprocess import Preprocess
from workbench.errors import UserError

HIDDEN = frozenset({"dtype"})
"""Values are cast to the type of the model's input anyway, so choosing another would change nothing."""

SCALES: tuple[tuple[str, tuple[float, ...], tuple[float, ...]], ...] = (
    ("0 … 255", (0.0,), (1.0,)),
    ("0 … 1", (0.0,), (255.0,)),
    ("-1 … 1", (127.5,), (127.5,)),
    ("ImageNet", (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)),
)
"""Usual pairs of mean and divisor, in 0..255 pixel units."""


def fields() -> list[tuple[str, tuple[str, ...]]]:
    """Return the fields that the form shows, each with its choices; () for one that is typed."""
    hints = get_type_hints(Preprocess)
    names = [field.name for field in msgspec.structs.fields(Preprocess) if field.name not in HIDDEN]
    return [(name, get_args(hints[name]) if get_origin(hints[name]) is Literal else ()) for name in names]


def to_text(value: Any) -> str:
    """Return a field's value as one types it: ``224 × 320``, ``127.5``, ``123.7, 116.3, 103.5``, or nothing."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        whole = all(isinstance(part, int) for part in value)
        return (" × " if whole else ", ").join(f"{part:g}" if part == round(part, 3) else str(part) for part in value)
    return str(value)


def from_text(name: str, text: str) -> Any:
    """Return the value that *text* stands for in field *name*.

    Raises:
        ValueError: it is none; the message says what would be.
    """
    parts = [part for part in re.split(r"[x×,;\s]+", text.strip().lower()) if part]
    if name in ("size", "crop"):
        if not parts:
            return None
        if len(parts) > 2 or not all(part.isascii() and part.isdigit() for part in parts):
            raise ValueError("One number of pixels, or height × width such as 224 × 320; empty leaves it out.")
        return int(parts[0]) if len(parts) == 1 else (int(parts[0]), int(parts[1]))
    try:
        numbers = tuple(float(part) for part in parts)
    except ValueError:
        numbers = ()
    if not numbers:
        raise ValueError("One number, or one per channel with commas between them; in 0..255 pixel units.")
    return numbers


def made(values: dict[str, Any], base: Preprocess) -> Preprocess:
    """Return *base* with *values*.

    Raises:
        UserError: the values do not go together; :func:`field_of` tells which one is named.
    """
    return Preprocess(**{**{name: getattr(base, name) for name in Preprocess.__struct_fields__}, **values})


def field_of(error: UserError) -> str:
    """Return the field that *error* is about, or nothing where it is about none."""
    found = re.match(r"preprocess\.(\w+)", error.what)
    return found.group(1) if found else ""

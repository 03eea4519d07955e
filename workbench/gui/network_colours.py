"""What the colours of the network map mean: error, time, scale or number format of a layer.

A ramp goes from the ground of the theme to a hot colour by lightness alone, so that it can be read with any eyes;
formats have Okabe and Ito's hues.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor

from workbench.core.figures import decibels, milliseconds, significant
from workbench.core.layer_table import LayerRow
from workbench.gui import theme
from workbench.gui.language import said

By = Literal["error", "time", "scale", "type"]

GOOD_DB, BAD_DB = 45.0, 5.0
"""Errors at the two ends of the ramp; the same for every trial, so that two maps can be compared."""
_HOT = (
    ("#E9ECEF", "#F2D08A", "#E69F00", "#D55E00", "#8F3300"),
    ("#31363E", "#6B5325", "#B97A00", "#E96A1E", "#FFB088"),
)
_COOL = (
    ("#E9ECEF", "#BBD9EE", "#6BB1E0", "#0072B2", "#003F66"),
    ("#31363E", "#27506B", "#2E80B3", "#56B4E9", "#BFE3FA"),
)
_FORMATS = {"int8": theme.BLUE, "bf16": theme.GREEN, "fp32": theme.ORANGE}


@dataclass(frozen=True)
class Legend:
    """What to say beside the map.

    Attributes:
        ramp: colours from one end to the other; empty where formats are shown.
        ends: words at the ends of the ramp.
        swatches: colour and word of each format.
    """

    ramp: Sequence[QColor] = ()
    ends: tuple[str, str] = ("", "")
    swatches: Sequence[tuple[QColor, str]] = ()


def error_of(row: LayerRow) -> float | None:
    """Return what this layer alone in INT8 costs, in dB: at the outputs where that was scanned, else at its own."""
    return row.only_this_int8_sqnr_db if row.only_this_int8_sqnr_db is not None else row.sqnr_db


def scale_of(row: LayerRow) -> float | None:
    """Return the scale of what leaves the layer."""
    outputs = [entry for entry in row.tensors if entry.quantized and not entry.name.endswith(":weight")]
    value = outputs[-1].scale if outputs else None
    return value if value is not None and math.isfinite(value) and value > 0 else None


def colours(rows: Sequence[LayerRow], by: By) -> tuple[dict[str, QColor], Legend]:
    """Return the colour of every layer that has one, and what they mean; fused layers have that of their kernel."""
    if by == "type":
        kinds = {row.name: row.dtype for row in rows if row.dtype}
        made = {name: QColor(_FORMATS[kind]) for name, kind in kinds.items() if kind in _FORMATS}
        present = [kind for kind in _FORMATS if kind in kinds.values()]
        legend = Legend(swatches=[(QColor(_FORMATS[kind]), kind.upper()) for kind in present])
    else:
        made, legend = _ramped(rows, by)
    heads = {row.name: row.fused_into for row in rows if row.fused_into}
    return made | {name: made[head] for name, head in heads.items() if head in made}, legend


def _ramped(rows: Sequence[LayerRow], by: By) -> tuple[dict[str, QColor], Legend]:
    read: Callable[[LayerRow], float | None] = {"error": error_of, "time": lambda row: row.ms, "scale": scale_of}[by]
    values = {row.name: value for row in rows if (value := read(row)) is not None}
    ramp = [QColor(name) for name in (_COOL if by == "scale" else _HOT)[theme.is_dark()]]
    translate = QCoreApplication.translate
    if by == "error":
        ends = (
            translate("Network", "≥ {0} dB").format(f"{GOOD_DB:g}"),
            translate("Network", "≤ {0} dB").format(f"{BAD_DB:g}"),
        )
        places = {name: (GOOD_DB - value) / (GOOD_DB - BAD_DB) for name, value in values.items()}
    elif by == "time":
        most = max(values.values(), default=0.0)
        ends = ("0", translate("Network", "{0} ms").format(milliseconds(most)))
        places = {name: value / most if most else 0.0 for name, value in values.items()}
    else:
        low, high = min(values.values(), default=1.0), max(values.values(), default=1.0)
        ends = (significant(low), significant(high))
        places = {name: _between(math.log(value), math.log(low), math.log(high)) for name, value in values.items()}
    return {name: _mixed(ramp, place) for name, place in places.items()}, Legend(ramp, ends)


def _between(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low) if high > low else 0.5


def _mixed(ramp: Sequence[QColor], place: float) -> QColor:
    """Return the colour at *place*, 0..1, of a ramp."""
    place = min(max(place, 0.0), 1.0) * (len(ramp) - 1)
    index = min(int(place), len(ramp) - 2)
    rest = place - index
    first, second = ramp[index], ramp[index + 1]
    return QColor.fromRgbF(
        first.redF() + rest * (second.redF() - first.redF()),
        first.greenF() + rest * (second.greenF() - first.greenF()),
        first.blueF() + rest * (second.blueF() - first.blueF()),
    )


def ink_on(colour: QColor) -> QColor:
    """Return black or white, whichever can be read on *colour*."""
    light = 0.299 * colour.redF() + 0.587 * colour.greenF() + 0.114 * colour.blueF()
    return QColor("#101214" if light > 0.5 else "#FFFFFF")


def in_words(row: LayerRow, rows: Mapping[str, LayerRow]) -> str:
    """Return all that is known of a layer, a line each, for a tooltip."""
    translate = QCoreApplication.translate
    head = rows.get(row.fused_into, row) if row.fused_into else row
    lines = [f"{row.name}  ({row.op})"]
    if head is not row:
        lines.append(translate("Network", "runs inside the kernel of {0}").format(head.name))
    if head.dtype:
        lines.append(f"{head.dtype.upper()}  {head.kernel or ''}".rstrip())
    if head.ms is not None:
        share = f"  ({head.share:.1%})" if head.share is not None else ""
        lines.append(translate("Network", "{0} ms in one run").format(milliseconds(head.ms)) + share)
    if (error := error_of(head)) is not None:
        at = "outputs" if head.only_this_int8_sqnr_db is not None else "own"
        text = {
            "outputs": translate("Network", "{0} dB at the outputs, with this layer alone in INT8"),
            "own": translate("Network", "{0} dB at its own output"),
        }[at]
        lines.append(text.format(decibels(error)))
    if (scale := scale_of(head)) is not None:
        lines.append(translate("Network", "scale {0}").format(significant(scale, 4)))
    if head.precision_fixed:
        lines.append(translate("Network", "pinned to {0}").format(head.precision_fixed.upper()))
    return "\n".join([*lines, *(f"! {said(flag)}" for flag in head.flags)])

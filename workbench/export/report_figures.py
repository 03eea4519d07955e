"""Figures of a report as SVG. The only importer of matplotlib, which the report alone needs and loads when it is drawn.

Letters are drawn as shapes, so that a figure looks the same wherever the page is opened, Chinese included.
"""

from __future__ import annotations

import io
import logging
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy as np
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

from workbench.core.figures import factor, finite, milliseconds
from workbench.core.latency import Samples, percentile
from workbench.paths import bundled

BEFORE, AFTER, WORSE = "#98a4b0", "#0f766e", "#c2571a"
_INK, _MUTED, _LINE = "#1b2733", "#66727f", "#dfe4e9"
_WIDTH_IN = 7.1
_BINS = 64
_CHINESE = "Workbench Sans SC"
_LOOKS: Any = {
    "font.family": ["DejaVu Sans", _CHINESE], "font.size": 8.0, "text.color": _INK, "axes.labelcolor": _MUTED,
    "axes.edgecolor": _LINE, "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False,
    "xtick.color": _LINE, "ytick.color": _LINE, "xtick.labelcolor": _MUTED, "ytick.labelcolor": _INK,
    "svg.fonttype": "path", "svg.hashsalt": "report", "figure.facecolor": "none", "axes.facecolor": "none",
}  # fmt: skip
# The Chinese font has one weight, and says so at every bold letter.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


@dataclass(frozen=True)
class Side:
    """One side of the histogram: its label and its samples in ms."""

    label: str
    samples: Samples
    colour: str


@dataclass(frozen=True)
class Rung:
    """One step of the waterfall.

    Attributes:
        p50_ms: None where it could not be measured; then *verdict* is written in its place.
        slower: that it is slower than the step before was shown.
        chosen: it is the trial that the report is about.
    """

    name: str
    p50_ms: float | None
    verdict: str
    slower: bool = False
    chosen: bool = False


def histogram(sides: Sequence[Side], unit: str, more: str, deadline: tuple[float, str] | None = None) -> str:
    """Draw the latencies of one or two trials over one axis.

    Args:
        sides: samples in ns, at least one each.
        unit: label of the axis.
        more: sentence with a gap, for samples beyond the right end.
        deadline: in ms, with its label.
    """
    times = [np.asarray(side.samples, np.float64) / 1e6 for side in sides]
    low = min(float(values.min()) for values in times)
    high = max(percentile(values, 99) for values in times)
    if deadline is not None and low < deadline[0] < 3 * high:
        high = max(high, deadline[0])
    low, high = low / 1.04, max(high, low * 1.05) * 1.04
    wide = high / low > 3
    edges = np.geomspace(low, high, _BINS + 1) if wide else np.linspace(low, high, _BINS + 1)
    with matplotlib.rc_context(_LOOKS):
        figure, axes = _figure(2.3)
        for side, values in zip(sides, times, strict=True):
            counts, _ = np.histogram(values, edges)
            heights = counts / max(counts.max(), 1)
            axes.stairs(heights, edges, fill=True, color=side.colour, alpha=0.3)
            axes.stairs(heights, edges, color=side.colour, linewidth=1.1)
        _name_medians(axes, sides, [percentile(values, 50) for values in times], wide)
        if deadline is not None and low < deadline[0] < high:
            axes.axvline(deadline[0], color=WORSE, linewidth=1, linestyle=(0, (4, 3)))
            axes.text(deadline[0], 1.02, f" {deadline[1]}", color=WORSE, ha="left", va="bottom", fontsize=7.5)
        axes.set(xlim=(low, high), ylim=(0, 1.0), xscale="log" if wide else "linear", yticks=[], xlabel=unit)
        if wide:
            _plain_ticks(axes, low, high)
        if beyond := sum(int(np.count_nonzero(values > high)) for values in times):
            axes.text(1.0, 0.9, more.format(f"{beyond:,}"), transform=axes.transAxes, ha="right", color=_MUTED, size=7)
        return _svg(figure)


def _name_medians(axes: Axes, sides: Sequence[Side], medians: Sequence[float], wide: bool) -> None:
    """Write each side's name over its median; two that are close get a line of their own each."""
    span: Callable[[float], float] = math.log if wide else float
    ends = [span(value) for value in axes.get_xlim()]
    near = len(medians) > 1 and abs(span(medians[0]) - span(medians[1])) < 0.35 * (ends[1] - ends[0])
    for number, (side, median) in enumerate(zip(sides, medians, strict=True)):
        axes.axvline(median, color=side.colour, linewidth=1)
        height = 1.02 + (0.11 if near and number == 0 else 0.0)
        text = f"{side.label}  {milliseconds(median)} ms"
        right = (span(median) - ends[0]) > 0.7 * (ends[1] - ends[0])
        axes.text(
            median, height, text, color=_MUTED if side.colour == BEFORE else side.colour,
            ha="right" if right else "left", va="bottom", fontweight="bold" if number else "normal",
        )  # fmt: skip


def waterfall(rungs: Sequence[Rung], unit: str, heads: tuple[str, str]) -> str:
    """Draw what each step of a ladder bought, on a logarithmic axis of medians.

    Args:
        unit: label of the axis.
        heads: titles of the columns at the right: the median, and how many times as fast as the first step.
    """
    known = [rung.p50_ms for rung in rungs if finite(rung.p50_ms)]
    times = [value for value in known if value is not None and value > 0] or [1.0]
    low, high = min(times) / 1.25, max(times) * 1.12
    count = len(rungs)
    with matplotlib.rc_context(_LOOKS):
        figure, axes = _figure(0.55 + 0.235 * (count + 1))
        axes.set(xlim=(low, high), ylim=(count - 0.4, -0.7), xscale="log", xlabel=unit)
        _plain_ticks(axes, low, high)
        axes.grid(axis="x", color=_LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_yticks(range(count), [rung.name for rung in rungs])
        axes.tick_params(axis="y", length=0)
        at = axes.get_yaxis_transform()
        for place, head in zip((1.11, 1.21), heads, strict=True):
            axes.text(place, -0.85, head, transform=at, ha="right", va="center", color=_MUTED, size=7)
        before: tuple[int, float] | None = None
        for row, rung in enumerate(rungs):
            label = axes.get_yticklabels()[row]
            if not rung.p50_ms or rung.p50_ms not in times:
                label.set_color(_MUTED)
                axes.text(1.21, row, rung.verdict, transform=at, ha="right", va="center", color=_MUTED, size=7)
                continue
            colour = WORSE if rung.slower else AFTER
            if before is not None:
                axes.plot([before[1], before[1]], [before[0], row], color=_LINE, linewidth=1, zorder=1)
                left, right = sorted((before[1], rung.p50_ms))
                axes.barh(row, right - left, left=left, height=0.5, color=colour, alpha=0.75, zorder=2)
            axes.plot([rung.p50_ms], [row], "o", color=colour if before is not None else _MUTED, markersize=3.6)
            weight = "bold" if rung.chosen else "normal"
            label.set_fontweight(weight)
            for place, text in ((1.11, milliseconds(rung.p50_ms)), (1.21, factor(times[0] / rung.p50_ms))):
                axes.text(place, row, text, transform=at, ha="right", va="center", fontweight=weight)
            before = (row, rung.p50_ms)
        return _svg(figure)


def _figure(height_in: float) -> tuple[Figure, Axes]:
    _add_font()
    figure = Figure(figsize=(_WIDTH_IN, height_in), layout="constrained")
    FigureCanvasSVG(figure)
    return figure, figure.add_subplot()


def _add_font() -> None:
    if _CHINESE not in font_manager.get_font_names():
        font_manager.fontManager.addfont(str(bundled("resources") / "fonts" / "WorkbenchSansSC-Regular.otf"))


def _plain_ticks(axes: Axes, low: float, high: float) -> None:
    """Mark 1, 2, 5, 10, … without powers; every value of a decade where the axis is short."""
    steps = (1, 2, 5) if high / low > 8 else range(1, 10) if high / low > 1.6 else np.arange(1, 10, 0.2)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    marks = [step * 10.0**decade for decade in decades for step in steps]
    axes.xaxis.set_major_locator(FixedLocator([mark for mark in marks if low <= mark <= high]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())


def _svg(figure: Figure) -> str:
    """Return the figure as an SVG document without dates and addresses of vocabularies."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    text = file.getvalue()
    return re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)

"""Where each layer lies in the map of the network: columns in the order of execution, branches on lanes. No Qt here.

A layer's column follows from the longest way to it, so that branches lie below each other; columns are put into rows
of the width there is. Numbers are pixels. Used by the map's canvas.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from workbench.core.trial import Layer
from workbench.gui.core_layout import Box

MARGIN = 8.0
MOST_LANES = 4
"""Layers of one column; more go into further columns."""
_SIZES = ((68.0, 26.0, 10.0), (52.0, 24.0, 8.0), (38.0, 22.0, 8.0), (28.0, 20.0, 7.0), (20.0, 16.0, 6.0),
          (14.0, 13.0, 5.0), (10.0, 10.0, 4.0))  # fmt: skip
"""Width, height and gap of a cell to try, largest first."""
_ARC = 6.0  # room above a row for ways that skip layers

Point = tuple[float, float]


class Spot(NamedTuple):
    """A place in a grid that is as long as it needs to be."""

    column: int
    lane: int


@dataclass(frozen=True)
class Grid:
    """Where layers lie to each other, whatever room there is.

    Attributes:
        spots: call site → place, in the order of execution.
        edges: call sites of which the second reads the first.
    """

    spots: Mapping[str, Spot] = field(default_factory=dict)
    edges: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class NetworkLayout:
    """Everything to draw.

    Attributes:
        cells: call site → place, in the order of execution.
        ways: lines from layer to layer, each through some points.
        joints: what fills the gap between two layers that run as one kernel.
        height: of the whole.
    """

    cells: Mapping[str, Box] = field(default_factory=dict)
    ways: Sequence[Sequence[Point]] = ()
    joints: Sequence[tuple[str, Box]] = ()
    height: float = 0.0


def grid_of(layers: Sequence[Layer]) -> Grid:
    """Return the grid of a network."""
    sources = {layer.name: _producers(layer) for layer in layers}
    levels = _levels(layers, sources)
    members: dict[int, list[str]] = defaultdict(list)
    for name, level in levels.items():
        members[level].append(name)
    found: dict[str, Spot] = {}
    column = 0
    for level in sorted(members):
        here = members[level]
        for start in range(0, len(here), MOST_LANES):
            taken: set[int] = set()
            for name in here[start : start + MOST_LANES]:
                lane = _lane(sources[name], found, taken)
                taken.add(lane)
                found[name] = Spot(column, lane)
            column += 1
    edges = [(source, name) for name, inputs in sources.items() for source in inputs if source in found]
    return Grid({layer.name: found[layer.name] for layer in layers}, edges)


def _producers(layer: Layer) -> list[str]:
    """Return the call sites whose outputs *layer* reads, each once."""
    return list(dict.fromkeys(name.removesuffix(":out") for name in layer.inputs if name.endswith(":out")))


def _levels(layers: Sequence[Layer], sources: Mapping[str, Sequence[str]]) -> dict[str, int]:
    levels: dict[str, int] = {}
    before = -1
    for layer in layers:
        known = [levels[name] for name in sources[layer.name] if name in levels]
        reads_input = any(name.startswith("input:") for name in layer.inputs)
        # What nobody knows the source of comes after what ran before it.
        levels[layer.name] = before = 1 + max(known) if known else 0 if reads_input else before + 1
    return levels


def _lane(sources: Sequence[str], found: Mapping[str, Spot], taken: set[int]) -> int:
    """Stay on the lane of what comes in, else take the first that is free."""
    wanted: list[int] = sorted(found[name].lane for name in sources if name in found)[:1]
    return next((lane for lane in [*wanted, *range(MOST_LANES)] if lane not in taken), MOST_LANES - 1)


def arrange(grid: Grid, groups: Mapping[str, str], width: float, room: float) -> NetworkLayout:
    """Return where everything lies.

    Args:
        groups: call site → first layer of the kernel that does its work, itself included.
        width: of the canvas.
        room: height that should do; cells shrink for it as far as they can be told apart.
    """
    if not grid.spots:
        return NetworkLayout()
    spots = grid.spots
    headroom = _ARC if any(spots[end].column - spots[start].column > 1 for start, end in grid.edges) else 0.0
    rows = next((rows for size in _SIZES if (rows := _Rows.of(spots, size, width, headroom)).height <= room), None)
    rows = rows or _Rows.of(spots, _SIZES[-1], width, headroom)
    cells = {name: rows.box(spot) for name, spot in spots.items()}
    ways, joints = _lines(grid, groups, cells, rows)
    return NetworkLayout(cells, ways, joints, rows.height)


class _Rows(NamedTuple):
    """A grid that is cut into rows of *length* columns; *tops* are where they begin."""

    size: tuple[float, float, float]
    length: int
    tops: Sequence[float]
    height: float

    @classmethod
    def of(cls, places: Mapping[str, Spot], size: tuple[float, float, float], width: float, headroom: float) -> _Rows:
        wide, high, gap = size
        length = max(1, int((width - 2 * MARGIN + gap) // (wide + gap)))
        lanes: dict[int, int] = defaultdict(int)
        for spot in places.values():
            lanes[spot.column // length] = max(lanes[spot.column // length], spot.lane + 1)
        tops, y = [], MARGIN
        for row in range(max(lanes) + 1):
            tops.append(y + headroom)
            y = tops[-1] + max(lanes[row], 1) * (high + gap)
        return cls(size, length, tops, y - gap + MARGIN)

    def row(self, spot: Spot) -> int:
        return spot.column // self.length

    def box(self, spot: Spot) -> Box:
        wide, high, gap = self.size
        x, y = MARGIN + spot.column % self.length * (wide + gap), self.tops[self.row(spot)] + spot.lane * (high + gap)
        return Box(x, y, wide, high)


def _lines(
    grid: Grid, groups: Mapping[str, str], cells: Mapping[str, Box], rows: _Rows
) -> tuple[list[list[Point]], list[tuple[str, Box]]]:
    """Return the ways between layers, and what joins those of one kernel."""
    used = set(grid.spots.values())
    wide, high, gap = rows.size
    ways: list[list[Point]] = []
    joints = []
    for source, target in grid.edges:
        start, end, box = grid.spots[source], grid.spots[target], cells[source]
        same_row = rows.row(start) == rows.row(end)
        joined = source in groups and groups[source] == groups.get(target)
        if joined and same_row and end == Spot(start.column + 1, start.lane):
            joints.append((source, Box(box.x + wide, box.y, gap, high)))
        elif same_row:
            ways.append(_way(box, cells[target], start, end, used, gap, rows.tops[rows.row(start)]))
        elif end.column == start.column + 1:
            ways += _turn(box, cells[target], gap)
    return ways, joints


def _way(source: Box, target: Box, start: Spot, end: Spot, used: set[Spot], gap: float, top: float) -> list[Point]:
    """Return a line from the right of *source* to the left of *target*, around what lies between."""
    x1, y1 = source.x + source.width, source.y + source.height / 2
    x2, y2 = target.x, target.y + target.height / 2
    between = range(start.column + 1, end.column)
    if all(Spot(column, start.lane) not in used for column in between):
        bend = x2 - gap / 2
        return [(x1, y1), (x2, y2)] if y1 == y2 else [(x1, y1), (bend, y1), (bend, y2), (x2, y2)]
    if all(Spot(column, end.lane) not in used for column in between):
        bend = x1 + gap / 2
        return [(x1, y1), (bend, y1), (bend, y2), (x2, y2)]
    over = top - _ARC + 1
    return [(x1, y1), (x1 + gap / 2, y1), (x1 + gap / 2, over), (x2 - gap / 2, over), (x2 - gap / 2, y2), (x2, y2)]


def _turn(source: Box, target: Box, gap: float) -> list[list[Point]]:
    """Return the ends of a line that goes on in the next row."""
    y1, y2 = source.y + source.height / 2, target.y + target.height / 2
    right = source.x + source.width
    return [[(right, y1), (right + gap / 2, y1)], [(target.x - gap / 2, y2), (target.x, y2)]]


def above_or_below(cells: Mapping[str, Box], name: str, step: int) -> str:
    """Return the cell nearest to *name* in the next line above (-1) or below (1); *name* where there is none."""
    here = cells[name]
    beyond = [(other, box) for other, box in cells.items() if (box.y - here.y) * step > 0]
    if not beyond:
        return name
    line = min((box.y for _, box in beyond), key=lambda y: abs(y - here.y))
    return min((pair for pair in beyond if pair[1].y == line), key=lambda pair: abs(pair[1].x - here.x))[0]

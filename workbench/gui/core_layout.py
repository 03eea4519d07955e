"""Where each CPU lies in the core map: packages, NUMA nodes, kinds of cores, cores, hyper-threads. No Qt in here.

Used by the core map's canvas. Numbers are pixels. A core is a block of one or more threads on top of each
other; blocks fill rows of equal length where the count allows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from workbench.host.topology import Cpu, Topology

MARGIN = 8.0
GAP = 4.0
_SIZES = ((76.0, 46.0), (54.0, 34.0), (44.0, 28.0), (36.0, 24.0), (30.0, 21.0))
"""Widths and heights of a cell to try, largest first; text sets the smallest."""
_PACKAGE_WIDTH = 260.0
"""Packages stand side by side once each gets so much room."""


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True)
class Cell:
    """One CPU's place; *first* and *last* tell where its core begins and ends."""

    cpu: Cpu
    box: Box
    first: bool
    last: bool


@dataclass(frozen=True)
class Frame:
    """A titled group of CPUs; its title can be clicked. *outer* ones have a border."""

    title: str
    box: Box
    header: Box
    cpus: tuple[int, ...]
    outer: bool


@dataclass(frozen=True)
class Layout:
    """Everything to draw, and how high it is."""

    cells: tuple[Cell, ...]
    frames: tuple[Frame, ...]
    height: float


@dataclass(frozen=True)
class Words:
    """Titles, so that this module needs no translation."""

    package: str = "Package {0}"
    node: str = "NUMA node {0}"
    kind: str = "{0} cores"


@dataclass(frozen=True)
class Text:
    """How much room text takes: widest CPU number, height of a line, in pixels."""

    width: float
    line: float


def arrange(topology: Topology, width: float, height: float, text: Text, words: Words | None = None) -> Layout:
    """Lay out all CPUs in *width*, with the largest cells that fit in *height*, or the smallest readable ones."""
    words = words or Words()
    smallest = (text.width + 7.0, text.line + 4.0)
    sizes = [size for size in _SIZES if size[0] >= smallest[0] and size[1] >= smallest[1]]
    layout = Layout((), (), 0.0)
    for cell in [*sizes, smallest]:
        layout = _Arranging(topology, width, cell, text.line + 4.0, words).done()
        if layout.height <= height:
            break
    return layout


class _Arranging:
    def __init__(
        self, topology: Topology, width: float, cell: tuple[float, float], header: float, words: Words
    ) -> None:
        self._topology = topology
        self._width = max(width, cell[0] + 4 * MARGIN)
        self._cell = cell
        self._header = header
        self._words = words
        self._cells: list[Cell] = []
        self._frames: list[Frame] = []

    def done(self) -> Layout:
        packages = self._topology.packages
        columns = max(1, min(len(packages), int(self._width // _PACKAGE_WIDTH)))
        each = (self._width - (columns + 1) * MARGIN) / columns
        top, bottom = MARGIN, MARGIN
        for place, package in enumerate(packages):
            if place and place % columns == 0:
                top = bottom + MARGIN
            x = MARGIN + (place % columns) * (each + MARGIN)
            bottom = max(bottom, self._package(package, x, top, each))
        return Layout(tuple(self._cells), tuple(self._frames), bottom + MARGIN)

    def _package(self, package: int, x: float, y: float, width: float) -> float:
        """Place one package and return its lower edge."""
        cpus = [cpu for cpu in self._topology.cpus if cpu.package == package]
        nodes = sorted({cpu.node for cpu in cpus})
        title = self._words.package.format(package)
        several_nodes = len({cpu.node for cpu in self._topology.cpus}) > 1
        if several_nodes and len(nodes) == 1:
            title += "  ·  " + self._words.node.format(nodes[0])
        bottom = y + self._header
        for node in nodes:
            own = [cpu for cpu in cpus if cpu.node == node]
            if len(nodes) > 1:
                node_title = self._words.node.format(node)
                bottom = self._titled(node_title, own, x + MARGIN, bottom, width - 2 * MARGIN)
            else:
                bottom = self._kinds(own, x + MARGIN, bottom, width - 2 * MARGIN)
        bottom += MARGIN - GAP
        header = Box(x, y, width, self._header)
        self._frames.append(Frame(title, Box(x, y, width, bottom - y), header, _ids(cpus), True))
        return bottom

    def _titled(self, title: str, cpus: list[Cpu], x: float, y: float, width: float) -> float:
        header = Box(x, y, width, self._header)
        bottom = self._kinds(cpus, x, y + self._header, width)
        self._frames.append(Frame(title, Box(x, y, width, bottom - y), header, _ids(cpus), False))
        return bottom

    def _kinds(self, cpus: list[Cpu], x: float, y: float, width: float) -> float:
        if not self._topology.hybrid:
            return self._cores(cpus, x, y, width)
        for kind in sorted({cpu.kind for cpu in cpus}, reverse=True):
            own = [cpu for cpu in cpus if cpu.kind == kind]
            header = Box(x, y, width, self._header)
            bottom = self._cores(own, x, y + self._header, width)
            title = self._words.kind.format(kind or "?")
            self._frames.append(Frame(title, Box(x, y, width, bottom - y), header, _ids(own), False))
            y = bottom
        return y

    def _cores(self, cpus: list[Cpu], x: float, y: float, width: float) -> float:
        """Place the blocks of cores in rows and return the lower edge, a gap included."""
        cores: dict[int, list[Cpu]] = {}
        for cpu in cpus:
            cores.setdefault(cpu.core, []).append(cpu)
        wide, high = self._cell
        columns = tidy_columns(len(cores), int((width + GAP) // (wide + GAP)))
        tallest = max((len(threads) for threads in cores.values()), default=1) * high
        for place, core in enumerate(sorted(cores)):
            left = x + (place % columns) * (wide + GAP)
            top = y + (place // columns) * (tallest + GAP)
            threads = sorted(cores[core], key=lambda cpu: cpu.id)
            for number, cpu in enumerate(threads):
                box = Box(left, top + number * high, wide, high)
                self._cells.append(Cell(cpu, box, number == 0, number == len(threads) - 1))
        return y + -(-len(cores) // columns) * (tallest + GAP)


def tidy_columns(count: int, most: int) -> int:
    """Return a row length of at most *most* that divides *count*, if one is not much shorter."""
    most = max(1, min(most, count))
    for columns in range(most, 0, -1):
        if count % columns == 0 and columns >= 0.6 * most:
            return columns
    return most


def neighbour(cells: Iterable[Cell], current: int, across: int, down: int) -> int:
    """Return the CPU next to *current* in a direction: *across* and *down* are -1, 0 or 1."""
    middles = {cell.cpu.id: (cell.box.x + cell.box.width / 2, cell.box.y + cell.box.height / 2) for cell in cells}
    if current not in middles:
        return min(middles, default=current)
    x, y = middles[current]
    best, least = current, float("inf")
    for cpu, (other_x, other_y) in middles.items():
        along = (other_x - x) * across + (other_y - y) * down
        aside = abs((other_x - x) * down) + abs((other_y - y) * across)
        if along > 1.0 and along + 3.0 * aside < least:
            best, least = cpu, along + 3.0 * aside
    return best


def _ids(cpus: Iterable[Cpu]) -> tuple[int, ...]:
    return tuple(cpu.id for cpu in cpus)

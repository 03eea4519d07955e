"""Where layers lie in the map: order, branches, rows, kernels, ways."""

from __future__ import annotations

import pytest
from hand_made import layer, residual
from layered import chain

from workbench.gui.network_layout import MARGIN, MOST_LANES, Spot, above_or_below, arrange, grid_of


def test_a_chain_lies_in_one_line_in_the_order_of_execution():
    grid = grid_of(chain(6))
    assert list(grid.spots.values()) == [Spot(n, 0) for n in range(6)]
    assert len(grid.edges) == 5


def test_branches_lie_below_each_other_and_meet_again():
    net = [
        layer("stem", "conv2d", "input:image"),
        layer("left", "conv2d", "stem:out"),
        layer("right", "conv2d", "stem:out"),
        layer("longer", "conv2d", "left:out"),
        layer("add", "add", "longer:out", "right:out"),
    ]
    spots = grid_of(net).spots
    assert spots == {
        "stem": Spot(0, 0), "left": Spot(1, 0), "right": Spot(1, 1), "longer": Spot(2, 0), "add": Spot(3, 0),
    }  # fmt: skip


def test_more_branches_than_lanes_go_into_further_columns():
    net = [layer("stem", "conv2d", "input:image"), *(layer(f"b{n}", "conv2d", "stem:out") for n in range(10))]
    spots = grid_of([*net, layer("cat", "cat", *(f"b{n}:out" for n in range(10)))]).spots
    assert len(set(spots.values())) == len(spots) and max(spot.lane for spot in spots.values()) == MOST_LANES - 1
    assert [spots[name].column for name in ("stem", "b0", "b4", "b9", "cat")] == [0, 1, 2, 3, 4]


def test_what_nobody_knows_the_source_of_comes_after_what_ran_before():
    net = [layer("a", "conv2d", "input:x"), layer("b", "conv2d", "somewhere:out"), layer("c", "conv2d")]
    assert [spot.column for spot in grid_of(net).spots.values()] == [0, 1, 2]


@pytest.mark.parametrize("width", [120.0, 400.0, 1000.0])
@pytest.mark.parametrize("count", [1, 13, 300])
def test_every_layer_has_a_place_of_its_own_within_the_width(width, count):
    layout = arrange(grid_of(chain(count)), {}, width, 200.0)
    boxes = list(layout.cells.values())
    assert len({(box.x, box.y) for box in boxes}) == count
    assert all(box.x >= MARGIN and box.x + box.width <= width - MARGIN + 1 for box in boxes)
    assert all(box.y + box.height <= layout.height for box in boxes)


def test_cells_shrink_until_all_have_room():
    roomy, tight = (arrange(grid_of(chain(60)), {}, 600.0, room) for room in (1000.0, 60.0))
    assert roomy.cells["blocks.0.conv"].width > tight.cells["blocks.0.conv"].width
    assert tight.height <= 60.0
    assert arrange(grid_of([]), {}, 600.0, 60.0).height == 0.0


def test_layers_of_one_kernel_are_joined_and_others_connected():
    net = residual()
    groups = {"conv1": "conv1", "bn1": "conv1", "relu": "conv1"}
    layout = arrange(grid_of(net), groups, 1000.0, 200.0)
    assert [name for name, _ in layout.joints] == ["conv1", "bn1"]
    joint = layout.joints[0][1]
    left, right = layout.cells["conv1"], layout.cells["bn1"]
    assert (joint.x, joint.x + joint.width) == (left.x + left.width, right.x)
    assert len(layout.ways) == len(grid_of(net).edges) - 2


def test_ways_go_around_what_lies_between():
    layout = arrange(grid_of(residual()), {}, 1000.0, 200.0)
    skip = next(way for way in layout.ways if len(way) == 6)
    tops = {box.y for box in layout.cells.values()}
    assert min(y for _, y in skip) < min(tops), "from the ReLU over the block to the sum"
    assert skip[0][0] == layout.cells["relu"].x + layout.cells["relu"].width
    assert skip[-1][0] == layout.cells["add"].x
    straight = [way for way in layout.ways if len(way) == 2]
    assert all(first[1] == last[1] for first, last in straight)


def test_a_way_into_the_next_row_shows_its_two_ends():
    layout = arrange(grid_of(chain(12)), {}, 200.0, 1000.0)
    rows = {box.y for box in layout.cells.values()}
    short = [way for way in layout.ways if len(way) == 2 and abs(way[0][0] - way[1][0]) <= 5.0]
    assert len(short) == 2 * (len(rows) - 1)


def test_the_cell_above_and_below():
    layout = arrange(grid_of(chain(12)), {}, 200.0, 1000.0)
    names = list(layout.cells)
    first = names[0]
    below = above_or_below(layout.cells, first, 1)
    assert layout.cells[below].x == layout.cells[first].x and layout.cells[below].y > layout.cells[first].y
    assert above_or_below(layout.cells, below, -1) == first
    assert above_or_below(layout.cells, first, -1) == first

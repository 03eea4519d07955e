"""The table of layers: groups stay together however it is sorted and filtered."""

from __future__ import annotations

import pytest
from layered import chain, fused_in, int8_trial
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from workbench.core.fix_states import Standing
from workbench.core.layer_table import LayerRow, layer_table
from workbench.gui.layers_model import FIX, FLAGS, FUSED_ROLE, KEYS, NAME, RAN, SHARE, SHARE_ROLE, LayersModel, arranged

ROWS = [
    LayerRow(name="conv1", op="conv2d", ms=0.3, group=["conv1", "relu"]),
    LayerRow(name="relu", op="relu", fused_into="conv1"),
    LayerRow(name="pool", op="maxpool2d"),
    LayerRow(name="conv2", op="conv2d", ms=0.5, group=["conv2", "relu#2"], flags=["clipped"]),
    LayerRow(name="relu#2", op="relu", fused_into="conv2"),
]


def names(order: list[int]) -> list[str]:
    return [ROWS[place].name for place in order]


def by_ms(place: int) -> float | None:
    return ROWS[place].ms


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "conv1 relu pool conv2 relu#2"),
        ({"descending": True}, "conv2 relu#2 pool conv1 relu"),
        ({"value": by_ms}, "conv1 relu conv2 relu#2 pool"),
        ({"value": by_ms, "descending": True}, "conv2 relu#2 conv1 relu pool"),
        ({"folded": True}, "conv1 pool conv2"),
        ({"matches": lambda row: row.name == "relu#2"}, "conv2 relu#2"),
        ({"matches": lambda row: row.name == "relu#2", "folded": True}, "conv2"),
        ({"matches": lambda row: False}, ""),
    ],
)
def test_the_order(options, expected) -> None:
    assert names(arranged(ROWS, **options)) == expected.split()


@pytest.fixture
def model(qapp) -> LayersModel:
    model = LayersModel()
    model.set_folded(False)
    model.show_rows(layer_table(int8_trial(None)).layers)
    return model


def column(model: LayersModel, section: int) -> list[str]:
    return [model.index(row, section).data() for row in range(model.rowCount())]


def test_cells(model) -> None:
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert column(model, NAME) == [
        "conv1", "   ↳ bn1", "   ↳ relu", "conv2", "   ↳ bn2", "add", "relu#2", "pool", "flatten", "fc",
    ]  # fmt: skip
    assert column(model, RAN)[:2] == ["int8", "–"]
    shares = [model.index(row, SHARE).data(SHARE_ROLE) for row in range(model.rowCount())]
    assert shares[9] == 1.0 and 0.8 < shares[0] < 1 and shares[1] is None, "bars of the longest"
    assert model.index(1, 0).data(FUSED_ROLE) and not model.index(0, 0).data(FUSED_ROLE)
    for section, key in enumerate(KEYS):
        assert model.headerData(section, Qt.Orientation.Horizontal), key


def test_sorting_keeps_groups_and_what_is_selected(model) -> None:
    kept = QPersistentModelIndex(model.index_of("conv2"))
    model.sort(KEYS.index("ms"), Qt.SortOrder.DescendingOrder)
    assert [name.strip(" ↳") for name in column(model, NAME)][:6] == ["fc", "conv2", "bn2", "conv1", "bn1", "relu"]
    assert kept.row() == 1 and model.row(kept).name == "conv2"
    model.set_search("BATCHNORM")
    assert [name.strip(" ↳") for name in column(model, NAME)] == ["conv2", "bn2", "conv1", "bn1", "relu"]
    model.set_search("relu#2")
    assert not kept.isValid() and column(model, NAME) == ["relu#2"]


def test_folded_layers_are_counted(model) -> None:
    model.set_folded(True)
    assert column(model, NAME)[:3] == ["conv1  +2", "conv2  +1", "add"]
    assert not model.index_of("bn1").isValid() and model.index_of("add").row() == 2


def test_what_the_config_does(model) -> None:
    model.show_standings(
        {
            "conv1": Standing(name="relu:out", low=0.0, high=6.0, state="applied", acts_on="relu:out"),
            "fc": Standing(name="fc:out", high=1.5, state="pending"),
        },
        {"conv2": "fp32"},
    )
    assert column(model, FIX)[0] == "applied"
    assert column(model, FIX)[9] == "no effect", "known before it is measured"
    assert column(model, RAN)[3] == "int8 [fp32]" and model.pinned(model.row(model.index_of("conv2"))) == "fp32"
    assert model.index(0, FIX).data(Qt.ItemDataRole.ToolTipRole) == "0 … 6"
    model.sort(FIX)
    assert column(model, FIX)[0] == "applied" and column(model, FIX)[3] == "no effect", "groups stay together"


def test_columns_without_anything_in_them_are_known(model) -> None:
    assert model.void() == ["fix"]
    model.show_rows(layer_table(int8_trial(None, errors=None, proof=None)).layers)
    assert model.void() == ["ms", "share", "own", "all", "sensitivity", "without", "fix"]


def test_the_same_layers_of_another_trial_keep_their_rows(model) -> None:
    kept = QPersistentModelIndex(model.index_of("add"))
    model.show_rows(layer_table(int8_trial(None, proof=None)).layers)
    assert kept.isValid() and column(model, RAN) == ["–"] * 10
    layers = chain(9)
    model.show_rows(layer_table(int8_trial(None, layers, fused_in(layers))).layers)
    assert not kept.isValid() and model.rowCount() == 9


def test_flags_are_words(model) -> None:
    rows = [LayerRow(name="a", op="conv2d", flags=["3% of its values lie outside the range", "dead channels"])]
    model.show_rows(rows)
    assert column(model, FLAGS) == ["3% of its values lie outside the range; dead channels"]
    assert model.index(0, FLAGS).data(Qt.ItemDataRole.DecorationRole) is not None

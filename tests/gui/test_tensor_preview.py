"""The preview shows the very tensor that the worker would feed."""

from __future__ import annotations

import numpy as np
import pytest
from pictures import model_file, picture_folder

from workbench.core.preprocess import Preprocess
from workbench.gui.opened import Opened
from workbench.gui.tensor_preview import TensorPreview, short
from workbench.gui.tensor_view import MOST_CHANNELS, MOST_PIXELS, view_of

NAN, INF = float("nan"), float("inf")


@pytest.fixture
def preview(session, show):
    return show(TensorPreview(session, Opened(session)), 300, 500)


@pytest.fixture
def settle(qtbot):
    def settle(preview):
        qtbot.waitUntil(lambda: bool(preview.views) and not preview._opened.busy, timeout=10_000)
        drawn = preview._wanted
        qtbot.waitUntil(lambda: preview._shown == drawn, timeout=10_000)

    return settle


# -- what there is to see ---------------------------------------------------------------------------


def test_a_picture_is_shown_as_its_very_values():
    array = np.zeros((1, 3, 2, 2), np.float32)
    array[0, 0], array[0, 1], array[0, 2] = 1.0, 0.0, -1.0
    view = view_of("x", array)
    assert view.kind == "picture"
    assert view.together[0, 0].tolist() == [255, 128, 0]
    assert [(c.low, c.mean, c.high) for c in view.channels] == [(1, 1, 1), (0, 0, 0), (-1, -1, -1)]
    assert (view.low, view.high) == (-1.0, 1.0)


def test_layouts_show_the_same_picture():
    array = np.random.default_rng(0).normal(size=(1, 3, 5, 7)).astype(np.float32)
    turned = view_of("x", array.transpose(0, 2, 3, 1), "nhwc")
    assert np.array_equal(view_of("x", array).together, turned.together)
    assert view_of("x", array).channels == turned.channels


@pytest.mark.parametrize(
    ("shape", "kind", "planes"),
    [
        ((1, 1, 8, 8), "picture", 1),
        ((1, 50, 64), "map", 1),
        ((1, 64), "line", 0),
        ((7,), "value", 0),
        ((1, 1), "value", 0),
        ((), "value", 0),
        ((1, 5, 8, 8), "map", 5),
        ((1, 64, 8, 8), "map", MOST_CHANNELS),
        ((1, 2, 3, 4, 5), "map", 6),
        ((0, 3, 4), "value", 0),
        ((1, 3, 1, 5), "map", 3),
    ],
)
def test_arrays_of_all_shapes_are_shown(shape, kind, planes):
    view = view_of("x", np.zeros(shape)) if 0 not in shape else view_of("x", np.zeros((1, *shape[1:]))[:, :0])
    assert (view.kind, len(view.planes)) == (kind, planes)


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float16", "bool", "float64"])
def test_all_types_are_shown(dtype):
    view = view_of("x", np.ones((1, 3, 4, 4), dtype))
    assert view.dtype == dtype
    assert view.channels[0].mean == 1.0


def test_values_that_are_not_finite_are_counted_and_left_out():
    array = np.array([[[[0.0, NAN], [INF, 2.0]]]])
    view = view_of("x", array)
    assert view.bad == 2
    assert (view.low, view.high) == (0.0, 2.0)
    assert view.channels[0].mean == 1.0
    nothing = view_of("x", np.full((1, 1, 2, 2), NAN))
    assert nothing.bad == 4
    assert np.isnan(nothing.channels[0].mean)


def test_large_arrays_are_thinned():
    view = view_of("x", np.zeros((1, 1, 3000, 10)))
    assert view.planes[0].shape[0] <= MOST_PIXELS
    assert view.shape == (1, 1, 3000, 10)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((1, 3, 4, 4)),
        np.full((1, 3, 4, 4), NAN),
        np.zeros((1, 50, 64)),
        np.arange(200_000.0)[None],
        np.array([[0.0, NAN, 1.0, INF, 2.0]]),
        np.full((1, 9), NAN),
        np.zeros((1, 2)),
        np.zeros((1, 1)),
        np.zeros((1, 64, 3, 3)),
        np.zeros((1, 1, 1, 500)),
    ],
)
@pytest.mark.parametrize("size", [(300, 200), (40, 10)])
def test_everything_can_be_drawn(qtbot, preview, array, size):
    preview._arrived(preview._wanted, [view_of("x", array)])
    for mode in ("together", "apart"):
        preview.picture.show_view(preview.views[0], apart=mode == "apart")
        preview.picture.resize(*size)
        assert not preview.picture.grab().isNull()


def test_numbers_are_short():
    assert [short(value) for value in (0.0, -0.9765625, 1234567.0, NAN, INF)] == ["0", "−0.9766", "1.235e+06", "–", "–"]


# -- following the session --------------------------------------------------------------------------


def test_it_is_the_tensor_that_the_preprocessing_makes(preview, session, settle, tmp_path):
    folder = picture_folder(tmp_path / "photos")
    session.open_model(model_file(tmp_path), inputs=("1x3x16x16",), data=folder)
    session.set_preprocess(Preprocess(size=(16, 16), mean=(127.5,), std=(127.5,)))
    settle(preview)
    item = preview._items[0]
    expected = Preprocess(size=(16, 16), mean=(127.5,), std=(127.5,)).from_bytes((folder / item.name).read_bytes())
    (view,) = preview.views
    assert view.shape == expected.shape == (1, 3, 16, 16)
    for number, channel in enumerate(view.channels):
        assert channel.mean == pytest.approx(float(expected[0, number].mean()), abs=1e-6)
    assert preview.table.rowCount() == 3
    assert preview.table.item(0, 1).text() == short(view.channels[0].low)


def test_swapped_channels_look_swapped(preview, session, settle, tmp_path):
    session.open_model(model_file(tmp_path), inputs=("1x3x32x48",), data=picture_folder(tmp_path / "photos"))
    settle(preview)
    before = preview.views[0].together
    session.set_preprocess(Preprocess(color="bgr"))
    settle(preview)
    assert np.array_equal(preview.views[0].together, before[..., ::-1])


def test_samples_can_be_chosen(preview, session, settle, tmp_path):
    session.open_model("sample:digits-cnn")
    settle(preview)
    first = preview.views[0]
    assert preview.name.text() == "1297  class 0"
    assert preview.number.maximum() == 500
    preview.number.setValue(2)
    settle(preview)
    assert preview.name.text().startswith("1298")
    assert not np.array_equal(preview.views[0].planes[0], first.planes[0])


def test_the_chosen_sample_stays_when_the_preprocessing_changes(preview, session, settle, tmp_path):
    session.open_model(model_file(tmp_path), inputs=("1x3x?x?",), data=picture_folder(tmp_path / "photos"))
    settle(preview)
    preview.number.setValue(3)
    settle(preview)
    name = preview.name.text()
    session.set_preprocess(Preprocess(size=12))
    settle(preview)
    assert preview.name.text() == name
    assert preview.views[0].shape == (1, 3, 12, 12)


def test_channels_can_be_seen_apart(preview, session, settle, tmp_path):
    session.open_model(model_file(tmp_path), inputs=("1x3x32x48",), data=picture_folder(tmp_path / "photos"))
    settle(preview)
    assert preview.picture.tile_count() == 1
    preview.mode.button("apart").click()
    assert preview.picture.tile_count() == 3


def test_several_inputs_can_be_chosen_from(preview, session, settle, tmp_path):
    arrays = tmp_path / "both.npz"
    np.savez(arrays, a=np.zeros((4, 3)), b=np.ones((4, 5, 6)))
    session.open_model(model_file(tmp_path), inputs=("a=1x3", "b=1x5x6"), data=arrays)
    settle(preview)
    assert preview.input.isVisible()
    assert preview.facts.text().startswith("1×3")
    preview.input.setCurrentIndex(1)
    assert preview.facts.text().startswith("1×5×6")


def test_a_file_that_is_gone_is_told(preview, session, settle, qtbot, tmp_path):
    folder = picture_folder(tmp_path / "photos")
    session.open_model(model_file(tmp_path), inputs=("1x3x32x48",), data=folder)
    settle(preview)
    for path in folder.iterdir():
        path.unlink()
    preview.number.setValue(2)
    qtbot.waitUntil(lambda: "cannot be" in preview.fault.text())
    assert preview.views == []

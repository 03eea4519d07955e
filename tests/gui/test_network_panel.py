"""The network at one glance: colours, marks, selection by mouse and keys, and what to leave in FP32."""

from __future__ import annotations

import pytest
from fake_trials import trial
from layer_trials import LayerScript, chain, layered, layered_session, show, zeros
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from workbench.core.config import Config
from workbench.core.layer_table import layer_table
from workbench.gui import theme
from workbench.gui.network_colours import colours, error_of, in_words, ink_on
from workbench.gui.network_panel import NetworkPanel


@pytest.fixture
def session(qapp, tmp_path):
    session = layered_session(tmp_path, LayerScript())
    yield session
    session.shutdown()


@pytest.fixture
def panel(session, qtbot):
    panel = NetworkPanel(session)
    qtbot.addWidget(panel)
    panel.resize(640, 440)
    with qtbot.waitExposed(panel):
        panel.show()
    show(session, session.trials[0], zeros("conv2"))
    return panel


def middle(panel, name):
    box = panel.map.cells()[name]
    return QPoint(int(box.x + box.width / 2), int(box.y + box.height / 2))


# -- colours ----------------------------------------------------------------------------------------


def test_fused_layers_have_the_colour_of_their_kernel(qapp):
    rows = layer_table(layered()).layers
    for by in ("error", "time", "scale", "type"):
        made, legend = colours(rows, by)
        assert made["relu1"] == made["conv1"] and set(made) >= {row.name for row in rows if row.name != "fc"}
        assert bool(legend.ramp) != bool(legend.swatches)
    assert [word for _, word in colours(rows, "type")[1].swatches] == ["INT8"]
    assert colours(rows, "time")[1].ends == ("0", "0.500 ms")
    assert colours(rows, "scale")[1].ends == ("0.02", "0.08")


def test_a_larger_error_and_a_longer_time_are_further_along_the_ramp(qapp):
    rows = layer_table(layered()).layers
    for mode in ("light", "dark"):
        theme.apply(mode)
        for by, order in (("error", ["conv1", "conv4", "fc"]), ("time", ["conv1", "conv3", "fc"])):
            made, legend = colours(rows, by)
            ground = legend.ramp[0].lightnessF()
            away = [abs(made[name].lightnessF() - ground) for name in order]
            assert away == sorted(away), f"{by}, {mode}"
    theme.apply("light")
    assert [error_of(row) for row in rows if row.name == "conv2"] == [45.0]


def test_the_ramps_can_be_read_without_hue(qapp):
    """Every step of a ramp is lighter, or every one darker, than the one before."""
    rows = layer_table(layered()).layers
    for mode in ("light", "dark"):
        theme.apply(mode)
        for by in ("error", "scale"):
            grey = [0.2126 * c.redF() + 0.7152 * c.greenF() + 0.0722 * c.blueF() for c in colours(rows, by)[1].ramp]
            assert grey in (sorted(grey), sorted(grey, reverse=True)), f"{by}, {mode}"
    theme.apply("light")
    assert ink_on(theme.colour("live")).lightness() > 200


def test_nothing_known_has_no_colour(qapp):
    rows = layer_table(trial(Config(), layers=chain())).layers
    assert all(colours(rows, by)[0] == {} for by in ("error", "time", "scale"))


def test_a_layer_in_words(qapp):
    table = layer_table(layered(), zeros("conv2"))
    rows = {row.name: row for row in table.layers}
    words = in_words(rows["relu2"], rows).splitlines()
    assert words[:3] == ["relu2  (relu)", "runs inside the kernel of conv2", "INT8  brgconv"]
    assert "45.0 dB at the outputs, with this layer alone in INT8" in words and "scale 0.04" in words
    assert words[-1] == "! only zeros were seen: any other value is lost"


# -- the map ----------------------------------------------------------------------------------------


def test_without_layers_it_says_so(session, qtbot):
    panel = NetworkPanel(session)
    qtbot.addWidget(panel)
    assert "No layers to show yet" in panel.empty.text() and panel._pages.currentIndex() == 0


def test_a_click_selects_and_a_selection_from_elsewhere_shows(panel, session, qtbot):
    qtbot.mouseClick(panel.map, Qt.MouseButton.LeftButton, pos=middle(panel, "relu2"))
    assert session.layers.selected_layer == "relu2" == panel.map.selected()
    assert panel.scatter._selected == "conv2", "the kernel that does its work"
    session.layers.select("fc")
    assert panel.map.selected() == "fc"
    session.layers.select(None)
    assert panel.map.selected() is None


def test_keys_walk_in_the_order_of_execution(panel, session, qtbot):
    panel.map.setFocus()
    walked = []
    keys = (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_End, Qt.Key.Key_Right, Qt.Key.Key_Home,
            Qt.Key.Key_Down, Qt.Key.Key_Up)  # fmt: skip
    for key in keys:
        qtbot.keyClick(panel.map, key)
        walked.append(session.layers.selected_layer)
    assert walked[:6] == ["conv1", "relu1", "conv1", "fc", "fc", "conv1"]
    assert panel.map.cells()[walked[6]].y > panel.map.cells()["conv1"].y and walked[7] == "conv1"


def test_findings_and_pins_are_marked(panel, session):
    assert panel.map._severity == {"conv2": "error"}
    session.quantizer.pin("conv3", "fp32")
    assert panel.map._pinned == panel.scatter._pinned == {"conv3"}
    pictures = []
    for pinned in (frozenset(), frozenset({"conv3"})):
        panel.map.show_pinned(pinned)
        pictures.append(panel.map.grab().toImage())
    assert pictures[0] != pictures[1]


def test_the_map_is_painted_in_the_colours_it_tells(panel, qtbot):
    for by in ("error", "time", "scale", "type"):
        qtbot.mouseClick(panel.by.button(by), Qt.MouseButton.LeftButton)
        image = panel.map.grab().toImage()
        box, ratio = panel.map.cells()["fc" if by != "scale" else "conv1"], image.devicePixelRatio()
        painted = image.pixelColor(int((box.x + 3) * ratio), int((box.y + 3) * ratio))
        assert painted.name() == panel.map.colour_of("fc" if by != "scale" else "conv1").name(), by
        assert not panel.legend.grab().isNull() and panel.legend.accessibleName()


def test_a_tooltip_tells_all_about_a_layer(panel, qtbot):
    place = middle(panel, "conv1")
    QApplication.sendEvent(panel.map, QHelpEvent(QHelpEvent.Type.ToolTip, place, panel.map.mapToGlobal(place)))
    assert QToolTip.text().startswith("conv1  (conv2d)")
    QToolTip.hideText()


def test_the_mouse_lights_a_cell_up(panel, qtbot):
    qtbot.mouseMove(panel.map, middle(panel, "conv1"))
    assert panel.map._hovered == "conv1" and panel.map.cursor().shape() == Qt.CursorShape.PointingHandCursor
    qtbot.mouseMove(panel.map, QPoint(1, 1))
    assert panel.map._hovered is None


def test_the_menu_keeps_a_layer_in_fp32_and_lets_it_go(panel, session):
    keep, free = panel.menu_of("relu3").actions()
    assert keep.text() == "Keep conv3 in FP32" and keep.isEnabled() and not free.isEnabled()
    keep.trigger()
    assert session.config.layers == {"conv3": "fp32"} and session.undo.count() == 1
    keep, free = panel.menu_of("conv3").actions()
    assert not keep.isEnabled()
    free.trigger()
    assert not session.config.layers
    session.set_knobs({"precision": "fp32"})
    assert not panel.menu_of("conv3").actions()[0].isEnabled()


def test_the_menu_key_means_the_selected_layer(panel, session, qtbot):
    session.layers.select("conv2")
    wanted = []
    panel.map.menu_wanted.disconnect()
    panel.map.menu_wanted.connect(lambda name, place: wanted.append(name))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
    QApplication.sendEvent(panel.map, event)
    place = middle(panel, "fc")
    QApplication.sendEvent(panel.map, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, place))
    assert wanted == ["conv2", "fc"]


def test_a_thousand_layers_have_room_and_are_scrolled_to(panel, session):
    show(session, layered(layers=chain(500)))
    assert len(panel.map.cells()) == 1001
    session.layers.select("fc")
    box, area = panel.map.cells()["fc"], panel._area
    top = area.verticalScrollBar().value()
    assert top <= box.y <= top + area.viewport().height()
    assert not panel.map.grab().isNull()


def test_it_waits_until_somebody_looks(panel, session):
    panel.hide()
    show(session, layered(layers=chain(2)))
    assert "conv4" in panel.map.cells()
    panel.show()
    assert "conv4" not in panel.map.cells() and "conv2" in panel.map.cells()


# -- the scatter ------------------------------------------------------------------------------------


def test_time_against_error(panel, session, qtbot):
    scatter = panel.scatter
    assert scatter.names == ["conv1", "conv2", "conv3", "conv4", "fc"]
    cheap, dear = scatter.position("conv1"), scatter.position("fc")
    assert cheap.x() < dear.x() and cheap.y() < dear.y(), "less time, less error"
    assert scatter.nearest(scatter.position("conv3") + QPointF(4, 3)) == "conv3"
    assert scatter.nearest(QPointF(scatter.width() - 3, 3)) is None
    qtbot.mouseClick(scatter.viewport(), Qt.MouseButton.LeftButton, pos=scatter.position("conv3").toPoint())
    assert session.layers.selected_layer == "conv3"
    assert scatter._name.isVisible() and scatter._name.toPlainText() == "conv3\n0.300 ms, 40.0 dB"
    qtbot.mouseMove(scatter.viewport(), scatter.position("conv1").toPoint())
    assert scatter._name.toPlainText().startswith("conv1")


def test_pinned_layers_are_other_points(panel, session):
    session.quantizer.pin("conv1", "fp32")
    assert len(panel.scatter._kept.data) == 1 and len(panel.scatter._points.data) == 4


def test_without_a_scan_it_offers_one(panel, session, qtbot):
    show(session, layered(errors=False))
    assert panel._plot.currentWidget() is panel.no_errors
    with qtbot.waitSignal(session.job_ended, timeout=10_000):
        qtbot.mouseClick(panel.no_errors._button, Qt.MouseButton.LeftButton)
    show(session, trial(Config(), layers=chain()))
    assert "FP32 has no scales" in panel.no_errors.text() and panel.no_errors._button.isHidden()


def test_another_theme(panel):
    before = panel.map.grab().toImage()
    theme.apply("dark")
    assert panel.map.grab().toImage() != before
    theme.apply("light")
    assert panel.map.grab().toImage() == before

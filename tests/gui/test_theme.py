"""Palettes, icons and plots in both themes."""

import re
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QColor, QPalette
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QCheckBox, QPushButton, QTabWidget, QToolButton, QWidget

import workbench.gui
from workbench.gui import theme
from workbench.gui.latency_plots import HistogramPlot
from workbench.gui.plain_table import PlainTable
from workbench.paths import bundled

ICONS = sorted((bundled("resources") / "icons").glob("*.svg"))
SOURCES = "\n".join(path.read_text("utf-8") for path in Path(workbench.gui.__file__).parent.glob("*.py"))


@pytest.fixture(autouse=True)
def light_again(qapp):
    theme.apply("light")
    yield
    theme.apply("light")


def ink(icon, size=32, disabled=False) -> QColor:
    """The strongest colour in an icon."""
    mode = theme.QIcon.Mode.Disabled if disabled else theme.QIcon.Mode.Normal
    image = icon.pixmap(QSize(size, size), 1.0, mode).toImage()
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    return max(pixels, key=lambda pixel: pixel.alpha())


def contrast(one: QColor, other: QColor) -> float:
    """WCAG's contrast ratio."""

    def luminance(colour: QColor) -> float:
        parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.getRgbF()[:3]]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("path", ICONS, ids=lambda path: path.stem)
def test_icons_can_be_drawn_in_any_colour(path) -> None:
    assert QSvgRenderer(str(path)).isValid()
    if path.stem != "check-on-accent":  # a style sheet takes it as it is
        text = path.read_text()
        assert "currentColor" in text and not re.search(r"#[0-9A-Fa-f]{3,8}", text)


def test_every_icon_that_is_asked_for_exists() -> None:
    asked = set(re.findall(r"""(?:theme\.icon|IconLabel|show_icon)\(\s*"([a-z-]+)\"""", SOURCES))
    assert len(asked) > 10
    assert asked <= {path.stem for path in ICONS}


def test_every_meaning_that_is_asked_for_exists() -> None:
    for meaning in re.findall(r"""theme\.colour\("([a-z-]+)"\)""", SOURCES):
        assert theme.colour(meaning).isValid()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_texts_can_be_read(qapp, mode) -> None:
    theme.apply(mode)
    palette = qapp.palette()
    grounds = [palette.color(role) for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Base)]
    inks = [palette.color(role) for role in (QPalette.ColorRole.Text, QPalette.ColorRole.PlaceholderText)]
    inks += [theme.colour(meaning) for meaning in ("ok", "warning", "error", "muted")]
    assert min(contrast(ink, ground) for ink in inks for ground in grounds) >= 4.4
    graphics = [theme.colour(meaning) for meaning in ("live", "deadline", "warm-up", "after-gap", "baseline")]
    assert min(contrast(ink, palette.color(QPalette.ColorRole.Base)) for ink in graphics) >= 2.2
    chosen = palette.color(QPalette.ColorRole.Highlight), palette.color(QPalette.ColorRole.HighlightedText)
    assert contrast(*chosen) >= 4.5


def test_dark_and_light(qapp) -> None:
    assert not theme.is_dark()
    theme.apply("dark")
    assert theme.is_dark()
    theme.apply("system")  # the offscreen platform has no opinion
    assert theme.is_dark() == (qapp.styleHints().colorScheme() == Qt.ColorScheme.Dark)


def test_what_a_settings_file_may_hold() -> None:
    assert [theme.mode_of(stored) for stored in ("dark", "light", None, 3, "blue")] == [
        "dark", "light", "system", "system", "system",
    ]  # fmt: skip


def test_icons_have_the_colour_of_text_or_of_their_meaning(qapp) -> None:
    text = qapp.palette().color(QPalette.ColorRole.WindowText)
    assert ink(theme.icon("folder")).name() == text.name()
    assert ink(theme.icon("ok")).name() == theme.colour("ok").name()
    assert ink(theme.icon("folder", "error")).name() == theme.colour("error").name()
    assert ink(theme.icon("folder"), disabled=True).name() != text.name()


def test_icons_are_sharp_at_every_size() -> None:
    icon = theme.icon("stop")
    for size in (16, 20, 24, 32):
        assert icon.actualSize(QSize(size, size)) == QSize(size, size)
    with pytest.raises(OSError):
        theme.icon("no such icon")


def test_icons_of_actions_and_buttons_follow_the_theme(qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    action = QAction(theme.icon("play"), "Play", window)
    window.addAction(action)
    button, tool = QPushButton(theme.icon("open"), "", window), QToolButton(window)
    tool.setDefaultAction(action)
    foreign = QPushButton(window)
    before = ink(action.icon())
    theme.apply("dark")
    assert ink(action.icon()).lightness() > 150 > before.lightness()
    assert ink(button.icon()).lightness() > 150 and ink(tool.icon()).lightness() > 150
    assert foreign.icon().isNull()
    theme.apply("light")
    assert ink(button.icon()).name() == before.name()


def test_dressed_bars_follow_the_theme_and_may_be_deleted(qtbot) -> None:
    kept, gone = QCheckBox(), QCheckBox()
    qtbot.addWidget(kept)
    for box in (kept, gone):
        theme.dress(box)
    light = kept.styleSheet()
    shiboken6.delete(gone)
    theme.apply("dark")
    assert kept.styleSheet() not in ("", light)
    theme.apply("light")
    assert kept.styleSheet() == light


def test_plots_that_exist_follow_the_theme(qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    plot = HistogramPlot(window)
    window.show()
    theme.apply("dark")
    qtbot.waitUntil(lambda: plot.backgroundBrush().color().lightness() < 60)
    assert plot.backgroundBrush().color().name() == plot.palette().color(QPalette.ColorRole.Base).name()
    assert plot.below.textPen().color().lightness() > 150
    theme.apply("light")
    qtbot.waitUntil(lambda: plot.backgroundBrush().color().lightness() > 240)


def test_plots_and_tables_that_nobody_sees_follow_once_they_are_shown(qtbot) -> None:
    tabs, plot, table = QTabWidget(), HistogramPlot(), PlainTable(["this"], ["p50"])
    qtbot.addWidget(tabs)
    for part in (QWidget(), plot, table):
        tabs.addTab(part, "")
    with qtbot.waitExposed(tabs):
        tabs.show()
    theme.apply("dark")
    dark = theme.palette(True).color(QPalette.ColorRole.Text).name()
    qtbot.waitUntil(lambda: plot.palette().color(QPalette.ColorRole.Text).name() == dark)
    assert plot.below.textPen().color().name() != dark and table.cell(0, 1).foreground().color().name() != dark
    for place in (1, 2):
        tabs.setCurrentIndex(place)
    assert plot.below.textPen().color().name() == table.cell(0, 1).foreground().color().name() == dark
    theme.apply("light")
    qtbot.waitUntil(lambda: table.cell(0, 1).foreground().color().name() != dark)

"""Looks: light and dark palettes, data colours for everybody's eyes, icons that follow the palette.

Used by the main window, which applies a theme, and by every panel, which asks for :func:`colour` and
:func:`icon`. A widget that paints with its own colours does so again on ``QEvent.PaletteChange``; palettes
and the icons of actions and buttons are changed here for all of them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias
from weakref import WeakSet

import shiboken6
from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from workbench.paths import bundled

if TYPE_CHECKING:
    from workbench.gui.turns import Turns

Mode: TypeAlias = Literal["system", "light", "dark"]
MODES: tuple[Mode, ...] = ("system", "light", "dark")

# Okabe and Ito's palette: told apart with every common kind of colour blindness.
BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILLION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
DATA = (BLUE, ORANGE, GREEN, PURPLE, VERMILLION, SKY, YELLOW)
"""Colours for series without a meaning of their own, in the order to use them."""

SPACE = 8
"""Pixels between things; half of it between things that belong together."""

# What a colour means -> (on light, on dark). The palette's own hues where the contrast allows it, else a shade.
_MEANINGS = {
    "live": (BLUE, SKY),
    "baseline": ("#8a939e", "#7d8794"),
    "deadline": (VERMILLION, "#F0803C"),
    "warm-up": (ORANGE, ORANGE),
    "after-gap": (PURPLE, PURPLE),
    "ok": ("#00795A", "#2BC79A"),
    "warning": ("#9A6700", ORANGE),
    "error": ("#B84A00", "#FF8A4C"),
    "muted": ("#66707B", "#99A2AD"),
    "grid": ("#D5D9DE", "#3A4048"),
    "star": ("#C98A00", YELLOW),
    "side-a": (BLUE, SKY),
    "side-b": (ORANGE, ORANGE),
}
_ACCENTS = {"ok": "ok", "warning": "warning", "error": "error", "star-filled": "star"}
_LIGHT = {
    QPalette.ColorRole.Window: "#F3F4F6",
    QPalette.ColorRole.WindowText: "#1B1F24",
    QPalette.ColorRole.Base: "#FFFFFF",
    QPalette.ColorRole.AlternateBase: "#F7F8FA",
    QPalette.ColorRole.Text: "#1B1F24",
    QPalette.ColorRole.Button: "#ECEEF1",
    QPalette.ColorRole.ButtonText: "#1B1F24",
    QPalette.ColorRole.BrightText: "#FFFFFF",
    QPalette.ColorRole.Light: "#FFFFFF",
    QPalette.ColorRole.Midlight: "#F7F8FA",
    QPalette.ColorRole.Mid: "#C3C9D0",
    QPalette.ColorRole.Dark: "#A3ABB5",
    QPalette.ColorRole.Shadow: "#6B7480",
    QPalette.ColorRole.Highlight: BLUE,
    QPalette.ColorRole.HighlightedText: "#FFFFFF",
    QPalette.ColorRole.Accent: BLUE,
    QPalette.ColorRole.Link: "#005E93",
    QPalette.ColorRole.LinkVisited: "#7A3F63",
    QPalette.ColorRole.ToolTipBase: "#FFFFFF",
    QPalette.ColorRole.ToolTipText: "#1B1F24",
    QPalette.ColorRole.PlaceholderText: "#66707B",
}
_DARK = {
    QPalette.ColorRole.Window: "#212429",
    QPalette.ColorRole.WindowText: "#E4E7EB",
    QPalette.ColorRole.Base: "#181A1E",
    QPalette.ColorRole.AlternateBase: "#1E2126",
    QPalette.ColorRole.Text: "#E4E7EB",
    QPalette.ColorRole.Button: "#2C3037",
    QPalette.ColorRole.ButtonText: "#E4E7EB",
    QPalette.ColorRole.BrightText: "#FFFFFF",
    QPalette.ColorRole.Light: "#474D57",
    QPalette.ColorRole.Midlight: "#383D45",
    QPalette.ColorRole.Mid: "#3A4048",
    QPalette.ColorRole.Dark: "#15171A",
    QPalette.ColorRole.Shadow: "#0B0C0E",
    QPalette.ColorRole.Highlight: "#1F6FA3",
    QPalette.ColorRole.HighlightedText: "#FFFFFF",
    QPalette.ColorRole.Accent: "#3C93CC",
    QPalette.ColorRole.Link: SKY,
    QPalette.ColorRole.LinkVisited: PURPLE,
    QPalette.ColorRole.ToolTipBase: "#2C3037",
    QPalette.ColorRole.ToolTipText: "#E4E7EB",
    QPalette.ColorRole.PlaceholderText: "#99A2AD",
}
_TEXTS = (
    QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText,
    QPalette.ColorRole.HighlightedText,
)  # fmt: skip
_EDGES = ("#8A939E", "#6A727D")
_FADED = ("#99A1AB", "#6A727D")
_ICON_SIZES = (16, 20, 24, 32, 48)
_ICONS_PER_STEP = 8
"""Drawing an icon takes a millisecond."""

# Icon and colour that made a QIcon, by its cache key: what is needed to make it again after a change.
_made: dict[int, tuple[str, str | None]] = {}
_dressed: WeakSet[QWidget] = WeakSet()


def mode_of(stored: object) -> Mode:
    """Return the theme that a settings file names; the system's where it names none."""
    return next((mode for mode in MODES if mode == stored), "system")


def is_dark() -> bool:
    """Whether the window is dark now."""
    return QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128


def colour(meaning: str) -> QColor:
    """Return the colour for a meaning under the current theme.

    Args:
        meaning: ``live``, ``baseline``, ``deadline``, ``warm-up``, ``after-gap``, ``ok``, ``warning``, ``error``,
            ``muted``, ``grid``, ``star``, ``side-a`` or ``side-b``.
    """
    return QColor(_MEANINGS[meaning][is_dark()])


def palette(dark: bool) -> QPalette:
    """Return the light or dark palette."""
    made = QPalette()
    for role, value in (_DARK if dark else _LIGHT).items():
        made.setColor(role, QColor(value))
    faded = QColor(_FADED[dark])
    for role in _TEXTS:
        made.setColor(QPalette.ColorGroup.Disabled, role, faded)
    made.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Highlight, made.color(QPalette.ColorRole.Mid))
    return made


def apply(mode: Mode, turns: Turns | None = None) -> None:
    """Put the whole application into a theme; ``system`` takes what the desktop says now."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    hints = app.styleHints()
    if mode == "system":
        hints.unsetColorScheme()
    else:
        # Title bars and file dialogs of the platform follow this, where it can do that.
        hints.setColorScheme(Qt.ColorScheme.Dark if mode == "dark" else Qt.ColorScheme.Light)
    dark = mode == "dark" or (mode == "system" and hints.colorScheme() == Qt.ColorScheme.Dark)
    if app.style().objectName() != "fusion":
        app.setStyle("Fusion")
    dressed = [widget for widget in _dressed if shiboken6.isValid(widget)]
    for widget in dressed:
        # Qt takes the tab widget of a styled tab bar for styled, too, and keeps the palette from its pages.
        if (parent := widget.parentWidget()) is not None:
            parent.setAttribute(Qt.WidgetAttribute.WA_StyleSheet, False)
    app.setPalette(palette(dark))
    for widget in dressed:
        widget.setStyleSheet(_style_sheet(dark))
    if turns is not None:
        turns.add(lambda: turns.add(*_recolour_icons()))
    else:
        for step in _recolour_icons():
            step()


def dress(widget: QWidget) -> None:
    """Give a bar, a tab bar or a check box the few looks that a palette cannot say, now and after each change.

    A style sheet for the whole application would say it once, but then every change of the theme costs half a
    second: it polishes each of a thousand widgets anew, and draws all of them slower.
    """
    if widget not in _dressed:
        _dressed.add(widget)
        widget.setStyleSheet(_style_sheet(is_dark()))


@functools.cache
def _style_sheet(dark: bool) -> str:
    colours = _DARK if dark else _LIGHT
    line, muted = _MEANINGS["grid"][dark], _MEANINGS["muted"][dark]
    window, base, text = (
        colours[role] for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Base, QPalette.ColorRole.Text)
    )
    accent, edge = colours[QPalette.ColorRole.Accent], _EDGES[dark]
    check = (bundled("resources") / "icons" / "check-on-accent.svg").as_posix()
    return f"""
        QToolBar {{ border: none; border-bottom: 1px solid {line}; padding: 3px 6px; spacing: 4px;
                    background: {window}; }}
        QStatusBar {{ border-top: 1px solid {line}; }}
        QStatusBar::item {{ border: none; }}
        QTabBar {{ background: {window}; }}
        QTabBar::tab {{ padding: 5px 12px; border: none; border-bottom: 2px solid transparent; color: {muted};
                        background: transparent; }}
        QTabBar::tab:hover {{ color: {text}; }}
        QTabBar::tab:selected {{ color: {text}; border-bottom-color: {accent}; }}
        QTabBar::tab:focus {{ color: {accent}; }}
        QCheckBox::indicator {{ width: 14px; height: 14px; border-radius: 3px; border: 1px solid {edge};
            background: {base}; }}
        QCheckBox::indicator:hover, QCheckBox::indicator:focus {{ border-color: {accent}; }}
        QCheckBox::indicator:checked {{ border-color: {accent}; background: {accent}; image: url("{check}"); }}
        QCheckBox::indicator:disabled {{ border-color: {line}; background: {window}; }}
        QCheckBox::indicator:checked:disabled {{ background: {edge}; }}
    """


# -- icons ------------------------------------------------------------------------------------------


def icon(name: str, meaning: str | None = None) -> QIcon:
    """Return an icon of ``resources/icons`` in the colour of text, crisp on every screen.

    Args:
        name: the file's name without ``.svg``.
        meaning: of :func:`colour`, for an icon that says good or bad; some have one of their own.
    """
    meaning = meaning or _ACCENTS.get(name)
    now = QGuiApplication.palette()
    normal = colour(meaning) if meaning else now.color(QPalette.ColorRole.WindowText)
    faded = now.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText)
    selected = now.color(QPalette.ColorRole.HighlightedText)
    ratios = {1.0, *(screen.devicePixelRatio() for screen in QGuiApplication.screens())}
    sizes = tuple(sorted({round(size * ratio) for size in _ICON_SIZES for ratio in ratios}))
    made = _drawn(name, sizes, normal.name(), faded.name(), selected.name())
    _made[made.cacheKey()] = (name, meaning)
    return made


@functools.lru_cache(maxsize=256)
def _drawn(name: str, sizes: tuple[int, ...], normal: str, faded: str, selected: str) -> QIcon:
    """Draw an icon once in each size; the other colours are poured over the same shape, which is much cheaper."""
    drawing = QSvgRenderer(QByteArray(_source(name).replace("currentColor", normal).encode()))
    made = QIcon()
    for size in sizes:
        shape = QPixmap(size, size)
        shape.fill(Qt.GlobalColor.transparent)
        painter = QPainter(shape)
        drawing.render(painter, QRectF(0, 0, size, size))
        painter.end()
        made.addPixmap(shape, QIcon.Mode.Normal)
        for mode, ink in ((QIcon.Mode.Disabled, faded), (QIcon.Mode.Selected, selected)):
            tinted = QPixmap(shape)
            painter = QPainter(tinted)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
            painter.fillRect(tinted.rect(), QColor(ink))
            painter.end()
            made.addPixmap(tinted, mode)
    return made


@functools.cache
def _source(name: str) -> str:
    return (bundled("resources") / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def _recolour_icons() -> list[Callable[[], None]]:
    """Return the steps that give every action and button its icon in the new colours, a few icons each."""
    before = dict(_made)
    _made.clear()
    owners: dict[tuple[str, str | None], list[QAction | QAbstractButton]] = {}
    for widget in QApplication.allWidgets():
        found: list[QAction | QAbstractButton] = [*widget.actions()]
        if isinstance(widget, QAbstractButton):
            found.append(widget)
        for owner in found:
            known = before.get(owner.icon().cacheKey())
            if known:
                owners.setdefault(known, []).append(owner)
    names = list(owners)
    return [
        functools.partial(_recolour, {name: owners[name] for name in names[start : start + _ICONS_PER_STEP]})
        for start in range(0, len(names), _ICONS_PER_STEP)
    ]


def _recolour(owners: Mapping[tuple[str, str | None], Sequence[QAction | QAbstractButton]]) -> None:
    for (name, meaning), some in owners.items():
        new = icon(name, meaning)
        for owner in some:
            if shiboken6.isValid(owner):
                owner.setIcon(new)

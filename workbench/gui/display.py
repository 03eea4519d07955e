"""Whether a window can be shown here, found out before Qt would abort; used by :mod:`workbench.gui.app`.

Qt ends the process with a core dump where it finds no display or lacks a library. So the display is asked and
Qt's platform plugin is loaded here first, and what is missing gets a sentence. Nothing here imports Qt.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path

from workbench.errors import UserError

_ALTERNATIVE = "The command line needs no display: `workbench --help`."
# What Qt 6.8 to 6.11 link on Linux -> the package of Debian and Ubuntu that brings it.
_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libX11.so.6": "libx11-6",
    "libxkbcommon.so.0": "libxkbcommon0",
}
_X11_PACKAGES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
SYSTEM_PACKAGES = tuple(sorted({*_PACKAGES.values(), *_X11_PACKAGES.values()}))
"""What a bare Debian or Ubuntu needs for the window on an X11 display; the README names the same."""
_DISPLAYLESS = ("offscreen", "minimal", "vnc", "linuxfb", "eglfs")


def drop_foreign_plugins(environment: MutableMapping[str, str]) -> None:
    """Forget plugin folders that OpenCV (not the headless one) points Qt at; its Qt is another version (B73)."""
    for name in ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_PLUGIN_PATH", "QT_QPA_FONTDIR"):
        if "cv2" in re.split(r"[/\\]", environment.get(name, "")):
            del environment[name]


def problem(
    environment: Mapping[str, str] | None = None,
    platform: str = sys.platform,
    load: Callable[[str], object] = ctypes.CDLL,
) -> UserError | None:
    """Return why no window can be shown, or None.

    Args:
        environment: the process's variables.
        platform: as ``sys.platform``; only Linux can be without a display.
        load: opens a shared library or raises OSError with its name.
    """
    if platform != "linux":
        return None
    environment = os.environ if environment is None else environment
    chosen = environment.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    if chosen in _DISPLAYLESS:
        return None
    x11, wayland = environment.get("DISPLAY", ""), environment.get("WAYLAND_DISPLAY", "")
    if not x11 and not wayland:
        return UserError("There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set).", "", _ALTERNATIVE)
    # For Wayland Qt brings what it needs itself.
    if wayland and chosen != "xcb" and Path(environment.get("XDG_RUNTIME_DIR", ""), wayland).exists():
        return None
    if not x11:
        return _silent(wayland)
    return _x11_problem(x11, load)


def _x11_problem(display: str, load: Callable[[str], object]) -> UserError | None:
    plugin = _plugin()
    try:
        if plugin is not None:
            load(str(plugin))
        xcb = load("libxcb.so.1")
    except OSError as error:
        return missing_library(error, {**_PACKAGES, **_X11_PACKAGES}, load)
    return None if not isinstance(xcb, ctypes.CDLL) or _answers(xcb, display) else _silent(display)


def _silent(display: str) -> UserError:
    return UserError(f"The display {display} cannot be opened (gone, or not allowed).", "", _ALTERNATIVE)


def _answers(xcb: ctypes.CDLL, display: str) -> bool:
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(display.encode(), None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed


def _plugin() -> Path | None:
    """Return Qt's plugin for X11, without importing Qt; None where it lies somewhere unusual."""
    spec = importlib.util.find_spec("PySide6")
    places = spec.submodule_search_locations if spec else None
    for place in places or ():
        plugin = Path(place) / "Qt" / "plugins" / "platforms" / "libqxcb.so"
        if plugin.is_file():
            return plugin
    return None


def missing_library(
    error: Exception, needed: Mapping[str, str] = _PACKAGES, load: Callable[[str], object] = ctypes.CDLL
) -> UserError:
    """Say which libraries or which package is missing, given the failed import or load.

    The loader names one library only; the others that are *needed* are tried, so that one command helps.
    """
    found = re.search(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object", str(error))
    if found:
        missing = [found.group(1), *(name for name in needed if name != found.group(1) and not _loads(name, load))]
        what = "library" if len(missing) == 1 else "libraries"
        packages = [needed[name] for name in missing if name in needed]
        hint = f" On Debian and Ubuntu: apt install {' '.join(packages)}." if packages else ""
        return UserError(f"The window needs the {what} {', '.join(missing)}: not installed.{hint}", "", _ALTERNATIVE)
    if isinstance(error, ModuleNotFoundError):
        return UserError(
            f"The window needs the package {error.name}, which is not installed.",
            "Run: pip install PySide6-Essentials pyqtgraph.",
            _ALTERNATIVE,
        )
    return UserError(f"The window cannot be shown: {error}.", "", _ALTERNATIVE)


def _loads(library: str, load: Callable[[str], object]) -> bool:
    try:
        load(library)
    except OSError:
        return False
    return True

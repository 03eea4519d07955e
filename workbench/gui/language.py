"""The window's language: which there are, which one is wanted, and the words of other rooms in it.

:func:`apply` puts the application into a language; what was made before keeps its words, so the window is made anew
(see :mod:`workbench.gui.app`). :func:`said` is for every sentence that the window shows and did not make itself.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QFontDatabase

from workbench.core.catalogue import Catalogue
from workbench.paths import bundled

Language: TypeAlias = Literal["en", "zh_CN"]
NAMES: dict[Language, str] = {"en": "English", "zh_CN": "简体中文"}
"""Every language by its own name."""
_FONT = "WorkbenchSansSC-Regular.otf"

_installed: list[QTranslator] = []
_words: Catalogue | None = None


def of(stored: object) -> Language:
    """Return the language that a setting names; the system's where it names none."""
    return next((language for language in NAMES if language == stored), _of_system())


def _of_system() -> Language:
    wanted = (QLocale(name) for name in QLocale.system().uiLanguages())
    first = next(wanted, QLocale.c())
    simplified = first.language() == QLocale.Language.Chinese and first.script() == QLocale.Script.SimplifiedHanScript
    return "zh_CN" if simplified else "en"


def apply(language: Language) -> None:
    """Put everything that is made from now on into *language*."""
    global _words  # noqa: PLW0603 - as the application's translators are
    for translator in _installed:
        QCoreApplication.removeTranslator(translator)
    _installed.clear()
    _words = None
    if language != "en":
        _words = Catalogue.load(bundled("resources") / "i18n" / f"{language}.ts")
        qt = QTranslator()
        qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        for translator in (qt, _Translator(_words)):
            QCoreApplication.installTranslator(translator)
            _installed.append(translator)


def said(text: str | None) -> str:
    """Return a sentence that another room made (an error, a warning, a verdict, help) in the window's language."""
    if not text or _words is None:
        return text or ""
    return _words.said(text)


def add_font() -> None:
    """Make sure that Chinese can be drawn: machines without such a font get the one that came with the product."""
    if not QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese):
        QFontDatabase.addApplicationFont(str(bundled("resources") / "fonts" / _FONT))


class _Translator(QTranslator):
    """Answers ``tr`` from a catalogue; the context is left out, as one English text means one thing everywhere."""

    def __init__(self, words: Catalogue) -> None:
        super().__init__()
        self._words = words

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        """Never."""
        return False

    def translate(self, context: str, source: str, comment: str | None = None, number: int = -1) -> str | None:
        """Return the words for *source*."""
        return self._words.own(source, comment or "")

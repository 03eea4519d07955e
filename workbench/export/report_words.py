"""The words of a report in its language. Needs no Qt: reports are also made where there is no screen."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from workbench.core.catalogue import Catalogue
from workbench.errors import UserError
from workbench.paths import bundled

Language: TypeAlias = Literal["en", "zh_CN"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


class Words:
    """Words of one language.

    Attributes:
        code: of the language, as HTML has it.
        blank: what stands between two sentences.

    Raises:
        UserError: it is none that a report can be written in.
    """

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise UserError(
                f"There is no report in the language '{language}'.", "", f"Choose one of {', '.join(LANGUAGES)}."
            )
        self.code = language.replace("_", "-")
        self.blank = " " if language == "en" else ""
        file = bundled("resources") / "i18n" / f"{language}.ts"
        self._catalogue = None if language == "en" else Catalogue.load(file)

    def tr(self, text: str, comment: str = "") -> str:
        """Return the words for a string of the report."""
        return text if self._catalogue is None else self._catalogue.own(text, comment) or text

    def said(self, text: str) -> str:
        """Return a sentence that another room made."""
        return text if self._catalogue is None else self._catalogue.said(text)

    def sentence(self, text: str) -> str:
        """Return a verdict as a whole sentence."""
        words = self.said(text)
        return f"{words[:1].upper()}{words[1:]}{self.tr('.', 'full stop')}"

"""The legend below a plot or a table: marks in their colours, each with what it stands for."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.gui import theme


def legend(entries: Iterable[tuple[str, str, str]]) -> str:
    """Return rich text that breaks between entries only.

    Args:
        entries: mark, name of its colour in the theme, and what it stands for.
    """
    muted = theme.colour("muted").name()
    return "&nbsp;&nbsp; ".join(
        f'<span style="color:{theme.colour(colour).name()}">{mark}</span>'
        f'<span style="color:{muted}">&nbsp;{_unbroken(text)}</span>'
        for mark, colour, text in entries
    )


def _unbroken(text: str) -> str:
    """Return *text* as rich text that stays on one line; Chinese would break between any two characters."""
    return "\u2060".join(text).replace(" ", "&nbsp;")

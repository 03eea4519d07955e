"""The Chinese letters of a page, as a font inside it: where it is read there may be none."""

from __future__ import annotations

import base64
import io

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from workbench.paths import bundled

FAMILY = "Workbench Sans SC"
_FIRST = 0x2E80
"""Where Chinese, Japanese and Korean begin."""


def face(text: str) -> str:
    """Return a CSS ``@font-face`` that holds the Chinese letters of *text*; nothing where there are none."""
    letters = {letter for letter in text if ord(letter) >= _FIRST}
    if not letters:
        return ""
    font = TTFont(bundled("resources") / "fonts" / "WorkbenchSansSC-Regular.otf")
    subsetter = Subsetter(Options(notdef_outline=True))
    subsetter.populate(text="".join(letters))
    subsetter.subset(font)
    font.flavor = "woff"
    file = io.BytesIO()
    font.save(file)
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return (
        f'@font-face {{ font-family: "{FAMILY}"; font-display: block; unicode-range: U+{_FIRST:X}-FFFF; '
        f'src: url(data:font/woff;base64,{data}) format("woff"); }}'
    )

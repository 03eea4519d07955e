"""Makes the Chinese font that comes with the product: ``python make.py NotoSansCJK-Regular.ttc``.

The collection is in Debian's package fonts-noto-cjk. The subset holds the 3,755 most common characters (level 1 of
GB 2312), full-width punctuation, and whatever else the catalogue uses; without hints and layout tables it takes a
twentieth of the original. It has a name of its own, so that it never stands in for a complete font of the system.
Needs fonttools.
"""

import sys
from pathlib import Path

from fontTools import subset

HERE = Path(__file__).resolve().parent
NAME = "Workbench Sans SC"
_SIMPLIFIED_CHINESE = 2  # the third of five faces in Noto's collection


def characters() -> set[str]:
    """Return what the font can draw."""
    level_one = {
        bytes((row, cell)).decode("gb2312", errors="ignore") for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF)
    }
    full_width = {chr(code) for code in (*range(0x3000, 0x3020), *range(0xFF01, 0xFF5F))}
    catalogue = (HERE.parent / "i18n" / "zh_CN.ts").read_text(encoding="utf-8")
    return level_one | full_width | {letter for letter in catalogue if letter > "\u2000"}


def make(collection: Path, target: Path) -> None:
    """Write the subset of *collection* to *target*."""
    options = subset.Options(font_number=_SIMPLIFIED_CHINESE, layout_features=[], hinting=False, notdef_outline=True)
    options.drop_tables += ["BASE", "GPOS", "GSUB", "VORG", "vhea", "vmtx"]
    font = subset.load_font(str(collection), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(sorted(characters())))
    subsetter.subset(font)
    style = "-".join((NAME.replace(" ", ""), "Regular"))
    for number, text in ((1, NAME), (3, style), (4, NAME), (6, style)):
        font["name"].setName(text, number, 3, 1, 0x409)
    font["CFF "].cff.fontNames[0] = style
    subset.save_font(font, str(target), options)


if __name__ == "__main__":
    make(Path(sys.argv[1]), HERE / "WorkbenchSansSC-Regular.otf")

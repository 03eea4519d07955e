"""The Chinese README says what the English one says: the same commands, the same figures, the same pictures."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENGLISH, CHINESE = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh_CN.md"))


def blocks(text: str) -> list[str]:
    """Return the code blocks without their comments."""
    found = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [re.sub(r" +#.*", "", block) for block in found]


def figures(text: str) -> list[list[str]]:
    """Return the numbers of each row of each table."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [sorted(re.findall(r"\d+(?:\.\d+)?", row)) for row in rows]


def test_the_same_commands() -> None:
    assert blocks(CHINESE) == blocks(ENGLISH)
    assert len(blocks(ENGLISH)) > 5


def test_the_same_figures_in_all_tables_and_in_between() -> None:
    assert figures(CHINESE) == figures(ENGLISH)
    one, other = (sorted(re.findall(r"\d+\.\d+", text)) for text in (CHINESE, ENGLISH))
    assert one == other


def test_as_many_sections_and_pictures_and_a_link_to_each_other() -> None:
    for sign in ("\n## ", "!["):
        assert CHINESE.count(sign) == ENGLISH.count(sign)
    assert "(README.zh_CN.md)" in ENGLISH and "(README.md)" in CHINESE
    for text in (ENGLISH, CHINESE):
        for place in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (ROOT / place).exists(), place

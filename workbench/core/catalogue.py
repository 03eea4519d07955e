"""One language's words: for strings of the window and the report, and for sentences that other rooms made. Knows no Qt.

Own strings are looked up. Sentences of other rooms (errors, warnings, verdicts, help of knobs) arrive as finished
English text, because they come from workers, files and studies, and because the command line says them as they are.
They are read back: the catalogue holds the pattern that made them, such as ``{0} of {1} planned layers ran in INT8``,
and of all patterns that fit, alone or joined by commas and full stops, those are taken that explain most letters. What
stands in the gaps is read in the same way; what no pattern explains, such as a file's name or a library's complaint,
stays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

GAP = re.compile(r"\{(\d*)\}")
OWN_PLACES = ("workbench/gui/", "workbench/export/report", "resources/report/")
"""Where strings are translated as they are written, by ``tr`` or ``translate``."""
_OPEN_START, _OPEN_END = " ,;:.)", " :('‘"
"""A pattern that starts or ends so is said after or before something else."""
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]+")
_LETTER = re.compile(r"[A-Za-z]{2}")
_JOINTS = (("\n", "\n"), ("; ", "；"), (", ", "，"), ("  ·  ", "  ·  "), (" ", ""))
_LONGEST = 1500
"""Letters of a text that is read back; what is longer is a library's."""
_MOST_KEPT = 4000


@dataclass(frozen=True)
class _Pattern:
    """A sentence with gaps.

    Attributes:
        pieces: what stands before, between and after the gaps.
        names: the gaps, as *target* names them.
        target: the sentence in the other language.
        worth: how much of a text it explains: its letters, less a little for every gap, so that the closest fit wins.
        narrow: says too little itself to swallow more than single words.
    """

    pieces: tuple[str, ...]
    names: tuple[str, ...]
    target: str
    worth: int
    narrow: bool

    @classmethod
    def of(cls, source: str, target: str) -> _Pattern:
        """Make one; gaps are added where it is open to a side."""
        words = _WORD.findall(GAP.sub(" ", source))
        worth = 100 * len("".join(words)) - len(GAP.findall(source))
        if source[:1] in _OPEN_START:
            source, target, worth = "{98}" + source, "{98}" + target, worth - 5
        if source[-1:] in _OPEN_END:
            source, target, worth = source + "{99}", target + "{99}", worth - 5
        pieces = GAP.split(source)
        return cls(tuple(pieces[::2]), tuple(pieces[1::2]), target, worth, len(words) < 2 and worth < 550)

    def gaps_in(self, text: str) -> list[str] | None:
        """Return what stands in the gaps of *text*, None where it is another sentence."""
        first, last = self.pieces[0], self.pieces[-1]
        if len(self.pieces) == 1:
            return [] if text == first else None
        start, end = len(first), len(text) - len(last)
        if start > end or not (text.startswith(first) and text.endswith(last)):
            return None
        found = []
        for piece in self.pieces[1:-1]:
            place = text.find(piece, start, end)
            if place < 0:
                return None
            found.append(text[start:place])
            start = place + len(piece)
        found.append(text[start:end])
        return None if self.narrow and any(" " in value for value in found) else found


class Catalogue:
    """Words of one language.

    Args:
        own: strings of the window and the report by text and comment; the comment tells two meanings of one text apart.
        patterns: sentences of other rooms.
    """

    def __init__(self, own: Mapping[tuple[str, str], str], patterns: Mapping[str, str]) -> None:
        self._own = dict(own)
        self._read: dict[str, tuple[int, str]] = {}
        self._by_start: dict[str, list[_Pattern]] = {}
        for source, target in patterns.items():
            pattern = _Pattern.of(source, target)
            if pattern.worth > 0:
                self._by_start.setdefault(pattern.pieces[0][:1], []).append(pattern)

    @classmethod
    def load(cls, file: Path) -> Catalogue:
        """Read a ``.ts`` file of Qt Linguist; unfinished entries count as missing."""
        entries = {key: entry for key, entry in read_entries(file).items() if entry[1]}
        others = {
            key[0]: text
            for key, (text, _, places) in entries.items()
            if key[0].endswith(".") or not all(place.startswith(OWN_PLACES) for place in places)
        }
        return cls({key: text for key, (text, _, _) in entries.items()}, others)

    def own(self, source: str, comment: str = "") -> str | None:
        """Return the words for a string of the window or the report, None where there are none."""
        return self._own.get((source, comment)) or self._own.get((source, ""))

    def said(self, text: str) -> str:
        """Return a sentence of another room in this language, as far as its patterns are known."""
        if len(text) > _LONGEST:
            return text
        if len(self._read) > _MOST_KEPT:
            self._read.clear()
        return self._best(text)[1]

    def _best(self, text: str) -> tuple[int, str]:
        """Return how much of *text* is explained, and its translation."""
        if not _LETTER.search(text):
            return 0, text
        known = self._read.get(text)
        if known is None:
            readings: list[tuple[int, str]] = [(0, text)]
            for start in {"", text[:1]}:
                for pattern in self._by_start.get(start, ()):
                    gaps = pattern.gaps_in(text)
                    if gaps is not None and text not in gaps:
                        readings.append(self._filled(pattern, gaps))
            readings += self._parted(text)
            known = self._read[text] = max(readings, key=lambda reading: reading[0])
        return known

    def _filled(self, pattern: _Pattern, gaps: Sequence[str]) -> tuple[int, str]:
        read = {name: self._best(gap) for name, gap in zip(pattern.names, gaps, strict=True)}
        worth = pattern.worth + sum(score for score, _ in read.values())
        worth -= sum("; " in gap for gap in gaps[1:])  # of equals, what ends with its sentence
        return worth, GAP.sub(lambda gap: read[gap.group(1)][1] if gap.group(1) in read else "", pattern.target)

    def _parted(self, text: str) -> list[tuple[int, str]]:
        """Return readings of *text* as two texts side by side."""
        found = []
        for joint, target in _JOINTS:
            place = text.find(". ") + 1 if joint == " " else text.find(joint)
            if place > 0:
                (one, left), (two, right) = self._best(text[:place]), self._best(text[place + len(joint) :])
                plain = not one and (not two or joint == ", ")
                between = " " if joint == " " and not one else joint if plain else target
                found.append((one + two, left + between + right))
        return found


def read_entries(file: Path) -> dict[tuple[str, str], tuple[str, bool, list[str]]]:
    """Return all of a ``.ts`` file: by source text and comment the translation, whether it is finished, the places."""
    entries = {}
    for message in ElementTree.parse(file).getroot().iter("message"):
        translation = message.find("translation")
        text = "" if translation is None else translation.text or ""
        finished = bool(text) and translation is not None and not translation.get("type")
        places = [place.get("filename", "") for place in message.iter("location")]
        entries[message.findtext("source", ""), message.findtext("comment", "")] = (text, finished, places)
    return entries

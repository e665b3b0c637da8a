"""Where sentences end; the rule by which passages are split, windowed and quoted."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

_ABBREVIATED = (
    *("Mr", "Mrs", "Ms", "Messrs", "Mme", "Mlle", "Dr", "Prof", "Hon", "Gov", "Sen"),
    *("St", "Fr", "Br", "Rev", "Capt", "Col", "Gen", "Maj", "Lt", "Sgt", "Cpl", "Pvt"),
    *("Adm", "Cmdr", "vs"),
)
"""Abbreviations whose full stop does not end a sentence."""

_OF_LENGTH = (
    "|".join(word for word in _ABBREVIATED if len(word) == length)
    for length in sorted({len(word) for word in _ABBREVIATED})
)
NOT_SHORTENED = "".join(rf"(?<!\b(?:{words})\.)" for words in ("[A-Z]", *_OF_LENGTH))
"""A pattern that matches behind a full stop, unless that belongs to an initial or abbreviation."""

CLOSING_MARKS = "\"'”’“‘»«›‹」』"
"""Quotation marks that may stand behind the end of a sentence; in some styles they also open."""

_SENTENCE = rf"""
    (?<![.!?…])[.!?…]++ {NOT_SHORTENED} [{CLOSING_MARKS})\]*_=~]* \s+ (?![a-z\s])
    | [。！？]+ [」』”]*"""

_SENTENCE_END = re.compile(_SENTENCE, re.VERBOSE)
_PART_END = re.compile(
    _SENTENCE + r"| \n\s*\n | \n (?=[ \t]*(?:[-*+>|]|\#{1,6}|\d+[.)])[ \t])", re.VERBOSE
)

_STOP = re.compile(rf"(?<![.!?…])[.!?…]++[{CLOSING_MARKS})\]]*\s+")
_SHORTENS = re.compile(rf"\b(?:{'|'.join(_ABBREVIATED)}|ch|no|vol|pp?|cf|\w)\.\s+\Z")
_LONGEST = max(map(len, _ABBREVIATED)) + 1

LONGEST_SENTENCE = 2_000
"""Most characters of a sentence. Much is read of a sentence once for each name in it, which without
an end would cost more than the text is long.
"""


def sentence_ends(text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[int]:
    """Yield where sentences end in a Markdown text, behind closing marks and white space."""
    return (found.end() for found in _SENTENCE_END.finditer(text, start, end))


def part_ends(text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[int]:
    """Yield where sentences, paragraphs, and lines of a list, quote or table end in a text."""
    return (found.end() for found in _PART_END.finditer(text, start, end))


def read_ends(text: str) -> Iterator[int]:
    """Yield where sentences end in the visible text of a paragraph.

    A sentence does not end before a lower-case letter (`"Who?" said Isolde.`), nor after
    abbreviations, including those of references (`ch. 3`, `p. 12`). One that has more than
    `LONGEST_SENTENCE` characters is cut, behind a space if there is one.
    """
    begin = 0
    for stop in _STOP.finditer(text):
        following = text[stop.end() : stop.end() + 1]
        shortened = _SHORTENS.search(text, max(0, stop.start() - _LONGEST), stop.end())
        if not (following.islower() or shortened):
            yield from _cuts(text, begin, stop.end())
            yield stop.end()
            begin = stop.end()
    yield from _cuts(text, begin, len(text))


def _cuts(text: str, begin: int, end: int) -> Iterator[int]:
    while end - begin > LONGEST_SENTENCE:
        last = begin + LONGEST_SENTENCE
        begin = text.rfind(" ", begin, last) + 1 or last
        yield begin

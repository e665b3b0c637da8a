"""Find datelines, which name the place where something is written or happens.

# TBILISI, 04:10             above a scene
Harrow Lodge, near Thirsk    above the date of a letter
4th March 1923
London, 12 May 1943
"""

from __future__ import annotations

import re
from string import digits
from typing import TYPE_CHECKING, Final

from writeros_entities import HIDDEN, MARK

from .model import load_model
from .names import ADDRESS, FoundName
from .words import CALENDAR, FUNCTION_WORDS, TITLES

if TYPE_CHECKING:
    from collections.abc import Iterator

CONFIDENCE: Final = 0.9

_LONGEST: Final = 60
_ACRONYM: Final = 3

_MONTH: Final = (
    "(?:Jan(?:uary)?|Feb(?:ruary)?|March|April|May|June|July|Aug(?:ust)?|Sept?(?:ember)?"
    "|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_FIGURES: Final = bytes(ord("0" if chr(byte) in digits else " ") for byte in range(256))
"""Maps ASCII digits to `0`, and every other byte to a space."""
_TIME: Final = re.compile(
    rf"\d{{1,2}}[:.]\d\d\b|\d{{4}} (?:hours|hrs)\b|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b"
)
_MONTH_BEFORE: Final = re.compile(rf"\b{_MONTH} \Z")
_WIDEST: Final = 10
_MARKS: Final = f" \t#>*_{MARK}{HIDDEN}"
_BETWEEN: Final = re.compile(rf"(?:,|\.| [-–—|])[{_MARKS}]*\Z")
_NAME: Final = re.compile(
    r"(?:\d+ |(?:nr|near)\.? )?(?P<name>[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*){0,3})"
)
_NO_NAMES: Final = CALENDAR | FUNCTION_WORDS | TITLES | {"Dear", "Dearest"}


def find_places(page: str) -> Iterator[FoundName]:
    """Yield the places that the datelines of a page name, in order."""
    if not any(map(page.__contains__, digits)):
        return
    for place in _figures(page):
        start = _start(page, place)
        line = -1 if start < 0 else _line_start(page, start)
        if line < 0:
            continue
        before = page[line:start]
        if before.strip(_MARKS):
            between = _BETWEEN.search(before)
            yield from _names(before[: between.start()], line) if between else ()
        elif line:
            above = _line_start(page, line - 1)
            yield from _names(page[above : line - 1], above) if above >= 0 else ()


def _figures(page: str) -> Iterator[int]:
    """Yield where the numbers on a page begin; several times as fast as a regular expression."""
    outline = page.encode("ascii", "replace").translate(_FIGURES)
    place = outline.find(b"0")
    while place != -1:
        yield place
        end = outline.find(b" ", place)
        place = outline.find(b"0", end) if end != -1 else -1


def _line_start(page: str, place: int) -> int:
    """Return where the line before `place` begins, or -1 if it is too long for a dateline."""
    first = max(0, place - _LONGEST - 1)
    found = page.rfind("\n", first, place) + 1
    return found if found or not first else -1


def _start(page: str, place: int) -> int:
    """Return where a date or time begins that has the figures at `place`, or -1 if none has."""
    if _TIME.match(page, place):
        return place
    month = _MONTH_BEFORE.search(page, max(0, place - _WIDEST), place)
    return month.start() if month else -1


def _names(line: str, start: int) -> list[FoundName]:
    """Return the places in a line that consists of nothing else, or none."""
    places = []
    for part in line.split(","):
        text = part.strip(_MARKS)
        found = _NAME.fullmatch(text)
        if found is None or not _is_name(found["name"]):
            return []
        place = start + part.index(text) + found.start("name")
        name = found["name"]
        spelling = " ".join(map(_quieten, name.split(" ")))
        places.append(FoundName(place, place + len(name), spelling, ADDRESS, CONFIDENCE))
        start += len(part) + 1
    return places


def _quieten(word: str) -> str:
    """Return a word in capitals as prose spells it: TBILISI as Tbilisi, but not RAF."""
    return word.capitalize() if word.isupper() and len(word) > _ACRONYM else word


def _is_name(name: str) -> bool:
    words = name.split(" ")
    if words[0] in _NO_NAMES or not (words[0][0].isupper() and words[-1][0].isupper()):
        return False
    return len(words) > 1 or not load_model().is_frequent(name.lower())

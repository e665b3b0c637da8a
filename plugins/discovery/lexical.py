"""Features of a capitalised word and its neighbours: the evidence for a name.

A candidate is one capitalised word with its left and right neighbour. Its features are short
strings, here called keys (`p=mid`: it is inside a sentence; `s2=on`: it ends in *-on*; `a='s`: a
possessive follows), and a model gives each key a weight. No key contains more of the candidate's
own spelling than its last three letters, so no model can learn a list of names.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ..english import ORGANIZATION_NOUNS, PLACE_NOUNS
from .words import (
    ABBREVIATIONS,
    CALENDAR,
    CUES,
    FUNCTION_WORDS,
    PEOPLES,
    TITLES,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BLANK: Final = "\x1f"
"""Replaces text that must not be read: whitespace for `str.split`, but not a space in a name."""

IN_HEADING: Final = "#"
"""Marks a word inside a heading, where a capital is no evidence."""

_MARGIN: Final = 24
_LOOK_AHEAD: Final = 14
_NOWHERE: Final = (sys.maxsize, sys.maxsize)
_CACHED: Final = 1 << 14
_ABBREVIATED: Final = ABBREVIATIONS | {word.upper() for word in ("Mr", "Mrs", "Dr", "St", "Capt")}
CAPITALS: Final = "".join(
    char for char in map(chr, range(0x2500)) if char.isupper() or char.istitle()
)
_WORD: Final = re.compile(
    rf"[{CAPITALS}](?:\.(?:[{CAPITALS}]\.)+|\.(?=[ ]?[{CAPITALS}])"
    r"|[^\W_]*(?:['’](?!(?:s|S|ll|d|re|ve|m|t)(?![^\W_]))[^\W_]+|-[^\W_]+)*)"
)
_ELIDED: Final = re.compile("[CDJLMNSTY]['’][a-zß-öø-ÿ]")
"""Matches a word in lower case behind an elided one: *L'arme* has the capital of its sentence."""

_SMALL: Final = r"(?:of|the|and|a|an|in|to|on|at|for|or|with|by|from)\b"
_TITLE_WORD: Final = rf"(?:[{CAPITALS}\d][^\s.!?]*\.?|{_SMALL})"
_HEADING: Final = re.compile(
    rf"\n(?: {{0,3}}#{{1,6}} [^\n]*|{_TITLE_WORD}(?:[ ]+{_TITLE_WORD})*)(?=\n)"
)
_LOWER_CASE: Final = bytes(
    byte if re.match("[a-zß-öø-ÿ]", chr(byte)) else ord(" ") for byte in range(256)
)
"""Maps every byte that is not a lower-case letter of Latin-1 to a space."""
_CLOSING: Final = "\"”’'»)]"
_OPENING: Final = "\"“‘'«(["
_ROMAN: Final = frozenset("IVXLCM")
_JOINING: Final = frozenset("'’-")
"""Characters that join a particle to the following name: *d'Arcy*, *al-Rashid*."""

_ENDINGS: Final = ("s", "es", "ed", "d", "ing", "ly", "er", "est", "ness")


class Candidate(NamedTuple):
    """One capitalised word of a text, with the tokens before and after it as written."""

    start: int
    end: int
    word: str
    before: str
    after: str


class WordUse(NamedTuple):
    """How a text uses a word: whether in lower case, and how often capitalised.

    `inside` counts capitals inside sentences, `total` all of them. `length` is the text's size
    class (see `measure_roughly`): a name that occurs only once is common in a short text and rare
    in a long one.
    """

    lower: bool
    inside: int
    total: int
    length: int


def blank_out(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Replace `spans` of `text` by blanks; offsets stay the same."""
    parts: list[str] = []
    cursor = 0
    for start, end in sorted(spans):
        start = max(start, cursor)
        if end > start:
            parts += text[cursor:start], BLANK * (min(end, len(text)) - start)
            cursor = end
    parts.append(text[cursor:])
    return "".join(parts)


def read_candidates(text: str) -> list[Candidate]:
    """Return the capitalised words that could belong to a name, in order."""
    page = "\n" * _MARGIN + text + "\n" * _MARGIN
    headings = (match.span() for match in _HEADING.finditer(page))
    heading_start, heading_end = next(headings, _NOWHERE)
    found: list[Candidate] = []
    for match in _WORD.finditer(page):
        word = match[0]
        if word in FUNCTION_WORDS:
            continue
        start, end = match.span()
        mark = page[start - 1]
        if mark.isalnum() or _ELIDED.match(word):
            continue
        if page[end] == "." and word in _ABBREVIATED:
            word += "."
            end += 1
        while start >= heading_end:
            heading_start, heading_end = next(headings, _NOWHERE)
        if start > heading_start:
            opens = not any(map(str.isalnum, page[heading_start:start]))
            before = "" if opens else IN_HEADING
        elif mark == " ":
            before = _last_token(page[start - _MARGIN : start])
        else:
            before = _look_back(page, start)
        if mark in _JOINING:
            start = _include_prefix(page, start)
        after = _look_ahead(page, end)
        found.append(
            tuple.__new__(Candidate, (start - _MARGIN, end - _MARGIN, word, before, after))
        )
    return found


def read_lower_case(text: str) -> set[str]:
    """Return the words of `text` in lower case, in the letters of Latin-1."""
    return set(text.encode("latin-1", "replace").translate(_LOWER_CASE).decode("latin-1").split())


def measure_roughly(text: str) -> int:
    """Return the size class of a text: paragraph (0), note (1) or chapter (2)."""
    return 0 if len(text) < 1_500 else 1 if len(text) < 6_000 else 2


def locate(before: str) -> str:
    """Return the position of a word in its sentence, by the token before it.

    `mid` is inside, `start` at the beginning, `open` after an opening quotation mark or bracket,
    `closed` after a quotation that ends in a comma; others are `dash`, `colon` and `odd`.
    """
    if not before:
        return "start"
    last = before[-1]
    if last.isalnum() or last in ",;":
        return "mid"
    if last in _CLOSING and (core := before.rstrip(_CLOSING)):
        if core[-1] == ",":
            return "closed"
        return "start" if core[-1] in ".!?…" else "open" if core[-1] in "—-" else "mid"
    if last in _OPENING or last in "”’":
        return "open"
    if last == ".":
        abbreviated = before[:-1] in _ABBREVIATED or (len(before) == 2 and before[0].isupper())
        return "mid" if abbreviated else "start"
    if last in "!?…#":
        return "start"
    return "dash" if last in "—–-" else "colon" if last == ":" else "odd"


@lru_cache(_CACHED)
def classify(word: str) -> str:
    """Return the closed class of a word: T(itle), N(ation), C(alendar), P(lace), O(rganization) or
    "".
    """
    bare = word.rstrip(".")
    if bare in TITLES or (word.isupper() and bare.capitalize() in TITLES):
        return "T"
    if bare in PEOPLES:
        return "N"
    if bare in CALENDAR:
        return "C"
    if bare in PLACE_NOUNS:
        return "P"
    return "O" if bare in ORGANIZATION_NOUNS else ""


def is_inflected(low: str, common: Mapping[str, int]) -> bool:
    """Say whether a word is an inflection of a common one: *doors*, *walking*."""
    return any(
        low.endswith(ending)
        and (low[: -len(ending)] in common or low[: -len(ending)] + "e" in common)
        for ending in _ENDINGS
    )


def describe_word(word: str, common: Mapping[str, int]) -> list[str]:
    """Return the keys of a word by itself; `common` has the frequency class of lower-case words."""
    low = word.lower()
    level = common.get(low, 0)
    keys = [f"s3={low[-3:]}", f"s2={low[-2:]}", f"wc={classify(word)}", f"len={min(len(word), 9)}"]
    keys.append(f"lv={level}")
    if word.isupper():
        keys.append(f"caps={min(len(word), 3)}")
    if "-" in word:
        keys.append("hyphen=U" if word.rsplit("-", 1)[-1][:1].isupper() else "hyphen=l")
    if "'" in word or "’" in word:
        keys.append("apostrophe")
    if word.endswith("."):
        keys.append("dot")
    if not level and is_inflected(low, common):
        keys.append("inflected")
    if _ROMAN.issuperset(word):
        keys.append("roman")
    return keys


def describe_before(before: str, common: Mapping[str, int]) -> list[str]:
    """Return the keys of the token before a candidate."""
    if before == IN_HEADING:
        before = ""
    keys = [f"p={locate(before)}", f"b={before if before[:1].isupper() else before.lower()}"]
    core = before.strip("\"“”‘’'([{,;.!?—-")
    if core:
        attached = "" if before[-1].isalnum() else before[-1]
        if core[0].isupper():
            keys.append(f"bk={_rate_neighbour(core, common)}{attached}")
        else:
            keys.append(f"bs={core[-2:]}{attached}")
    return keys


def describe_after(after: str, common: Mapping[str, int]) -> list[str]:
    """Return the keys of what follows a candidate: a character, or a space and a word."""
    keys = [f"a={after}"]
    if after[0] == " " and len(after) > 1:
        core = after[1:].rstrip(".,;:!?\"”'’)")
        if not core:
            keys.append("ap")
        elif core[0].isupper():
            keys.append(f"ak={_rate_neighbour(core, common)}")
        else:
            keys.append(f"as={core[-2:]}")
    return keys


def outline_after(after: str) -> str:
    """Reduce what follows to U(pper), l(ower), s (possessive), a hyphen, or a dot for the rest."""
    if after[0] == " ":
        return "U" if after[1:2].isupper() else "l"
    if after in ("'s", "’s"):
        return "s"
    return "-" if after[0] == "-" else "."


def outline_before(before: str) -> str:
    """Reduce the token before to itself, if it is in `CUES`, or else to its position."""
    low = before.lower()
    return low if low in CUES else locate(before)


def describe_use(
    place: str, cue: str, after: str, kind: str, level: int, plural: bool, use: WordUse
) -> list[str]:
    """Return the keys that combine a candidate's position, class and use in this text."""
    case = "L" if use.lower else "-"
    inside, total = _count_roughly(use.inside), _count_roughly(use.total)
    sort = kind or str(level)
    return [
        f"u:{place}{level}{case}",
        f"v:{place}{case}{inside}",
        f"x:{level}{case}{inside}",
        f"t:{place}{min(level, 1)}{total}{use.length}",
        f"l:{place}{case}{use.length}",
        f"c:{place}{kind}{case}",
        f"d:{cue}:{sort}:{after}",
        f"e:{cue}:{sort}:{'s' if plural else ''}",
        f"f:{sort}:{after}",
    ]


def describe_name(first: str, last: str) -> list[str]:
    """Return the keys of the words of a name for its type."""
    length = count_words(first, last)
    low = last.lower()
    return [
        f"n={length}",
        f"first={classify(first)}{length}",
        f"last={classify(last)}{length}",
        f"ends={classify(first)}{classify(last)}{length}",
        f"s3={low[-3:]}",
        f"s2={low[-2:]}",
    ]


def describe_sides(before: str, after: str, length: str, kind: str) -> list[str]:
    """Return the keys of the neighbours of a name for its type.

    `length` is the name's (see `count_words`), `kind` the closed class of its last word.
    """
    return [
        f"b={before.lower()}",
        f"p={locate(before)}{length}",
        f"a={after.rstrip('.,;:!?')}",
        f"o={outline_after(after)}{length}",
        f"bo={outline_before(before)}{length}{kind}",
    ]


def describe_case(last: str) -> list[str]:
    """Return the key of a name in capitals, by its last word."""
    return ["caps"] if last.isupper() else []


def count_words(first: str, last: str) -> str:
    """Return "1" for a name of one word, "2" for longer ones."""
    return "1" if first == last else "2"


def _look_back(page: str, start: int) -> str:
    while page[start - 1] in "*_":
        start -= 1
    left = page[start - _MARGIN : start]
    if left[-1] == "\n" and (left[-2] == "\n" or "\n" in page[start - 50 : start - 1]):
        return ""
    return _last_token(left)


def _last_token(left: str) -> str:
    tokens = left.rsplit(None, 1)
    return tokens[-1] if tokens else ""


def _look_ahead(page: str, end: int) -> str:
    mark = page[end]
    while mark in "*_" and end < len(page) - _MARGIN:
        end += 1
        mark = page[end]
    if mark == " " or mark == BLANK:
        tokens = page[end : end + _LOOK_AHEAD].split(None, 1)
        return " " + tokens[0] if tokens else "\n"
    return page[end : end + 2] if mark in "'’" else mark


def _include_prefix(page: str, start: int) -> int:
    mark = page[start - 1]
    if mark in "'’" and page[start - 2] in "dl" and not page[start - 3].isalnum():
        return start - 2
    if mark == "-" and page[start - 3 : start - 1] in ("al", "el") and page[start - 4].isspace():
        return start - 3
    return start


def _rate_neighbour(word: str, common: Mapping[str, int]) -> str:
    return classify(word) or f"u{min(common.get(word.lower(), 0), 1)}"


def _count_roughly(number: int) -> int:
    return number if number < 3 else 3 if number < 6 else 4

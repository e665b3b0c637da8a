"""Find the phrases that only their capitals show to be names: "the Long Night", "Hall of Echoes".

Their words are common ones, of which the finder of names expects no name. But nobody writes several
of them with capitals inside a sentence, unless they name something.

    They had feared the Long Night ever since.      a name, used once
    He had joined the Royal Hunters.                the name of a group
    The Long Night was over.                        the capital of the sentence is the article's
    Long Night is a feast.                          is said to be something
    Long Night had come.                            may only begin with a capital: counts beside
    **Long Night** is when the dead walk.           is set apart, and the sentence goes on
    They met on Monday Night, in Chapter Two.       the calendar and what has a number name nothing

A word alone is a name where it has a capital behind an article, and nothing else is called so:

    He fled to the Switchboard.                     if no switchboard is in the text
    They asked the King for his ruling.             is who he is, not what he is called
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from writeros_entities import MARK

from ..english import GIVEN_NAMES_AND_WORDS
from ..languages import LANGUAGES
from ..numerals import read_numeral
from .lexical import CAPITALS, read_lower_case
from .names import JOINING, FoundName
from .telling import beings, definite, people, sides, sorts, told_sort
from .uses import endear, is_lone, is_word
from .words import CALENDAR, COUNTED, FUNCTION_WORDS, PEOPLES, TITLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CONFIDENCE: Final = 0.75
"""How many of the phrases that stand so twice are names, on real vaults."""

UNTOLD: Final = 0.25
"""The confidence of a phrase where it may have its capitals for another reason."""

_MOST: Final = 4
"""Most words of a phrase, but for those that join them; longer runs are titles."""

_WORD: Final = rf"[{CAPITALS}][^\W_]*+(?:['’-][^\W_]++)*"
_JOINED: Final = "|".join(sorted(map(re.escape, (" ", *JOINING)), key=len, reverse=True))
_PHRASE: Final = re.compile(rf"(?<![\w'’-]){_WORD}(?:(?:{_JOINED}){_WORD})+(?![\w'’-]| \d)")
_LONE: Final = re.compile(
    r"(?<=[a-z,;] )the (?P<noun>[A-Z][a-z]{2,}+)"
    rf"(?![\w/-]|['’](?!s\b)|(?: of(?: the)?)? [{CAPITALS}\d])"
)
"""Matches an English word with a capital behind "the" inside a sentence, which is not of more."""

_JOINS: Final = re.compile("|".join(map(re.escape, sorted(JOINING, key=len, reverse=True))))
_POSSESSIVE: Final = re.compile(r"['’]s\Z")
_MARGIN: Final = 32
_QUOTES: Final = tuple('"“”„«»')
_OPENING: Final = '"“‘«(' + MARK
_GOES_ON: Final = ",;"
_CACHED: Final = 1 << 12


def find_phrases(page: str) -> list[FoundName]:
    """Return the phrases with capitals, in order.

    One with which a sentence begins, or that is set apart by marks, is as sure as elsewhere on the
    page, or `UNTOLD`.
    """
    found: list[FoundName] = []
    for match in _PHRASE.finditer(page):
        start = _start(page, match)
        is_told = start < match.end()
        if not is_told:
            start = match.start()
            is_apart, goes_on = stands_out(page, *match.span()), _goes_on(page, match.end())
            if not (is_apart or goes_on):
                continue
            is_told = is_apart and goes_on
        phrase = endear(_POSSESSIVE.sub("", page[start : match.end()]))
        first, _, rest = phrase.partition(" ")
        if first in FUNCTION_WORDS:
            phrase = rest
        if _is_name(phrase) and not is_lone(phrase):
            start += page[start : match.end()].index(phrase)
            end = start + len(phrase)
            kind = told_sort(page, start, end) or type_of_head(phrase)
            sure = CONFIDENCE if is_told else UNTOLD
            found.append(FoundName(start, end, phrase, kind, sure))
    told = {one.text for one in found if one.confidence > UNTOLD}
    return [one._replace(confidence=CONFIDENCE) if one.text in told else one for one in found]


def find_nouns(page: str) -> list[FoundName]:
    """Return the English words that have a capital behind "the", in order.

    Not those that the page has in lower case too, and not what somebody is.
    """
    found = [
        (match, noun) for match in _LONE.finditer(page) if _is_lone_name(noun := match["noun"])
    ]
    if not found:
        return []
    lower = read_lower_case(page)
    return [
        FoundName(match.start("noun"), match.end(), noun, _sort_of(page, match, noun), CONFIDENCE)
        for match, noun in found
        if lower.isdisjoint((noun.lower(), f"{noun.lower()}s", noun.lower().removesuffix("s")))
    ]


def _sort_of(page: str, match: re.Match[str], noun: str) -> str | None:
    low = noun.lower()
    told = told_sort(page, match.start("noun"), match.end()) or sorts().get(low)
    return told or ("place" if low in sides() else None)


@lru_cache(maxsize=_CACHED)
def _is_lone_name(noun: str) -> bool:
    """Say whether a word of the language may name something, not who or when somebody is."""
    low = noun.lower()
    is_role = noun in TITLES or low in people()
    is_none = noun in CALENDAR or noun in COUNTED or noun in PEOPLES or noun in FUNCTION_WORDS
    return is_word(low) and not (is_role or is_none or read_numeral(noun) is not None)


def stands_out(page: str, start: int, end: int) -> bool:
    """Say whether a phrase is all that is set apart by marks: "**Velvet Tide** is a dye"."""
    start -= page[max(0, start - 1) : start] in _QUOTES
    end += page[end : end + 1] in _QUOTES
    return page[max(0, start - 1) : start] == MARK == page[end : end + 1]


def _goes_on(page: str, end: int) -> bool:
    """Say whether a sentence goes on behind a phrase, and marks: a word in lower case follows."""
    behind = page[end : end + _MARGIN].lstrip(MARK)
    return behind[:1] == " " and behind[1:2].islower()


def _start(page: str, match: re.Match[str]) -> int:
    """Return where a phrase begins that stands inside a sentence, or its end if none does.

    What opens the sentence is no part of it: "None of the Royal Hunters".
    """
    starts = (match.start(), *(joined.end() for joined in _JOINS.finditer(match[0])))
    if is_inside(page, starts[0]):
        return starts[0]
    article, _, phrase = match[0].partition(" ")
    if article.lower() in definite() and " " in phrase:
        return match.start() + len(article) + 1
    if told_sort(page, match.end(), match.end()) is not None:
        return match.start()
    return next((match.start() + start for start in starts[1:]), match.end())


@lru_cache(maxsize=_CACHED)
def type_of_head(phrase: str) -> str | None:
    """Return the type that the noun at the head of a phrase tells: of people, or of a group.

    Behind what may be a given name, such a noun is a surname: "Odile Hunter".
    """
    head = _JOINS.split(phrase, 1)[0].rpartition(" ")[2].lower()
    if not opens_commonly(phrase):
        return None
    if head in beings():
        return "person"
    return "faction" if head.endswith("s") and head[:-1] in beings() else None


@lru_cache(maxsize=1)
def _players() -> frozenset[str]:
    return frozenset().union(*(language.words.players for language in LANGUAGES))


def is_inside(page: str, start: int) -> bool:
    """Say whether a place is behind a word in lower case, or behind a comma and such a word.

    Behind a comma and a quotation mark, somebody begins to speak.
    """
    left = page[max(0, start - _MARGIN) : start]
    before = left.rstrip(_OPENING)
    if not before.endswith(" "):
        return False
    words = before.split(None)[-1:]
    word = words[0].strip(_OPENING) if words else ""
    is_quoted = len(before) < len(left.rstrip(MARK))
    return word[:1].islower() and (word[-1].isalpha() or (word[-1] in _GOES_ON and not is_quoted))


def opens_commonly(phrase: str) -> bool:
    """Say whether a phrase begins with a word of the language that is no title or given name."""
    first = _POSSESSIVE.sub("", phrase.partition(" ")[0])
    low = first.lower()
    return is_word(low) and first not in TITLES and low not in GIVEN_NAMES_AND_WORDS


@lru_cache(maxsize=_CACHED)
def _is_name(phrase: str) -> bool:
    """Say whether a phrase may be a name; a page asks of most of its phrases several times."""
    words = [word for word in phrase.split(" ") if not word.islower()]
    if not 1 < len(words) <= _MOST or phrase.isupper() or any(map(str.isdigit, phrase)):
        return False
    if phrase.casefold() in _players():
        return False
    if any(len(word) == 1 or word in FUNCTION_WORDS or word in CALENDAR for word in words):
        return False
    return not (_is_numbered(words[0], words[1]) or _is_numbered(words[-1], words[-2]))


def _is_numbered(word: str, other: str) -> bool:
    """Say whether two words count parts of a text or a time: "Chapter Two", "Fifth Year"."""
    return any(
        read_numeral(number) is not None
        and (one in COUNTED or any(one.casefold() in found for found in _numbered()))
        for one, number in ((word, other), (other, word))
    )


def _numbered() -> Iterator[Mapping[str, str]]:
    return (language.words.numbered for language in LANGUAGES)

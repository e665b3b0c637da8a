"""What the words beside a name tell of its bearer, in any of the languages.

Odile nodded.   said Odile       somebody does that
Odile waited.                    or may well do
Odile is a baker.                or is that
Odile's eyes    his wife, Odile  or has that, or is that to somebody
Captain Odile                    or is called that
into Vantry                      a place is where somebody goes or is
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..english import ACTS, ARTICLES, PAST_TENSES
from ..languages import LANGUAGES
from .words import TITLES

_REACH: Final = 32
_NEXT: Final = re.compile(r" ([^\W\d_]+)")
_OWNED: Final = re.compile(r"['’]s ([^\W\d_]+)")
_BEFORE: Final = re.compile(r"(?<![^\W\d_])([^\W\d_]++)[,\"”»]*+ \Z")
_BEHIND: Final = re.compile(r"['’\-]")
_OPENS: Final = re.compile(r"(?:\A|[\n.,!?;—]) ?\Z")
_APOSTROPHES: Final = "'’"
_STOPS: Final = (".", ",", ";", "!", "?")
_NO_VERBS: Final = ("ss", "us", "is")
_FEW: Final = 5


def tells_of_person(page: str, start: int, end: int) -> float:
    """Return how surely the words beside a name tell that it is a person's, from 0 to 1.

    A verb at whose subject a sentence begins tells half: things may do so too.
    """
    if _is_somebodys(page, start, end) or _is_somebody(page, end):
        return 1.0
    return 0.5 if _opens_with_verb(page, start, end) else 0.0


def _is_somebodys(page: str, start: int, end: int) -> bool:
    following, owned = _NEXT.match(page, end), _OWNED.match(page, end)
    before = _BEFORE.search(page, max(0, start - _REACH), start)
    last = before[1] if before is not None else ""
    return (
        (following is not None and (following[1] in ACTS or following[1] in _saying()))
        or (owned is not None and (owned[1] in _people() or owned[1] in _body()))
        or last in _people()
        or last in _saying()
        or page[start:end].partition(" ")[0].rstrip(".") in TITLES
    )


def _is_somebody(page: str, end: int) -> bool:
    """Say whether a name is said to be that of a kind of person: "Odile is an old baker"."""
    told = _NEXT.match(page, end)
    if told is None or told[1] not in _being():
        return False
    article, *described = page[told.end() : told.end() + _REACH].split()[:_FEW] or [""]
    if article not in ARTICLES:
        return False
    for word in described:
        if word.strip(".,;!?") in beings():
            return True
        if not word.isalpha():
            break
    return False


def _opens_with_verb(page: str, start: int, end: int) -> bool:
    """Say whether a name opens a clause, and a verb follows in the past, or alone."""
    verb = _NEXT.match(page, end)
    if verb is None or not _OPENS.search(page, max(0, start - 3), start):
        return False
    word, alone = verb[1], page[verb.end() : verb.end() + 1] in _STOPS
    is_past = word in PAST_TENSES or (word.endswith("ed") and len(word) > len("need"))
    return is_past or (alone and word[-1] == "s" and word[-2:] not in _NO_VERBS)


def tells_of_place(page: str, start: int, end: int) -> bool:
    """Say whether the word before a name tells that it is a place's."""
    before = _BEFORE.search(page, max(0, start - _REACH), start)
    return before is not None and before[1].lower() in _inside() and not _BEHIND.match(page, end)


def stands_bare(page: str, start: int) -> bool:
    """Say whether neither a preposition nor an elided word stands before a name."""
    if page[max(0, start - 1) : start] in _APOSTROPHES:
        return start == 0
    before = _BEFORE.search(page, max(0, start - _REACH), start)
    return before is None or before[1].lower() not in _prepositions()


@lru_cache(maxsize=1)
def _prepositions() -> frozenset[str]:
    words = (language.words for language in LANGUAGES)
    return frozenset().union(*(one.prepositions | one.of for one in words))


@lru_cache(maxsize=1)
def _saying() -> frozenset[str]:
    words = (language.words for language in LANGUAGES)
    return frozenset().union(*(one.saying - one.function_words for one in words))


@lru_cache(maxsize=1)
def _body() -> frozenset[str]:
    return frozenset().union(*(language.words.body for language in LANGUAGES))


@lru_cache(maxsize=1)
def _people() -> frozenset[str]:
    return frozenset().union(*(language.words.people for language in LANGUAGES))


@lru_cache(maxsize=1)
def _inside() -> frozenset[str]:
    return frozenset().union(*(language.words.inside for language in LANGUAGES))


@lru_cache(maxsize=1)
def _being() -> frozenset[str]:
    return frozenset().union(*(language.words.being for language in LANGUAGES))


@lru_cache(maxsize=1)
def beings() -> frozenset[str]:
    """Return the nouns of all languages for kinds of people."""
    sorts = (language.words.sorts for language in LANGUAGES)
    return frozenset(noun for one in sorts for noun, sort in one.items() if sort == "person")

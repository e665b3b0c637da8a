"""What the words beside a name tell of its bearer, in any of the languages.

Odile nodded.   said Odile       somebody does that
Odile waited.                    or may well do
Odile is a baker.                or is that
Odile's eyes    his wife, Odile  or has that, or is that to somebody
Captain Odile                    or is called that
into Vantry                      a place is where somebody goes or is
the city of Vantry               or what has a noun for one before it
la rue Vantry
the merchant Odile               anybody is what she is called by
a village called Vantry          anything is what has its name
Vantry is a village              or is said to be
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from writeros_entities import MARK

from ..english import ACTS, ARTICLES, PAST_TENSES
from ..languages import LANGUAGES
from .words import TITLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
_SHORT: Final = 3
_WIDE: Final = 64
"""Characters of a sentence that may say what has a name."""

_BROKEN: Final = re.compile(r"[.!?;:()\n]")
_APPOSED: Final = re.compile(r", (?=[^\W\d_])|['\"”»*_]*+ ")
_ENDS_PHRASE: Final = re.compile(r"[,.;:!?()\n—]")
_OPENING: Final = " \"“‘«'*_" + MARK


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
        or (owned is not None and (owned[1] in people() or owned[1] in _body()))
        or last in people()
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
    if before is None or before[0] != f"{before[1]} ":
        return False
    return before[1].lower() in _inside() and not _BEHIND.match(page, end)


def told_sort(page: str, start: int, end: int) -> str | None:
    """Return the sort of what the words beside a name say that it is the name of."""
    before = _BROKEN.split(page[max(0, start - _WIDE) : start])[-1].rstrip(_OPENING)
    return _sort_before(before.casefold().replace("’", " ").split()) or _sort_behind(page, end)


def is_called(page: str, start: int) -> bool:
    """Say whether the words before a name give it to what was named by a noun."""
    before = _BROKEN.split(page[max(0, start - _WIDE) : start])[-1].rstrip(_OPENING)
    return _calling(before.casefold().split()) > 0


def _calling(words: Sequence[str]) -> int:
    """Return how many words before a name are needed to call something by it, 0 if none are."""
    article = int(bool(words) and words[-1] in definite())
    last = len(words) - article
    found = (n for n in range(1, 6) if n <= last and " ".join(words[last - n : last]) in _called())
    length = max(found, default=0)
    return length and length + article


def _sort_before(words: Sequence[str]) -> str | None:
    """Return the sort that a noun before a name tells: "the city of", "a village called"."""
    calling = _calling(words)
    if calling:
        nouns = words[: len(words) - calling][-_FEW:]
        return next(filter(None, map(sorts().get, reversed(nouns))), None)
    if len(words) > 1 and words[-1] in _of() and words[-2] in _regions():
        return sorts().get(words[-2], "place")
    if len(words) > 1 and words[-2] in _determining() and words[-1] in beings():
        return "person"
    return apposing().get(words[-1]) if words else None


def _sort_behind(page: str, end: int) -> str | None:
    """Return the sort that what follows a name tells: "is an old village", ", a village"."""
    gap = _APPOSED.match(page, end)
    if gap is None:
        return None
    start = gap.end() + 1  # it may be a dash
    phrase = _ENDS_PHRASE.split(page[start : start + _WIDE])[0]
    words = (page[gap.end() : start] + phrase).casefold().split()
    if page[gap.start()] != ",":
        if not words or words[0] not in _being():
            return None
        is_said_by, *words = words
        for being, nouns in _without_articles():
            if is_said_by in being:
                return next(filter(None, map(nouns.get, words[:_SHORT])), None)
    if not words or words[0] not in _indefinite():
        return None
    told = []
    for word in words[1 : _FEW + 1]:
        if word in _prepositions() or word in _relative():
            break
        told.append(sorts().get(word))
    last = told[-1] if told else None
    return last or next(filter(None, told), None)


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
def people() -> frozenset[str]:
    """Return the nouns of all languages for people: "mother", "king"."""
    return frozenset().union(*(language.words.people for language in LANGUAGES))


@lru_cache(maxsize=1)
def _inside() -> frozenset[str]:
    return frozenset().union(*(language.words.inside for language in LANGUAGES))


@lru_cache(maxsize=1)
def sides() -> frozenset[str]:
    """Return the words of all languages for where something lies: "north"."""
    return frozenset().union(*(language.words.sides for language in LANGUAGES))


@lru_cache(maxsize=1)
def apposing() -> Mapping[str, str]:
    """Return the sorts that nouns right before a name tell, in languages where they may do so.

    In English, what was left out may begin there: "the house Odile built".
    """
    tables = [language.words for language in LANGUAGES if language.code != "en"]
    told = {
        form: sort
        for words in reversed(tables)
        for noun, sort in words.sorts.items()
        for form in (*words.cases(noun), noun)
    }
    english = [language.words.sorts for language in LANGUAGES if language.code == "en"]
    return {noun: told[noun] for noun in told.keys() - frozenset().union(*english)}


@lru_cache(maxsize=1)
def _being() -> frozenset[str]:
    return frozenset().union(*(language.words.being for language in LANGUAGES))


@lru_cache(maxsize=1)
def beings() -> frozenset[str]:
    """Return the nouns of all languages for kinds of people."""
    sorts = (language.words.sorts for language in LANGUAGES)
    return frozenset(noun for one in sorts for noun, sort in one.items() if sort == "person")


@lru_cache(maxsize=1)
def sorts() -> Mapping[str, str]:
    """Return the sorts that the nouns of all languages tell; those of the first language win."""
    tables = [language.words.sorts for language in LANGUAGES]
    return {noun: sort for table in reversed(tables) for noun, sort in table.items()}


@lru_cache(maxsize=1)
def _without_articles() -> Sequence[tuple[frozenset[str], Mapping[str, str]]]:
    """Return what stands for "is" in each language that has no articles, and its nouns' sorts."""
    told = [language.words for language in LANGUAGES]
    return [(one.being, one.sorts) for one in told if one.sorts and not one.articles]


@lru_cache(maxsize=1)
def _called() -> frozenset[str]:
    return frozenset().union(*(language.words.calling for language in LANGUAGES))


@lru_cache(maxsize=1)
def _regions() -> frozenset[str]:
    return frozenset().union(*(language.words.regions for language in LANGUAGES))


@lru_cache(maxsize=1)
def _of() -> frozenset[str]:
    return frozenset().union(*(language.words.of for language in LANGUAGES))


@lru_cache(maxsize=1)
def _relative() -> frozenset[str]:
    return frozenset().union(*(language.words.relative_pronouns for language in LANGUAGES))


@lru_cache(maxsize=1)
def _indefinite() -> frozenset[str]:
    return frozenset().union(*(language.words.articles for language in LANGUAGES))


@lru_cache(maxsize=1)
def _determining() -> frozenset[str]:
    return definite() | _indefinite()


@lru_cache(maxsize=1)
def definite() -> frozenset[str]:
    """Return the definite articles of all languages."""
    return frozenset().union(*(language.words.definite for language in LANGUAGES))

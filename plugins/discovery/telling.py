"""What the words beside a name tell of its bearer, in any of the languages.

Odile nodded.   said Odile       somebody does that
Odile's eyes    his wife, Odile  or has that, or is that to somebody
Captain Odile                    or is called that
into Vantry                      a place is where somebody goes or is
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..english import ACTS
from ..languages import LANGUAGES
from .words import TITLES

_REACH: Final = 32
_NEXT: Final = re.compile(r" ([^\W\d_]+)")
_OWNED: Final = re.compile(r"['’]s ([^\W\d_]+)")
_BEFORE: Final = re.compile(r"([^\W\d_]+)[,\"”»]* \Z")
_BEHIND: Final = re.compile(r"['’\-]")


def tells_of_person(page: str, start: int, end: int) -> bool:
    """Say whether the words beside a name tell that it is a person's."""
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


def tells_of_place(page: str, start: int, end: int) -> bool:
    """Say whether the word before a name tells that it is a place's."""
    before = _BEFORE.search(page, max(0, start - _REACH), start)
    return before is not None and before[1].lower() in _inside() and not _BEHIND.match(page, end)


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

"""The words of all languages for what is numbered, and for the folders that hold it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from writeros_entities import RoleWords

from ..languages import LANGUAGES
from ..numerals import read_numeral


@cache
def role_words() -> RoleWords:
    """Return the words by which names tell the roles of notes."""
    words = [language.words for language in LANGUAGES]
    return RoleWords([one.note_roles for one in words], [one.numbered for one in words])


@cache
def labels(*counted: str) -> str:
    """Return a pattern for the words that count these things: `chapter`, `part`, `session`."""
    found = {
        re.escape(word)
        for language in LANGUAGES
        for word, what in language.words.numbered.items()
        if what in counted
    }
    return "|".join(sorted(found, key=lambda word: (-len(word), word)))


def read_number(text: str) -> int | None:
    """Read a number in digits, Roman numerals or words; None for anything else."""
    if text.isdecimal():
        return int(text)
    number = read_numeral(text)
    return number if number is not None else _numbers().get(text.casefold())


def read_month(text: str) -> int | None:
    """Read the name of a month; None for anything else."""
    return _months().get(text.casefold())


@cache
def _numbers() -> dict[str, int]:
    return _joined(language.words.numbers.items() for language in LANGUAGES)


@cache
def _months() -> dict[str, int]:
    return _joined(language.words.months.items() for language in LANGUAGES)


def _joined(tables: Iterable[Iterable[tuple[str, str]]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for table in tables:
        for word, number in table:
            found.setdefault(word, int(number))
    return found

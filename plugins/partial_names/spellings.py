"""Spelling variants of a name: without diacritics or full stops, with a nickname, with initials.

These are habits of spelling, and say nothing about who else may have the name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from ..english import ABBREVIATED_TITLES, TITLES_IN_FULL

_LETTERS: dict[str, str] = dict(
    zip(
        "ÆÐØÞßæðøþĐđĦħıŁłŒœ",
        ["Ae", "D", "O", "Th", "ss", "ae", "d", "o", "th", *"DdHhiLl", "Oe", "oe"],
        strict=True,
    )
)
"""Latin letters that are not composed of a plain letter and a mark, with their replacements."""

_SAINT = re.compile(r"\bSt\.? (?=[^\W\d_a-z])")
_ACRONYM = re.compile(r"(?:[A-Z]\.){2,}[A-Z]\.?")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})

_INITIALS = re.compile(r"(?:[^\W\d_]\. ?)+[^\W\d_]\.")
_GENERATIONS = {
    **dict.fromkeys(("jr", "junior"), ("Jr.", "Jr", "Junior")),
    **dict.fromkeys(("sr", "senior"), ("Sr.", "Sr", "Senior")),
}
_QUOTES = (('"', '"'), ("“", "”"), ("'", "'"))


def other_spellings(name: str) -> list[str]:
    """Return a name without diacritics, and with "St" for "St." or the reverse, where it differs.

    An umlaut may become two letters ("Mueller"); an acronym may lose its full stops ("S.H.I.E.").
    """
    if name.isascii() and "St" not in name and name[1:2] != ".":
        return []
    plain = _without_diacritics(name)
    saints = {_SAINT.sub(_other_saint, form) for form in (name, plain)}
    german = _without_diacritics(name.translate(_UMLAUTS))
    acronym = {name.replace(".", "")} if _ACRONYM.fullmatch(name) else set()
    return sorted(({plain, german} | saints | acronym) - {name})


def _other_saint(found: re.Match[str]) -> str:
    return "St " if found[0] == "St. " else "St. "


def _without_diacritics(name: str) -> str:
    """Replace Latin letters by plain ones: "Séraphine", "Naþan"."""
    return name if name.isascii() else "".join(map(_plain, name))


def _plain(letter: str) -> str:
    if letter.isascii() or letter in _LETTERS:
        return _LETTERS.get(letter, letter)
    base = unicodedata.normalize("NFD", letter)[0]
    return base if base.isascii() else letter


def initials(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the spellings of given names that are all initials: "J. R.", "J.R."."""
    written = " ".join(words)
    if not _INITIALS.fullmatch(written):
        return ()
    letters = written.replace(" ", "").rstrip(".").split(".")
    return (". ".join(letters) + ".", ".".join(letters) + ".")


def generations(byname: str) -> tuple[str, ...]:
    """Return the spellings of what tells a father from his son: "Jr.", "Junior"; () for others."""
    return _GENERATIONS.get(byname.rstrip(".").lower(), ())


@lru_cache(maxsize=1_024)
def title_spellings(title: str) -> tuple[str, ...]:
    """Return a title and its other spellings: "Captain", "Capt", "Capt."."""
    bare = title.rstrip(".")
    full = TITLES_IN_FULL.get(bare, bare)
    words = dict.fromkeys(
        (bare, full, *(short for short, of in TITLES_IN_FULL.items() if of == full))
    )
    return tuple(
        spelling
        for word in words
        for spelling in ((word, f"{word}.") if _may_have_dot(word) else (word,))
    )


def _may_have_dot(title: str) -> bool:
    return title.casefold() in ABBREVIATED_TITLES and not title.isupper()


def with_nickname(given: str, nickname: str, surname: str) -> Iterator[str]:
    """Yield a full name with a nickname in quotation marks: Jack "Mouse" Doyle."""
    for opening, closing in _QUOTES:
        yield f"{given} {opening}{nickname}{closing} {surname}"

"""Spelling variants of a name: without diacritics, with a nickname inside, with initials.

These are habits of spelling, and say nothing about who else may have the name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_LETTERS: dict[str, str] = dict(
    zip(
        "ÆÐØÞßæðøþĐđĦħıŁłŒœ",
        ["Ae", "D", "O", "Th", "ss", "ae", "d", "o", "th", *"DdHhiLl", "Oe", "oe"],
        strict=True,
    )
)
"""Latin letters that are not composed of a plain letter and a mark, with their replacements."""

_INITIALS = re.compile(r"(?:[^\W\d_]\. ?)+[^\W\d_]\.")
_QUOTES = (('"', '"'), ("“", "”"), ("'", "'"))


def without_diacritics(name: str) -> str:
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


def with_nickname(given: str, nickname: str, surname: str) -> Iterator[str]:
    """Yield a full name with a nickname in quotation marks: Jack "Mouse" Doyle."""
    for opening, closing in _QUOTES:
        yield f"{given} {opening}{nickname}{closing} {surname}"

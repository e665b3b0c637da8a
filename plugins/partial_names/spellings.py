"""Spelling variants of a name: without diacritics or full stops, with a nickname, with initials.

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

_SAINT = re.compile(r"\bSt\.? (?=[^\W\d_a-z])")
_ACRONYM = re.compile(r"(?:[A-Z]\.){3,}")
_INITIALS = re.compile(r"(?:[^\W\d_]\. ?)+[^\W\d_]\.")
_QUOTES = (('"', '"'), ("“", "”"), ("'", "'"))


def other_spellings(name: str) -> list[str]:
    """Return a name without diacritics, and with "St" for "St." or the reverse, where it differs.

    An acronym may also be without its full stops: "S.H.I.E.L.D.".
    """
    if name.isascii() and "St" not in name and name[1:2] != ".":
        return []
    plain = _without_diacritics(name)
    saints = {_SAINT.sub(_other_saint, form) for form in (name, plain)}
    acronym = {name.replace(".", "")} if _ACRONYM.fullmatch(name) else set()
    return sorted(({plain} | saints | acronym) - {name})


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


def with_nickname(given: str, nickname: str, surname: str) -> Iterator[str]:
    """Yield a full name with a nickname in quotation marks: Jack "Mouse" Doyle."""
    for opening, closing in _QUOTES:
        yield f"{given} {opening}{nickname}{closing} {surname}"

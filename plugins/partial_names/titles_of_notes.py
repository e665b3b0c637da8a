"""Read names as prose has them from titles of notes: "Wren, Tobias (elder)" is "Tobias Wren"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..english import ARTICLES, PARTICLES

_SUFFIX_IN_BRACKETS = re.compile(r"(?<!\s)\s*[(\[][^(\[)\]]*[)\]]\s*$")
_RANK_AFTER_COMMA = re.compile(r",\s+(?:the\s.*|(?:esq|phd|md)\.?)$", re.IGNORECASE)
_GENERATION = re.compile(r",(\s+(?:(?:jr|sr)\.?|junior|senior|[IVX]+))$", re.IGNORECASE)
_DESCRIPTION = re.compile(r"(?:[^\W\d_][\w'’-]*\s){1,3}of\s")
"""Matches what a person or thing is, behind the name: "Earl of Vane"."""

_ALSO = re.compile(r"(?<!\s)\s+(?:aka|a\.k\.a\.|alias)\s+(?=\S)")
_EPITHET = re.compile(r"(?:,\s+|\()[Tt]he\s+([^\W\d_a-z][^,()]*)")
_RANK = re.compile(r",\s+([^\W\d_a-z][\w'’-]*\s(?:[\w'’-]+\s){0,2}of\s[^,()]+)")

_BEFORE_NAMES = ARTICLES | PARTICLES
_LONGEST_INVERTED = 3
"""The most words that may stand behind the comma in the order of a catalogue."""


def in_prose(title: str, *, is_place: bool = False) -> str:
    """Return a name without a suffix that sets it apart, and in the order that prose has.

    Such suffixes are "(elder)", ", the elder" and ", Earl of Vane", and of a place its region:
    "Paris, Texas". A catalogue has "Wren, Tobias" and "Lantern, Order of the".
    """
    bare = _RANK_AFTER_COMMA.sub("", _SUFFIX_IN_BRACKETS.sub("", title)).strip()
    if generation := _GENERATION.search(bare):
        return in_prose(bare[: generation.start()]) + generation[1]
    name, comma, rest = bare.partition(", ")
    if not comma:
        return bare or title
    words = rest.split()
    if words[-1].casefold() in _BEFORE_NAMES:
        return f"{rest} {name}"
    if is_place or _DESCRIPTION.match(rest):
        return name
    is_name = all(word[:1].isupper() or word.casefold() in _BEFORE_NAMES for word in words)
    return f"{rest} {name}" if is_name and len(words) <= _LONGEST_INVERTED else bare


def other_names(title: str) -> tuple[str, Sequence[str]]:
    """Return a title without the other names in it, and these: "Tom Reed aka the Heron"."""
    first, *others = _ALSO.split(title)
    return first, others


def epithet(title: str) -> str:
    """Return what else a person is called by the title of the note: "the Rat", "the Earl of Vane".

    Returns "" if there is nothing with a capital behind the name.
    """
    found = _EPITHET.search(title) or _RANK.search(title)
    return f"the {found[1].strip()}" if found else ""

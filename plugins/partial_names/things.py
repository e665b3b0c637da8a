"""Derive shorter names of places, groups and ships, and the singular of what is several.

Isle of Skye                        Skye
Skye Isle, Skye (Isle)              Skye, Isle of Skye
The Royal Guild of Hunters          Royal Guild
The Great War & The Long Flight     The Great War, The Long Flight
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from writeros_entities import DerivedName

from ..english import COMMON_WORDS, GROUP_NOUNS
from ..word_lists import word_set

WITHOUT_KIND = 0.7
"""The weight of a place's name without the word for its kind: "Skye" for "Isle of Skye"."""
OTHER_ORDER = 0.9
"""The weight of a name and its kind in another order: "Isle of Skye" for "Skye Isle"."""
WITHOUT_OF = 0.6
JOINED = 0.7
FAMILY = 0.6
"""The weight of a family's name in the plural."""
PATRON = 0.6
"""The weight of a church's saint: "St. Anne's"."""
HEAD_NOUN = 0.5
"""The weight of the capitalised noun in a group's name: "the Bureau"."""
SINGULAR = 0.6
"""The weight of one of several: "Blood Mark" for "Blood Marks"."""
SHIP = 0.9
"""The weight of a ship's name without its prefix."""

_KIND = (
    "(?:Barony|City|County|Duchy|Empire|Isle|Island|Kingdom|Land|Planet|Port|Principality|Province"
    "|Realm|Republic|Town|Village|World)"
)
_NAME = r"[^\W\d_][^\W\d_]*(?:['’-][^\W\d_]+)*"
_REGION = re.compile(rf"{_KIND} of ({_NAME})")
_OF_KIND = re.compile(rf"({_NAME}) (?:({_KIND})|\(({_KIND})\))")
"""Matches a name before the word for its kind: "Skye Isle", "Skye (Isle)"."""

_HEAD = re.compile(r"((?:[^\W\d_a-z][^\W\d_]+ ){1,3}[^\W\d_a-z][^\W\d_]+) [Oo]f (?=\S)")
"""Matches several words before "of"."""

_JOINED = re.compile(r" & | and (?=[Tt]he )")
_PLANET = re.compile(r"Planet ([^\W\d_]+)")
_RIVER = re.compile(r"River ([^\W\d_]+)")
_CHURCH = re.compile(r"(St\.? [^\W\d_]+['’]s) \S")
_PLURAL = re.compile(r"(?:[^aiouys]|[^aiou]e)s$")
"""Matches what is rather a plural than a name: "Angels" in "City of Angels"."""

_FAMILY = re.compile(r"(?:House|Clan) ([^\W\d_]+)")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$")
_PREPOSITIONS = word_set("against for from in of without")

_SHIP_PREFIX = re.compile(r"[A-Z]{2,5} (?=[^\W\d_a-z])")
"""Matches a ship's prefix: "HMS", "ISV"."""


def of_place(name: str) -> Iterator[DerivedName]:
    """Yield the name of a region or planet without its kind, and other short names of a place."""
    region = _REGION.fullmatch(name) or _PLANET.fullmatch(name)
    if region and region[1][0].isupper() and not _is_word(region[1]):
        yield DerivedName(region[1], WITHOUT_KIND)
    yield from _of_kind(name)
    yield from without_of(name)
    if river := _RIVER.fullmatch(name):
        yield DerivedName(f"the {river[1]}", WITHOUT_KIND)
    if church := _CHURCH.match(name):
        yield DerivedName(church[1], PATRON)


def _of_kind(name: str) -> Iterator[DerivedName]:
    """Yield the other orders of a name and its kind, and the name alone."""
    found = _OF_KIND.fullmatch(name)
    if found and found[1][0].isupper() and not _is_word(found[1]):
        kind = found[2] or found[3]
        yield DerivedName(f"{kind} of {found[1]}", OTHER_ORDER)
        yield DerivedName(f"{found[1]} {kind}", OTHER_ORDER)
        yield DerivedName(found[1], WITHOUT_KIND)


def without_of(name: str) -> Iterator[DerivedName]:
    """Yield the words before "of", if they are several: "Great War" for "Great War of Vantry"."""
    if head := _HEAD.match(name):
        yield DerivedName(head[1], WITHOUT_OF)


def of_joined(name: str, *, may_be_words: bool) -> Iterator[DerivedName]:
    """Yield the names that a name joins by "&"; words alone only if they may be names."""
    parts = _JOINED.split(name)
    if len(parts) > 1 and all(
        part[:1].isupper() and (may_be_words or " " in part) for part in map(str.strip, parts)
    ):
        yield from (DerivedName(part.strip(), JOINED) for part in parts)


def of_group(name: str) -> Iterator[DerivedName]:
    """Yield a family's name in the plural, or the noun in a group's name: "Bureau of Tides"."""
    if family := _FAMILY.fullmatch(name):
        ending = "es" if _SIBILANT.search(family[1]) else "s"
        yield DerivedName(f"the {family[1]}{ending}", FAMILY)
        return
    yield from _of_kind(name)
    yield from without_of(name)
    words = name.split()
    behind = next((at for at, word in enumerate(words) if at and word.lower() in _PREPOSITIONS), 0)
    head = words[behind - 1]
    is_noun = behind > 0 or head.casefold() in GROUP_NOUNS
    if len(words) > 1 and is_noun and head.isalpha() and head.istitle():
        yield DerivedName(f"the {head}", HEAD_NOUN)


def of_vehicle(name: str) -> Iterator[DerivedName]:
    """Yield a ship's name without its prefix."""
    if prefix := _SHIP_PREFIX.match(name):
        yield DerivedName(name[prefix.end() :], SHIP)


def of_several(name: str) -> Iterator[DerivedName]:
    """Yield the singular of a name in the plural."""
    words = name.split()
    if _PLURAL.search(name) and words[-1].istitle() and _PREPOSITIONS.isdisjoint(words):
        singular = f"{name[:-3]}y" if name.endswith("ies") else name[:-1]
        yield DerivedName(singular, SINGULAR)


def _is_word(name: str) -> bool:
    return name.casefold() in COMMON_WORDS or _PLURAL.search(name) is not None

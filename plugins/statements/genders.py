"""The pronouns that a note uses for people: by a title ("Mrs. Vane"), or after their names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from writeros_entities import DecidedMention

from ..english import GENDER_OF_TITLE
from ..word_lists import word_set
from .pronouns import GENDERS

_FURTHEST = 160
"""The most characters from a name to a pronoun after it."""

_OWN_PRONOUN = re.compile(r"[^.!?;:\"“”\n]*?\b(he|his|him|she|her)\b")
"""Matches a pronoun after a name in the same sentence."""

WIVES = frozenset({"mrs", "lady", "madame", "mme", "frau", "señora", "signora"})
HUSBANDS = word_set(
    "adm admiral capt captain col colonel commander commodore doctor dr gen general herr inspector",
    "judge lieutenant lord lt maj major monsieur mr prof professor rev reverend sergeant señor",
    "signor",
)
"""Titles, folded and without a dot, of couples with one name: "Mr. and Mrs. Vane"."""

_KIN = {
    "f": "mother daughter sister wife aunt niece grandmother granddaughter widow bride heiress",
    "m": "father son brother husband uncle nephew grandfather grandson widower bridegroom",
}
_GENDER_OF_KIN = {word: gender for gender, words in _KIN.items() for word in words.split()}

_PRONOUN_OF = {"f": "she", "m": "he"}


def title_of(name: str) -> str:
    """Return the first word of a name, folded and without a dot: "mrs" for "Mrs. Vane"."""
    return name.partition(" ")[0].rstrip(".").lower()


def gender_of_kin(role: str) -> str | None:
    """Return the gender of a relative: "f" for "sister-in-law", None for "cousin"."""
    return _GENDER_OF_KIN.get(role.partition("-")[0])


def may_be_kin(role: str, name: str) -> bool:
    """Say whether a role fits the gender of a name: Miss Vane is nobody's brother-in-law."""
    gender = gender_of_kin(role)
    titled = GENDER_OF_TITLE.get(title_of(name))
    return gender is None or titled is None or gender == titled


@dataclass(frozen=True, slots=True)
class Genders:
    """The evidence of a note for each entity's gender: by a title, and by pronouns with offsets."""

    titled: Mapping[str, str]
    told: Mapping[str, Sequence[tuple[int, str]]]

    @classmethod
    def read(cls, prose: str, mentions: Sequence[DecidedMention]) -> Genders:
        """Collect the evidence for the entities mentioned in a note's prose."""
        titled: dict[str, str] = {}
        told: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for mention, following in zip_longest(mentions, mentions[1:]):
            gender = GENDER_OF_TITLE.get(title_of(mention.surface))
            if gender is not None:
                titled.setdefault(mention.entity, _PRONOUN_OF[gender])
            end = min(mention.end + _FURTHEST, len(prose))
            if following is not None:
                end = min(end, following.start)
            found = _OWN_PRONOUN.match(prose, mention.end, end)
            if found is not None:
                told[mention.entity].append((found.start(1), GENDERS[found[1]]))
        return cls(titled, told)

    def of(self, entity: str, besides: range = range(0)) -> str:
        """Return `he` or `she`, whichever is more frequent, or "" if unknown.

        Pronouns in the range `besides` are ignored: that is the sentence to be interpreted.
        """
        if entity in self.titled:
            return self.titled[entity]
        told = [gender for place, gender in self.told.get(entity, ()) if place not in besides]
        more = 2 * told.count("he") - len(told)
        return "he" if more > 0 else "she" if more < 0 else ""

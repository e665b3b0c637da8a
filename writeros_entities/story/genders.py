"""Guess which people of a story are "she" and which are "he".

    genders = guess_genders(people, scenes)
    genders.get(ann.id)                        # "f", "m", or None if unknown

The properties of a person's own note decide; else titles and kinship terms; else the pronouns that
follow her or his names, if at least two thirds of these agree.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from writeros_entities.properties import GENDER_KEYS, read_gender
from writeros_entities.values import Gender
from writeros_entities.values.story import gender_of

if TYPE_CHECKING:
    from writeros_entities.values.story import Scene, StoryEntity

Votes = defaultdict[str, Counter[Gender]]

_PRONOUN = re.compile(r"\b(she|her|hers|herself|he|him|his|himself)\b", re.IGNORECASE)
_OBJECT = re.compile(r"(?:him|her(?=\s*(?:[^\w\s]|\Z)))\b", re.IGNORECASE)
"""After a name, an object pronoun that mostly means another person: "Ann sat across from him"."""

_TITLES: dict[str, Gender] = {
    **dict.fromkeys(("mr", "lord", "sir", "king", "prince", "brother", "father", "uncle"), "m"),
    **dict.fromkeys(("master", "baron", "duke", "monsieur", "herr", "don"), "m"),
    **dict.fromkeys(("mrs", "miss", "ms", "lady", "queen", "princess", "sister", "aunt"), "f"),
    **dict.fromkeys(("mistress", "dame", "duchess", "madame", "mademoiselle", "mother"), "f"),
}
_ROLES: dict[str, Gender] = {
    **dict.fromkeys(("mother", "wife", "sister", "daughter", "grandmother", "aunt", "niece"), "f"),
    **dict.fromkeys(("father", "husband", "brother", "son", "grandfather", "uncle"), "m"),
    **dict.fromkeys(("nephew", "grandson"), "m"),
    "granddaughter": "f",
}
KIN_KEYS = frozenset(_ROLES)
"""Properties that name a relative and imply that person's gender: `mother`."""

_MOST = 2 / 3
"""The least share of the pronouns after somebody's names that must be of one gender.

A bare majority would decide for more people, but be wrong for more of them.
"""


def guess_genders(people: Iterable[StoryEntity], scenes: Iterable[Scene]) -> dict[str, Gender]:
    """Return the genders of people, by id; those of unknown gender are left out."""
    known = list(people)
    stated: Votes = defaultdict(Counter)
    given: Votes = defaultdict(Counter)
    told: Votes = defaultdict(Counter)
    _count_stated(known, stated)
    _count_given(known, given)
    persons = {person.id for person in known}
    for scene in scenes:
        _count_pronouns(scene, persons, told)
    genders = _decided(told, _MOST)
    genders.update(_decided(given, 0.5))
    genders.update(_decided(stated, 0.5))
    return genders


def _decided(votes: Votes, most: float) -> dict[str, Gender]:
    """Return the gender with more than half of a person's votes, and at least a share of `most`."""
    return {
        person: gender
        for person, found in votes.items()
        for gender, count in found.items()
        if count * 2 > found.total() and count >= most * found.total()
    }


def _count_stated(people: list[StoryEntity], votes: Votes) -> None:
    """Count the genders that people's own properties state."""
    for person in people:
        for one in person.properties:
            said = read_gender(one.value) if one.key in GENDER_KEYS else None
            if said:
                votes[person.id][said] += 1


def _count_given(people: list[StoryEntity], votes: Votes) -> None:
    """Count the genders that titles and the properties of relatives imply."""
    by_name = {person.name.casefold(): person.id for person in people}
    for person in people:
        for name in person.names:
            title = _TITLES.get(name.form.split()[0].rstrip(".").casefold())
            if title and name.kind in ("name", "alias"):
                votes[person.id][title] += 1
        for one in person.properties:
            other = by_name.get(one.value.casefold())
            if one.key in _ROLES and other:
                votes[other][_ROLES[one.key]] += 1


def _count_pronouns(scene: Scene, persons: set[str], votes: Votes) -> None:
    """Count the pronouns that follow names in the narration.

    The first pronoun after a name, before the next name in the sentence, counts 2. One more vote
    goes to a person named alone in a sentence, for the first pronoun after the name and for the
    first in each following sentence of the paragraph that has no name. In a section about a person,
    the first pronoun of a sentence without names is a vote for that person.
    """
    alone: str | None = None
    paragraph = -1
    for sentence in scene.sentences:
        named = [name for name in sentence.names if name.entity in persons and not name.is_spoken]
        if sentence.paragraph != paragraph:
            alone, paragraph = None, sentence.paragraph
        if named:
            is_alone = len({name.entity for name in named}) == 1 and not named[0].rivals
            alone = named[0].entity if is_alone else None
        elif scene.subject in persons:
            alone = scene.subject
        told = list(_PRONOUN.finditer(sentence.narration)) if alone or named else []
        if not told:
            continue
        ends = [*(name.start for name in named[1:]), len(sentence.narration)]
        spans = [(name.end, end) for name, end in zip(named, ends, strict=False)]
        if alone and (gender := _first_gender(told, named[0].end if named else 0, ends[-1])):
            votes[alone][gender] += 1
        for name, span in zip(named, spans, strict=False):
            if not name.rivals and (gender := _first_gender(told, *span)):
                votes[name.entity][gender] += 2


def _first_gender(pronouns: Iterable[re.Match[str]], start: int, end: int) -> Gender | None:
    """Return the gender of the first of a sentence's pronouns in a span; None if that is an object,
    which may be anybody.
    """
    inside = (one for one in pronouns if start <= one.start() and one.end() <= end)
    first = next(inside, None)
    if first is None or _OBJECT.match(first.string, first.start()):
        return None
    return gender_of(first[0])

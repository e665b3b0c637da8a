"""Which persons of a story are "she", and which are "he", as far as its words tell.

    genders = guess_genders(people, scenes)
    genders.get(ann.id)                        # "f", "m", or None where nothing tells

Titles, kinship and an explicit property count most; besides, every pronoun behind a name that
stands alone in its sentence is a vote. A tie tells nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from writeros_entities.properties import GENDER_KEYS, read_gender
from writeros_entities.story import gender_of
from writeros_entities.values import Gender

if TYPE_CHECKING:
    from writeros_entities.story import Scene, StoryEntity

Votes = Mapping[str, Counter[Gender]]

_PRONOUN = re.compile(r"\b(she|her|hers|herself|he|him|his|himself)\b", re.IGNORECASE)
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
"""Properties that name a relative whose gender they say: `mother`."""

_TITLE_WEIGHT = 3
_STATED_WEIGHT = 10 * _TITLE_WEIGHT


def guess_genders(people: Iterable[StoryEntity], scenes: Iterable[Scene]) -> dict[str, Gender]:
    """Return the genders of persons, by id, of those of whom their notes or the scenes tell."""
    votes: dict[str, Counter[Gender]] = defaultdict(Counter)
    known = list(people)
    _count_given(known, votes)
    persons = {person.id for person in known}
    for scene in scenes:
        _count_pronouns(scene, persons, votes)
    return {
        person: ranked[0][0]
        for person, found in votes.items()
        if (ranked := found.most_common()) and (len(ranked) == 1 or ranked[0][1] > ranked[1][1])
    }


def _count_given(people: list[StoryEntity], votes: Votes) -> None:
    """Count what names and properties say."""
    by_name = {person.name.casefold(): person.id for person in people}
    for person in people:
        for name in person.names:
            title = _TITLES.get(name.form.split()[0].rstrip(".").casefold())
            if title and name.kind in ("name", "alias"):
                votes[person.id][title] += _TITLE_WEIGHT
        for one in person.properties:
            other = by_name.get(one.value.casefold())
            if one.key in _ROLES and other:
                votes[other][_ROLES[one.key]] += _TITLE_WEIGHT
            said = read_gender(one.value) if one.key in GENDER_KEYS else None
            if said:
                votes[person.id][said] += _STATED_WEIGHT


def _count_pronouns(scene: Scene, persons: set[str], votes: Votes) -> None:
    """Count the pronouns behind a name that stands alone in its sentence."""
    alone: str | None = None
    paragraph = -1
    for sentence in scene.sentences:
        named = [name for name in sentence.names if name.entity in persons and not name.is_spoken]
        if sentence.paragraph != paragraph:
            alone, paragraph = None, sentence.paragraph
        if named:
            alone = named[0].entity if len({name.entity for name in named}) == 1 else None
            if named[0].rivals:
                alone = None
        elif scene.subject in persons:
            alone = scene.subject
        after = sentence.narration[named[0].end :] if named else sentence.narration
        pronoun = _PRONOUN.search(after)
        if alone and pronoun:
            votes[alone][gender_of(pronoun[0])] += 1

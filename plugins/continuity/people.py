"""Who "she" is: the person whom a pronoun means, as far as the words before it tell."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from writeros_entities import NamedSpan, Scene, Sentence, Story, StoryEntity

Gender = Literal["f", "m"]

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
_TITLE_WEIGHT = 3
_REACH = 8
_PARAGRAPHS = 3
"""How far back a name is looked for: sentences, and paragraphs of a dialogue."""


def gender_of(pronoun: str) -> Gender:
    """Return the gender of a pronoun."""
    return "f" if pronoun.casefold().startswith(("she", "her")) else "m"


class People:
    """The persons of a story: what they are called, whether he or she, and whom a pronoun means."""

    def __init__(self, story: Story) -> None:
        self.by_id: dict[str, StoryEntity] = {person.id: person for person in story.people}
        self._by_name = {person.name.casefold(): person.id for person in story.people}
        self.genders = self._guess(story)

    def sure(self, scene: Scene, name: NamedSpan) -> str | None:
        """Return whom a name means: of several who may be meant, the one in the scene's cast."""
        if not name.rivals:
            return name.entity
        cast = {*scene.cast, scene.viewpoint}
        present = [one for one in (name.entity, *name.rivals) if one in cast]
        return present[0] if len(present) == 1 else None

    @cached_property
    def elders(self) -> dict[str, str]:
        """Who "the old man" is, and "the old woman": the only one who is called Old something."""
        called = {
            person.id
            for person in self.by_id.values()
            for name in person.names
            if name.kind in ("name", "alias") and name.form.startswith(("Old ", "old "))
        }
        found: dict[str, str] = {}
        for gender, epithets in (("m", ("man", "gentleman")), ("f", ("woman", "lady"))):
            of_it = [person for person in sorted(called) if self.genders.get(person) == gender]
            if len(of_it) == 1:
                found |= dict.fromkeys(epithets, of_it[0])
        return found

    def names_in(self, sentence: Sentence) -> Iterator[NamedSpan]:
        """Yield the names of persons in a sentence."""
        return (name for name in sentence.names if name.entity in self.by_id)

    def meant(self, scene: Scene, index: int, offset: int, gender: Gender) -> str | None:
        """Return whom a pronoun at an offset of a scene's sentence means, or None.

        In a note about a person it is that person, unless of the other gender. Otherwise it is the
        nearest name before it that can be meant, in its paragraph or, in a dialogue, one shortly
        before; a name that may mean several people stands in the way.
        """
        subject = scene.subject
        if subject in self.by_id and self.genders.get(subject, gender) == gender:
            return subject
        here = scene.sentences[index]
        for sentence in reversed(scene.sentences[max(0, index - _REACH) : index + 1]):
            if here.paragraph - sentence.paragraph > _PARAGRAPHS:
                break
            for name in reversed(list(self.names_in(sentence))):
                if sentence is here and name.start >= offset:
                    continue
                known = self.genders.get(name.entity)
                if name.is_spoken or known not in (None, gender) or _owns(sentence, name):
                    continue
                return None if known is None else self.sure(scene, name)
        return None

    def _guess(self, story: Story) -> dict[str, Gender]:
        votes: dict[str, Counter[Gender]] = defaultdict(Counter)
        for person in self.by_id.values():
            for name in person.names:
                title = _TITLES.get(name.form.split()[0].rstrip(".").casefold())
                if title and name.kind in ("name", "alias"):
                    votes[person.id][title] += _TITLE_WEIGHT
            for one in person.properties:
                other = self._by_name.get(one.value.casefold())
                if one.key in _ROLES and other:
                    votes[other][_ROLES[one.key]] += _TITLE_WEIGHT
                if one.key in ("gender", "sex", "pronouns") and one.value:
                    is_female = one.value.casefold().startswith(("f", "she", "her", "w"))
                    votes[person.id]["f" if is_female else "m"] += 10 * _TITLE_WEIGHT
        for scene in (*story.scenes, *story.sections):
            self._count(scene, votes)
        return {
            person: ranked[0][0]
            for person, found in votes.items()
            if (ranked := found.most_common()) and (len(ranked) == 1 or ranked[0][1] > ranked[1][1])
        }

    def _count(self, scene: Scene, votes: dict[str, Counter[Gender]]) -> None:
        """Count the pronouns behind a name that stands alone in its sentence."""
        alone: str | None = None
        paragraph = -1
        for sentence in scene.sentences:
            named = [name for name in self.names_in(sentence) if not name.is_spoken]
            if sentence.paragraph != paragraph:
                alone, paragraph = None, sentence.paragraph
            if named:
                alone = named[0].entity if len({name.entity for name in named}) == 1 else None
                if named[0].rivals:
                    alone = None
            elif scene.subject in self.by_id:
                alone = scene.subject
            after = sentence.narration[named[0].end :] if named else sentence.narration
            pronoun = _PRONOUN.search(after)
            if alone and pronoun:
                votes[alone][gender_of(pronoun[0])] += 1


def _owns(sentence: Sentence, name: NamedSpan) -> bool:
    """Say whether a name stands in the genitive: "Isolde's brother" is somebody else."""
    return sentence.text[name.end : name.end + 2] in ("'s", "’s")

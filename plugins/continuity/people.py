"""Who "she" is: the person whom a pronoun means, as far as the words before it tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from writeros_entities import Gender, NamedSpan, Scene, Sentence, Story, StoryEntity

_REACH = 8
_PARAGRAPHS = 3
"""How far back a name is looked for: sentences, and paragraphs of a dialogue."""
_BESIDE = re.compile(r"\b(?:which|whom|whose|than) \Z")
"""Before a name of which a sentence speaks beside its matter: "of a sort that Ann admired"."""


class People:
    """The persons of a story: what they are called, whether he or she, and whom a pronoun means."""

    def __init__(self, story: Story) -> None:
        self.by_id: dict[str, StoryEntity] = {person.id: person for person in story.people}
        self.genders = {person.id: person.gender for person in story.people if person.gender}

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
        before; a name that may mean several people stands in the way, and so does a second one of
        the gender in the same sentence.
        """
        subject = scene.subject
        if subject in self.by_id and self.genders.get(subject, gender) == gender:
            return subject
        here = scene.sentences[index]
        for sentence in reversed(scene.sentences[max(0, index - _REACH) : index + 1]):
            if here.paragraph - sentence.paragraph > _PARAGRAPHS:
                break
            end = offset if sentence is here else len(sentence.text)
            able = [
                name
                for name in self.names_in(sentence)
                if name.start < end
                and not name.is_spoken
                and self.genders.get(name.entity) in (None, gender)
                and not _owns(sentence, name)
            ]
            if able:
                is_sure = len({name.entity for name in able}) == 1 and not _BESIDE.search(
                    sentence.text[: able[-1].start]
                )
                is_known = self.genders.get(able[-1].entity) is not None
                return scene.person_named(able[-1]) if is_sure and is_known else None
        return None


def _owns(sentence: Sentence, name: NamedSpan) -> bool:
    """Say whether a name stands in the genitive: "Isolde's brother" is somebody else."""
    return sentence.text[name.end : name.end + 2] in ("'s", "’s")

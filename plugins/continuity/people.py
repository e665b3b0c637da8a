"""Who "she" is: the person whom a pronoun means, as far as the words before it tell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from writeros_entities import Gender, NamedSpan, Scene, Sentence, Story, StoryEntity

_REACH = 8
_PARAGRAPHS = 3
"""How far back a name is looked for: sentences, and paragraphs of a dialogue."""


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
                return None if known is None else scene.person_named(name)
        return None


def _owns(sentence: Sentence, name: NamedSpan) -> bool:
    """Say whether a name stands in the genitive: "Isolde's brother" is somebody else."""
    return sentence.text[name.end : name.end + 2] in ("'s", "’s")

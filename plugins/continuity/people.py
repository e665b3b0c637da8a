"""Resolve pronouns to people, as far as the words before them show."""

from __future__ import annotations

import re
from collections.abc import Iterator

from writeros_entities import Gender, NamedSpan, Scene, Sentence, Story, StoryEntity

KIN = (
    "grandmother|grandfather|granddaughter|grandmama|grandpapa|grandparent|grandchild|grandson"
    "|brother|sister|sibling|daughter|husband|mother|father|parent|spouse|cousin|nephew|mamma"
    "|child|uncle|niece|mama|papa|twin|aunt|wife|son"
)
"""Nouns for kin, the longer first."""

_REACH = 8
_PARAGRAPHS = 3
"""How far back a name is searched for: in sentences, and in paragraphs of a dialogue."""
_BESIDE = re.compile(r"\b(?:which|whom|whose|than) \Z")
"""Matches before a name that is not the topic of its sentence: "of a sort that Ann admired"."""


class People:
    """The people of a story, their genders, and resolution of pronouns to them."""

    def __init__(self, story: Story) -> None:
        self.by_id: dict[str, StoryEntity] = {person.id: person for person in story.people}
        self.genders = {person.id: person.gender for person in story.people if person.gender}

    def names_in(self, sentence: Sentence) -> Iterator[NamedSpan]:
        """Yield the names of people in a sentence."""
        return (name for name in sentence.names if name.entity in self.by_id)

    def referent(self, scene: Scene, index: int, offset: int, gender: Gender) -> str | None:
        """Return the person to whom a pronoun at an offset of a scene's sentence refers, or None.

        In a note about a person it is that person, unless of the other gender. Otherwise it is the
        nearest preceding name of the gender, in the same paragraph or, in dialogue, in one shortly
        before. A name that may mean several people makes it uncertain, and so does a second person
        of the gender in the same sentence.
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
    """Say whether a name is in the genitive: "Isolde's brother" is somebody else."""
    return sentence.text[name.end : name.end + 2] in ("'s", "’s")

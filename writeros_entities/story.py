"""A vault as a reader knows it who has come to one place: what rules of continuity are given.

    for sentence in story.sentences_of(person.id):
        if sentence.position is not None and "laughed" in sentence.narration:
            yield Finding("laughs", f"{person.name} laughs.", (sentence.evidence,))

A story is a value: made from the index as of one reading position, complete, and without a way back
to what comes later. Texts are what a reader sees (the words of links, no marks, no comments);
`evidence` says where they stand in the file. Ids of entities are those of the index.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from writeros_entities.values import EntityStatus, Evidence, Gender, NameKind, SpeakerRule, Tense


@dataclass(frozen=True, slots=True)
class StoryName:
    """One form by which an entity is known.

    `visible_from` is where the manuscript first uses it (None: a note says so, from the start).
    """

    form: str
    kind: NameKind
    visible_from: int | None = None


@dataclass(frozen=True, slots=True)
class StoryProperty:
    """A value that the writer gave an entity: a property, or an inline field of its note.

    `key` is in lower case with dashes; a list gives one of these for each item.
    """

    key: str
    value: str
    evidence: Evidence


@dataclass(frozen=True)
class StoryEntity:
    """A person, place, faction or thing, by the name that the reader knows.

    `gender` is that of a person of whom names, properties or pronouns tell.
    """

    id: str
    name: str
    type: str
    status: EntityStatus
    names: tuple[StoryName, ...] = ()
    properties: tuple[StoryProperty, ...] = ()
    note_path: str | None = None
    first_position: int | None = None
    last_position: int | None = None
    is_personal: bool = False
    gender: Gender | None = None


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """Where a sentence names an entity, as offsets into `Sentence.text`.

    `rivals` are other entities that the span may name, without those that have the form only by
    derivation where `entity` has it by the writer's word ("Lady Marrow", if it is her alias).
    `is_spoken` says that it stands in speech.
    """

    start: int
    end: int
    surface: str
    entity: str
    rivals: tuple[str, ...] = ()
    is_spoken: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the narrator names the entity, and nobody else may be meant."""
        return not self.is_spoken and not self.rivals


@dataclass(frozen=True, slots=True)
class StoryLink:
    """A link to another note: its path, and where its words stand in `Sentence.text`."""

    start: int
    end: int
    path: str


@dataclass(frozen=True)
class Sentence:
    """A sentence, a table row or a list item as a reader sees it.

    `narration` is the text with blanks where somebody in the story speaks: offsets stay what they
    are. `paragraph` counts within the note; `links` are those to other notes, in order.
    """

    text: str
    narration: str
    evidence: Evidence
    position: int | None
    paragraph: int
    is_row: bool = False
    names: tuple[NamedSpan, ...] = ()
    links: tuple[StoryLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Speech:
    """What somebody says between two quotation marks, marks included, or as a script has it.

    It stands in the sentences `first` to `last` of its scene. `speaker` is None where the text does
    not make it certain who speaks; `rule` says what does: a `tag` ("said Ann"), a `beat` (Ann does
    something between her words), whose `turn` it is, or that it `goes on` from the paragraph
    before.
    """

    text: str
    paragraph: int
    first: int
    last: int
    speaker: str | None = None
    rule: SpeakerRule | None = None


@dataclass(frozen=True)
class Scene:
    """A stretch of a note: of the manuscript, a scene; of any other note, a section.

    Scenes of one note are parted by headings and by rules (`---`). `properties` are the note's and
    those of the section's own fields, as text by key; `cast`, `viewpoint` and `places` are the
    entities that they name, and `unmet` is what else they list as cast or viewpoint: nobody whom
    the reader has met. Without such a property, who says "I" below a heading that is her name has
    the viewpoint. `speeches` are what is said in it, in order. `tense` is that in which the
    narrator tells a scene of the manuscript; a section of another note has none.
    """

    path: str
    title: str
    heading: str
    ordinal: int
    position: int | None
    start: int
    end: int
    sentences: tuple[Sentence, ...]
    properties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cast: tuple[str, ...] = ()
    viewpoint: str | None = None
    places: tuple[str, ...] = ()
    subject: str | None = None
    speeches: tuple[Speech, ...] = ()
    tense: Tense | None = None
    unmet: tuple[str, ...] = ()

    def person_named(self, name: NamedSpan) -> str | None:
        """Return whom a name means: of several who may be meant, the one in the cast, or None."""
        if not name.rivals:
            return name.entity
        here = {*self.cast, self.viewpoint}
        present = [one for one in (name.entity, *name.rivals) if one in here]
        return present[0] if len(present) == 1 else None


@dataclass(frozen=True, slots=True)
class StoryRelation:
    """A relation that the vault states, by one piece of its evidence; there is one for each.

    `key` is the writer's own word for it there ("mother"). A status (`dead`) has its source as its
    target.
    """

    source: str
    target: str
    kind: str
    key: str
    position: int | None
    has_ended: bool
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class StoryChange:
    """A step in how an entity is told: a status, a relation, a name, as `entity_change` has it.

    `position` is where a reader learns of it (None: from the start).
    """

    entity: str
    kind: str
    previous: str | None
    new: str | None
    other: str | None
    position: int | None
    evidence: Evidence


@dataclass(frozen=True)
class Story:
    """All that a rule may look at, as of one reading position (None: the whole vault).

    `scenes` are the manuscript in reading order; `sections` all other notes, by path.
    """

    entities: Mapping[str, StoryEntity]
    scenes: tuple[Scene, ...] = ()
    sections: tuple[Scene, ...] = ()
    relations: tuple[StoryRelation, ...] = ()
    changes: tuple[StoryChange, ...] = ()
    as_of: int | None = None

    @property
    def people(self) -> list[StoryEntity]:
        """The entities that are persons."""
        return [entity for entity in self.entities.values() if entity.is_personal]

    def sentences(self) -> Iterator[Sentence]:
        """Yield every sentence: the manuscript's in reading order, then those of other notes."""
        for scene in (*self.scenes, *self.sections):
            yield from scene.sentences

    def sentences_of(self, entity: str) -> tuple[Sentence, ...]:
        """Return the sentences that name an entity, the manuscript's first."""
        return self._by_entity.get(entity, ())

    @cached_property
    def _by_entity(self) -> dict[str, tuple[Sentence, ...]]:
        found: dict[str, list[Sentence]] = defaultdict(list)
        for sentence in self.sentences():
            for entity in dict.fromkeys(name.entity for name in sentence.names):
                found[entity].append(sentence)
        return {entity: tuple(sentences) for entity, sentences in found.items()}


def gender_of(pronoun: str) -> Gender:
    """Return the gender of a pronoun: of "she" and "her", of "he" and "him"."""
    return "f" if pronoun.casefold().startswith(("she", "her")) else "m"

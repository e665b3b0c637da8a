"""The story of a vault as a reader at one position knows it: the input of continuity rules.

    for sentence in story.sentences_of(person.id):
        if sentence.position is not None and "laughed" in sentence.narration:
            yield Finding("laughs", f"{person.name} laughs.", (sentence.evidence,))

A story is a value: built from the index as of one reading position, complete, and without access to
anything later. Texts are as a reader sees them (the words of links, without formatting marks and
comments); `evidence` locates them in the file. Ids of entities are those of the index.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from writeros_entities.values import (
    HEADING_SEPARATOR,
    EntityStatus,
    Evidence,
    Gender,
    NameKind,
    PartyRole,
    SpeakerRule,
    Tense,
)
from writeros_entities.values.calendars import StoryDate
from writeros_entities.values.pages import Shown

if TYPE_CHECKING:
    from writeros_entities.language.dates import DateReader


@dataclass(frozen=True, slots=True)
class StoryName:
    """A form by which an entity is known.

    `visible_from` is the position where the manuscript first uses it (None: known from the start,
    by a note).
    """

    form: str
    kind: NameKind
    visible_from: int | None = None


@dataclass(frozen=True, slots=True)
class StoryProperty:
    """A value that the writer gave an entity: a property, or an inline field of its note.

    `key` is in lower case with dashes; each item of a list is a property of its own.
    """

    key: str
    value: str
    evidence: Evidence


@dataclass(frozen=True)
class StoryEntity:
    """A person, place, faction or thing, by the name that the reader knows.

    `gender` is that of a person if names, properties or pronouns show it.
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
    """A span that names an entity in a sentence, as offsets into `Sentence.text`.

    `rivals` are other entities that the span may name. If `entity` has the form by the writer's
    word ("Lady Marrow", as her alias), entities that have it only by derivation are left out.
    `is_spoken` is set in direct speech.
    """

    start: int
    end: int
    surface: str
    entity: str
    rivals: tuple[str, ...] = ()
    is_spoken: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the narrator uses the name, and it cannot mean anybody else."""
        return not self.is_spoken and not self.rivals


@dataclass(frozen=True, slots=True)
class StoryLink:
    """A link to another note: its path, and the span of the link's words in `Sentence.text`."""

    start: int
    end: int
    path: str


@dataclass(frozen=True, slots=True)
class StoryEvent:
    """What a sentence says has happened: its verb, what it changes, and who takes part.

    `is_earlier` is set if it happened before what is told there ("had gone").
    """

    verb: str
    kind: str
    parts: tuple[tuple[PartyRole, str], ...]
    is_earlier: bool = False

    def has(self, entity: str, *roles: PartyRole) -> bool:
        """Say whether an entity takes part in one of some roles."""
        return any(role in roles and one == entity for role, one in self.parts)


@dataclass(frozen=True)
class Sentence:
    """A sentence, a table row or a list item as a reader sees it.

    `narration` is the text with direct speech blanked out, at the same offsets. `paragraph` counts
    within the note; `links` are those to other notes, in order. `events` are those that a parser
    has read, in order. The text is that of its paragraph, as it is `shown`, from the index `first`
    on.
    """

    text: str
    narration: str
    evidence: Evidence
    position: int | None
    paragraph: int
    is_row: bool = False
    names: tuple[NamedSpan, ...] = ()
    links: tuple[StoryLink, ...] = ()
    shown: Shown | None = field(default=None, compare=False, repr=False)
    first: int = field(default=0, compare=False, repr=False)
    events: tuple[StoryEvent, ...] = ()

    def place(self, index: int) -> int:
        """Return where in the file a character of the text stands."""
        return index if self.shown is None else self.shown.offset(self.first + index)


@dataclass(frozen=True, slots=True)
class SceneTime:
    """When a scene takes place: its story date, where that is told, and how sure it is (0-1)."""

    date: StoryDate
    reason: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Speech:
    """A piece of direct speech with its quotation marks, or a line of dialogue in a script.

    It stands in the sentences `first` to `last` of its scene, from `start` to `end` in the file.
    `speaker` is None if that is nobody known, or not certain enough. `rule` says how the speaker
    was found: by a `tag` ("said Ann"), a `beat` (Ann acts between her words), whose `turn` it is,
    or because the speech `goes on` from the paragraph before. `is_narrators` is set for words of
    the first-person narrator of whom no name is known, `is_to_narrator` for those said to her.
    """

    text: str
    paragraph: int
    first: int
    last: int
    speaker: str | None = None
    rule: SpeakerRule | None = None
    start: int = 0
    end: int = 0
    confidence: float = 0.0
    addressee: str | None = None
    is_narrators: bool = False
    is_to_narrator: bool = False


@dataclass(frozen=True)
class Scene:
    """A part of a note: a scene of the manuscript, or a section of another note.

    The scenes of a note are separated by headings and rules (`---`). `properties` are those of the
    note and the section's own inline fields, as text by key. `cast`, `viewpoint` and `places` are
    the entities that these name; `unmet` has the other values given for cast or viewpoint, which
    name nobody whom the reader has met. Without such a property, the viewpoint of a scene told by
    an "I" is the person named in its heading, or else the only one whose note says `role:
    narrator`. `subject` is the entity on whose note this is. `speeches` are in order. `tense` is
    that of the narration in a scene of the manuscript, None in other notes. `time` is when a scene
    of the manuscript takes place, if it is told.
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
    time: SceneTime | None = None

    @property
    def headings(self) -> list[str]:
        """The headings above the scene, the outermost first; `heading` is these, joined."""
        return self.heading.split(HEADING_SEPARATOR) if self.heading else []

    def person_named(self, name: NamedSpan) -> str | None:
        """Return the entity that a name means; among rivals, the only one in the cast, or None."""
        if not name.rivals:
            return name.entity
        here = {*self.cast, self.viewpoint}
        present = [one for one in (name.entity, *name.rivals) if one in here]
        return present[0] if len(present) == 1 else None


@dataclass(frozen=True, slots=True)
class StoryRelation:
    """A relation that the vault states, with one piece of its evidence; there is one for each.

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
    """A change of an entity: its status, a relation or a name, as in the table `entity_change`.

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
    """All that a continuity rule may see, as of one reading position (None: the whole vault).

    `scenes` are the manuscript in reading order; `sections` are all other notes, by path. `dates`
    reads dates as the vault's main language writes them.
    """

    entities: Mapping[str, StoryEntity]
    scenes: tuple[Scene, ...] = ()
    sections: tuple[Scene, ...] = ()
    relations: tuple[StoryRelation, ...] = ()
    changes: tuple[StoryChange, ...] = ()
    as_of: int | None = None
    dates: DateReader | None = field(default=None, repr=False, compare=False)

    @property
    def people(self) -> list[StoryEntity]:
        """The entities of personal types."""
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
    """Return the gender of a pronoun: "f" for "she" and "her", "m" for "he" and "him"."""
    return "f" if pronoun.casefold().startswith(("she", "her")) else "m"

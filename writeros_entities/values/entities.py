"""Entities and what is said of them: types, relation kinds, names, mentions and statements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from writeros_entities.values.notes import ALWAYS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from writeros_entities.values.notes import JSON

NameKind = Literal["name", "alias", "link_text", "derived", "surface_form"]

EntityStatus = Literal["noted", "linked", "known", "suggested"]

Gender = Literal["f", "m"]
"""The gender that pronouns give somebody."""

Tense = Literal["past", "present"]
"""The tense in which a scene is told."""

SpeakerRule = Literal["tag", "beat", "turn", "goes on"]


@dataclass(frozen=True, slots=True)
class EntityType:
    """A type of entity: its words in frontmatter and tags, and the folders that hold such notes.

    `personal` types have given names and surnames, from which partial names are derived.
    """

    name: str
    plural: str
    synonyms: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    personal: bool = False


@dataclass(frozen=True, slots=True)
class RelationKind:
    """A kind of relation between entities.

    `inverse` is its name read from the target; `domain` and `range` are the usual types of its
    source and target (empty: any); `text` and `inverse_text` state it in a sentence ("rules", "is
    ruled by").

    Further words of writers: `roles` are nouns for its source ("mother" for `parent_of`),
    `inverse_roles` for its target ("daughter"). As a key, a role names the other end (`mother::
    [[Ann]]`); followed by "of", the note itself (`mother of:: [[Ben]]`). `keys` are words that read
    from the note to the link ("resides in"), `inverse_keys` those that read from the link to the
    note ("inhabitants").

    `ends` are the kinds that it ends between the same two entities; `source_status` and
    `target_status` are the status that it gives an end (`dead`). `functional` kinds have one target
    for each source: one is born in one place. `one_way` kinds never hold in both directions
    between the same two entities: no child is its parent's parent.
    """

    name: str
    inverse: str | None = None
    symmetric: bool = False
    domain: tuple[str, ...] = ()
    range: tuple[str, ...] = ()
    text: str = ""
    inverse_text: str = ""
    roles: tuple[str, ...] = ()
    inverse_roles: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    inverse_keys: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    source_status: str | None = None
    target_status: str | None = None
    functional: bool = False
    one_way: bool = False


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity of a knowledge base, with its canonical id.

    `forms` match in any case; `exact_forms` only as written, for names that are also words. So does
    `name`, if it is not among the forms.
    """

    id: str
    name: str
    type: str
    forms: tuple[str, ...] = ()
    exact_forms: tuple[str, ...] = ()
    description: str = ""


SURE_TYPE = 0.6
"""How sure the type of a proposed name must be in a note outside the manuscript."""

TOLD_TYPE = 1.0
"""How sure it is if words beside the name tell it."""


@dataclass(frozen=True, slots=True)
class ProposedName:
    """A name that a note uses often or clearly enough to become an entity without a note.

    It becomes one once the notes of the vault together contain `needed` spans of it. `heading` is
    set if a section of the note has this name: with the headings above, as `Section.path` has them.
    `type_confidence` is how surely the note shows the `type`; what is less than `SURE_TYPE` counts
    in the manuscript, where most who are named are people, or if several notes agree.
    """

    name: str
    type: str | None
    count: int
    needed: int
    confidence: float
    heading: str | None = None
    type_confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class DerivedName:
    """A weaker name derived from a full one: "Miss Bennet" from "Elizabeth Bennet".

    `weight`, in 0-1, is how likely the form alone means that entity.
    """

    form: str
    weight: float


@dataclass(frozen=True, slots=True)
class Name:
    """A form by which the lexicon knows an entity.

    `entity` is the entity's id; `known_from` is the reading position from which the vault connects
    form and entity (`ALWAYS` if a reference note does); `exact` forms match only in the case in
    which they are written. `weight` is in 0-1.
    """

    form: str
    entity: str
    kind: NameKind
    weight: float = 1.0
    known_from: int | None = ALWAYS
    exact: bool = False


@dataclass(frozen=True, slots=True)
class LexiconEntity:
    """What a detector may know of an entity: its identity, not its content.

    `heading` is set if a section of the note is about it, with the headings above.
    """

    id: str
    name: str
    type: str
    status: EntityStatus
    note_path: str | None = None
    heading: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a span may name: the matching form, and its score by that alone.

    `entity` is its id in the lexicon, not its name; `method` is the detector's own word for how it
    was found; `known_from` is the position from which the form is its name.
    """

    entity: str
    score: float
    method: str
    form: str = ""
    known_from: int | None = ALWAYS
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of a note that names an entity: the surface form, and the entities it may name."""

    start: int
    end: int
    surface: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """What a linker adds to a candidate's score, and why."""

    entity: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of a note, with a confidence in 0-1."""

    name: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """The proof of a statement: a quoted span of a note as stored.

    `line` counts from 1; `position` is the note's reading position.
    """

    path: str
    start: int
    end: int
    quote: str
    line: int = 1
    heading: str = ""
    position: int | None = None


@dataclass(frozen=True, slots=True)
class DecidedMention:
    """A span of a note and the entity that it names, at least at some reading positions.

    At other positions it may name another entity, or be part of a longer name.
    """

    start: int
    end: int
    surface: str
    entity: str
    type: str


@dataclass(frozen=True, slots=True)
class InferredRelation:
    """A relation that a span of a note states between two of its mentions.

    Without a target, `kind` is a status of the source (`dead`). `start` and `end` span the words
    that state it, `key` names the rule that found it, `confidence` is in 0-1. `has_ended` is set if
    the words say that the relation is over.
    """

    source: DecidedMention
    kind: str
    target: DecidedMention | None
    start: int
    end: int
    confidence: float
    key: str = ""
    has_ended: bool = False


PartyRole = Literal["doer", "done to", "to", "with", "at"]
"""What somebody is to an event: who does it, to whom it is done, to or with whom, or where."""


class Party(NamedTuple):
    """Who or what takes part in an event, and how sure that is, in 0-1."""

    mention: DecidedMention
    role: PartyRole
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """Something that happens by the plain words of a note.

    `start` and `end` span the verb, `verb` is its dictionary form, and `kind` what it changes
    (`moves`), or "". `parties` are those of the note's mentions that take part. `is_earlier` is set
    if it happened before what is told there ("had gone").
    """

    start: int
    end: int
    verb: str
    parties: tuple[Party, ...]
    kind: str = ""
    is_earlier: bool = False


FindingSeverity = Literal["error", "warning", "hint"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A possible continuity fault: a message, and the conflicting quotes.

    `code` identifies the kind of fault within a rule (`birth-years`). `confidence`, in 0-1, is how
    likely the writer would call it a fault; `severity` is how much it would matter: `error` for two
    statements that exclude each other, `warning` for what a reader may stumble over, `hint` for a
    loose end. `about` has the ids of the entities concerned. `words` are the words to which a
    waiver applies, by default the quotes.
    """

    code: str
    message: str
    evidence: tuple[Evidence, ...]
    confidence: float = 0.5
    about: tuple[str, ...] = ()
    severity: FindingSeverity = "warning"
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An entity as a relation model sees it.

    `key` identifies it across trainings: the canonical id of a knowledge base, or the key by which
    the vault knows it. `vector` is that of its text, if there is one.
    """

    key: str
    name: str
    type: str
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, eq=False)
class Facts:
    """The training data of a relation model: triples (head, relation, tail) of numbers, (n, 3).

    Heads and tails are indexes into `endpoints`, relations into `relations`. Relations in
    `symmetric` hold in both directions and are stored once. `text_model` is the identity of the
    model that made the vectors.
    """

    endpoints: tuple[Endpoint, ...]
    relations: tuple[str, ...]
    triples: NDArray[np.int64]
    symmetric: frozenset[str] = frozenset()
    text_model: str | None = None

    def mirrored(self) -> NDArray[np.int64]:
        """Return the triples, with those of symmetric relations in both directions."""
        turned = [at for at, name in enumerate(self.relations) if name in self.symmetric]
        import numpy as np

        among = self.triples[np.isin(self.triples[:, 1], turned)]
        joined: NDArray[np.int64] = np.concatenate([self.triples, among[:, ::-1]])
        return np.unique(joined, axis=0)


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A trained relation model: its serialised weights, and an evaluation.

    `report` is made by `triples.assessment`: how held-out triples were ranked and classified,
    compared with the baselines, and the calibrator fitted to them. `endpoints` are the entities
    with which the ends of a triple are compared; `facts` are those of the report, from which rules
    are mined. The endpoints of `facts` are the same, and its relations are the first that the
    weights know.
    """

    weights: bytes
    report: Mapping[str, JSON]
    endpoints: tuple[Endpoint, ...] = ()
    facts: Facts | None = None

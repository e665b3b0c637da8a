"""Who and what is spoken of: types and kinds, names, mentions, and what is stated of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Literal

from writeros_entities.values.notes import ALWAYS

NameKind = Literal["name", "alias", "link_text", "derived", "surface_form"]

EntityStatus = Literal["noted", "linked", "known", "suggested"]

Gender = Literal["f", "m"]

Tense = Literal["past", "present"]

SpeakerRule = Literal["tag", "beat", "turn", "goes on"]


@dataclass(frozen=True, slots=True)
class EntityType:
    """A kind of entity: how it is written in frontmatter and tags, and which folders hold it.

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

    `inverse` reads the edge from its other end; `domain` and `range` are the types of entity that
    its two ends usually have (empty: any); `text` and `inverse_text` are how a sentence says it
    ("rules", "is ruled by").

    The words that writers use for it: `roles` are nouns for who stands at its source ("mother" of
    `parent_of`), `inverse_roles` for who stands at its target ("daughter"); as a key, a role names
    the other end (`mother:: [[Ann]]`), followed by "of" the note itself (`mother of:: [[Ben]]`).
    `keys` are further words that read from the note to the link ("resides in"), `inverse_keys`
    those that read from the link to the note ("inhabitants").

    `ends` are kinds that it puts an end to between the same two; `source_status` and
    `target_status` what becomes of an end by it (`dead`). `functional` kinds have one target for
    each source: one is born in one place.
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


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity of a knowledge base, by canonical id.

    `forms` match in any case; `exact_forms` only as written, for names that are also words.
    """

    id: str
    name: str
    type: str
    forms: tuple[str, ...] = ()
    exact_forms: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class ProposedName:
    """A name that a note uses often enough, or plainly enough, to be an entity without a note.

    It becomes one once the vault's notes together hold `needed` spans of it.
    """

    name: str
    type: str | None
    count: int
    needed: int
    confidence: float


@dataclass(frozen=True, slots=True)
class DerivedName:
    """A weaker name that follows from a full one: "Miss Bennet" from "Elizabeth Bennet".

    `weight`, in 0-1, is how sure a bare use of it is to mean that entity.
    """

    form: str
    weight: float


@dataclass(frozen=True, slots=True)
class Name:
    """One form by which the lexicon knows one entity.

    `entity` is the entity's id; `known_from` the reading position before which the vault does
    not yet connect form and entity (`ALWAYS` for what reference notes say); `exact` forms match
    only in the case they are written in. `weight` is in 0-1.
    """

    form: str
    entity: str
    kind: NameKind
    weight: float = 1.0
    known_from: int | None = ALWAYS
    exact: bool = False

    def __reduce__(self) -> tuple[type[Name], tuple[object, ...]]:
        """Pickle as a call: a lexicon has very many, and goes to every worker of a sync."""
        return Name, _parts_of_name(self)


_parts_of_name = attrgetter(*(one.name for one in fields(Name)))


@dataclass(frozen=True, slots=True)
class LexiconEntity:
    """What a detector may know of an entity: identity, not content."""

    id: str
    name: str
    type: str
    status: EntityStatus
    note_path: str | None = None


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Every name that the vault knows, and the entities behind them.

    Compared and hashed by identity, so that a plugin can keep what it builds from one (an
    automaton) in a `WeakKeyDictionary`.
    """

    names: tuple[Name, ...] = ()
    entities: Mapping[str, LexiconEntity] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a span may name: the form that matched, and how sure that alone makes it.

    `entity` is its id in the lexicon, not its name; `method` is the detector's own word for how it
    was found; `known_from` is the position from which that form is its name.
    """

    entity: str
    score: float
    method: str
    form: str = ""
    known_from: int | None = ALWAYS
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of a note that names an entity: the surface as written, and who it may be."""

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
    """What a note is about, with a confidence in 0-1."""

    name: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """The proof of a statement: a span of a note as stored, quoted.

    `line` counts from 1; `position` is the note's place in reading order.
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
    """A span of a note and the one entity that it names, at some reading positions at least.

    At other positions it may name another one, or be part of a longer name.
    """

    start: int
    end: int
    surface: str
    entity: str
    type: str


@dataclass(frozen=True, slots=True)
class InferredRelation:
    """A relation that a span of a note states between two of its mentions.

    Without a target, `kind` is what becomes of the source alone (`dead`). `start` and `end` span
    the words that say it, `key` names the rule that found it, `confidence` is in 0-1. `has_ended`
    marks what the words say is over.
    """

    source: DecidedMention
    kind: str
    target: DecidedMention | None
    start: int
    end: int
    confidence: float
    key: str = ""
    has_ended: bool = False


FindingSeverity = Literal["error", "warning", "hint"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A possible continuity fault: what it says, and the quotes that clash.

    `code` tells apart what one rule finds (`birth-years`); `confidence`, in 0-1, is how sure it is
    that the writer would call it a fault, `severity` how much it would matter: two statements that
    exclude each other are an `error`, what a reader may stumble over a `warning`, a loose end a
    `hint`. `about` are the ids of the entities concerned. `words` are what a waiver stands for,
    where that is not all of the quotes.
    """

    code: str
    message: str
    evidence: tuple[Evidence, ...]
    confidence: float = 0.5
    about: tuple[str, ...] = ()
    severity: FindingSeverity = "warning"
    words: tuple[str, ...] = ()

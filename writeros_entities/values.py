"""The values that cross borders: between vault and store, framework and plugins.

Every value is frozen and complete once built; none of them knows the database, the disk or a
plugin. Offsets are code points into the file as stored (byte-order mark and carriage returns
included); a span is half-open, so `note.text[start:end]` is what it names.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

HIDDEN = "\0"
"""Stands in `Note.prose` for a character that is not prose; a name never spans it."""

MARK = "\x01"
"""Stands in `Note.prose` for a formatting mark inside prose; a name may span it."""

LARGEST_POSITION = 2**31 - 1
"""No reading position is larger."""

ALWAYS = -LARGEST_POSITION - 1
"""The reading position of what is visible from before the first page."""

HEADING_SEPARATOR = " › "
"""Stands between the headings of a chunk's heading path."""

LinkKind = Literal["wikilink", "embed", "markdown", "frontmatter", "canvas"]
NAME_ALONE = "name"
"""Kept as a link of this kind: what a property may name without one."""

FileKind = Literal["note", "template", "excluded", "conflict", "canvas", "attachment"]
BlockKind = Literal[
    "frontmatter",
    "heading",
    "paragraph",
    "list",
    "quote",
    "callout",
    "table",
    "code",
    "math",
    "html",
    "comment",
    "rule",
]
NameKind = Literal["name", "alias", "link_text", "derived", "surface_form"]
EntityStatus = Literal["noted", "linked", "known", "suggested"]
Gender = Literal["f", "m"]
Tense = Literal["past", "present"]
SpeakerRule = Literal["tag", "beat", "turn", "goes on"]
ContextTier = Literal["primary_source", "relationships", "mentions"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something about a note or a folder that its writer would want to know.

    `code` is stable and machine-readable (`broken-frontmatter`); `line` counts from 1.
    """

    code: str
    message: str
    line: int | None = None

    def as_json(self) -> dict[str, JSON]:
        """Return the diagnostic as the index keeps it."""
        return {"code": self.code, "message": self.message, "line": self.line}


@dataclass(frozen=True, slots=True)
class Heading:
    """An ATX or setext heading: its level (1-6), its plain text, and the span of its lines."""

    level: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the note's body, in order; blocks never overlap and `start` is a line start."""

    kind: BlockKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """A link as written. `target` is the path part alone; an empty one means this same note.

    `start`/`end` span `raw` in the file; `text_start`/`text_end` span what a reader sees of it
    (equal where a reader sees nothing: an embed, a link in frontmatter). `field` is the
    frontmatter key path (`related.0`) or the Dataview key that the link stands under. `heading`
    keeps the hierarchy as written (`A#B`).
    """

    kind: LinkKind
    raw: str
    target: str
    start: int
    end: int
    heading: str | None = None
    block: str | None = None
    display: str | None = None
    text_start: int = 0
    text_end: int = 0
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag without its `#`, spelled as written; `start`/`end` are 0 for one in frontmatter."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PropertyText:
    """A text in the frontmatter: its key path (`allies.0`), its value, and where that stands."""

    path: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class InlineField:
    """A Dataview field: canonical key (lower case, dashes), and its value's text and span."""

    key: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BlockId:
    """A block identifier (`^id`, without the caret) and the span of the block it names."""

    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Callout:
    """A callout: lower-case type, title as written, fold mark, and the span of the whole quote."""

    type: str
    title: str
    fold: Literal["", "+", "-"]
    start: int
    end: int


@dataclass(frozen=True)
class Note:
    """One `.md` file, parsed.

    `text` is the decoded file, `prose` a string of the same length in which all that is not
    prose is blanked: code, comments, queries, template commands, link targets, frontmatter by
    `HIDDEN`; formatting marks inside prose by `MARK`. A detector reads `prose`, so that its
    offsets are the file's.
    """

    path: str
    title: str
    text: str
    prose: str
    content_hash: str
    frontmatter: Mapping[str, JSON]
    property_texts: tuple[PropertyText, ...] = ()
    aliases: tuple[str, ...] = ()
    body_start: int = 0
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()
    links: tuple[Link, ...] = ()
    tags: tuple[Tag, ...] = ()
    fields: tuple[InlineField, ...] = ()
    block_ids: tuple[BlockId, ...] = ()
    callouts: tuple[Callout, ...] = ()
    comments: tuple[Span, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset at which each line begins."""
        starts = [0]
        position = self.text.find("\n")
        while position != -1:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return tuple(starts)

    def locate(self, offset: int) -> tuple[int, int]:
        """Return the line and column, both counted from 1, of an offset."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    @property
    def name(self) -> str:
        """The file's name without folders and extension: what a wikilink calls it."""
        return self.path.rpartition("/")[2].removesuffix(".md")

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders above the note, outermost first."""
        return tuple(self.path.split("/")[:-1])


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """Where a chunk lies in its note, how many tokens it holds, and the headings above it."""

    start: int
    end: int
    tokens: int
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderClaim:
    """What a note says of reading order.

    `key` is the note's own place (`(7,)` for chapter 7, `(2, 1)` for part 2, chapter 1).
    `sequence` is what an index note (Longform) says of others: their names in order, looked up
    below `folder`. `book` is what counts before the key, or the sequence, where the numbers begin
    anew: those of the folders that the note lies in. `source` names what made the claim, for
    diagnostics.
    """

    source: str
    key: tuple[int, ...] = ()
    sequence: tuple[str, ...] = ()
    folder: str = ""
    book: tuple[int, ...] = ()


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
    """An entity that a span may name: the form that matched, and how sure that alone makes it."""

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


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An entity as a relation model sees it.

    `key` identifies it from one training to the next: the canonical id of a knowledge base, or what
    the vault knows it by. `vector` is that of its text, where there is one.
    """

    key: str
    name: str
    type: str
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, eq=False)
class Facts:
    """What a relation model learns from: triples of numbers, (n, 3): head, relation, tail.

    Heads and tails count `endpoints`, relations `relations`; those in `symmetric` hold in both
    directions and stand once. `text_model` is the identity of the model that made the vectors.
    """

    endpoints: tuple[Endpoint, ...]
    relations: tuple[str, ...]
    triples: NDArray[np.int64]
    symmetric: frozenset[str] = frozenset()
    text_model: str | None = None

    def mirrored(self) -> NDArray[np.int64]:
        """Return the triples, and those of symmetric relations turned round as well."""
        turned = [at for at, name in enumerate(self.relations) if name in self.symmetric]
        import numpy as np

        among = self.triples[np.isin(self.triples[:, 1], turned)]
        joined: NDArray[np.int64] = np.concatenate([self.triples, among[:, ::-1]])
        return np.unique(joined, axis=0)


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A trained relation model: its weights as a file, and what it was found to be worth.

    `report` is as `triples.assessment` makes it: how held-out triples were told apart and ranked,
    beside the baselines, and the calibrator fitted to them. `endpoints` are the entities among
    which a triple is weighed; `facts` those that the report is about, from which rules speak for
    others. Their endpoints are the same, and their relations the first that the weights know.
    """

    weights: bytes
    report: Mapping[str, JSON]
    endpoints: tuple[Endpoint, ...] = ()
    facts: Facts | None = None


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


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A chunk as priority strategies see it: numbers, and no text.

    `usage_count` is how much the vault rests on it: mentions of any entity in it, and pieces of
    evidence. `changed_at` is when its file was saved, in seconds since 1970 (None under `as_of`,
    since that tells of later writing). `position` is its place in reading order, None outside the
    manuscript. `score` is its relevance to the query, in 0-1; `mentions` are those of the entity
    that the prompt is about.
    """

    id: int
    tokens: int
    usage_count: int
    changed_at: float | None
    position: int | None
    score: float = 0.0
    mentions: int = 0


@dataclass(frozen=True, slots=True)
class ContextPassage:
    """A chunk that may enter a prompt: its text, and what it is there for.

    `text` is the chunk's as stored, with `HIDDEN` for the author's comments; `spans` are offsets
    into it of what it is there for: mentions of the entity, or evidence of a relation. `entity` is
    the place of that entity among those asked for. Passages of one `group` say nearly the same.
    """

    chunk: RankedChunk
    tier: ContextTier
    entity: int
    text: str
    spans: tuple[Span, ...]
    group: int

    def whole(self) -> ContextPiece:
        """Return all of the passage."""
        return ContextPiece(self, 0, len(self.text))


@dataclass(frozen=True, slots=True)
class ContextPiece:
    """The part `[start, end)` of a passage's text, as it enters a prompt."""

    passage: ContextPassage
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ContextTask:
    """What a context builder is given.

    `passages` come in order: entity by entity, tier by tier, best first. `shares` say which part of
    the budget each entity deserves; they sum to 1. `measure` counts the tokens of pieces as they
    would be rendered together, with their headers, by the counter that was asked for.
    """

    passages: tuple[ContextPassage, ...]
    shares: tuple[float, ...]
    budget: int
    measure: Callable[[Sequence[ContextPiece]], int]


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """What one sync did to the index; `revision` is the index's own, after it."""

    revision: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()
    redetected: int = 0
    diagnostics: Sequence[tuple[str, Diagnostic]] = ()
    seconds: float = 0.0

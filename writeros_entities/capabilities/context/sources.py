"""Read what the index has for a prompt about some entities, with two statements.

    sources = load_sources(view, ids)              # which chunks concern them: numbers only
    texts = load_texts(view, chunk_ids, ids, ...)  # the texts of those that may be needed

A context takes four statements in all: these, the one that finds the entities
(`resolution.resolve_entities`), and the one that reads the index's revision. Searching
by a query for relevance takes more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    BindParameter,
    Float,
    Integer,
    String,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal,
    or_,
    select,
    union_all,
)

from writeros_entities.language.marks import Part
from writeros_entities.store import rows
from writeros_entities.store.columns import in_own_text, is_one_of
from writeros_entities.store.rows import Query, Statement
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.asserted import ASSERTED, STATUS
from writeros_entities.values import Span

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Label, ScalarSelect, Subquery

    from writeros_entities.arrays import Vector
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View

MENTIONS, EVIDENCE, OWN_NOTE, BESIDE = "mentions", "evidence", "own note", "beside"

_IDS: BindParameter[Any] = bindparam("entity_ids", expanding=True)
_NANOSECONDS = 1e9

_LIST_MARKS = ("- ", "* ", "+ ", "|", "  - ", "    - ", "\t- ")
"""What a line of a list or table begins with."""


@dataclass(frozen=True, slots=True)
class Source:
    """One reason why a chunk belongs in a prompt about an entity, and the chunk's figures.

    `reason` is `mentions` (`number` counts them); `evidence` (of the relation `relation_id` of
    `strength` to `other`, in `[start, end)` of the file); `own note`; or `beside`: in the
    manuscript, directly before or after a chunk that mentions the entity, where it may appear as
    "he" or "the old man". `is_list` marks a chunk outside the manuscript that holds properties, or
    mostly list items or rows of a table.
    """

    reason: str
    entity_id: int
    chunk_id: int
    number: int
    kind: str
    is_inverse: bool
    other: str
    strength: float
    start: int
    end: int
    relation_id: int
    note_id: int
    ordinal: int
    tokens: int
    content_hash: str
    path: str
    position: int | None
    changed_at: float | None
    is_list: bool


@dataclass(frozen=True, slots=True, eq=False)
class ChunkText:
    """A chunk's text and location, its mentions as (entity id, span), and its vector or None."""

    id: int
    path: str
    heading: str
    position: int | None
    line: int
    start: int
    end: int
    text: str
    mentions: tuple[tuple[int, Span], ...]
    vector: Vector | None
    sections: str | None
    marks: bytes | None

    @property
    def part(self) -> Part:
        """The chunk as a part of its note."""
        return Part(self.text, self.start, self.marks)


def load_sources(view: View, entity_ids: Collection[int]) -> list[Source]:
    """Return the reasons for which chunks belong in a prompt about these entities.

    They are in reading order: the manuscript first, then other notes by path.
    """
    found = [_as_source(view, row) for row in view.all(_sources(view), entity_ids=[*entity_ids])]
    return sorted(found, key=_place)


def load_texts(
    view: View, chunk_ids: Sequence[int], entity_ids: Collection[int], model: str | None
) -> dict[int, ChunkText]:
    """Return chunks by id, with their vectors by the model of this identity."""
    if not chunk_ids:
        return {}
    found = view.all(
        _texts(view), chunk_ids=[*chunk_ids], entity_ids=[*entity_ids], model=model or ""
    )
    return {
        row.id: ChunkText(
            *(row.id, row.path, row.heading, row.position, row.line, row.start, row.end, row.text),
            _read_spans(row.spans),
            row.vector,
            row.sections,
            row.marks,
        )
        for row in found
    }


def _place(source: Source) -> tuple[Any, ...]:
    """Return a sort key: reading order, then the fields that make the order total."""
    return (
        *(source.position is None, source.position or 0, source.path, source.ordinal),
        *(source.start, source.end, source.reason, source.kind, source.is_inverse, source.other),
    )


def _as_source(view: View, row: Row) -> Source:
    changed_at = row.mtime_ns / _NANOSECONDS if view.as_of is None else None
    return Source(
        *(row.reason, row.entity_id, row.chunk_id, row.number, row.kind, bool(row.is_inverse)),
        *(row.other or "", row.strength, row.first, row.last, row.relation_id),
        *(row.note_id, row.ordinal, row.tokens, row.content_hash, row.path, row.position),
        changed_at,
        bool(row.is_list),
    )


def _read_spans(listed: str | None) -> tuple[tuple[int, Span], ...]:
    spans = (map(int, one.split(":")) for one in (listed or "").split())
    return tuple(sorted((entity_id, Span(start, end)) for entity_id, start, end in spans))


@prepared
def _sources(scope: Scope) -> Query:
    chunk, note = scope.chunk, scope.note
    evidence_arms = (_evidence(scope, is_inverse=turned) for turned in (False, True))
    arms = (_mentions(scope), _beside(scope), *evidence_arms, _own_notes(scope))
    found = union_all(*arms).subquery("found")
    is_list = and_(note.c.position.is_(None), or_(chunk.c.ordinal < 0, _lists(chunk.c.text)))
    return (
        select(
            found,
            *(chunk.c.note_id, chunk.c.ordinal, chunk.c.tokens, chunk.c.content_hash),
            *(note.c.path, note.c.position, note.c.mtime_ns),
            case((is_list, 1), else_=0).label("is_list"),
        )
        .join(chunk, chunk.c.id == found.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
    )


def _lists(text: ColumnElement[str]) -> ColumnElement[bool]:
    """Return whether most lines of a text are list items or rows of a table."""
    text = literal("\n") + text
    items = [_count(text, f"\n{mark}") for mark in _LIST_MARKS]
    lines = _count(text, "\n") - _count(text, "\n\n")
    return 2 * sum(items[1:], items[0]) > lines


def _count(text: ColumnElement[str], part: str) -> ColumnElement[int]:
    return (func.length(text) - func.length(func.replace(text, part, ""))) // len(part)


def _mentions(scope: Scope) -> Statement:
    mention = scope.mention
    return (
        select(
            *_row(MENTIONS, mention.c.entity_id, mention.c.chunk_id, func.count()),
            *_no_relation(),
        )
        .where(mention.c.entity_id.in_(_IDS))
        .group_by(mention.c.entity_id, mention.c.chunk_id)
    )


def _beside(scope: Scope) -> Statement:
    mention, note = scope.mention, scope.note
    told, beside = scope.chunk.alias("told"), scope.chunk.alias("beside")
    return (
        select(*_row(BESIDE, mention.c.entity_id, beside.c.id, literal(0)), *_no_relation())
        .join(told, told.c.id == mention.c.chunk_id)
        .join(note, note.c.id == told.c.note_id)
        .join(
            beside,
            and_(
                beside.c.note_id == told.c.note_id,
                or_(beside.c.ordinal == told.c.ordinal - 1, beside.c.ordinal == told.c.ordinal + 1),
            ),
        )
        .where(mention.c.entity_id.in_(_IDS), note.c.position.is_not(None))
        .distinct()
    )


def _own_notes(scope: Scope) -> Statement:
    entity, chunk = scope.entity, scope.chunk
    return (
        select(*_row(OWN_NOTE, entity.c.id, chunk.c.id, literal(0)), *_no_relation())
        .join(chunk, in_own_text(entity, chunk))
        .where(entity.c.id.in_(_IDS))
    )


def _evidence(scope: Scope, *, is_inverse: bool) -> Statement:
    """Select the evidence of relations from the entities, or to them if `is_inverse`."""
    own = rows.relation.c
    if is_inverse:
        asked = own.target_id.in_(_IDS), own.origin == ASSERTED
    else:
        asked = own.source_id.in_(_IDS), own.origin.in_([ASSERTED, STATUS])
    relation = scope.relations(*asked).subquery("touching")
    evidence, entity = scope.evidence, scope.entity
    strength = 1.0 - (1.0 - relation.c.confidence) / relation.c.evidence_count
    ends = relation.c.source_id, relation.c.target_id
    entity_id, other_id = reversed(ends) if is_inverse else ends
    return (
        select(
            *_row(EVIDENCE, entity_id, evidence.c.chunk_id, literal(1)),
            relation.c.kind.label("kind"),
            literal(int(is_inverse)).label("is_inverse"),
            case(
                (relation.c.origin == STATUS, literal("")),
                else_=func.coalesce(
                    _name(scope, entity, own=True), _name(scope, entity, own=False), entity.c.name
                ),
            ).label("other"),
            cast(strength, Float).label("strength"),
            evidence.c.start.label("first"),
            evidence.c.end.label("last"),
            relation.c.id.label("relation_id"),
        )
        .join(evidence, evidence.c.relation_id == relation.c.id)
        .join(entity, entity.c.id == other_id)
        .where(evidence.c.chunk_id.is_not(None))
    )


def _row(
    reason: str,
    entity_id: ColumnElement[int],
    chunk_id: ColumnElement[int],
    number: ColumnElement[int],
) -> list[Label[Any]]:
    return [
        literal(reason).label("reason"),
        entity_id.label("entity_id"),
        chunk_id.label("chunk_id"),
        cast(number, Integer).label("number"),
    ]


def _no_relation() -> list[Label[Any]]:
    return [
        literal("").label("kind"),
        literal(0).label("is_inverse"),
        literal("").label("other"),
        cast(literal(0.0), Float).label("strength"),
        literal(0).label("first"),
        literal(0).label("last"),
        literal(0).label("relation_id"),
    ]


def _name(scope: Scope, entity: Subquery, *, own: bool) -> ScalarSelect[Any]:
    """Return one visible name: the entity's own if `own`, else the one met first."""
    alias = scope.alias
    statement = select(alias.c.form).where(alias.c.entity_id == entity.c.id)
    if own:
        statement = statement.where(alias.c.form == entity.c.name)
    ordered = statement.order_by(alias.c.visible_from, alias.c.weight.desc(), alias.c.form)
    return ordered.limit(1).scalar_subquery()


@prepared
def _texts(scope: Scope) -> Query:
    chunk, note, mention, embedding = scope.chunk, scope.note, scope.mention, scope.embedding
    page = scope.page
    parts = (cast(part, String) for part in (mention.c.entity_id, mention.c.start, mention.c.end))
    entity_id, start, end = parts
    spans = (
        select(func.aggregate_strings(entity_id + ":" + start + ":" + end, " "))
        .where(mention.c.chunk_id == chunk.c.id, mention.c.entity_id.in_(_IDS))
        .scalar_subquery()
    )
    columns = (chunk.c.id, chunk.c.heading, chunk.c.line, chunk.c.start, chunk.c.end, chunk.c.text)
    return (
        select(*columns, chunk.c.sections, note.c.path, note.c.position, spans.label("spans"))
        .add_columns(embedding.c.vector, page.c.marks)
        .join(note, note.c.id == chunk.c.note_id)
        .outerjoin(page, page.c.note_id == note.c.id)
        .outerjoin(
            embedding,
            and_(
                embedding.c.model == bindparam("model"),
                embedding.c.content_hash == chunk.c.content_hash,
            ),
        )
        .where(is_one_of(chunk.c.id, "chunk_ids"))
    )

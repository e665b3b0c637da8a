"""Asserted relations and their evidence, as of a view's reading position.

    relations = load_relations(view)
    proofs = evidence_of(view, [relation.id for relation in relations], limit=3)
    proofs[relations[0].id][0].quote

What a relation is worth follows from the evidence that may be seen: its confidence is that of the
surest piece, its strength `1 - (1 - confidence) / n` for `n` pieces, so that saying a thing twice
halves what is missing to 1.

When relations are over, as intervals of reading positions, as of a view's own.

A relation is over from where the text says so, or replaces it by another, until it begins again. A
relation of which the vault states only that it is over, without any position, is over throughout.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sqlalchemy import BindParameter, bindparam, case, func, or_, select

from writeros_entities.store import rows
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.rows import Query, Statement
from writeros_entities.store.scope import VAULT_ID, Scope, prepared
from writeros_entities.values import ALWAYS
from writeros_entities.vault.comments import without_comments
from writeros_entities.vault.headings import heading_at

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

    from writeros_entities.graph.network import Intervals
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View


ASSERTED = "asserted"
"""The origin of relations between entities that the vault's own words state."""

STATUS = "status"
"""The origin of statements about a single entity; source and target are the same."""


class Edge(NamedTuple):
    """The ends and the kind of a relation."""

    source_id: int
    target_id: int
    kind: str


class RelationRow(NamedTuple):
    """A relation between two entities, given by their ids.

    `first_position` and `last_position` are the reading positions of its first and last evidence,
    or None if all evidence is in notes outside the manuscript.
    """

    id: int
    source_id: int
    target_id: int
    kind: str
    confidence: float
    first_position: int | None
    last_position: int | None
    evidence_count: int

    @property
    def strength(self) -> float:
        """What its evidence adds up to, in 0-1, rounded."""
        return round(1.0 - (1.0 - self.confidence) / self.evidence_count, 4)

    @property
    def edge(self) -> Edge:
        """Its ends and its kind."""
        return Edge(self.source_id, self.target_id, self.kind)


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """A span that supports a relation: its place, and its text as stored.

    `form` is `frontmatter`, `field`, `canvas` or `prose`; `key` is the writer's own word for the
    relation there. `start` and `end` are offsets into the file in code points; `line` counts from
    1.
    """

    relation_id: int
    path: str
    title: str
    heading: str
    line: int
    start: int
    end: int
    quote: str
    form: str
    key: str
    confidence: float
    position: int | None
    has_ended: bool
    chunk_id: int | None


def load_relations(view: View, entity_ids: Collection[int] | None = None) -> list[RelationRow]:
    """Return the visible asserted relations of all entities, or of those given, by ascending id.

    All of them are read at about 500,000 rows a second; those of a few entities are found by an
    index.
    """
    if entity_ids is None:
        return view.fetch(RelationRow, _relations(view))
    found: list[RelationRow] = []
    for batch in rows.batches(sorted(set(entity_ids))):
        found += view.fetch(RelationRow, _relations_of(view), entity_ids=batch)
    return found if len(entity_ids) <= rows.BATCH else sorted(set(found))


def _as_rows(relations: Statement) -> Query:
    columns = relations.selected_columns
    fields = (columns[name] for name in RelationRow._fields)
    return relations.with_only_columns(*fields).order_by(rows.relation.c.id)


@prepared
def _relations(scope: Scope) -> Query:
    return _as_rows(scope.relations(rows.relation.c.origin == ASSERTED))


@prepared
def _relations_of(scope: Scope) -> Query:
    relation = rows.relation.c
    ids: BindParameter[list[int]] = bindparam("entity_ids", expanding=True)
    of_any = or_(relation.source_id.in_(ids), relation.target_id.in_(ids))
    return _as_rows(scope.relations(relation.origin == ASSERTED, of_any))


def evidence_of(
    view: View, relation_ids: Iterable[int], limit: int = 10
) -> dict[int, list[EvidenceRow]]:
    """Return the evidence of each relation, at most `limit` pieces of each.

    The manuscript comes first, in reading order, then other notes by path.
    """
    found: dict[int, list[EvidenceRow]] = defaultdict(list)
    asked = sorted(set(relation_ids))
    if asked:
        statement = _first_evidence(view)
        for row in view.fetch(_Placed, statement, relation_ids=asked, limit=limit):
            found[row.relation_id].append(_evidence_row(row))
    return dict(found)


class _Placed(NamedTuple):
    """A span, the note that it is in, and what an answer needs of its chunk."""

    relation_id: int
    start: int
    end: int
    line: int
    chunk_id: int | None
    form: str
    key: str
    quote: str | None
    confidence: float
    position: int | None
    has_ended: bool
    path: str
    title: str
    heading: str | None
    sections: str | None
    text: str | None
    chunk_start: int | None


@prepared
def _first_evidence(scope: Scope) -> Query:
    evidence, note, chunk = scope.evidence, scope.note, scope.chunk
    order = (
        *(evidence.c.position.is_(None), evidence.c.position),
        *(note.c.path, evidence.c.start, evidence.c.end),
    )
    place = func.row_number().over(partition_by=evidence.c.relation_id, order_by=order)
    own = (evidence.c[name] for name in _Placed._fields if name in evidence.c)
    numbered = (
        select(*own, note.c.path, note.c.title, place.label("place"))
        .join(note, note.c.id == evidence.c.note_id)
        .where(is_one_of(evidence.c.relation_id, "relation_ids"))
        .subquery()
    )
    columns = {**numbered.c, **{name: chunk.c[name] for name in ("heading", "sections", "text")}}
    columns["chunk_start"] = chunk.c.start.label("chunk_start")
    return (
        select(*(columns[name] for name in _Placed._fields))
        .outerjoin(chunk, chunk.c.id == numbered.c.chunk_id)
        .where(numbered.c.place <= bindparam("limit"))
        .order_by(numbered.c.relation_id, numbered.c.place)
    )


def _evidence_row(row: _Placed) -> EvidenceRow:
    return EvidenceRow(
        row.relation_id,
        row.path,
        row.title,
        heading_of(row),
        row.line,
        row.start,
        row.end,
        quoted(row),
        row.form,
        row.key,
        row.confidence,
        row.position,
        row.has_ended,
        row.chunk_id,
    )


def heading_of(row: Row | _Placed) -> str:
    """Return the headings above a span; none if no chunk holds it."""
    start = row.chunk_start
    return "" if start is None else heading_at(row.heading, row.sections, row.start - start)


def quoted(row: Row | _Placed) -> str:
    """Return the text of a span: stored in the row if no chunk holds it, else cut from a chunk.

    Comments in the chunk are left out.
    """
    if row.quote is not None:
        return str(row.quote)
    if row.text is None or row.chunk_start is None:
        return ""
    return without_comments(row.text[row.start - row.chunk_start : row.end - row.chunk_start])


T = TypeVar("T")


class _Turn(NamedTuple):
    """Where a relation begins, again or for the first time, or ends."""

    entity_id: int
    other_id: int
    kind: str
    previous: str | None
    new: str | None
    visible_from: int
    ordinal: int


def load_intervals(
    view: View, relations: Mapping[int, int] | None = None
) -> Mapping[Edge, Intervals]:
    """Return the intervals in which relations are over: all, or these, by id each with its source.

    Relations that never end are left out.
    """
    sources = None if relations is None else set(relations.values())
    over: dict[Edge, list[tuple[int, int | None]]] = {
        edge: [] for edge in _read(view, Edge, _ended, sources)
    }
    turns: dict[Edge, list[tuple[int, int, bool]]] = defaultdict(list)
    for row in _read(view, _Turn, _turns, {edge.source_id for edge in over}):
        is_over = row.kind == "relationship_ended"
        edge = Edge(row.entity_id, row.other_id, str(row.previous if is_over else row.new))
        turns[edge].append((row.visible_from, row.ordinal, is_over))
    for edge, intervals in over.items():
        for position, _, is_over in sorted(turns[edge]):
            if is_over:
                intervals.append((position, None))
            elif intervals and intervals[-1][1] is None:
                intervals[-1] = (intervals[-1][0], position)
    if view.as_of is None:
        for edge in _read(view, Edge, _never_begun, relations):
            over.setdefault(edge, [(ALWAYS, None)])
    return {edge: tuple(intervals) for edge, intervals in over.items()}


def _read(
    view: View,
    kind: type[T],
    select_: Callable[[View, bool], Query],
    asked: Collection[int] | None,
) -> Iterator[T]:
    """Yield the rows of a statement for everything, or for these sources or relations."""
    if asked is None:
        yield from view.fetch(kind, select_(view, False))
    elif asked:
        yield from view.fetch(kind, select_(view, True), asked=sorted(asked))


def _among(column: ColumnElement[int], of_some: bool) -> list[ColumnElement[bool]]:
    return [is_one_of(column, "asked")] if of_some else []


@prepared
def _ended(scope: Scope, of_some: bool) -> Query:
    change = scope.entity_change.c
    return (
        select(
            change.entity_id.label("source_id"),
            change.other_id.label("target_id"),
            change.previous.label("kind"),
        )
        .where(change.kind == "relationship_ended", *_among(change.entity_id, of_some))
        .distinct()
    )


@prepared
def _turns(scope: Scope, of_some: bool) -> Query:
    change = scope.entity_change.c
    kinds = ("relationship_added", "relationship_ended")
    return select(*(change[name] for name in _Turn._fields)).where(
        change.kind.in_(kinds), *_among(change.entity_id, of_some)
    )


@prepared
def _never_begun(_: Scope, of_some: bool) -> Query:
    """Select the relations all of whose evidence states that they are over.

    Not needed under `as_of`: there, all visible evidence has a position, and so `load_intervals`
    finds the end. Of all relations, the few with an end are found first.
    """
    relation, evidence = rows.relation.c, rows.evidence.c
    ended = select(evidence.relation_id).where(
        evidence.vault_id == VAULT_ID, evidence.has_ended.is_(True)
    )
    found = _among(relation.id, of_some) or [relation.id.in_(ended)]
    begun = func.sum(case((evidence.has_ended.is_(True), 0), else_=1))
    columns = relation.source_id, relation.target_id, relation.kind
    return (
        select(*columns)
        .join(rows.evidence, evidence.relation_id == relation.id)
        .where(relation.vault_id == VAULT_ID, evidence.vault_id == VAULT_ID)
        .where(relation.origin == ASSERTED, *found)
        .group_by(*columns)
        .having(begun == 0)
    )

"""Quotes that support an edge of the graph: its evidence, or passages that mention both ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import BigInteger, Integer, bindparam, select

from writeros_entities.language.marks import Part
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.asserted import evidence_of
from writeros_entities.story.mentions import Naming, quote
from writeros_entities.vault.headings import heading_at

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Subquery

    from writeros_entities.graph.snapshot import Snapshot
    from writeros_entities.store.rows import Row
    from writeros_entities.story.asserted import EvidenceRow
    from writeros_entities.story.passages import ChunkPlace
    from writeros_entities.view import View

Pair: TypeAlias = tuple[int, int]
"""The ids of two entities."""


class _Shared(NamedTuple):
    """A chunk that mentions two entities."""

    one: int
    other: int
    chunk_id: int


@dataclass(frozen=True, slots=True)
class PlacedQuote:
    """A span of a note, its place, and the sentence around it as a reader sees it.

    `text[text_start:text_end]` is the span within the sentence. `named` are the mentions in it that
    may be doubtful: none in what states a relation, since only plain words do.
    """

    path: str
    heading: str
    position: int | None
    line: int
    column: int
    start: int
    end: int
    surface: str
    text: str
    text_start: int
    text_end: int
    named: tuple[Naming, ...] = ()


def quotes_of_edges(
    view: View, snapshot: Snapshot, edges: Sequence[int], limit: int
) -> dict[int, list[PlacedQuote]]:
    """Return at most `limit` quotes for each edge, in reading order."""
    proofs: dict[int, list[PlacedQuote]] = {edge: [] for edge in edges}
    if limit == 0:
        return proofs
    known = snapshot.edges
    relations = {int(known.relation[edge]): edge for edge in edges if known.relation[edge]}
    found = evidence_of(view, relations, limit)
    texts = _chunk_texts(view, chain.from_iterable(found.values()))
    for relation, edge in relations.items():
        proofs[edge] = [_quote_evidence(row, texts) for row in found.get(relation, ())]
    pairs = {edge: _entities_at(snapshot, edge) for edge in edges if not known.relation[edge]}
    together = quotes_of_pairs(view, pairs.values(), limit)
    return proofs | {edge: together[pair] for edge, pair in pairs.items()}


def _entities_at(snapshot: Snapshot, edge: int) -> Pair:
    ids = snapshot.nodes.ids
    source, target = snapshot.edges.ends(edge)
    return int(ids[source]), int(ids[target])


def quotes_of_pairs(view: View, pairs: Iterable[Pair], limit: int) -> dict[Pair, list[PlacedQuote]]:
    """Return quotes of passages that mention both of two entities, in reading order, by pair.

    A quote spans both mentions if they are in one paragraph. If no chunk mentions both, quotes are
    taken from notes that mention both, at the mention of the first.
    """
    chosen = _shared_chunks(view, set(pairs), limit)
    chunk_ids = sorted(set(chain.from_iterable(chosen.values())))
    if not chunk_ids:
        return {pair: [] for pair in chosen}
    chunks = {row.id: row for row in view.all(_chunks(view), chunk_ids=chunk_ids)}
    spans: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    ends = sorted(set(chain.from_iterable(chosen)))
    for one in view.fetch(Naming, _spans(view), chunk_ids=chunk_ids, entity_ids=ends):
        spans[one.chunk_id].append((one.start, one.end, one.entity_id))

    def quoted(pair: Pair, chunk_id: int) -> PlacedQuote:
        row = chunks[chunk_id]
        here = [span for span in spans[chunk_id] if span[2] in pair]
        return quote_chunk(row, *_closest(row, here), pair)

    return {pair: [quoted(pair, one) for one in ids] for pair, ids in chosen.items()}


def _shared_chunks(view: View, pairs: Set[Pair], limit: int) -> dict[Pair, list[int]]:
    """Return the first chunks that mention both of each pair, or else the first that mention the
    first of the two in a note that mentions the other.
    """
    found: dict[Pair, list[int]] = {pair: [] for pair in sorted(pairs)}
    ones, others = ({pair[end] for pair in found} for end in (0, 1))
    statement = _in_one_chunk(view)
    for row in view.fetch(_Shared, statement, ones=ones, others=others) if found else ():
        chosen = found.get((row.one, row.other))
        if chosen is not None and len(chosen) < limit:
            chosen.append(row.chunk_id)
    for pair, chosen in found.items():
        if not chosen:
            one, other = pair
            chosen += view.scalars(_in_one_note(view), one=one, other=other, limit=limit)
    return found


def _in_reading_order(note: Subquery, chunk: Subquery) -> tuple[ColumnElement[Any], ...]:
    return note.c.position.is_(None), note.c.position, note.c.path, chunk.c.start


@prepared
def _in_one_chunk(scope: Scope) -> Query:
    chunk, note, one, other = scope.chunk, scope.note, scope.mention.alias(), scope.mention.alias()
    return (
        select(
            one.c.entity_id.label("one"),
            other.c.entity_id.label("other"),
            chunk.c.id.label("chunk_id"),
        )
        .join(other, other.c.chunk_id == one.c.chunk_id)
        .join(chunk, chunk.c.id == one.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(is_one_of(one.c.entity_id, "ones"), is_one_of(other.c.entity_id, "others"))
        .where(one.c.entity_id != other.c.entity_id)
        .group_by(one.c.entity_id, other.c.entity_id, chunk.c.id)
        .group_by(note.c.position, note.c.path, chunk.c.start)
        .order_by(*_in_reading_order(note, chunk))
    )


@prepared
def _in_one_note(scope: Scope) -> Query:
    chunk, note, mention = scope.chunk, scope.note, scope.mention.alias()
    near, other = scope.chunk.alias(), scope.mention.alias()
    there = (
        select(near.c.note_id)
        .join(other, other.c.chunk_id == near.c.id)
        .where(other.c.entity_id == bindparam("other", type_=BigInteger))
    )
    here = select(mention.c.chunk_id).where(
        mention.c.entity_id == bindparam("one", type_=BigInteger)
    )
    return (
        select(chunk.c.id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(chunk.c.id.in_(here), chunk.c.note_id.in_(there))
        .order_by(*_in_reading_order(note, chunk))
        .limit(bindparam("limit", type_=Integer))
    )


@prepared
def _chunks(scope: Scope) -> Query:
    chunk, note, page = scope.chunk, scope.note, scope.page
    return (
        select(chunk, note.c.path, note.c.position, page.c.marks)
        .join(note, note.c.id == chunk.c.note_id)
        .outerjoin(page, page.c.note_id == note.c.id)
        .where(is_one_of(chunk.c.id, "chunk_ids"))
    )


@prepared
def _spans(scope: Scope) -> Query:
    mention = scope.mention
    return (
        select(mention.c.chunk_id, mention.c.start, mention.c.end, mention.c.entity_id)
        .where(is_one_of(mention.c.chunk_id, "chunk_ids"))
        .where(is_one_of(mention.c.entity_id, "entity_ids"))
        .order_by(mention.c.start, mention.c.end, mention.c.entity_id)
    )


def _closest(chunk: Row, spans: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    """Return the shortest span in one paragraph that covers both entities, or the first mention."""
    pairs = [
        (end - begin, begin, end)
        for at, (start, end, entity) in enumerate(spans)
        for begin in _others_before(spans[:at], start, entity)
        if "\n" not in chunk.text[begin - chunk.start : end - chunk.start]
    ]
    return min(pairs)[1:] if pairs else spans[0][:2]


def _others_before(spans: Sequence[tuple[int, int, int]], start: int, entity: int) -> Iterator[int]:
    """Yield where the last span that ends before `start` and names another entity begins, if any.

    A span may name both entities: which of the two comes first in `spans` must not matter.
    """
    yield from islice((one[0] for one in spans[::-1] if one[2] != entity and one[1] <= start), 1)


def quote_chunk(
    row: Row | ChunkPlace, start: int, end: int, named: Iterable[int] = ()
) -> PlacedQuote:
    """Return the part of a chunk between two offsets of the file as a quote.

    `named` are ids of the entities that it is taken to name.
    """
    passage = quote(Part(row.text, row.start, row.marks), row.line, start, end)
    heading = heading_at(row.heading, row.sections, start - row.start)
    return PlacedQuote(
        *(row.path, heading, row.position, passage.line, passage.column, start, end),
        *(passage.surface, passage.text, passage.text_start, passage.text_end),
        tuple(Naming(row.id, start, end, one) for one in named),
    )


def _quote_evidence(row: EvidenceRow, texts: Mapping[int, Row]) -> PlacedQuote:
    """Return evidence as a quote, in its sentence if a chunk holds it.

    Evidence in frontmatter or on a canvas is quoted without context, at column 1 of its line.
    """
    chunk = None if row.chunk_id is None else texts.get(row.chunk_id)
    span = row.start, row.end
    if chunk is not None:
        passage = quote(Part(chunk.text, chunk.start, chunk.marks), chunk.line, *span)
        column, surface, text = passage.column, passage.surface, passage.text
        shown = passage.text_start, passage.text_end
    else:
        column, surface, text = 1, row.quote, " ".join(row.quote.split())
        shown = 0, len(text)
    return PlacedQuote(
        *(row.path, row.heading, row.position, row.line, column, *span, surface, text, *shown)
    )


def _chunk_texts(view: View, proofs: Iterable[EvidenceRow]) -> dict[int, Row]:
    """Return the chunks that hold evidence in a note's body, by id."""
    in_body = {row.chunk_id for row in proofs if row.chunk_id and row.form != "frontmatter"}
    found = view.all(_texts(view), chunk_ids=sorted(in_body)) if in_body else ()
    return {row.id: row for row in found}


@prepared
def _texts(scope: Scope) -> Query:
    chunk, page = scope.chunk, scope.page
    return (
        select(chunk.c.id, chunk.c.text, chunk.c.start, chunk.c.line, page.c.marks)
        .outerjoin(page, page.c.note_id == chunk.c.note_id)
        .where(is_one_of(chunk.c.id, "chunk_ids"))
    )

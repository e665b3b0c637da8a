"""Search by entities: chunks that mention them, ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.query.mentions import chunk_entities, quote
from writeros_entities.store import rows

if TYPE_CHECKING:
    from writeros_entities.store.view import View

COVERAGE_SHARE = 0.7
OVERLAP_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk with its score, and the entities asked for that it mentions."""

    chunk_id: int
    score: float
    overlap: float
    matched: tuple[int, ...]


def search_by_entities(
    view: View,
    wanted: Sequence[set[int]],
    exact: Mapping[int, set[int]],
    *,
    match_all: bool,
    boost: float,
    min_score: float,
) -> tuple[list[Hit], int]:
    """Return chunks that mention the entities, best first, and how many were looked at.

    `wanted` has, for each name asked for, the entities it can mean; `exact` has, for each chunk,
    those whose name stands in it as it was asked for.

    The score is 0.7 × similarity + 0.3 × Jaccard overlap of the entity sets (E11, section 3.2),
    times `boost` for an exact match, at most 1. The similarity is the cosine of entity vectors;
    as long as there are none, it is the share of the names asked for that the chunk mentions.
    """
    asked = set().union(*wanted)
    candidates = _candidates(view, asked)
    by_chunk = chunk_entities(view, candidates)
    hits = []
    for chunk_id in candidates:
        present = by_chunk[chunk_id]
        covered = sum(1 for meanings in wanted if meanings & present)
        if match_all and covered < len(wanted):
            continue
        overlap = len(present & asked) / len(present | asked)
        score = COVERAGE_SHARE * covered / len(wanted) + OVERLAP_SHARE * overlap
        if chunk_id in exact:
            score = min(1.0, score * boost)
        score = round(score, 4)
        if score >= min_score:
            matched = tuple(sorted(present & asked))
            hits.append(Hit(chunk_id, score, round(overlap, 4), matched))
    places = chunk_places(view, [hit.chunk_id for hit in hits])
    hits.sort(key=lambda hit: (-hit.score, places[hit.chunk_id].order))
    return hits, len(candidates)


def exact_chunks(view: View, forms: Mapping[int, set[str]]) -> dict[int, set[int]]:
    """Return the chunks in which an entity is mentioned by one of the forms given for it."""
    mention = view.mention
    found: dict[int, set[int]] = {}
    for entity_id, names in forms.items():
        statement = select(mention.c.chunk_id).where(
            mention.c.entity_id == entity_id, mention.c.form.in_(names)
        )
        for row in view.all(statement.distinct()):
            found.setdefault(row.chunk_id, set()).add(entity_id)
    return found


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """Where a chunk stands, and its text."""

    path: str
    position: int | None
    ordinal: int
    heading: str
    line: int
    start: int
    end: int
    tokens: int
    text: str

    @property
    def order(self) -> tuple[bool, int, str, int]:
        """Reading order: the manuscript first, then other notes by path."""
        return self.position is None, self.position or 0, self.path, self.ordinal


def chunk_places(view: View, chunk_ids: Sequence[int]) -> dict[int, ChunkPlace]:
    """Return where chunks stand."""
    chunk, note = view.chunk, view.note
    places: dict[int, ChunkPlace] = {}
    for batch in rows.batches(chunk_ids):
        statement = (
            select(
                chunk.c.id,
                note.c.path,
                note.c.position,
                chunk.c.ordinal,
                chunk.c.heading,
                chunk.c.line,
                chunk.c.start,
                chunk.c.end,
                chunk.c.tokens,
                chunk.c.text,
            )
            .join(note, note.c.id == chunk.c.note_id)
            .where(chunk.c.id.in_(batch))
        )
        for row in view.all(statement):
            places[row.id] = ChunkPlace(*row[1:])
    return places


def excerpts(view: View, hits: Sequence[Hit], places: Mapping[int, ChunkPlace]) -> dict[int, str]:
    """Return, for each hit's chunk, the sentence in which its entities stand closest together."""
    mention = view.mention
    spans: dict[int, list[Any]] = {hit.chunk_id: [] for hit in hits}
    matched = {hit.chunk_id: set(hit.matched) for hit in hits}
    for batch in rows.batches(spans):
        statement = (
            select(mention.c.chunk_id, mention.c.entity_id, mention.c.start, mention.c.end)
            .where(mention.c.chunk_id.in_(batch))
            .order_by(mention.c.start, mention.c.end, mention.c.entity_id)
        )
        for row in view.all(statement):
            if row.entity_id in matched[row.chunk_id]:
                spans[row.chunk_id].append(row)
    found = {}
    for chunk_id, mentions in spans.items():
        place = places[chunk_id]
        start, end = _closest_pair(mentions, place)
        found[chunk_id] = quote(place.text, place.start, place.line, start, end).text
    return found


def _closest_pair(mentions: Sequence[Any], place: ChunkPlace) -> tuple[int, int]:
    """Return the span from one entity to another, the shortest in one paragraph; else the first."""
    pairs = [
        (after.end - before.start, before.start, after.end)
        for before, after in pairwise(mentions)
        if before.entity_id != after.entity_id
        and "\n" not in place.text[before.start - place.start : after.end - place.start]
    ]
    if pairs:
        return min(pairs)[1:]
    return mentions[0].start, mentions[0].end


def _candidates(view: View, asked: set[int]) -> list[int]:
    mention = view.mention
    found: set[int] = set()
    for batch in rows.batches(sorted(asked)):
        statement = select(mention.c.chunk_id).where(mention.c.entity_id.in_(batch))
        found.update(row.chunk_id for row in view.all(statement.distinct()))
    return sorted(found)


def entities_by_id(view: View, entity_ids: Sequence[int]) -> dict[int, Any]:
    """Return entity rows by id."""
    entity = view.entity
    return {
        row.id: row
        for batch in rows.batches(sorted(set(entity_ids)))
        for row in view.all(select(entity).where(entity.c.id.in_(batch)))
    }

"""Find notes related to a note, by their vectors and by the entities that both mention.

For a note a, its entities A and the mean c of its chunks' vectors, and another note b with entities
B:

    nearness(b) = greatest cos(c, v) over the chunks v of b
    sharing(b)  = Σ_{A ∩ B} idf / (Σ_A idf + (|B| - |A ∩ B|) · mean idf of A),  idf = ln(1 + N / n)
    score(b)    = the mean of both, or sharing alone if there are no vectors

with N the number of visible notes and n the number of these that mention the entity. Sharing is a
Jaccard index weighted by rarity, where each entity only in b counts as the mean of A.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Select, bindparam, func, select

from writeros_entities.store import rows
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.lists import is_one_of
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.vectors import chunk_cosines, load_vectors, nearest_chunks

if TYPE_CHECKING:
    from writeros_entities.arrays import Vector
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.store.view import View

DEPTH = 200
"""How many of the nearest chunks, and of the notes that share most, are considered."""

DIGITS = 4


@dataclass(frozen=True, slots=True)
class RelatedNote:
    """A note, its score and the parts of it, and the entities it shares, by descending weight."""

    note_id: int
    score: float
    nearness: float | None
    sharing: float
    shared: tuple[int, ...]


def find_related_notes(view: View, note_id: int, model: str | None) -> list[RelatedNote]:
    """Return the notes related to a note, by descending score, ties in reading order."""
    chunks = visible_chunks(view)
    shared, weights = _shared_entities(view, note_id, len(np.unique(chunks.note_ids)))
    names = display_names(view, weights)
    places = {note: place for place, note in reversed(list(enumerate(chunks.note_ids.tolist())))}
    sharing = _sharing(view, shared, weights, places)
    nearness = _nearness(view, chunks, note_id, model, sharing)
    found = []
    for other in (sharing.keys() | (nearness or {}).keys()) - {note_id}:
        near = None if nearness is None else round(max(0.0, nearness.get(other, 0.0)), DIGITS)
        part = round(sharing.get(other, 0.0), DIGITS)
        score = part if near is None else round((near + part) / 2, DIGITS)
        order = sorted(
            shared.get(other, ()), key=lambda one: (-weights[one], names.get(one, ""), one)
        )
        found.append(RelatedNote(other, score, near, part, tuple(order)))
    return sorted(found, key=lambda one: (-one.score, places.get(one.note_id, len(chunks))))


def _shared_entities(
    view: View, note_id: int, notes: int
) -> tuple[dict[int, set[int]], dict[int, float]]:
    """Return, by note, the entities it shares with a note, and the idf of each of the note's
    entities.
    """
    own = [row[0] for row in view.tuples(_entities_of_note(view), note_id=note_id)]
    shared: dict[int, set[int]] = defaultdict(set)
    mentioning: dict[int, int] = dict.fromkeys(own, 0)
    for batch in rows.batches(own):
        for other, entity_id in view.tuples(_notes_with(view), entity_ids=batch):
            shared[other].add(entity_id)
            mentioning[entity_id] += 1
    weights = {one: float(np.log1p(notes / count)) for one, count in mentioning.items()}
    return shared, weights


def _sharing(
    view: View,
    shared: Mapping[int, set[int]],
    weights: Mapping[int, float],
    places: Mapping[int, int],
) -> dict[int, float]:
    whole = sum(weights.values())
    overlaps = {note: sum(weights[one] for one in sorted(own)) for note, own in shared.items()}
    best = sorted(overlaps, key=lambda note: (-overlaps[note], places[note]))[:DEPTH]
    mean = whole / len(weights) if weights else 0.0
    numbers = dict(view.tuples(_entity_numbers(view), note_ids=best))
    return {
        note: overlaps[note] / (whole + (numbers[note] - len(shared[note])) * mean) for note in best
    }


def _nearness(
    view: View, chunks: Chunks, note_id: int, model: str | None, sharing: Mapping[int, float]
) -> dict[int, float] | None:
    """Return, by note, the greatest cosine of its chunks with the mean vector of a note."""
    middle = None if model is None else _middle(view, chunks, note_id, model)
    if model is None or middle is None:
        return None
    own = int(np.count_nonzero(chunks.note_ids == note_id))  # they are the nearest of all
    nearest = nearest_chunks(view, model, middle, own + DEPTH)
    cosines = dict(zip(nearest.chunk_ids.tolist(), nearest.cosines.tolist(), strict=True))
    of_sharing = chunks.ids[np.isin(chunks.note_ids, np.fromiter(sharing, np.int64))]
    cosines |= chunk_cosines(view, model, middle, of_sharing.tolist())
    found: dict[int, float] = {}
    ids = np.fromiter(cosines, np.int64, len(cosines))
    for row, cosine in zip(chunks.rows_of(ids).tolist(), cosines.values(), strict=True):
        note = int(chunks.note_ids[row])
        found[note] = max(found.get(note, -1.0), cosine)
    return found


def _middle(view: View, chunks: Chunks, note_id: int, model: str) -> Vector | None:
    """Return the mean of the vectors of a note's chunks, at unit length; None without vectors."""
    hashes = [name.decode() for name in chunks.hashes[chunks.note_ids == note_id].tolist()]
    vectors: Sequence[Any] = list(load_vectors(view, model, list(dict.fromkeys(hashes))).values())
    if not vectors:
        return None
    mean = np.array(vectors, np.float64).mean(axis=0)
    length = float(np.linalg.norm(mean))
    middle: Vector = np.divide(mean, length or 1.0).astype(np.float32)
    return middle


@prepared
def _entities_of_note(scope: Scope) -> Select[Any]:
    mention, chunk = scope.mention, scope.chunk
    return (
        select(mention.c.entity_id)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .where(chunk.c.note_id == bindparam("note_id"))
        .distinct()
        .order_by(mention.c.entity_id)
    )


@prepared
def _notes_with(scope: Scope) -> Select[Any]:
    mention, chunk = scope.mention, scope.chunk
    return (
        select(chunk.c.note_id, mention.c.entity_id)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .where(mention.c.entity_id.in_(bindparam("entity_ids", expanding=True)))
        .distinct()
    )


@prepared
def _entity_numbers(scope: Scope) -> Select[Any]:
    mention, chunk = scope.mention, scope.chunk
    return (
        select(chunk.c.note_id, func.count(mention.c.entity_id.distinct()))
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .where(is_one_of(chunk.c.note_id, "note_ids"))
        .group_by(chunk.c.note_id)
    )

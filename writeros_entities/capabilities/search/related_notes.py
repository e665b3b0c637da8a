"""Find notes related to a note, by their vectors and by the entities that both mention.

For a note a, its entities A and the mean c of its chunks' vectors, and another note b with entities
B:

    nearness(b) = greatest cos(c, v) over the chunks v of b
    sharing(b)  = Σ_{A ∩ B} idf / (Σ_A idf + (|B| - |A ∩ B|) · mean idf of A),  idf = ln(1 + N / n)
    score(b)    = the mean of both, or sharing alone if there are no vectors

with N the number of visible notes and n the number of these that mention the entity. Sharing is a
Jaccard index weighted by rarity, where each entity only in b counts as the mean of A.

The passages of b that relate it are its nearest chunk and those that mention any of A. The score of
each is the mean of its own cosine and of Σ idf / Σ_A idf over those of A that it mentions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sqlalchemy import bindparam, func, select

from writeros_entities.store import rows
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared

if TYPE_CHECKING:
    from writeros_entities.arrays import Vector
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.view import View

DEPTH = 200
"""How many of the nearest chunks, and of the notes that share most, are considered."""

DIGITS = 4


@dataclass(frozen=True, slots=True)
class RelatedNote:
    """A note, or one of its passages: its score, the score's parts, and the entities it shares.

    The entities are in descending order of weight. `chunk_id` is the passage, or the best one of
    the note; `more_here` counts the note's other passages, if these are left out.
    """

    note_id: int
    chunk_id: int
    score: float
    nearness: float | None
    sharing: float
    shared: tuple[int, ...]
    more_here: int = 0


def find_related_notes(
    view: View, note_id: int, model: str | None, *, by_note: bool
) -> list[RelatedNote]:
    """Return the notes related to a note, by descending score, ties in reading order.

    Unless `by_note`, return each of their passages instead, with its own score.
    """
    chunks = visible_chunks(view)
    mentioned, weights = _shared_entities(view, note_id, len(np.unique(chunks.note_ids)))
    names = display_names(view, weights)
    shared: dict[int, set[int]] = defaultdict(set)
    for row, entities in zip(_rows(chunks, mentioned), mentioned.values(), strict=True):
        shared[int(chunks.note_ids[row])] |= entities
    places = {note: place for place, note in reversed(list(enumerate(chunks.note_ids.tolist())))}
    sharing = _sharing(view, shared, weights, places)
    cosines = _cosines(view, chunks, note_id, model, sharing)

    def related(chunk_id: int, note: int, near: float, part: float, own: set[int]) -> RelatedNote:
        nearness = None if cosines is None else round(max(0.0, near), DIGITS)
        part = round(part, DIGITS)
        score = part if nearness is None else round((nearness + part) / 2, DIGITS)
        order = sorted(own, key=lambda one: (-weights[one], names.get(one, ""), one))
        return RelatedNote(note, chunk_id, score, nearness, part, tuple(order))

    near = cosines or {}
    nearest: dict[int, int] = {}
    for row, chunk_id in zip(_rows(chunks, near), near, strict=True):
        note = int(chunks.note_ids[row])
        if near[chunk_id] > near.get(nearest.get(note, -1), -2.0):
            nearest[note] = chunk_id
    whole = sum(weights.values())
    of_note: dict[int, list[RelatedNote]] = defaultdict(list)
    passages = list(dict.fromkeys([*mentioned, *nearest.values()]))
    rows_of = dict(zip(passages, _rows(chunks, passages), strict=True))
    for chunk_id, row in sorted(rows_of.items(), key=lambda one: one[1]):
        note = int(chunks.note_ids[row])
        if note != note_id and (note in sharing or note in nearest):
            own = mentioned.get(chunk_id, set())
            part = sum(weights[one] for one in sorted(own)) / whole if own else 0.0
            of_note[note].append(related(chunk_id, note, near.get(chunk_id, 0.0), part, own))
    if not by_note:
        every = (passage for found in of_note.values() for passage in found)
        return sorted(every, key=lambda one: (-one.score, rows_of[one.chunk_id]))
    notes = []
    for note, found in of_note.items():
        best = max(found, key=lambda one: one.score)
        cosine = near.get(nearest.get(note, -1), 0.0)
        one = related(best.chunk_id, note, cosine, sharing.get(note, 0.0), shared[note])
        notes.append(replace(one, more_here=len(found) - 1))
    return sorted(notes, key=lambda one: (-one.score, places[one.note_id]))


def _rows(chunks: Chunks, chunk_ids: Collection[int]) -> list[int]:
    """Return the rows of visible chunks."""
    found: list[int] = chunks.rows_of(np.fromiter(chunk_ids, np.int64, len(chunk_ids))).tolist()
    return found


class _Mentioning(NamedTuple):
    """A chunk that mentions an entity, and its note."""

    note_id: int
    id: int
    entity_id: int


def _shared_entities(
    view: View, note_id: int, notes: int
) -> tuple[dict[int, set[int]], dict[int, float]]:
    """Return, by chunk, the entities it shares with a note, and the idf of each of the note's
    entities.
    """
    own = view.scalars(_entities_of_note(view), note_id=note_id)
    shared: dict[int, set[int]] = defaultdict(set)
    mentioning: dict[int, set[int]] = {one: set() for one in own}
    for batch in rows.batches(own):
        for one in view.fetch(_Mentioning, _chunks_with(view), entity_ids=batch):
            shared[one.id].add(one.entity_id)
            mentioning[one.entity_id].add(one.note_id)
    weights = {own: float(np.log1p(notes / len(others))) for own, others in mentioning.items()}
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
    numbers = view.lookup(_entity_numbers(view), note_ids=best)
    return {
        note: overlaps[note] / (whole + (numbers[note] - len(shared[note])) * mean) for note in best
    }


def _cosines(
    view: View, chunks: Chunks, note_id: int, model: str | None, sharing: Mapping[int, float]
) -> dict[int, float] | None:
    """Return the cosines of chunks with the mean vector of a note: of those nearest to it, and of
    all in the notes that share entities with it.
    """
    middle = None if model is None else _middle(view, chunks, note_id, model)
    if model is None or middle is None:
        return None
    own = int(np.count_nonzero(chunks.note_ids == note_id))  # they are the nearest of all
    vectors = view.engine.vectors
    nearest = vectors.nearest_chunks(view, model, middle, own + DEPTH)
    cosines = dict(zip(nearest.chunk_ids.tolist(), nearest.cosines.tolist(), strict=True))
    of_sharing = chunks.ids[np.isin(chunks.note_ids, np.fromiter(sharing, np.int64))]
    return cosines | vectors.chunk_cosines(view, model, middle, of_sharing.tolist())


def _middle(view: View, chunks: Chunks, note_id: int, model: str) -> Vector | None:
    """Return the mean of the vectors of a note's chunks, at unit length; None without vectors."""
    hashes = [name.decode() for name in chunks.hashes[chunks.note_ids == note_id].tolist()]
    found = view.engine.vectors.load_vectors(view, model, list(dict.fromkeys(hashes)))
    if not found:
        return None
    mean = np.array(list(found.values()), np.float64).mean(axis=0)
    length = float(np.linalg.norm(mean))
    middle: Vector = np.divide(mean, length or 1.0).astype(np.float32)
    return middle


@prepared
def _entities_of_note(scope: Scope) -> Query:
    mention, chunk = scope.mention, scope.chunk
    return (
        select(mention.c.entity_id)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .where(chunk.c.note_id == bindparam("note_id"))
        .distinct()
        .order_by(mention.c.entity_id)
    )


@prepared
def _chunks_with(scope: Scope) -> Query:
    mention, chunk = scope.mention, scope.chunk
    return (
        select(chunk.c.note_id, chunk.c.id, mention.c.entity_id)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .where(mention.c.entity_id.in_(bindparam("entity_ids", expanding=True)))
        .distinct()
    )


@prepared
def _entity_numbers(scope: Scope) -> Query:
    mention, chunk = scope.mention, scope.chunk
    return (
        select(chunk.c.note_id, func.count(mention.c.entity_id.distinct()))
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .where(is_one_of(chunk.c.note_id, "note_ids"))
        .group_by(chunk.c.note_id)
    )

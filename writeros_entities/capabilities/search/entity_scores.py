"""Score chunks by the names in a query, and by the entities in the chunks that answer it best.

An entity is a term like any other, whichever surface form names it: it is scored by BM25F as in
`full_text`, with mentions for occurrences and the entity's own note as an additional field, times
the confidence that the query means it. A note that is named by its title counts like an own note.

The chunks around a name often go on about the same person as "she": a chunk has at least
`NEARBY_SHARE` of the greatest share within `NEARBY` chunks of it in the same note.

The best chunks hint at what a query is about, for example who "the first mate" is (pseudo-relevance
feedback). For the `BELIEVED` best chunks B, an entity e, and any candidate d of N:

    p(e, d)  = Σ_{b ≠ d with e} trust(b) / Σ_{b ≠ d} trust(b),   trust(b) = exp(score(b) / τ)
    score(d) = Σ_e p(e, d) · idf(e) · tf / (k₁ + tf)

with tf the mentions of e in d, and the idf taken among the candidates. The sums leave out d itself:
that a chunk mentions somebody is no evidence that the query is about her. The chunks with e are
those that mention it and those of its own note. Entities that the query names are excluded here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sqlalchemy import BigInteger, Text, bindparam, cast, func, select

from writeros_entities.capabilities.search.full_text import (
    greatest_nearby,
    rarity,
    relative_length,
    saturated,
)
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.rows import IDS_PER_VAULT, Query
from writeros_entities.store.scope import Scope, prepared

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Floats, Integers
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.story.naming import Named
    from writeros_entities.view import View

BELIEVED = 5
TEMPERATURE = 0.1
"""How many of the best chunks are assumed to answer a query, and τ, how fast trust falls with
score.
"""

OWN_NOTE_WEIGHT = 10.0
"""The number of mentions that a chunk of the entity's own note counts for."""

NEARBY = 3
"""How many chunks before and after a name may be about the same person without naming her."""

NEARBY_SHARE = 0.9
"""The share of a name's score that these chunks get."""

WITHOUT_NOTE = 0.5
"""The factor for an entity without a note: its name is often just an ordinary word of the query."""


@dataclass(frozen=True, eq=False)
class NamedShares:
    """Names, and what each adds to the score of every chunk: (names, chunks)."""

    names: Sequence[str]
    shares: Floats


def score_names(view: View, chunks: Chunks, named: Named) -> tuple[NamedShares, float]:
    """Return the names in a query, with what each adds to every chunk's score, and the greatest sum
    that a chunk could reach.
    """
    names: list[str] = []
    shares: list[Floats] = []
    most = 0.0
    every = np.arange(len(chunks))
    for name, weight, sureness in _weigh_names(view, chunks, named):
        share = sureness * rarity(weight) * saturated(weight)
        nearby = NEARBY_SHARE * greatest_nearby(share[None], every, chunks.note_ids, NEARBY)[0]
        names += [name, f"{name} nearby"]
        shares += [share, np.maximum(nearby - share, 0.0)]
        most += sureness * rarity(weight)
    return NamedShares(names, np.array(shares).reshape(len(names), len(chunks))), most


def _weigh_names(view: View, chunks: Chunks, named: Named) -> Iterator[tuple[str, Floats, float]]:
    """Yield each name in a query, its weight in every chunk, and how surely it is meant."""
    length = relative_length(chunks)
    for one in named.entities:
        ids, counts = count_mentions(view, one.entity.id)
        rows = chunks.rows_of(ids)
        weight = np.zeros(len(chunks))
        weight[rows] = counts / length[rows]
        if one.entity.note_id is not None:
            weight[chunks.note_ids == one.entity.note_id] += OWN_NOTE_WEIGHT
        of_note = WITHOUT_NOTE if one.entity.note_id is None else 1.0
        yield one.surface, weight, one.confidence * of_note
    standing = {one.entity.note_id for one in named.entities}
    for note in named.notes:
        if note.note_id not in standing:
            weight = np.where(chunks.note_ids == note.note_id, OWN_NOTE_WEIGHT, 0.0)
            yield note.surface, weight, 1.0


def score_entities(
    view: View, chunks: Chunks, rows: Integers, scores: Floats, besides: Collection[int]
) -> NamedShares:
    """Score candidates by the entities that the best of them mention, except those in `besides`.

    Candidates are given by `rows`, with their current `scores`. The shares have shape (entities,
    candidates).
    """
    best = np.lexsort((rows, -scores))[:BELIEVED]
    trust = np.exp((scores[best] - scores[best].max(initial=-np.inf)) / TEMPERATURE)
    found = _entities_in(view, chunks, rows[best], besides) if len(best) else {}
    counts = _count_in(view, chunks.ids[rows], found)
    names: list[str] = []
    shares: list[Floats] = []
    for entity_id, (name, is_in) in found.items():
        sureness = np.full(len(rows), trust[is_in].sum() / trust.sum())
        sureness[best] = _share_of_others(trust, is_in)
        names.append(name)
        shares.append(sureness * rarity(counts[entity_id]) * saturated(counts[entity_id]))
    return NamedShares(names, np.array(shares).reshape(len(names), len(rows)))


def _share_of_others(trust: Floats, is_in: Flags) -> Floats:
    """Return, for each of some chunks, the share of trust in the others that is in those flagged.

    0 for a chunk without others.
    """
    flagged = trust * is_in
    others = trust.sum() - trust
    none = np.zeros(len(trust))
    share: Floats = np.divide(flagged.sum() - flagged, others, out=none, where=others > 0)
    return share


class _Mentioned(NamedTuple):
    """An entity that a chunk mentions."""

    chunk_id: int
    entity_id: int


class _Counted(NamedTuple):
    """How often a chunk mentions an entity."""

    chunk_id: int
    entity_id: int
    mentions: int


class _Standing(NamedTuple):
    """An entity, and the note about it."""

    id: int
    note_id: int


def _entities_in(
    view: View, chunks: Chunks, rows: Integers, besides: Collection[int]
) -> dict[int, tuple[str, Flags]]:
    """Return the entities in some chunks, except those in `besides`: name, and which have it."""
    ids = chunks.ids[rows].tolist()
    notes = chunks.note_ids[rows]
    found: dict[int, Flags] = {}
    for mention in view.fetch(_Mentioned, _mentioned(view), chunk_ids=ids):
        has = found.setdefault(mention.entity_id, np.zeros(len(rows), np.bool_))
        has[ids.index(mention.chunk_id)] = True
    for entity in view.fetch(_Standing, _standing_on(view), note_ids=np.unique(notes).tolist()):
        found.setdefault(entity.id, np.zeros(len(rows), np.bool_))[notes == entity.note_id] = True
    names = display_names(view, found.keys() - set(besides))
    in_order = sorted(names.items(), key=lambda item: item[::-1])
    return {entity_id: (name, found[entity_id]) for entity_id, name in in_order}


def _count_in(view: View, chunk_ids: Integers, entity_ids: Collection[int]) -> dict[int, Floats]:
    """Return how often each of some entities is mentioned in each of some chunks."""
    counts = {entity_id: np.zeros(len(chunk_ids)) for entity_id in entity_ids}
    places = {chunk_id: place for place, chunk_id in enumerate(chunk_ids.tolist())}
    asked = {"chunk_ids": sorted(places), "entity_ids": list(counts)}
    for one in view.fetch(_Counted, _mentions_among(view), **asked):
        counts[one.entity_id][places[one.chunk_id]] = one.mentions
    return counts


def count_mentions(view: View, entity_id: int) -> tuple[Integers, Integers]:
    """Return the chunks that mention an entity, by ascending id, and how often each does."""
    first = IDS_PER_VAULT * view.vault_id
    joined = view.scalar(_mentions(view), entity_id=entity_id, first=first)
    ids, counts = np.unique(np.fromstring(joined or "", np.int64, sep=","), return_counts=True)
    return first + ids, counts


@prepared
def _mentions(scope: Scope) -> Query:
    """Select the chunk ids of all mentions as one string: much faster to read than many rows."""
    mention = scope.mention
    place = cast(mention.c.chunk_id - bindparam("first", type_=BigInteger), Text)
    return select(func.aggregate_strings(place, ",")).where(
        mention.c.entity_id == bindparam("entity_id")
    )


@prepared
def _mentioned(scope: Scope) -> Query:
    mention = scope.mention
    return (
        select(mention.c.chunk_id, mention.c.entity_id)
        .where(is_one_of(mention.c.chunk_id, "chunk_ids"))
        .distinct()
    )


@prepared
def _standing_on(scope: Scope) -> Query:
    entity = scope.entity
    return select(entity.c.id, entity.c.note_id).where(is_one_of(entity.c.note_id, "note_ids"))


@prepared
def _mentions_among(scope: Scope) -> Query:
    mention = scope.mention
    return (
        select(mention.c.chunk_id, mention.c.entity_id, func.count().label("mentions"))
        .where(
            is_one_of(mention.c.chunk_id, "chunk_ids"),
            is_one_of(mention.c.entity_id, "entity_ids"),
        )
        .group_by(mention.c.chunk_id, mention.c.entity_id)
    )

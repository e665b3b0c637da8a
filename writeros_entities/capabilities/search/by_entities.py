"""Search by entities: rank the chunks that mention them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sqlalchemy import bindparam, select

from writeros_entities.graph.relatedness import OVERLAP_SHARE, SIMILARITY_SHARE
from writeros_entities.store import rows
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.similarity import first_of_each
from writeros_entities.story.entity_vectors import COSINE_DIGITS

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats
    from writeros_entities.story.entity_vectors import EntityVectors
    from writeros_entities.view import View

DIGITS = 4


@dataclass(frozen=True, slots=True)
class EntityHit:
    """A chunk with its score, the score's parts, and the requested entities that it mentions."""

    chunk_id: int
    score: float
    similarity: float
    overlap: float
    matched: tuple[int, ...]
    more_here: int = 0


@dataclass(frozen=True, slots=True)
class EntityHits:
    """The best hits, and how many there are.

    `total` counts the chunks with at least the minimum score, or their notes if there is one hit
    for each; `candidates` the chunks that mention any of the requested entities.
    """

    hits: tuple[EntityHit, ...]
    total: int
    candidates: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """How hits are ranked and chosen.

    `match_all` requires every name instead of any; `boost` multiplies the score of exact matches;
    `min_score` and `limit` bound the hits; `by_note` keeps only the best of each note; `note_ids`
    are the notes to look in, None for all.
    """

    match_all: bool
    boost: float
    min_score: float
    limit: int
    by_note: bool
    note_ids: Collection[int] | None = None


def search_by_entities(
    view: View,
    wanted: Sequence[Mapping[int, Collection[str]]],
    vectors: EntityVectors,
    ranking: Ranking,
) -> EntityHits:
    """Return the chunks that mention the entities, best first, ties in reading order.

    `wanted` has, for each requested name, the entities that it can mean, each with the forms that
    count as exact matches. For the names q and the entities E of a chunk:

        score      = 0.7 · similarity + 0.3 · |E ∩ A| / |E ∪ A|,  times `boost` if exact, at most 1
        similarity = mean over q of the greatest cos(v_q, v_e), e in E

    where A is the set of all entities that the names can mean. The similarity of an entity to
    itself is 1, so without `vectors` the similarity is the share of the names that the chunk
    mentions.

    The other entities of a chunk are read only while they can still change the best hits.
    """
    nearness = _Nearness(wanted, vectors)
    groups, candidates = _group(view, wanted, nearness, ranking)
    best: list[EntityHit] = []
    found: list[int] = []
    chunks = visible_chunks(view)
    for group in sorted(groups, key=lambda group: -group.most):
        is_decided = len(best) == ranking.limit and best[-1].score > group.most
        if is_decided and group.least >= ranking.min_score:
            found += group.chunk_ids
            continue
        hits = group.hits(view, nearness, ranking)
        found += (hit.chunk_id for hit in hits)
        best += hits
        places = chunks.rows_of(np.array([hit.chunk_id for hit in best], np.int64))
        order = np.lexsort((places, -np.array([hit.score for hit in best])))
        if ranking.by_note:
            order = order[first_of_each(chunks.note_ids[places[order]])]
        best = [best[at] for at in order[: ranking.limit]]
    if not ranking.by_note:
        return EntityHits(tuple(best), len(found), candidates)
    notes = Counter(chunks.note_ids[chunks.rows_of(np.array(found, np.int64))].tolist())
    own = chunks.note_ids[chunks.rows_of(np.array([hit.chunk_id for hit in best], np.int64))]
    hits = [
        replace(hit, more_here=notes[note] - 1)
        for hit, note in zip(best, own.tolist(), strict=True)
    ]
    return EntityHits(tuple(hits), len(notes), candidates)


@dataclass(frozen=True, slots=True)
class _Group:
    """Chunks that mention the same requested entities, either all or none of them exactly.

    `least` and `most` bound the scores of these chunks.
    """

    here: frozenset[int]
    asked: frozenset[int]
    is_exact: bool
    chunk_ids: Sequence[int]
    least: float
    most: float

    def hits(self, view: View, nearness: _Nearness, ranking: Ranking) -> list[EntityHit]:
        """Return the chunks of the group that have the minimum score."""
        found = []
        for chunk_id, present in _entities_of(view, self.chunk_ids).items():
            similarity = nearness.of(present, self.here)
            overlap = len(self.here) / len(present | self.asked)
            score = _score(similarity, overlap, ranking.boost if self.is_exact else 1.0)
            if score >= ranking.min_score:
                parts = (round(similarity, DIGITS), round(overlap, DIGITS))
                found.append(EntityHit(chunk_id, score, *parts, tuple(sorted(self.here))))
        return found


def _group(
    view: View,
    wanted: Sequence[Mapping[int, Collection[str]]],
    nearness: _Nearness,
    ranking: Ranking,
) -> tuple[list[_Group], int]:
    """Return the chunks to rank, by what they mention, and the number that mention any entity."""
    asked: frozenset[int] = frozenset().union(*wanted)
    exact = {
        (one, form) for meanings in wanted for one, forms in meanings.items() for form in forms
    }
    here: dict[int, set[int]] = defaultdict(set)
    exactly: set[int] = set()
    for batch in rows.batches(sorted(asked)):
        for one in view.fetch(_Asked, _asked(view), entity_ids=batch):
            here[one.chunk_id].add(one.entity_id)
            if (one.entity_id, one.form) in exact:
                exactly.add(one.chunk_id)
    if ranking.note_ids is not None:
        chunks = visible_chunks(view)
        here_ids = np.fromiter(here, np.int64, len(here))
        notes = chunks.note_ids[chunks.rows_of(here_ids)].tolist()
        here = {
            chunk_id: found
            for (chunk_id, found), note in zip(here.items(), notes, strict=True)
            if note in ranking.note_ids
        }
    alike: dict[tuple[frozenset[int], bool], list[int]] = defaultdict(list)
    for chunk_id, present in here.items():
        alike[frozenset(present), chunk_id in exactly].append(chunk_id)
    groups = []
    for (among, is_exact), chunk_ids in alike.items():
        if ranking.match_all and not all(among & meanings.keys() for meanings in wanted):
            continue
        boost = ranking.boost if is_exact else 1.0
        least = _score(nearness.least(among), 0.0, boost)
        most = _score(nearness.most(among), len(among) / len(asked), boost)
        groups.append(_Group(among, asked, is_exact, chunk_ids, least, most))
    return groups, len(here)


def _score(similarity: float, overlap: float, boost: float) -> float:
    return round(
        min(1.0, boost * (SIMILARITY_SHARE * similarity + OVERLAP_SHARE * overlap)), DIGITS
    )


class _Nearness:
    """The similarity of the entities in a chunk to the requested names.

    `present` are all entities of a chunk, `here` the requested ones among them.
    """

    def __init__(self, wanted: Sequence[Collection[int]], vectors: EntityVectors) -> None:
        self._wanted = wanted
        self._rows = vectors.rows
        self._cosines = [_cosines(meanings, vectors) for meanings in wanted]
        others = np.ones(len(vectors.rows), np.bool_)
        others[
            [self._rows[one] for meanings in wanted for one in meanings if one in self._rows]
        ] = 0
        self._most = [cosines.max(initial=0.0, where=others) for cosines in self._cosines]

    def of(self, present: Collection[int], here: Collection[int]) -> float:
        """Return the mean, over the names, of the similarity of the nearest entity."""
        at = [self._rows[one] for one in present if one in self._rows]
        return self._mean(here, [cosines[at].max(initial=0.0) for cosines in self._cosines])

    def least(self, here: Collection[int]) -> float:
        """Return the least similarity of a chunk that mentions these requested entities."""
        return self._mean(here, [0.0] * len(self._wanted))

    def most(self, here: Collection[int]) -> float:
        """Return the greatest similarity of a chunk that mentions no other requested entities."""
        own = [self._rows[one] for one in here if one in self._rows]
        return self._mean(
            here,
            [
                cosines[own].max(initial=most)
                for cosines, most in zip(self._cosines, self._most, strict=True)
            ],
        )

    def _mean(self, here: Collection[int], nearest: Sequence[float]) -> float:
        return sum(
            1.0 if any(one in meanings for one in here) else float(near)
            for meanings, near in zip(self._wanted, nearest, strict=True)
        ) / len(self._wanted)


def _cosines(meanings: Collection[int], vectors: EntityVectors) -> Floats:
    """Return the greatest cosine of every entity that has a vector with any of `meanings`."""
    own = [vectors.rows[one] for one in meanings if one in vectors.rows]
    if not own:
        return np.zeros(len(vectors.rows))
    products = vectors.vectors @ vectors.vectors[own].T
    cosines: Floats = products.max(axis=1).astype(np.float64).round(COSINE_DIGITS)
    return cosines.clip(0.0, 1.0)


class _Asked(NamedTuple):
    """A form by which a chunk mentions a requested entity."""

    chunk_id: int
    entity_id: int
    form: str


class _Present(NamedTuple):
    """An entity that a chunk mentions."""

    chunk_id: int
    entity_id: int


def _entities_of(view: View, chunk_ids: Sequence[int]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for one in view.fetch(_Present, _present(view), chunk_ids=chunk_ids):
        found[one.chunk_id].add(one.entity_id)
    return found


@prepared
def _asked(scope: Scope) -> Query:
    mention = scope.mention
    return (
        select(mention.c.chunk_id, mention.c.entity_id, mention.c.form)
        .where(mention.c.entity_id.in_(bindparam("entity_ids", expanding=True)))
        .distinct()
    )


@prepared
def _present(scope: Scope) -> Query:
    mention = scope.mention
    return select(mention.c.chunk_id, mention.c.entity_id).where(
        is_one_of(mention.c.chunk_id, "chunk_ids")
    )

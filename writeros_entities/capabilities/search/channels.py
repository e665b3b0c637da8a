"""The channels of search, each of which scores every visible chunk.

They are full text, vectors, the names in a query, and the entities in the best candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.capabilities.search.entity_scores import score_entities, score_names
from writeros_entities.capabilities.search.full_text import rarity, score_nearby, score_text
from writeros_entities.capabilities.search.near_words import find_near_words
from writeros_entities.store.chunk_vectors import best_windows, read_candidate_vectors
from writeros_entities.store.similarity import top_k

if TYPE_CHECKING:
    from collections.abc import Sequence

    from writeros_entities.arrays import Flags, Floats, Integers
    from writeros_entities.capabilities.search.near_words import NearWords
    from writeros_entities.capabilities.search.query_terms import QueryTerm
    from writeros_entities.capabilities.search.vectors import QueryVector
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.story.naming import Named
    from writeros_entities.view import View

DEPTH = 200
"""The most candidates that each channel contributes."""

REASONS = 5
"""The most reasons that a channel gives for a chunk."""


@dataclass(frozen=True, eq=False)
class Channel:
    """A score for every visible chunk, 0 for no match, and reasons by row.

    `is_absolute` marks a scale that ends at 1 by itself, such as a cosine.
    """

    name: str
    weight: float
    scores: Floats
    explain: Callable[[int], tuple[str, ...]]
    is_absolute: bool = False

    def best(self, allowed: Flags) -> Integers:
        """Return the rows of the `DEPTH` highest-scoring allowed chunks, ties in reading order."""
        rows = np.flatnonzero((self.scores > 0) & allowed)
        return rows[top_k(self.scores[rows], DEPTH)]

    def parts(self, rows: Integers) -> Floats:
        """Return what the channel adds to the scores of these rows: at most its weight.

        Absolute scores are used as they are, others are divided by the greatest of these rows if
        that is above 1.
        """
        scores = np.maximum(self.scores[rows], 0.0)
        greatest = 1.0 if self.is_absolute else scores.max(initial=1.0)
        part: Floats = self.weight * scores / greatest
        return part


class FullText:
    """The full-text channel; words with a similar meaning can be added to its scores later.

    `shares` is what each term adds to each chunk, `nearby` what it adds to the chunks beside, both
    (terms, chunks); `most` is the greatest possible sum.
    """

    def __init__(
        self, terms: Sequence[QueryTerm], shares: Floats, nearby: Floats, most: float
    ) -> None:
        self._terms, self._shares, self._nearby, self._most = terms, shares, nearby, most
        self._by_meaning: dict[int, list[tuple[str, float]]] = {}
        scores = (shares.sum(axis=0) + nearby.sum(axis=0)) / most
        self.channel = _absolute("text", 1.0, scores, self._explain)

    def add_near_words(self, near: NearWords) -> None:
        """Raise the scores of chunks with words near in meaning to a term (see `near_words`)."""
        for term, share, nearby in zip(self._terms, self._shares, self._nearby, strict=True):
            by_meaning = near.shares(term)
            if by_meaning is None:
                continue
            known = share[near.rows] + nearby[near.rows]
            added = np.maximum(rarity(share) * by_meaning - known, 0.0)
            self.channel.scores[near.rows] += added / self._most
            is_there = share[near.rows] > 0
            share[near.rows[is_there]] += added[is_there]
            for row, one in zip(
                near.rows[~is_there].tolist(), added[~is_there].tolist(), strict=True
            ):
                self._by_meaning.setdefault(row, []).append((f"like {term.shown}", one))

    def _explain(self, row: int) -> tuple[str, ...]:
        spelt = [term.shown for term in self._terms]
        found = [*zip(spelt, self._shares[:, row].tolist(), strict=True)]
        beside = [f"{shown} nearby" for shown in spelt]
        found += zip(beside, self._nearby[:, row].tolist(), strict=True)
        return _greatest([*found, *self._by_meaning.get(row, ())])


def text_and_name_channels(
    view: View, chunks: Chunks, terms: Sequence[QueryTerm], named: Named, boost: float
) -> tuple[FullText, Channel]:
    """Return the channels of full text and of the names in the query: BM25F over words, and over
    mentions (see `full_text`, `entity_scores`).

    A name is a term among others: the scores of both are divided by the greatest possible sum over
    all terms and names. `boost` is the weight of the names.
    """
    by_word = score_text(view, chunks, terms)
    by_name, most_by_name = score_names(view, chunks, named)
    most = sum(rarity(share) for share in by_word) + most_by_name or 1.0
    return (
        FullText(terms, by_word, score_nearby(chunks, by_word), most),
        _absolute(
            "names",
            boost,
            by_name.shares.sum(axis=0) / most,
            _by_share(by_name.names, by_name.shares),
        ),
    )


class Vectors:
    """The vector channel: the cosines of the chunks nearest to a query, 0 for the others.

    `fill` scores the candidates of other channels, `rerank` rescores the best.
    """

    def __init__(
        self, view: View, chunks: Chunks, query: QueryVector, note_ids: Collection[int] | None
    ) -> None:
        self._view, self._chunks, self._query = view, chunks, query
        scores = np.zeros(len(chunks))
        vectors = view.engine.vectors
        nearest = vectors.nearest_chunks(view, query.model, query.vector, DEPTH, note_ids)
        scores[chunks.rows_of(nearest.chunk_ids)] = nearest.cosines
        self.channel = _absolute("vector", 1.0, scores, lambda row: (f"cosine {scores[row]:.4f}",))

    def fill(self, rows: Integers) -> None:
        """Score candidates from other channels."""
        chunks, scores = self._chunks, self.channel.scores
        unknown = chunks.ids[rows[scores[rows] == 0]].tolist()
        view, query = self._view, self._query
        found = view.engine.vectors.chunk_cosines(view, query.model, query.vector, unknown)
        ids = np.fromiter(found, np.int64, len(found))
        scores[chunks.rows_of(ids)] = np.fromiter(found.values(), np.float64, len(found))

    def rerank(self, rows: Integers, text: FullText | None) -> None:
        """Rescore rows by their windows and words, and add words near in meaning to the full text.

        The new score is the mean of the chunk's cosine, the greatest cosine of its windows (or its
        own again, if it has none), and, with word vectors, the mean nearness to the query's words:
        ((cosine + window) / 2 · 2 + words) / 3.
        """
        query, scores = self._query, self.channel.scores
        ids = self._chunks.ids[rows]
        packed = read_candidate_vectors(self._view, query.model, ids)
        cosines = scores[rows]
        windows = best_windows(packed.windows, query.vector)
        pairs = zip(ids.tolist(), cosines.tolist(), strict=True)
        best = np.array([windows.get(chunk, cosine) for chunk, cosine in pairs])
        scores[rows] = (cosines + best) / 2
        if query.words is None:
            return
        near = find_near_words(self._chunks, query.words, packed)
        if near is not None:
            scores[near.rows] = (2 * scores[near.rows] + near.mean()) / 3
            if text is not None:
                text.add_near_words(near)


def entities_channel(
    view: View, chunks: Chunks, named: Named, rows: Integers, scores: Floats, weight: float
) -> Channel:
    """Return the channel of the entities in the best of these rows (see `entity_scores`).

    Entities that the query names are left out: the `names` channel scores them.
    """
    found = score_entities(
        view, chunks, rows, scores, besides={one.entity.id for one in named.entities}
    )
    spread = np.zeros(len(chunks))
    spread[rows] = found.shares.sum(axis=0)
    explain = _by_share(found.names, found.shares)
    places = {row: place for place, row in enumerate(rows.tolist())}
    return Channel("entities", weight, spread, lambda row: explain(places[row]))


def _absolute(
    name: str, weight: float, scores: Floats, explain: Callable[[int], tuple[str, ...]]
) -> Channel:
    return Channel(name, weight, scores, explain, is_absolute=True)


def _by_share(names: Sequence[str], shares: Floats) -> Callable[[int], tuple[str, ...]]:
    return lambda row: _greatest([*zip(names, shares[:, row].tolist(), strict=True)])


def _greatest(shares: Sequence[tuple[str, float]]) -> tuple[str, ...]:
    best = sorted(shares, key=lambda one: -one[1])[:REASONS]
    return tuple(f"{name} {share:.2f}" for name, share in best if share > 0)

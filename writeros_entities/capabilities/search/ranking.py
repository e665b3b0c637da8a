"""Rank chunks by full text, vectors and names (hybrid search).

The best chunks of every channel are candidates, and each candidate is scored by every channel:

    score(d) = (base(d) / max base + W_e · entities(d)) / (1 + W_e)
    base(d)  = text(d) + names(d) + vector(d)

- text and names: BM25F over words, and over the mentions of the entities in the query, divided by
  the greatest score that a chunk could have for this query. A name is a term among others: one that
  is in every chapter counts little, a rare word counts much. With vectors, the words of a name are
  left out of the text, as vectors and names already score them;
- vector: the cosine; for the `RERANKED` best candidates, the mean of the cosine, the greatest
  cosine of the chunk's windows, and the nearness of its words to the query's. Like text and names
  it is an absolute scale that ends at 1, so these count for little if the vault has few of the
  query's words (S. Bruch, S. Gai, A. Ingber, "An Analysis of Fusion Functions for Hybrid
  Retrieval", 2023). For the same candidates, text also counts words of similar meaning (see
  `near_words`);
- entities: those that the best other candidates mention and the query does not name, by
  pseudo-relevance feedback (J. Dalton, L. Dietz, J. Allan, "Entity Query Feature Expansion using
  Knowledge Base Links", 2014), divided by the greatest score if that is above 1: weak hints count
  for little.

A channel with no score above 0 takes no part. Reciprocal rank fusion (G. Cormack, C. Clarke, S.
Büttcher, 2009) was measured too and finds less (docs/quality.md): it ignores by how much the first
hit is better than the tenth. Notes whose name or alias is the whole query come first, whatever
their scores.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from writeros_entities.capabilities.search.channels import (
    Channel,
    FullText,
    Vectors,
    entities_channel,
    text_and_name_channels,
)
from writeros_entities.capabilities.search.entity_scores import count_mentions
from writeros_entities.capabilities.search.query_terms import QueryTerm, read_query, without_names
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.similarity import first_of_each, top_k
from writeros_entities.story.naming import NOBODY, Named, find_named

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Floats, Integers
    from writeros_entities.capabilities.search.vectors import QueryVector
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.view import View

Mode = Literal["hybrid", "text", "vector"]

ENTITIES_WEIGHT = 0.2

RERANKED = 100
"""How many candidates are rescored by their windows and words."""

DIGITS = 4


@dataclass(frozen=True, slots=True)
class Filter:
    """Restrict hits to chunks of some notes, and to chunks that mention all of some entities.

    `note_ids=None` allows all notes, an empty `mentioning` all chunks.
    """

    note_ids: Collection[int] | None = None
    mentioning: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class ChannelScore:
    """How a channel ranks a chunk: rank (None beyond its best), score, share of total, reasons."""

    channel: str
    rank: int | None
    score: float
    share: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found; `is_exact` if the query is the name, alias or title of its note.

    `more_here` counts the other chunks of its note that were found, if these are left out.
    """

    chunk_id: int
    score: float
    is_exact: bool
    channel_scores: tuple[ChannelScore, ...]
    more_here: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A page of hits, the number of all of them, and what was parsed from the query."""

    hits: tuple[Hit, ...]
    total: int
    named: Named
    terms: tuple[QueryTerm, ...]


def search(
    view: View,
    query: str,
    *,
    mode: Mode = "hybrid",
    vector: QueryVector | None = None,
    entity_boost: float = 1.0,
    only: Filter | None = None,
    page: slice = slice(0, 10),
    by_note: bool = False,
) -> Found:
    """Return a page of the chunks that answer a query best; `by_note`, only the best of each note.

    The vector channel takes part only if a `vector` is given. `entity_boost` multiplies the weights
    of the channels `names` and `entities`. Consecutive pages join to one ranking.
    """
    chunks = visible_chunks(view)
    only = only or Filter()
    terms = read_query(query)
    named = find_named(view, query)
    channels: list[Channel] = []
    text = vectors = None
    if mode == "text":
        channels.append(
            text_and_name_channels(view, chunks, terms, NOBODY, entity_boost)[0].channel
        )
    elif mode == "hybrid":
        asked = terms if vector is None else _besides_names(terms, named)
        text, by_name = text_and_name_channels(view, chunks, asked, named, entity_boost)
        channels += [text.channel, by_name]
    if mode != "text" and vector is not None:
        vectors = Vectors(view, chunks, vector, only.note_ids)
        channels.insert(1, vectors.channel)
    allowed = _allowed(view, chunks, only)
    best = [channel.best(allowed) for channel in channels]
    exact = [np.flatnonzero(allowed & (chunks.note_ids == note)) for note in named.exact]
    rows = np.unique(np.concatenate([*best, *exact, np.empty(0, np.int64)]))
    if vectors is not None:
        _score_by_vectors(vectors, channels, rows, text)
    if mode == "hybrid":
        total = _total(channels, rows)
        weight = ENTITIES_WEIGHT * entity_boost
        channels.append(entities_channel(view, chunks, named, rows, total, weight))
    seen = np.zeros_like(allowed)
    seen[rows] = True
    best = [channel.best(seen) for channel in channels]
    ranking = _Ranking(chunks, rows, channels, best)
    order = _exact_first(ranking.order(), rows, exact)
    notes = chunks.note_ids[rows]
    if by_note:
        order = order[first_of_each(notes[order])]
    first = set(named.exact)
    hits = [ranking.hit(int(at), int(notes[at]) in first) for at in order[page]]
    if by_note:
        here = [int(np.count_nonzero(notes == notes[at])) for at in order[page]]
        hits = [replace(hit, more_here=n - 1) for hit, n in zip(hits, here, strict=True)]
    return Found(tuple(hits), len(order), named, terms)


def _besides_names(terms: Sequence[QueryTerm], named: Named) -> Sequence[QueryTerm]:
    return without_names(terms, [one.surface for one in named.entities])


def _score_by_vectors(
    vectors: Vectors, channels: Sequence[Channel], rows: Integers, text: FullText | None
) -> None:
    """Score all rows by the vectors, then rerank those with the best total so far."""
    vectors.fill(rows)
    vectors.rerank(rows[np.sort(top_k(_total(channels, rows), RERANKED))], text)


def _parts(channels: Sequence[Channel], rows: Integers) -> Floats:
    """Return what each channel adds to each row: (channels, rows).

    The sum of the absolute channels is scaled so that its maximum is 1.
    """
    parts = np.array([channel.parts(rows) for channel in channels]).reshape(
        len(channels), len(rows)
    )
    absolute = np.array([channel.is_absolute for channel in channels], np.bool_)
    parts[absolute] /= parts[absolute].sum(axis=0).max(initial=0.0) or 1.0
    return parts


def _total(channels: Sequence[Channel], rows: Integers) -> Floats:
    """Return the sum over all channels for each row."""
    total: Floats = _parts(channels, rows).sum(axis=0).round(DIGITS)
    return total


def score_chunks(
    view: View,
    query: str,
    chunk_ids: Collection[int],
    vector: QueryVector | None = None,
) -> dict[int, float]:
    """Return how well each of these chunks answers a query, in 0-1.

    Chunks are scored as by `search` with these as the only candidates, except that the `entities`
    channel is left out: callers have chosen the chunks by the entities that they mention.
    """
    chunks = visible_chunks(view)
    rows = np.sort(chunks.rows_of(np.fromiter(chunk_ids, np.int64)))
    named = find_named(view, query)
    terms: Sequence[QueryTerm] = read_query(query)
    asked = terms if vector is None else _besides_names(terms, named)
    text, by_name = text_and_name_channels(view, chunks, asked, named, 1.0)
    channels = [text.channel, by_name]
    if vector is not None:
        vectors = Vectors(view, chunks, vector, None)
        channels.insert(1, vectors.channel)
        _score_by_vectors(vectors, channels, rows, text)
    ranking = _Ranking(chunks, rows, channels, [rows[:0]] * len(channels))
    return dict(zip(chunks.ids[rows].tolist(), ranking.scores.tolist(), strict=True))


class _Ranking:
    """Candidates, given by row, with what every channel adds to each."""

    def __init__(
        self,
        chunks: Chunks,
        rows: Integers,
        channels: Sequence[Channel],
        best: Sequence[Integers],
    ) -> None:
        self._chunks, self._rows, self._channels = chunks, rows, channels
        self._ranks = [{row: at for at, row in enumerate(one.tolist(), start=1)} for one in best]
        parts = _parts(channels, rows)
        weights = [0.0 if one.is_absolute else one.weight for one in channels]
        most = float(
            any(one.is_absolute and part.any() for one, part in zip(channels, parts, strict=True))
        )
        most += sum(weight for weight, part in zip(weights, parts, strict=True) if part.any())
        self._parts = (parts / (most or 1.0)).round(DIGITS)
        self.scores = np.minimum(self._parts.sum(axis=0).round(DIGITS), 1.0)  # shares round up

    def order(self) -> Integers:
        """Return the indexes of the candidates, best first, ties in reading order."""
        return np.lexsort((self._rows, -self.scores))

    def hit(self, at: int, is_exact: bool) -> Hit:
        """Return the candidate at an index."""
        row = int(self._rows[at])
        channel_scores = tuple(
            ChannelScore(
                channel.name,
                ranks.get(row),
                round(float(channel.scores[row]), DIGITS),
                round(float(part[at]), DIGITS),
                channel.explain(row),
            )
            for channel, ranks, part in zip(self._channels, self._ranks, self._parts, strict=True)
            if part[at] > 0
        )
        return Hit(int(self._chunks.ids[row]), float(self.scores[at]), is_exact, channel_scores)


def _exact_first(order: Integers, rows: Integers, exact: Sequence[Integers]) -> Integers:
    """Return the order with the best chunk of each exact note moved to the front."""
    front: list[int] = []
    for of_note in exact:
        found = order[np.isin(rows[order], of_note)]
        front += found[:1].tolist()
    return np.array([*front, *(at for at in order.tolist() if at not in front)], np.int64)


def _allowed(view: View, chunks: Chunks, only: Filter) -> Flags:
    allowed = np.ones(len(chunks), np.bool_)
    if only.note_ids is not None:
        allowed &= np.isin(chunks.note_ids, np.fromiter(only.note_ids, np.int64))
    for entity_id in only.mentioning:
        allowed &= np.isin(chunks.ids, count_mentions(view, entity_id)[0])
    return allowed

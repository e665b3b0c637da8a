"""What search asks for an opinion on every chunk.

Full text, vectors, the names in a query, and the entities in what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.query.named_chunks import score_entities, score_names
from writeros_entities.query.text import rarity, score_text
from writeros_entities.store.vectors import chunk_cosines, nearest_chunks
from writeros_entities.store.windows import best_windows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from writeros_entities.query.naming import Named
    from writeros_entities.query.wording import QueryTerm
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.store.view import View

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

DEPTH = 200
"""Chunks that each channel may bring in."""

REASONS = 5
"""Reasons that a channel gives for one chunk."""


@dataclass(frozen=True, eq=False)
class Channel:
    """An opinion: a score for every visible chunk, 0 for none, and the reasons by row."""

    name: str
    weight: float
    scores: Floats
    explain: Callable[[int], tuple[str, ...]]
    is_absolute: bool = False

    def best(self, allowed: Mask) -> Integers:
        """Return the rows of the best chunks, best first, equal ones in reading order."""
        rows = np.flatnonzero((self.scores > 0) & allowed)
        if len(rows) > DEPTH:
            scores = self.scores[rows]
            rows = rows[scores >= np.partition(scores, len(scores) - DEPTH)[-DEPTH]]
        return rows[np.lexsort((rows, -self.scores[rows]))][:DEPTH]

    def parts(self, rows: Integers) -> Floats:
        """Return what the channel adds to these rows: its weight times scores of 1 at most.

        A scale that ends at 1 by itself is taken as it is, any other by the best of these rows.
        """
        scores = np.maximum(self.scores[rows], 0.0)
        greatest = 1.0 if self.is_absolute else scores.max(initial=0.0)
        part: Floats = self.weight * (scores / greatest if greatest else scores)
        return part


@dataclass(frozen=True, eq=False)
class QueryVector:
    """The vector of a query, and the identity of the model that made it."""

    model: str
    vector: NDArray[np.float32]


def asked_channels(
    view: View, chunks: Chunks, terms: Sequence[QueryTerm], named: Named, boost: float
) -> tuple[Channel, Channel]:
    """Return the opinions of full text and of the names in the query: BM25F over words, and over
    mentions (see `text`, `named_chunks`).

    A name is a term among others: both are by the most that a chunk could have of all of them.
    `boost` is the weight of the names.
    """
    by_word = score_text(view, chunks, [term.term for term in terms])
    by_name = score_names(view, chunks, named)
    most = sum(rarity(share) for share in by_word) + by_name.most or 1.0
    spelt = [term.shown for term in terms]
    return (
        _absolute("text", 1.0, by_word.sum(axis=0) / most, _by_share(spelt, by_word)),
        _absolute(
            "names",
            boost,
            by_name.shares.sum(axis=0) / most,
            _by_share(by_name.names, by_name.shares),
        ),
    )


def vector_channel(
    view: View, chunks: Chunks, query: QueryVector, note_ids: Collection[int] | None
) -> Channel:
    """Return the opinion of the vectors: the cosines of the nearest chunks, 0 for the others."""
    scores = np.zeros(len(chunks))
    nearest = nearest_chunks(view, query.model, query.vector, DEPTH, note_ids)
    scores[chunks.rows_of(nearest.chunk_ids)] = nearest.cosines
    return _absolute("vector", 1.0, scores, lambda row: (f"cosine {scores[row]:.4f}",))


def fill_cosines(
    view: View, chunks: Chunks, query: QueryVector, channel: Channel, rows: Integers
) -> None:
    """Give the vectors' opinion on rows that other channels brought in."""
    unknown = chunks.ids[rows[channel.scores[rows] == 0]]
    _put(channel, chunks, chunk_cosines(view, query.model, query.vector, unknown.tolist()))


def look_closer(
    view: View, chunks: Chunks, query: QueryVector, channel: Channel, rows: Integers
) -> None:
    """Give the vectors' opinion on rows anew: the mean of a chunk's cosine and of the greatest of
    its windows.
    """
    found = best_windows(view, query.model, query.vector, chunks.ids[rows])
    whole = channel.scores[chunks.rows_of(np.fromiter(found, np.int64, len(found)))]
    pairs = zip(found.items(), whole.tolist(), strict=True)
    _put(channel, chunks, {chunk: (window + cosine) / 2 for (chunk, window), cosine in pairs})


def entities_channel(
    view: View, chunks: Chunks, named: Named, rows: Integers, scores: Floats, weight: float
) -> Channel:
    """Return the opinion of the entities in the best of some rows (see `named_chunks`).

    Those that the query names have been heard.
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


def _put(channel: Channel, chunks: Chunks, found: Mapping[int, float]) -> None:
    rows = chunks.rows_of(np.fromiter(found, np.int64, len(found)))
    channel.scores[rows] = np.fromiter(found.values(), np.float64, len(found))


def _by_share(names: Sequence[str], shares: Floats) -> Callable[[int], tuple[str, ...]]:
    def explain(row: int) -> tuple[str, ...]:
        column = shares[:, row]
        order = np.argsort(-column, kind="stable")[:REASONS]
        return tuple(f"{names[at]} {column[at]:.2f}" for at in order if column[at] > 0)

    return explain

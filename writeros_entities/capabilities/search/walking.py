"""Walk from a question over the names and phrases that chunks share.

The walk (see `graph.walk`) starts from the search results for the question and, with probability
`NAMED`, from the notes that the question names:

    s(chunk) = (1 - NAMED) · score⁴ / Σ score⁴ + NAMED · the chunk's share of what is named

Each name in the question has an equal share, divided among the chunks of its notes in proportion to
their search scores. If paths connect what is named, the walk starts from the passages that prove
them with a probability that grows with their strength (see `passages`), and otherwise as above.
Neither `NAMED` nor `SHARPNESS` is finely tuned: nearby values give much the same answers
(docs/quality.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.capabilities.search.phrase_graph import KINDS, load_phrase_graph
from writeros_entities.names import fold_name
from writeros_entities.store.similarity import top_k
from writeros_entities.story.listing import entities_by_id

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats
    from writeros_entities.capabilities.search.phrase_graph import PhraseGraph
    from writeros_entities.capabilities.search.question_entities import QuestionEntity
    from writeros_entities.graph.walk import Found
    from writeros_entities.story.naming import NamedNote
    from writeros_entities.view import View

NAMED = 0.5
"""The probability that the walk starts from what the question names, if it names anything."""

SHARPNESS = 4
"""The exponent of search scores: the first of two hits weighs much more."""

REASONS = 3
"""The most terms reported for a chunk."""

LEAST_SHARE = 0.05
"""The least share of a chunk's score for which a term is reported."""

DIGITS = 9


@dataclass(frozen=True, slots=True)
class Carrier:
    """A term through which the walk reached a chunk.

    `share` is the part of the chunk's score that came through it; `chunk_id` is the other chunk
    that contributed most to it.
    """

    name: str
    kind: str
    share: float
    chunk_id: int


@dataclass(frozen=True, eq=False)
class Walked:
    """The scores of chunks and terms after a walk."""

    graph: PhraseGraph
    found: Found

    def scores(self, most: int) -> dict[int, float]:
        """Return the scores of the best `most` chunks, best first, divided by the greatest.

        Ties are in reading order.
        """
        best = float(self.found.chunks.max(initial=0.0))
        if not best:
            return {}
        shares = (self.found.chunks / best).round(DIGITS)
        rows = np.flatnonzero(shares)
        rows = rows[top_k(shares[rows], most)]
        return dict(zip(self.graph.chunks.ids[rows].tolist(), shares[rows].tolist(), strict=True))

    def carriers(self, view: View, chunk_ids: Iterable[int]) -> dict[int, tuple[Carrier, ...]]:
        """Return the terms through which the walk reached each of these chunks, greatest share
        first.
        """
        carried = {chunk_id: self._carried(chunk_id) for chunk_id in chunk_ids}
        names = self.graph.names(view, (term for found in carried.values() for term, _ in found))
        return {
            chunk_id: tuple(
                Carrier(
                    names[term],
                    KINDS[int(self.graph.kind[term])],
                    round(share, 4),
                    self._origin(term, chunk_id),
                )
                for term, share in found
            )
            for chunk_id, found in carried.items()
        }

    def _carried(self, chunk_id: int) -> list[tuple[int, float]]:
        (row,) = self.graph.chunks.rows_of(np.array([chunk_id]))
        terms, shares = self.graph.ways.arrivals(self.found, int(row))
        order = np.lexsort((terms, -shares.round(DIGITS)))[:REASONS]
        return [(int(terms[at]), float(shares[at])) for at in order if shares[at] >= LEAST_SHARE]

    def _origin(self, term: int, chunk_id: int) -> int:
        """Return the other chunk that contributed most to a term."""
        rows, amounts = self.graph.ways.departures(self.found, term)
        ids = self.graph.chunks.ids[rows]
        amounts = np.where(ids == chunk_id, -1.0, amounts.round(DIGITS))
        return int(ids[np.lexsort((rows, -amounts))[0]])


def walk_from(
    view: View,
    searched: Mapping[int, float],
    named: Iterable[Collection[int]],
    proofs: Mapping[int, float],
) -> Walked:
    """Walk from chunks, weighted by their scores, from named notes, and from proofs."""
    graph = load_phrase_graph(view)
    seeds = (1 - sum(proofs.values())) * _seeds(graph, searched, named)
    seeds[graph.chunks.rows_of(np.fromiter(proofs, np.int64))] += [*proofs.values()]
    return Walked(graph, graph.ways.walk(seeds))


def notes_named(
    view: View, titled: Iterable[NamedNote], meant: Iterable[QuestionEntity]
) -> list[set[int]]:
    """Return the notes that a question names, one set for each surface form.

    They are named by their titles, or by their entities.
    """
    named: dict[str, set[int]] = defaultdict(set)
    for note in titled:
        named[fold_name(note.surface)].add(note.note_id)
    meant = list(meant)
    entities = entities_by_id(view, [one.entity_id for one in meant])
    for one in meant:
        note_id = entities[one.entity_id].note_id
        if note_id is not None:
            named[fold_name(one.surface)].add(note_id)
    return list(named.values())


def _seeds(
    graph: PhraseGraph, searched: Mapping[int, float], named: Iterable[Collection[int]]
) -> Floats:
    seeds = np.zeros(len(graph.chunks))
    rows = graph.chunks.rows_of(np.fromiter(searched, np.int64))
    seeds[rows] = np.fromiter(searched.values(), np.float64) ** SHARPNESS
    seeds /= seeds.sum() or 1.0
    own = np.zeros_like(seeds)
    for note_ids in named:
        rows = np.flatnonzero(np.isin(graph.chunks.note_ids, np.fromiter(note_ids, np.int64)))
        likely = seeds[rows] if seeds[rows].any() else np.ones(len(rows))
        own[rows] += likely / (likely.sum() or 1.0)
    if not own.any():
        return seeds
    part = NAMED if seeds.any() else 1.0
    together: Floats = (1 - part) * seeds + part * own / own.sum()
    return together

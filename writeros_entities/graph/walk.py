"""A random walk between chunks and what they speak of, which keeps coming back to where it began.

A chunk leads to its terms (entities, names, phrases), a term to the chunks that speak of it. With
the probability 1 − d the walk begins again, at a seed s; so it is found mostly near the seeds, and
at what several of them lead to. Where it is found, c at the chunks and t at the terms, is a
personalised PageRank (T. Haveliwala, "Topic-Sensitive PageRank", 2002), as B. Gutiérrez and others
use it to find what answers a question of several steps ("HippoRAG", 2024):

    c = (1 − d) · s + d · Cᵀ t        C: (terms, chunks), its rows sum to 1
    t = d · Tᵀ c                      T: (chunks, terms), its rows sum to 1

Each round puts the second equation into the first, so that what is missing shrinks by d². A chunk
without terms leads back to the seeds: then c and t keep their proportions (A. Langville, C. Meyer,
"Deeper Inside PageRank", 2004), and it is enough to have them sum to 1 at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from writeros_entities.graph.arrays import Floats, Ints

DAMPING = 0.7
"""How probably the walk goes on: two steps, from a chunk to the next, in half of all cases."""

_TOLERANCE = 1e-6
_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class Found:
    """Where a walk is found: the probability of each chunk and of each term; they sum to 1."""

    chunks: Floats
    terms: Floats


@dataclass(frozen=True, eq=False)
class Ways:
    """The ways of a walk, both as sparse columns: where it comes from, for each it can come to.

    `to_terms` is Tᵀ, (terms, chunks); `to_chunks` is Cᵀ, (chunks, terms).
    """

    to_terms: Any
    to_chunks: Any

    def walk(self, seeds: Floats, damping: float = DAMPING) -> Found:
        """Return where a walk is found that begins at chunks; the seeds sum to 1."""
        begun = (1 - damping) * seeds
        reached = begun
        at = damping * (self.to_terms @ reached)
        for _ in range(_ROUNDS):
            following = begun + damping * (self.to_chunks @ at)
            at = damping * (self.to_terms @ following)
            missing = np.abs(following - reached).sum()
            reached = following
            if missing < _TOLERANCE:
                break
        whole = float(reached.sum() + at.sum()) or 1.0
        return Found(reached / whole, at / whole)

    def arrivals(self, found: Found, chunk: int, damping: float = DAMPING) -> tuple[Ints, Floats]:
        """Return the terms by which the walk comes to a chunk, and the share of each in c."""
        row = slice(self.to_chunks.indptr[chunk], self.to_chunks.indptr[chunk + 1])
        terms = self.to_chunks.indices[row].astype(np.int64)
        came = damping * self.to_chunks.data[row] * found.terms[terms]
        return terms, came / (found.chunks[chunk] or 1.0)

    def departures(self, found: Found, term: int) -> tuple[Ints, Floats]:
        """Return the chunks from which the walk comes to a term, and how much from each."""
        row = slice(self.to_terms.indptr[term], self.to_terms.indptr[term + 1])
        chunks = self.to_terms.indices[row].astype(np.int64)
        return chunks, self.to_terms.data[row] * found.chunks[chunks]


def build_ways(chunk: Ints, term: Ints, out: Floats, back: Floats, shape: tuple[int, int]) -> Ways:
    """Return the ways along edges between chunks and terms.

    `out` is the weight of each edge from the chunk to the term, `back` that of the other direction;
    each is divided by the sum over all that leave the same place. `shape` is how many chunks and
    how many terms there are.
    """
    to_terms = _shares(chunk, out, shape[0])
    to_chunks = _shares(term, back, shape[1])
    return Ways(
        sparse.csr_array((to_terms, (term, chunk)), shape=shape[::-1]),
        sparse.csr_array((to_chunks, (chunk, term)), shape=shape),
    )


def _shares(owner: Ints, weight: Floats, size: int) -> Floats:
    whole = np.bincount(owner, weights=weight, minlength=size)
    return np.asarray(weight / whole[owner])

"""A random walk with restart between chunks and the terms that occur in them.

A chunk leads to its terms (entities, names, phrases), a term to the chunks that contain it. With
probability 1 − d the walk restarts at a seed s, so its probability is greatest near the seeds, and
at what several of them lead to. The stationary distribution, c over chunks and t over terms, is a
personalised PageRank (T. Haveliwala, "Topic-Sensitive PageRank", 2002), used for multi-step
questions as by B. Gutiérrez and others ("HippoRAG", 2024):

    c = (1 − d) · s + d · Cᵀ t        C: (terms, chunks), its rows sum to 1
    t = d · Tᵀ c                      T: (chunks, terms), its rows sum to 1

Each round substitutes the second equation into the first, so the error shrinks by d². A chunk
without terms would lead back to the seeds; leaving that out keeps the proportions of c and t (A.
Langville, C. Meyer, "Deeper Inside PageRank", 2004), and it suffices to normalise their sum at the
end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats, Integers

DAMPING = 0.7
"""The probability of continuing: a walk makes two steps, from chunk to chunk, half of the time."""

_TOLERANCE = 1e-6
_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class Found:
    """The probability of each chunk and of each term after a walk; together they sum to 1."""

    chunks: Floats
    terms: Floats


@dataclass(frozen=True, eq=False)
class Ways:
    """The transition probabilities of a walk, as sparse matrices; each row has the sources of a
    target.

    `to_terms` is Tᵀ, (terms, chunks); `to_chunks` is Cᵀ, (chunks, terms).
    """

    to_terms: Any
    to_chunks: Any

    def walk(self, seeds: Floats, damping: float = DAMPING) -> Found:
        """Return the distribution of a walk that starts from chunks; `seeds` must sum to 1."""
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

    def arrivals(
        self, found: Found, chunk: int, damping: float = DAMPING
    ) -> tuple[Integers, Floats]:
        """Return the terms that lead to a chunk, and the share of its probability from each."""
        row = slice(self.to_chunks.indptr[chunk], self.to_chunks.indptr[chunk + 1])
        terms = self.to_chunks.indices[row].astype(np.int64)
        came = damping * self.to_chunks.data[row] * found.terms[terms]
        return terms, came / (found.chunks[chunk] or 1.0)

    def departures(self, found: Found, term: int) -> tuple[Integers, Floats]:
        """Return the chunks that lead to a term, and the probability that comes from each."""
        row = slice(self.to_terms.indptr[term], self.to_terms.indptr[term + 1])
        chunks = self.to_terms.indices[row].astype(np.int64)
        return chunks, self.to_terms.data[row] * found.chunks[chunks]


def build_ways(
    chunk: Integers, term: Integers, out: Floats, back: Floats, shape: tuple[int, int]
) -> Ways:
    """Return the transition probabilities along edges between chunks and terms.

    `out` is the weight of each edge from chunk to term, `back` that of the other direction; both
    are divided by the sum over the edges from the same origin. `shape` is (chunks, terms).
    """
    to_terms = _shares(chunk, out, shape[0])
    to_chunks = _shares(term, back, shape[1])
    return Ways(
        sparse.csr_array((to_terms, (term, chunk)), shape=shape[::-1]),
        sparse.csr_array((to_chunks, (chunk, term)), shape=shape),
    )


def _shares(owner: Integers, weight: Floats, size: int) -> Floats:
    whole = np.bincount(owner, weights=weight, minlength=size)
    return np.asarray(weight / whole[owner])

"""Words of a passage that are near in meaning to the words of a query.

Each word of the query is compared with each word of the passage, by contextual vectors; the nearest
one counts (late interaction: O. Khattab, M. Zaharia, "ColBERT", 2020). The mean over the query's
words is one part of the score of the vector channel. In full text, a word counts at least

    rarity · min(max(nearness - 0.2, 0), 0.6)

whether it occurs itself or only one of similar meaning: 0.2 is about the nearness of two unrelated
words, 0.8 that of a word to itself. Names, and all other words that are capitalised in the query,
count only where they occur themselves; so do quoted phrases and prefixes, which ask for exact
letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.store.similarity.word_vectors import nearest_words
from writeros_entities.store.words.tokens import words

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats, Integers, Vectors
    from writeros_entities.query.search.query_terms import QueryTerm
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.store.similarity.candidates import CandidateVectors

UNALIKE = 0.2
"""The nearness above which a word counts as similar in meaning."""

MOST = 0.6
"""The greatest share of a word's rarity that similarity of meaning can give."""


@dataclass(frozen=True, eq=False)
class QueryWords:
    """The words of a query without stop words, as written.

    `vectors` has shape (words, dimensions).
    """

    shown: Sequence[str]
    vectors: Vectors


@dataclass(frozen=True, eq=False)
class NearWords:
    """The nearness of some chunks, given by row, to each word of a query.

    It is that of the nearest word in the chunk.
    """

    rows: Integers
    shown: Sequence[str]
    nearness: Floats

    def mean(self) -> Floats:
        """Return the mean nearness of each chunk to the words of the query."""
        mean: Floats = self.nearness.mean(axis=1)
        return mean

    def shares(self, term: QueryTerm) -> Floats | None:
        """Return the share of a term's rarity that each chunk earns by meaning, in 0-0.6.

        None for a term that must occur literally.
        """
        if term.term.is_beginning or term.shown.startswith('"'):
            return None
        cut = set(words(term.shown))
        own = [at for at, shown in enumerate(self.shown) if cut.issuperset(words(shown))]
        if not own or not all(self.shown[at].islower() for at in own):
            return None
        near: Floats = self.nearness[:, own].mean(axis=1)
        return np.clip(near - UNALIKE, 0, MOST)


def find_near_words(
    chunks: Chunks, query: QueryWords, packed: CandidateVectors
) -> NearWords | None:
    """Return the nearness of chunks to the words of a query; None if there are no word vectors."""
    if not packed.words or not query.shown:
        return None
    rows = chunks.rows_of(np.fromiter(packed.words, np.int64, len(packed.words)))
    return NearWords(rows, query.shown, nearest_words(packed.words, query.vectors))

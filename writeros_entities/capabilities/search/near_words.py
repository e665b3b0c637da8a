"""Words of a passage that are near in meaning to the words of a query.

Each word of the query is compared with each word of the passage, by contextual vectors; the nearest
one counts (late interaction: O. Khattab, M. Zaharia, "ColBERT", 2020). The mean over the query's
words is one part of the score of the vector channel. In full text, a word counts at least

    rarity · min(max(nearness - 0.2, 0), 0.6)

whether it occurs itself or only one of similar meaning: 0.2 is about the nearness of two unrelated
words, 0.8 that of a word to itself. Names, and all other words that are capitalised in the query,
count only where they occur themselves; so do quoted phrases and prefixes, which ask for exact
letters.

The sentences of a chunk that are nearest in meaning to a query.

Where a query's words do not occur, they show why the vectors found the chunk. They are the window
with the greatest cosine (see `embedding.texts`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.embedding.texts import window_spans
from writeros_entities.store.chunk_vectors import (
    nearest_window,
    nearest_words,
    read_candidate_vectors,
)
from writeros_entities.store.words import words
from writeros_entities.values import UNSEEN

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats, Integers
    from writeros_entities.capabilities.search.query_terms import QueryTerm
    from writeros_entities.capabilities.search.vectors import QueryVector, QueryWords
    from writeros_entities.store.chunk_vectors import CandidateVectors
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.story.passages import ChunkPlace
    from writeros_entities.view import View


UNALIKE = 0.2
"""The nearness above which a word counts as similar in meaning."""

MOST = 0.6
"""The greatest share of a word's rarity that similarity of meaning can give."""


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


def nearest_sentences(
    view: View, query: QueryVector | None, places: Mapping[int, ChunkPlace]
) -> dict[int, tuple[int, int]]:
    """Return the span of these sentences in each chunk's text, by chunk id.

    Short chunks, properties, and chunks with comments, which have no vectors, are left out.
    """
    texts = {
        chunk_id: place.text
        for chunk_id, place in places.items()
        if place.ordinal >= 0 and UNSEEN not in place.text
    }
    if query is None or not texts:
        return {}
    ids = np.fromiter(texts, np.int64, len(texts))
    packed = read_candidate_vectors(view, query.model, ids).windows
    found = {}
    for chunk_id, windows in packed.items():
        spans = window_spans(texts[chunk_id])
        nearest = nearest_window(windows, query.vector)
        if nearest < len(spans):
            found[chunk_id] = spans[nearest]
    return found

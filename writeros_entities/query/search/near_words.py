"""Words of a passage that mean nearly what a word of the query means.

Each word of the query is compared with each of the passage, as they are meant where they stand, and
has the nearness of the nearest (O. Khattab, M. Zaharia, "ColBERT", 2020). The mean of these is one
of the opinions that make up the vectors'. To full text, a word counts at the least

    rarity · min(max(nearness - 0.2, 0), 0.6)

whether it stands there or another that means the same: 0.2 is what any two words come to, 0.8 what
a word comes to itself. A name, and whatever else has a capital in the query, is nobody else's: it
counts where it stands alone. So do phrases in quotes and beginnings, which ask for letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.store.nearness.word_vectors import nearest_words
from writeros_entities.store.words.tokens import words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from writeros_entities.query.search.wording import QueryTerm
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.store.nearness.closer import Closer

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]

UNALIKE = 0.2
"""The nearness from which a word counts as meant."""

MOST = 0.6
"""How much of a word's rarity its meaning is worth."""


@dataclass(frozen=True, eq=False)
class QueryWords:
    """The telling words of a query as they stand there, and their vectors: (words, dimensions)."""

    shown: Sequence[str]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class NearWords:
    """How near the nearest word of some chunks, by row, comes to each word of a query.

    `nearness` has shape (rows, words).
    """

    rows: Integers
    shown: Sequence[str]
    nearness: Floats

    def mean(self) -> Floats:
        """Return how near each chunk comes to all words of the query."""
        mean: Floats = self.nearness.mean(axis=1)
        return mean

    def meant(self, term: QueryTerm) -> Floats | None:
        """Return how much of a term is meant by each chunk, in 0-0.6; None of one that has to stand
        there.
        """
        if term.term.is_beginning or term.shown.startswith('"'):
            return None
        cut = set(words(term.shown))
        own = [at for at, shown in enumerate(self.shown) if cut.issuperset(words(shown))]
        if not own or not all(self.shown[at].islower() for at in own):
            return None
        near: Floats = self.nearness[:, own].mean(axis=1)
        return np.clip(near - UNALIKE, 0, MOST)


def find_near_words(chunks: Chunks, query: QueryWords, closer: Closer) -> NearWords | None:
    """Return how near chunks come to the words of a query; None where nothing can be compared."""
    if not closer.words or not query.shown:
        return None
    rows = chunks.rows_of(np.fromiter(closer.words, np.int64, len(closer.words)))
    return NearWords(rows, query.shown, nearest_words(closer.words, query.vectors))

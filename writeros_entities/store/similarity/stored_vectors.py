"""Exact vector search in memory: the query is compared with every chunk that the view can see.

An engine only supplies the matrix and the function that reads missing vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.similarity.cosines import SPARE, Nearest, score
from writeros_entities.store.similarity.matrix import HASH
from writeros_entities.store.top_k import top_k

if TYPE_CHECKING:
    from writeros_entities.arrays import Hashes, Integers, Vector
    from writeros_entities.store.similarity.matrix import VectorMatrix
    from writeros_entities.store.view import StoredView

    Fetch = Callable[[StoredView, str, Sequence[str]], Iterable[tuple[str, bytes]]]


@dataclass(frozen=True, eq=False)
class HeldVectors:
    """A model's vectors in memory, as seen by one view.

    `fetch` reads the vectors of content hashes from the index, as bytes of float32.
    """

    view: StoredView
    model: str
    matrix: VectorMatrix
    fetch: Fetch

    def nearest(self, query: Vector, limit: int, note_ids: Collection[int] | None) -> Nearest:
        """Return the chunks nearest to a query vector."""
        chunks = visible_chunks(self.view)
        places = self._places()
        is_candidate = places >= 0
        if note_ids is not None:
            is_candidate &= np.isin(chunks.note_ids, np.fromiter(note_ids, np.int64))
        candidates = np.flatnonzero(is_candidate)
        near = self.matrix.products(query)[places[candidates]]
        best = candidates[top_k(near, limit + SPARE)]
        cosines = score(self.matrix.vectors(places[best]), query)
        order = np.lexsort((best, -cosines))[:limit]
        return Nearest(chunks.ids[best[order]], cosines[order])

    def cosines(self, query: Vector, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosines of a query vector with chunks."""
        chunks = visible_chunks(self.view)
        asked = chunks.rows_of(np.array(chunk_ids, np.int64))
        places = self._places()[asked]
        asked, places = asked[places >= 0], places[places >= 0]
        cosines = score(self.matrix.vectors(places), query)
        return dict(zip(chunks.ids[asked].tolist(), cosines.tolist(), strict=True))

    def load(self, content_hashes: Sequence[str]) -> dict[str, Vector]:
        """Return the vectors of texts."""
        places = self._find(np.array(content_hashes, HASH))
        found = self.matrix.vectors(places[places >= 0])
        names = [name for name, at in zip(content_hashes, places, strict=True) if at >= 0]
        return dict(zip(names, found, strict=True))

    def count(self) -> int:
        """Return how many chunks have a vector."""
        return int((self._places() >= 0).sum())

    def _places(self) -> Integers:
        """Return the matrix row of each visible chunk's vector, or -1."""
        name = ("vectors", self.model, self.view.vector_revision)
        chunks = visible_chunks(self.view)
        return self.view.kept(name, lambda: self._find(chunks.hashes))

    def _find(self, hashes: Hashes) -> Integers:
        def fetch(missing: Hashes) -> Iterable[tuple[str, bytes]]:
            return self.fetch(self.view, self.model, [one.decode() for one in missing.tolist()])

        return self.matrix.find(hashes, fetch)

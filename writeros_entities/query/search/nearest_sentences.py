"""The sentences of a chunk that are nearest in meaning to a query.

Where a query's words do not occur, they show why the vectors found the chunk. They are the window
with the greatest cosine (see `embedding.windows`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.embedding.windows import window_spans
from writeros_entities.store.similarity.candidates import read_candidate_vectors
from writeros_entities.store.similarity.windows import nearest_window
from writeros_entities.values import UNSEEN

if TYPE_CHECKING:
    from writeros_entities.query.search.channels import QueryVector
    from writeros_entities.query.vault.places import ChunkPlace
    from writeros_entities.store.view import View


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

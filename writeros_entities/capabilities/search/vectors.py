"""Embed a query, or say why that is not possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from writeros_entities.arrays import Vector, Vectors
    from writeros_entities.embedding import Embedder
    from writeros_entities.view import View


@dataclass(frozen=True, eq=False)
class QueryWords:
    """The words of a query without stop words, as written.

    `vectors` has shape (words, dimensions).
    """

    shown: Sequence[str]
    vectors: Vectors


@dataclass(frozen=True, eq=False)
class QueryVector:
    """The vector of a query, the identity of its model, and its word vectors if there are any."""

    model: str
    vector: Vector
    words: QueryWords | None = None


class VectorOfQuery(NamedTuple):
    """The vector of a query, if any, and a remark about missing vectors."""

    query: QueryVector | None
    remark: str | None


def embed_query(view: View, text: str) -> VectorOfQuery:
    """Return the vector of a query, with a remark if all or some chunks have no vector yet."""
    from writeros_entities.errors import ModelError
    from writeros_entities.store.chunks import visible_chunks

    embedder = view.embedder()
    if embedder is None:
        return VectorOfQuery(None, why_without(view))
    chunks = len(visible_chunks(view))
    ready = view.engine.vectors.count_chunks_with_vectors(view, embedder.identity)
    if not ready and chunks:
        return VectorOfQuery(None, "Without vectors: none are made yet; `sync` makes them.")
    remark = f"{chunks - ready:,} of {chunks:,} passages wait for their vectors; `sync` makes them."
    try:
        query = _query_vector(embedder, text)
    except ModelError as error:
        return VectorOfQuery(None, f"Without vectors: {error}")
    return VectorOfQuery(query, remark if ready < chunks else None)


def _query_vector(embedder: Embedder, text: str) -> QueryVector:
    if not embedder.has_words:
        return QueryVector(embedder.identity, embedder.embed_query(text))
    read = embedder.embed_query_words(text)
    words = QueryWords([text[start:end] for start, end in read.spans], read.words)
    return QueryVector(embedder.identity, read.whole, words)


def why_without(view: View) -> str | None:
    """Return why there are no vectors; None if there are, or if the settings want none."""
    trouble = view.embedding_trouble()
    return f"Without vectors: {trouble}" if trouble and view.settings.embedding_model else None

"""Vectors on SQLite: bytes in rows, searched exactly in memory (`similarity`)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from writeros_entities.store import rows
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.similarity import HeldVectors, VectorMatrix

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.arrays import Vector
    from writeros_entities.store.similarity import Nearest
    from writeros_entities.store.view import StoredView

MANY = 2_000
"""From this many hashes on, all vectors of the model are read in one query."""


def nearest_chunks(
    view: StoredView,
    model: str,
    query: Vector,
    limit: int,
    note_ids: Collection[int] | None = None,
) -> Nearest:
    """Return the chunks nearest to a query vector."""
    return _held(view, model, len(query)).nearest(query, limit, note_ids)


def chunk_cosines(
    view: StoredView, model: str, query: Vector, chunk_ids: Sequence[int]
) -> dict[int, float]:
    """Return the cosines of a query vector with chunks."""
    return _held(view, model, len(query)).cosines(query, chunk_ids)


def load_vectors(view: StoredView, model: str, content_hashes: Sequence[str]) -> dict[str, Vector]:
    """Return the vectors of texts."""
    dimensions = _dimensions(view, model)
    if dimensions is None or not content_hashes:
        return {}
    return _held(view, model, dimensions).load(content_hashes)


def count_chunks_with_vectors(view: StoredView, model: str) -> int:
    """Return how many chunks have a vector."""
    dimensions = _dimensions(view, model)
    return 0 if dimensions is None else _held(view, model, dimensions).count()


def index_vectors(connection: Connection, model: str) -> bool:
    """Do nothing: every vector is compared."""
    return False


def _held(view: StoredView, model: str, dimensions: int) -> HeldVectors:
    def make() -> VectorMatrix:
        return VectorMatrix(dimensions, _file(view, model))

    matrix = view.cache.get_lasting(("vectors", model, dimensions), make)
    return HeldVectors(view, model, matrix, _fetch)


def _file(view: StoredView, model: str) -> Path:
    """Return the path of the matrix file beside the database."""
    database = view.connection.engine.url.database
    digest = hashlib.blake2b(model.encode(), digest_size=4).hexdigest()
    return Path(f"{database}-vectors-{view.vault_id}-{digest}")


@prepared
def _one_vector(scope: Scope) -> Query:
    embedding = scope.embedding
    return select(embedding.c.vector).where(embedding.c.model == bindparam("model")).limit(1)


@prepared
def _all_vectors(scope: Scope) -> Query:
    embedding = scope.embedding
    return select(embedding.c.content_hash, embedding.c.vector).where(
        embedding.c.model == bindparam("model")
    )


@prepared
def _some_vectors(scope: Scope) -> Query:
    embedding = scope.embedding
    return select(embedding.c.content_hash, embedding.c.vector).where(
        embedding.c.model == bindparam("model"), is_one_of(embedding.c.content_hash, "hashes")
    )


def _fetch(view: StoredView, model: str, hashes: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    if len(hashes) >= MANY:
        wanted = set(hashes)
        found = view.lookup(_all_vectors(view), model=model)
        yield from ((name, vector) for name, vector in found.items() if name in wanted)
        return
    for batch in rows.batches(hashes):
        yield from view.lookup(_some_vectors(view), model=model, hashes=batch).items()


def _dimensions(view: StoredView, model: str) -> int | None:
    """Return the length of a model's vectors, or None if it has none yet."""
    found = view.scalars(_one_vector(view), model=model)
    return len(found[0]) // 4 if found else None

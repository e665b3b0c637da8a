"""Vectors on SQLite: bytes in rows, searched exactly in a matrix in memory (see `matrix`)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Select, bindparam, select

from writeros_entities.store import rows, vectors
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.sqlite.matrix import HASH, VectorMatrix
from writeros_entities.store.view import Scope, prepared

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from writeros_entities.store.chunks import Chunks
    from writeros_entities.store.sqlite.matrix import Hashes, Integers
    from writeros_entities.store.vectors import Nearest
    from writeros_entities.store.view import View

MANY = 2_000
"""From so many hashes on, all vectors of the model are read at once."""


def nearest_chunks(
    view: View,
    model: str,
    query: NDArray[np.float32],
    limit: int,
    note_ids: Collection[int] | None,
) -> Nearest:
    """Return the chunks nearest to a query; see `store.vectors`."""
    chunks = visible_chunks(view)
    matrix = _matrix(view, model, len(query))
    places = _places(view, model, matrix, chunks)
    is_candidate = places >= 0
    if note_ids is not None:
        is_candidate &= np.isin(chunks.note_ids, np.fromiter(note_ids, np.int64))
    candidates = np.flatnonzero(is_candidate)
    near = matrix.products(query)[places[candidates]]
    best = candidates[_greatest(near, limit + vectors.SPARE)]
    cosines = vectors.score(matrix.vectors(places[best]), query)
    order = np.lexsort((best, -cosines))[:limit]
    return vectors.Nearest(chunks.ids[best[order]], cosines[order])


def chunk_cosines(
    view: View, model: str, query: NDArray[np.float32], chunk_ids: Sequence[int]
) -> dict[int, float]:
    """Return the cosine of a query with chunks; see `store.vectors`."""
    chunks = visible_chunks(view)
    matrix = _matrix(view, model, len(query))
    asked = chunks.rows_of(np.array(chunk_ids, np.int64))
    places = _places(view, model, matrix, chunks)[asked]
    asked, places = asked[places >= 0], places[places >= 0]
    cosines = vectors.score(matrix.vectors(places), query)
    return dict(zip(chunks.ids[asked].tolist(), cosines.tolist(), strict=True))


def load_vectors(
    view: View, model: str, content_hashes: Sequence[str]
) -> dict[str, NDArray[np.float32]]:
    """Return the vectors of texts; see `store.vectors`."""
    dimensions = _dimensions(view, model)
    if dimensions is None or not content_hashes:
        return {}
    matrix = _matrix(view, model, dimensions)
    wanted = np.array(content_hashes, HASH)
    places = matrix.find(wanted, lambda missing: _fetch(view, model, missing))
    found = matrix.vectors(places[places >= 0])
    names = [name for name, place in zip(content_hashes, places, strict=True) if place >= 0]
    return dict(zip(names, found, strict=True))


def count_chunks_with_vectors(view: View, model: str) -> int:
    """Return how many chunks have a vector; see `store.vectors`."""
    dimensions = _dimensions(view, model)
    if dimensions is None:
        return 0
    matrix = _matrix(view, model, dimensions)
    return int((_places(view, model, matrix, visible_chunks(view)) >= 0).sum())


def index_vectors(connection: Connection, model: str) -> bool:
    """Do nothing: every vector is compared."""
    return False


def _greatest(values: NDArray[np.float32], number: int) -> Integers:
    """Return the places of the greatest values, greatest first, of equal ones the first first."""
    if number < len(values):
        least = np.partition(values, len(values) - number)[len(values) - number]
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    return places[np.lexsort((places, -values[places]))][:number]


def _matrix(view: View, model: str, dimensions: int) -> VectorMatrix:
    def make() -> VectorMatrix:
        return VectorMatrix(dimensions, _file(view, model))

    return view.kept.get_lasting(("vectors", model, dimensions), make)


def _file(view: View, model: str) -> Path | None:
    """Return where the matrix is mirrored: beside the database, if that is a file."""
    database = view.connection.engine.url.database
    if not database or database == ":memory:":
        return None
    digest = hashlib.blake2b(model.encode(), digest_size=4).hexdigest()
    return Path(f"{database}-vectors-{view.vault_id}-{digest}")


def _places(view: View, model: str, matrix: VectorMatrix, chunks: Chunks) -> Integers:
    """Return the row of each chunk's vector, or -1."""

    def find() -> Integers:
        return matrix.find(chunks.hashes, lambda missing: _fetch(view, model, missing))

    name = ("vectors", model, view.vector_revision, view.as_of)
    return view.kept.get(view.revision, name, find)


@prepared
def _one_vector(scope: Scope) -> Select[Any]:
    embedding = scope.embedding
    return select(embedding.c.vector).where(embedding.c.model == bindparam("model")).limit(1)


@prepared
def _all_vectors(scope: Scope) -> Select[Any]:
    embedding = scope.embedding
    return select(embedding.c.content_hash, embedding.c.vector).where(
        embedding.c.model == bindparam("model")
    )


@prepared
def _some_vectors(scope: Scope) -> Select[Any]:
    embedding = scope.embedding
    return select(embedding.c.content_hash, embedding.c.vector).where(
        embedding.c.model == bindparam("model"),
        embedding.c.content_hash.in_(bindparam("hashes", expanding=True)),
    )


def _fetch(view: View, model: str, missing: Hashes) -> Iterator[tuple[str, bytes]]:
    hashes = [name.decode() for name in missing.tolist()]
    if len(hashes) >= MANY:
        wanted = set(hashes)
        found = view.tuples(_all_vectors(view), model=model)
        yield from ((name, vector) for name, vector in found if name in wanted)
        return
    for batch in rows.batches(hashes):
        yield from view.tuples(_some_vectors(view), model=model, hashes=batch)


def _dimensions(view: View, model: str) -> int | None:
    """Return the length of a model's vectors, or None where there is none yet."""
    found = view.tuples(_one_vector(view), model=model)
    return len(found[0][0]) // 4 if found else None

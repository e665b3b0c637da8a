"""Vectors on PostgreSQL: stored by pgvector, compared by the server or in memory, scored here.

The first query of a reader is answered by the server, which compares all vectors. From the second
query on, the reader holds the vectors in memory, as on SQLite (see `similarity`):
loading them takes a few times as long as one query, and each later query a tenth. Either way the
final cosines are computed here from the vectors themselves, so that both engines give the same
scores.

From `MANY` vectors on, they stay on the server, where an HNSW index finds nearly all of the
nearest; pgvector's iterative scan (`hnsw.iterative_scan`) passes over the vectors that the view
cannot see.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Text, bindparam, cast, func, select, text

from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.columns import STORED, is_one_of
from writeros_entities.store.engines.postgres.rows import fetch_binary
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.similarity import (
    SPARE,
    HeldVectors,
    Nearest,
    VectorMatrix,
    score,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.arrays import Floats, Integers, Vector
    from writeros_entities.store.rows import Statement
    from writeros_entities.store.view import StoredView

MANY = 100_000
"""From this many vectors of a model on, an index is used, and no reader holds them in memory, where
they would take 150 MB (at 384 dimensions).
"""

CANDIDATES = 240
"""`hnsw.ef_search`: how many vectors one scan of the index yields. More than a search asks for, as
another iteration takes half as long again.
"""


def nearest_chunks(
    view: StoredView,
    model: str,
    query: Vector,
    limit: int,
    note_ids: Collection[int] | None = None,
) -> Nearest:
    """Return the chunks nearest to a query vector."""
    is_few = count_chunks_with_vectors(view, model) < MANY
    if is_few and _has_asked_before(view, model):
        return _hold(view, model, len(query)).nearest(query, limit, note_ids)
    chunks = visible_chunks(view)
    if not limit or not len(chunks):
        return Nearest(np.empty(0, np.int64), np.empty(0, np.float64))
    values: dict[str, object] = {"model": model, "query": query, "most": limit + SPARE}
    if note_ids is not None:
        values["notes"] = sorted(note_ids)
    if not is_few:
        _read_on(view.connection)
    dimensions = None if is_few else len(query)
    statement = _nearest(dimensions, in_notes=note_ids is not None)(view)
    ids, cosines = _scored(view.lookup(statement, **values), query)
    rows = chunks.rows_of(ids)
    best = np.lexsort((rows, -cosines))[:limit]
    return Nearest(ids[best], cosines[best])


def chunk_cosines(
    view: StoredView, model: str, query: Vector, chunk_ids: Sequence[int]
) -> dict[int, float]:
    """Return the cosines of a query vector with chunks."""
    held = _held(view, model)
    if held is not None:
        return held.cosines(query, chunk_ids)
    found = view.lookup(_of_chunks(view), model=model, ids=chunk_ids)
    ids, cosines = _scored(found, query)
    return dict(zip(ids.tolist(), cosines.tolist(), strict=True))


def load_vectors(view: StoredView, model: str, content_hashes: Sequence[str]) -> dict[str, Vector]:
    """Return the vectors of texts."""
    held = _held(view, model)
    if held is not None:
        return held.load(content_hashes)
    found = view.lookup(_of_hashes(view), model=model, hashes=content_hashes)
    return {content_hash: _read(stored) for content_hash, stored in found.items()}


def count_chunks_with_vectors(view: StoredView, model: str) -> int:
    """Return how many chunks have a vector."""
    name = ("chunks with vectors", model, view.vector_revision)
    return view.kept(name, lambda: int(view.scalar(_count(view), model=model)))


def index_vectors(connection: Connection, model: str) -> bool:
    """Build the HNSW index over a model's vectors if there are `MANY`; return whether it did.

    It takes a minute or more for 100,000 vectors; meanwhile writers wait, readers do not.
    """
    name = _index_name(model)
    if connection.scalar(text("SELECT to_regclass(:name)"), {"name": name}) is not None:
        return False
    values = {"model": model}
    number = text("SELECT count(*) FROM embedding WHERE model = :model")
    if connection.scalar(number, values) < MANY:
        return False
    width = text("SELECT vector_dims(vector) FROM embedding WHERE model = :model LIMIT 1")
    dimensions = connection.scalar(width, values)
    literal = connection.scalar(text("SELECT quote_literal(:model)"), values)
    statement = (
        f"CREATE INDEX {name} ON embedding USING hnsw "
        f"((vector::vector({dimensions})) vector_cosine_ops) WHERE model = {literal}"
    )
    connection.exec_driver_sql(statement.replace("%", "%%"))
    connection.execute(
        text("CREATE INDEX IF NOT EXISTS ix_chunk_content_hash ON chunk (vault_id, content_hash)")
    )
    return True


def _has_asked_before(view: StoredView, model: str) -> bool:
    """Return whether this reader has searched these vectors before, and count the search."""
    return next(view.cache.get_lasting(("questions", model), count)) > 0


def _held(view: StoredView, model: str) -> HeldVectors | None:
    """Return the vectors in memory, if they are loaded and fewer than `MANY`."""
    matrix = view.cache.find_lasting(("vectors", model))
    if matrix is None or count_chunks_with_vectors(view, model) >= MANY:
        return None
    return HeldVectors(view, model, matrix, _fetch)


def _hold(view: StoredView, model: str, dimensions: int) -> HeldVectors:
    def make() -> VectorMatrix:
        return VectorMatrix(dimensions, None)

    matrix = view.cache.get_lasting(("vectors", model), make)
    return HeldVectors(view, model, matrix, _fetch)


def _fetch(view: StoredView, model: str, hashes: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    values = view.parameters(model=model, hashes=hashes)
    found = fetch_binary(view.connection, _of_hashes(view), values)
    return (
        (content_hash, _read(stored).astype(STORED).tobytes()) for content_hash, stored in found
    )


def _index_name(model: str) -> str:
    return f"ix_embedding_{hashlib.blake2b(model.encode(), digest_size=6).hexdigest()}"


def _read_on(connection: Connection) -> None:
    """Have the index scan continue until it has found as many rows as the statement asks for."""
    connection.execute(
        text(
            "SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), "
            f"set_config('hnsw.ef_search', '{CANDIDATES}', true)"
        )
    )


def _scored(found: Mapping[int, bytes], query: Vector) -> tuple[Integers, Floats]:
    """Return chunk ids, and the cosines of their vectors with a query vector."""
    stored = np.array([_read(vector) for vector in found.values()], np.float32)
    ids = np.fromiter(found, np.int64)
    return ids, score(stored.reshape(-1, len(query)), query)


def _read(stored: bytes) -> Vector:
    """Decode pgvector's binary format: two 16-bit integers, then big-endian float32."""
    return np.frombuffer(stored, ">f4", offset=4).astype(np.float32)


def _vector_of(scope: Scope) -> Any:
    return func.vector_send(scope.embedding.c.vector)


def _with_vectors(scope: Scope, *columns: Any) -> Statement:
    chunk, embedding = scope.chunk, scope.embedding
    return (
        select(*columns)
        .select_from(chunk)
        .join(embedding, embedding.c.content_hash == chunk.c.content_hash)
        .where(embedding.c.model == bindparam("model", type_=Text, literal_execute=True))
    )


@cache
def _nearest(dimensions: int | None, *, in_notes: bool) -> Callable[[StoredView], Query]:
    """Return the statement that orders chunks by their distance from a query vector.

    With `dimensions`, it matches the expression of a model's HNSW index and uses it; without, all
    vectors are compared. Only ids are sorted: with their vectors, the server would sort on disk,
    and to serialise these would take as long as to compare them. Ties are included, as equal texts
    have equal vectors: which of them come first is decided by reading order, which the server does
    not know.
    """
    from pgvector.sqlalchemy import VECTOR

    @prepared
    def build(scope: Scope) -> Query:
        vector = cast(scope.embedding.c.vector, VECTOR(dimensions))
        distance = vector.cosine_distance(bindparam("query", type_=VECTOR(dimensions)))
        statement = _with_vectors(scope, scope.chunk.c.id)
        if in_notes:
            statement = statement.where(is_one_of(scope.chunk.c.note_id, "notes"))
        nearest = statement.order_by(distance).fetch(bindparam("most"), with_ties=True)
        with_vectors = _with_vectors(scope, scope.chunk.c.id, _vector_of(scope))
        return with_vectors.where(scope.chunk.c.id.in_(nearest))

    return build


@prepared
def _of_chunks(scope: Scope) -> Query:
    statement = _with_vectors(scope, scope.chunk.c.id, _vector_of(scope))
    return statement.where(is_one_of(scope.chunk.c.id, "ids"))


@prepared
def _of_hashes(scope: Scope) -> Query:
    embedding = scope.embedding
    return select(embedding.c.content_hash, _vector_of(scope)).where(
        embedding.c.model == bindparam("model", type_=Text),
        is_one_of(embedding.c.content_hash, "hashes"),
    )


@prepared
def _count(scope: Scope) -> Query:
    return _with_vectors(scope, func.count())

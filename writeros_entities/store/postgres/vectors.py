"""Vectors on PostgreSQL: pgvector's, compared by the server or in memory, scored here.

The server finds the nearest for a reader's first question, by comparing all. Who asks again has the
vectors in memory from then on, as on SQLite (see `nearness.held_vectors`): that takes a few times
as long once, and then a tenth. Either way the cosines are taken from the vectors themselves, by the
same arithmetic, so that both engines give the same scores.

More than `MANY` vectors are left on the server: an HNSW index is built over those of the model and
finds nearly all of the nearest; what a view may not see is skipped as the index is read on
(`iterative_scan`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Select, Text, bindparam, cast, func, select, text

from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.lists import is_one_of
from writeros_entities.store.nearness.cosines import SPARE, Nearest, score
from writeros_entities.store.nearness.held_vectors import HeldVectors
from writeros_entities.store.nearness.matrix import STORED, VectorMatrix
from writeros_entities.store.postgres.rows import fetch_binary
from writeros_entities.store.scope import Scope, prepared

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from writeros_entities.store.view import View

    Floats = NDArray[np.float32]

MANY = 100_000
"""Vectors of a model from which on an index finds the nearest, and no reader holds them: they would
take 150 MB."""

CANDIDATES = 240
"""How many vectors the index looks at before it is read on: more than a search asks for, since to
read on takes half as long again."""


def nearest_chunks(
    view: View, model: str, query: Floats, limit: int, note_ids: Collection[int] | None
) -> Nearest:
    """Return the chunks nearest to a query; see `store.vectors`."""
    is_few = count_chunks_with_vectors(view, model) < MANY
    if is_few and _has_asked_before(view, model):
        return _hold(view, model, len(query)).nearest(query, limit, note_ids)
    chunks = visible_chunks(view)
    if not limit or not len(chunks):
        return Nearest(np.empty(0, np.int64), np.empty(0, np.float64))
    values: dict[str, Any] = {"model": model, "query": query, "most": limit + SPARE}
    if note_ids is not None:
        values["notes"] = sorted(note_ids)
    if not is_few:
        _read_on(view.connection)
    dimensions = None if is_few else len(query)
    statement = _nearest(dimensions, in_notes=note_ids is not None)(view)
    ids, cosines = _scored(view.tuples(statement, **values), query)
    rows = chunks.rows_of(ids)
    best = np.lexsort((rows, -cosines))[:limit]
    return Nearest(ids[best], cosines[best])


def chunk_cosines(
    view: View, model: str, query: Floats, chunk_ids: Sequence[int]
) -> dict[int, float]:
    """Return the cosine of a query with chunks; see `store.vectors`."""
    held = _held(view, model)
    if held is not None:
        return held.cosines(query, chunk_ids)
    found = view.tuples(_of_chunks(view), model=model, ids=chunk_ids)
    ids, cosines = _scored(found, query)
    return dict(zip(ids.tolist(), cosines.tolist(), strict=True))


def load_vectors(view: View, model: str, content_hashes: Sequence[str]) -> dict[str, Floats]:
    """Return the vectors of texts; see `store.vectors`."""
    held = _held(view, model)
    if held is not None:
        return held.load(content_hashes)
    found = view.tuples(_of_hashes(view), model=model, hashes=content_hashes)
    return {content_hash: _read(stored) for content_hash, stored in found}


def count_chunks_with_vectors(view: View, model: str) -> int:
    """Return how many chunks have a vector; see `store.vectors`."""
    name = ("chunks with vectors", model, view.vector_revision, view.as_of)
    return view.kept.get(view.revision, name, lambda: int(view.scalar(_count(view), model=model)))


def index_vectors(connection: Connection, model: str) -> bool:
    """Build the index over a model's vectors, if they are many; say whether it was built.

    It takes a minute and more for 100,000 vectors; readers do not wait for it, writers do.
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


def _has_asked_before(view: View, model: str) -> bool:
    """Say whether the same reader has asked for the nearest before; from now on, it has."""
    return next(view.kept.get_lasting(("questions", model), count)) > 0


def _held(view: View, model: str) -> HeldVectors | None:
    """Return the vectors that the reader holds in memory, if it does and they are few enough."""
    matrix = view.kept.find_lasting(("vectors", model))
    if matrix is None or count_chunks_with_vectors(view, model) >= MANY:
        return None
    return HeldVectors(view, model, matrix, _fetch)


def _hold(view: View, model: str, dimensions: int) -> HeldVectors:
    def make() -> VectorMatrix:
        return VectorMatrix(dimensions, None)

    matrix = view.kept.get_lasting(("vectors", model), make)
    return HeldVectors(view, model, matrix, _fetch)


def _fetch(view: View, model: str, hashes: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    values = view.parameters(model=model, hashes=hashes)
    found = fetch_binary(view.connection, _of_hashes(view), values)
    return (
        (content_hash, _read(stored).astype(STORED).tobytes()) for content_hash, stored in found
    )


def _index_name(model: str) -> str:
    return f"ix_embedding_{hashlib.blake2b(model.encode(), digest_size=6).hexdigest()}"


def _read_on(connection: Connection) -> None:
    """Let the search in an index go on until there are as many as were asked for."""
    connection.execute(
        text(
            "SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), "
            f"set_config('hnsw.ef_search', '{CANDIDATES}', true)"
        )
    )


def _scored(
    found: Sequence[tuple[Any, ...]], query: Floats
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the ids of chunks, and the cosines of their vectors with a query's."""
    stored = np.array([_read(vector) for _, vector in found], np.float32)
    ids = np.array([chunk_id for chunk_id, _ in found], np.int64)
    return ids, score(stored.reshape(-1, len(query)), query)


def _read(stored: bytes) -> Floats:
    """Return a vector as pgvector sends it: two lengths, then numbers, the high byte first."""
    return np.frombuffer(stored, ">f4", offset=4).astype(np.float32)


def _vector_of(scope: Scope) -> Any:
    return func.vector_send(scope.embedding.c.vector)


def _with_vectors(scope: Scope, *columns: Any) -> Select[Any]:
    chunk, embedding = scope.chunk, scope.embedding
    return (
        select(*columns)
        .select_from(chunk)
        .join(embedding, embedding.c.content_hash == chunk.c.content_hash)
        .where(embedding.c.model == bindparam("model", type_=Text, literal_execute=True))
    )


@cache
def _nearest(dimensions: int | None, *, in_notes: bool) -> Callable[[View], Select[Any]]:
    """Return the statement that orders chunks by their distance from a query.

    With `dimensions`, it is written as an index over a model's vectors has it, and read from that;
    without, all are compared. Vectors are written out for the nearest alone: for all, that takes as
    long as comparing them.
    """
    from pgvector.sqlalchemy import Vector

    @prepared
    def build(scope: Scope) -> Select[Any]:
        vector = cast(scope.embedding.c.vector, Vector(dimensions))
        distance = vector.cosine_distance(bindparam("query", type_=Vector(dimensions)))
        statement = _with_vectors(scope, scope.chunk.c.id, scope.embedding.c.vector)
        if in_notes:
            statement = statement.where(is_one_of(scope.chunk.c.note_id, "notes"))
        nearest = statement.order_by(distance).limit(bindparam("most")).subquery("nearest")
        return select(nearest.c.id, func.vector_send(nearest.c.vector))

    return build


@prepared
def _of_chunks(scope: Scope) -> Select[Any]:
    statement = _with_vectors(scope, scope.chunk.c.id, _vector_of(scope))
    return statement.where(is_one_of(scope.chunk.c.id, "ids"))


@prepared
def _of_hashes(scope: Scope) -> Select[Any]:
    embedding = scope.embedding
    return select(embedding.c.content_hash, _vector_of(scope)).where(
        embedding.c.model == bindparam("model", type_=Text),
        is_one_of(embedding.c.content_hash, "hashes"),
    )


@prepared
def _count(scope: Scope) -> Select[Any]:
    return _with_vectors(scope, func.count())

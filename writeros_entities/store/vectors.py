"""Vectors of texts: stored by model and content hash, and searched by the engine in use.

All vectors have unit length, so that the inner product of two is their cosine. Visibility belongs
to the chunk or name of a vector, not to the vector itself: these functions start from rows that the
view can see.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from writeros_entities.store.postgres import vectors as postgres
from writeros_entities.store.sqlite import vectors as sqlite

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.arrays import Vector
    from writeros_entities.store.similarity.cosines import Nearest
    from writeros_entities.store.view import View

_ENGINES = {"sqlite": sqlite, "postgresql": postgres}


def nearest_chunks(
    view: View,
    model: str,
    query: Vector,
    limit: int,
    note_ids: Collection[int] | None = None,
) -> Nearest:
    """Return the visible chunks whose vectors are nearest to a query, (dimensions,).

    `model` is the identity of the model that made the query vector. Chunks without a vector of that
    model are left out; `note_ids` limits the search to some notes.
    """
    found: Nearest = _engine(view).nearest_chunks(view, model, query, limit, note_ids)
    return found


def chunk_cosines(
    view: View, model: str, query: Vector, chunk_ids: Sequence[int]
) -> dict[int, float]:
    """Return the cosine of a query vector with each of the chunks that has a vector."""
    found: dict[int, float] = _engine(view).chunk_cosines(view, model, query, chunk_ids)
    return found


def load_vectors(view: View, model: str, content_hashes: Sequence[str]) -> dict[str, Vector]:
    """Return the vectors of texts by content hash; hashes without a vector are left out."""
    found: dict[str, Vector] = _engine(view).load_vectors(view, model, content_hashes)
    return found


def count_chunks_with_vectors(view: View, model: str) -> int:
    """Return how many of the visible chunks have a vector of a model."""
    return int(_engine(view).count_chunks_with_vectors(view, model))


def index_vectors(connection: Connection, model: str) -> bool:
    """Build the engine's vector index for a model, if it needs one; return whether it did."""
    return bool(_ENGINES[connection.dialect.name].index_vectors(connection, model))


def _engine(view: View) -> Any:
    return _ENGINES[view.connection.dialect.name]

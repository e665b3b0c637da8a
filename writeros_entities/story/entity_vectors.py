"""Vectors of the entities that a view sees, each made from the text `[TYPE] name`.

Under `as_of`, an entity whose own name the reader has not met has no vector: it would reveal the
name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sqlalchemy import select

from writeros_entities.embedding import entity_text, hash_text
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats, Vectors
    from writeros_entities.view import View


@dataclass(frozen=True, eq=False)
class EntityVectors:
    """Vectors of unit length, shape (entities, dimensions), and the row of each entity by id."""

    rows: Mapping[int, int]
    vectors: Vectors


COSINE_DIGITS = 6
"""Decimals of a cosine that are kept: the last bits depend on the order of summation."""

NO_VECTORS = EntityVectors({}, np.empty((0, 0), np.float32))


def entity_vectors(view: View, model: str | None) -> EntityVectors:
    """Return the entities' vectors by a model; they are cached until the index changes."""
    if model is None:
        return NO_VECTORS
    return view.kept(("entity vectors", model, view.vector_revision), lambda: _load(view, model))


def _load(view: View, model: str) -> EntityVectors:
    met = view.fetch(_Met, _met(view))
    hashes = {one.id: hash_text(entity_text(one.type, one.name)) for one in met}
    found = view.engine.vectors.load_vectors(view, model, sorted(set(hashes.values())))
    known = [entity_id for entity_id, key in hashes.items() if key in found]
    if not known:
        return NO_VECTORS
    vectors = np.array([found[hashes[entity_id]] for entity_id in known])
    return EntityVectors({entity_id: at for at, entity_id in enumerate(known)}, vectors)


def entity_cosines(vectors: EntityVectors, entity_id: int, others: Sequence[int]) -> Floats:
    """Return the cosines of an entity, which must have a vector, with others; 0 for no vector."""
    own = vectors.vectors[vectors.rows[entity_id]]
    found = np.zeros(len(others))
    known = [(at, vectors.rows[one]) for at, one in enumerate(others) if one in vectors.rows]
    here, there = np.array(known, np.int64).reshape(-1, 2).T
    found[here] = vectors.vectors[there] @ own
    return found.round(COSINE_DIGITS)


class _Met(NamedTuple):
    """An entity whose own name is visible."""

    id: int
    type: str
    name: str


@prepared
def _met(scope: Scope) -> Query:
    """Select the entities whose own name is visible."""
    entity, alias = scope.entity, scope.alias
    return (
        select(entity.c.id, entity.c.type, entity.c.name)
        .join(alias, (alias.c.entity_id == entity.c.id) & (alias.c.form == entity.c.name))
        .order_by(entity.c.id)
    )

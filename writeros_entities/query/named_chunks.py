"""Chunks that speak of what a query names.

An entity is a term like any other, whatever it is called where it stands: BM25F as in `text`, with
mentions for occurrences and the entity's own note as a field beside them, times how surely the
query means it. A note that is named by its title counts like an own note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Select, bindparam, func, select

from writeros_entities.query.text import rarity, relative_length, saturated
from writeros_entities.store.view import Scope, prepared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from writeros_entities.query.naming import Named
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.store.view import View

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]

OWN_NOTE_WEIGHT = 10.0
"""Mentions that a chunk's note being the entity's own counts for."""

WITHOUT_NOTE = 0.5
"""What an entity without a note counts for: its name is often just a word of the query."""


def score_names(view: View, chunks: Chunks, named: Named) -> tuple[list[str], Floats]:
    """Return the names in a query, and what each adds to every chunk's score: (names, chunks)."""
    length = relative_length(chunks)
    surfaces: list[str] = []
    shares: list[Floats] = []
    for one in named.entities:
        ids, counts = count_mentions(view, one.entity.id)
        rows = chunks.rows_of(ids)
        weight = np.zeros(len(chunks))
        weight[rows] = counts / length[rows]
        if one.entity.note_id is not None:
            weight[chunks.note_ids == one.entity.note_id] += OWN_NOTE_WEIGHT
        sureness = one.confidence * (WITHOUT_NOTE if one.entity.note_id is None else 1.0)
        surfaces.append(one.surface)
        shares.append(sureness * rarity(weight) * saturated(weight))
    standing = {one.entity.note_id for one in named.entities}
    for note in named.notes:
        if note.note_id not in standing:
            weight = np.where(chunks.note_ids == note.note_id, OWN_NOTE_WEIGHT, 0.0)
            surfaces.append(note.surface)
            shares.append(rarity(weight) * saturated(weight))
    return surfaces, np.array(shares).reshape(len(surfaces), len(chunks))


def count_mentions(view: View, entity_id: int) -> tuple[Integers, Integers]:
    """Return the chunks that mention an entity, by ascending id, and how often each does."""
    found = view.tuples(_mentions(view), entity_id=entity_id)
    ids, counts = np.array(found, np.int64).reshape(-1, 2).T
    return ids, counts


@prepared
def _mentions(scope: Scope) -> Select[Any]:
    mention = scope.mention
    return (
        select(mention.c.chunk_id, func.count())
        .where(mention.c.entity_id == bindparam("entity_id"))
        .group_by(mention.c.chunk_id)
        .order_by(mention.c.chunk_id)
    )

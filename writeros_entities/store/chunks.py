"""The chunks that a view can see, held in memory as numpy columns for search to rank and filter.

chunks = visible_chunks(view)
chunks.ids[chunks.rows_of(found)]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sqlalchemy import func, select

from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.view import StoredView

if TYPE_CHECKING:
    from writeros_entities.arrays import Hashes, Integers

NEVER = np.iinfo(np.int64).max
"""Position of a row that is never shown under `as_of` (null in the database)."""


@dataclass(frozen=True, eq=False)
class Chunks:
    """Columns of n chunks in reading order: the manuscript first, then other notes by path."""

    ids: Integers
    note_ids: Integers
    tokens: Integers
    hashes: Hashes
    """Content hashes, as ASCII."""
    visible_from: Integers

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def mean_tokens(self) -> float:
        """The mean number of tokens per chunk, or 1 if there are no tokens."""
        return float(self.tokens.mean()) if len(self) and self.tokens.any() else 1.0

    @cached_property
    def _row_by_id(self) -> tuple[int, Integers]:
        """The smallest id, and an array that maps `id - smallest` to its row, or to -1.

        The array is dense because a vault's ids are consecutive, with few gaps.
        """
        first = int(self.ids.min()) if len(self) else 0
        rows = np.full(int(np.ptp(self.ids)) + 1 if len(self) else 1, -1, np.int64)
        if len(self):
            rows[self.ids - first] = np.arange(len(self))
        return first, rows

    def rows_of(self, ids: Integers) -> Integers:
        """Return the rows of the given ids, in the order given; unknown ids are left out."""
        first, rows = self._row_by_id
        places = ids - first
        found: Integers = rows[places[(places >= 0) & (places < len(rows))]]
        return found[found >= 0]

    def seen_by(self, view: StoredView) -> Chunks:
        """Return only the chunks that a view can see."""
        mask = view.sees(self.visible_from)
        if mask is None:
            return self
        columns = (self.ids, self.note_ids, self.tokens, self.hashes, self.visible_from)
        return Chunks(*(column[mask] for column in columns))  # type: ignore[arg-type]  # five columns, as declared


def visible_chunks(view: StoredView) -> Chunks:
    """Return the chunks that a view can see, cached until the index changes."""
    whole = view.cache.get(view.revision, "chunks", lambda: _read(view.whole()))
    return view.kept("chunks", lambda: whole.seen_by(view))


class OrderedNote(NamedTuple):
    """A note, and what its place in reading order follows from."""

    id: int
    position: int | None
    path: str


def notes_in_order(view: StoredView) -> list[OrderedNote]:
    """Return the notes in reading order: the manuscript first, then others by path."""
    notes = view.fetch(OrderedNote, _notes(view))
    return sorted(notes, key=lambda one: (one.position is None, one.position or 0, one.path))


@prepared
def _notes(scope: Scope) -> Query:
    note = scope.note
    return select(note.c.id, note.c.position, note.c.path)


_CHUNK = np.dtype(
    [
        *(("id", "i8"), ("note_id", "i8"), ("ordinal", "i8"), ("tokens", "i8")),
        *(("visible_from", "i8"), ("content_hash", "S24")),
    ]
)


@prepared
def _chunks(scope: Scope) -> Query:
    chunk = scope.chunk
    visible_from = func.coalesce(chunk.c.visible_from, NEVER).label("visible_from")
    return select(
        *(chunk.c.id, chunk.c.note_id, chunk.c.ordinal, chunk.c.tokens),
        *(visible_from, chunk.c.content_hash),
    )


def _read(view: StoredView) -> Chunks:
    ranks = {note.id: rank for rank, note in enumerate(notes_in_order(view))}
    found = view.array(_CHUNK, _chunks(view))
    rank = [ranks[note_id] for note_id in found["note_id"].tolist()]
    found = found[np.lexsort((found["ordinal"], rank))]
    columns = ("id", "note_id", "tokens", "content_hash", "visible_from")
    return Chunks(*(found[name].copy() for name in columns))

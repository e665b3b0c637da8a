"""The chunks that a view can see, held in memory as numpy columns for search to rank and filter.

chunks = visible_chunks(view)
chunks.ids[chunks.rows_of(found)]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Select, select

from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.view import View

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

    def seen_by(self, view: View) -> Chunks:
        """Return only the chunks that a view can see."""
        mask = view.sees(self.visible_from)
        if mask is None:
            return self
        columns = (self.ids, self.note_ids, self.tokens, self.hashes, self.visible_from)
        return Chunks(*(column[mask] for column in columns))  # type: ignore[arg-type]  # five columns, as declared


def visible_chunks(view: View) -> Chunks:
    """Return the chunks that a view can see, cached until the index changes."""
    whole = view.cache.get(view.revision, "chunks", lambda: _read(view.whole()))
    return view.kept("chunks", lambda: whole.seen_by(view))


@prepared
def _notes(scope: Scope) -> Select[Any]:
    note = scope.note
    return select(note.c.id, note.c.position, note.c.path)


@prepared
def _chunks(scope: Scope) -> Select[Any]:
    chunk = scope.chunk
    return select(
        chunk.c.id,
        chunk.c.note_id,
        chunk.c.ordinal,
        chunk.c.tokens,
        chunk.c.visible_from,
        chunk.c.content_hash,
    )


def _read(view: View) -> Chunks:
    notes = sorted(view.tuples(_notes(view)), key=lambda row: (row[1] is None, row[1] or 0, row[2]))
    ranks = {row[0]: rank for rank, row in enumerate(notes)}
    found = view.tuples(_chunks(view))
    ids, note_ids, ordinals, tokens, visible, hashes = list(zip(*found, strict=True)) or [()] * 6
    order = np.lexsort((ordinals, [ranks[note_id] for note_id in note_ids]))
    positions = [NEVER if position is None else position for position in visible]
    return Chunks(
        np.array(ids, np.int64)[order],
        np.array(note_ids, np.int64)[order],
        np.array(tokens, np.int64)[order],
        np.array(hashes, "S24")[order],
        np.array(positions, np.int64)[order],
    )

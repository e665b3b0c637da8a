"""Write mentions: find the notes marked for detection, and replace their mentions.

An entity's counts are recomputed only if a note's mentions of it differ from before. The cost of a
change therefore does not grow with the number of mentions elsewhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import bindparam, delete, select, union_all

from writeros_entities.store import rows
from writeros_entities.store.rows import VaultRows
from writeros_entities.sync.diagnostics import keep_diagnostics
from writeros_entities.sync.drafting.detector import DETECTION_FAILED
from writeros_entities.sync.drafting.drafts import ChunkPlace, MentionRow
from writeros_entities.sync.drafting.pages import StoredClauses
from writeros_entities.sync.touched import Counted

if TYPE_CHECKING:
    from writeros_entities.store.rows import Row
    from writeros_entities.sync.drafting.detector import Detected
    from writeros_entities.sync.drafting.files import StoredNote
    from writeros_entities.sync.touched import Touched

_entity = attrgetter("entity_id")


CLOSELY = "+"
"""Follows the detection identity of a note whose sentences have been read by grammar too."""


class _NoteChunk(NamedTuple):
    """A chunk's place, and the note that it is of."""

    note_id: int
    id: int
    start: int
    end: int
    visible_from: int | None


class _NoteClauses(NamedTuple):
    """The clauses of a note."""

    note_id: int
    content: str
    read_by: str
    clauses: bytes


class _Mark(NamedTuple):
    """The detection that a note has been through."""

    id: int
    detected: str


_CHUNKS = (
    rows.select_as(_NoteChunk, rows.chunk)
    .where(rows.among(rows.chunk.c.note_id))
    .order_by(rows.chunk.c.note_id, rows.chunk.c.ordinal)
)
_CLAUSES = rows.select_as(_NoteClauses, rows.page).where(
    rows.page.c.clauses.is_not(None), rows.among(rows.page.c.note_id)
)
_IN_CHUNKS = rows.among(rows.mention.c.chunk_id)
_MENTIONS = rows.select_as(MentionRow, rows.mention).where(_IN_CHUNKS)
_DELETION = delete(rows.mention).where(rows.in_vault(rows.mention), _IN_CHUNKS)
_EVENTS_TOLD = delete(rows.event).where(
    rows.in_vault(rows.event), rows.among(rows.event.c.chunk_id)
)


class MentionWriter:
    """Writes detected mentions of one vault, within one transaction."""

    def __init__(self, index: VaultRows, touched: Touched) -> None:
        self._index = index
        self._touched = touched

    def chunks(self, note_ids: Iterable[int]) -> dict[int, list[ChunkPlace]]:
        """Return the places of the chunks of each note, in order."""
        found: dict[int, list[ChunkPlace]] = defaultdict(list)
        for row in self._index.fetch_among(_NoteChunk, _CHUNKS, note_ids):
            found[row.note_id].append(ChunkPlace(row.id, row.start, row.end, row.visible_from))
        return found

    def clauses(self, notes: Iterable[StoredNote]) -> dict[int, StoredClauses]:
        """Return the clauses of those notes whose content was read closely before."""
        wanted = {note.note_id: note.content_hash for note in notes}
        found = self._index.fetch_among(_NoteClauses, _CLAUSES, wanted)
        return {
            row.note_id: StoredClauses(row.content, row.read_by, row.clauses)
            for row in found
            if row.content == wanted[row.note_id]
        }

    def replace(self, detected: Sequence[Detected], identity: str) -> None:
        """Replace the mentions of these notes, and mark the notes with the detection identity.

        Notes added by this sync have no earlier mentions to compare with.
        """
        added = self._touched.added
        fresh: list[MentionRow] = []
        for found in detected:
            if found.note_id in added:
                self._touched.entities.update(map(_entity, found.mentions))
                fresh += found.mentions
        again = [found for found in detected if found.note_id not in added]
        if again:
            fresh += self._clear_differing(again)
        self._index.insert(rows.mention, fresh)
        self._tell_events(detected, again)
        self._mark([found.note_id for found in detected], identity)
        read = [_NoteClauses(found.note_id, *found.clauses) for found in detected if found.clauses]
        by = ("note_id", "content")
        self._index.update(rows.page, read, by=by)
        keep_diagnostics(
            self._index,
            DETECTION_FAILED,
            {found.note_id for found in again} - self._touched.written,
            {found.note_id: found.diagnostics for found in detected if found.diagnostics},
        )

    def _tell_events(self, detected: Sequence[Detected], again: Sequence[Detected]) -> None:
        """Replace what happens by these notes; those read again have told of events before."""
        chunks = [chunk for found in again for chunk in found.chunk_ids]
        self._index.change_among(_EVENTS_TOLD, chunks)
        told = [row for found in detected for row in found.inferred.events]
        self._index.insert(rows.event, told)

    def _clear_differing(self, detected: Sequence[Detected]) -> list[MentionRow]:
        """Delete the old mentions of notes whose mentions differ, and return their new ones."""
        old = self._old_mentions(chunk for found in detected for chunk in found.chunk_ids)
        stale: list[int] = []
        fresh: list[MentionRow] = []
        for found in detected:
            before = [mention for chunk in found.chunk_ids for mention in old.get(chunk, ())]
            lost = self._touched.lost.pop(found.note_id, Counter())
            self._touch(lost + Counter(map(Counted.of, before)), found.mentions)
            if set(before) != set(found.mentions):
                stale += {mention.chunk_id for mention in before}
                fresh += found.mentions
        self._index.change_among(_DELETION, stale)
        return fresh

    def _old_mentions(self, chunk_ids: Iterable[int]) -> dict[int, list[MentionRow]]:
        found: dict[int, list[MentionRow]] = defaultdict(list)
        for row in self._index.fetch_among(MentionRow, _MENTIONS, chunk_ids):
            found[row.chunk_id].append(row)
        return found

    def _touch(self, before: Counter[Counted], mentions: Iterable[MentionRow]) -> None:
        """Mark the entities whose mentions in a note differ from before."""
        after = Counter(map(Counted.of, mentions))
        if before != after:
            differing = (before - after) + (after - before)
            self._touched.entities.update(counted.entity_id for counted in differing)

    def _mark(self, note_ids: Iterable[int], identity: str) -> None:
        marks = [_Mark(note_id, identity) for note_id in note_ids]
        self._index.update(rows.note, marks, by=("id",))


_TEXTS = select(
    *(rows.note.c[name] for name in ("id", "path", "size", "content_hash", "detected"))
).where(rows.in_vault(rows.note), rows.note.c.kind == "note", rows.note.c.content_hash.is_not(None))
_STALE = union_all(
    _TEXTS.where(rows.note.c.detected < bindparam("identity")),
    _TEXTS.where(rows.note.c.detected > bindparam("closely")),
)
"""Two ranges over the index on `detected`, since `!=` would scan all notes."""


def stale_notes(index: VaultRows, identity: str) -> Sequence[Row]:
    """Return the notes whose mentions have another detection identity, ordered by path."""
    told = {"identity": identity, "closely": identity + CLOSELY}
    return sorted(index.execute(_STALE, told), key=lambda row: str(row.path))


def notes_to_read_closely(index: VaultRows, identity: str) -> Sequence[Row]:
    """Return the notes whose mentions are found but whose sentences are unread, by path."""
    statement = _TEXTS.where(rows.note.c.detected == identity).order_by(rows.note.c.path)
    return index.execute(statement).all()

"""Write mentions: find the notes marked for detection, and replace their mentions.

An entity's counts are recomputed only if a note's mentions of it differ from before. The cost of a
change therefore does not grow with the number of mentions elsewhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from writeros_entities.store import rows
from writeros_entities.sync.diagnostics import keep_diagnostics
from writeros_entities.sync.drafting.detector import DETECTION_FAILED
from writeros_entities.sync.drafting.drafts import MENTION
from writeros_entities.sync.touched import COUNTED

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.sync.drafting.detector import ChunkPlace, Detected
    from writeros_entities.sync.drafting.drafts import Row
    from writeros_entities.sync.touched import Touched

_counted = itemgetter(*(MENTION.index(name) for name in COUNTED))
_entity = itemgetter(MENTION.index("entity_id"))


class MentionWriter:
    """Writes detected mentions of one vault, within one transaction."""

    def __init__(self, connection: Connection, vault_id: int, touched: Touched) -> None:
        self._connection = connection
        self._vault_id = vault_id
        self._touched = touched

    def chunks(self, note_ids: Iterable[int]) -> dict[int, list[ChunkPlace]]:
        """Return the places of the chunks of each note, in order."""
        chunk = rows.chunk
        found: dict[int, list[ChunkPlace]] = defaultdict(list)
        for batch in rows.batches(note_ids):
            statement = (
                select(
                    chunk.c.note_id, chunk.c.id, chunk.c.start, chunk.c.end, chunk.c.visible_from
                )
                .where(chunk.c.vault_id == self._vault_id, chunk.c.note_id.in_(batch))
                .order_by(chunk.c.note_id, chunk.c.ordinal)
            )
            for note_id, *place in rows.fetch_rows(self._connection, statement):
                found[note_id].append((place[0], place[1], place[2], place[3]))
        return found

    def replace(self, detected: Sequence[Detected], identity: str) -> None:
        """Replace the mentions of these notes, and mark the notes with the detection identity.

        Notes added by this sync have no earlier mentions to compare with.
        """
        added = self._touched.added
        fresh: list[Row] = []
        for found in detected:
            if found.note_id in added:
                self._touched.entities.update(map(_entity, found.mentions))
                fresh += found.mentions
        again = [found for found in detected if found.note_id not in added]
        if again:
            fresh += self._clear_differing(again)
        rows.insert_rows(
            self._connection,
            rows.mention,
            ("vault_id", *MENTION),
            [(self._vault_id, *mention) for mention in fresh],
        )
        self._mark([found.note_id for found in detected], identity)
        keep_diagnostics(
            self._connection,
            self._vault_id,
            DETECTION_FAILED,
            [found.note_id for found in again],
            {found.note_id: found.diagnostics for found in detected if found.diagnostics},
        )

    def _clear_differing(self, detected: Sequence[Detected]) -> list[Row]:
        """Delete the old mentions of notes whose mentions differ, and return their new ones."""
        old = self._old_mentions(chunk for found in detected for chunk in found.chunk_ids)
        stale: list[int] = []
        fresh: list[Row] = []
        for found in detected:
            before = [mention for chunk in found.chunk_ids for mention in old.get(chunk, ())]
            lost = self._touched.lost.pop(found.note_id, Counter())
            self._touch(lost + Counter(map(_counted, before)), found.mentions)
            if set(before) != set(found.mentions):
                stale += {mention[0] for mention in before}
                fresh += found.mentions
        mention = rows.mention
        deletion = delete(mention).where(mention.c.vault_id == self._vault_id)
        rows.change_among(self._connection, deletion, mention.c.chunk_id, stale)
        return fresh

    def _old_mentions(self, chunk_ids: Iterable[int]) -> dict[int, list[Row]]:
        mention = rows.mention
        found: dict[int, list[Row]] = defaultdict(list)
        columns = [mention.c[name] for name in MENTION]
        for batch in rows.batches(chunk_ids):
            statement = select(*columns).where(
                mention.c.vault_id == self._vault_id, mention.c.chunk_id.in_(batch)
            )
            for row in rows.fetch_rows(self._connection, statement):
                found[row[0]].append(row)
        return found

    def _touch(self, before: Counter[Row], mentions: Iterable[Row]) -> None:
        """Mark the entities whose mentions in a note differ from before."""
        after = Counter(map(_counted, mentions))
        if before != after:
            differing = (before - after) + (after - before)
            self._touched.entities.update(counted[0] for counted in differing)

    def _mark(self, note_ids: Iterable[int], identity: str) -> None:
        marks = [(identity, note_id, self._vault_id) for note_id in note_ids]
        rows.update_rows(self._connection, rows.note, ("detected",), ("id", "vault_id"), marks)


def stale_notes(connection: Connection, vault_id: int, identity: str) -> Sequence[Any]:
    """Return the notes whose mentions have another detection identity, ordered by path.

    The condition is two ranges over the index on `detected`, since `!=` would scan all notes.
    """
    note = rows.note
    detected = note.c.detected
    statement = select(
        note.c.id, note.c.path, note.c.size, note.c.content_hash, note.c.detected
    ).where(note.c.vault_id == vault_id, note.c.kind == "note", note.c.content_hash.is_not(None))
    found: list[Any] = []
    for other in (detected < identity, detected > identity):
        found += connection.execute(statement.where(other))
    return sorted(found, key=lambda row: str(row.path))

"""Mentions into rows: the notes that are marked are detected, and their mentions replaced."""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select, update

from writeros_entities.decision import decide
from writeros_entities.detection import detect_mentions
from writeros_entities.store import rows
from writeros_entities.sync.stages import describe_failures

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.decision import Reading
    from writeros_entities.plugins import Plugins
    from writeros_entities.sync.touched import Touched
    from writeros_entities.values import Diagnostic, Lexicon, Note

DETECTION_FAILED = "detection-failed"

ROWS_PER_INSERT = 5_000

_NEVER = 2**31 - 1
"""Stands in the key for a mention that no reading position shows."""


class MentionWriter:
    """Detects notes and writes their mentions, within one transaction."""

    def __init__(
        self,
        connection: Connection,
        vault_id: int,
        plugins: Plugins,
        lexicon: Lexicon,
        touched: Touched,
    ) -> None:
        self._connection = connection
        self._vault_id = vault_id
        self._plugins = plugins
        self._lexicon = lexicon
        self._touched = touched
        entity = rows.entity
        self._ids = {
            row.key: row.id
            for row in connection.execute(
                select(entity.c.key, entity.c.id).where(entity.c.vault_id == vault_id)
            )
        }

    def replace(
        self, notes: Sequence[tuple[int, int | None, Note]], identity: str
    ) -> list[tuple[str, Diagnostic]]:
        """Detect notes, given as (id, visible_from, note), and replace their mentions.

        Hook calls that plugins broke off become diagnostics of the note; they are returned as well.
        """
        chunks = self._chunks([note_id for note_id, _, _ in notes])
        self._forget([chunk.id for found in chunks.values() for chunk in found])
        new_rows: list[dict[str, Any]] = []
        failed: dict[int, list[Diagnostic]] = {}
        for note_id, visible_from, note in notes:
            mentions, failures = detect_mentions(self._plugins, note, self._lexicon)
            readings = decide(mentions, visible_from)
            del mentions  # there may be very many
            for row in self._rows(readings, chunks.get(note_id, [])):
                new_rows.append(row)
                if len(new_rows) == ROWS_PER_INSERT:
                    self._connection.execute(insert(rows.mention), new_rows)
                    new_rows.clear()
            if failures:
                failed[note_id] = describe_failures(failures, DETECTION_FAILED)
        if new_rows:
            self._connection.execute(insert(rows.mention), new_rows)
        self._mark([note_id for note_id, _, _ in notes], identity)
        self._diagnose([note_id for note_id, _, _ in notes], failed)
        return [
            (note.path, item) for note_id, _, note in notes for item in failed.get(note_id, ())
        ]

    def _diagnose(
        self, note_ids: Iterable[int], failed: Mapping[int, Sequence[Diagnostic]]
    ) -> None:
        """Set the notes' diagnostics of this stage; those of other stages stay."""
        note = rows.note
        for batch in rows.batches(note_ids):
            condition = note.c.vault_id == self._vault_id, note.c.id.in_(batch)
            for row in self._connection.execute(
                select(note.c.id, note.c.diagnostics).where(*condition)
            ).all():
                kept = [item for item in row.diagnostics or () if item["code"] != DETECTION_FAILED]
                new = kept + [dataclasses.asdict(item) for item in failed.get(row.id, ())]
                if new != (row.diagnostics or []):
                    self._connection.execute(
                        update(note)
                        .where(note.c.vault_id == self._vault_id, note.c.id == row.id)
                        .values(diagnostics=new or None)
                    )

    def _chunks(self, note_ids: Iterable[int]) -> dict[int, list[Any]]:
        chunk = rows.chunk
        found: dict[int, list[Any]] = {}
        for batch in rows.batches(note_ids):
            for row in self._connection.execute(
                select(chunk.c.id, chunk.c.note_id, chunk.c.start, chunk.c.end)
                .where(chunk.c.vault_id == self._vault_id, chunk.c.note_id.in_(batch))
                .order_by(chunk.c.note_id, chunk.c.start)
            ):
                found.setdefault(row.note_id, []).append(row)
        return found

    def _forget(self, chunk_ids: Sequence[int]) -> None:
        mention = rows.mention
        for batch in rows.batches(chunk_ids):
            condition = [mention.c.vault_id == self._vault_id, mention.c.chunk_id.in_(batch)]
            self._touched.entities.update(
                self._connection.scalars(select(mention.c.entity_id).where(*condition).distinct())
            )
            self._connection.execute(delete(mention).where(*condition))

    def _rows(self, readings: Iterable[Reading], chunks: Sequence[Any]) -> Iterator[dict[str, Any]]:
        starts = [chunk.start for chunk in chunks]
        for reading in readings:
            place = bisect_right(starts, reading.start) - 1
            if place < 0 or reading.end > chunks[place].end:
                continue
            entity_id = self._ids[reading.candidate.entity]
            self._touched.entities.add(entity_id)
            since = reading.visible_from
            yield {
                "vault_id": self._vault_id,
                "chunk_id": chunks[place].id,
                "start": reading.start,
                "end": reading.end,
                "entity_id": entity_id,
                "since": _NEVER if since is None else since,
                "visible_from": since,
                "visible_until": reading.visible_until,
                "form": reading.candidate.form,
                "confidence": reading.candidate.score,
                "method": reading.candidate.method,
                "reason": "; ".join(reading.candidate.reasons) or None,
            }

    def _mark(self, note_ids: Iterable[int], identity: str) -> None:
        note = rows.note
        for batch in rows.batches(note_ids):
            self._connection.execute(
                update(note)
                .where(note.c.vault_id == self._vault_id, note.c.id.in_(batch))
                .values(detected=identity)
            )


def stale_notes(connection: Connection, vault_id: int, identity: str) -> Sequence[Any]:
    """Return the notes whose mentions are not those of this identity, in order of path."""
    note = rows.note
    return connection.execute(
        select(note.c.id, note.c.path, note.c.visible_from, note.c.content_hash, note.c.size)
        .where(
            note.c.vault_id == vault_id,
            note.c.kind == "note",
            note.c.content_hash.is_not(None),
            note.c.detected.is_distinct_from(identity),
        )
        .order_by(note.c.path)
    ).all()

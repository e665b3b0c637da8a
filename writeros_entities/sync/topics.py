"""The visibility of topics.

Topics belong to a note as a whole. They are extracted without the sections that have a visibility
of their own, so each has the `visible_from` of the note's own text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.store import rows

if TYPE_CHECKING:
    from sqlalchemy import Connection


def show_topics(connection: Connection, vault_id: int, shown: Mapping[int, int | None]) -> None:
    """Set `visible_from` of the topics of notes, by note id."""
    topic = rows.topic
    for batch in rows.batches(sorted(shown)):
        found = connection.execute(
            select(topic.c.note_id, topic.c.visible_from)
            .where(topic.c.vault_id == vault_id, topic.c.note_id.in_(batch))
            .distinct()
        )
        changes: list[tuple[Any, ...]] = [
            (shown[row.note_id], row.note_id, vault_id)
            for row in found
            if row.visible_from != shown[row.note_id]
        ]
        rows.update_rows(connection, topic, ("visible_from",), ("note_id", "vault_id"), changes)
